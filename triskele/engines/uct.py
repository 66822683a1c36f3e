"""The engine ``uct``: plain UCT with random playouts, the control that every better engine must beat.

It knows nothing but the rules, keeps no tree between moves, and runs in one thread. It stays as it is: other engines
are measured against it when they change.
"""

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import Rng, below
from triskele.core.bits import seed as new_rng
from triskele.core.chance import draw
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, OVER, State, actor, apply, legal, scores
from triskele.core.contract.engine import Engine, Info, Task, shares
from triskele.core.game import Game, Variant
from triskele.core.playout import playout
from triskele.core.time_management import TimeManager
from triskele.engines.tree_workspace import PLAYOUT_LIMIT, TreeWorkspace, new_workspace

Nodes = NDArray[np.int32]
Totals = NDArray[np.float32]

# The words of a node: the move that led to it, its children, and how often it was visited.
MOVE, FIRST, CHILDREN, VISITS = 0, 1, 2, 3
NODE_WORDS = 4
NODE_BYTES = 4 * NODE_WORDS + 4
NODE_COUNT = 0
"""The word of the workspace's ``control``."""
PATH_LIMIT = 4096
"""The longest path; a path has two words for each node, the node and who chose it."""
EXPLORATION = 0.7
"""The exploration constant of UCB1 that played best in matches at 0.1 s a move in both open games of two seats."""


def grow(ws: TreeWorkspace, iterations: int) -> int:
    """Add ``iterations`` iterations to the tree; return the length of the longest path."""
    nodes = ws.nodes
    path = ws.path
    longest = 0
    for _ in range(iterations):
        for i in range(ws.root[0]):
            ws.state[i] = ws.root[i]

        # Steps 1 and 2. Selection and expansion.
        node = 0
        length = 0
        seat = actor(ws.state)
        while True:
            if nodes[node, CHILDREN] == 0:
                if seat == OVER or nodes[node, VISITS] == 0 or 2 * length + 3 >= len(path):
                    break
                if expand(ws, node) == 0:
                    break
            node = select(ws.state, nodes, ws.totals, node, seat, ws.scale[0], ws.rng)
            length += 1
            path[2 * length] = node
            path[2 * length + 1] = seat
            apply(ws.state, nodes[node, MOVE])
            seat = actor(ws.state)
        longest = max(longest, length)

        # Step 3. Simulation.
        playout(ws.state, ws.moves, ws.rng, PLAYOUT_LIMIT)
        for i in range(len(ws.scores)):
            ws.scores[i] = 0.0
        if actor(ws.state) == OVER:
            scores(ws.state, ws.scores)
            for i in range(len(ws.scores)):
                ws.scale[0] = max(ws.scale[0], abs(ws.scores[i]))

        # Step 4. Backpropagation.
        nodes[0, VISITS] += 1
        for i in range(1, length + 1):
            nodes[path[2 * i], VISITS] += 1
            if path[2 * i + 1] >= 0:
                ws.totals[path[2 * i]] += ws.scores[path[2 * i + 1]]
    return longest


def expand(ws: TreeWorkspace, node: int) -> int:
    """Give a node a child for each legal move; return 0 when the tree is full."""
    number = legal(ws.state, ws.moves)
    first = ws.control[NODE_COUNT]
    if first + number > len(ws.nodes):
        return 0
    ws.nodes[node, FIRST] = first
    ws.nodes[node, CHILDREN] = number
    for i in range(number):
        ws.nodes[first + i, MOVE] = ws.moves[i]
    ws.control[NODE_COUNT] = first + number
    return 1


def select(state: State, nodes: Nodes, totals: Totals, node: int, seat: int, scale: float, rng: Rng) -> int:
    """Return the child to visit next: one without a visit, or the best by UCB1; by chance at a chance node."""
    first = nodes[node, FIRST]
    number = nodes[node, CHILDREN]
    if seat == CHANCE:
        return int(first + draw(state, nodes[first : first + number, MOVE], number, rng))
    log_visits = math.log(nodes[node, VISITS] + 1.0)
    best = -1.0e9
    chosen = first
    # From a random child on, so that children without a visit are tried in no order.
    offset = below(rng, number)
    for i in range(number):
        child = first + offset + i
        if child >= first + number:
            child -= number
        visits = nodes[child, VISITS]
        if visits == 0:
            return int(child)
        worth = totals[child] / (visits * scale) + EXPLORATION * math.sqrt(log_visits / visits)
        if worth > best:
            best = worth
            chosen = child
    return int(chosen)


GROW = Program(grow, "int64(TreeWorkspace, int64)", (TreeWorkspace,))


def new_tree(variant: Variant, root: State, rng: Rng, capacity: int) -> TreeWorkspace:
    """Return a tree that has the root alone."""
    ws = new_workspace(
        variant, root, rng, capacity=capacity, node_words=NODE_WORDS, path_limit=2 * PATH_LIMIT, control=1
    )
    ws.control[NODE_COUNT] = 1
    return ws


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
        capacity = max(10_000, (task.limits.memory_mb * 1_000_000 - 4_000_000) // NODE_BYTES)
        ws = new_tree(task.position.variant, task.position.state, self._rng, capacity)
        depth = 0
        timing = TimeManager(task, self.game, GROW)
        for function, budget in timing.slices(first=50, plain=4):
            depth = max(depth, int(function(ws, budget)))
            timing.done += budget
            if timing.to_report():
                yield self._info(task, ws, depth, timing.done)
        yield self._info(task, ws, depth, timing.done)

    def _info(self, task: Task, ws: TreeWorkspace, depth: int, done: int) -> Info:
        variant = task.position.variant
        nodes = ws.nodes
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
            value = float(ws.totals[best]) / max(1, int(nodes[best, VISITS])) / float(ws.scale[0])
        return Info(depth, done, task.elapsed, shares(value, task), (tuple(line),))
