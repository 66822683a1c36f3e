"""The clocks of a table: which one runs, since when, and what a decision costs. The log says what was charged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from triskele.core.game_clock import GameClock
from triskele.core.position import Position
from triskele.core.rest_times import Span, due, used
from triskele.core.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class ClockLimits:
    """What is fair on a server, in milliseconds.

    ``first_turn``: what the first decision of each seat in a live game may take without a charge. ``lag`` is given back
    for one decision at most, ``lag_total`` to one seat in one game. After ``claim`` of absence another player may
    claim the game.
    """

    first_turn: int = 30_000
    lag: int = 500
    lag_total: int = 20_000
    claim: int = 60_000


class Timekeeper(Protocol):
    """Knows when no clock runs: what the server needs to know beside the log to charge a decision."""

    limits: ClockLimits

    def rests(self, control: TimeControl, holders: Iterable[str], since: int, until: int) -> Sequence[Span]:
        """Return when, between two times, the clock of a seat with these holders rests."""

    def is_resting(self, control: TimeControl, holders: Iterable[str], at: int) -> bool:
        """Whether the clock of a seat with these holders rests at a time."""


class NoRests:
    """A timekeeper for tables outside a server: clocks never rest."""

    limits = ClockLimits()

    def rests(self, control: TimeControl, holders: Iterable[str], since: int, until: int) -> Sequence[Span]:
        """Return nothing."""
        return ()

    def is_resting(self, control: TimeControl, holders: Iterable[str], at: int) -> bool:
        """Return ``False``."""
        return False


class TableClock(GameClock):
    """The clocks of one table. ``since`` is when the clock of the seat to act began to run, or would have."""

    def __init__(self, control: TimeControl, position: Position, opened: int) -> None:
        """Begin when the table is opened."""
        super().__init__(control, position)
        self.since = opened
        self.since_seq = 0
        """The number of the entry with which it began to run."""
        self.lag_given = [0] * position.variant.seats

    def restart(self, seq: int, time: int) -> None:
        """Let the clock of the seat to act begin to run with an entry."""
        self.since, self.since_seq = time, seq

    def told(self, seq: int, time: int) -> None:
        """Let it begin when the player was told, if that was after the entry ``seq`` or a later one."""
        if self.since_seq >= seq:
            self.since = max(self.since, time)

    def free(self, begun: bool, limits: ClockLimits) -> int:
        """Return how much of a decision is not charged: the first one of a seat in a live game may take a while."""
        return limits.first_turn if self.control.pace == "live" and not begun else 0

    def lag_allowed(self, seat: int, lag: int, limits: ClockLimits) -> int:
        """Return how much of a measured lag is given back to a seat for one decision."""
        return max(0, min(lag, limits.lag, limits.lag_total - self.lag_given[seat]))

    def spent(self, now: int, rests: Sequence[Span], free: int) -> int:
        """Return what the seat to act has used up to now; below 0 while nothing is charged yet."""
        return used(self.since, now, rests) - free

    def due(self, seat: int, rests: Sequence[Span], free: int) -> int:
        """Return when the seat to act will be out of time."""
        return due(self.since, self.clock.left(seat) + free, rests)
