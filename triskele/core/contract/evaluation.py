"""The contract for a game's ``evaluation.py``: what engines know of a game beyond its rules.

Searches call the functions here. They import the names from here and are linked to one game's functions, as the rules
are (see :mod:`triskele.core.contract.rules`; the same restrictions hold). The bodies are the defaults for what a game
leaves out. ``weights`` is an array of trained numbers and ``workspace`` an array of ``WORKSPACE`` words, zeros at
first: both are arguments, so new weights need no compiling, and nothing is allocated. A workspace is used with one
array of weights only, so that it can hold a cache.

What the Python side of the engines uses is declared once, as ``EVALUATION = Evaluation(...)``.

A game whose engine has other things to train brings a ``training.py`` with
``train(folder, *, seed, rounds, games, executor, progress) -> Path``, which ``triskele train`` then calls.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract.levels import LEVELS, Level
from triskele.core.contract.rules import SIZE, Moves, State
from triskele.core.options import Options
from triskele.core.words import Text

Weights = NDArray[np.int32]
"""Trained numbers as ``evaluate`` wants them."""
Parameters = NDArray[np.float64]
"""Trained numbers as regression finds them, in logits."""
Workspace = NDArray[np.int64]
Progress = Callable[[str, int, int], None]
"""Called by training with a label of the work, how much of it is done, and how much there is."""

WORKSPACE = 1024 + (4 << 13)
"""Words in the workspace that every function here gets: some are scratch, most are a cache."""

UNIT = 1000
"""Values are in thousandths of a logit: a value of 1000 is a chance of 73 % to win."""


def evaluate(state: State, weights: Weights, workspace: Workspace) -> int:
    """Return the static evaluation of a quiet position of two seats for seat 0, in thousandths of a logit."""
    return 0


def is_quiet(state: State) -> int:
    """Return 1 where the static evaluation of a position is meaningful, 0 in the middle of a forced sequence."""
    return 1


def ply_cost(state: State) -> int:
    """Return how much of the search depth a decision costs here; forced decisions should cost 0.

    A sequence of decisions that cost 0 must be short.
    """
    return 1


def quiescence_moves(state: State, moves: Moves, distance: int, workspace: Workspace) -> int:
    """Fill ``moves`` with the legal moves that the quiescence search tries; return their number.

    ``distance`` is the number of decisions from the root. The workspace must be fresh, or last used to evaluate this
    very position.
    """
    return 0


def select_moves(state: State, moves: Moves, number: int) -> int:
    """Move the legal moves to search to the front; return how many there are, at least one.

    A game leaves out moves that only take back what the same seat has just done: a search would do and undo forever.
    """
    return number


def order_moves(
    state: State, moves: Moves, ranks: Moves, number: int, distance: int, weights: Weights, workspace: Workspace
) -> None:
    """Add to ``ranks[i]`` how promising each of the ``number`` legal moves is, up to a million.

    A move that is known to win gets ``2**41``, more than the move of the transposition table. ``distance`` is the
    number of decisions from the root.
    """


def futility_margin(depth: int) -> int:
    """Return by how much a static evaluation is too high at most, nearly always, against a search of ``depth``."""
    return 400 * depth


def prune_futile_moves(
    state: State,
    moves: Moves,
    ranks: Moves,
    first: int,
    number: int,
    bound: int,
    weights: Weights,
    workspace: Workspace,
) -> int:
    """Leave out moves, from index ``first`` on, after which the evaluation will hardly be above ``bound``.

    Return how many moves are left; they are moved to the front with their ranks. It is called in quiet positions, and
    should cost much less than an evaluation after each move.
    """
    return number


def move_limit(state: State, depth: int, distance: int) -> int:
    """Return how many of the best-ranked moves to search; the others are searched only if all of these lose.

    ``depth`` is the remaining depth, ``distance`` the number of decisions from the root.
    """
    return 1 << 30


def position_key(state: State) -> int:
    """Return a hash of the position proper, non-negative. Equal positions have equal keys."""
    low = 0x2545F491
    high = 0x6C8E9CF5
    for i in range(1, SIZE):
        word = state[i]
        low = ((low ^ (word & 0x7FFFFFFF)) * 0x5851F42D + high) & 0x3FFFFFFFFFFFFFFF
        high = ((high ^ (word >> 31 & 0x7FFFFFFF)) * 0x4C957F2D + (low >> 31)) & 0x3FFFFFFFFFFFFFFF
        low = (low ^ low >> 29) & 0x7FFFFFFF
        high = (high ^ high >> 32) & 0x7FFFFFFF
    return int(high << 31 | low)


def features(state: State, index: Moves, value: Moves, workspace: Workspace) -> int:
    """Fill in the indices of the parameters that count here and how often each does, for seat 0; return their number.

    :func:`evaluate` is the sum of parameter times value. Training uses this.
    """
    return 0


# --- what the Python side of the engines uses -----------------------------------------------------


@dataclass(frozen=True)
class TrainingPlan:
    """How much self-play and regression a training run does. The same plan gives the same weights."""

    seed: int = 1
    rounds: int = 4
    games: int = 4000
    nodes: int = 1500
    chunk: int = 50
    opening: int = 10
    """Up to this many random moves at the start of each game."""
    noise: int = 100
    """How far the players' evaluation is off, so that games differ; in thousandths of a logit."""
    rounds_used: int = 2
    """How many rounds' games are in the training set of each fit."""
    result_share: float = 0.6
    """How much the game's result counts in a position's target; the rest is the value that the search found."""
    epochs: int = 12
    weight_decay: float = 1e-5


@dataclass(frozen=True)
class Training:
    """What can be trained by regression on self-play games: the parameters behind :func:`features`.

    ``expand`` makes weights of parameters. ``shared`` is the distance between parameters that mean the same in
    several sets of them, 0 if there is one set. ``initial`` gives the parameters to begin with, zeros by default.
    ``variants`` are the options to train on, in equal shares.
    """

    parameters: int
    expand: Callable[[Parameters], Weights]
    initial: Callable[[], Parameters] | None = None
    shared: int = 0
    variants: tuple[Options, ...] = ({},)
    plan: TrainingPlan = field(default_factory=TrainingPlan)

    def initial_parameters(self) -> Parameters:
        """Return the parameters that training begins with."""
        return np.zeros(self.parameters) if self.initial is None else self.initial()


@dataclass(frozen=True)
class Evaluation:
    """What a game's ``evaluation.py`` declares under the name ``EVALUATION``; every part is optional.

    ``load_weights()``                    the shipped weights, for :func:`evaluate`
    ``levels``                            the game's own playing levels, see :mod:`triskele.core.contract.levels`
    ``explain(options, state, codes, seat)``  why a line is good for a seat, in words, for hints
    ``material(state, seat)``             what a beginner counts for a seat, for the engine ``novice``
    ``training``                          what ``triskele train`` can train
    """

    load_weights: Callable[[], Weights] = lambda: np.zeros(1, dtype=np.int32)
    levels: tuple[Level, ...] = LEVELS
    explain: Callable[[Options, State, Sequence[int], int], Text | None] = lambda options, state, codes, seat: None
    material: Callable[[State, int], int] = lambda state, seat: 0
    training: Training | None = None
