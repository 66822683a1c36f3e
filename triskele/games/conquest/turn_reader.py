"""The part of Conquest's position reader for the turn under way: reinforcements, repulses, attacks.

The functions are compiled, too. Each returns 0 or a refusal (:mod:`triskele.games.conquest.position_words`).
"""

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, name_at, word_end
from triskele.games.conquest.geometry import BOARD, BORDER, HALF, HOME
from triskele.games.conquest.position_words import (
    AND,
    FROM,
    PHASE_ADVANTAGE,
    PHASE_REINFORCE,
    R_ATTACK,
    R_BORDER,
    R_DEFENCE,
    R_DICE,
    R_FIELD,
    R_FOLLOWED,
    R_GIVEN,
    R_NO_ATTACK,
    R_NUMBER,
    R_PAIRS,
    R_TAKEN,
    R_TRIPLES,
    R_TURN,
    R_USED,
    R_WORD,
    TIMES,
    TO,
    W_ATTACK,
    W_DEFENCE,
    W_DICE,
    W_FIRST,
    W_FOLLOWED,
    W_HOME,
    W_REPULSED,
    W_TAKEN,
    W_TURN,
    W_USED,
    WORD_NAMES,
    ZERO,
    end_of,
    field_at,
    has_field_form,
    number_at,
    owner_on,
    refuse,
    slot_of,
    tokens_at,
)
from triskele.games.conquest.rules import (
    ADVANTAGE,
    BATTLE,
    CONQUER,
    DEFENCE,
    DEFEND,
    DICE,
    FACES,
    FIRST,
    FOLLOW,
    FOLLOWED,
    GIVEN,
    IN,
    NUMBERS,
    PER_WORD,
    PHASE,
    PLAYERS,
    REINFORCE,
    REPULSES,
    ROLLED,
    SEAT,
    SETUP,
    SPLIT,
    SPLITS,
    SQUAD,
    TARGET,
    USED,
    repulses_over,
)

_ALLOWED = (
    0,
    1 << W_FIRST | 1 << W_HOME | 1 << W_USED,
    1 << W_FIRST | 1 << W_REPULSED | 1 << W_ATTACK | 1 << W_TAKEN | 1 << W_FOLLOWED | 1 << W_DEFENCE | 1 << W_DICE,
    1 << W_FIRST,
)
"""The words that go with each phase, as a bit set."""
_SPLIT_COUNT = len(SPLITS)


def _value(text: TextBuffer, begin: int, end: int, wanted: int) -> int:
    """Return where the value of a word of ``WORDS`` begins among the pairs of a turn, -1 if it is not there."""
    if wanted == W_TURN:
        return begin
    at = word_end(text, begin, end)
    while at < end:
        name_end = word_end(text, at + 1, end)
        if name_at(text, at + 1, name_end, WORD_NAMES) == wanted:
            return name_end + 1
        at = word_end(text, name_end + 1, end)
    return -1


def read_turn(text: TextBuffer, begin: int, end: int, phase: int, state: State) -> int:
    """Read the acting seat and what has happened in its turn: pairs of a word and a value."""
    said = 1 << W_TURN
    at = word_end(text, begin, end)
    strange = -1
    while at < end:
        word = at + 1
        name_end = word_end(text, word, end)
        name = name_at(text, word, name_end, WORD_NAMES)
        if name_end == end or (name >= 0 and said >> name & 1 == 1):
            return refuse(R_PAIRS, word, name_end)
        if name >= 0:
            said |= 1 << name
        if strange < 0 and (name < 0 or _ALLOWED[phase] >> name & 1 == 0):
            strange = word
        at = word_end(text, name_end + 1, end)
    if strange >= 0:
        return refuse(R_WORD, strange, word_end(text, strange, end))
    for name in range(W_TURN, W_FIRST + 1):
        value = _value(text, begin, end, name)
        if value < 0:
            return refuse(R_NUMBER, end, end)
        value_end = word_end(text, value, end)
        seat = number_at(text, value, value_end) - 1
        if seat < -1:
            return refuse(R_NUMBER, value, value_end)
        if seat < 0 or seat >= state[PLAYERS] or (name == W_TURN and state[IN] >> seat & 1 == 0):
            return refuse(R_TURN, value, value_end)
        state[SEAT if name == W_TURN else FIRST] = seat
    if phase == PHASE_REINFORCE:
        state[PHASE] = REINFORCE
        return _read_reinforcements(text, begin, end, state)
    if phase == PHASE_ADVANTAGE:
        state[PHASE] = ADVANTAGE
        return 0
    state[PHASE] = CONQUER
    refused = _read_repulses(text, begin, end, state)
    if refused != 0:
        return refused
    if said >> W_ATTACK & 1 == 1 or said >> W_TAKEN & 1 == 1:
        return _read_attack(text, begin, end, said, state)
    if said >> W_FOLLOWED != 0:
        return refuse(R_NO_ATTACK, begin, end)
    return 0


