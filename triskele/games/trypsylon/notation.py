"""Texts of TRYPSYLON: moves, positions, and reasons.

A position is words with one space between them::

    ~~~~NE~~~~/~~~~~~~~~~/~~__~~~~~~/~~~~~~~~~~/~~~~~~~~~~ meadow hand=~~ barred=c5

- the rows from the north, two characters a cell: ``~~`` face down, ``__`` vacant, or a direction
- whose turn it is, by the shores he joins: ``beach`` or ``meadow``; or how the game ended: ``beach-won``,
  ``meadow-won``, ``drawn``
- ``hand=`` the cards in hand as they were on the board: ``~~``, ``~~~~`` for two, or a direction
- ``pushed`` when the other card of a double move is back on the board
- ``barred=`` the cell of the card inserted last
- ``double`` when a double move is allowed in this turn
- ``seen=`` the positions after earlier moves that can still come up again (T16), without the one of this
  turn: hexadecimal numbers in order, ``*2`` behind what was there twice. Left out when there are none, and
  when a face-down card is in hand for good, after which none can come up again.

Such a number is ``((cards * 64 + barred) * 2 + seat) * 2 + double``, where ``cards`` has a digit for every
cell in base five (0 face down, 1 to 4 NE, SE, SW, NW), the lowest for a1, then b1 and so on, and ``barred`` is
the cell as a lift's code.
"""

import functools
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from triskele.core.contract import OVER, State
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.trypsylon.rules import (
    BACK,
    BARRED,
    BEACHES,
    BEHIND,
    BOARD,
    CELLS,
    CHOOSE,
    CODES,
    COLUMNS,
    DOUBLE,
    DOUBLE_SHIFT,
    DRAWN,
    EDGES,
    ENDGAME,
    EXPERT,
    FIRST,
    FRAME,
    LAST,
    LIFTED,
    LINES,
    LOG,
    NE,
    NW,
    ONE,
    PUSHES,
    REPETITION,
    RESULT,
    ROWS,
    SEAT,
    SEAT_SHIFT,
    SEGMENT,
    SIZE,
    SPAN,
    STAGE,
    TOUCH_MOVE,
    TWO,
    USED,
    VACANT,
    entrances,
    face_down,
    face_up,
    joined,
    liftable,
    put_back,
    returnable,
)

Words = State | list[int]
"""A state, or one as a list: where many words are looked at one by one, a list is several times as fast."""

SIDES = "SWNE"
DIRECTIONS = ("NE", "SE", "SW", "NW")
SHORES = ("beach", "meadow")
DOWN = "~~"
VACANCY = "__"
PUT_BACK = "back"

_COLUMN_NAMES = "abcdef"
_CELL_COUNT = 36
_MOVE_LIMIT = 20
"""Longer texts are not looked at for a move in them."""
_CELL = re.compile(r"[a-z][0-9]+")
_ENTRANCE = re.compile(r"[NESW][a-z0-9]+")
_SEEN = re.compile(r"([1-9a-f][0-9a-f]{0,31})(\*[1-9])?")


# --- moves ----------------------------------------------------------------------------------------


def cell_text(code: int) -> str:
    """Return the name of a lift's cell, such as ``b3``."""
    return f"{_COLUMN_NAMES[code % 6]}{code // 6 + 1}"


def entrance_text(entrance: int) -> str:
    """Return the name of an entrance, such as ``Nc`` or ``W3``."""
    side, line = divmod(entrance, 6)
    return SIDES[side] + (_COLUMN_NAMES[line] if side % 2 == 0 else str(line + 1))


def move_text(options: Options, code: int) -> str:
    """Return ``b3`` for a lift, ``Nc/SW`` for a push, ``back``."""
    return "/".join(move_tokens(options, code)[0])


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    """Return the cell; or side and line, then direction; or ``back``."""
    if code < PUSHES:
        return ((cell_text(code),),)
    if code == BACK:
        return ((PUT_BACK,),)
    entrance, direction = divmod(code - PUSHES, 4)
    return ((entrance_text(entrance), DIRECTIONS[direction]),)


_CELL_CODES = {cell_text(code): code for code in range(_CELL_COUNT)}
_ENTRANCES = {entrance_text(entrance): entrance for entrance in range(24)}
_TEXTS = {move_text({}, code).lower(): move_text({}, code) for code in range(BACK + 1)}


# --- positions: writing ---------------------------------------------------------------------------


def lying(words: list[int]) -> str:
    """Return for every cell of the frame, a1 first, a digit: the plane of its card, 0 face down, 5 vacant."""
    return _digits(words[NE : VACANT + 1], words[COLUMNS], words[ROWS])


