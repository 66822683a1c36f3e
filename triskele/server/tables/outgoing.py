"""What tables need from the live interface: messages that are prepared now and delivered after the commit.

Tables know no connections. They ask a :class:`Broadcaster` to prepare messages about a change, and deliver
them when the change is on the disk: what a subscriber hears of is never lost.
"""

from collections.abc import Iterable
from typing import Protocol

from triskele.server.tables.entries import Entry
from triskele.server.tables.table import Table


class Outbox(Protocol):
    """The messages to one connection that wait to be sent."""

    @property
    def lag(self) -> int:
        """How many milliseconds a message to the client and back takes, as measured last."""

    def send(self, message: bytes) -> None:
        """Send a message now or as soon as the connection takes it; never waits, never raises."""

    def disconnect(self) -> None:
        """Close the connection after what was sent, so that the client connects anew; never waits, never raises."""


Outgoing = list[tuple[Outbox, bytes]]
"""Prepared messages: they may be delivered when what they say is on the disk."""


def deliver(outgoing: Iterable[tuple[Outbox, bytes]]) -> None:
    """Send prepared messages."""
    for outbox, message in outgoing:
        outbox.send(message)


class Broadcaster(Protocol):
    """Prepares messages to the subscribers of a table; none of its methods but ``disconnect`` sends anything."""

    def has_subscribers(self, table: Table) -> bool:
        """Whether a connection of this process follows a table."""

    def lag(self, table: Table, seat: int) -> int:
        """Return how many milliseconds a message to a seat's player and back takes, as measured last."""

    def is_here(self, table: Table, seat: int) -> bool:
        """Whether the player of a seat is connected to this process."""

    def page_computes(self, table: Table) -> bool:
        """Whether a player's page computes the moves of the engines at a table."""

    def page_failed(self, table: Table) -> Outgoing:
        """Take the engines' moves away from the pages that compute them, and prepare messages about it."""

    def entry_applied(self, table: Table, entry: Entry) -> Outgoing:
        """Prepare messages about the entry that was applied last."""

    def whole_table(self, table: Table) -> Outgoing:
        """Prepare the whole table for every subscriber."""

    def seats_changed(self, table: Table) -> Outgoing:
        """Prepare messages about names, presence and holders of the seats."""

    def chat_added(self, table: Table, number: int) -> Outgoing:
        """Prepare a line of chat for the subscribers who are seated."""

    def engine_thinking(self, table: Table, seat: int) -> Outgoing:
        """Prepare messages that an engine is at work."""

    def table_gone(self, table: Table) -> Outgoing:
        """Prepare messages that a table is there no longer, and remove all its subscribers."""

    def disconnect(self, table: Table) -> None:
        """Remove all subscribers of a table and close their connections, so that they join anew."""
