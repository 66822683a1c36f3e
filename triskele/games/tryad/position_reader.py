"""The reader of Tryad's positions: from a text as bytes to a state, by functions that are compiled too.

It takes untrusted text and refuses every line that the notation cannot have written. A refusal is the number of a
reason, and above its low ``SEAT_SHIFT`` bits the seat whose card was refused.
"""

from triskele.core.bits import ctz, popcount
from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, name_at, names, word_end
from triskele.games.tryad.card import ROWS
from triskele.games.tryad.rules import (
    BINGO,
    CARDS,
    ENDED,
    FACES,
    FIELDS,
    FOURS,
    IN,
    MODE,
    NUMBERS,
    PHASE,
    PLAYERS,
    PRACTICE,
    ROLL,
    ROLLING,
    SEAT,
    TAKING,
    TIED,
    WINNERS,
    cleared,
    count_takes,
    fewest,
)

ASKED = ("roll", "take", "off", "end")
"""How the phases are written, in the order of the rules."""
REFUSALS = ("line", "card", "out", "asked")
"""The reasons for refusing a text, numbered from 1."""
SEAT_SHIFT = 8

_LINE, _CARD, _OUT, _ASKED = range(1, len(REFUSALS) + 1)
_ASKED_NAMES = names(ASKED)
_ROW_COUNT = len(ROWS)
_CARD_LENGTH = FIELDS + _ROW_COUNT - 1
_SLASH, _AND, _NOBODY, _EMPTY, _ZERO, _NINE, _IS_OUT = (ord(sign) for sign in "/+-.09x")


def read_position(text: TextBuffer, length: int, state: State) -> int:
    """Read a position into a fresh state; return 0, or a refusal."""
    players = int(state[PLAYERS])
    words = 1
    end = word_end(text, 0, length)
    while end < length:
        words += 1
        end = word_end(text, end + 1, length)
    if words <= players:
        return _LINE
    begin = 0
    for seat in range(players):
        end = word_end(text, begin, length)
        refused = _read_card(text, begin, end, seat, state)
        if refused != 0:
            return refused | seat << SEAT_SHIFT
        begin = end + 1
    return 0 if _read_asked(text, begin, length, state) else _ASKED


# --- cards ------------------------------------------------------------------------------------------------


def _read_card(text: TextBuffer, begin: int, end: int, seat: int, state: State) -> int:
    """Read a card: a digit for every field that is covered, a dot for the others, an ``x`` of a player who is out."""
    out = end > begin and text[end - 1] == _IS_OUT
    if end - int(out) - begin != _CARD_LENGTH:
        return _CARD
    covered = 0
    field = 0
    at = begin
    for row in range(_ROW_COUNT):
        for _ in range(2 * row + 1):
            sign = int(text[at])
            if sign != _EMPTY:
                number = sign - _ZERO
                if number < 1 or number > FACES or state[NUMBERS + number - 1] >> field & 1 == 0:
                    return _CARD
                covered |= 1 << field
            field += 1
            at += 1
        if row < _ROW_COUNT - 1:
            if text[at] != _SLASH:
                return _CARD
            at += 1
    state[CARDS + seat] = covered
    if out and (covered == 0 or not _can_miss(state, covered)):
        return _OUT
    if out or covered == 0:
        state[IN] &= ~(1 << seat)
    return 0


def _can_miss(state: State, covered: int) -> bool:
    """Return whether there is a roll that no fields of a card add up to (A4)."""
    misses = 0
    for roll in range(1, FACES + 1):
        misses += int(count_takes(state, covered, roll) == 0)
    return misses > 0


# --- what is asked ----------------------------------------------------------------------------------------


