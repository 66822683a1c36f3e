"""The simple calls: the best move, an analysis, a hint."""

import threading
from collections.abc import Iterator, Mapping
from typing import Any

from triskele.core.moves import Move
from triskele.core.position import Position, position_of_view
from triskele.engines.engine import Engine, Info, Limits
from triskele.engines.registry import BEST
from triskele.engines.registry import engine as new_engine

_kept = threading.local()

View = Mapping[str, Any]
"""What a seat may know, as :meth:`~triskele.core.position.Position.view` has it."""


def asked_about(position: Position | View, seat: int | None) -> tuple[Position, int | None]:
    """Return a position, or the one in a view, and the seat that asks: unless another is named, the view's own."""
    if isinstance(position, Position):
        return position, seat
    known = position_of_view(position)
    return known, position.get("seat") if seat is None else seat


def kept_engine(position: Position, name: str) -> Engine:
    """Return this thread's engine: one is kept, so that what it learned serves the next call."""
    key = (name, position.variant.game)
    if getattr(_kept, "key", None) != key:
        _kept.key, _kept.engine = key, new_engine(name, position.variant.game)
    found: Engine = _kept.engine
    return found


def best_move(
    position: Position | View,
    seconds: float | None = None,
    *,
    level: int | None = None,
    seat: int | None = None,
    nodes: int | None = None,
    threads: int = Limits.threads,
    memory_mb: int = Limits.memory_mb,
    engine: str = BEST,
) -> Move:
    """Return the best move an engine finds in ``seconds`` (by default 1), or at a ``level`` from 1 to 10.

    In a game with secrets it knows what the seat to act may know and no more; a view is as good as a position.
    """
    limits = Limits(seconds, nodes, level, memory_mb, threads)
    known, seat = asked_about(position, seat)
    return kept_engine(known, engine).choose(known, limits, seat=seat)


def analyse(
    position: Position | View,
    seconds: float | None = None,
    *,
    level: int | None = None,
    seat: int | None = None,
    nodes: int | None = None,
    threads: int = Limits.threads,
    memory_mb: int = Limits.memory_mb,
    stop: threading.Event | None = None,
    engine: str = BEST,
) -> Iterator[Info]:
    """Stream what an engine thinks, better and better, until the time is over or ``stop`` is set.

    In a game with secrets it knows what ``seat`` (by default the one to act, or the view's own) may know.
    """
    limits = Limits(seconds, nodes, level, memory_mb, threads)
    known, seat = asked_about(position, seat)
    return kept_engine(known, engine).analyse(known, limits, stop, seat)
