"""The outcomes of the battle that a move starts, and their exact odds.

A battle over a held field ends in one of ``HELD`` ways (numbered losses of the attacker * ``SIDES`` + those of the
defender), one over an empty field in one of ``EMPTY`` ways (the attacker's losses, or ``TAKEN``), and a move without a
battle in one. The functions stay within what Numba compiles.
"""

import numpy as np

from triskele.core.contract import State
from triskele.games.conquest import odds
from triskele.games.conquest.attack_margins import Reals, holder, tokens_on
from triskele.games.conquest.geometry import BOARD, HOME
from triskele.games.conquest.rules import (
    ATTACKS,
    CONQUER,
    DEFENCES,
    DEFEND,
    DONE,
    FACES,
    NUMBERS,
    PHASE,
    POT,
    PURSES,
    SEAT,
    SPLIT,
    SPLITS,
    SQUAD,
    TARGET,
)

SIDES = SQUAD + 1
HELD = SIDES * SIDES
TAKEN = SQUAD + 1
EMPTY = TAKEN + 1
_WAYS = len(SPLITS)
_TOKENS = SPLITS.sum(axis=1)
"""How many tokens attack, by the split."""


def _odds_against_held() -> Reals:
    """Return the probability of each outcome, by attackers and defenders less one."""
    table = np.zeros((SQUAD, SQUAD, HELD))
    for attackers in range(1, SQUAD + 1):
        for defenders in range(1, SQUAD + 1):
            for (lost, won), share in odds.against_held(attackers, defenders).items():
                table[attackers - 1, defenders - 1, lost * SIDES + won] = float(share)
    return table


def _odds_against_empty() -> Reals:
    """Return the probability of each outcome, by attackers less one and the field's number less one."""
    table = np.zeros((SQUAD, FACES, EMPTY))
    for attackers in range(1, SQUAD + 1):
        for number in range(1, FACES + 1):
            for lost, share in odds.against_empty(attackers, number).items():
                table[attackers - 1, number - 1, TAKEN if lost == odds.TAKEN else lost] = float(share)
    return table


AGAINST_HELD = _odds_against_held()
AGAINST_EMPTY = _odds_against_empty()


def field_of_battle(state: State, move: int) -> int:
    """Return the field over which a move starts a battle, -1 for none."""
    if state[PHASE] == DEFEND:
        return int(state[TARGET])
    if state[PHASE] != CONQUER or move == DONE:
        return -1
    target = (move - ATTACKS) // _WAYS
    if target == state[SEAT] * BOARD + HOME and holder(state, target) < 0:
        return -1
    return int(target)


def outcome_odds(state: State, move: int, out: Reals, first: int) -> int:
    """Fill in, from ``out[first]`` on, the probability of each outcome of a move; return how many outcomes there are.

    The defender commits as many tokens as it may.
    """
    target = field_of_battle(state, move)
    if target < 0:
        out[first] = 1.0
        return 1
    if holder(state, target) < 0:
        attackers = _TOKENS[(move - ATTACKS) % _WAYS]
        for outcome in range(EMPTY):
            out[first + outcome] = AGAINST_EMPTY[attackers - 1, state[NUMBERS + target % BOARD] - 1, outcome]
        return EMPTY
    if state[PHASE] == DEFEND:
        attackers = _TOKENS[state[SPLIT]]
        defenders = move - DEFENCES + 1
    else:
        attackers = _TOKENS[(move - ATTACKS) % _WAYS]
        defenders = min(SQUAD, tokens_on(state, target))
    for outcome in range(HELD):
        out[first + outcome] = AGAINST_HELD[attackers - 1, defenders - 1, outcome]
    return HELD


def battle_outcome(before: State, after: State, target: int) -> int:
    """Return the outcome of a battle over a field, from the positions before it and right after it."""
    seat = before[SEAT]
    defender = holder(before, target)
    if defender >= 0:
        lost = after[PURSES + defender] - before[PURSES + defender]
        return int(lost * SIDES + after[PURSES + seat] - before[PURSES + seat])
    if holder(after, target) == seat:
        return TAKEN
    return int(after[POT] - before[POT])
