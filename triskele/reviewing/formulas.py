"""The formulas of a review: chances to win, grades, accuracy, the turning point. All are pure functions of numbers.

The page has the same ones (``web/review/formulas.js``); a test holds both to common examples. ``docs/review.md`` gives
the reasons for the constants.
"""

import itertools
import math
from collections.abc import Iterable, Sequence

from triskele.core.contract.review import Curve, advantage_of_score

INACCURACY, MISTAKE, BLUNDER = "inaccuracy", "mistake", "blunder"
GRADES = {BLUNDER: 0.20, MISTAKE: 0.10, INACCURACY: 0.05}
"""The least loss of winning chance of each grade, the worst first. Below 0.05 it is mostly the noise of the engine."""
STRICTNESS = 4.0
"""How fast the accuracy of a decision falls: a loss of 0.05 leaves 82 %, of 0.10 67 %, of 0.20 45 %."""
LEAST_WEIGHT = 0.1
"""What a decision counts in a game that was decided, against 1 in an even one."""
CLEAR_LEAD = 0.1
"""From this much above an even chance on, a seat is ahead."""

Chances = tuple[float, ...]


def chances_of_scores(scores: Sequence[float], curve: Curve, *, proven: bool = False) -> Chances:
    """Return each seat's chance to win from an engine's scores. They add up to 1 where there are several seats."""
    seats = len(scores)
    if proven and seats > 1:
        return tuple(((seats - 1) * score + 1) / seats for score in scores)
    return normalised([curve.chance(advantage_of_score(score, seats)) for score in scores])


def normalised(chances: Sequence[float]) -> Chances:
    """Return chances of several seats that add up to 1; that of one seat stays as it is."""
    total = sum(chances)
    return tuple(chances) if len(chances) == 1 else tuple(chance / total for chance in chances)


def result_chances(winners: Sequence[int], seats: int) -> Chances:
    """Return each seat's share of a finished game: winners share 1, in a draw all do; alone it is won or not."""
    if seats == 1:
        return (1.0 if winners else 0.0,)
    sharing = winners or range(seats)
    return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in range(seats))


def grade_of(loss: float) -> str | None:
    """Return the grade of a decision that lost so much of the chance to win; ``None`` if it was good enough."""
    return next((grade for grade, least in GRADES.items() if loss >= least - 1e-12), None)


def decision_accuracy(loss: float) -> float:
    """Return how accurate a decision was, from 0 to 1."""
    return math.exp(-STRICTNESS * max(0.0, loss))


def decision_weight(before: float, after: float) -> float:
    """Return how much a decision counts: 1 in an even game, little where everything was decided before and after."""
    return max(LEAST_WEIGHT, 4 * before * (1 - before), 4 * after * (1 - after))


def player_accuracy(decisions: Iterable[tuple[float, float, float]]) -> float | None:
    """Return the accuracy of a player in per cent from (loss, chance before, chance after); ``None`` without any."""
    total = weights = 0.0
    for loss, before, after in decisions:
        weight = decision_weight(before, after)
        total += weight * decision_accuracy(loss)
        weights += weight
    return 100 * total / weights if weights else None


def turning_point(chances: Sequence[float], seats: int) -> int | None:
    """Return the index of the move after which the winner was ahead for good.

    ``chances`` are the winner's, before the first move and after each. If it was ahead all the time, it is the move
    that brought it the most; ``None`` where nothing happened.
    """
    if len(chances) < 2:
        return None
    lead = 1 / seats + CLEAR_LEAD if seats > 1 else 0.5 + CLEAR_LEAD
    behind = [at for at, chance in enumerate(chances[:-1]) if chance < lead]
    if behind:
        return behind[-1]
    rises = [after - before for before, after in itertools.pairwise(chances)]
    return max(range(len(rises)), key=lambda at: rises[at])
