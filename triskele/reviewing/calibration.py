"""Measure how often an advantage wins: games between engines, a sample of their positions, and a logistic regression.

The games are played by engines of the middle levels, all seats at the same one, from random openings: so winning
chances are those among players who make mistakes. Each sampled position is valued just as a review values it, and its
advantage compared with how the game ended.
"""

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.arena.contestants import Contestant
from triskele.arena.journal import Journal
from triskele.arena.openings import opening, usual_plies
from triskele.arena.referee import Step, Terms, play
from triskele.core.contract.engine import Limits
from triskele.core.contract.review import Curve, even_logit
from triskele.core.game import Variant
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.reviewing.valuation import valuer_of

LEVELS = (4, 5, 6, 7, 8)
SAMPLED = 8
"""Positions of each game that are valued: more of one game tell little more."""
BINS = 10
VERSION = 1
POWERS = tuple(number / 20 for number in range(10, 51))
"""The powers that are tried: from 0.5 to 2.5."""
_STEPS = 200

Reals = NDArray[np.float64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Sample:
    """A position: a seat's advantage, and the share of the win that it got in the end."""

    advantage: float
    share: float


@dataclass(frozen=True)
class Bin:
    """The samples whose predicted chance lies in a range: how many, the mean prediction, and how often they won."""

    number: int
    predicted: float
    won: float


def sample_game(variant: Variant, seed: int, number: int, nodes: int) -> list[Sample]:
    """Play a game and return samples of its positions. A function of its arguments alone, as far as nodes limit."""
    rng = random.Random(f"{seed} calibrate {number}")
    level = rng.choice(LEVELS)
    contestant = Contestant.parse(f"triskele:level={level}")
    seen: list[tuple[Position, Move]] = []

    def watch(step: Step) -> None:
        if not step.drawn:
            seen.append((step.position.copy(), step.move))

    plies = usual_plies(variant)
    moves = opening(variant, plies, seed, number) if plies else ()
    dice = random.Random(f"{seed} calibrate dice {number}")
    played = play(
        variant, [contestant] * variant.seats, Terms(), opening=moves, dice=dice, seed=f"{seed} {number}", watch=watch
    )  # fmt: skip
    shares = played.shares
    valuer = valuer_of(variant, Limits(nodes=nodes))
    valuer.get_ready()
    samples = []
    for position, move in rng.sample(seen, min(SAMPLED, len(seen))):
        found = valuer.advantages(position, move)
        samples += [Sample(advantage, shares[seat]) for seat, advantage in found.items()]
    return samples


def fit(samples: Sequence[Sample], seats: int) -> Curve:
    """Return the likeliest curve by logistic regression; what it says of an even position is given."""
    x = np.array([sample.advantage for sample in samples])
    y = np.array([sample.share for sample in samples])
    bias = even_logit(seats)
    fits = [_fit_slope(np.sign(x) * np.abs(x) ** power, y, bias) for power in POWERS]
    best = max(range(len(POWERS)), key=lambda at: fits[at][0])
    return Curve(fits[best][1], bias, POWERS[best])


def _fit_slope(x: Reals, y: Reals, bias: float) -> tuple[float, float]:
    """Return the log likelihood of the best slope, and that slope, by Newton's method."""
    slope = 1.0
    for _ in range(_STEPS):
        p = _logistic(bias + slope * x)
        change = float(x @ (y - p)) / (float((x * x) @ (p * (1 - p))) + 1e-6)
        slope += max(-1.0, min(1.0, change))
        if abs(change) < 1e-9:
            break
    p = np.clip(_logistic(bias + slope * x), 1e-9, 1 - 1e-9)
    return float(y @ np.log(p) + (1 - y) @ np.log(1 - p)), slope


def _logistic(logits: Reals) -> Reals:
    found: Reals = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return found


def reliability(samples: Sequence[Sample], curve: Curve) -> list[Bin]:
    """Return how often positions won, by predicted chance: in a good curve both are the same."""
    groups: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for sample in samples:
        chance = curve.chance(sample.advantage)
        groups[min(BINS - 1, int(chance * BINS))].append((chance, sample.share))
    means = [
        (len(group), *(sum(column) / len(group) for column in zip(*group, strict=True))) for group in groups if group
    ]
    return [Bin(*mean) for mean in means]


def brier_score(samples: Sequence[Sample], curve: Curve) -> float:
    """Return the mean square error of the chances; always saying one half gives 0.25."""
    return sum((curve.chance(each.advantage) - each.share) ** 2 for each in samples) / max(1, len(samples))


def journal_header(variant: Variant, nodes: int, seed: int) -> dict[str, Any]:
    """Return the header of the journal from which a measurement is resumed, with as many games or with more."""
    return {
        "format": "triskele-calibration-journal",
        "version": VERSION,
        "game": variant.game.name,
        "options": dict(variant.options),
        "nodes": nodes,
        "seed": seed,
    }


def measure(variant: Variant, games: int, nodes: int, seed: int, progress: Progress, journal: Journal) -> list[Sample]:
    """Play the games that the journal does not have yet, one after the other; return the samples of all."""
    for number in range(games):
        if number not in journal.results:
            samples = sample_game(variant, seed, number, nodes)
            journal.add(number, {"samples": [[sample.advantage, sample.share] for sample in samples]})
        progress(number + 1, games)
    return [Sample(*pair) for number in range(games) for pair in journal.results[number]["samples"]]


def curve_document(
    nodes: int, games: int, seed: int, measured: dict[int, tuple[Curve, Sequence[Sample]]]
) -> dict[str, Any]:
    """Return what a game's ``curve.json`` holds: the curves by number of seats, and how they were measured."""
    curves = {
        str(seats): {
            "slope": round(curve.slope, 4),
            "power": curve.power,
            "positions": len(samples),
            "brier": round(brier_score(samples, curve), 4),
            "bins": [
                [each.number, round(each.predicted, 4), round(each.won, 4)] for each in reliability(samples, curve)
            ],
        }
        for seats, (curve, samples) in sorted(measured.items())
    }
    return {"nodes": nodes, "games": games, "seed": seed, "levels": list(LEVELS), "curves": curves}


def write_document(document: dict[str, Any]) -> str:
    """Return ``curve.json`` as text."""
    return json.dumps(document, indent=1) + "\n"


def interval(bin_: Bin) -> float:
    """Return half the 95 % interval of how often a bin won."""
    return 1.96 * math.sqrt(max(bin_.won * (1 - bin_.won), 0.25 / bin_.number) / bin_.number)
