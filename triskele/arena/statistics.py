"""Statistics of matches: scores with confidence intervals, Elo, and the sequential probability ratio test.

The sample of a match is the *group*: the games of one opening with the sides swapped (or the seats turned). Games of
a group are not independent, so everything here is computed from the means of groups.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054
"""Half the width of a 95 % interval, in standard deviations."""

_REGULAR = 1e-3
"""Added to the count of every possible group result, so that no probability is zero."""


def wilson(share: float, number: float, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval for a share seen in ``number`` independent trials."""
    if number <= 0:
        return 0.0, 1.0
    centre = share + z * z / (2 * number)
    spread = z * math.sqrt(max(0.0, share * (1 - share)) / number + z * z / (4 * number * number))
    scale = 1 + z * z / number
    # At the ends rounding would move the bounds off 0 and 1.
    low = 0.0 if share <= 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if share >= 1 else min(1.0, (centre + spread) / scale)
    return low, high


def difference(
    one: float, one_interval: Sequence[float], other: float, other_interval: Sequence[float]
) -> tuple[float, float, float]:
    """Return the difference of two independent shares and its interval (Newcombe's method on Wilson's intervals)."""
    gap = one - other
    low = gap - math.hypot(one - one_interval[0], other_interval[1] - other)
    high = gap + math.hypot(one_interval[1] - one, other - other_interval[0])
    return gap, low, high


def effective_games(groups: Sequence[float], size: int) -> float:
    """Return the effective sample size: how many independent games tell as much as these groups of ``size``.

    It follows from the variance between groups, and is at least the number of groups and at most the number of games,
    because the variance of few groups is a poor estimate.
    """
    number = len(groups)
    if number == 0:
        return 0.0
    mean = math.fsum(groups) / number
    most = float(number * size)
    if number == 1:
        return 1.0
    variance = math.fsum((value - mean) ** 2 for value in groups) / (number - 1)
    if variance <= 0:
        return most
    return min(most, max(float(number), mean * (1 - mean) * number / variance))


def score_interval(groups: Sequence[float], size: int) -> tuple[float, float, float]:
    """Return the mean of group means (each from 0 to 1) and its 95 % interval: Wilson's, on effective games."""
    if not groups:
        return 0.5, 0.0, 1.0
    mean = math.fsum(groups) / len(groups)
    return mean, *wilson(mean, effective_games(groups, size))


def elo_of(share: float, seats: int = 2) -> float:
    """Return the Elo difference at which a player scores this share against ``seats - 1`` equal others."""
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share * (seats - 1) / (1 - share))


def share_at(elo: float, seats: int = 2) -> float:
    """Return the expected share of a player who is ``elo`` stronger than each of ``seats - 1`` others."""
    return 1 / (1 + (seats - 1) * 10 ** (-elo / 400))


# --- the sequential test --------------------------------------------------------------------------


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test of ``elo0`` against ``elo1``, on group results.

    It is the generalised test (GSPRT) that chess engines are tested with: the likelihoods are those of the most
    likely distributions of group results with either mean, so pairs need not follow any model. The error rate is about
    ``alpha`` when the truth is ``elo0`` and ``beta`` when it is ``elo1``.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    seats: int = 2

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which ``elo0`` and ``elo1`` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, groups: Sequence[float]) -> float:
        """Return the log-likelihood ratio of ``elo1`` over ``elo0``."""
        counts = Counter(round(value, 9) for value in groups)
        for value in (0.0, 0.25, 0.5, 0.75, 1.0):
            counts[value] += 0
        values = sorted(counts)
        weights = [counts[value] + _REGULAR for value in values]
        low = _likeliest(values, weights, share_at(self.elo0, self.seats))
        high = _likeliest(values, weights, share_at(self.elo1, self.seats))
        return math.fsum(w * math.log(h / n) for w, h, n in zip(weights, high, low, strict=True))

    def verdict(self, groups: Sequence[float]) -> int | None:
        """Return which hypothesis is accepted, 0 or 1; ``None`` while it is open."""
        if not groups:
            return None
        low, high = self.bounds
        llr = self.llr(groups)
        return 1 if llr >= high else 0 if llr <= low else None


def _likeliest(values: Sequence[float], weights: Sequence[float], mean: float) -> list[float]:
    """Return the maximum likelihood distribution over ``values`` with this mean, given their observed ``weights``.

    It is ``p_i / (1 + t (value_i - mean))``, where bisection finds the ``t`` that gives the mean.
    """
    total = math.fsum(weights)
    seen = [weight / total for weight in weights]
    lowest, highest = values[0] - mean, values[-1] - mean
    low, high = -1 / highest, -1 / lowest
    for _ in range(100):
        t = (low + high) / 2
        tilt = math.fsum(p * (v - mean) / (1 + t * (v - mean)) for p, v in zip(seen, values, strict=True))
        if tilt > 0:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return [p / (1 + t * (v - mean)) for p, v in zip(seen, values, strict=True)]
