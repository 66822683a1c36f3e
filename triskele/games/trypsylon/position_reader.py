"""The reader of TRYPSYLON's positions: from a text as bytes to a state, by functions that are compiled too.

It takes untrusted text and refuses every line that the notation cannot have written. A refusal is the number of a
reason, and above its low ``WHERE_SHIFT`` bits where in the text the word stands that was refused.
"""

from triskele.core.bits import ctz, popcount
from triskele.core.contract import OVER, State
from triskele.core.text_buffer import TextBuffer, name_at, names, word_end
from triskele.games.trypsylon.rules import (
    BARRED,
    BEHIND,
    BOARD,
    CELLS,
    CHOOSE,
    COLUMNS,
    DOUBLE,
    DOUBLE_SHIFT,
    DRAWN,
    ENDGAME,
    EXPERT,
    FIRST,
    FRAME,
    LAST,
    LIFTED,
    LOG,
    NE,
    NW,
    ONE,
    REPETITION,
    RESULT,
    ROWS,
    SEAT,
    SEAT_SHIFT,
    SIZE,
    STAGE,
    TOUCH_MOVE,
    TWO,
    USED,
    VACANT,
    face_down,
    face_up,
    joined,
    put_back,
)

CARDS = ("~~", "NE", "SE", "SW", "NW", "__")
"""How a cell is written: face down, by the plane of its card, vacant."""
HANDS = ("~~", "NE", "SE", "SW", "NW", "~~~~")
STATUSES = ("beach", "meadow", "beach-won", "meadow-won", "drawn")
FLAGS = ("pushed", "double")
CELL_NAMES = tuple(f"{'abcdef'[code % 6]}{code // 6 + 1}" for code in range(36))

REFUSALS = (
    "form", "rows", "row", "status", "word", "no-seen", "over", "hand", "double", "barred", "start", "path", "drawn",
    "no-path", "seen", "turns", "room",
)  # fmt: skip
"""The reasons for refusing a text, numbered from 1."""
WHERE_SHIFT = 8

(
    _FORM, _ROWS, _ROW, _STATUS, _WORD, _NO_SEEN, _OVER, _HAND, _DOUBLE, _BARRED, _START, _PATH, _DRAWN,
    _NO_PATH, _SEEN, _TURNS, _ROOM,
) = range(1, len(REFUSALS) + 1)  # fmt: skip

_CARD_NAMES = names(CARDS)
_HAND_NAMES = names(HANDS)
_STATUS_NAMES = names(STATUSES)
_FLAG_NAMES = names(FLAGS)
_CELL_NAMES = names(CELL_NAMES)
_KEYS = names(("hand", "barred", "seen"))
_HAND_KEY, _BARRED_KEY, _SEEN_KEY = range(3)
_SLASH, _EQUALS, _COMMA, _TIMES, _ZERO, _ONE_DIGIT, _NINE, _A, _F = (ord(sign) for sign in "/=,*019af")
_DIGITS = 32
"""Hexadecimal digits of an earlier position, at most."""
_HELD = (0, 1, 2, 1)
"""Cards in hand, by the stage."""


def room_for(entries: int) -> int:
    """Return how many words a state needs for :func:`read_position` with so many earlier positions."""
    return 3 * SIZE + 2 * LOG * (entries + 1)


def read_position(text: TextBuffer, length: int, state: State) -> int:
    """Read a position into a fresh state; return 0, or a refusal. The end of ``state`` is used as scratch."""
    end = word_end(text, 0, length)
    if end >= length:
        return _FORM
    refused = _read_rows(text, end, state)
    if refused != 0:
        return refused
    begin = end + 1
    end = word_end(text, begin, length)
    refused = _read_status(text, begin, end, state)
    if refused != 0:
        return refused
    # Step 1. The other words, in any order for now; ``last`` tells whether they are in theirs.
    last = 0
    ordered = True
    seen = 0
    seen_end = 0
    while end < length:
        begin = end + 1
        end = word_end(text, begin, length)
        rank = _read_word(text, begin, end, state)
        if rank == 0:
            return _WORD | begin << WHERE_SHIFT
        if rank == _SEEN_RANK:
            seen = begin + 5
            seen_end = end
        ordered = ordered and rank > last
        last = rank

    # Step 2. Whether the position can occur.
    refused = _refusal(state)
    if refused != 0:
        return refused

    # Step 3. The log.
    before = state[len(state) - SIZE :]
    _copy_before_turn(state, before)
    if looks_back(state) and face_up(before) != 0:
        refused = _read_log(text, seen, seen_end, state, before)
        if refused != 0:
            return refused
    elif seen > 0:
        return _NO_SEEN
    return 0 if ordered else _FORM


