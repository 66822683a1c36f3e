"""``triskele perft``: count all sequences of moves, with progress; Ctrl-C stops it at any time."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from triskele.arena.progress import ProgressLine
from triskele.core.contract import State
from triskele.core.game import Variant
from triskele.core.perft import PERFT
from triskele.core.position import Position

LEAP = 3
"""The plies that one compiled call counts (more at depths above 6): Ctrl-C is heard between calls."""


class Counter:
    """Counts the sequences of moves of one game. Creating one compiles (or loads) the perft program."""

    def __init__(self, variant: Variant) -> None:
        """Compile or load the perft program."""
        self.variant = variant
        self._perft: Callable[..., Any] = variant.game.linker.program(PERFT)

    def leaves(self, depth: int) -> int:
        """Return the number of sequences of exactly ``depth`` decisions from the start (at least 1)."""
        progress = ProgressLine()
        began = time.monotonic()
        total = 0
        walked = min(max(0, depth - LEAP), 3)
        for share, position in _walk(Position(self.variant), walked, 0.0, 1.0):
            total += self._count(position.state, depth - walked)
            progress.show(f"{depth}: {share:.1%}  {total:,}  {time.monotonic() - began:.0f} s")
        progress.clear()
        return total

    def _count(self, state: State, depth: int) -> int:
        words = len(state) + (depth + 1) * self.variant.log
        states = np.zeros((depth, words), dtype=np.int64)
        moves = np.zeros((depth, self.variant.moves_limit), dtype=np.int64)
        return int(self._perft(state, depth, states, moves, np.zeros(2 * depth, dtype=np.int64)))


def _walk(position: Position, depth: int, low: float, high: float) -> Iterator[tuple[float, Position]]:
    """Yield every position after ``depth`` decisions, each with the share of the tree that is done after it."""
    if depth == 0:
        yield high, position
        return
    moves = position.legal_moves
    step = (high - low) / max(1, len(moves))
    for number, move in enumerate(moves):
        position.push(move)
        yield from _walk(position, depth - 1, low + number * step, low + (number + 1) * step)
        position.pop()
