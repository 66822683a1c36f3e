"""Whether a text is that of a state of Conquest: it is followed as ``position_codec.write`` would write it.

The functions are compiled, too.
"""

from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, names
from triskele.games.conquest.board_queries import NAMES
from triskele.games.conquest.geometry import BORDER, FIELDS, HALF
from triskele.games.conquest.position_words import (
    AND,
    COUNTER_NAMES,
    END_NAMES,
    FROM,
    IS,
    OUT_NAME,
    PHASE_ADVANTAGE,
    PHASE_CONQUER,
    PHASE_INITIATIVE,
    PHASE_NAMES,
    PHASE_OVER,
    PHASE_REINFORCE,
    POT_NAME,
    ROUND_NAME,
    SLASH,
    SPACE,
    TIMES,
    TO,
    UNKNOWN,
    W_ATTACK,
    W_DEFENCE,
    W_DICE,
    W_FIRST,
    W_FOLLOWED,
    W_HOME,
    W_REPULSED,
    W_TAKEN,
    W_USED,
    WORD_NAMES,
    ZERO,
    owner_on,
    tokens_at,
)
from triskele.games.conquest.rules import (
    ADVANTAGE,
    BATTLE,
    DEFENCE,
    DEFEND,
    DICE,
    ENDING,
    FINISHED,
    FIRST,
    FOLLOW,
    FOLLOWED,
    GIVEN,
    IN,
    INITIATIVE,
    PHASE,
    PLAYERS,
    POT,
    PURSES,
    REINFORCE,
    ROLLED,
    ROLLING,
    ROLLS,
    ROUND,
    SEAT,
    SEATS,
    SETUP,
    SPLIT,
    SPLITS,
    TARGET,
    USED,
    repulses_over,
)

_FIELD_NAMES = names(NAMES)


def _sign_end(text: TextBuffer, at: int, length: int, sign: int) -> int:
    """Return where the text goes on behind a sign, -1 if another one is there or something was wrong before."""
    return at + 1 if 0 <= at < length and text[at] == sign else -1


def _name_end(text: TextBuffer, at: int, length: int, name: "TextBuffer") -> int:
    """Return where the text goes on behind a row of a table of names, -1 if it is not there."""
    for i in range(int(name[0])):
        at = _sign_end(text, at, length, int(name[1 + i]))
    return at


