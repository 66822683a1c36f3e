"""Ratings with intervals, from the games of a tournament.

For two seats: Elo by maximum likelihood (Bradley and Terry's model, draws as half a win each), which does
not depend on the order of games. For more seats: openskill's Plackett-Luce model, game after game in
their order; its scale is its own (25 at the start, give or take 8.3).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.arena.statistics import Z95
from triskele.rating.plackett_luce import openskill_models

_ELO = 400 / math.log(10)
_PRIOR = 0.5
"""The wins and losses added between any two players who met, so that no rating is infinite."""


@dataclass(frozen=True)
class Rating:
    """A rating with its 95 % interval."""

    value: float
    low: float
    high: float


def elo_ratings(players: int, results: Sequence[Mapping[str, Any]]) -> list[Rating]:
    """Return Elo ratings around 0 from games of two seats (``seated`` and ``shares`` of each are used).

    Intervals are those of the difference from the average of all players.
    """
    points = np.zeros((players, players))
    for result in results:
        one, other = result["seated"]
        if one != other:
            points[one, other] += result["shares"][0]
            points[other, one] += result["shares"][1]
    met = points + points.T > 0
    points[met] += _PRIOR
    strength, spread = _bradley_terry(points)
    half = Z95 * _ELO * spread
    return [Rating(_ELO * s, _ELO * s - h, _ELO * s + h) for s, h in zip(strength.tolist(), half.tolist(), strict=True)]


def _bradley_terry(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return log strengths that sum to zero, and their standard deviations, by Newton's method."""
    games = points + points.T
    strength = np.zeros(len(points))
    information = np.zeros_like(points)
    for _ in range(200):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (points - games * expected).sum(axis=1)
        weight = games * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        # The pseudo-inverse leaves the sum of strengths alone: the likelihood does not depend on it.
        step = np.linalg.pinv(information, rcond=1e-10) @ gradient
        strength += step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-10:
            break
    strength -= strength.mean()
    return strength, np.sqrt(np.maximum(np.diag(np.linalg.pinv(information, rcond=1e-10)), 0.0))


def openskill_ratings(players: int, results: Sequence[Mapping[str, Any]]) -> list[Rating]:
    """Return openskill's ratings (Plackett-Luce) from games of any number of seats, in their order.

    Winners come first, the others by their scores. A player at several seats gets the mean of their updates.
    """
    model = openskill_models().PlackettLuce()
    current = [(model.rating().mu, model.rating().sigma)] * players
    for result in results:
        seated = result["seated"]
        teams = [[model.create_rating(list(current[number]))] for number in seated]
        rated = [(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=ranks(result))]
        for number in set(seated):
            own = [rated[seat] for seat, other in enumerate(seated) if other == number]
            current[number] = (math.fsum(mu for mu, _ in own) / len(own), math.fsum(s for _, s in own) / len(own))
    return [Rating(mu, mu - Z95 * sigma, mu + Z95 * sigma) for mu, sigma in current]


def ranks(result: Mapping[str, Any]) -> list[float]:
    """Return the rank of each seat from 0, the best; equal results have equal ranks."""
    failed = result["failure"]["seat"] if "failure" in result else None
    keys = [
        (seat == failed, -share, -score)
        for seat, (share, score) in enumerate(zip(result["shares"], result["scores"], strict=True))
    ]
    order = sorted(set(keys))
    return [float(order.index(key)) for key in keys]
