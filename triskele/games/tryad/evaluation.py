"""What engines know of Tryad beyond the rules: the levels, and why a take is good. Its worth is in ``coins``."""

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.tryad.notation import decimal, percent
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

They begin with care and end in haste. Looking 0 rolls ahead is taking as many coins as one can, which is about as bad
as one can play. Luck does much here: perfect play beats level 1 in 95 of 100 games. Levels that err alike all game long
would fit in between with steps of 57 % only; these have steps of 60 %, worked out exactly.
"""

LEVELS = (*((max(2, at) / 10, None, max(row)) for at, row in enumerate(SIGHTS, 1)), (None,))
"""Seconds, nodes, rolls looked ahead. Levels below 10 look at their own card alone; level 10 has all cards in view."""


def remark(options: Options, state: State, codes: list[int], seat: int) -> Text | None:
    """Say what speaks for a take."""
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
