"""Counting all sequences of moves: the classic check that rules are complete and exact."""

import numpy as np
from numpy.typing import NDArray

from triskele.core.compile import Program
from triskele.core.contract import State, apply, legal

Stack = NDArray[np.int64]


def perft(state: State, depth: int, states: Stack, moves: Stack, cursor: State) -> int:
    """Return the number of sequences of exactly ``depth`` decisions (at least 1) from ``state``.

    ``states`` (depth x words), ``moves`` (depth x move buffer) and ``cursor`` (2 x depth) are scratch.
    Each outcome of chance counts once, whatever its weight. Finished games have no further sequences.
    """
    leaves = 0
    level = 0
    for i in range(state[0]):
        states[0, i] = state[i]
    cursor[0] = -1
    while level >= 0:
        if cursor[level] < 0:  # a new position; ``legal`` is called here alone, because it is inlined
            cursor[level] = 0
            cursor[depth + level] = legal(states[level], moves[level])
        if level == depth - 1:
            leaves += cursor[depth + level]
            level -= 1
        elif cursor[level] == cursor[depth + level]:
            level -= 1
        else:
            move = moves[level, cursor[level]]
            cursor[level] += 1
            for i in range(states[level, 0]):
                states[level + 1, i] = states[level, i]
            apply(states[level + 1], move)
            level += 1
            cursor[level] = -1
    return leaves


PERFT = Program(perft, "int64(int64[::1], int64, int64[:,::1], int64[:,::1], int64[::1])")
