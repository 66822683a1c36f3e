"""Ratings of games with three seats and more: openskill's Plackett-Luce model, on the scale of all ratings.

The model says that each place goes to one of those left with odds that grow with their strength. openskill divides
differences by the root of all variances, which grows with the number of seats; ``beta`` makes up for it, so that 400
points are the same odds between two of six players as between two of two.
"""

import functools
import importlib
import math
from collections.abc import Sequence
from typing import Any

from triskele.core.errors import TriskeleError
from triskele.core.words import text
from triskele.rating.scale import DEVIATION, MEAN, POINTS, Rating


def openskill_models() -> Any:
    """Return openskill's module of models; ``TriskeleError`` says how to install it."""
    try:
        return importlib.import_module("openskill.models")
    except ImportError:
        raise TriskeleError(text("arena.openskill-missing")) from None


@functools.cache
def _model(seats: int) -> Any:
    return openskill_models().PlackettLuce(
        mu=MEAN, sigma=DEVIATION, beta=POINTS / math.sqrt(seats), tau=0.0, gamma=_whole
    )


def _whole(*about: Any) -> float:
    """Let a game reduce the variance as far as it informs; openskill's own choice leaves intervals too wide."""
    return 1.0


def update(players: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings after a game; ``places`` count from 0, equal ones are shared."""
    model = _model(len(players))
    teams = [[model.create_rating([player.value, player.deviation])] for player in players]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [player.moved(team[0].mu, team[0].sigma) for player, team in zip(players, after, strict=True)]
