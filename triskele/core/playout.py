"""Random games, for benchmarks, tests and searches. Linked to a game by :mod:`triskele.core.compile`."""

from triskele.core.bits import Rng, below
from triskele.core.compile import Program
from triskele.core.contract import LOG, OVER, Moves, State, actor, apply, rollout_count, rollout_nth


def playout(state: State, moves: Moves, rng: Rng, limit: int) -> int:
    """Make random moves in place until the game is over; return how many.

    Stops early after ``limit`` moves, or when the state has no room left for its log; whether the
    game is over is for the caller to ask.
    """
    made = 0
    while made < limit and actor(state) != OVER and state[0] + LOG <= len(state):
        choices = rollout_count(state, moves)
        apply(state, rollout_nth(state, moves, below(rng, choices)))
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
