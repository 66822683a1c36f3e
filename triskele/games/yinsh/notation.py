"""Texts of YINSH: moves, tokens and positions."""

import functools
import re

import numpy as np

from triskele.core.contract import State
from triskele.core.contract.texts import MOVE_TEXT
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.text_buffer import buffer_of, written
from triskele.core.words import Text, text
from triskele.games.yinsh import rules as r
from triskele.games.yinsh.position_reader import PHASES, REFUSALS, read_position
from triskele.games.yinsh.texts import NAMES, write_move

INDEX = {name: point for point, name in enumerate(NAMES)}

_SEATS = "wb"
_EMPTY, _RINGS, _MARKERS = ".", "WB", "wb"
_NO_STATE = np.zeros(0, dtype=np.int64)


def move_text(options: Options, code: int) -> str:
    """Return the text of a move."""
    return written(lambda into: write_move(_NO_STATE, code, into), MOVE_TEXT)


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
    phase = PHASES[words[r.PHASE]] if words[r.PHASE] != r.FINISHED else r.REASONS[words[r.REASON]]
    turn, mover = _SEATS[words[r.TURN]], _SEATS[words[r.MOVER]]
    return f"{board(words)} {turn} {phase} {mover} {words[r.OFF]}-{words[r.OFF + 1]} {words[r.PASSES]}"


def _refuse(key: str, **values: str | int) -> RecordError:
    return RecordError(text("core.position-place", game="YINSH", why=text(f"yinsh.read-{key}", **values)))


def read(options: Options, line: str, state: State) -> State:
    """Return the position that :func:`write` wrote; refuses what cannot be a position of the game."""
    refused = read_position(buffer_of(line), len(line), state)
    if refused != 0:
        key = REFUSALS[refused - 1]
        raise _refuse(key, **_details(key, line.split(" ")))
    return state


def _details(key: str, fields: list[str]) -> dict[str, str | int]:
    """Return what the sentence about a refused text names."""
    columns = fields[0].split("/")
    if key == "columns":
        return {"n": len(columns)}
    if key == "column":
        pairs = zip(columns, _LENGTHS, strict=True)
        letter = next(letter for letter, (column, length) in enumerate(pairs) if len(column) != length)
        return {"column": chr(ord("a") + letter), "n": _LENGTHS[letter], "found": len(columns[letter])}
    if key == "rings":
        return {"n": max(fields[0].count(ring) for ring in _RINGS)}
    if key == "phase":
        return {"phase": fields[2][:20], "phases": ", ".join(PHASES + r.REASONS)}
    return {}


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


# --- words ----------------------------------------------------------------------------------------


def ask(options: Options, state: State) -> Text:
    """Say what is asked of the one to act."""
    phase = int(state[r.PHASE])
    if phase == r.PLACING:
        number = int(state[r.PLACED]) // 2 + 1
        return text("yinsh.ask-place", n=r.RINGS_EACH + 1 - number, number=number)
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


def why_no_token(options: Options, state: State, tokens: tuple[str, ...]) -> Text | None:
    """Say why the last of these points cannot be touched next."""
    if tokens[-1] not in INDEX:
        return None
    *before, point = (INDEX[token] for token in tokens)
    phase, shown = int(state[r.PHASE]), contents(state)
    if phase == r.PLACING:
        return text("yinsh.why-taken", point=NAMES[point])
    if phase == r.TAKING_ROW:
        return text("yinsh.why-not-in-row" if not before else "yinsh.why-other-end", point=NAMES[point])
    if phase == r.MOVING and before:
        return _why_not_along(shown, before[-1], point)
    own = shown[point] == _RINGS[int(state[r.TURN])]
    return text("yinsh.why-shut-in" if own else "yinsh.why-no-ring", point=NAMES[point])


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


def ending(options: Options, state: State) -> Text | None:
    """Return that one ring was enough, where it was: in blitz (Y10)."""
    won = r.REASONS[r.reason(state)] == "rings"
    return text("yinsh.reason.rings-blitz") if won and options["blitz"] else None
