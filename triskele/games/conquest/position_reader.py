"""The reader of Conquest's positions: from a text as bytes to a state, by functions that are compiled too.

It takes untrusted text and refuses every line that the codec cannot have written. A refusal is a number: in its low
byte that of a reason, then the part of the text, where in the text the word that was refused begins, how long it is,
and a seat (:func:`~triskele.games.conquest.position_words.unpack`).
"""

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, name_at, word_end
from triskele.games.conquest.geometry import BOARD, FIELDS, HOME
from triskele.games.conquest.position_form import written_end
from triskele.games.conquest.position_words import (
    COUNTER_NAMES,
    END_NAMES,
    IS,
    LONGEST,
    OUT_NAME,
    PHASE_INITIATIVE,
    PHASE_NAMES,
    PHASE_OVER,
    POT_NAME,
    R_CHITS,
    R_ENDING,
    R_FIELD,
    R_FIELD_TWICE,
    R_HOME,
    R_LAST,
    R_NO_PHASE,
    R_NO_SEAT,
    R_NO_TOKENS,
    R_NOBODY,
    R_NUMBER,
    R_ORDER,
    R_PAIRS,
    R_PART,
    R_PARTS,
    R_ROLL,
    R_ROLLERS,
    R_ROUND,
    R_ROUNDS,
    SLASH,
    SPACE,
    TIMES,
    UNKNOWN,
    WHOLE,
    ZERO,
    end_of,
    field_at,
    number_at,
    owner_on,
    refuse,
    tokens_at,
)
from triskele.games.conquest.rules import (
    ENDING,
    FACES,
    FINISHED,
    IN,
    INITIATIVE,
    LIMIT,
    MARATHON,
    ON,
    PHASE,
    PLAYERS,
    POT,
    PURSES,
    ROLLING,
    ROLLS,
    ROUND,
    SEATS,
    STAKE,
)
from triskele.games.conquest.turn_reader import read_turn


def read_position(text: TextBuffer, length: int, state: State) -> int:
    """Read a position into a fresh state; return 0, or a refusal."""
    players = int(state[PLAYERS])
    if length >= LONGEST:
        return R_ORDER | WHOLE << 8
    parts = 1
    end = _part_end(text, 0, length)
    while end < length:
        parts += 1
        end = _part_end(text, end + 3, length)
    if parts != players + 3:
        return R_PARTS | WHOLE << 8
    for i in range(PHASE, PURSES):
        state[i] = 0
    for field in range(FIELDS):
        state[ON + field] = 0
    begin = 0
    for seat in range(players):
        end = _part_end(text, begin, length)
        refused = _read_seat(text, begin, end, seat, state)
        if refused != 0:
            return refused | seat << 8
        begin = end + 3
    for counter in range(2):
        end = _part_end(text, begin, length)
        refused = _read_counter(text, begin, end, counter, state)
        if refused != 0:
            return refused | (players + counter) << 8
        begin = end + 3
    refused = _invariant_refusal(state)
    if refused != 0:
        return refused
    refused = _read_phase(text, begin, length, state)
    if refused != 0:
        return refused | (players + 2) << 8
    # What has been read must come out again, which refuses other orders and forms.
    return 0 if written_end(text, length, state) == length else R_ORDER | WHOLE << 8


def _part_end(text: TextBuffer, begin: int, length: int) -> int:
    """Return where the part that begins at ``begin`` ends: at a stroke between spaces, or with the text."""
    end = begin
    while end < length:
        if end + 2 < length and text[end] == SPACE and text[end + 1] == SLASH and text[end + 2] == SPACE:
            return end
        end += 1
    return length


# --- seats, pot and round ---------------------------------------------------------------------------------


def _read_seat(text: TextBuffer, begin: int, end: int, seat: int, state: State) -> int:
    """Read the part of a seat: its number, its purse, its fields with tokens or ``out``."""
    word = begin
    at = word_end(text, word, end)
    if number_at(text, word, at) != seat + 1 or at - word != 1 or at == end:
        return refuse(R_NO_SEAT, word, at)
    word = at + 1
    at = word_end(text, word, end)
    state[PURSES + seat] = number_at(text, word, at)
    if state[PURSES + seat] < 0:
        return refuse(R_NUMBER, word, at)
    if at < end and name_at(text, at + 1, end, COUNTER_NAMES) == OUT_NAME:
        return 0
    state[IN] |= 1 << seat
    if at == end:
        return refuse(R_NO_TOKENS, word, at)
    while at < end:
        word = at + 1
        at = word_end(text, word, end)
        name_end = end_of(text, word, at, TIMES)
        field = field_at(text, word, name_end, state)
        if field < 0:
            return refuse(R_FIELD, word, name_end)
        if state[ON + field] != 0:
            return refuse(R_FIELD_TWICE, word, name_end)
        tokens = number_at(text, name_end + 1, at)
        if tokens < 1:
            return refuse(R_NUMBER, min(name_end + 1, at), at)
        state[ON + field] = tokens * 8 + seat + 1
    return 0


