"""The rating service: settles rated games, and keeps the ratings up with the results.

A result is written in the same commit as the end of its game. Ratings follow a moment later, from the results in the
order of their ends: a result that comes late (from another process, after a crash) or is annulled has those after it
computed again. So the ratings are always those that ``triskele ratings recompute`` finds.
"""

import asyncio
import contextlib
from collections.abc import Iterable

from triskele.rating.results import Pool, Standing
from triskele.server.ratings import queries
from triskele.server.ratings.settling import result_statement
from triskele.server.refusal import log_failure
from triskele.server.storage.database import Conflict, Storage, StorageFailed
from triskele.server.tables.service import Statements, TableService, now
from triskele.server.tables.table import Table

_DAY_MS = 86_400_000
_RETRY_SECONDS = 1.0


class RatingService:
    """Keeps results and ratings in the database."""

    def __init__(self, tables: TableService, sweep_seconds: float) -> None:
        """Settle the games of ``tables``; those that another process left are looked for every ``sweep_seconds``."""
        self._tables = tables
        self._storage: Storage = tables.storage
        self._dialect = self._storage.engine.dialect.name
        self._seconds = sweep_seconds
        self._due = asyncio.Event()
        self._since = 0
        """Results since this time are looked through: all of them at the start, later those of the last day."""
        self.updated = asyncio.Condition()
        """Notified when ratings were written."""
        tables.endings.append(self.result)

    def result(self, table: Table) -> Statements:
        """Return what is to be written with the end of a game: its result, if it is rated."""
        if not table.rated:
            return ()
        self._due.set()
        return [result_statement(table, self._dialect)]

    def recheck(self) -> None:
        """Compute ratings again from all results: one was annulled, or is so no longer."""
        self._since = 0
        self._due.set()

    async def run(self) -> None:
        """Follow the results for ever."""
        while True:
            self._due.clear()
            try:
                await self.settle()
                await self.update()
            except StorageFailed:  # the storage has logged it
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception as error:
                log_failure(error, "rating")
                await asyncio.sleep(self._seconds)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._seconds):
                    await self._due.wait()

    async def settle(self) -> None:
        """Write the results of rated games that ended without: their process died, or was of an older version."""
        for table_id in await self._storage.read(queries.unsettled):
            if table_id in self._tables.unloadable:
                continue
            table = await self._tables.find(table_id)
            if table is not None and table.outcome is not None:
                await self._storage.write(statements=[result_statement(table, self._dialect)])
                self._since = min(self._since, table.over_at or 0)

    async def update(self) -> None:
        """Bring the ratings up with the results."""
        began, since = now(), self._since
        while (work := await self._storage.read(lambda connection: queries.next_work(connection, since))) is not None:
            found = work
            statements = await self._storage.run(lambda: queries.rated(found))  # noqa: B023 (it is awaited here)
            try:
                await self._storage.write(statements=statements)
            except Conflict:  # another process was first
                continue
            async with self.updated:
                self.updated.notify_all()
        if self._since == since:  # nobody has asked for more meanwhile
            self._since = max(since, began - _DAY_MS)

    async def standings(self, pool: Pool, players: Iterable[str]) -> dict[str, Standing]:
        """Return the standings of those players who have one in a pool."""
        asked = set(players)
        if not asked:
            return {}
        return await self._storage.read(lambda connection: queries.standings(connection, pool, asked))
