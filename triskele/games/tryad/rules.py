"""The rules of Tryad, A1 to A8.

A set of fields is a word of 16 bits, in the order a1, b1 to b3, c1 to c5, d1 to d7. The state:

====================  ==========================================================================
``PLAYERS`` …         the options: players, stake, mode
``PHASE``             what is asked now: a roll, a take, a roll of the roll-off, or nothing
``SEAT``              whose roll or take it is; for a common roll (bingo) the first seat still in
``ROLL``              the roll to be matched, 0 unless a take is asked
``IN``                seats still in: those neither out (A4) nor with a cleared card (A5)
``TIED``, ``FOURS``   roll-off (A7): who takes part, and who has rolled a 4 in this round of it
``WINNERS``           seats that won, when the game is over
``NUMBERS`` + 0 … 3   the fields that bear a 1, 2, 3, 4
``CARDS`` + seat      the fields of that seat's card that are still covered
====================  ==========================================================================

What does not apply at the moment is 0, so that equal positions are equal arrays.

Codes 0 to 3 are the rolls 1 to 4. The other codes are takes: all sets of one to four fields, by
size, and sets of one size in the order of their words (the colexicographic order). In this order
the first ``CHOOSE[n, k]`` sets of size ``k`` are just those of the first ``n`` fields, so that one table
serves to number the subsets of any set.
"""

from itertools import combinations
from math import comb

import numpy as np

from triskele.core.bits import ctz, popcount, select
from triskele.core.contract import CHANCE, OVER, Moves, Scores, State

PLAYERS = 1
STAKE = 2
MODE = 3
PHASE = 4
SEAT = 5
ROLL = 6
IN = 7
TIED = 8
FOURS = 9
WINNERS = 10
NUMBERS = 11
CARDS = 15

MOST_PLAYERS = 12
FIELDS = 16
FULL = (1 << FIELDS) - 1
"""A card with every field covered."""
FACES = 4
LARGEST = 4
"""No take has more fields: each bears at least a 1."""

ROLLING, TAKING, ROLL_OFF, ENDED = range(4)
TABLE, BINGO, PRACTICE = range(3)
TRYAD, FEWEST, MISSED = range(3)

TRIPLE = 3
"""How many times what is left the others pay for a Tryad (A5)."""

CHOOSE = np.array([[comb(n, k) for k in range(LARGEST + 1)] for n in range(FIELDS + 1)], dtype=np.int64)
"""``CHOOSE[n, k]``: how many sets of ``k`` there are among ``n``."""

FIRST = np.array(
    [0, *(FACES + sum(comb(FIELDS, j) for j in range(1, k)) for k in range(1, LARGEST + 1))], dtype=np.int64
)
"""``FIRST[k]``: the code of the first take of ``k`` fields. ``TAKEN[FIRST[0]]`` is the empty set."""

TAKEN = np.array(
    [0] * FACES
    + [
        fields
        for k in range(1, LARGEST + 1)
        for fields in sorted(sum(1 << bit for bit in bits) for bits in combinations(range(FIELDS), k))
    ],
    dtype=np.int64,
)
"""The fields that a code takes: none for a roll."""

PATTERNS = np.array(
    [
        [2, 0, 1],
        [2, 1, 0],
        [2, 0, 2],
        [3, 1, 0],
        [2, 1, 1],
        [2, 0, 3],
        [4, 1, 0],
        [3, 1, 1],
        [2, 2, 0],
        [2, 1, 2],
        [2, 0, 4],
    ],
    dtype=np.int64,
)
"""How numbers can add up to a roll: a number above 1, how many of it, and how many ones beside it."""

FIRST_PATTERN = np.array([0, 0, 1, 3, 6, 11], dtype=np.int64)
"""``PATTERNS`` of a roll begin here and end where the next roll's begin."""

SIZE = CARDS + MOST_PLAYERS
LOG = 0
MOVES = comb(FIELDS, LARGEST)  # a card of nothing but ones, and a 4
ACTIONS = len(TAKEN)
REASONS = ("tryad", "fewest", "missed")
VERSION = 1


def start(state: State, options: Moves) -> None:
    """Cover every field of every card (A2); the options are players, stake, 16 numbers, mode."""
    state[PLAYERS] = options[0]
    state[STAKE] = options[1]
    for field in range(FIELDS):
        state[NUMBERS + options[2 + field] - 1] |= 1 << field
    state[MODE] = options[2 + FIELDS]
    state[IN] = (1 << state[PLAYERS]) - 1
    for seat in range(state[PLAYERS]):
        state[CARDS + seat] = FULL


