"""Glicko-2, as Mark Glickman's paper "Example of the Glicko-2 system" describes it; its steps are numbered here."""

import math
from collections.abc import Sequence

from triskele.rating.scale import MEAN, POINTS, Rating

TAU = 0.5
"""The system constant: how freely volatilities change. The paper's own; 0.3 to 1.2 are usual."""
_PRECISION = 1e-6
Played = tuple[Rating, float]
"""A game of a period: the opponent before it, and the score (1 a win, 0.5 a draw, 0 a loss)."""


def update(player: Rating, games: Sequence[Played], periods: float = 1.0) -> Rating:
    """Return the rating of a player after the games of a period, of which only a part may have passed."""
    if not games:
        return player.aged(periods)
    # Step 2: to the scale of the model.
    mu, phi, sigma = (player.value - MEAN) / POINTS, player.deviation / POINTS, player.volatility
    # Steps 3 and 4: the variance of what the games say, and the improvement that they suggest.
    information = surprise = 0.0
    for opponent, score in games:
        weight = _weight(opponent.deviation / POINTS)
        expected = 1 / (1 + math.exp(-weight * (mu - (opponent.value - MEAN) / POINTS)))
        information += weight * weight * expected * (1 - expected)
        surprise += weight * (score - expected)
    variance = 1 / information
    # Step 5.
    volatility = _volatility(phi, sigma, variance, variance * surprise)
    # Steps 6 and 7; with one game at a time a fraction of a period has passed since the last.
    before = phi * phi + periods * volatility * volatility
    deviation = 1 / math.sqrt(1 / before + information)
    # Step 8: back to points.
    value = player.value + POINTS * deviation * deviation * surprise
    return player.moved(value, POINTS * deviation, volatility)


def _weight(phi: float) -> float:
    """Return how much a game against an opponent of this deviation counts: the paper's g."""
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def _volatility(phi: float, sigma: float, variance: float, improvement: float) -> float:
    """Find the new volatility by the Illinois algorithm, as the paper's step 5 says."""
    start = math.log(sigma * sigma)
    squared = improvement * improvement

    def slope(x: float) -> float:
        grown = math.exp(x)
        total = phi * phi + variance + grown
        return grown * (squared - total) / (2 * total * total) - (x - start) / (TAU * TAU)

    low = start
    if squared > phi * phi + variance:
        high = math.log(squared - phi * phi - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
