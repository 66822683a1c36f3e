"""Attack paths: the distance from armies to homes, and the expected cost of fighting along the cheapest path.

Every field on a path costs tokens: the expected losses in its battles, and the one token that has to stay on it. What
an army has left when it arrives at a home is its *margin*; a negative margin is what it lacks. The expectations are
exact, from :mod:`triskele.games.conquest.odds`. The functions over states stay within what Numba compiles.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.games.conquest import odds
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME, SETUPS
from triskele.games.conquest.rules import FACES, NUMBERS, ON, SEATS, SETUP

Reals = NDArray[np.float64]

# --- chances and costs ----------------------------------------------------------------------------------

LARGEST_ARMY = 30
"""Larger armies and garrisons are looked up as if they had this many tokens."""


def _chances() -> NDArray[np.int16]:
    """Return the chance to take a field, in thousandths: by its defenders, its number, the army and repulses so far.

    The numbers are narrow because the table is the largest part of the game's WebAssembly module.
    """
    table = np.zeros((LARGEST_ARMY + 1, FACES + 1, LARGEST_ARMY + 1, odds.REPULSES + 1), dtype=np.int16)
    for defenders in range(LARGEST_ARMY + 1):
        table[defenders, 1:] = np.rint(1000 * odds.chances_to_take(defenders)[:, : LARGEST_ARMY + 1])
    return table


def _cost_of_empty() -> Reals:
    """Return how many tokens an army is expected to lose taking an empty field three at a time, by the number on it."""
    costs = np.zeros(FACES + 1)
    for number in range(1, FACES + 1):
        chances = odds.against_empty(odds.MOST, number)
        lost = sum(float(share) * max(tokens, 0) for tokens, share in chances.items())
        costs[number] = lost / float(chances[odds.TAKEN])
    return costs


MOST_DEFENDERS = 64
"""Larger garrisons cost as much as one of this size."""


def _cost_of_held() -> Reals:
    """Return how many tokens an army is expected to lose beating a garrison three at a time, by its defenders."""
    costs = np.zeros(MOST_DEFENDERS + 1)
    for defenders in range(1, MOST_DEFENDERS + 1):
        total, going_on = 0.0, 0.0
        for (lost, won), share in odds.against_held(odds.MOST, min(odds.MOST, defenders)).items():
            total += float(share) * (lost + (costs[defenders - won] if won else 0.0))
            going_on += 0.0 if won else float(share)
        costs[defenders] = total / (1 - going_on)
    return costs


CHANCES = _chances()
EMPTY_COST = _cost_of_empty()
HELD_COST = _cost_of_held()

# --- paths ----------------------------------------------------------------------------------------------

FAR = 99
"""Infinity in :data:`STEPS` and in the costs of paths: more than any real value."""
REACH = 9
"""Paths are searched up to this many borders around a home; armies further away count as no threat."""


def _steps() -> NDArray[np.int64]:
    """Return for each setup and seat the distance of each field from the seat's home, in borders (breadth first)."""
    table = np.full((len(SETUPS), SEATS, FIELDS), FAR, dtype=np.int64)
    for setup, (_, players) in enumerate(SETUPS):
        for seat in range(players):
            edge = [seat * BOARD + HOME]
            table[setup, seat, edge[0]] = 0
            while edge:
                field = edge.pop(0)
                for near in BORDER[setup, field].tolist():
                    if near >= 0 and table[setup, seat, near] == FAR:
                        table[setup, seat, near] = table[setup, seat, field] + 1
                        edge.append(near)
    return table


STEPS = _steps()


def _fields_in_reach() -> NDArray[np.int64]:
    """Return for each setup and seat the fields within ``REACH`` of its home, nearest first, padded with -1."""
    table = np.full((len(SETUPS), SEATS, FIELDS), -1, dtype=np.int64)
    for setup, (_, players) in enumerate(SETUPS):
        for seat in range(players):
            order = np.argsort(STEPS[setup, seat], kind="stable")
            near = order[STEPS[setup, seat, order] <= REACH]
            table[setup, seat, : len(near)] = near
    return table


FIELDS_IN_REACH = _fields_in_reach()
NO_MARGIN = -18.0
"""The margin of a seat without an army in reach."""


def tokens_on(state: State, field: int) -> int:
    """Return the number of tokens on a field (compiles, unlike the function in ``board_queries``)."""
    return int(state[ON + field] >> 3)


def holder(state: State, field: int) -> int:
    """Return the seat that holds a field, -1 for nobody."""
    return int(state[ON + field] & 7) - 1


def chance_to_take(state: State, target: int, army: int, repulses: int) -> int:
    """Return the chance that an army on one bordering field takes a field this turn, in thousandths."""
    defenders = min(tokens_on(state, target), LARGEST_ARMY)
    return int(CHANCES[defenders, state[NUMBERS + target % BOARD], min(army, LARGEST_ARMY), repulses])


def cost(state: State, field: int) -> float:
    """Return how many tokens taking a field is expected to cost, the one that stays on it included."""
    defenders = min(tokens_on(state, field), MOST_DEFENDERS)
    return float(HELD_COST[defenders] + EMPTY_COST[state[NUMBERS + field % BOARD]] + 1.0)


def margin(state: State, attacker: int, target: int, path_costs: Reals) -> float:
    """Return the largest margin that an army of ``attacker`` has at the home of ``target``.

    ``path_costs`` is scratch of ``FIELDS`` numbers; afterwards ``path_costs[field]`` is the expected cost of the
    cheapest path from a field within ``REACH`` to that home. Costs are relaxed in two sweeps from the home outwards,
    not to the end: a path that turns back more than once may be missed.
    """
    setup = state[SETUP]
    best = NO_MARGIN
    for index in range(FIELDS):
        field = FIELDS_IN_REACH[setup, target, index]
        if field < 0:
            break
        path_costs[field] = FAR
    path_costs[target * BOARD + HOME] = 0.0
    # The second sweep is for paths that lead away from the home for a while.
    for _ in range(2):
        for index in range(1, FIELDS):
            field = FIELDS_IN_REACH[setup, target, index]
            if field < 0:
                break
            least = path_costs[field]
            for slot in range(3):
                near = BORDER[setup, field, slot]
                if near < 0 or STEPS[setup, target, near] > REACH or holder(state, near) == attacker:
                    continue
                if path_costs[near] < least:
                    least = min(least, path_costs[near] + cost(state, near))
            path_costs[field] = least
    for index in range(1, FIELDS):
        field = FIELDS_IN_REACH[setup, target, index]
        if field < 0:
            break
        if holder(state, field) == attacker:
            best = max(best, tokens_on(state, field) - 1.0 - path_costs[field])
    return best
