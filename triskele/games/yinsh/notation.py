"""Texts of YINSH: moves, tokens and positions."""

import functools
import re

from triskele.core.contract import State
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.yinsh import rules as r

NAMES = tuple(f"{chr(ord('a') + letter)}{number}" for letter, number in r.COORDINATES)
"""The name of each point, by its index."""
INDEX = {name: point for point, name in enumerate(NAMES)}

_PHASES = ("place", "move", "row", "ring", "over")
_SEATS = "wb"
_EMPTY, _RINGS, _MARKERS = ".", "WB", "wb"
_FORM = re.compile(r"(?P<board>[.WBwb/]+) (?P<turn>[wb]) (?P<phase>\w+) (?P<mover>[wb]) (?P<off>\d-\d) (?P<passes>\d)")


def row_ends(row: int) -> tuple[int, int]:
    """Return the two end points of a row, the one with the smaller letter (then number) first."""
    line, bit = r.ROWS[row]
    return int(r.POINT[line, bit]), int(r.POINT[line, bit + 4])


def move_text(options: Options, code: int) -> str:
    """Return the text of a move."""
    if code < r.MOVE:
        return NAMES[code]
    if code < r.TAKE_ROW:
        return "-".join(NAMES[point] for point in divmod(code - r.MOVE, r.POINTS))
    if code < r.TAKE_RING:
        return "x" + "-".join(NAMES[point] for point in row_ends(code - r.TAKE_ROW))
    if code < r.PASS:
        return "x" + NAMES[code - r.TAKE_RING]
    return "pass"


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    """Return the points to touch: a row by its two ends, in either order."""
    tokens = tuple(move_text(options, code).removeprefix("x").split("-"))
    return (tokens, tokens[::-1]) if r.TAKE_ROW <= code < r.TAKE_RING else (tokens,)


# --- positions ----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=20_000)
def _column(length: int, marked: int, white: int) -> bytes:
    """Return the markers of a column, from low to high, by the words of its line."""
    points = range(1, length + 1)
    return b"".join(b"." if not marked >> bit & 1 else b"w" if white >> bit & 1 else b"b" for bit in points)


