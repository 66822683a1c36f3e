"""Rate the difficulty of a puzzle from 1 to 10 by what engines make of it; no people are needed.

Two measurements go into it: which levels find the solution's first turn, and how long the engine at full strength
changes its mind before it stays with it.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any

from triskele.core.contract.aims import REACHED
from triskele.core.contract.engine import Engine, Limits
from triskele.core.contract.levels import TOP
from triskele.core.contract.puzzles import ForcedKind, ValueKind, kind_of
from triskele.core.position import Position
from triskele.core.puzzles import HARDEST, Puzzle
from triskele.engines.registry import BEST, engine
from triskele.puzzle.forced import ForcedSolver

SEEDS = (1, 2)
"""Each level tries with these: what a weak level overlooks depends on the seed."""
NODES = 100_000
"""What the engine at full strength may search while its mind is watched."""
SECONDS = 4.0
"""However slow the machine, a search ends after this time."""
SETTLED_AT_ONCE, SETTLED_LATE = 200.0, 50_000.0
"""Nodes after which the engine stays with the solution: up to the first it is easiest, from the second hardest."""
LEVELS_WEIGHT = 0.6
"""The part of the difficulty that comes from the levels; the rest comes from how long the engine changes its mind."""
LEVELS_WEIGHT_BESIDE_EFFORT = 0.4
"""The same where the game tells how much there is to work out: there most levels find all puzzles, or none."""


def rate(document: dict[str, Any], isolated: bool = False) -> int:
    """Return the difficulty of a puzzle. The function of a work item."""
    puzzle = Puzzle.of_document(document)
    start = puzzle.start()
    kind = kind_of(start.variant.game, puzzle.kind)
    if isinstance(kind, ForcedKind):
        start = kind.rated_as(start)
    player = engine(BEST, start.variant.game)
    player.get_ready()
    first_turn = _FirstTurn(start, puzzle)
    missed = sum(
        not first_turn.is_found_by(player, Limits(level=level, seed=seed, seconds=SECONDS))
        for level, seed in itertools.product(range(1, TOP), SEEDS)
    )
    by_levels = 1 + (HARDEST - 1) * missed / ((TOP - 1) * len(SEEDS))
    if isinstance(kind, ValueKind) and kind.effort is not None:
        part, weight = kind.effort(start), LEVELS_WEIGHT_BESIDE_EFFORT
    else:
        player.forget()
        part, weight = _part_until_settled(player, start, puzzle), LEVELS_WEIGHT
    player.close()
    by_mind = 1 + (HARDEST - 1) * part
    return max(1, min(HARDEST, round(weight * by_levels + (1 - weight) * by_mind)))


class _FirstTurn:
    """The first turn of a puzzle's solution, to compare others with, up to the order of its decisions."""

    def __init__(self, start: Position, puzzle: Puzzle) -> None:
        self.start = start
        self.puzzle = puzzle
        kind = kind_of(start.variant.game, puzzle.kind)
        self._kind = kind if isinstance(kind, ForcedKind) else None
        self._solver = ForcedSolver(start.variant, kind) if isinstance(kind, ForcedKind) else None
        self._after = str(self._played(iter(puzzle.solution)))

    def _is_over(self, played: Position) -> bool:
        """Return whether the turn is over, or has reached the aim: what is decided after that does not matter."""
        if played.turn != self.puzzle.seat:
            return True
        if self._solver is None:
            return bool(played.moves)  # moves have values: it is about one of them
        return self._solver.aim(self.start.state, played.state, self.puzzle.seat) == REACHED

    def _played(self, moves: Iterator[str]) -> Position:
        played = self.start.copy()
        while not self._is_over(played):
            played.push(next(moves))
        return played

    def is_found_by(self, player: Engine, limits: Limits) -> bool:
        """Return whether an engine makes this turn."""
        player.forget()
        played = self.start.copy()
        while not self._is_over(played):
            played.push(player.choose(played, limits, seat=self.puzzle.seat))
        return str(played) == self._after


def _part_until_settled(player: Engine, start: Position, puzzle: Puzzle) -> float:
    """Return from 0 to 1 how long it takes until the engine's best move is the solution's first for good.

    Nodes are compared on a logarithmic scale. An engine that hardly searches nodes is judged by its answers instead:
    the share of them that comes before it stays with the solution.
    """
    settled, settled_at = math.inf, 0
    answers = searched = 0
    for info in player.analyse(start, Limits(nodes=NODES, seconds=SECONDS), seat=puzzle.seat):
        if info.move != puzzle.solution[0]:
            settled = math.inf
        elif math.isinf(settled):
            settled, settled_at = float(max(info.nodes, 1)), answers
        answers, searched = answers + 1, max(searched, info.nodes)
    if math.isinf(settled):
        return 1.0
    if searched < SETTLED_AT_ONCE:
        return settled_at / max(1, answers - 1)
    span = math.log(SETTLED_LATE / SETTLED_AT_ONCE)
    return min(1.0, max(0.0, math.log(settled / SETTLED_AT_ONCE) / span))