# --- words -------------------------------------------------------------------------------------------------

_HAND_RANK, _PUSHED_RANK, _BARRED_RANK, _DOUBLE_RANK, _SEEN_RANK = range(1, 6)
"""The order in which words are written; 0 is none."""


def _read_rows(text: TextBuffer, length: int, state: State) -> int:
    """Read the cells, from the northern row on."""
    rows = 1
    for i in range(length):
        if text[i] == _SLASH:
            rows += 1
    if rows != state[ROWS]:
        return _ROWS
    at = 0
    for row in range(rows - 1, -1, -1):
        begin = at
        while at < length and text[at] != _SLASH:
            at += 1
        if at - begin != 2 * state[COLUMNS]:
            return _ROW | begin << WHERE_SHIFT
        for column in range(state[COLUMNS]):
            plane = name_at(text, begin + 2 * column, begin + 2 * column + 2, _CARD_NAMES)
            if plane < 0:
                return _ROW | begin << WHERE_SHIFT
            if plane > 0:
                state[plane] |= CELLS[6 * row + column]
        at += 1
    return 0


def _read_status(text: TextBuffer, begin: int, end: int, state: State) -> int:
    """Read whose turn it is, or how the game ended."""
    status = name_at(text, begin, end, _STATUS_NAMES)
    if status < 0:
        return _STATUS | begin << WHERE_SHIFT
    if status == 4:
        state[SEAT] = OVER
        state[RESULT] = DRAWN
    else:
        seat = (status & 1) ^ state[FIRST]
        state[SEAT] = seat
        if status >= 2:
            state[SEAT] = OVER
            state[RESULT] = 1 << seat
    return 0


def _read_word(text: TextBuffer, begin: int, end: int, state: State) -> int:
    """Read one of the words after the first two; return its rank, 0 if it cannot stand here."""
    flag = name_at(text, begin, end, _FLAG_NAMES)
    if flag == 1:
        state[DOUBLE] = 1
        return _DOUBLE_RANK
    if flag == 0:
        if state[STAGE] != ONE or state[LIFTED] != 0:
            return 0
        state[STAGE] = LAST
        return _PUSHED_RANK
    equals = begin
    while equals < end and text[equals] != _EQUALS:
        equals += 1
    key = name_at(text, begin, equals, _KEYS)
    if equals == end or key < 0:
        return 0
    if key == _HAND_KEY:
        hand = name_at(text, equals + 1, end, _HAND_NAMES)
        if hand < 0:
            return 0
        state[STAGE] = TWO if hand == 5 else ONE
        state[LIFTED] = hand if 1 <= hand <= 4 else 0
        return _HAND_RANK
    if key == _BARRED_KEY:
        cell = name_at(text, equals + 1, end, _CELL_NAMES)
        if cell < 0:
            return 0
        state[BARRED] = CELLS[cell]
        return _BARRED_RANK
    return _SEEN_RANK if equals + 1 < end else 0


# --- whether it can occur ---------------------------------------------------------------------------------


def _refusal(state: State) -> int:
    """Return why a position without its log cannot occur, 0 if it can."""
    held = _HELD[state[STAGE]]
    if held > 0 and state[SEAT] == OVER:
        return _OVER
    if popcount(state[VACANT]) != held:
        return _HAND
    if state[STAGE] == LAST:
        return _second_push_refusal(state)
    before = state[len(state) - SIZE :]
    _copy_before_turn(state, before)
    return _turn_refusal(state, before)


def _copy_before_turn(state: State, before: State) -> None:
    """Make ``before`` the position before the cards in hand were lifted; nothing has been pushed yet."""
    for i in range(SIZE):
        before[i] = state[i]
    put_back(before)


def _has_edge_card(state: State, cells: int) -> bool:
    """Return whether one of these cells has a face-up card and lies at an edge, where cards come in."""
    left = cells & state[BOARD] & face_up(state)
    while left != 0:
        if BEHIND[57 * state[FRAME] + ctz(left)] != 0:
            return True
        left &= left - 1
    return False


