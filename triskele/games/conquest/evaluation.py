"""The evaluation of Conquest Tryad: each seat's chance to win, estimated between two rounds.

A small neural network with one hidden layer (ReLU) maps a seat's features (:data:`FEATURES`) to a strength, and a
softmax over the strengths of all seats gives their chances to win. There is a network for the quickie and one for the
marathon, each for two seats left and for more. Armies' margins (see :mod:`triskele.games.conquest.attack_margins`)
are among the features. :mod:`triskele.games.conquest.training` fits the weights.
"""

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.core.contract.evaluation import Evaluation
from triskele.core.contract.levels import level_table
from triskele.core.game import Options
from triskele.core.mathematics import exp
from triskele.core.words import Text
from triskele.games.conquest.attack_margins import NO_MARGIN, Reals, holder, margin, tokens_on
from triskele.games.conquest.explanations import explain_move
from triskele.games.conquest.geometry import BOARD, BORDER, HOME
from triskele.games.conquest.rules import (
    BEARING,
    FACES,
    IN,
    LIMIT,
    MARATHON,
    ON,
    PLAYERS,
    PURSES,
    ROUND,
    SETUP,
    STAKE,
)

Networks = NDArray[np.float64]

FEATURES = (
    "tokens on the boards", "purse", "fields", "income", "parts of triples", "tokens at home", "largest army",
    "in danger", "in near danger", "in great danger", "threatening", "threatening soon", "threatening much",
    "outnumbered fields", "fields to take", "tokens at the front", "wealth near the end",
)  # fmt: skip
NUMBER_OF_FEATURES = len(FEATURES)
(
    TOKENS, PURSE, HELD, INCOME, PARTS, GUARD, ARMY, DANGER, NEAR_DANGER, GREAT_DANGER,
    THREAT, NEAR_THREAT, GREAT_THREAT, OUTNUMBERED, TO_TAKE, FRONT, WEALTH,
) = range(NUMBER_OF_FEATURES)  # fmt: skip
NETWORKS = 4
"""The number of networks; :func:`network_of` says which one a position needs."""
HIDDEN = 12
"""Hidden units of a network.

Its weights have a row for each feature, one for the units' biases, and one for the output layer.
"""

LEVELS = level_table(
    (0.2, 60, 1, 4000, 1000),
    (0.2, 30, 1, 3700, 800),
    (0.3, 34, 1, 2500, 500),
    (0.4, 45, 1, 1550, 315),
    (0.5, 50, 1, 1000, 250),
    (0.6, 55, 1, 680, 193),
    (0.7, 62, 1, 480, 153),
    (0.8, 71, 1, 370, 127),
    (0.9, 83, 1, 265, 101),
    (None, None, None, 0, 0),
)
"""What each level has: seconds, rollouts, rounds looked ahead, noise in its judgement, and oversight.

Level 1 has more rollouts than the next ones: where most estimates are wrong, the more moves are compared, the worse
the one that comes out best. Measured by ``benchmarks/levels.py``; the results are in ``docs/levels.md``.
"""


def _income(state: State, seat: int, fields: NDArray[np.int64], features: Reals) -> None:
    """Fill in what the seat's home and triples give in a turn, and how far other triples have come."""
    home = seat * BOARD + HOME
    own = 0.0
    if holder(state, home) == seat:
        own = 3.0
    parts = 0.0
    for board in range(state[PLAYERS]):
        held = fields[board]
        if board == seat:
            held &= ~(1 << HOME)
        for number in range(1, FACES + 1):
            count = popcount(held & state[BEARING + number - 1] & ((1 << BOARD) - 1))
            own += count // 3 * number
            parts += count % 3 * number / 3.0
    features[INCOME] = min(own, state[PURSES + seat]) / 4.0
    features[PARTS] = parts / 4.0


