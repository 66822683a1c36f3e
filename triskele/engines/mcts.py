"""The engine ``mcts``: Monte-Carlo tree search (UCT) for any game, with any number of seats, dice and proven results.

Where a game has nothing better it is the engine ``triskele``. Leaves are evaluated by random playouts. Results that are
certain are proven up the tree (MCTS-Solver, for several seats and chance nodes). The subtree of the moves made since is
reused by the next search. Each thread grows a tree of its own (root parallelisation).
"""

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import Rng, below
from triskele.core.bits import seed as new_rng
from triskele.core.chance import draw
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, OVER, Scores, State, actor, apply, legal, scores, winners
from triskele.core.contract.engine import Engine, Info, Task, shares
from triskele.core.game import Game, Variant
from triskele.core.playout import playout
from triskele.core.time_management import TimeManager
from triskele.engines.tree_workspace import PLAYOUT_LIMIT, TreeWorkspace, new_workspace

Nodes = NDArray[np.int32]
Totals = NDArray[np.float32]

# The words of a node.
(
    MOVE,  # the move that led to it
    FIRST,  # its first child
    CHILDREN,  # how many children it has
    VISITS,
    SEAT,  # who acts
    PROOF,  # its result when that is proven: the winners as a bit set, plus 1
    LENGTH,  # and how many moves it is to the end
) = range(7)
NODE_WORDS = 8
NODE_BYTES = 4 * NODE_WORDS + 4
UNKNOWN_SEAT = -3

# The words of the workspace's ``control``: of the tree, then what a weak level overlooks, in a thousand moves.
NODE_COUNT, LONGEST_PATH, OVERSIGHT, SALT = range(4)
CONTROL = 4

PATH_LIMIT = 2048
EXPLORATION = 0.7
"""The exploration constant of UCB1 for scores from -1 to 1; see :data:`triskele.engines.uct.EXPLORATION`."""


def proven_for(proof: int, seat: int) -> float:
    """Return what a proven result is worth to a seat."""
    if proof == 1:
        return 0.0
    return 1.0 if (proof - 1) >> seat & 1 == 1 else -1.0


def proof_of_result(state: State, out: Scores) -> int:
    """Return the proof for a finished game, 0 when its scores are more than wins, losses and draws."""
    won = winners(state)
    scores(state, out)
    for seat in range(len(out)):
        if won == 0 and out[seat] != 0.0:
            return 0
        if won >> seat & 1 == 1 and out[seat] != 1.0:
            return 0
    return won + 1


def is_overlooked(move: int, salt: int, per_mille: int) -> bool:
    """Return whether a weak level overlooks a move; always the same answer for the same salt."""
    hashed = ((move ^ salt) & 0x7FFFFFFF) * 0x5851F42D
    return (hashed >> 20 & 0xFFFFF) % 1000 < per_mille


def prove(nodes: Nodes, node: int) -> int:
    """Prove a node's result from its children's, if they do; return 1 if it is proven now."""
    first = nodes[node, FIRST]
    number = nodes[node, CHILDREN]
    seat = nodes[node, SEAT]
    best = -2.0
    proof = 0
    length = 0
    complete = True
    same = True
    for child in range(first, first + number):
        of_child = nodes[child, PROOF]
        if of_child == 0:
            complete = False
            continue
        if proof != 0 and of_child != proof:  # noqa: PLR1714 (Numba wants numbers of one kind in a tuple)
            same = False
        worth = 0.0 if seat == CHANCE else proven_for(of_child, seat)
        # The shortest win is the best, and the longest of other results.
        longer = nodes[child, LENGTH] > length
        if worth > best or (worth == best and (longer != (worth > 0.0))):
            best = worth
            proof = of_child
            length = nodes[child, LENGTH]
    if seat == CHANCE:
        if not complete or not same:
            return 0
    elif not complete and best < 1.0:
        return 0
    if proof == 0:
        return 0
    nodes[node, PROOF] = proof
    nodes[node, LENGTH] = length + 1
    return 1


