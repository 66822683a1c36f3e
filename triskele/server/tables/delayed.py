"""Delayed tables: what spectators see if the host wants it late, so that nobody tells a player what others may see.

A delayed table is a second :class:`Table` from the same log, some seconds behind: who watches follows it instead of the
real one, and every question of a spectator is answered from it.
"""

import asyncio
import itertools

from triskele.server.refusal import Refusal, log_failure
from triskele.server.tables.entries import HINTS, TAKEN, Entry
from triskele.server.tables.outgoing import Outgoing, deliver
from triskele.server.tables.service import StoredTable, TableService, now
from triskele.server.tables.table import Table


class DelayedTables:
    """Keeps the delayed tables that somebody follows."""

    def __init__(self, tables: TableService, seconds: float) -> None:
        """Stay ``seconds`` behind ``tables``."""
        self._tables = tables
        self._ms = round(seconds * 1000)
        self._delayed: dict[str, Table] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        tables.listeners.append(self._changed)
        tables.for_spectators = self.for_spectators
        tables.delayed = lambda: list(self._delayed.values())

    async def for_spectators(self, table: Table) -> Table:
        """Return a table as spectators may see it now: itself, once the end is as old as the delay."""
        if table.over_at is not None and now() - table.over_at >= self._ms:
            return table
        delayed = self._delayed.get(table.id)
        if delayed is None:
            delayed = await self._load(table.id)
            delayed = self._delayed.setdefault(table.id, delayed)
            self._advance_later(delayed, self._ms)
        return delayed

    async def _load(self, table_id: str) -> Table:
        until = now() - self._ms
        stored = await self._tables.stored(table_id)
        if stored is None:
            raise Refusal("unknown")
        delayed = await self._tables.storage.run(lambda: _as_of(stored, until, self._ms))
        delayed.timekeeper = self._tables.timekeeper
        await self._tables.know_people(delayed)
        return delayed

    def _changed(self, table: Table) -> None:
        delayed = self._delayed.get(table.id)
        if delayed is None:
            return
        if self._tables.broadcaster.has_subscribers(delayed):
            self._advance_later(delayed, self._ms)
        else:  # it is loaded again when somebody watches
            del self._delayed[table.id]

    def _advance_later(self, delayed: Table, ms: int) -> None:
        task = asyncio.get_running_loop().create_task(self._advance(delayed, ms / 1000))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _advance(self, delayed: Table, seconds: float) -> None:
        """Wait, and apply what is old enough then."""
        await asyncio.sleep(seconds)
        try:
            async with delayed.lock:
                if self._delayed.get(delayed.id) is not delayed:
                    return
                stored = await self._tables.stored(delayed.id, delayed.seq)
                if stored is None:
                    del self._delayed[delayed.id]
                    deliver(self._tables.broadcaster.table_gone(delayed))
                    return
                until, outgoing = now() - self._ms, Outgoing()
                delayed.set_holders(stored.news.holders)
                for row in stored.news.log:
                    if row["time"] > until:
                        self._advance_later(delayed, row["time"] - until)
                        break
                    entry = Entry.of(row)
                    delayed.apply(entry)
                    outgoing += self._tables.broadcaster.entry_applied(delayed, entry)
                deliver(outgoing)
        except Exception as error:
            self._delayed.pop(delayed.id, None)
            self._tables.broadcaster.disconnect(delayed)
            log_failure(error, f"showing table {delayed.id} to spectators")


def _as_of(stored: StoredTable, until: int, delay: int) -> Table:
    """Return a table as it was at a time, which is ``delay`` ago."""
    table = Table(stored.row, stored.seats, delay=delay)
    table.set_holders(stored.news.holders)
    # Who sits down is known at once: names tell nothing of the game.
    begun = itertools.dropwhile(lambda row: row["kind"] in (HINTS, TAKEN), stored.news.log)
    late = next((row["seq"] for row in begun if row["time"] > until), None)
    table.replay([row for row in stored.news.log if late is None or row["seq"] < late])
    return table
