"""The jobs of the worker pool: engines at work. This module imports nothing of the server; jobs get plain data.

A job gets what one seat may know of a position, never the position itself.
"""

import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triskele.core.game import game
from triskele.core.position import KnownPosition, Position

if TYPE_CHECKING:
    from triskele.core.contract.engine import Limits


@dataclass(frozen=True)
class Question:
    """A position as a seat knows it, and the limits of the engine that is asked about it.

    ``moves`` are those made so far as the seat saw them; empty in an open game, where the position says all.
    """

    game: str
    options: dict[str, Any]
    state: bytes
    moves: tuple[str, ...]
    seat: int
    seconds: float
    level: int | None
    memory_mb: int
    seed: int | None = None

    @classmethod
    def of(
        cls, position: Position, seat: int, seconds: float, level: int | None, memory_mb: int, seed: int | None = None
    ) -> "Question":
        """Return the question about a position for a seat, with nothing but what that seat may know.

        The seed decides which mistakes a weak level makes, so that they differ between games.
        """
        variant = position.variant
        state = position.seen_by(seat).state.tobytes()
        moves = tuple(position.moves_seen_by(seat)) if variant.game.hidden else ()
        return cls(variant.game.name, dict(variant.options), state, moves, seat, seconds, level, memory_mb, seed)

    @property
    def limits(self) -> "Limits":
        """What the engine may use for its answer."""
        from triskele.core.contract.engine import Limits

        return Limits(seconds=self.seconds, level=self.level, memory_mb=self.memory_mb, seed=self.seed)

    def position(self) -> Position:
        """Return the position as the seat knows it."""
        state = np.frombuffer(self.state, dtype=np.int64).copy()
        return KnownPosition(game(self.game).variant(self.options), state, self.moves)


def choose(question: Question) -> str:
    """Return the move that an engine makes."""
    from triskele.engines.registry import BEST
    from triskele.engines.simple import kept_engine

    position = question.position()
    return kept_engine(position, BEST).choose(position, question.limits, seat=question.seat).text


def interrupt(question: Question) -> str | None:
    """Return the interrupt that an engine makes, or ``None``."""
    from triskele.engines.registry import BEST
    from triskele.engines.simple import kept_engine

    position = question.position()
    move = kept_engine(position, BEST).interrupt(position, question.limits, question.seat)
    return None if move is None else move.text


def hint(question: Question, language: str) -> dict[str, str]:
    """Return a good move, and a sentence why."""
    from triskele.engines.hints import hint

    found = hint(question.position(), question.seconds, seat=question.seat)
    return {"move": found.move.text, "why": found.say(language)}


def analyse(question: Question) -> dict[str, Any]:
    """Return what an engine thinks of a position."""
    from triskele.engines import Limits
    from triskele.engines.registry import BEST
    from triskele.engines.simple import kept_engine

    position = question.position()
    last = kept_engine(position, BEST).search(position, Limits(question.seconds), seat=question.seat)
    return {
        "scores": list(last.scores),
        "lines": [list(line) for line in last.lines],
        "depth": last.depth,
        "nodes": last.nodes,
        "proven": last.proven,
    }


def initialize_worker() -> None:
    """Set up a worker process: it gives way to the server, and ends when the server ends or is killed."""
    import multiprocessing
    import signal
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def exit_with_parent() -> None:
            wait([parent.sentinel])
            os._exit(0)

        threading.Thread(target=exit_with_parent, daemon=True).start()
