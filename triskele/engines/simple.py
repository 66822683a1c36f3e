"""The best move and an analysis in one call, by an engine that is kept for each thread."""

import threading
from collections.abc import Iterator, Mapping
from typing import Any

from triskele.core.contract.engine import Engine, Info, Limits
from triskele.core.moves import Move
from triskele.core.position import Position, position_of_view
from triskele.engines.registry import BEST
from triskele.engines.registry import engine as new_engine

_kept = threading.local()

View = Mapping[str, Any]
"""What a seat may know, as :meth:`~triskele.core.position.Position.view` has it."""


def asked_about(position: Position | View, seat: int | None) -> tuple[Position, int | None]:
    """Return the position, also of a view, and the seat that asks: by default the view's own."""
    if isinstance(position, Position):
        return position, seat
    known = position_of_view(position)
    return known, position.get("seat") if seat is None else seat


def kept_engine(position: Position, name: str) -> Engine:
    """Return this thread's engine; it is kept, so that the next call uses what this one's search found."""
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

    In a game with secrets it knows what the seat to act may know and no more; a view may stand for the position.
    """
    limits = Limits(seconds, nodes, level, memory_mb, threads)
    known, seat = asked_about(position, seat)
    player = kept_engine(known, engine)
    if known.variant.game.is_combinatorial and player.search_program is not None:
        known = _as_written(known)
    return player.choose(known, limits, seat=seat)


def _as_written(position: Position) -> Position:
    """Return the position that its text says: equal positions get the same answer, however they came about.

    Equal positions may differ in the order in which a state lists things, and so may searches. A WebAssembly module
    that is given the text answers the same.
    """
    variant = position.variant
    notation = variant.game.notation
    line = notation.write(variant.options, position.state)
    return Position(variant, notation.read(variant.options, line, variant.first_state()))


def analyse(
    position: Position | View,
    seconds: float | None = None,
    *,
    level: int | None = None,
    seat: int | None = None,
    nodes: int | None = None,
    threads: int = Limits.threads,
    memory_mb: int = Limits.memory_mb,
    lines: int = Limits.lines,
    stop: threading.Event | None = None,
    engine: str = BEST,
) -> Iterator[Info]:
    """Stream the infos of an engine's search until the time is over or ``stop`` is set.

    ``lines`` is how many lines alpha-beta looks for, up to 5: each costs as much as the first.
    In a game with secrets it knows what ``seat`` (by default the one to act, or the view's own) may know.
    """
    limits = Limits(seconds, nodes, level, memory_mb, threads, lines=lines)
    known, seat = asked_about(position, seat)
    return kept_engine(known, engine).analyse(known, limits, stop, seat)