def select(state: State, nodes: Nodes, totals: Totals, node: int, scale: float, rng: Rng) -> int:
    """Return the child to visit next: by UCB1, or by chance at a chance node; ``scale`` is the greatest score seen."""
    first = nodes[node, FIRST]
    number = nodes[node, CHILDREN]
    seat = nodes[node, SEAT]
    if seat == CHANCE:
        return int(first + draw(state, nodes[first : first + number, MOVE], number, rng))
    offset = below(rng, number)
    log_visits = math.log(nodes[node, VISITS] + 1.0)
    best = -1.0e9
    chosen = first + offset
    for i in range(number):
        child = first + offset + i
        if child >= first + number:
            child -= number
        if nodes[child, PROOF] != 0:
            worth = proven_for(nodes[child, PROOF], seat)
            # A proven child needs no more visits, unless it wins or nothing else is left.
            worth = worth - 1.0e6 if worth < 1.0 else 1.0e6
        elif nodes[child, VISITS] == 0:
            worth = 1.0e3 - i
        else:
            visits = nodes[child, VISITS]
            worth = totals[child] / (visits * scale) + EXPLORATION * math.sqrt(log_visits / visits)
        if worth > best:
            best = worth
            chosen = child
    return int(chosen)


def grow(ws: TreeWorkspace, iterations: int) -> int:
    """Add up to ``iterations`` iterations to the tree; return how many. Fewer only when the root is proven."""
    for made in range(iterations):
        if ws.nodes[0, PROOF] != 0:
            return made
        for i in range(ws.root[0]):
            ws.state[i] = ws.root[i]

        # Steps 1 and 2. Selection and expansion.
        length = descend(ws)
        ws.control[LONGEST_PATH] = max(ws.control[LONGEST_PATH], length)

        # Step 3. Simulation.
        simulate(ws, ws.path[length])

        # Step 4. Backpropagation.
        backpropagate(ws, length)
    return iterations


def descend(ws: TreeWorkspace) -> int:
    """Go from the root to a leaf, that is a node to play out or with a known result; return the length of the path."""
    nodes = ws.nodes
    node = 0
    length = 0
    while True:
        if nodes[node, SEAT] == UNKNOWN_SEAT or nodes[node, VISITS] == 0:
            nodes[node, SEAT] = actor(ws.state)
            if nodes[node, SEAT] == OVER:
                nodes[node, PROOF] = proof_of_result(ws.state, ws.scores)
        if nodes[node, PROOF] != 0 or nodes[node, SEAT] == OVER or length == len(ws.path) - 1:
            break
        if nodes[node, CHILDREN] == 0:
            if nodes[node, VISITS] == 0 and node != 0:
                break
            if expand(ws, node, length) == 0:
                break
        node = select(ws.state, nodes, ws.totals, node, ws.scale[0], ws.rng)
        apply(ws.state, nodes[node, MOVE])
        length += 1
        ws.path[length] = node
    return length


def expand(ws: TreeWorkspace, node: int, length: int) -> int:
    """Give a node a child for each legal move that the level does not overlook; return 0 when the tree is full."""
    nodes = ws.nodes
    number = legal(ws.state, ws.moves)
    first = ws.control[NODE_COUNT]
    if first + number > len(nodes):
        return 0
    kept = 0
    overlooks = length > 0 and ws.control[OVERSIGHT] > 0 and nodes[node, SEAT] != CHANCE
    for i in range(number):
        is_last_left = number - i + kept == 1
        if (
            overlooks
            and not is_last_left
            and is_overlooked(ws.moves[i], ws.control[SALT] + length, ws.control[OVERSIGHT])
        ):
            continue
        nodes[first + kept, MOVE] = ws.moves[i]
        nodes[first + kept, SEAT] = UNKNOWN_SEAT
        kept += 1
    nodes[node, FIRST] = first
    nodes[node, CHILDREN] = kept
    ws.control[NODE_COUNT] = first + kept
    return 1


def simulate(ws: TreeWorkspace, leaf: int) -> None:
    """Leave each seat's score in ``ws.scores``: of a random playout, or of the leaf's proven result."""
    out = ws.scores
    proof = ws.nodes[leaf, PROOF]
    for seat in range(len(out)):
        out[seat] = 0.0
    if proof == 0:
        playout(ws.state, ws.moves, ws.rng, PLAYOUT_LIMIT)
    if actor(ws.state) == OVER:
        scores(ws.state, out)
        for seat in range(len(out)):
            ws.scale[0] = max(ws.scale[0], abs(out[seat]))
    elif proof > 1:
        for seat in range(len(out)):
            out[seat] = proven_for(proof, seat)


def backpropagate(ws: TreeWorkspace, length: int) -> None:
    """Count the visit and the scores at every node of the path, from the leaf up; and prove what the leaf proves."""
    nodes = ws.nodes
    proving = nodes[ws.path[length], PROOF] != 0
    for i in range(length, -1, -1):
        node = ws.path[i]
        nodes[node, VISITS] += 1
        if i > 0:
            chooser = nodes[ws.path[i - 1], SEAT]
            if chooser >= 0:
                ws.totals[node] += ws.scores[chooser]
        if proving and i < length:
            proving = prove(nodes, node) == 1


