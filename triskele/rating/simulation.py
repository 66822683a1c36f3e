"""A simulated club: players of known strength, whose games are rated, to see what the ratings are worth."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from triskele.rating.results import Result, Standing, rate
from triskele.rating.scale import MEAN, POINTS, Z95

SPREAD = 300.0
"""The standard deviation of the strengths: between those of chess clubs and of a whole site."""
_NEARNESS = 150.0
"""How far from their own rating players find opponents: pairs are neighbours after noise of this size."""
_ROUND_MS = 86_400_000
"""Everybody plays once a day."""


@dataclass(frozen=True)
class Club:
    """What became of a simulated club."""

    strengths: list[float]
    standings: list[Standing]

    @property
    def correlation(self) -> float:
        """The rank correlation (Spearman) of strengths and ratings."""
        return correlation(_ranks(self.strengths), _ranks([each.rating.value for each in self.standings]))

    def held(self, z: float = Z95) -> float:
        """Return the share of the players whose strength is within ``z`` deviations of their rating."""
        inside = sum(
            abs(each.rating.value - strength) <= z * each.rating.deviation
            for each, strength in zip(self.standings, self.strengths, strict=True)
        )
        return inside / len(self.strengths)

    @property
    def deviation(self) -> float:
        """The mean deviation that the ratings claim."""
        return math.fsum(each.rating.deviation for each in self.standings) / len(self.standings)

    @property
    def error(self) -> float:
        """The root of the mean squared error of the ratings."""
        squares = (
            (each.rating.value - strength) ** 2 for each, strength in zip(self.standings, self.strengths, strict=True)
        )
        return math.sqrt(math.fsum(squares) / len(self.strengths))


def simulate(players: int, rounds: int, seats: Sequence[int], seed: int) -> Club:
    """Let players meet others of about their rating; each table has one of the numbers of seats in ``seats``."""
    rng = random.Random(seed)
    strengths = [rng.gauss(MEAN, SPREAD) for _ in range(players)]
    standings = [Standing()] * players
    for number in range(rounds):
        order = sorted(range(players), key=lambda one: standings[one].rating.value + rng.gauss(0, _NEARNESS))
        while len(order) >= max(seats):
            count = rng.choice(seats)
            table, order = order[:count], order[count:]
            _play(table, strengths, standings, number, rng)
    return Club(strengths, standings)


def _play(
    table: Sequence[int], strengths: Sequence[float], standings: list[Standing], number: int, rng: random.Random
) -> None:
    """Play one game: places by strength and luck, as the model of Plackett and Luce (Elo's, with two) has it."""
    shown = [strengths[one] - POINTS * math.log(rng.expovariate(1.0)) for one in table]
    places = tuple(sum(other > own for other in shown) for own in shown)
    result = Result(str(number), number * _ROUND_MS, tuple(map(str, table)), places)
    for one, after in zip(table, rate(result, [standings[one] for one in table]), strict=True):
        standings[one] = after


def _ranks(values: Sequence[float]) -> list[float]:
    ranks = [0.0] * len(values)
    for rank, one in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        ranks[one] = float(rank)
    return ranks


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the correlation (Pearson) of two series."""
    n = len(one)
    mean_one, mean_other = math.fsum(one) / n, math.fsum(other) / n
    both = math.fsum((a - mean_one) * (b - mean_other) for a, b in zip(one, other, strict=True))
    squares = [math.fsum((a - mean) ** 2 for a in series) for series, mean in ((one, mean_one), (other, mean_other))]
    return both / math.sqrt(squares[0] * squares[1])
