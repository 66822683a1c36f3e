"""What engines know of Conquest Tryad beyond the rules: how strong each seat stands.

A seat's strength is a sum of facts (:data:`FACTS`) times learned weights, and its chance to win its share when
all strengths are compared (a softmax). Facts mean different things at different moments of a round, so
there are weights for each *moment* and, within a turn, for the seat whose turn it is and for the others.

The most telling fact is how near an army is to a home. Every field on the way costs tokens: what its
defenders and the dice take on average, and the one that has to stay. What an army has left over
when it arrives is its *margin*. The averages are exact, from :mod:`triskele.games.conquest.odds`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.games.conquest import odds
from triskele.games.conquest.card import CARD
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME, SETUPS
from triskele.games.conquest.rules import (
    BEARING,
    FACES,
    IN,
    LIMIT,
    NUMBERS,
    ON,
    PLAYERS,
    PURSES,
    ROUND,
    SEAT,
    SEATS,
    SETUP,
    STAKE,
)

Reals = NDArray[np.float64]
Network = NDArray[np.float32]
"""Weights: a row for each input, one for the hidden units' own numbers, one for what they add to the strength."""
Room = tuple[Reals, Reals, NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]
"""Scratch: facts, needed, fields, inputs, hidden."""

# --- what fighting costs on average -------------------------------------------------------------------


def _cost_of_empty() -> Reals:
    """Return the tokens that three attackers at a time lose until they take an empty field, by its number."""
    costs = np.zeros(FACES + 1)
    for number in range(1, FACES + 1):
        chances = odds.against_empty(odds.MOST, number)
        lost = sum(float(share) * max(tokens, 0) for tokens, share in chances.items())
        costs[number] = lost / float(chances[odds.TAKEN])
    return costs


MOST_DEFENDERS = 64


def _cost_of_held() -> Reals:
    """Return the tokens that three attackers at a time lose until so many defenders are gone."""
    costs = np.zeros(MOST_DEFENDERS + 1)
    for defenders in range(1, MOST_DEFENDERS + 1):
        total, going_on = 0.0, 0.0
        for (lost, won), share in odds.against_held(odds.MOST, min(odds.MOST, defenders)).items():
            total += float(share) * (lost + (costs[defenders - won] if won else 0.0))
            going_on += 0.0 if won else float(share)
        costs[defenders] = total / (1 - going_on)
    return costs


EMPTY_COST = _cost_of_empty()
HELD_COST = _cost_of_held()

# --- where homes are attacked from ----------------------------------------------------------------------

REACH = 9
"""Armies further from a home than this many borders are no threat yet."""


def _around() -> NDArray[np.int64]:
    """Return for each setup and seat the fields within reach of its home, nearest first, -1 behind the last."""
    table = np.full((len(SETUPS), SEATS, FIELDS), -1, dtype=np.int64)
    for setup, (_, players) in enumerate(SETUPS):
        for seat in range(players):
            home = seat * BOARD + HOME
            found, edge = [home], [home]
            for _ in range(REACH):
                near = {int(n) for field in edge for n in BORDER[setup, field] if n >= 0}
                edge = sorted(near - set(found))
                found += edge
            table[setup, seat, : len(found)] = found
    return table


AROUND = _around()

# --- facts ----------------------------------------------------------------------------------------------

FACTS = (
    "tokens on the boards", "purse", "fields", "income", "parts of triples", "tokens at home", "largest army",
    "in danger", "near danger", "in great danger", "threatening", "threatening soon", "threatening much",
    "outnumbered fields", "fields to take",
    "tokens at the front", "wealth near the end",
)  # fmt: skip
NUMBER_OF_FACTS = len(FACTS)
(
    TOKENS, PURSE, HELD, INCOME, PARTS, GUARD, ARMY, DANGER, NEAR_DANGER, GREAT_DANGER,
    THREAT, NEAR_THREAT, GREAT_THREAT, OUTNUMBERED, TO_TAKE, FRONT, WEALTH,
) = range(NUMBER_OF_FACTS)  # fmt: skip

BETWEEN, LATE, EARLY = range(3)
"""The moments of a round at which positions are judged: between rounds, at the end of a conquest, and before one."""

_FAR = -18.0


def margin(state: State, attacker: int, target: int, needed: Reals) -> float:
    """Return what the attacker's best army would have left at the target's home; -18 if none is near.

    ``needed`` is scratch, one number a field.
    """
    setup = state[SETUP]
    home = target * BOARD + HOME
    best = _FAR
    for index in range(FIELDS):
        field = AROUND[setup, target, index]
        if field < 0:
            break
        needed[field] = 99.0
    needed[home] = 0.0
    # The second time round for ways that lead away from the home for a while.
    for _ in range(2):
        for index in range(1, FIELDS):
            field = AROUND[setup, target, index]
            if field < 0:
                break
            least = needed[field]
            for slot in range(3):
                near = BORDER[setup, field, slot]
                if near < 0 or needed[near] >= 99.0 or (state[ON + near] & 7) - 1 == attacker:
                    continue
                defenders = min(state[ON + near] >> 3, MOST_DEFENDERS)
                cost = needed[near] + HELD_COST[defenders] + EMPTY_COST[state[NUMBERS + near % BOARD]] + 1.0
                least = min(least, cost)
            needed[field] = least
    for index in range(1, FIELDS):
        field = AROUND[setup, target, index]
        if field < 0:
            break
        if (state[ON + field] & 7) - 1 == attacker:
            best = max(best, (state[ON + field] >> 3) - 1.0 - needed[field])
    return best