def copy_subtree(nodes: Nodes, totals: Totals, top: int, fresh: Nodes, fresh_totals: Totals) -> int:
    """Copy the tree below ``top`` into empty arrays, where it begins at 0; return its size.

    Where it does not fit, nodes lose their children.
    """
    size = 1
    for word in range(NODE_WORDS):
        fresh[0, word] = nodes[top, word]
    fresh_totals[0] = totals[top]
    done = 0
    while done < size:
        first = fresh[done, FIRST]
        number = fresh[done, CHILDREN]
        if number > 0:
            if size + number > len(fresh):
                fresh[done, CHILDREN] = 0
            else:
                for i in range(number):
                    for word in range(NODE_WORDS):
                        fresh[size + i, word] = nodes[first + i, word]
                    fresh_totals[size + i] = totals[first + i]
                fresh[done, FIRST] = size
                size += number
        done += 1
    return size


GROW = Program(grow, "int64(TreeWorkspace, int64)", (TreeWorkspace,))
COPY_SUBTREE = Program(copy_subtree, "int64(int32[:,::1], float32[::1], int64, int32[:,::1], float32[::1])")


class Tree:
    """One tree with the workspace to grow it."""

    def __init__(self, variant: Variant, root: State, capacity: int, rng: Rng) -> None:
        """Begin with the root alone."""
        self.variant = variant
        self.workspace = new_workspace(
            variant, root, rng, capacity=capacity, node_words=NODE_WORDS, path_limit=PATH_LIMIT, control=CONTROL
        )
        self.nodes, self.totals, self.control = self.workspace.nodes, self.workspace.totals, self.workspace.control
        self.nodes[0, SEAT] = UNKNOWN_SEAT
        self.control[NODE_COUNT] = 1

    def run(self, function: Any, iterations: int) -> int:
        """Grow the tree; return how many iterations were made."""
        return int(function(self.workspace, iterations))

    def reuse(self, old: "Tree", top: int, copy: Any) -> None:
        """Take over the subtree of another tree below a node, and its random numbers."""
        self.control[NODE_COUNT] = copy(old.nodes, old.totals, top, self.nodes, self.totals)
        self.workspace = self.workspace._replace(rng=old.workspace.rng)

    @property
    def scale(self) -> float:
        """The greatest score seen, at least 1."""
        return float(self.workspace.scale[0])

    def children(self, node: int) -> slice:
        """Return where the children of a node are."""
        first = int(self.nodes[node, FIRST])
        return slice(first, first + int(self.nodes[node, CHILDREN]))

    def follow(self, codes: list[int]) -> int | None:
        """Return the node that moves from the root lead to, if the tree has it."""
        node = 0
        for code in codes:
            children = self.children(node)
            found = np.flatnonzero(self.nodes[children, MOVE] == code)
            if len(found) == 0:
                return None
            node = children.start + int(found[0])
        return node

    def leads_to(self, codes: list[int], state: State) -> bool:
        """Return whether moves lead from the root's position to this very state."""
        root = self.workspace.root
        reached = np.concatenate([root, np.zeros(len(codes) * self.variant.log, dtype=np.int64)])
        for code in codes:
            self.variant.rules.apply(reached, code)
        return bool(np.array_equal(reached[: reached[0]], state))


@dataclass
class _Choice:
    """A move at the root, with the statistics of all trees together."""

    node: int
    visits: int
    value: float
    proof: int
    length: int