def _digits(planes: Sequence[int], columns: int, rows: int) -> str:
    """Return for every cell of a frame, a1 first, the number of the plane that has it, from 1, or 0."""
    # Every bit becomes a digit to base 16, and the planes add up to a number whose digits are the cells.
    number = sum([plane * int(f"{cells:b}", 16) for plane, cells in enumerate(planes, NE)])
    squares = f"{number:057x}"[::-1]
    return "".join([squares[first : first + columns] for first in _ROW_SQUARES[:rows]])


_ROW_SQUARES = tuple(int(CELLS[6 * row]).bit_length() - 1 for row in range(6))
"""The bit of each row's first cell."""


def _squares(state: State) -> tuple[int, ...]:
    """Return the cells of the frame, a1 first, each as a set of one."""
    return _squares_of(int(state[BOARD]))


@functools.cache
def _squares_of(board: int) -> tuple[int, ...]:
    return tuple(int(cell) for cell in CELLS if board & int(cell))


def _cell_of(mask: int) -> int:
    """Return the lift of a set of one cell."""
    return int(CODES[mask.bit_length() - 1])


def _turn_begins(state: State) -> State:
    """Return the position before the cards in hand were lifted; nothing has been pushed yet."""
    before = state[:SIZE].copy()
    put_back(before)
    return before


def _looks_back(state: Words) -> bool:
    """Whether earlier positions can still come up again (T16)."""
    if not state[REPETITION] or state[SEAT] == OVER or state[STAGE] == LAST:
        return False
    return bool(state[STAGE] == CHOOSE or state[LIFTED] or not state[TOUCH_MOVE])


def _entry(state: State) -> tuple[int, ...]:
    """Return the log's entry for a position."""
    rest = int(state[BARRED]) | int(state[SEAT]) << SEAT_SHIFT | int(state[DOUBLE]) << DOUBLE_SHIFT
    return (*(int(state[plane]) for plane in range(NE, NW + 1)), rest)


@functools.lru_cache(maxsize=20_000)
def _number_of(entry: tuple[int, ...], columns: int, rows: int) -> int:
    """Return a log's entry as one number."""
    number = int(_digits(entry[:4], columns, rows)[::-1], 5)
    rest = entry[4]
    seat, double = rest >> SEAT_SHIFT & 1, rest >> DOUBLE_SHIFT & 1
    barred = _cell_of(rest & SPAN)
    return ((number * 64 + barred) * 2 + seat) * 2 + double


def _seen(state: State) -> str:
    columns, rows = int(state[COLUMNS]), int(state[ROWS])
    log = state[state[SEGMENT] : state[USED]].tolist()
    entries = [tuple(log[i : i + LOG]) for i in range(0, len(log) - LOG, LOG)]
    numbers = Counter([_number_of(entry, columns, rows) for entry in entries])
    return ",".join(
        [f"{number:x}*{times}" if times > 1 else f"{number:x}" for number, times in sorted(numbers.items())]
    )


_CARD_NAMES = str.maketrans(dict(enumerate((DOWN, *DIRECTIONS, VACANCY), ord("0"))))
"""How a digit of :func:`lying` is written."""


def _rows_text(words: list[int]) -> str:
    cells, columns = lying(words), words[COLUMNS]
    rows = [cells[i : i + columns] for i in range(len(cells) - columns, -1, -columns)]
    return "/".join(rows).translate(_CARD_NAMES)


def _status(words: list[int]) -> str:
    if words[SEAT] != OVER:
        return shore_of(words, words[SEAT])
    return "drawn" if words[RESULT] == DRAWN else f"{shore_of(words, words[RESULT] - 1)}-won"


def shore_of(state: Words, seat: int) -> str:
    """Return which shores a seat joins: ``beach`` or ``meadow``."""
    return SHORES[seat ^ int(state[FIRST])]


def _shores(shore: str) -> Text:
    return text(f"trypsylon.shore.{shore}")


def write(options: Options, state: State) -> str:
    """Return the position as one line."""
    now = state[:SIZE].tolist()
    words = [_rows_text(now), _status(now)]
    if now[STAGE] != CHOOSE:
        card = DIRECTIONS[now[LIFTED] - NE] if now[LIFTED] else DOWN
        words.append("hand=" + (card + card if now[STAGE] == TWO else card))
    if now[STAGE] == LAST:
        words.append("pushed")
    if now[BARRED]:
        words.append("barred=" + cell_text(_cell_of(now[BARRED])))
    if now[DOUBLE]:
        words.append("double")
    if _looks_back(now) and (seen := _seen(state)):
        words.append("seen=" + seen)
    return " ".join(words)


