"""The review of a record: :func:`review` in Python, and in parts for servers (:class:`Reviewer`)."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from triskele.core.contract.engine import Limits
from triskele.core.contract.review import exact_values_of
from triskele.core.errors import OptionError, RecordError
from triskele.core.record_parts import actor_document
from triskele.core.records import Record
from triskele.core.words import text
from triskele.reviewing.assembly import Assembled, JudgedMove, JudgedPlayer, assemble
from triskele.reviewing.valuation import Value, valuer_of

FORMAT = "triskele-review/1"
MOST_MOVES = 10_000
"""Longer games are refused: a review of one would take hours."""
MOST_NODES = 1 << 40
MOST_SECONDS = 3600.0

Progress = Callable[[int, int], None]
"""Called with the positions that are valued, and how many there are."""


@dataclass(frozen=True)
class Review:
    """The review of a game. ``reviewed`` is how many of its moves are judged: all, unless it was stopped."""

    record: Record
    reviewed: int
    found: Assembled

    @property
    def moves(self) -> tuple[JudgedMove, ...]:
        """The decisions, in order."""
        return self.found.moves

    @property
    def players(self) -> tuple[JudgedPlayer, ...]:
        """The players, by seat."""
        return self.found.players

    @property
    def exact(self) -> bool:
        """Whether luck and skill are in scores of the game, from its exact values."""
        return exact_values_of(self.record.variant.game) is not None

    @property
    def turning_point(self) -> int | None:
        """The number of the move at which the game turned, counted from 1 over all moves of the record."""
        return self.found.turning_point

    def document(self) -> dict[str, Any]:
        """Return the review as plain data, as ``triskele review --json`` writes it."""
        record = self.record
        rolls = [
            {"number": at + 1, "move": record.moves[at].text, "luck": list(luck)}
            for at, luck in self.found.rolls.items()
        ]
        return {
            "format": FORMAT,
            "game": record.game,
            "options": dict(record.options),
            "winners": None if record.outcome is None else list(record.outcome.winners),
            "reviewed": self.reviewed,
            "turning_point": self.turning_point,
            "players": [player.document() for player in self.players],
            "moves": [move.document() for move in self.moves],
            **({"exact": self.exact, "rolls": rolls} if record.variant.game.chance else {}),
            "chances": [[round(chance, 6) for chance in each] for each in self.found.chances],
            "movers": [actor_document(move.seat) for move in record.moves[: self.reviewed]],
        }


def check_reviewable(record: Record) -> None:
    """Raise ``RecordError`` for a record that cannot be reviewed: too long, or only what one seat has seen."""
    if record.viewer is not None:
        raise RecordError(text("core.record-only-seen"))
    if len(record.moves) > MOST_MOVES:
        raise RecordError(text("reviewing.too-long", moves=len(record.moves), limit=MOST_MOVES))


def limits_of(nodes: int | None, seconds: float | None) -> Limits | None:
    """Return the limits of each position's search, ``None`` for the usual ones; ``OptionError`` names a wrong one."""
    if nodes is not None and not 1 <= nodes <= MOST_NODES:
        raise OptionError(text("reviewing.bad-nodes", limit=MOST_NODES))
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise OptionError(text("reviewing.bad-seconds", limit=int(MOST_SECONDS)))
    return None if nodes is None and seconds is None else Limits(seconds=seconds, nodes=nodes)


class Reviewer:
    """Values the positions of a record, one after the other or a part of them."""

    def __init__(
        self, record: Record, limits: Limits | None = None, *, check: bool = True, stop: threading.Event | None = None
    ) -> None:
        """Review ``record``; ``check`` replays it to its end first. ``RecordError`` says what is wrong with it."""
        check_reviewable(record)
        if check:
            record.replay()
        self.record = record
        self._valuer = valuer_of(record.variant, limits, stop)
        self._stop = stop

    @property
    def positions(self) -> int:
        """How many positions the record has: one more than moves."""
        return len(self.record.moves) + 1

    def values(
        self, first: int = 0, *, seconds: float = float("inf"), progress: Progress | None = None
    ) -> list[Value | None]:
        """Return the values from position ``first`` on: all, or as many as fit into ``seconds``, at least one."""
        self._valuer.get_ready()
        began = time.monotonic()
        position = self.record.first_position()
        moves = self.record.moves
        found: list[Value | None] = []
        for at in range(self.positions):
            move = position.find(moves[at].text) if at < len(moves) else None
            if at >= first:
                found.append(self._valuer.value(position, move))
                if progress is not None:
                    progress(at + 1, self.positions)
                if time.monotonic() - began > seconds or (self._stop is not None and self._stop.is_set()):
                    break
            if move is not None:
                position.push(move)
        return found

    def review(self, values: Sequence[Value | None]) -> Review:
        """Return the review that the values of the first positions give."""
        record = self.record
        stopped = record.ended is not None
        found = assemble(record.variant, record.moves, record.seats, values, record.outcome, stopped=stopped)
        return Review(record, max(0, len(values) - 1), found)


def review(
    record: Record,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Review:
    """Review a game: what each decision was worth, accuracy, mistakes, luck and skill.

    ``nodes`` and ``seconds`` limit the engine in each position; the usual nodes are those that the game's curve of
    winning chances was measured with. When ``stop`` is set, the rest of the game is left out. A game in progress is
    reviewed as far as it goes. ``RecordError`` says why a record cannot be reviewed.
    """
    reviewer = Reviewer(record, limits_of(nodes, seconds), stop=stop)
    return reviewer.review(reviewer.values(progress=progress))
