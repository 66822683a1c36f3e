"""Marches: how far armies are from homes, and what fighting the way there costs on average.

Every field on the way costs tokens: what its defenders and the dice take, and the one that has to stay. What
an army has left over when it arrives is its *margin*. The averages are exact, from :mod:`triskele.games.conquest.odds`.
Everything here stays within what Numba compiles.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.games.conquest import odds
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME, SETUPS
from triskele.games.conquest.rules import FACES, NUMBERS, ON, SEATS, SETUP

Reals = NDArray[np.float64]

# --- chances and costs ----------------------------------------------------------------------------------

FORESEEN = 30
"""Armies above this size have the chances of this size."""


def _chances() -> NDArray[np.int64]:
    """Return the chance in a thousand to take a field, by its defenders, number, the army and repulses so far."""
    table = np.zeros((FORESEEN + 1, FACES + 1, FORESEEN + 1, odds.REPULSES + 1), dtype=np.int64)
    for defenders in range(FORESEEN + 1):
        table[defenders, 1:] = np.rint(1000 * odds.chances_to_take(defenders)[:, : FORESEEN + 1])
    return table


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


CHANCES = _chances()
EMPTY_COST = _cost_of_empty()
HELD_COST = _cost_of_held()

# --- ways -----------------------------------------------------------------------------------------------

FAR = 99
"""Steps to where no way leads, and tokens that no army has."""
REACH = 9
"""Armies further from a home than this many borders are no threat yet."""


def _steps() -> NDArray[np.int64]:
    """Return for each setup and seat how many borders lie between each field and the seat's home."""
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


def _around() -> NDArray[np.int64]:
    """Return for each setup and seat the fields within reach of its home, nearest first, -1 behind the last."""
    table = np.full((len(SETUPS), SEATS, FIELDS), -1, dtype=np.int64)
    for setup, (_, players) in enumerate(SETUPS):
        for seat in range(players):
            order = np.argsort(STEPS[setup, seat], kind="stable")
            near = order[STEPS[setup, seat, order] <= REACH]
            table[setup, seat, : len(near)] = near
    return table


AROUND = _around()
NO_MARGIN = -18.0
"""The margin of who has no army near."""


def tokens_on(state: State, field: int) -> int:
    """Return the number of tokens on a field."""
    return int(state[ON + field] >> 3)


def holder(state: State, field: int) -> int:
    """Return the seat that holds a field, -1 for nobody."""
    return int(state[ON + field] & 7) - 1


def chance_to_take(state: State, target: int, army: int, repulses: int) -> int:
    """Return the chance in a thousand that an army on one bordering field takes a field this turn."""
    defenders = min(tokens_on(state, target), FORESEEN)
    return int(CHANCES[defenders, state[NUMBERS + target % BOARD], min(army, FORESEEN), repulses])


def cost(state: State, field: int) -> float:
    """Return the tokens that taking a field costs, with the one that stays on it."""
    defenders = min(tokens_on(state, field), MOST_DEFENDERS)
    return float(HELD_COST[defenders] + EMPTY_COST[state[NUMBERS + field % BOARD]] + 1.0)


def margin(state: State, attacker: int, target: int, needed: Reals) -> float:
    """Return what the attacker's best army would have left at the target's home.

    ``needed`` has a number for each field. What an army on a field near that home needs to march there is left in it.
    """
    setup = state[SETUP]
    best = NO_MARGIN
    for index in range(FIELDS):
        field = AROUND[setup, target, index]
        if field < 0:
            break
        needed[field] = FAR
    needed[target * BOARD + HOME] = 0.0
    # The second time round for ways that lead away from the home for a while.
    for _ in range(2):
        for index in range(1, FIELDS):
            field = AROUND[setup, target, index]
            if field < 0:
                break
            least = needed[field]
            for slot in range(3):
                near = BORDER[setup, field, slot]
                if near < 0 or STEPS[setup, target, near] > REACH or holder(state, near) == attacker:
                    continue
                if needed[near] < least:
                    least = min(least, needed[near] + cost(state, near))
            needed[field] = least
    for index in range(1, FIELDS):
        field = AROUND[setup, target, index]
        if field < 0:
            break
        if holder(state, field) == attacker:
            best = max(best, tokens_on(state, field) - 1.0 - needed[field])
    return best
