"""The levels of Tryad's engine, and explanations for hints. Values of takes are in ``expected_value``."""

from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.contract.evaluation import Evaluation
from triskele.core.contract.levels import level_table
from triskele.core.game import Options
from triskele.core.numbers import decimal, percent
from triskele.core.words import Text, text
from triskele.games.tryad.rules import CARDS, FACES, PHASE, ROLL, TAKEN, TAKING
from triskele.games.tryad.solution import solve

SIGHTS = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 4, 5),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 4, 5, 6),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 4, 4, 5, 8),
    (0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 4, 5, 7, 7),
    (0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5, 7, 7),
    (0, 0, 0, 0, 0, 0, 1, 2, 2, 3, 4, 4, 6, 6, 7, 9),
    (0, 0, 0, 0, 0, 0, 2, 2, 3, 3, 4, 5, 6, 8, 8, 10),
    (0, 0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10),
)
"""How many rolls levels 1 to 9 look ahead, by how many fields are covered: 1 to 16.

They look further ahead the more fields are covered. Looking 0 rolls ahead is taking as many coins as possible, which is
about as bad as one can play. Chance decides much here: perfect play beats level 1 in 95 of 100 games. Levels with the
same error all game long would have steps of only 57 %; these have steps of 60 %, computed exactly.
"""

LEVELS = level_table(*((max(2, at) / 10, None, max(row)) for at, row in enumerate(SIGHTS, 1)), (None,))
"""Seconds, nodes, rolls looked ahead. Levels below 10 look at their own card alone; level 10 has all cards in view."""


def explain(options: Options, state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Return why a take is good, or ``None``."""
    if state[PHASE] != TAKING or not codes or codes[0] < FACES:
        return None
    covered = int(state[CARDS + seat])
    rest = covered & ~int(TAKEN[codes[0]])
    if rest == 0:
        return text("tryad.hint-clears")
    solution = solve(str(options["layout"]))
    best = solution.compare(covered, int(state[ROLL]))
    if best is None:
        return None
    chance, left = solution.clear_chance(rest), solution.expected_left(rest)
    coins = decimal(left * int(str(options["stake"])), 1)
    most_likely = chance == best.clear.odds.chance and chance > 0
    if most_likely and left == best.fewest.odds.left:
        return text("tryad.hint-both", chance=percent(chance), coins=coins)
    if most_likely:
        return text("tryad.hint-clear", chance=percent(chance))
    if left == best.fewest.odds.left:
        return text("tryad.hint-fewest", coins=coins)
    return text("tryad.hint-cards", chance=percent(chance), coins=coins)


EVALUATION = Evaluation(levels=LEVELS, explain=explain)