# --- positions: reading ---------------------------------------------------------------------------


def read(options: Options, line: str, state: State) -> State:
    """Return the state that ``write`` wrote as ``line``; histories may be left out or cut short."""
    words = line.split(" ")
    if len(words) < 2:
        raise RecordError(text("trypsylon.read-form"))
    _read_rows(words[0], state)
    _read_status(words[1], state)
    seen = _read_rest(words[2:], state)
    _check_hand(state)
    if state[STAGE] == LAST:
        _check_second_push(state)
    else:
        _check_turn(state)
    state = _with_log(state, seen)
    if write(options, state) != line:
        raise RecordError(text("trypsylon.read-form"))
    return state


def _read_rows(word: str, state: State) -> None:
    columns, rows = int(state[COLUMNS]), int(state[ROWS])
    written = word.split("/")
    if len(written) != rows:
        raise RecordError(text("trypsylon.read-rows", found=len(written), rows=rows))
    for row, cells in zip(range(rows - 1, -1, -1), written, strict=True):
        cards = [cells[i : i + 2] for i in range(0, len(cells), 2)]
        if len(cards) != columns or not all(card in (DOWN, VACANCY, *DIRECTIONS) for card in cards):
            raise RecordError(text("trypsylon.read-row", row=row + 1, columns=columns, cells=cells[:20]))
        for column, card in enumerate(cards):
            if card != DOWN:
                plane = VACANT if card == VACANCY else NE + DIRECTIONS.index(card)
                state[plane] |= CELLS[6 * row + column]


def _read_status(word: str, state: State) -> None:
    shore = word.removesuffix("-won")
    if word == "drawn":
        state[SEAT], state[RESULT] = OVER, DRAWN
    elif shore not in SHORES:
        raise RecordError(text("trypsylon.read-status", word=word[:20]))
    else:
        seat = SHORES.index(shore) ^ int(state[FIRST])
        state[SEAT] = seat
        if word != shore:
            state[SEAT], state[RESULT] = OVER, 1 << seat


def _read_rest(words: list[str], state: State) -> str:
    """Read the words after the first two into the state; return what was seen."""
    seen = ""
    for word in words:
        name, _, value = word.partition("=")
        if name == "hand" and value in (DOWN, DOWN + DOWN, *DIRECTIONS):
            state[STAGE] = TWO if value == DOWN + DOWN else ONE
            state[LIFTED] = NE + DIRECTIONS.index(value) if value in DIRECTIONS else 0
        elif word == "pushed" and state[STAGE] == ONE and not state[LIFTED]:
            state[STAGE] = LAST
        elif name == "barred" and value in _CELL_CODES:
            state[BARRED] = CELLS[_CELL_CODES[value]]
        elif word == "double":
            state[DOUBLE] = 1
        elif name == "seen" and value:
            seen = value
        else:
            raise RecordError(text("trypsylon.read-word", word=word[:30]))
    return seen


def _check_hand(state: State) -> None:
    vacancies = int(state[VACANT]).bit_count()
    held = (0, 1, 2, 1)[state[STAGE]]
    if held and state[SEAT] == OVER:
        raise RecordError(text("trypsylon.read-over"))
    if vacancies != held:
        raise RecordError(text("trypsylon.read-hand", held=held, vacancies=vacancies))


def _has_edge_card(state: State, cells: int) -> bool:
    """Whether one of these cells has a face-up card and lies at an edge, where cards come in."""
    base = 57 * int(state[FRAME])
    return any(cells & face_up(state) & cell and BEHIND[base + cell.bit_length() - 1] for cell in _squares(state))


def _check_second_push(state: State) -> None:
    """Check a position between the two pushes of a double move."""
    # Before it were a face-up card of the opponent's or, outside Expert, two: his open move chose between two.
    up, down = (2, 0) if state[EXPERT] else (3, ENDGAME - 1)
    if face_up(state).bit_count() < up or face_down(state).bit_count() < down or state[DOUBLE]:
        raise RecordError(text("trypsylon.read-double"))
    if state[BARRED] or not _has_edge_card(state, int(state[BOARD])):
        raise RecordError(text("trypsylon.read-barred"))


