"""The arrays of a Monte-Carlo tree search, for :mod:`triskele.engines.mcts` and :mod:`triskele.engines.uct`."""

from typing import NamedTuple

import numpy as np

from triskele.core.bits import Rng
from triskele.core.contract import State
from triskele.core.game import Variant
from triskele.core.workspace import Float32Vector, FloatVector, Int32Matrix, Int32Vector, RngVector, Vector

PLAYOUT_LIMIT = 4000
"""A playout without an end after this many moves counts as 0 for every seat."""


class TreeWorkspace(NamedTuple):
    """A tree, and the arrays to grow it with."""

    root: Vector
    """The position of node 0."""
    state: Vector
    """The position that an iteration has come to."""
    moves: Vector
    scores: FloatVector
    """The result of an iteration for each seat."""
    scale: FloatVector
    """One number: the greatest score seen, at least 1. Exploration is measured by it."""
    nodes: Int32Matrix
    """The tree: each search says what the words of a node are. The children of a node are consecutive."""
    totals: Float32Vector
    """For each node, the sum of scores for the seat that chose the move to it."""
    path: Int32Vector
    """The nodes of an iteration, from the root to the leaf."""
    control: Vector
    """One word each for the number of nodes and what else a search says."""
    rng: RngVector


def new_workspace(
    variant: Variant, root: State, rng: Rng, *, capacity: int, node_words: int, path_limit: int, control: int
) -> TreeWorkspace:
    """Allocate the arrays for a tree of up to ``capacity`` nodes, with room for ``control`` words of control."""
    return TreeWorkspace(
        root=root,
        state=np.zeros(len(root) + (path_limit + PLAYOUT_LIMIT) * variant.log, dtype=np.int64),
        moves=np.empty(variant.moves_limit, dtype=np.int64),
        scores=np.zeros(variant.seats, dtype=np.float64),
        scale=np.ones(1, dtype=np.float64),
        nodes=np.zeros((capacity, node_words), dtype=np.int32),
        totals=np.zeros(capacity, dtype=np.float32),
        path=np.zeros(path_limit, dtype=np.int32),
        control=np.zeros(control, dtype=np.int64),
        rng=rng,
    )
