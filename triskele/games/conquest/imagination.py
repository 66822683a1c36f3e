"""Imagined games: what a move leads to when everybody goes on like the general."""

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import Rng, below, popcount
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, OVER, SIZE, Moves, State, actor, apply, legal, winners
from triskele.games.conquest.evaluation import Reals
from triskele.games.conquest.general import command
from triskele.games.conquest.geometry import BOARD
from triskele.games.conquest.rules import (
    ADVANTAGE,
    ADVANTAGES,
    ATTACKS,
    CONQUER,
    DONE,
    FACES,
    FIELDS,
    SQUAD,
    IN,
    NUMBERS,
    ON,
    PHASE,
    PURSES,
    REINFORCE,
    ROUND,
    SEAT,
    SETUP,
    SPLITS,
    TRIPLE_TOKENS,
    _available,
    triple_field,
)

WHIM = 20
"""How many of a thousand decisions in an imagined game are made at random, so that games differ by more than dice."""


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
    """Whether an advantage move takes all, all but one or two, or half of the tokens."""
    tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
    here = state[ON + (move - ADVANTAGES) // 3 % FIELDS] >> 3
    return bool(here - tokens < 3 or tokens == here // 2)


def candidates(state: State, moves: Moves) -> int:
    """Fill in the legal moves that are worth a thought, and return their number."""
    phase = state[PHASE]
    number = legal(state, moves)
    kept = 0
    for index in range(number):
        move = moves[index]
        keep = True
        if move != DONE:
            if phase == REINFORCE:
                keep = _all_given(state, move)
            elif phase == CONQUER:
                keep = _in_force(state, move)
            elif phase == ADVANTAGE:
                keep = _worth_while(state, move)
        if keep:
            moves[kept] = move
            kept += 1
    return kept


def imagine(
    root: State,
    move: int,
    seat: int,
    state: State,
    moves: Moves,
    plan: Reals,
    mind: Reals,
    needed: Reals,
    rng: Rng,
    seeds: NDArray[np.uint64],
    rounds: int,
    results: Reals,
) -> int:
    """Play a game for each of ``seeds`` after ``move`` and fill in what ``seat`` won of it; return the decisions made.

    The same seeds after different moves make games that are alike as far as they can be. Games that go on
    for more than ``rounds`` rounds are shared by those still in.
    """
    made = 0
    for number in range(len(seeds)):
        rng[0] = seeds[number]
        for word in range(SIZE):
            state[word] = root[word]
        apply(state, move)
        until = state[ROUND] + rounds
        acting = actor(state)
        while acting != OVER and state[ROUND] <= until and state[IN] >> seat & 1:
            if acting == CHANCE:
                apply(state, below(rng, FACES))
            else:
                apply(state, command(state, moves, plan, mind, needed, rng, WHIM))
                made += 1
            acting = actor(state)
        won = winners(state) if acting == OVER else state[IN]
        results[number] = (won >> seat & 1) / popcount(won)
    return made


CANDIDATES = Program(candidates, "int64(int64[::1], int64[::1])")
IMAGINE = Program(
    imagine,
    "int64(int64[::1], int64, int64, int64[::1], int64[::1], float64[::1], float64[::1], float64[::1], uint64[::1],"
    " uint64[::1], int64, float64[::1])",
)