def _read_asked(text: TextBuffer, begin: int, length: int, state: State) -> bool:
    """Read what is asked, which is the rest of the text; return whether it can be asked with these cards."""
    end = word_end(text, begin, length)
    phase = name_at(text, begin, end, _ASKED_NAMES)
    first = end + 1
    first_end = word_end(text, min(first, length), length)
    second = first_end + 1
    second_end = word_end(text, min(second, length), length)
    words = int(first <= length) + int(second <= length) + int(second_end < length)
    if phase < 0:
        return False
    state[PHASE] = phase
    if phase == ROLLING:
        return _read_rolling(text, first, first_end, words, state)
    if phase == ENDED:
        return words == 1 and _read_end(text, first, first_end, state)
    if words != 2:
        return False
    state[SEAT] = _number(text, first, first_end, int(state[PLAYERS])) - 1
    if state[SEAT] < 0:
        return False
    if phase == TAKING:
        state[ROLL] = _number(text, second, second_end, FACES)
        return _can_be_taking(state)
    state[FOURS] = _seats(text, second, second_end, int(state[PLAYERS]))
    return _can_be_roll_off(state)


def _number(text: TextBuffer, begin: int, end: int, most: int) -> int:
    """Return a number from 1 to ``most``, at most two digits without a zero in front; 0 if there is none."""
    if end <= begin or end - begin > 2 or text[begin] == _ZERO:
        return 0
    number = 0
    for i in range(begin, end):
        if text[i] < _ZERO or text[i] > _NINE:
            return 0
        number = 10 * number + int(text[i]) - _ZERO
    return number if number <= most else 0


def _seats(text: TextBuffer, begin: int, end: int, players: int) -> int:
    """Return the seats in a word such as ``1+3``, ascending, as a bit set; none for a hyphen, -1 for any other word."""
    if end - begin == 1 and text[begin] == _NOBODY:
        return 0
    seats = 0
    at = begin
    while at <= end:
        part = at
        while at < end and text[at] != _AND:
            at += 1
        number = _number(text, part, at, players)
        if number == 0 or seats >> (number - 1) != 0:
            return -1
        seats |= 1 << (number - 1)
        at += 1
    return seats


def _read_rolling(text: TextBuffer, begin: int, end: int, words: int, state: State) -> bool:
    """Read whose roll it is; a common roll (A8) is nobody's."""
    bingo = state[MODE] == BINGO
    if state[IN] == 0 or words != (0 if bingo else 1):
        return False
    state[SEAT] = ctz(state[IN]) if bingo else _number(text, begin, end, int(state[PLAYERS])) - 1
    return _is_turn(state, bool(bingo))


def _is_turn(state: State, common: bool) -> bool:
    """Return whether it can be this seat's turn: it is in, and only seats before it can have cleared in this round."""
    seat = int(state[SEAT])
    if seat < 0 or state[IN] >> seat & 1 == 0:
        return False
    return bool(cleared(state) >> (0 if common else seat) == 0)


def _can_be_taking(state: State) -> bool:
    """Return whether the seat can take what was rolled; in bingo also those still to take after it (A8)."""
    if state[ROLL] == 0 or not _is_turn(state, False):
        return False
    last = state[PLAYERS] if state[MODE] == BINGO else state[SEAT] + 1
    for seat in range(state[SEAT], last):
        if state[IN] >> seat & 1 == 1 and count_takes(state, state[CARDS + seat], state[ROLL]) == 0:
            return False
    return True


def _tied(state: State) -> int:
    """Return who wins or ties once a card is cleared or all are out, 0 while the game must go on."""
    seats = cleared(state)
    if seats == 0 and state[IN] == 0:
        seats = fewest(state)
    return int(seats)


def _can_be_roll_off(state: State) -> bool:
    """Return whether several are tied, the seat is one of them, and the 4s were rolled by such before it (A7)."""
    tied = _tied(state)
    seat = int(state[SEAT])
    if popcount(tied) < 2 or tied >> seat & 1 == 0 or state[FOURS] < 0:
        return False
    state[TIED] = tied
    return bool(state[FOURS] & ~(tied & ((1 << seat) - 1)) == 0)


def _read_end(text: TextBuffer, begin: int, end: int, state: State) -> bool:
    """Read who won; return whether they can have."""
    tied = _tied(state)
    seats = _seats(text, begin, end, int(state[PLAYERS]))
    if tied == 0 or seats < 0:
        return False
    state[WINNERS] = seats
    if state[MODE] == PRACTICE:
        return bool(seats == cleared(state))
    return bool(seats != 0 and seats & ~tied == 0)