def actor(state: State) -> int:
    """Return the seat to take, ``CHANCE`` when a roll is due, or ``OVER``."""
    if state[PHASE] == TAKING:
        return int(state[SEAT])
    if state[PHASE] == ENDED:
        return OVER
    return CHANCE


# --- takes ----------------------------------------------------------------------------------------


def take_code(fields: int) -> int:
    """Return the code of the take of a set of one to four fields."""
    code = FIRST[popcount(fields)]
    size = 0
    while fields:
        size += 1
        code += CHOOSE[ctz(fields), size]
        fields &= fields - 1
    return int(code)


def _subset(fields: int, size: int, index: int) -> int:
    """Return subset number ``index`` of those with ``size`` members of a set of fields."""
    pattern = TAKEN[FIRST[size] + index]
    chosen = 0
    while pattern:
        chosen |= 1 << select(fields, ctz(pattern))
        pattern &= pattern - 1
    return chosen


def count_takes(state: State, fields: int, roll: int) -> int:
    """Return how many sets among covered ``fields`` add up to ``roll`` (A3)."""
    ones = popcount(fields & state[NUMBERS])
    total = 0
    for p in range(FIRST_PATTERN[roll], FIRST_PATTERN[roll + 1]):
        same = popcount(fields & state[NUMBERS + PATTERNS[p, 0] - 1])
        total += CHOOSE[same, PATTERNS[p, 1]] * CHOOSE[ones, PATTERNS[p, 2]]
    return int(total)


def _list_takes(state: State, fields: int, roll: int, moves: Moves) -> int:
    ones = fields & state[NUMBERS]
    total = 0
    for p in range(FIRST_PATTERN[roll], FIRST_PATTERN[roll + 1]):
        same = fields & state[NUMBERS + PATTERNS[p, 0] - 1]
        for i in range(CHOOSE[popcount(same), PATTERNS[p, 1]]):
            part = _subset(same, PATTERNS[p, 1], i)
            for j in range(CHOOSE[popcount(ones), PATTERNS[p, 2]]):
                moves[total] = take_code(part | _subset(ones, PATTERNS[p, 2], j))
                total += 1
    return total


def legal(state: State, moves: Moves) -> int:
    """Fill ``moves`` with the rolls or takes of the actor and return their number."""
    if state[PHASE] == TAKING:
        return _list_takes(state, state[CARDS + state[SEAT]], state[ROLL], moves)
    if state[PHASE] == ENDED:
        return 0
    for face in range(FACES):
        moves[face] = face
    return FACES


def count(state: State, moves: Moves) -> int:
    """Return the number of legal moves without listing them."""
    if state[PHASE] == TAKING:
        return count_takes(state, state[CARDS + state[SEAT]], state[ROLL])
    return 0 if state[PHASE] == ENDED else FACES


