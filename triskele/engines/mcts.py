"""A Monte-Carlo tree search for any game: any number of seats, dice, results that are proven.

Where a game has nothing better it is the engine ``triskele``. Random playouts judge positions; what is won,
lost or drawn for certain is known as such up the tree. The part of the tree that the moves made
since have led to is kept for the next search. Each thread grows a tree of its own.
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
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, OVER, Moves, Scores, State, actor, apply, legal, scores, winners
from triskele.core.game import Game, Variant
from triskele.core.playout import playout
from triskele.engines.clockwork import Pace, linked
from triskele.engines.engine import Engine, Info, Task, shares

Nodes = NDArray[np.int32]
Totals = NDArray[np.float32]

# A node: the move that led to it, its children, how often it was visited, who acts; and, when its
# result is proven, the winners as a bit set plus 1, and how many moves it is to the end.
MOVE, FIRST, CHILDREN, VISITS, SEAT, PROOF, LENGTH = range(7)
NODE_WORDS = 8
NODE_BYTES = 4 * NODE_WORDS + 4
UNKNOWN_SEAT = -3

PATH_LIMIT = 2048
PLAYOUT_LIMIT = 4000
EXPLORATION = 0.7
"""Times the width of the scores: the constant of UCB1 that played best."""


def proven_for(proof: int, seat: int) -> float:
    """Return what a proven result is worth to a seat."""
    if proof == 1:
        return 0.0
    return 1.0 if (proof - 1) >> seat & 1 == 1 else -1.0


def plain_result(state: State, out: Scores) -> int:
    """Return the proof for a finished game, 0 when its scores say more than who has won."""
    won = winners(state)
    scores(state, out)
    for seat in range(len(out)):
        if won == 0 and out[seat] != 0.0:
            return 0
        if won >> seat & 1 == 1 and out[seat] != 1.0:
            return 0
    return won + 1


def overlooked(move: int, salt: int, per_mille: int) -> bool:
    """Return whether a weak level does not see a move; always the same answer for the same salt."""
    mixed = ((move ^ salt) & 0x7FFFFFFF) * 0x5851F42D
    return (mixed >> 20 & 0xFFFFF) % 1000 < per_mille


def prove(nodes: Nodes, node: int) -> int:
    """See whether a node's children prove its result; return whether it is proven now."""
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
        # A win wants to be short, anything else long.
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


def select(nodes: Nodes, totals: Totals, node: int, scale: float, rng: Rng) -> int:
    """Return the child to visit next; no score was ever greater than ``scale``."""
    first = nodes[node, FIRST]
    number = nodes[node, CHILDREN]
    seat = nodes[node, SEAT]
    if seat == CHANCE:
        return int(first + below(rng, number))
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
            # No need to look again, but the best there is while nothing else is left.
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


def grow(
    root: State,
    state: State,
    moves: Moves,
    out: Scores,
    scale: Scores,
    nodes: Nodes,
    totals: Totals,
    path: Nodes,
    used: Moves,
    rng: Rng,
    iterations: int,
) -> int:
    """Add up to ``iterations`` playouts to the tree, whose node 0 is ``root``; return how many.

    Fewer only when the root is proven. ``totals[i]`` is the sum of scores for the seat that chose the
    move to node ``i``. ``used`` has the number of nodes, the longest path, and what a weak level
    overlooks: how many moves in a thousand, and a salt.
    """
    for made in range(iterations):
        if nodes[0, PROOF] != 0:
            return made
        for i in range(root[0]):
            state[i] = root[i]
        node = 0
        length = 0
        while True:
            if nodes[node, SEAT] == UNKNOWN_SEAT or nodes[node, VISITS] == 0:
                nodes[node, SEAT] = actor(state)
                if nodes[node, SEAT] == OVER:
                    nodes[node, PROOF] = plain_result(state, out)
            if nodes[node, PROOF] != 0 or nodes[node, SEAT] == OVER or length == len(path) - 1:
                break
            if nodes[node, CHILDREN] == 0:
                if nodes[node, VISITS] == 0 and node != 0:
                    break
                number = legal(state, moves)
                if used[0] + number > len(nodes):
                    break
                fresh = used[0]
                kept = 0
                for i in range(number):
                    weak = length > 0 and used[2] > 0 and number - i + kept > 1 and nodes[node, SEAT] != CHANCE
                    if weak and overlooked(moves[i], used[3] + length, used[2]):
                        continue
                    child = fresh + kept
                    nodes[child, MOVE] = moves[i]
                    nodes[child, SEAT] = UNKNOWN_SEAT
                    kept += 1
                nodes[node, FIRST] = fresh
                nodes[node, CHILDREN] = kept
                used[0] = fresh + kept
            node = select(nodes, totals, node, scale[0], rng)
            apply(state, nodes[node, MOVE])
            length += 1
            path[length] = node
        used[1] = max(used[1], length)
        for i in range(len(out)):
            out[i] = 0.0
        if nodes[node, PROOF] == 0:
            playout(state, moves, rng, PLAYOUT_LIMIT)
        if actor(state) == OVER:
            scores(state, out)
            for i in range(len(out)):
                scale[0] = max(scale[0], abs(out[i]))
        elif nodes[node, PROOF] > 1:
            for i in range(len(out)):
                out[i] = proven_for(nodes[node, PROOF], i)
        proving = nodes[node, PROOF] != 0
        for i in range(length, -1, -1):
            node = path[i] if i > 0 else 0
            nodes[node, VISITS] += 1
            if i > 0:
                chooser = nodes[path[i - 1] if i > 1 else 0, SEAT]
                if chooser >= 0:
                    totals[node] += out[chooser]
            if proving and i < length:
                proving = prove(nodes, node) == 1
    return iterations


