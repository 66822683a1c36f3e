"""Presence: which seats have their holders connected, at any process of the server."""

import time

from triskele.server.live.broadcast import LiveBroadcaster
from triskele.server.live.subscribers import Subscriber
from triskele.server.tables.outgoing import deliver
from triskele.server.tables.service import TableService
from triskele.server.tables.table import Table

_TABLES_REPEATED = 50
"""The tables of which one message tells who is present."""


class Presence:
    """Adds and removes subscribers, and informs the others when a player comes or goes."""

    def __init__(self, tables: TableService, broadcaster: LiveBroadcaster) -> None:
        """Inform subscribers here by ``broadcaster``, other processes by the bus of ``tables``."""
        self._bus = tables.bus
        self._tables = tables
        self._broadcaster = broadcaster

    def subscribe(self, subscriber: Subscriber) -> None:
        """Add a subscriber to its table, and inform the others if it holds a seat there."""
        table = subscriber.table
        audience = self._broadcaster.audiences.of(table)
        before = audience.present(table)
        audience.subscribers.add(subscriber)
        self._inform(table, before, subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a subscriber from its table, and inform the others if it held a seat there."""
        table = subscriber.table
        audience = self._broadcaster.audiences.of(table)
        if subscriber in audience.subscribers:
            before = audience.present(table)
            audience.subscribers.discard(subscriber)
            table.last_used = time.monotonic()
            self._inform(table, before, None)

    def replace(self, subscriber: Subscriber) -> None:
        """Remove a subscriber without a word: the same connection subscribes again at once."""
        self._broadcaster.audiences.of(subscriber.table).subscribers.discard(subscriber)

    def _inform(self, table: Table, before: set[int], newcomer: Subscriber | None) -> None:
        if self._broadcaster.audiences.of(table).present(table) != before:
            deliver(self._broadcaster.seats_changed(table, newcomer))
            self._publish(table)

    def _publish(self, table: Table) -> None:
        here = sorted(self._broadcaster.audiences.of(table).seats_here())
        self._bus.publish(table.id, present=here)

    def repeat(self) -> None:
        """Inform other processes again about who is present here: a report holds only for a while.

        Many tables go into one message, so that moves do not wait behind a thousand.
        """
        audiences = self._broadcaster.audiences
        followed = [table for table in self._tables.loaded() if self._broadcaster.has_subscribers(table)]
        here = [(table.id, sorted(seats)) for table in followed if (seats := audiences.of(table).seats_here())]
        for start in range(0, len(here), _TABLES_REPEATED):
            self._bus.publish("", presences=dict(here[start : start + _TABLES_REPEATED]))

    def report_received(self, table: Table, process: str, seats: list[int]) -> None:
        """Take in the report of another process about the seats that are present there."""
        audience = self._broadcaster.audiences.of(table)
        before = audience.present(table)
        audience.set_elsewhere(process, frozenset(seats))
        if audience.present(table) != before:
            deliver(self._broadcaster.seats_changed(table))
