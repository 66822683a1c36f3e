"""What engines know of Tryad beyond the rules: the levels, and why a take is good. Its worth is in ``coins``."""

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.tryad.notation import decimal, percent
from triskele.games.tryad.rules import CARDS, FACES, PHASE, ROLL, TAKEN, TAKING
from triskele.games.tryad.solution import solve

LEVELS = (
    # seconds, nodes, rolls looked ahead, error of judgement, oversight
    (0.2, None, 0, 0, 0),
    (0.2, None, 0, 1000, 0),
    (0.3, None, 1, 150, 0),
    (0.4, None, 2, 600, 0),
    (0.5, None, 2, 0, 0),
    (0.6, None, 3, 350, 0),
    (0.7, None, 3, 0, 0),
    (0.8, None, 4, 0, 0),
    (0.9, None, 5, 0, 0),
    (None, None, None, 0, 0),
)
"""Level 1 takes as many coins as it can. The next ones look further and further ahead, at their own card alone.

Level 10 plays for what can be won, with the others' cards in view. Luck does more here than skill: level 10 beats
level 1 in about 81 of 100 games, and ten steps of 60 % each do not fit in between.
"""


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
