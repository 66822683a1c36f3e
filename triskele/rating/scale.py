"""The one scale of all ratings: Elo's, with its uncertainty. 400 points more are ten wins for each loss."""

import math
from dataclasses import dataclass, replace

POINTS = 400 / math.log(10)
"""The points of one unit of the logistic scale, on which the models calculate."""
MEAN = 1500.0
"""What a newcomer is rated at, give or take :data:`DEVIATION`."""
DEVIATION = 350.0
"""The standard deviation of a newcomer's rating, and the largest that a rating can have."""
LEAST_DEVIATION = 30.0
"""No rating is more certain: people have good and bad days."""
VOLATILITY = 0.06
"""How much a newcomer's strength is thought to change in a period, on the logistic scale."""
PERIOD_MS = 5 * 86_400_000
"""The rating period. With it the deviation of a regular player (60) grows to 107 in a year without games."""
Z95 = 1.96
FLOOR_DEVIATION = 110.0
"""The confidence floor: leaderboards leave out ratings that are less certain. A newcomer is below it after about ten
games (``python benchmarks/ratings.py`` shows it)."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: its value and standard deviation in points, and its volatility as Glicko-2 has it."""

    value: float = MEAN
    deviation: float = DEVIATION
    volatility: float = VOLATILITY

    @property
    def low(self) -> float:
        """The lower end of the interval that holds the strength in 95 of 100 cases."""
        return self.value - Z95 * self.deviation

    @property
    def high(self) -> float:
        """The upper end of that interval."""
        return self.value + Z95 * self.deviation

    @property
    def listed(self) -> bool:
        """Whether it is certain enough for a leaderboard."""
        return self.deviation <= FLOOR_DEVIATION

    def aged(self, periods: float) -> "Rating":
        """Return the rating after some periods without a game: as high, but less certain."""
        spread = self.deviation / POINTS
        return self._with_deviation(POINTS * math.sqrt(spread * spread + max(0.0, periods) * self.volatility**2))

    def _with_deviation(self, deviation: float) -> "Rating":
        return replace(self, deviation=min(DEVIATION, max(LEAST_DEVIATION, deviation)))

    def moved(self, value: float, deviation: float, volatility: float | None = None) -> "Rating":
        """Return a rating with new values, the deviation within its bounds."""
        made = Rating(value, deviation, self.volatility if volatility is None else volatility)
        return made._with_deviation(deviation)