_LENGTHS = tuple(high - low + 1 for low, high in r.COLUMNS)
_LAST_COLUMN = len(r.COLUMNS)
_IN_TEXT = tuple(point + letter for point, (letter, _) in enumerate(r.COORDINATES))
"""Where each point stands in the text of the board, which has a stroke after every column."""
_RING_LETTERS = tuple(ord(_RINGS[slot // r.RINGS_EACH]) for slot in range(2 * r.RINGS_EACH))


def board(words: list[int]) -> str:
    """Return the columns a to k from low to high numbers, with strokes between them, from a state as a list."""
    marked = words[r.MARK : r.MARK + _LAST_COLUMN]
    white = words[r.WHITE : r.WHITE + _LAST_COLUMN]
    shown = bytearray(b"/".join(map(_column, _LENGTHS, marked, white)))
    for letter, point in zip(_RING_LETTERS, words[r.RING_AT : r.RING_AT + 2 * r.RINGS_EACH], strict=True):
        if point >= 0:
            shown[_IN_TEXT[point]] = letter
    return shown.decode()


def contents(state: State) -> list[str]:
    """Return what stands on each point: ``.``, a ring ``W`` or ``B``, or a marker ``w`` or ``b``."""
    return list(board(state.tolist()).replace("/", ""))


def write(options: Options, state: State) -> str:
    """Return the columns a to k from low to high numbers, then whose decision of what kind it is.

    The last three fields: whose turn it is, the rings off (white-black), and the passes in a row.
    """
    # A list is read several times as fast as an array, here and wherever words are looked at one by one.
    words = state.tolist()
    phase = _PHASES[words[r.PHASE]] if words[r.PHASE] != r.FINISHED else r.REASONS[words[r.REASON]]
    turn, mover = _SEATS[words[r.TURN]], _SEATS[words[r.MOVER]]
    return f"{board(words)} {turn} {phase} {mover} {words[r.OFF]}-{words[r.OFF + 1]} {words[r.PASSES]}"


def _refuse(key: str, **values: str | int) -> RecordError:
    return RecordError(text("core.position-place", game="YINSH", why=text(f"yinsh.read-{key}", **values)))


def read(options: Options, line: str, state: State) -> State:
    """Return the position that :func:`write` wrote; refuses what cannot be a position of the game."""
    form = _FORM.fullmatch(line)
    if form is None:
        raise _refuse("form")
    _read_board(form["board"], state)
    state[r.TURN] = _SEATS.index(form["turn"])
    state[r.MOVER] = _SEATS.index(form["mover"])
    state[r.OFF], state[r.OFF + 1] = map(int, form["off"].split("-"))
    state[r.PASSES] = int(form["passes"])
    if form["phase"] in r.REASONS:
        _read_end(state, form["phase"])
    elif form["phase"] in _PHASES[:4]:
        state[r.PHASE] = _PHASES.index(form["phase"])
    else:
        raise _refuse("phase", phase=form["phase"][:20], phases=", ".join(_PHASES[:4] + r.REASONS))
    _check(state, options)
    return state


def _read_board(board: str, state: State) -> None:
    columns = board.split("/")
    if len(columns) != len(r.COLUMNS):
        raise _refuse("columns", n=len(columns))
    rings: tuple[list[int], list[int]] = ([], [])
    for letter, (column, points) in enumerate(zip(columns, r.LINE_POINTS, strict=False)):
        if len(column) != len(points):
            raise _refuse("column", column=chr(ord("a") + letter), n=len(points), found=len(column))
        for point, shown in zip(points, column, strict=True):
            if shown in _RINGS:
                rings[_RINGS.index(shown)].append(point)
            elif shown in _MARKERS:
                state[r.POOL] -= 1
                for way in range(r.WAYS):
                    bit = 1 << int(r.BIT[way, point])
                    state[r.MARK + r.LINE[way, point]] |= bit
                    if shown == "w":
                        state[r.WHITE + r.LINE[way, point]] |= bit
    for seat, points_held in enumerate(rings):
        if len(points_held) > r.RINGS_EACH:
            raise _refuse("rings", n=len(points_held))
        for slot, point in enumerate(points_held):
            state[r.RING_AT + r.RINGS_EACH * seat + slot] = point
            for way in range(r.WAYS):
                state[r.RING + r.LINE[way, point]] |= 1 << int(r.BIT[way, point])
    state[r.PLACED] = len(rings[0]) + len(rings[1])
    if state[r.POOL] < 0:
        raise _refuse("markers")


def _read_end(state: State, reason: str) -> None:
    state[r.PHASE] = r.FINISHED
    state[r.REASON] = r.REASONS.index(reason)
    difference = int(state[r.OFF]) - int(state[r.OFF + 1])
    state[r.WINNER] = int(state[r.TURN]) if reason == "rings" else -1 if difference == 0 else int(difference < 0)


_THROUGH = tuple(tuple(zip(r.LINE[:, p].tolist(), r.BIT[:, p].tolist(), strict=True)) for p in range(r.POINTS))
"""The lines through each point, and its bit on them."""


def can_move(words: list[int], seat: int) -> bool:
    """Whether a seat has a ring that can move (Y12), in a state as a list."""
    first = r.RING_AT + r.RINGS_EACH * seat
    for point in words[first : first + r.RINGS_EACH]:
        for line, bit in _THROUGH[point] if point >= 0 else ():
            if r.reach(words[r.RING + line], words[r.MARK + line], bit):
                return True
    return False


def _check(state: State, options: Options) -> None:
    """Refuse counts and phases that do not go together."""
    words = state.tolist()
    phase, turn, mover = int(state[r.PHASE]), int(state[r.TURN]), int(state[r.MOVER])
    off = (int(state[r.OFF]), int(state[r.OFF + 1]))
    held = [int((state[r.RING_AT + 5 * s : r.RING_AT + 5 * s + 5] >= 0).sum()) for s in (0, 1)]
    rows = (r.has_row(state, 0), r.has_row(state, 1))
    goal = 1 if options["blitz"] else 3
    ended = r.REASONS[state[r.REASON]] if phase == r.FINISHED else ""
    if phase == r.PLACING:
        placed = sum(held)
        fits = held == [(placed + 1) // 2, placed // 2] and placed < 2 * r.RINGS_EACH
        if not fits or off != (0, 0) or state[r.POOL] != r.MARKERS or turn != placed % 2 or state[r.PASSES]:
            raise _refuse("opening")
    else:
        if any(held[seat] + off[seat] != r.RINGS_EACH for seat in (0, 1)):
            raise _refuse("rings-off")
        state[r.PLACED] = 2 * r.RINGS_EACH
    won = [seat for seat in (0, 1) if off[seat] >= goal]
    if won != ([turn] if ended == "rings" else []) or max(off) > goal:
        raise _refuse("goal")
    if phase in (r.PLACING, r.MOVING) and turn != mover:
        raise _refuse("mover")
    if phase == r.TAKING_ROW and not (rows[turn] and (turn == mover or not rows[mover])):
        raise _refuse("no-row")
    if phase == r.TAKING_RING and turn != mover and rows[mover]:
        raise _refuse("no-row")
    if phase == r.TAKING_RING and state[r.POOL] < 5:
        raise _refuse("pool")
    if (phase == r.MOVING or ended in ("pool", "passes")) and any(rows):
        raise _refuse("open-row")
    if ((phase == r.MOVING or ended == "passes") and state[r.POOL] == 0) or (ended == "pool" and state[r.POOL] != 0):
        raise _refuse("pool")
    if ended == "passes" and (can_move(words, 0) or can_move(words, 1)):
        raise _refuse("passes")
    if state[r.PASSES] != (2 if ended == "passes" else 0) and not (
        phase == r.MOVING and state[r.PASSES] == 1 and not can_move(words, 1 - turn)
    ):
        raise _refuse("passes")


# --- words ----------------------------------------------------------------------------------------


def ask(options: Options, state: State) -> Text:
    """Say what is asked of the one to act."""
    phase = int(state[r.PHASE])
    if phase == r.PLACING:
        return text("yinsh.ask-place", n=5 - int(state[r.PLACED]) // 2)
    if phase == r.MOVING:
        return text("yinsh.ask-move" if can_move(state.tolist(), int(state[r.TURN])) else "yinsh.ask-pass")
    return text("yinsh.ask-row" if phase == r.TAKING_ROW else "yinsh.ask-ring")


_RING_MOVE = re.compile(r"([a-k]\d{1,2})-([a-k]\d{1,2})")
_ROW = re.compile(r"x([a-k]\d{1,2})-([a-k]\d{1,2})")
_TAKE = re.compile(r"x([a-k]\d{1,2})")
_POINT = re.compile(r"[a-k]\d{1,2}")
_KINDS = ((_POINT, r.PLACING), (_RING_MOVE, r.MOVING), (_ROW, r.TAKING_ROW), (_TAKE, r.TAKING_RING))


def why_not(options: Options, state: State, written: str) -> Text | None:
    """Say why a text is not a legal move, if it is the text of some move."""
    phase = int(state[r.PHASE])
    if written == "pass":
        return text("yinsh.why-pass")
    for form, kind in _KINDS:
        match = form.fullmatch(written)
        if match is None:
            continue
        names = match.groups() or (written,)
        for name in names:
            if name not in INDEX:
                return text("yinsh.why-no-point", point=name)
        if kind != phase:
            return ask(options, state)
        return _why_not_here(state, phase, tuple(INDEX[name] for name in names))
    return None


def _why_not_here(state: State, phase: int, points: tuple[int, ...]) -> Text:
    shown = contents(state)
    own_ring = _RINGS[int(state[r.TURN])]
    first = NAMES[points[0]]
    if phase == r.PLACING:
        return text("yinsh.why-taken", point=first)
    if phase == r.TAKING_ROW:
        return text("yinsh.why-no-row", first=first, last=NAMES[points[1]])
    if shown[points[0]] != own_ring:
        return text("yinsh.why-no-ring", point=first)
    return _why_not_along(shown, points[0], points[1])


def _why_not_along(shown: list[str], origin: int, target: int) -> Text:
    """Say why a ring cannot go from one point to another (Y4)."""
    last = NAMES[target]
    way = int(r.WAY[origin, target])
    if way < 0:
        return text("yinsh.why-no-line", first=NAMES[origin], last=last)
    if shown[target] != _EMPTY:
        return text("yinsh.why-taken", point=last)
    line = r.LINE_POINTS[r.LINE[way, origin]]
    step = 1 if line.index(target) > line.index(origin) else -1
    jumped = False
    for point in line[line.index(origin) + step : line.index(target) : step]:
        if shown[point] in _RINGS:
            return text("yinsh.why-over-ring", point=NAMES[point])
        if jumped and shown[point] == _EMPTY:
            return text("yinsh.why-stop", point=NAMES[point])
        jumped = jumped or shown[point] in _MARKERS
    return text("yinsh.why-no-line", first=NAMES[origin], last=last)
