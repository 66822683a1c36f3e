"""Cases of a card: how many ones, twos, threes and fours are covered, which is all that matters for what comes next.

Cases are numbered so that a take leads to a lower number: one pass over the numbers, from 0 (nothing covered) up,
solves them all. The functions here are compiled; a layout is the four words ``NUMBERS`` of a state.
"""

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.core.workspace import Matrix, Vector
from triskele.games.tryad.rules import FACES, FIRST_PATTERN, NUMBERS, PATTERNS

CLEARED = 0
"""The case of a card with nothing on it."""
NONE = -1
"""Stands where there is no further take."""
MOST_CASES = 625
"""Four fields of each number make the most cases."""
MOST_TAKES = 5
"""Ways to match a roll, at most."""


def case_of(state: State, fields: int) -> int:
    """Return the case of a set of covered fields."""
    case = 0
    for i in range(FACES):
        case = case * (popcount(state[NUMBERS + i]) + 1) + popcount(fields & state[NUMBERS + i])
    return case


def number_of_cases(state: State) -> int:
    """Return how many cases a layout has."""
    number = 1
    for i in range(FACES):
        number *= popcount(state[NUMBERS + i]) + 1
    return number


def list_cases(state: State, coins: Vector, after: Matrix) -> None:
    """Fill in how many fields are covered in each case, and the cases that takes lead to.

    The takes for a roll (from 0) in a case are in row ``roll * MOST_CASES + case``, ``NONE`` behind the last one.
    """
    fours = popcount(state[NUMBERS + 3]) + 1
    threes = popcount(state[NUMBERS + 2]) + 1
    twos = popcount(state[NUMBERS + 1]) + 1
    steps = (twos * threes * fours, threes * fours, fours, 1)
    for case in range(number_of_cases(state)):
        have = (case // steps[0], case // steps[1] % twos, case // steps[2] % threes, case % fours)
        coins[case] = have[0] + have[1] + have[2] + have[3]
        for roll in range(FACES):
            row = after[roll * MOST_CASES + case]
            column = 0
            for i in range(MOST_TAKES):
                row[i] = NONE
            for pattern in range(FIRST_PATTERN[roll + 1], FIRST_PATTERN[roll + 2]):
                number = PATTERNS[pattern, 0] - 1
                times = PATTERNS[pattern, 1]
                ones = PATTERNS[pattern, 2]
                if ones <= have[0] and times <= have[number]:
                    row[column] = case - ones * steps[0] - times * steps[number]
                    column += 1