def _check_turn(state: State) -> None:
    """Check a position in which nothing has been pushed in this turn."""
    before = _turn_begins(state)
    up = face_up(before).bit_count()
    if up < 2 and state[SEAT] != up:
        # Nobody can take the only face-up card: the other player inserted it last.
        raise RecordError(text("trypsylon.read-start", shore=_shores(shore_of(state, up))))
    if up == 0:
        if state[BARRED]:
            raise RecordError(text("trypsylon.read-barred"))
    elif not _has_edge_card(state, int(state[BARRED])):
        raise RecordError(text("trypsylon.read-barred"))
    if not _double_fits(state, before) or (state[STAGE] == TWO and not state[DOUBLE]):
        raise RecordError(text("trypsylon.read-double"))
    _check_paths(state, joined(before))


def _double_fits(state: State, before: State) -> bool:
    """Whether ``DOUBLE`` can be what it is (T6, T9, T14)."""
    up, down = face_up(before).bit_count(), face_down(before).bit_count()
    if state[SEAT] == OVER:
        return not state[DOUBLE]
    if state[EXPERT]:
        return bool(state[DOUBLE]) == (up > 0 and down > 0)
    return not state[DOUBLE] or (up > 1 and down > ENDGAME)


def _check_paths(state: State, paths: int) -> None:
    if state[RESULT] in (0, DRAWN):
        if paths:
            raise RecordError(text("trypsylon.read-path", shore=_shores(SHORES[0 if paths & BEACHES else 1])))
        if state[RESULT] == DRAWN and not state[REPETITION]:
            raise RecordError(text("trypsylon.read-drawn"))
    else:
        winner = int(state[RESULT]) - 1
        if not paths >> (winner ^ int(state[FIRST])) & 1:
            raise RecordError(text("trypsylon.read-no-path", shore=_shores(shore_of(state, winner))))


def _with_log(state: State, seen: str) -> State:
    """Return the state with its log, ending in the position of this turn."""
    entries: list[tuple[int, ...]] = []
    if _looks_back(state) and face_up(before := _turn_begins(state)):
        entries = _by_turns([_read_entry(before, word) for word in seen.split(",") if seen], before)
    elif seen:
        raise RecordError(text("trypsylon.read-word", word="seen="))
    whole = np.zeros(SIZE + LOG * (len(entries) + 16), dtype=np.int64)
    whole[:SIZE] = state[:SIZE]
    for entry in entries:
        used = int(whole[USED])
        whole[used : used + LOG] = entry
        whole[USED] = used + LOG
    return whole


def _read_entry(before: State, word: str) -> tuple[tuple[int, ...], int]:
    """Return an entry of the log, and how often it was there, from a word of ``seen=``."""
    refused = RecordError(text("trypsylon.read-seen", word=word[:40]))
    match = _SEEN.fullmatch(word)
    if match is None:
        raise refused
    number, double = divmod(int(match[1], 16), 2)
    number, seat = divmod(number, 2)
    number, barred = divmod(number, 64)
    if barred >= _CELL_COUNT:
        raise refused
    then = before.copy()
    then[NE : NW + 1] = 0
    for cell in _squares(before):
        number, card = divmod(number, 5)
        if card:
            then[card] |= cell
    then[SEAT], then[BARRED], then[DOUBLE] = seat, CELLS[barred], double
    same_cards = face_up(then).bit_count() == face_up(before).bit_count()
    if number or not same_cards or not _has_edge_card(then, int(then[BARRED])) or joined(then):
        raise refused
    if not _double_fits(then, then):
        raise refused
    return _entry(then), int((match[2] or "*1")[1:])


def _by_turns(seen: list[tuple[tuple[int, ...], int]], before: State) -> list[tuple[int, ...]]:
    """Return the entries as a segment of the log: the seats by turns, the position of this turn last."""
    now = _entry(before)
    entries = [entry for entry, times in seen for _ in range(times)] + [now]
    mine = [entry for entry in entries if entry[4] >> SEAT_SHIFT & 1 == before[SEAT]]
    others = [entry for entry in entries if entry[4] >> SEAT_SHIFT & 1 != before[SEAT]]
    often = max(Counter(entries).values())
    if len(mine) - len(others) not in (0, 1) or often >= before[REPETITION]:
        raise RecordError(text("trypsylon.read-seen", word=f"({len(seen)})"))
    segment: list[tuple[int, ...]] = []
    while mine:
        segment.append(mine.pop())
        if others:
            segment.append(others.pop())
    return segment[::-1]


# --- words for players ----------------------------------------------------------------------------


def ask(options: Options, state: State) -> Text:
    """Return what is asked of the one to act."""
    asked = _ask_take(state) if state[STAGE] == CHOOSE else _ask_in_hand(state)
    return text("trypsylon.ask-or-back", ask=asked) if returnable(state) else asked