def transplant(nodes: Nodes, totals: Totals, top: int, fresh: Nodes, fresh_totals: Totals) -> int:
    """Copy the tree below ``top`` into empty arrays, where it begins at 0; return its size.

    What does not fit is cut off, leaves without their children.
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


GROW = Program(
    grow,
    "int64(int64[::1], int64[::1], int64[::1], float64[::1], float64[::1], int32[:,::1], float32[::1], "
    "int32[::1], int64[::1],"
    " uint64[::1], int64)",
)
TRANSPLANT = Program(transplant, "int64(int32[:,::1], float32[::1], int64, int32[:,::1], float32[::1])")


class Tree:
    """One tree and the arrays to grow it with."""

    def __init__(self, variant: Variant, root: State, capacity: int, rng: Rng) -> None:
        """Begin with the root alone."""
        self.variant = variant
        self.root = root
        self.nodes = np.zeros((capacity, NODE_WORDS), dtype=np.int32)
        self.totals = np.zeros(capacity, dtype=np.float32)
        self.nodes[0, SEAT] = UNKNOWN_SEAT
        self.used = np.array([1, 0, 0, 0], dtype=np.int64)
        self._buffers = (
            np.zeros(len(root) + (PATH_LIMIT + PLAYOUT_LIMIT) * variant.log, dtype=np.int64),
            np.empty(variant.moves_limit, dtype=np.int64),
            np.zeros(variant.seats, dtype=np.float64),
            np.ones(1, dtype=np.float64),
        )
        self._path = np.zeros(PATH_LIMIT, dtype=np.int32)
        self.rng = rng

    def run(self, function: Any, iterations: int) -> int:
        """Grow the tree; return how many playouts were made."""
        arguments = (*self._buffers, self.nodes, self.totals, self._path, self.used, self.rng)
        return int(function(self.root, *arguments, iterations))

    @property
    def scale(self) -> float:
        """The greatest score seen, at least 1."""
        return float(self._buffers[3][0])

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


@dataclass
class _Choice:
    """A move at the root, as all trees together see it."""

    node: int
    visits: int
    value: float
    proof: int
    length: int


class TreeSearch(Engine):
    """Monte-Carlo tree search with random playouts and proven results."""

    name: ClassVar[str] = "mcts"
    programs: ClassVar[tuple[Program, ...]] = (GROW, TRANSPLANT)

    def __init__(self, game: Game, seed: int = 1) -> None:
        """Equal seeds give equal play under a limit of nodes and with one thread."""
        super().__init__(game)
        self._seed = seed
        self._trees: list[Tree] = []
        self._codes: list[int] = []

    def forget(self) -> None:
        """Drop the trees."""
        self._trees = []

    def _plant(self, task: Task) -> None:
        """Have a tree for each thread that begins at the task's position, with what is known of it."""
        root = task.position.state
        variant = task.position.variant
        threads = task.limits.threads
        # Two generations of each tree are there for a moment when it is transplanted.
        capacity = max(5000, (task.limits.memory_mb * 900_000 - 4_000_000) // (2 * threads * NODE_BYTES))
        codes = [move.code for move in task.position.moves]
        since = codes[len(self._codes) :] if codes[: len(self._codes)] == self._codes else None
        keep = since is not None and len(self._trees) == threads and task.level.oversight == 0
        planted = []
        for number in range(threads):
            tree = Tree(variant, root, capacity, new_rng(self._seed * 1000 + number))
            old = self._trees[number] if keep else None
            if old is not None and since is not None and self._leads_to(old, since, root):
                top = old.follow(since)
                if top is not None:
                    move_over = linked(self.game, TRANSPLANT)
                    tree.used[0] = move_over(old.nodes, old.totals, top, tree.nodes, tree.totals)
                    tree.rng = old.rng
            tree.used[2:4] = task.level.oversight, self._seed
            planted.append(tree)
        self._trees, self._codes = planted, codes

    def _leads_to(self, tree: Tree, codes: list[int], root: State) -> bool:
        """Return whether the moves lead from a tree's root to this very state."""
        rules = tree.variant.rules
        state = np.concatenate([tree.root, np.zeros(len(codes) * tree.variant.log, dtype=np.int64)])
        for code in codes:
            rules.apply(state, code)
        return bool(np.array_equal(state[: state[0]], root))

    def think(self, task: Task) -> Iterator[Info]:
        """Grow the trees for as long as there is time."""
        self._plant(task)
        tree = self._trees[0]
        pace = Pace(task, self.game, GROW)
        over = threading.Event()
        beside = [0] * len(self._trees)
        helpers = [
            threading.Thread(target=self._help, args=(number, beside, over)) for number in range(1, len(self._trees))
        ]
        for helper in helpers:
            helper.start()
        own = 0
        try:
            for function, number in pace.slices(first=50, plain=4):
                made = tree.run(function, number)
                own += made
                pace.done = own + sum(beside)
                if made < number:
                    break
                if pace.to_report():
                    yield self._info(task, pace.done)
        finally:
            over.set()
            for helper in helpers:
                helper.join()
        yield self._info(task, own + sum(beside))

    def _help(self, number: int, beside: list[int], over: threading.Event) -> None:
        function = self.game.linker.ready(GROW)
        while function is not None and not over.is_set():
            made = self._trees[number].run(function, 500)
            beside[number] += made
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
            # A proven draw is taken over what looks lost, a proven loss only when nothing else is left.
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
        return Info(int(tree.used[1]), done, task.elapsed, values, lines, proven)

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
