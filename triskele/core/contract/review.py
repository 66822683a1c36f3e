"""The contract for reviews of games: how a score becomes a chance to win, and exact values where a game has them.

``curve.json`` in the game's folder holds what ``triskele calibrate GAME`` has measured: the :class:`Curve` by which an
engine's score becomes a chance to win, and the nodes that the engine searches for each position of a review. A game
without this file is reviewed by the scores as they are.

``review.py`` is for a game whose scores can be worked out. It declares ``REVIEW = ExactValues(...)``. Its
``expected_scores(variant)`` returns a function from a state to the score that each seat can expect from there on. The
function knows every state of the variant, those where chance is to act included. The value of a finished game is its
scores, so that the result of a game splits into luck and skill without a rest. In a variant that is *solved* these hold
as well:

* where chance is to act, the value is the mean of the values of what can come, by their weights;
* where a seat is to act, its value is that of its best move.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from triskele.core.contract.rules import State
from triskele.core.files import read_limited
from triskele.core.game import Game, Variant

CURVE_FILE = "curve.json"
DEFAULT_NODES = 20_000
"""Nodes for each position, in a game whose curve was never measured."""
_FILE_LIMIT = 100_000
_SURE = 0.001
"""An estimate is never nearer to certainty than this."""

ExpectedScores = Callable[[State], tuple[float, ...]]
"""Returns the score that each seat can expect from a state on."""


@dataclass(frozen=True)
class Curve:
    """How an advantage becomes a chance to win: the logistic function of the even chance and the scaled advantage.

    The advantage is taken to ``power``, its sign kept, times ``slope``; ``bias`` is the logit of an even chance.
    """

    slope: float = 1.0
    bias: float = 0.0
    power: float = 1.0

    def chance(self, advantage: float) -> float:
        """Return the chance to win."""
        scaled = math.copysign(abs(advantage) ** self.power, advantage)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.bias + self.slope * scaled))))


@dataclass(frozen=True)
class Calibration:
    """What was measured for a game: the curve by the number of seats, and the nodes that it was measured with."""

    curves: Mapping[int, Curve]
    nodes: int = DEFAULT_NODES

    def curve(self, seats: int) -> Curve:
        """Return the curve for a number of seats: the one for two seats serves all for which there is no own."""
        found = self.curves.get(seats)
        if found is not None:
            return found
        usual = self.curves.get(2, Curve())
        return Curve(usual.slope, even_logit(seats), usual.power)


def even_logit(seats: int) -> float:
    """Return the logit of the chance that each seat has when all have the same; 0 for one seat alone."""
    return -math.log(seats - 1) if seats > 1 else 0.0


def advantage_of_score(score: float, seats: int) -> float:
    """Return the advantage of a seat with an engine's score: how far the logit of its share is from an even one."""
    share = score if seats == 1 else ((seats - 1) * score + 1) / seats
    share = max(_SURE, min(1 - _SURE, share))
    return math.log(share / (1 - share)) - even_logit(seats)


def calibration_of(game: Game) -> Calibration:
    """Return what was measured for a game, the defaults if nothing was."""
    path = game.folder / CURVE_FILE
    if not path.is_file():
        return Calibration({})
    data = json.loads(read_limited(path, _FILE_LIMIT))
    curves = {
        int(seats): Curve(each["slope"], even_logit(int(seats)), each["power"])
        for seats, each in data["curves"].items()
    }
    return Calibration(curves, data["nodes"])


@dataclass(frozen=True)
class ExactValues:
    """What a game's ``review.py`` declares under the name ``REVIEW``.

    ``expected_scores``  return the function that gives the value of a state of a variant
    ``unit``             return the score that counts as an advantage of 1
    ``is_solved``        return whether the values are those of best play by all seats
    """

    expected_scores: Callable[[Variant], ExpectedScores]
    unit: Callable[[Variant], float] = lambda variant: 1.0
    is_solved: Callable[[Variant], bool] = lambda variant: True


def exact_values_of(game: Game) -> ExactValues | None:
    """Return what a game's ``review.py`` declares, ``None`` if it has none."""
    declared: ExactValues | None = getattr(game.optional_module("review"), "REVIEW", None)
    return declared