def _ask_take(state: State) -> Text:
    if not state[BARRED]:
        return text("trypsylon.ask-first")
    barred = cell_text(_cell_of(int(state[BARRED])))
    if not state[DOUBLE]:
        return text("trypsylon.ask-take", barred=barred)
    if not state[EXPERT]:
        return text("trypsylon.ask-take-or-double", barred=barred)
    if face_down(state).bit_count() == 1:
        return text("trypsylon.ask-expert-one", barred=barred)
    if face_up(state).bit_count() == 1:
        return text("trypsylon.ask-expert-two")
    return text("trypsylon.ask-expert", barred=barred)


def _ask_in_hand(state: State) -> Text:
    if state[STAGE] == TWO:
        return text("trypsylon.ask-push-first")
    if state[STAGE] == LAST:
        return text("trypsylon.ask-push-second")
    if not liftable(state):
        return text("trypsylon.ask-push")
    return text("trypsylon.ask-push-or-second") if entrances(state) else text("trypsylon.ask-second")


def note(options: Options, state: State, code: int) -> Text | None:
    """Say what an open move allows the opponent (T5)."""
    if code >= PUSHES or state[EXPERT] or not face_up(state) & int(CELLS[code]):
        return None
    return text("trypsylon.note-open") if face_down(state).bit_count() > ENDGAME else None


def why_not(options: Options, state: State, written: str) -> Text | None:
    """Return why a text is not a legal move, as far as it looks like one."""
    right = _TEXTS.get(written.strip().lower()) if len(written) < _MOVE_LIMIT else None
    if right is not None and right != written:
        return text("trypsylon.why-spelling", right=right)
    if written == PUT_BACK:
        return _why_not_back(state)
    if _CELL.fullmatch(written):
        return _why_not_lift(state, written)
    entrance, slash, direction = written.partition("/")
    if not _ENTRANCE.fullmatch(entrance):
        return None
    why = _why_not_push(state, entrance)
    if why is None and (not slash or direction not in DIRECTIONS):
        return text("trypsylon.why-direction", push=entrance)
    return why


def why_no_token(options: Options, state: State, tokens: tuple[str, ...]) -> Text | None:
    """Return why the last of the tokens cannot be."""
    if len(tokens) > 1:
        return text("trypsylon.why-direction", push=tokens[0])
    return why_not(options, state, tokens[0])


def _why_not_back(state: State) -> Text:
    if state[STAGE] == LAST:
        return text("trypsylon.why-push-stands")
    if state[TOUCH_MOVE] and state[STAGE] != CHOOSE:
        return text("trypsylon.why-touch-move")
    return text("trypsylon.why-nothing-back")


def _why_not_lift(state: State, cell: str) -> Text | None:
    code = _CELL_CODES.get(cell)
    if code is None or not int(CELLS[code]) & int(state[BOARD]):
        return text("trypsylon.why-no-cell", cell=cell[:10])
    mask = int(CELLS[code])
    if mask & int(state[BARRED]) and state[STAGE] == CHOOSE:
        return text("trypsylon.why-barred", cell=cell)
    if state[STAGE] in (TWO, LAST):
        return text("trypsylon.why-hands-full")
    if mask & int(state[VACANT]):
        return text("trypsylon.why-vacant", cell=cell)
    if state[LIFTED]:
        return text("trypsylon.why-open-alone")
    if not state[DOUBLE]:
        return _why_no_double(state)
    return text("trypsylon.why-second-up", cell=cell)


def _why_no_double(state: State) -> Text:
    """Return why a second card may not be taken; a face-down one is in hand."""
    if not face_up(state):
        return text("trypsylon.why-first-simple")
    if face_down(state).bit_count() + 1 <= ENDGAME:
        return text("trypsylon.why-endgame")
    return text("trypsylon.why-no-double")


def _why_not_push(state: State, word: str) -> Text | None:
    """Return why nothing can be pushed in there now, ``None`` if something can."""
    entrance = _ENTRANCES.get(word, -1)
    edge = int(EDGES[24 * int(state[FRAME]) + entrance]) if entrance >= 0 else 0
    if not edge:
        return text("trypsylon.why-no-line", push=word[:10])
    if state[STAGE] == CHOOSE:
        return text("trypsylon.why-nothing-in-hand")
    ways = entrances(state)
    if not ways:
        return text("trypsylon.why-second-first")
    if ways >> entrance & 1:
        return None
    if not int(LINES[entrance]) & int(state[VACANT]):
        return text("trypsylon.why-no-gap", push=word)
    return text("trypsylon.why-edge-vacant", cell=cell_text(_cell_of(edge)))
