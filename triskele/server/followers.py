"""Followers: connections that follow a table, and which of them get the same messages."""

from typing import Protocol

from triskele.server.looks import Viewer
from triskele.server.table import Table


class Outlet(Protocol):
    """Where messages to one connection go."""

    def send(self, message: bytes) -> None:
        """Send a message now or as soon as the connection takes it; never waits, never raises."""


class Follower:
    """A connection that follows a table, for a visitor with his seats, in his language."""

    __slots__ = ("base", "language", "outlet", "scenes", "seats", "table", "version", "visitor")

    def __init__(self, table: Table, outlet: Outlet, visitor: str | None, language: str, scenes: bool) -> None:
        """Follow a table; :meth:`Table.followers` is not touched."""
        self.table = table
        self.outlet = outlet
        self.visitor = visitor
        self.language = language
        self.scenes = scenes
        self.seats = table.seats_of(visitor)
        self.version = -1
        self.base = 0

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """As whom he looks at the table: each of his seats, or as a spectator."""
        return self.seats or (None,)

    @property
    def viewer(self) -> Viewer:
        """As whom he sees the moves: as his seat; as a spectator if he has none, or several at one screen."""
        return self.seats[0] if len(self.seats) == 1 else None

    @property
    def audience(self) -> tuple[object, ...]:
        """All that his messages depend on: equal for those who get the same bytes."""
        return self.seats, self.language, self.scenes, self.version, self.base