def _read_counter(text: TextBuffer, begin: int, end: int, counter: int, state: State) -> int:
    """Read the chits in the pot, or the round."""
    name_end = word_end(text, begin, end)
    if name_at(text, begin, name_end, COUNTER_NAMES) != counter:
        return refuse(R_PART, begin, end)
    number = number_at(text, name_end + 1, end)
    if number < 0:
        return refuse(R_NUMBER, min(name_end + 1, end), end)
    state[POT if counter == POT_NAME else ROUND] = number
    return 0


def chits(state: State) -> int:
    """Return all chits there are: in the pot, in purses and on the boards."""
    number = state[POT]
    for seat in range(state[PLAYERS]):
        number += state[PURSES + seat]
    for field in range(state[PLAYERS] * BOARD):
        number += tokens_at(state, field)
    return int(number)


def _invariant_refusal(state: State) -> int:
    """Return which invariant of every position is hurt: chits (C16), homes (C13), rounds (C15); 0 if none is."""
    players = int(state[PLAYERS])
    if chits(state) != players * state[STAKE]:
        return R_CHITS | players << 8
    for seat in range(players):
        owner = owner_on(state, seat * BOARD + HOME)
        if state[IN] >> seat & 1 == 1 and state[MARATHON] == 0 and owner >= 0 and owner != seat:
            return R_HOME | owner << 8 | seat << 48
    if state[ROUND] < 1 or state[ROUND] > state[LIMIT]:
        return R_ROUND | (players + 1) << 8
    return R_NOBODY if state[IN] == 0 else 0


# --- the phase --------------------------------------------------------------------------------------------


def _read_phase(text: TextBuffer, begin: int, end: int, state: State) -> int:
    """Read the last part: the phase, and what belongs to it."""
    at = word_end(text, begin, end)
    phase = name_at(text, begin, at, PHASE_NAMES)
    if phase < 0:
        return refuse(R_NO_PHASE, begin, at)
    ending = -1
    if phase == PHASE_OVER and at < end:
        ending = name_at(text, at + 1, end, END_NAMES)
    if (popcount(state[IN]) == 1) != (ending == 0):
        return refuse(R_LAST, begin, end)
    if phase == PHASE_OVER:
        by_rounds = at < end and name_at(text, at + 1, word_end(text, at + 1, end), END_NAMES) == 1
        if by_rounds and state[ROUND] != state[LIMIT]:
            return refuse(R_ROUNDS, begin, end)
        if ending < 0:
            return refuse(R_ENDING, begin, end)
        state[PHASE] = FINISHED
        state[ENDING] = ending
        return 0
    if phase == PHASE_INITIATIVE:
        state[PHASE] = INITIATIVE
        return _read_initiative(text, at, end, state)
    if at == end:
        return refuse(R_PAIRS, begin, end)
    return read_turn(text, at + 1, end, phase, state)


def _read_initiative(text: TextBuffer, at: int, end: int, state: State) -> int:
    """Read who rolls for the initiative, and what they have rolled, such as ``1=3 2=?``."""
    waiting = 0
    in_order = True
    while at < end:
        word = at + 1
        at = word_end(text, word, end)
        if at - word != 3 or text[word + 1] != IS:
            return refuse(R_ROLL, word, at)
        seat = int(text[word]) - ZERO - 1
        roll = int(text[word + 2]) - ZERO
        unknown = text[word + 2] == UNKNOWN
        if seat < 0 or seat >= SEATS or state[IN] >> seat & 1 == 0 or not (unknown or 1 <= roll <= FACES):
            return refuse(R_ROLL, word, at)
        state[ROLLING] |= 1 << seat
        if unknown:
            waiting += 1
        else:
            in_order = in_order and waiting == 0
            state[ROLLS] |= roll << 3 * seat
    if popcount(state[ROLLING]) < 2 or waiting == 0 or not in_order:
        return refuse(R_ROLLERS, at, end)
    return 0
