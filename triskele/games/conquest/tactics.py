"""What each move is worth: chances to win, judged after the move, averaged over the dice exactly.

:func:`judge` is the heart of the engine. Everything here stays within what Numba compiles; the engine links it.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.compile import Program
from triskele.core.contract import SIZE, Moves, State, actor, apply, legal
from triskele.games.conquest import odds
from triskele.games.conquest.evaluation import BETWEEN, EARLY, LATE, Network, Reals, Room, win_chance
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.rules import (
    ADVANTAGE,
    ADVANTAGES,
    ATTACKS,
    CONQUER,
    DEFENCES,
    DEFEND,
    DONE,
    FACES,
    FINISHED,
    FOLLOW,
    FOLLOWED,
    NUMBERS,
    ON,
    PHASE,
    POT,
    PURSES,
    REINFORCE,
    SEAT,
    SETUP,
    SPLIT,
    SPLITS,
    TARGET,
    TRIPLE_TOKENS,
    _available,
    _eliminate,
    _enter,
    _lose,
    _on_boards,
    _put,
    _take,
    triple_field,
)

Integers = NDArray[np.int64]

SQUAD = odds.MOST


def _held_table() -> Reals:
    """Return ``table[attackers, defenders, lost, won]``, the chance of each end of a battle."""
    table = np.zeros((SQUAD + 1, SQUAD + 1, SQUAD + 1, SQUAD + 1))
    for attackers in range(1, SQUAD + 1):
        for defenders in range(1, SQUAD + 1):
            for (lost, won), share in odds.against_held(attackers, defenders).items():
                table[attackers, defenders, lost, won] = float(share)
    return table


def _empty_table() -> Reals:
    """Return ``table[attackers, number, lost]``, the chance to lose so many; last, to take the field."""
    table = np.zeros((SQUAD + 1, FACES + 1, SQUAD + 2))
    for attackers in range(1, SQUAD + 1):
        for number in range(1, FACES + 1):
            for lost, share in odds.against_empty(attackers, number).items():
                table[attackers, number, lost] = float(share)  # odds.TAKEN is -1: the last place
    return table


HELD_CHANCES = _held_table()
EMPTY_CHANCES = _empty_table()


def _copy(state: State, scratch: State) -> None:
    for word in range(SIZE):
        scratch[word] = state[word]


def _battle(
    state: State, seat: int, attackers: int, defenders: int,
    scratch: State, network: Network, room: Room,
) -> float:  # fmt: skip
    """Return what ``seat`` can expect of a battle under way: ``TARGET`` and ``SPLIT`` are set."""
    target = state[TARGET]
    mover = state[SEAT]
    defender = (state[ON + target] & 7) - 1
    total = 0.0
    for lost in range(SQUAD + 1):
        for won in range(SQUAD + 1):
            share = HELD_CHANCES[attackers, defenders, lost, won]
            if share == 0.0:
                continue
            _copy(state, scratch)
            _lose(scratch, lost)
            scratch[PURSES + defender] += lost
            _take(scratch, target, won)
            scratch[PURSES + mover] += won
            if scratch[ON + target] == 0 and not _on_boards(scratch, defender):
                _eliminate(scratch, defender)
            total += share * win_chance(scratch, seat, LATE, network, room)
    return total


def _entered(
    scratch: State, seat: int, network: Network, room: Room
) -> float:
    """Return what ``seat`` can expect after entering the field just attacked, with those who should follow."""
    target = scratch[TARGET]
    split = scratch[SPLIT]
    setup = scratch[SETUP]
    _enter(scratch)
    if scratch[PHASE] == FINISHED:
        return 1.0
    best = win_chance(scratch, seat, LATE, network, room)
    for slot in range(3):
        if SPLITS[split, slot] > 0:
            source = BORDER[setup, target, slot]
            spare = (scratch[ON + source] >> 3) - 1
            if spare > 0:
                _take(scratch, source, spare)
                _put(scratch, target, seat, spare)
                best = max(best, win_chance(scratch, seat, LATE, network, room))
    return best


def _attack_worth(
    state: State, move: int,
    scratch: State, trial: State, network: Network, room: Room,
) -> float:  # fmt: skip
    """Return what the seat to move can expect of an attack, the defender taking all he may."""
    seat = state[SEAT]
    target = (move - ATTACKS) // len(SPLITS)
    split = (move - ATTACKS) % len(SPLITS)
    attackers = SPLITS[split, 0] + SPLITS[split, 1] + SPLITS[split, 2]
    _copy(state, trial)
    trial[TARGET] = target
    trial[SPLIT] = split
    if state[ON + target] != 0:
        defenders = min(SQUAD, state[ON + target] >> 3)
        return _battle(trial, seat, attackers, defenders, scratch, network, room)
    if target == seat * BOARD + HOME:
        _copy(trial, scratch)
        return _entered(scratch, seat, network, room)
    number = state[NUMBERS + target % BOARD]
    total = 0.0
    for lost in range(SQUAD + 1):
        share = EMPTY_CHANCES[attackers, number, lost]
        if share > 0.0:
            _copy(trial, scratch)
            _lose(scratch, lost)
            scratch[POT] += lost
            total += share * win_chance(scratch, seat, LATE, network, room)
    share = EMPTY_CHANCES[attackers, number, SQUAD + 1]
    if share > 0.0:
        _copy(trial, scratch)
        total += share * _entered(scratch, seat, network, room)
    return total


def _in_force(state: State, move: int) -> bool:
    """Whether an attack has as many tokens as it can have from the fields around its target."""
    target = (move - ATTACKS) // len(SPLITS)
    split = (move - ATTACKS) % len(SPLITS)
    total = 0
    spare = 0
    for slot in range(3):
        total += SPLITS[split, slot]
        spare += _available(state, target, slot) - SPLITS[split, slot]
    return bool(total == SQUAD or spare == 0)


def _all_given(state: State, move: int) -> bool:
    """Whether a triple gives as much as it can."""
    if move < TRIPLE_TOKENS:
        return True
    choice = move - TRIPLE_TOKENS
    field = triple_field(state[SETUP], choice // (3 * FACES), choice // FACES % 3)
    most = min(state[NUMBERS + field % BOARD], state[PURSES + state[SEAT]])
    return bool(choice % FACES + 1 == most)


def _worth_while(state: State, move: int) -> bool:
    """Whether an advantage move takes all, all but one, or half of the tokens."""
    tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
    here = state[ON + (move - ADVANTAGES) // 3 % FIELDS] >> 3
    return bool(here - tokens < 3 or tokens == here // 2)


def judge(
    state: State, moves: Moves, worth: Reals,
    scratch: State, trial: State, network: Network, room: Room,
) -> int:  # fmt: skip
    """Fill in the moves worth considering and the actor's chance to win after each; return their number.

    Moves that are never better than another are left out. All arrays after ``worth`` but ``network`` are scratch.
    """
    seat = actor(state)
    phase = state[PHASE]
    number = legal(state, moves)
    kept = 0
    for index in range(number):
        move = moves[index]
        if phase == REINFORCE:
            if not _all_given(state, move):
                continue
            _copy(state, scratch)
            if move != DONE:
                apply(scratch, move)
            value = win_chance(scratch, seat, EARLY, network, room)
        elif phase == CONQUER:
            if move == DONE:
                value = win_chance(state, seat, LATE, network, room)
            elif _in_force(state, move):
                value = _attack_worth(state, move, scratch, trial, network, room)
            else:
                continue
        elif phase == DEFEND:
            split = state[SPLIT]
            attackers = SPLITS[split, 0] + SPLITS[split, 1] + SPLITS[split, 2]
            defenders = move - DEFENCES + 1
            value = _battle(state, seat, attackers, defenders, scratch, network, room)
        elif phase == FOLLOW:
            _copy(state, scratch)
            apply(scratch, move)
            value = win_chance(scratch, seat, LATE, network, room)
        else:
            if move != DONE and not _worth_while(state, move):
                continue
            _copy(state, scratch)
            if move != DONE:
                source = (move - ADVANTAGES) // 3 % FIELDS
                tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
                _take(scratch, source, tokens)
                _put(scratch, BORDER[state[SETUP], source, (move - ADVANTAGES) % 3], seat, tokens)
            value = win_chance(scratch, seat, BETWEEN, network, room)
        moves[kept] = move
        worth[kept] = value
        kept += 1
    return kept


JUDGE = Program(
    judge,
    "int64(int64[::1], int64[::1], float64[::1], int64[::1], int64[::1], float32[:,::1],"
    " Tuple((float64[:,::1], float64[::1], int64[::1], float32[::1], float32[::1])))",
)
