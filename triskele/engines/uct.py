"""The control: plain UCT with random playouts, which everything better must beat.

It knows nothing but the rules, keeps no tree between moves, and runs in one thread. It stays as it
is: when the other engines change, this is what they are measured against.
"""

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import Rng, below
from triskele.core.bits import seed as new_rng
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, OVER, Moves, Scores, State, actor, apply, legal, scores
from triskele.core.game import Game
from triskele.core.playout import playout
from triskele.engines.clockwork import Pace
from triskele.engines.engine import Engine, Info, Task, shares

Integers = NDArray[np.int32]
Reals = NDArray[np.float32]

MOVE, FIRST, CHILDREN, VISITS = 0, 1, 2, 3
NODE_WORDS = 4
NODE_BYTES = 4 * NODE_WORDS + 4
PATH_LIMIT = 4096
PLAYOUT_LIMIT = 4000
EXPLORATION = 0.7
"""Of all that was tried on YINSH and TRYPSYLON at 0.1 s, the constant that played best."""


def grow(
    root: State,
    state: State,
    moves: Moves,
    out: Scores,
    scale: Scores,
    nodes: Integers,
    totals: Reals,
    path: Integers,
    used: Moves,
    rng: Rng,
    iterations: int,
) -> int:
    """Add ``iterations`` playouts to the tree, whose node 0 is ``root``; return the longest path.

    ``nodes[i]`` is (move that led here, first child, number of children, visits), ``totals[i]`` the
    sum of scores for the seat that chose the move; ``used[0]`` says how many nodes there are, and
    ``scale[0]`` is the greatest score seen, at least 1.
    """
    longest = 0
    for _ in range(iterations):
        for i in range(root[0]):
            state[i] = root[i]
        node = 0
        length = 0
        seat = actor(state)
        while True:
            if nodes[node, 2] == 0:
                if seat == OVER or nodes[node, 3] == 0 or 2 * length + 3 >= len(path):
                    break
                number = legal(state, moves)
                if used[0] + number > len(nodes):
                    break
                nodes[node, 1] = used[0]
                nodes[node, 2] = number
                for i in range(number):
                    nodes[used[0] + i, 0] = moves[i]
                used[0] += number
            first = nodes[node, 1]
            number = nodes[node, 2]
            if seat == CHANCE:
                chosen = first + below(rng, number)
            else:
                log_visits = math.log(nodes[node, 3] + 1.0)
                best = -1.0e9
                chosen = first
                # From a random child on, so that children without a visit are tried in no order.
                offset = below(rng, number)
                for i in range(number):
                    child = first + offset + i
                    if child >= first + number:
                        child -= number
                    visits = nodes[child, 3]
                    if visits == 0:
                        chosen = child
                        break
                    worth = totals[child] / (visits * scale[0]) + EXPLORATION * math.sqrt(log_visits / visits)
                    if worth > best:
                        best = worth
                        chosen = child
            length += 1
            path[2 * length] = chosen
            path[2 * length + 1] = seat
            apply(state, nodes[chosen, 0])
            node = chosen
            seat = actor(state)
        longest = max(longest, length)
        playout(state, moves, rng, PLAYOUT_LIMIT)
        for i in range(len(out)):
            out[i] = 0.0
        if actor(state) == OVER:
            scores(state, out)
            for i in range(len(out)):
                scale[0] = max(scale[0], abs(out[i]))
        nodes[0, 3] += 1
        for i in range(1, length + 1):
            nodes[path[2 * i], 3] += 1
            if path[2 * i + 1] >= 0:
                totals[path[2 * i]] += out[path[2 * i + 1]]
    return longest


GROW = Program(
    grow,
    "int64(int64[::1], int64[::1], int64[::1], float64[::1], float64[::1], int32[:,::1], float32[::1], "
    "int32[::1], int64[::1],"
    " uint64[::1], int64)",
)


class Control(Engine):
    """Plain UCT."""

    name: ClassVar[str] = "uct"
    programs: ClassVar[tuple[Program, ...]] = (GROW,)

    def __init__(self, game: Game, seed: int = 1) -> None:
        """Begin to load the search. Equal seeds give equal play under a limit of nodes."""
        super().__init__(game)
        self._rng = new_rng(seed)

    def think(self, task: Task) -> Iterator[Info]:
        """Grow one tree for as long as there is time."""
        variant = task.position.variant
        root = task.position.state
        capacity = max(10_000, (task.limits.memory_mb * 1_000_000 - 4_000_000) // NODE_BYTES)
        nodes = np.zeros((capacity, NODE_WORDS), dtype=np.int32)
        totals = np.zeros(capacity, dtype=np.float32)
        buffers = (
            np.zeros(len(root) + (PATH_LIMIT + PLAYOUT_LIMIT) * variant.log, dtype=np.int64),
            np.empty(variant.moves_limit, dtype=np.int64),
            np.zeros(variant.seats, dtype=np.float64),
            np.ones(1, dtype=np.float64),
            nodes,
            totals,
            np.zeros(2 * PATH_LIMIT, dtype=np.int32),
            np.ones(1, dtype=np.int64),
            self._rng,
        )
        depth = 0
        pace = Pace(task, self.game, GROW)
        for grow_now, number in pace.slices(first=50, plain=4):
            depth = max(depth, int(grow_now(root, *buffers, number)))
            pace.done += number
            if pace.to_report():
                yield self._info(task, nodes, totals, depth, pace.done, float(buffers[3][0]))
        yield self._info(task, nodes, totals, depth, pace.done, float(buffers[3][0]))

    def _info(self, task: Task, nodes: Integers, totals: Reals, depth: int, done: int, scale: float) -> Info:
        variant = task.position.variant
        line: list[str] = []
        node = 0
        while nodes[node, CHILDREN] and len(line) < 20:
            first, number = int(nodes[node, FIRST]), int(nodes[node, CHILDREN])
            node = first + int(np.argmax(nodes[first : first + number, VISITS]))
            if line and nodes[node, VISITS] == 0:
                break
            line.append(variant.move(int(nodes[node, MOVE])).text)
        first, number = int(nodes[0, FIRST]), int(nodes[0, CHILDREN])
        if not line:
            line = [task.position.legal_moves[0].text]
            value = 0.0
        else:
            best = first + int(np.argmax(nodes[first : first + number, VISITS]))
            value = float(totals[best]) / max(1, int(nodes[best, VISITS])) / scale
        return Info(depth, done, task.elapsed, shares(value, task), (tuple(line),))
