"""Texts of TRYPSYLON: moves, positions, and reasons.

A position is words with one space between them::

    ~~~~NE~~~~/~~~~~~~~~~/~~__~~~~~~/~~~~~~~~~~/~~~~~~~~~~ meadow hand=~~ barred=c5

- the rows from the north, two characters a cell: ``~~`` face down, ``__`` vacant, or a direction
- whose turn it is, by the shores to join: ``beach`` or ``meadow``; or how the game ended: ``beach-won``,
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
from triskele.core.contract.texts import MOVE_TEXT
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.text_buffer import buffer_of, written
from triskele.core.words import Text, text
from triskele.games.trypsylon.position_reader import REFUSALS, WHERE_SHIFT, looks_back, read_position, room_for
from triskele.games.trypsylon.rules import (
    BACK,
    BARRED,
    BEACHES,
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
from triskele.games.trypsylon.texts import DIRECTIONS, PUT_BACK, write_cell, write_entrance, write_move

Words = State | list[int]
"""A state, or one as a list: where many words are looked at one by one, a list is several times as fast."""

SHORES = ("beach", "meadow")
DOWN = "~~"
VACANCY = "__"

_COLUMN_NAMES = "abcdef"
_NO_STATE = np.zeros(0, dtype=np.int64)
_CELL_COUNT = 36
_MOVE_LIMIT = 20
"""Longer texts are not looked at for a move in them."""
_CELL = re.compile(r"[a-z][0-9]+")
_ENTRANCE = re.compile(r"[NESW][a-z0-9]+")
_SEEN = re.compile(r"([1-9a-f][0-9a-f]{0,31})(\*[1-9])?")


# --- moves ----------------------------------------------------------------------------------------


def cell_text(code: int) -> str:
    """Return the name of a lift's cell, such as ``b3``."""
    return written(lambda into: write_cell(into, 0, code), MOVE_TEXT)


def entrance_text(entrance: int) -> str:
    """Return the name of an entrance, such as ``Nc`` or ``W3``."""
    return written(lambda into: write_entrance(into, 0, entrance), MOVE_TEXT)


def move_text(options: Options, code: int) -> str:
    """Return ``b3`` for a lift, ``Nc/SW`` for a push, ``back``."""
    return written(lambda into: write_move(_NO_STATE, code, into), MOVE_TEXT)


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
    if looks_back(state) and (seen := _seen(state)):
        words.append("seen=" + seen)
    return " ".join(words)


# --- positions: reading ---------------------------------------------------------------------------


def read(options: Options, line: str, state: State) -> State:
    """Return the state that ``write`` wrote as ``line``; histories may be left out or cut short."""
    whole = np.zeros(room_for(int(state[REPETITION]) * (line.count(",") + 1)), dtype=np.int64)
    whole[:SIZE] = state[:SIZE]
    refused = read_position(buffer_of(line), len(line), whole)
    if refused != 0:
        key = REFUSALS[(refused & (1 << WHERE_SHIFT) - 1) - 1]
        raise RecordError(_refusal(key, line, refused >> WHERE_SHIFT, whole))
    return whole[: whole[USED] + 16 * LOG]


def _refusal(key: str, line: str, where: int, state: State) -> Text:
    """Return why a line was refused; ``state`` is what was read of it so far."""
    word = line[where:].partition(" ")[0]
    if key == "rows":
        return text("trypsylon.read-rows", found=word.count("/") + 1, rows=int(state[ROWS]))
    if key == "row":
        cells = word.partition("/")[0]
        row = int(state[ROWS]) - line[:where].count("/")
        return text("trypsylon.read-row", row=row, columns=int(state[COLUMNS]), cells=cells[:20])
    if key == "status":
        return text("trypsylon.read-status", word=word[:20])
    if key == "word":
        return text("trypsylon.read-word", word=word[:30])
    if key == "no-seen":
        return text("trypsylon.read-word", word="seen=")
    if key == "hand":
        held = (0, 1, 2, 1)[state[STAGE]]
        return text("trypsylon.read-hand", held=held, vacancies=int(state[VACANT]).bit_count())
    if key == "start":
        return text("trypsylon.read-start", shore=_shores(shore_of(state, face_up(_turn_begins(state)).bit_count())))
    if key == "path":
        paths = joined(_turn_begins(state))
        return text("trypsylon.read-path", shore=_shores(SHORES[0 if paths & BEACHES else 1]))
    if key == "no-path":
        return text("trypsylon.read-no-path", shore=_shores(shore_of(state, int(state[RESULT]) - 1)))
    if key == "seen":
        return text("trypsylon.read-seen", word=word.partition(",")[0][:40])
    if key in ("turns", "room"):
        seen = line.partition(" seen=")[2].split(" ")[0]
        return text("trypsylon.read-seen", word=f"({seen.count(',') + 1 if seen else 0})")
    return text(f"trypsylon.read-{key}")


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