class TreeSearch(Engine):
    """Monte-Carlo tree search with random playouts and proven results."""

    name: ClassVar[str] = "mcts"
    programs: ClassVar[tuple[Program, ...]] = (GROW, COPY_SUBTREE)

    def __init__(self, game: Game, seed: int = 1) -> None:
        """Equal seeds give equal play under a limit of nodes and with one thread."""
        super().__init__(game)
        self._seed = seed
        self._trees: list[Tree] = []
        self._codes: list[int] = []

    def forget(self) -> None:
        """Drop the trees."""
        self._trees = []

    def _prepare_trees(self, task: Task) -> None:
        """Provide a tree for each thread that begins at the task's position, reusing what the last search found."""
        root = task.position.state
        variant = task.position.variant
        threads = task.limits.threads
        # Two generations of each tree exist for a moment when a subtree is copied.
        capacity = max(5000, (task.limits.memory_mb * 900_000 - 4_000_000) // (2 * threads * NODE_BYTES))
        codes = [move.code for move in task.position.moves]
        since = codes[len(self._codes) :] if codes[: len(self._codes)] == self._codes else None
        reusable = since is not None and len(self._trees) == threads and task.level.oversight == 0
        trees = []
        for number in range(threads):
            tree = Tree(variant, root, capacity, new_rng(self._seed * 1000 + number))
            old = self._trees[number] if reusable else None
            if old is not None and since is not None and old.leads_to(since, root):
                top = old.follow(since)
                if top is not None:
                    tree.reuse(old, top, self.game.linker.best(COPY_SUBTREE))
            tree.control[OVERSIGHT], tree.control[SALT] = task.level.oversight, self._seed
            trees.append(tree)
        self._trees, self._codes = trees, codes

    def think(self, task: Task) -> Iterator[Info]:
        """Grow the trees for as long as there is time."""
        self._prepare_trees(task)
        timing = TimeManager(task, self.game, GROW)
        finished = threading.Event()
        made = [0] * len(self._trees)
        helpers = [
            threading.Thread(target=self._help, args=(number, made, finished)) for number in range(1, len(self._trees))
        ]
        for helper in helpers:
            helper.start()
        try:
            for function, budget in timing.slices(first=50, plain=4):
                iterations = self._trees[0].run(function, budget)
                made[0] += iterations
                timing.done = sum(made)
                if iterations < budget:
                    break
                if timing.to_report():
                    yield self._info(task, timing.done)
        finally:
            finished.set()
            for helper in helpers:
                helper.join()
        yield self._info(task, sum(made))

    def _help(self, number: int, iterations: list[int], finished: threading.Event) -> None:
        """Grow another tree until told to stop or the root is proven."""
        function = self.game.linker.ready(GROW)
        while function is not None and not finished.is_set():
            made = self._trees[number].run(function, 500)
            iterations[number] += made
            if made < 500:
                return

    def _choices(self, seat: int) -> list[_Choice]:
        """Return the moves at the root, best first. All trees list them in the same order."""
        tree = self._trees[0]
        grown = [t for t in self._trees if t.nodes[0, CHILDREN] == tree.nodes[0, CHILDREN]]
        found = []
        for offset in range(int(tree.nodes[0, CHILDREN])):
            at = [(t, int(t.nodes[0, FIRST]) + offset) for t in grown]
            visits = sum(int(t.nodes[n, VISITS]) for t, n in at)
            value = sum(float(t.totals[n]) for t, n in at) / max(1, visits) / tree.scale
            proof, length = max((int(t.nodes[n, PROOF]), int(t.nodes[n, LENGTH])) for t, n in at)
            found.append(_Choice(at[0][1], visits, proven_for(proof, seat) if proof else value, proof, length))

        def merit(choice: _Choice) -> tuple[float, float, float]:
            if choice.proof:
                return choice.value, 0.0, -choice.length * choice.value
            # A proven draw is preferred to a move that seems lost; a proven loss to nothing.
            return (
                (0.0, choice.visits, choice.value)
                if choice.value > -0.5 or choice.visits == 0
                else (-0.5, choice.visits, 0)
            )

        return sorted(found, key=merit, reverse=True)

    def _info(self, task: Task, done: int) -> Info:
        variant = task.position.variant
        tree = self._trees[0]
        turn = task.position.turn
        seat = 0 if turn is None else turn
        choices = self._choices(seat)
        if not choices:
            line = (task.position.legal_moves[0].text,)
            return Info(0, done, task.elapsed, (0.0,) * variant.seats, (line,))
        lines = tuple(self._line(tree, choice.node) for choice in choices[:3] if choice is choices[0] or choice.visits)
        best = choices[0]
        values = _decided(best.proof - 1, variant.seats) if best.proof else shares(best.value, task)
        proven = best.length + 1 if best.proof else None
        return Info(int(tree.control[LONGEST_PATH]), done, task.elapsed, values, lines, proven)

    def _line(self, tree: Tree, node: int) -> tuple[str, ...]:
        texts = [tree.variant.move(int(tree.nodes[node, MOVE])).text]
        while tree.nodes[node, CHILDREN] and tree.nodes[node, SEAT] != CHANCE and len(texts) < 20:
            children = tree.children(node)
            visits = tree.nodes[children, VISITS]
            if visits.max() == 0:
                break
            node = children.start + int(np.argmax(visits))
            texts.append(tree.variant.move(int(tree.nodes[node, MOVE])).text)
        return tuple(texts)


def _decided(won: int, seats: int) -> tuple[float, ...]:
    """Return the scores of a result: the winners have 1, the others share the opposite."""
    number = won.bit_count()
    if number in (0, seats):
        return (0.0,) * seats
    return tuple(1.0 if won >> seat & 1 else -number / (seats - number) for seat in range(seats))