def nth(state: State, moves: Moves, k: int) -> int:
    """Return legal move ``k``."""
    if state[PHASE] != TAKING:
        return int(k)
    fields = state[CARDS + state[SEAT]]
    ones = fields & state[NUMBERS]
    p = FIRST_PATTERN[state[ROLL]]
    while True:
        same = fields & state[NUMBERS + PATTERNS[p, 0] - 1]
        beside = CHOOSE[popcount(ones), PATTERNS[p, 2]]
        number = CHOOSE[popcount(same), PATTERNS[p, 1]] * beside
        if k < number:
            part = _subset(same, PATTERNS[p, 1], k // beside)
            return take_code(part | _subset(ones, PATTERNS[p, 2], k % beside))
        k -= number
        p += 1


# --- moving ---------------------------------------------------------------------------------------


def apply(state: State, move: int) -> None:
    """Make a roll or a take."""
    if move >= FACES:
        _take(state, TAKEN[move])
    elif state[PHASE] == ROLL_OFF:
        _roll_off(state, move + 1)
    elif state[MODE] == BINGO:
        _roll_for_all(state, move + 1)
    else:
        _roll(state, move + 1)


def _roll(state: State, roll: int) -> None:
    seat = state[SEAT]
    if count_takes(state, state[CARDS + seat], roll) > 0:
        state[ROLL] = roll
        state[PHASE] = TAKING
    else:
        state[IN] ^= 1 << seat  # A4
        _go_on(state)


def _roll_for_all(state: State, roll: int) -> None:
    """A8: one roll for everyone, and whoever cannot match it is out at once."""
    for seat in range(state[PLAYERS]):
        if state[IN] >> seat & 1 and count_takes(state, state[CARDS + seat], roll) == 0:
            state[IN] ^= 1 << seat
    if state[IN]:
        state[SEAT] = ctz(state[IN])
        state[ROLL] = roll
        state[PHASE] = TAKING
    else:
        _end_round(state)


def _take(state: State, fields: int) -> None:
    seat = state[SEAT]
    state[CARDS + seat] ^= fields
    if state[CARDS + seat] == 0:
        state[IN] ^= 1 << seat
    _go_on(state)


def _go_on(state: State) -> None:
    """Go on with the next seat still in, or end the round."""
    later = state[IN] >> (state[SEAT] + 1)
    if later == 0:
        _end_round(state)
    else:
        state[SEAT] += 1 + ctz(later)
        if state[MODE] != BINGO:
            state[PHASE] = ROLLING
            state[ROLL] = 0


def _end_round(state: State) -> None:
    """Begin the next round, unless somebody has cleared a card (A5) or all are out (A6)."""
    tied = cleared(state)
    state[ROLL] = 0
    if tied == 0 and state[IN]:
        state[PHASE] = ROLLING
        state[SEAT] = ctz(state[IN])
    else:
        if tied == 0 and state[MODE] != PRACTICE:
            tied = fewest(state)
        if tied & (tied - 1):
            state[PHASE] = ROLL_OFF
            state[TIED] = tied
            state[SEAT] = ctz(tied)
        else:
            _end_game(state, tied)


def _roll_off(state: State, roll: int) -> None:
    """A7: the tied roll in seat order; whoever rolls a 4 wins at the end of that round of rolls."""
    if roll == FACES:
        state[FOURS] |= 1 << state[SEAT]
    later = state[TIED] >> (state[SEAT] + 1)
    if later:
        state[SEAT] += 1 + ctz(later)
    elif state[FOURS]:
        _end_game(state, state[FOURS])
    else:
        state[SEAT] = ctz(state[TIED])


def _end_game(state: State, won: int) -> None:
    state[WINNERS] = won
    state[PHASE] = ENDED
    state[SEAT] = 0
    state[TIED] = 0
    state[FOURS] = 0


# --- the end --------------------------------------------------------------------------------------


def cleared(state: State) -> int:
    """Return the seats that have cleared their cards, as a bit set."""
    seats = 0
    for seat in range(state[PLAYERS]):
        if state[CARDS + seat] == 0:
            seats |= 1 << seat
    return seats


def fewest(state: State) -> int:
    """Return the seats with the fewest coins on their cards, as a bit set."""
    least = FIELDS
    for seat in range(state[PLAYERS]):
        least = min(least, popcount(state[CARDS + seat]))
    seats = 0
    for seat in range(state[PLAYERS]):
        if popcount(state[CARDS + seat]) == least:
            seats |= 1 << seat
    return seats


def winners(state: State) -> int:
    """Return who won: several when they share (A7), none when practice was missed."""
    return int(state[WINNERS])


def scores(state: State, out: Scores) -> None:
    """Fill in the coins won or lost: what the others pay (A5) or leave (A6), shared by the winners (A7)."""
    if state[MODE] == PRACTICE:
        left = popcount(state[CARDS])
        out[0] = -left * state[STAKE] if left else FIELDS * state[STAKE]
        return
    each = state[STAKE] * (TRIPLE if reason(state) == TRYAD else 1)
    pot = 0
    for seat in range(state[PLAYERS]):
        if state[WINNERS] >> seat & 1 == 0:
            paid = each * popcount(state[CARDS + seat])
            out[seat] = -paid
            pot += paid
    for seat in range(state[PLAYERS]):
        if state[WINNERS] >> seat & 1:
            out[seat] = pot / popcount(state[WINNERS])


def reason(state: State) -> int:
    """Return whether a card was cleared, the fewest coins won, or practice was missed."""
    if cleared(state):
        return TRYAD
    return MISSED if state[MODE] == PRACTICE else FEWEST
