"""Ratings of games with three seats and more: openskill's Plackett-Luce model, on the scale of all ratings.

The model says that each place goes to one of those left with odds that grow with their strength. openskill works out
what a result says about each player: which way (its omega), and how much it tells (its delta). By its own rules it
divides differences by the root of all variances, and subtracts what a game tells from the variance; then ratings
spread too far and intervals hold half of what they promise (``python benchmarks/ratings.py`` measured 50 % instead of
95 %). Here both are used as Glicko-2 uses them: 400 points are the same odds at every table, a game against uncertain
opponents counts less, and what it tells is added to the precision. So a table of two would be rated alike by both.
"""

import importlib
import math
from collections.abc import Sequence
from typing import Any

from triskele.core.errors import TriskeleError
from triskele.core.words import text
from triskele.rating.scale import MEAN, POINTS, Rating

_SMALL = 1e-4
"""The deviations that openskill sees are smaller by this factor, so that it adds nothing to the scale."""
_LOGISTIC = 3 / math.pi**2
"""The variance of a normal distribution against that of the logistic one: the 3 / pi² of Glicko's g."""


def openskill_models() -> Any:
    """Return openskill's module of models; ``TriskeleError`` says how to install it."""
    try:
        return importlib.import_module("openskill.models")
    except ImportError:
        raise TriskeleError(text("arena.openskill-missing")) from None


def _whole(*about: Any) -> float:
    """Take all that a game tells; openskill's own choice takes less of it the more certain a player is."""
    return 1.0


def update(players: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings after a game; ``places`` count from 0, equal ones are shared."""
    uncertain = math.fsum(player.deviation**2 for player in players) / len(players)
    scale = math.sqrt(POINTS**2 + _LOGISTIC * uncertain)
    model = openskill_models().PlackettLuce(beta=scale / math.sqrt(len(players)), tau=0.0, gamma=_whole)
    teams = [[model.create_rating([player.value - MEAN, _SMALL * player.deviation])] for player in players]
    after = model.rate(teams, ranks=[float(place) for place in places])
    directions = [(team[0].mu - (own.value - MEAN)) / _SMALL**2 for own, team in zip(players, after, strict=True)]
    told = [(1 - (team[0].sigma / spread[0].sigma) ** 2) for team, spread in zip(after, teams, strict=True)]
    # A loser was there at more of the choices than the winner, so the model tells more about losers. If their
    # deviations shrank faster than those of winners, who then move further, all ratings would rise: all share it.
    information = math.fsum(
        each / (_SMALL * player.deviation) ** 2 for each, player in zip(told, players, strict=True)
    ) / len(players)
    return [
        _moved(player, direction, 1 + information * player.deviation**2)
        for player, direction in zip(players, directions, strict=True)
    ]


def _moved(player: Rating, direction: float, precision: float) -> Rating:
    """Return a rating after a step in a direction, which is smaller the more precise the rating becomes by it."""
    return player.moved(player.value + direction / precision, player.deviation / math.sqrt(precision))