def seat_features(state: State, seat: int, features: Reals, fields: NDArray[np.int64]) -> None:
    """Fill in a seat's features, except for the margins (see :func:`features_of_all`). ``fields`` is scratch."""
    setup = state[SETUP]
    players = state[PLAYERS]
    tokens = 0
    held = 0
    largest = 0
    outnumbered = 0
    to_take = 0
    front = 0
    for board in range(players):
        fields[board] = 0
    for field in range(players * BOARD):
        if holder(state, field) != seat:
            continue
        here = tokens_on(state, field)
        tokens += here
        held += 1
        largest = max(largest, here)
        fields[field // BOARD] |= 1 << field % BOARD
        against = 0
        for slot in range(3):
            near = BORDER[setup, field, slot]
            if near < 0:
                continue
            if state[ON + near] == 0:
                if here > 3:
                    to_take += 1
            elif holder(state, near) != seat:
                against = max(against, tokens_on(state, near))
        if against > 0:
            front += here
            if against > here + 1:
                outnumbered += 1
    features[TOKENS] = min(tokens, 80) / 10.0
    features[PURSE] = min(state[PURSES + seat], 24) / 8.0
    features[HELD] = held / 4.0
    features[GUARD] = min(tokens_on(state, seat * BOARD + HOME), 10) / 4.0
    features[ARMY] = min(largest, 24) / 8.0
    features[OUTNUMBERED] = outnumbered / 2.0
    features[TO_TAKE] = min(to_take, 8) / 4.0
    features[FRONT] = min(front, 40) / 10.0
    left = state[LIMIT] - state[ROUND]
    wealth = (tokens + state[PURSES + seat]) / state[STAKE] - 1.0
    features[WEALTH] = wealth * max(0.0, 1.0 - left / 8.0) * 4.0
    _income(state, seat, fields, features)


def features_of_all(state: State, features: Reals, path_costs: Reals, fields: NDArray[np.int64]) -> None:
    """Fill in ``features[seat]`` for every seat that is in. ``path_costs`` and ``fields`` are scratch, one a field."""
    players = state[PLAYERS]
    for seat in range(players):
        if state[IN] >> seat & 1:
            seat_features(state, seat, features[seat], fields)
            features[seat, DANGER] = NO_MARGIN
            features[seat, THREAT] = NO_MARGIN
    for attacker in range(players):
        for target in range(players):
            if attacker != target and state[IN] >> attacker & 1 and state[IN] >> target & 1:
                found = margin(state, attacker, target, path_costs)
                features[target, DANGER] = max(features[target, DANGER], found)
                features[attacker, THREAT] = max(features[attacker, THREAT], found)
    for seat in range(players):
        if state[IN] >> seat & 1:
            danger = features[seat, DANGER]
            threat = features[seat, THREAT]
            features[seat, DANGER] = max(NO_MARGIN, min(9.0, danger)) / 6.0
            features[seat, NEAR_DANGER] = 1.0 / (1.0 + exp(-0.5 * (danger + 4.0)))
            features[seat, GREAT_DANGER] = 1.0 / (1.0 + exp(-0.7 * danger))
            features[seat, THREAT] = max(NO_MARGIN, min(9.0, threat)) / 6.0
            features[seat, NEAR_THREAT] = 1.0 / (1.0 + exp(-0.5 * (threat + 4.0)))
            features[seat, GREAT_THREAT] = 1.0 / (1.0 + exp(-0.7 * threat))


def network_of(state: State) -> int:
    """Return the index of the network for a position: by the version, and whether more than two seats are left."""
    return int(2 * state[MARATHON] + (1 if popcount(state[IN]) > 2 else 0))


def strength(features: Reals, seat: int, weights: Networks, network: int) -> float:
    """Return the output of a network for a seat's features."""
    total = 0.0
    for unit in range(HIDDEN):
        activation = weights[network, NUMBER_OF_FEATURES, unit]
        for feature in range(NUMBER_OF_FEATURES):
            activation += weights[network, feature, unit] * features[seat, feature]
        if activation > 0.0:
            total += activation * weights[network, NUMBER_OF_FEATURES + 1, unit]
    return float(total)


def chances(
    state: State, weights: Networks, features: Reals, path_costs: Reals, fields: NDArray[np.int64], out: Reals
) -> None:
    """Fill ``out`` with every seat's chance to win between two rounds. From ``features`` to ``fields`` is scratch."""
    features_of_all(state, features, path_costs, fields)
    network = network_of(state)
    total = 0.0
    for seat in range(state[PLAYERS]):
        out[seat] = 0.0
        if state[IN] >> seat & 1:
            out[seat] = exp(max(-30.0, min(30.0, strength(features, seat, weights, network))))
            total += out[seat]
    for seat in range(state[PLAYERS]):
        out[seat] /= total


@functools.cache
def load_networks() -> tuple[Networks, Reals]:
    """Return the shipped networks and the policy parameters."""
    with np.load(Path(__file__).with_name("weights.npz")) as stored:
        return stored["weights"].astype(np.float64), stored["plan"].astype(np.float64)


def explain(options: Options, state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Return why the first move of a line is good, or ``None``."""
    return explain_move(state, codes[0], seat)


EVALUATION = Evaluation(levels=LEVELS, explain=explain)