def _income(state: State, seat: int, fields: NDArray[np.int64], facts: Reals) -> None:
    """Note what the seat's home and triples would give in a turn, and how far other triples have come."""
    home = seat * BOARD + HOME
    own = 0.0
    if (state[ON + home] & 7) - 1 == seat:
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
        if (state[ON + field] & 7) - 1 != seat:
            continue
        here = state[ON + field] >> 3
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
            elif (state[ON + near] & 7) - 1 != seat:
                against = max(against, state[ON + near] >> 3)
        if against > 0:
            front += here
            if against > here + 1:
                outnumbered += 1
    facts[TOKENS] = min(tokens, 80) / 10.0
    facts[PURSE] = min(state[PURSES + seat], 24) / 8.0
    facts[HELD] = held / 4.0
    facts[GUARD] = min(state[ON + seat * BOARD + HOME] >> 3, 10) / 4.0
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
            facts[seat, DANGER] = _FAR
            facts[seat, THREAT] = _FAR
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
            facts[seat, DANGER] = max(_FAR, min(9.0, danger)) / 6.0
            facts[seat, NEAR_DANGER] = 1.0 / (1.0 + math.exp(-0.5 * (danger + 4.0)))
            facts[seat, GREAT_DANGER] = 1.0 / (1.0 + math.exp(-0.7 * danger))
            facts[seat, THREAT] = max(_FAR, min(9.0, threat)) / 6.0
            facts[seat, NEAR_THREAT] = 1.0 / (1.0 + math.exp(-0.5 * (threat + 4.0)))
            facts[seat, GREAT_THREAT] = 1.0 / (1.0 + math.exp(-0.7 * threat))


# --- the network --------------------------------------------------------------------------------------------


def _neighbours() -> NDArray[np.int64]:
    """Return for each setup and seat the boards at its left side, right side and base; -1 for none."""
    left, right, base = (CARD.index(name) for name in ("c1", "c5", "d3"))
    table = np.full((len(SETUPS), SEATS, 3), -1, dtype=np.int64)
    for setup, (_, players) in enumerate(SETUPS):
        for seat in range(players):
            for side, field in enumerate((left, right, base)):
                for near in BORDER[setup, seat * BOARD + field]:
                    if near >= 0 and near // BOARD != seat:
                        table[setup, seat, side] = near // BOARD
    return table


NEIGHBOURS = _neighbours()

PER_FIELD = 4
BOARDS_SEEN = 4
"""The own board and up to three at its sides."""
_GLOBAL = BOARDS_SEEN * BOARD * PER_FIELD + NUMBER_OF_FACTS
INPUTS = _GLOBAL + 12
HIDDEN = 24


def fill_inputs(state: State, seat: int, moment: int, facts: Reals, inputs: NDArray[np.float32]) -> None:
    """Fill in what the network sees for a seat; ``facts`` are described already."""
    players = state[PLAYERS]
    at = 0
    for side in range(BOARDS_SEEN):
        board = seat if side == 0 else NEIGHBOURS[state[SETUP], seat, side - 1]
        for index in range(BOARD):
            own = 0
            other = 0
            if board >= 0:
                on = state[ON + board * BOARD + index]
                if on != 0:
                    if (on & 7) - 1 == seat:
                        own = on >> 3
                    else:
                        other = on >> 3
            inputs[at] = 1.0 if own > 0 else 0.0
            inputs[at + 1] = min(own, 16) / 4.0
            inputs[at + 2] = 1.0 if other > 0 else 0.0
            inputs[at + 3] = min(other, 16) / 4.0
            at += PER_FIELD
    for fact in range(NUMBER_OF_FACTS):
        inputs[at] = facts[seat, fact]
        at += 1
    mover = state[SEAT] == seat
    for choice in range(3):
        inputs[at + choice] = 1.0 if moment == choice and (mover or choice == BETWEEN) else 0.0
        inputs[at + 3 + choice] = 1.0 if moment == choice and not mover and choice != BETWEEN else 0.0
    at += 6
    for count in range(5):
        inputs[at + count] = 1.0 if popcount(state[IN]) == count + 2 else 0.0
    inputs[at + 5] = players / 6.0


def strength(inputs: NDArray[np.float32], network: Network, hidden: NDArray[np.float32]) -> float:
    """Return what the network makes of a seat's inputs."""
    for unit in range(HIDDEN):
        hidden[unit] = network[INPUTS, unit]
    for i in range(INPUTS):
        value = inputs[i]
        if value != 0.0:
            for unit in range(HIDDEN):
                hidden[unit] += value * network[i, unit]
    total = 0.0
    for unit in range(HIDDEN):
        total += max(hidden[unit], np.float32(0.0)) * network[INPUTS + 1, unit]
    return total


def win_chance(state: State, seat: int, moment: int, network: Network, room: Room) -> float:
    """Return the chance of a seat to win."""
    if state[IN] >> seat & 1 == 0:
        return 0.0
    if state[IN] == 1 << seat:
        return 1.0
    facts, needed, fields, inputs, hidden = room
    describe(state, facts, needed, fields)
    own = 0.0
    total = 0.0
    for other in range(state[PLAYERS]):
        if state[IN] >> other & 1:
            fill_inputs(state, other, moment, facts, inputs)
            part = math.exp(max(-30.0, min(30.0, strength(inputs, network, hidden))))
            total += part
            if other == seat:
                own = part
    return own / total
