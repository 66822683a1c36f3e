"""Random games, for benchmarks, tests and searches. Linked to a game by :mod:`triskele.core.compile`."""

import random

import numpy as np

from triskele.core.bits import Rng, below
from triskele.core.chance import draw
from triskele.core.compile import Program
from triskele.core.contract import (
    CHANCE,
    LOG,
    OVER,
    WEIGHTED_CHANCE,
    Moves,
    State,
    actor,
    apply,
    legal,
    rollout_count,
    rollout_nth,
)
from triskele.core.moves import Move
from triskele.core.position import Position


def rollout_move(state: State, moves: Moves, rng: Rng) -> int:
    """Return a random move that the game offers to random play, or an outcome of chance by its weight."""
    if WEIGHTED_CHANCE and actor(state) == CHANCE:
        number = legal(state, moves)
        return int(moves[draw(state, moves, number, rng)])
    choices = rollout_count(state, moves)
    return rollout_nth(state, moves, below(rng, choices))


def playout(state: State, moves: Moves, rng: Rng, limit: int) -> int:
    """Make random moves in place until the game is over; return how many.

    Stops early after ``limit`` moves, or when the state has no room left for its log; whether the
    game is over is for the caller to ask.
    """
    made = 0
    while made < limit and actor(state) != OVER and state[0] + LOG <= len(state):
        apply(state, rollout_move(state, moves, rng))
        made += 1
    return made


def playouts(first: State, state: State, moves: Moves, rng: Rng, games: int, limit: int) -> int:
    """Play ``games`` random games from ``first`` in the scratch ``state``; return the moves made.

    The answer is negative when a game did not end within ``limit`` moves.
    """
    total = 0
    for _ in range(games):
        for i in range(first[0]):
            state[i] = first[i]
        total += playout(state, moves, rng, limit)
        if actor(state) != OVER:
            return -total - 1
    return total


PLAYOUTS = Program(playouts, "int64(int64[::1], int64[::1], int64[::1], uint64[::1], int64, int64)")


def random_move(position: Position, rng: random.Random) -> Move:
    """Return a random move that the game offers to random play (may be an interrupt), or an outcome of chance."""
    if position.turn == CHANCE:
        return position.draw(rng.randrange)
    variant = position.variant
    state, buffer = position.state, np.zeros(variant.moves_limit, dtype=np.int64)
    number = variant.rules.rollout_count(state, buffer)
    return variant.move(int(variant.rules.rollout_nth(state, buffer, rng.randrange(number))))
