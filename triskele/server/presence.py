"""Presence: whose holders are there, at any process of the server."""

import time

from triskele.server.followers import Follower
from triskele.server.messages import present
from triskele.server.table import Table
from triskele.server.tables import Tables
from triskele.server.telling import post


class Presence:
    """Tells followers when somebody comes or goes."""

    def __init__(self, tables: Tables) -> None:
        """Tell other processes through the bus of ``tables``."""
        self._tables = tables

    def come(self, follower: Follower) -> None:
        """Let somebody follow a table, and tell the others if he has a seat there."""
        table = follower.table
        before = present(table)
        table.followers.add(follower)
        self._tell(table, before, follower)

    def go(self, follower: Follower) -> None:
        """Let somebody follow a table no more."""
        table = follower.table
        if follower in table.followers:
            before = present(table)
            table.followers.discard(follower)
            table.used = time.monotonic()
            self._tell(table, before, None)

    def _tell(self, table: Table, before: set[int], newcomer: Follower | None) -> None:
        if present(table) != before:
            post([letter for letter in self._tables.teller.seats(table) if letter[0] is not newcomer])
            self._publish(table)

    def _publish(self, table: Table) -> None:
        here = sorted({seat for follower in table.followers for seat in follower.seats})
        self._tables.bus.publish(table.id, present=here)

    def repeat(self) -> None:
        """Tell other processes again who is here: what they heard does not hold for ever."""
        for table in self._tables.loaded():
            if any(follower.seats for follower in table.followers):
                self._publish(table)

    def heard(self, table: Table, process: str, seats: list[int]) -> None:
        """Take over who is at another process."""
        before = present(table)
        table.elsewhere[process] = (time.monotonic(), frozenset(seats))
        if present(table) != before:
            post(self._tables.teller.seats(table))