def _second_push_refusal(state: State) -> int:
    """Return why there cannot be a position between the two pushes of a double move, 0 if there can."""
    # Before it were a face-up card of the opponent's or, outside Expert, two: the open move chose between two.
    up = 2 if state[EXPERT] != 0 else 3
    down = 0 if state[EXPERT] != 0 else ENDGAME - 1
    if popcount(face_up(state)) < up or popcount(face_down(state)) < down or state[DOUBLE] != 0:
        return _DOUBLE
    if state[BARRED] != 0 or not _has_edge_card(state, state[BOARD]):
        return _BARRED
    return 0


def _turn_refusal(state: State, before: State) -> int:
    """Return why there cannot be a position in which nothing has been pushed in this turn, 0 if there can."""
    up = popcount(face_up(before))
    if up < 2 and state[SEAT] != up:
        return _START  # nobody can take the only face-up card: the other player inserted it last
    if up == 0:
        if state[BARRED] != 0:
            return _BARRED
    elif not _has_edge_card(state, state[BARRED]):
        return _BARRED
    if not _double_fits(state, before) or (state[STAGE] == TWO and state[DOUBLE] == 0):
        return _DOUBLE
    paths = joined(before)
    if state[RESULT] == 0 or state[RESULT] == DRAWN:
        if paths != 0:
            return _PATH
        return _DRAWN if state[RESULT] == DRAWN and state[REPETITION] == 0 else 0
    winner = state[RESULT] - 1
    return 0 if paths >> (winner ^ state[FIRST]) & 1 == 1 else _NO_PATH


def _double_fits(state: State, before: State) -> bool:
    """Return whether ``DOUBLE`` can be what it is (T6, T9, T14)."""
    up = popcount(face_up(before))
    down = popcount(face_down(before))
    if state[SEAT] == OVER:
        return bool(state[DOUBLE] == 0)
    if state[EXPERT] != 0:
        return bool((state[DOUBLE] != 0) == (up > 0 and down > 0))
    return bool(state[DOUBLE] == 0 or (up > 1 and down > ENDGAME))


def looks_back(state: State) -> bool:
    """Return whether earlier positions can still come up again (T16)."""
    if state[REPETITION] == 0 or state[SEAT] == OVER or state[STAGE] == LAST:
        return False
    return bool(state[STAGE] == CHOOSE or state[LIFTED] != 0 or state[TOUCH_MOVE] == 0)


# --- the log ----------------------------------------------------------------------------------------------


def _read_log(text: TextBuffer, begin: int, end: int, state: State, before: State) -> int:
    """Read the earlier positions into the log, the seats by turns, with the position of this turn last.

    They come from the text in another order, and wait at the end of ``state`` in front of two scratch positions.
    """
    then = state[len(state) - 2 * SIZE : len(state) - SIZE]
    top = len(state) - 2 * SIZE
    number = 0
    others = 0
    ascending = True
    previous = 0
    previous_end = 0
    at = begin
    while at < end:
        word = at
        while at < end and text[at] != _COMMA:
            at += 1
        digits = _hexadecimal_end(text, word, at)
        times = _times(text, digits, at)
        if digits == word or times == 0 or not _read_entry(text, word, digits, before, then):
            return _SEEN | word << WHERE_SHIFT
        same_as_now = times + int(_is_entry_of(then, before))
        if same_as_now >= state[REPETITION]:
            return _TURNS
        # What is there once is written without a number, and what comes later is larger.
        ascending = (
            ascending
            and (times > 1 or digits == at)
            and (number == 0 or _is_less(text, previous, previous_end, word, digits))
        )
        previous = word
        previous_end = digits
        for _ in range(times):
            if SIZE + 2 * LOG * (number + 2) > top:
                return _ROOM
            number += 1
            _write_entry(then, state, top - LOG * number)
            others += int(then[SEAT] != before[SEAT])
        at += 1
        if at == end:  # a comma at the end
            return _SEEN | end << WHERE_SHIFT
    mine = number - others + 1
    if mine - others not in (0, 1) or state[REPETITION] <= 1:
        return _TURNS
    mine_at = 1 if mine == others else 0
    others_at = 1 - mine_at
    for i in range(1, number + 1):
        source = top - LOG * i
        is_mine = state[source + 4] >> SEAT_SHIFT & 1 == before[SEAT]
        place = mine_at if is_mine else others_at
        for word_index in range(LOG):
            state[SIZE + LOG * place + word_index] = state[source + word_index]
        if is_mine:
            mine_at += 2
        else:
            others_at += 2
    _write_entry(before, state, SIZE + LOG * number)
    state[USED] = SIZE + LOG * (number + 1)
    return 0 if ascending else _FORM


