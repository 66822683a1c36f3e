"""What engines know of Conquest Tryad beyond the rules: each seat's chance to win, judged between two rounds.

A seat's strength comes from facts (:data:`FACTS`) through a small learned network with one layer of hidden units, and
its chance to win is its share when all strengths are compared (a softmax). There is a network for the quickie and
one for the marathon, each for two seats left and for more. Armies' margins (see
:mod:`triskele.games.conquest.marches`) are among the facts.
"""

import functools
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.words import Text
from triskele.games.conquest.geometry import BOARD, BORDER, HOME
from triskele.games.conquest.marches import NO_MARGIN, Reals, holder, margin, tokens_on
from triskele.games.conquest.remarks import reason
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

FACTS = (
    "tokens on the boards", "purse", "fields", "income", "parts of triples", "tokens at home", "largest army",
    "in danger", "in near danger", "in great danger", "threatening", "threatening soon", "threatening much",
    "outnumbered fields", "fields to take", "tokens at the front", "wealth near the end",
)  # fmt: skip
NUMBER_OF_FACTS = len(FACTS)
(
    TOKENS, PURSE, HELD, INCOME, PARTS, GUARD, ARMY, DANGER, NEAR_DANGER, GREAT_DANGER,
    THREAT, NEAR_THREAT, GREAT_THREAT, OUTNUMBERED, TO_TAKE, FRONT, WEALTH,
) = range(NUMBER_OF_FACTS)  # fmt: skip
NETWORKS = 4
"""See :func:`network_of`."""
HIDDEN = 12
"""Hidden units of a network.

Its weights have a row for each fact, one for the units' own numbers, and one for what each adds to the strength.
"""

LEVELS = (
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
"""What each level has: seconds, imagined games, rounds, and how far its judgement and imagination are off.

Level 1 imagines more than the next ones: whoever is wrong about most moves does worse the more of them he considers.
"""


def _income(state: State, seat: int, fields: NDArray[np.int64], facts: Reals) -> None:
    """Note what the seat's home and triples would give in a turn, and how far other triples have come."""
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
    facts[INCOME] = min(own, state[PURSES + seat]) / 4.0
    facts[PARTS] = parts / 4.0


def seat_facts(state: State, seat: int, facts: Reals, fields: NDArray[np.int64]) -> None:
    """Fill in a seat's facts, except for those about homes (see :func:`describe`). ``fields`` is scratch."""
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
    facts[TOKENS] = min(tokens, 80) / 10.0
    facts[PURSE] = min(state[PURSES + seat], 24) / 8.0
    facts[HELD] = held / 4.0
    facts[GUARD] = min(tokens_on(state, seat * BOARD + HOME), 10) / 4.0
    facts[ARMY] = min(largest, 24) / 8.0
    facts[OUTNUMBERED] = outnumbered / 2.0
    facts[TO_TAKE] = min(to_take, 8) / 4.0
    facts[FRONT] = min(front, 40) / 10.0
    left = state[LIMIT] - state[ROUND]
    wealth = (tokens + state[PURSES + seat]) / state[STAKE] - 1.0
    facts[WEALTH] = wealth * max(0.0, 1.0 - left / 8.0) * 4.0
    _income(state, seat, fields, facts)


def describe(state: State, facts: Reals, needed: Reals, fields: NDArray[np.int64]) -> None:
    """Fill in ``facts[seat]`` for every seat that is in. ``needed`` and ``fields`` are scratch, one number a field."""
    players = state[PLAYERS]
    for seat in range(players):
        if state[IN] >> seat & 1:
            seat_facts(state, seat, facts[seat], fields)
            facts[seat, DANGER] = NO_MARGIN
            facts[seat, THREAT] = NO_MARGIN
    for attacker in range(players):
        for target in range(players):
            if attacker != target and state[IN] >> attacker & 1 and state[IN] >> target & 1:
                found = margin(state, attacker, target, needed)
                facts[target, DANGER] = max(facts[target, DANGER], found)
                facts[attacker, THREAT] = max(facts[attacker, THREAT], found)
    for seat in range(players):
        if state[IN] >> seat & 1:
            danger = facts[seat, DANGER]
            threat = facts[seat, THREAT]
            facts[seat, DANGER] = max(NO_MARGIN, min(9.0, danger)) / 6.0
            facts[seat, NEAR_DANGER] = 1.0 / (1.0 + math.exp(-0.5 * (danger + 4.0)))
            facts[seat, GREAT_DANGER] = 1.0 / (1.0 + math.exp(-0.7 * danger))
            facts[seat, THREAT] = max(NO_MARGIN, min(9.0, threat)) / 6.0
            facts[seat, NEAR_THREAT] = 1.0 / (1.0 + math.exp(-0.5 * (threat + 4.0)))
            facts[seat, GREAT_THREAT] = 1.0 / (1.0 + math.exp(-0.7 * threat))


def network_of(state: State) -> int:
    """Return which network judges a position: by the version, and whether two or more seats are left."""
    return int(2 * state[MARATHON] + (1 if popcount(state[IN]) > 2 else 0))


def strength(facts: Reals, seat: int, weights: Networks, network: int) -> float:
    """Return what a network makes of a seat's facts."""
    total = 0.0
    for unit in range(HIDDEN):
        active = weights[network, NUMBER_OF_FACTS, unit]
        for fact in range(NUMBER_OF_FACTS):
            active += weights[network, fact, unit] * facts[seat, fact]
        if active > 0.0:
            total += active * weights[network, NUMBER_OF_FACTS + 1, unit]
    return float(total)


def chances(
    state: State, weights: Networks, facts: Reals, needed: Reals, fields: NDArray[np.int64], out: Reals
) -> None:
    """Fill in every seat's chance to win, as it stands between two rounds. What is between is scratch."""
    describe(state, facts, needed, fields)
    network = network_of(state)
    total = 0.0
    for seat in range(state[PLAYERS]):
        out[seat] = 0.0
        if state[IN] >> seat & 1:
            out[seat] = math.exp(max(-30.0, min(30.0, strength(facts, seat, weights, network))))
            total += out[seat]
    for seat in range(state[PLAYERS]):
        out[seat] /= total


@functools.cache
def load() -> tuple[Networks, Reals]:
    """Return the shipped networks, and the numbers of the general's plan."""
    with np.load(Path(__file__).with_name("weights.npz")) as stored:
        return stored["weights"].astype(np.float64), stored["plan"].astype(np.float64)


def remark(options: Options, state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Say why the first move of a line is good; ``None`` where nothing particular is to be said."""
    return reason(state, codes[0], seat)