def _number_end(text: TextBuffer, at: int, length: int, number: int) -> int:
    """Return where the text goes on behind a number, -1 if it is not there."""
    scale = 1
    while scale * 10 <= number:
        scale *= 10
    while scale > 0:
        at = _sign_end(text, at, length, ZERO + number // scale % 10)
        scale //= 10
    return at


def _words_end(text: TextBuffer, at: int, length: int, name: "TextBuffer") -> int:
    """Return where the text goes on behind a space, a name and another space."""
    return _sign_end(text, _name_end(text, _sign_end(text, at, length, SPACE), length, name), length, SPACE)


def written_end(text: TextBuffer, length: int, state: State) -> int:
    """Return where the text of a position ends that the text begins with, -1 if it does not begin with it."""
    at = 0
    for seat in range(state[PLAYERS]):
        at = _sign_end(text, _number_end(text, at, length, seat + 1), length, SPACE)
        at = _number_end(text, at, length, int(state[PURSES + seat]))
        for field in range(FIELDS):
            if owner_on(state, field) == seat:
                at = _name_end(text, _sign_end(text, at, length, SPACE), length, _FIELD_NAMES[field])
                at = _number_end(text, _sign_end(text, at, length, TIMES), length, tokens_at(state, field))
        if state[IN] >> seat & 1 == 0:
            at = _name_end(text, _sign_end(text, at, length, SPACE), length, COUNTER_NAMES[OUT_NAME])
        at = _stroke_end(text, at, length)
    at = _sign_end(text, _name_end(text, at, length, COUNTER_NAMES[POT_NAME]), length, SPACE)
    at = _stroke_end(text, _number_end(text, at, length, int(state[POT])), length)
    at = _sign_end(text, _name_end(text, at, length, COUNTER_NAMES[ROUND_NAME]), length, SPACE)
    at = _stroke_end(text, _number_end(text, at, length, int(state[ROUND])), length)
    phase = state[PHASE]
    if phase == FINISHED:
        at = _sign_end(text, _name_end(text, at, length, PHASE_NAMES[PHASE_OVER]), length, SPACE)
        return _name_end(text, at, length, END_NAMES[state[ENDING]])
    if phase == INITIATIVE:
        return _initiative_end(text, at, length, state)
    return _turn_end(text, at, length, state)


def _stroke_end(text: TextBuffer, at: int, length: int) -> int:
    """Return where the text goes on behind what separates parts."""
    at = _sign_end(text, _sign_end(text, at, length, SPACE), length, SLASH)
    return _sign_end(text, at, length, SPACE)


def _initiative_end(text: TextBuffer, at: int, length: int, state: State) -> int:
    at = _name_end(text, at, length, PHASE_NAMES[PHASE_INITIATIVE])
    for seat in range(SEATS):
        if state[ROLLING] >> seat & 1 == 1:
            roll = state[ROLLS] >> 3 * seat & 7
            at = _number_end(text, _sign_end(text, at, length, SPACE), length, seat + 1)
            at = _sign_end(text, at, length, IS)
            at = _sign_end(text, at, length, UNKNOWN if roll == 0 else ZERO + int(roll))
    return at


def _turn_end(text: TextBuffer, at: int, length: int, state: State) -> int:
    name = PHASE_CONQUER
    if state[PHASE] == REINFORCE:
        name = PHASE_REINFORCE
    elif state[PHASE] == ADVANTAGE:
        name = PHASE_ADVANTAGE
    at = _sign_end(text, _name_end(text, at, length, PHASE_NAMES[name]), length, SPACE)
    at = _number_end(text, at, length, int(state[SEAT]) + 1)
    at = _words_end(text, at, length, WORD_NAMES[W_FIRST])
    at = _number_end(text, at, length, int(state[FIRST]) + 1)
    if state[GIVEN] > 0:
        at = _number_end(text, _words_end(text, at, length, WORD_NAMES[W_HOME]), length, int(state[GIVEN]))
    used = 0
    for field in range(FIELDS):
        if state[USED + field // HALF] >> field % HALF & 1 == 1:
            at = _sign_end(text, at, length, AND) if used > 0 else _words_end(text, at, length, WORD_NAMES[W_USED])
            at = _name_end(text, at, length, _FIELD_NAMES[field])
            used += 1
    at = _repulses_end(text, at, length, state)
    if state[PHASE] == DEFEND or state[PHASE] == BATTLE or state[PHASE] == FOLLOW:
        at = _attack_end(text, at, length, state)
    return at


def _repulses_end(text: TextBuffer, at: int, length: int, state: State) -> int:
    written = 0
    for field in range(FIELDS):
        for slot in range(3):
            count = repulses_over(state, field, slot)
            if count > 0:
                if written > 0:
                    at = _sign_end(text, at, length, AND)
                else:
                    at = _words_end(text, at, length, WORD_NAMES[W_REPULSED])
                at = _name_end(text, at, length, _FIELD_NAMES[BORDER[state[SETUP], field, slot]])
                at = _name_end(text, _sign_end(text, at, length, TO), length, _FIELD_NAMES[field])
                at = _number_end(text, _sign_end(text, at, length, TIMES), length, count)
                written += 1
    return at


def _attack_end(text: TextBuffer, at: int, length: int, state: State) -> int:
    target = int(state[TARGET])
    at = _words_end(text, at, length, WORD_NAMES[W_TAKEN if state[PHASE] == FOLLOW else W_ATTACK])
    at = _name_end(text, at, length, _FIELD_NAMES[target])
    sign = FROM
    for slot in range(3):
        tokens = int(SPLITS[state[SPLIT], slot])
        if tokens > 0:
            at = _sign_end(text, at, length, sign)
            at = _name_end(text, at, length, _FIELD_NAMES[BORDER[state[SETUP], target, slot]])
            at = _number_end(text, _sign_end(text, at, length, TIMES), length, tokens)
            sign = AND
    followed = 0
    for slot in range(3):
        if state[FOLLOWED] >> slot & 1 == 1:
            if followed > 0:
                at = _sign_end(text, at, length, AND)
            else:
                at = _words_end(text, at, length, WORD_NAMES[W_FOLLOWED])
            at = _name_end(text, at, length, _FIELD_NAMES[BORDER[state[SETUP], target, slot]])
            followed += 1
    if state[DEFENCE] > 0:
        at = _number_end(text, _words_end(text, at, length, WORD_NAMES[W_DEFENCE]), length, int(state[DEFENCE]))
    for die in range(state[ROLLED]):
        at = _sign_end(text, at, length, AND) if die > 0 else _words_end(text, at, length, WORD_NAMES[W_DICE])
        at = _sign_end(text, at, length, ZERO + int(state[DICE] >> 3 * die & 7))
    return at