def _hexadecimal_end(text: TextBuffer, begin: int, end: int) -> int:
    """Return where a hexadecimal number that begins with no 0 ends; ``begin`` if there is none of a fitting length."""
    at = begin
    while at < end and _digit(text[at]) >= 0:
        at += 1
    return at if at > begin and at - begin <= _DIGITS and text[begin] != _ZERO else begin


def _digit(sign: int) -> int:
    """Return the value of a hexadecimal digit, -1 if it is none."""
    if _ZERO <= sign <= _NINE:
        return int(sign) - _ZERO
    return int(sign) - _A + 10 if _A <= sign <= _F else -1


def _times(text: TextBuffer, begin: int, end: int) -> int:
    """Return how often a position was there, by what stands behind its number; 0 if that is wrong."""
    if begin == end:
        return 1
    if end - begin == 2 and text[begin] == _TIMES and _ONE_DIGIT <= text[begin + 1] <= _NINE:
        return int(text[begin + 1]) - _ZERO
    return 0


def _is_less(text: TextBuffer, first: int, first_end: int, second: int, second_end: int) -> bool:
    """Return whether one hexadecimal number is less than another."""
    if first_end - first != second_end - second:
        return first_end - first < second_end - second
    for i in range(first_end - first):
        if text[first + i] != text[second + i]:
            return bool(text[first + i] < text[second + i])
    return False


def _limb(text: TextBuffer, begin: int, end: int) -> int:
    """Return the hexadecimal digits from ``begin`` to ``end``, at most eight, as a number."""
    value = 0
    for i in range(begin, end):
        value = value * 16 + _digit(text[i])
    return value


def _read_entry(text: TextBuffer, begin: int, end: int, before: State, then: State) -> bool:
    """Make ``then`` an earlier position from its number; return whether it can have been one."""
    for i in range(SIZE):
        then[i] = before[i]
    for plane in range(NE, NW + 1):
        then[plane] = 0
    low = max(begin, end - 2)
    rest = _limb(text, low, end)
    barred = rest >> 2
    if barred >= len(CELLS):
        return False
    then[DOUBLE] = rest & 1
    then[SEAT] = rest >> 1 & 1
    then[BARRED] = CELLS[barred]
    # Four parts of 32 bits, the highest first, are divided by 5 for each cell.
    a = _limb(text, max(begin, low - 32), max(begin, low - 24))
    b = _limb(text, max(begin, low - 24), max(begin, low - 16))
    c = _limb(text, max(begin, low - 16), max(begin, low - 8))
    d = _limb(text, max(begin, low - 8), low)
    for cell in range(len(CELLS)):
        if CELLS[cell] & before[BOARD] != 0:
            left = a % 5
            a //= 5
            b += left << 32
            left = b % 5
            b //= 5
            c += left << 32
            left = c % 5
            c //= 5
            d += left << 32
            card = d % 5
            d //= 5
            if card > 0:
                then[card] |= CELLS[cell]
    return bool(
        a + b + c + d == 0
        and popcount(face_up(then)) == popcount(face_up(before))
        and _has_edge_card(then, then[BARRED])
        and joined(then) == 0
        and _double_fits(then, then)
    )


def _rest_of_entry(state: State) -> int:
    """Return the last word of the log's entry for a position."""
    return int(state[BARRED] | state[SEAT] << SEAT_SHIFT | state[DOUBLE] << DOUBLE_SHIFT)


def _is_entry_of(then: State, before: State) -> bool:
    """Return whether two positions have the same entry."""
    for plane in range(NE, NW + 1):
        if then[plane] != before[plane]:
            return False
    return _rest_of_entry(then) == _rest_of_entry(before)


def _write_entry(position: State, state: State, at: int) -> None:
    """Write the log's entry for a position."""
    for i in range(4):
        state[at + i] = position[NE + i]
    state[at + 4] = _rest_of_entry(position)