def _read_reinforcements(text: TextBuffer, begin: int, end: int, state: State) -> int:
    """Read how many tokens the home has given, and which fields have served in triples."""
    seat = int(state[SEAT])
    home = seat * BOARD + HOME
    value = _value(text, begin, end, W_HOME)
    if value >= 0:
        value_end = word_end(text, value, end)
        given = number_at(text, value, value_end)
        if given < 0:
            return refuse(R_NUMBER, value, value_end)
        state[GIVEN] = given
        if given < 1 or given > SQUAD or owner_on(state, home) != seat:
            return refuse(R_GIVEN, value, value_end) | seat << 48
    value = _value(text, begin, end, W_USED)
    if value < 0:
        return 0
    value_end = word_end(text, value, end)
    at = value
    while at <= value_end:
        word = at
        at = end_of(text, word, value_end, AND)
        field = field_at(text, word, at, state)
        if field < 0:
            return refuse(R_FIELD, word, at)
        used = state[USED + field // HALF] >> field % HALF & 1 == 1
        if used or owner_on(state, field) != seat or (field == home and state[GIVEN] > 0):
            return refuse(R_USED, word, at)
        state[USED + field // HALF] |= 1 << field % HALF
        at += 1
    for number in range(1, FACES + 1):
        bearing = 0
        for field in range(state[PLAYERS] * BOARD):
            if state[USED + field // HALF] >> field % HALF & 1 == 1 and state[NUMBERS + field % BOARD] == number:
                bearing += 1
        if bearing % 3 != 0:
            return refuse(R_TRIPLES, value, value_end)
    return 0


def _read_repulses(text: TextBuffer, begin: int, end: int, state: State) -> int:
    """Read the borders with repulses, such as ``1c4>2b1*2``."""
    value = _value(text, begin, end, W_REPULSED)
    if value < 0 or value == word_end(text, value, end):
        return 0
    value_end = word_end(text, value, end)
    seat = int(state[SEAT])
    at = value
    while at <= value_end:
        word = at
        at = end_of(text, word, value_end, AND)
        first_end = end_of(text, word, at, TO)
        second_end = end_of(text, first_end, at, TIMES)
        form = has_field_form(text, word, first_end) and has_field_form(text, first_end + 1, second_end)
        count = number_at(text, second_end + 1, at)
        if not form or at - second_end != 2 or count < 1 or count > 3:
            return refuse(R_BORDER, word, at)
        source = field_at(text, word, first_end, state)
        if source < 0:
            return refuse(R_FIELD, word, first_end)
        target = field_at(text, first_end + 1, second_end, state)
        if target < 0:
            return refuse(R_FIELD, first_end + 1, second_end)
        slot = slot_of(state, target, source)
        if slot < 0 or owner_on(state, source) != seat or owner_on(state, target) == seat:
            return refuse(R_BORDER, word, at)
        state[REPULSES + target // PER_WORD] |= count << target % PER_WORD * 6 + slot * 2
        at += 1
    return 0


def _read_attack(text: TextBuffer, begin: int, end: int, said: int, state: State) -> int:
    """Read an attack under way, or the field that was just taken by one, such as ``2b1<1c4*2+1c5*1``."""
    taken = said >> W_TAKEN & 1 == 1
    value = _value(text, begin, end, W_TAKEN if taken else W_ATTACK)
    value_end = word_end(text, value, end)
    target_end = end_of(text, value, value_end, FROM)
    refused = refuse(R_ATTACK, value, value_end)
    both = taken and said >> W_ATTACK & 1 == 1
    if both or target_end == value_end or not has_field_form(text, value, target_end):
        return refused
    # Step 1. Whether it has the form of an attack at all.
    steps = 0
    at = target_end + 1
    while at <= value_end:
        word = at
        at = end_of(text, word, value_end, AND)
        name_end = end_of(text, word, at, TIMES)
        if not has_field_form(text, word, name_end) or number_at(text, name_end + 1, at) < 0:
            return refused
        steps += 1
        at += 1
    if steps > 3:
        return refused
    # Step 2. The fields, and how many tokens come from each.
    target = field_at(text, value, target_end, state)
    if target < 0:
        return refuse(R_FIELD, value, target_end)
    first = 0
    second = 0
    third = 0
    at = target_end + 1
    while at <= value_end:
        word = at
        at = end_of(text, word, value_end, AND)
        name_end = end_of(text, word, at, TIMES)
        source = field_at(text, word, name_end, state)
        if source < 0:
            return refuse(R_FIELD, word, name_end)
        slot = slot_of(state, target, source)
        if slot < 0 or owner_on(state, source) != state[SEAT]:
            return refused
        tokens = number_at(text, name_end + 1, at)
        if slot == 0:
            first = tokens
        elif slot == 1:
            second = tokens
        else:
            third = tokens
        at += 1
    split = -1
    for i in range(_SPLIT_COUNT):
        if SPLITS[i, 0] == first and SPLITS[i, 1] == second and SPLITS[i, 2] == third:
            split = i
    if split < 0:
        return refused
    state[TARGET] = target
    state[SPLIT] = split
    if taken:
        return _read_taken(text, begin, end, said, state)
    return _read_battle(text, begin, end, said, state)


def _committed(state: State) -> int:
    split = state[SPLIT]
    return int(SPLITS[split, 0] + SPLITS[split, 1] + SPLITS[split, 2])


def _read_taken(text: TextBuffer, begin: int, end: int, said: int, state: State) -> int:
    """Read from which fields more tokens have followed into a field just taken; some must still be able to."""
    target = int(state[TARGET])
    value = _value(text, begin, end, W_FOLLOWED)
    if value >= 0:
        value_end = word_end(text, value, end)
        at = value
        while at <= value_end:
            word = at
            at = end_of(text, word, value_end, AND)
            source = field_at(text, word, at, state)
            if source < 0:
                return refuse(R_FIELD, word, at)
            slot = slot_of(state, target, source)
            if slot < 0 or SPLITS[state[SPLIT], max(slot, 0)] == 0:
                return refuse(R_FOLLOWED, word, at)
            state[FOLLOWED] |= 1 << slot
            at += 1
    spare = False
    for slot in range(3):
        if SPLITS[state[SPLIT], slot] > 0 and state[FOLLOWED] >> slot & 1 == 0:
            spare = spare or tokens_at(state, BORDER[state[SETUP], target, slot]) > 1
    enough = tokens_at(state, target) >= _committed(state) + popcount(state[FOLLOWED])
    if not spare or not enough or owner_on(state, target) != state[SEAT] or said >> W_DEFENCE != 0:
        return refuse(R_TAKEN, begin, end)
    state[PHASE] = FOLLOW
    return 0


def _read_battle(text: TextBuffer, begin: int, end: int, said: int, state: State) -> int:
    """Read the defence and the dice of an attack under way."""
    seat = int(state[SEAT])
    target = int(state[TARGET])
    for slot in range(3):
        committed = SPLITS[state[SPLIT], slot]
        if committed > 0:
            spare = tokens_at(state, BORDER[state[SETUP], target, slot]) - 1
            if repulses_over(state, target, slot) == 3 or committed > spare:
                return refuse(R_ATTACK, begin, end)
    owner = owner_on(state, target)
    at_home = owner < 0 and target == seat * BOARD + HOME
    if owner == seat or at_home or said >> W_FOLLOWED & 1 == 1:
        return refuse(R_ATTACK, begin, end)
    value = _value(text, begin, end, W_DEFENCE)
    if value >= 0:
        value_end = word_end(text, value, end)
        defence = number_at(text, value, value_end)
        if defence < 0:
            return refuse(R_NUMBER, value, value_end)
        if owner < 0 or defence < 1 or defence > min(SQUAD, tokens_at(state, target)):
            return refuse(R_DEFENCE, value, value_end)
        state[DEFENCE] = defence
    elif owner >= 0:
        state[PHASE] = DEFEND
        return refuse(R_DICE, begin, end) if said >> W_DICE & 1 == 1 else 0
    state[PHASE] = BATTLE
    value = _value(text, begin, end, W_DICE)
    if value < 0:
        return 0
    value_end = word_end(text, value, end)
    # One digit each, with a plus between them.
    rolled = (value_end - value + 1) // 2
    if rolled >= _committed(state) + max(1, int(state[DEFENCE])) or value_end - value != 2 * rolled - 1:
        return refuse(R_DICE, value, value_end)
    for die in range(rolled):
        face = int(text[value + 2 * die]) - ZERO
        if face < 1 or face > FACES or (die > 0 and text[value + 2 * die - 1] != AND):
            return refuse(R_DICE, value, value_end)
        state[DICE] |= face << 3 * die
    state[ROLLED] = rolled
    return 0
