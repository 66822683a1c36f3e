"""Dicing: the first roll of a game waits for the players' seeds, but not for ever."""

import asyncio

from triskele.core.contract import CHANCE
from triskele.server import moving
from triskele.server.refusal import Refusal, log_failure
from triskele.server.table import Table
from triskele.server.tables import Tables


class Dicing:
    """Rolls the dice at tables where nobody else does."""

    def __init__(self, tables: Tables, seed_seconds: float) -> None:
        """Look after tables from now on."""
        self._tables = tables
        self._seconds = seed_seconds
        self._waiting: dict[str, asyncio.Task[None]] = {}
        tables.watchers.append(self.look)

    def look(self, table: Table) -> None:
        """Roll for a table that waits for it: at once when all seeds are there, else after a while."""
        if table.turn != CHANCE or table.id in self._waiting or not all(seat.taken for seat in table.seats):
            return
        wait = 0.0 if table.rolls or moving.seeded(table) else self._seconds
        task = self._waiting[table.id] = asyncio.create_task(self._roll(table, wait))
        task.add_done_callback(lambda _: self._waiting.pop(table.id, None))

    async def _roll(self, table: Table, wait: float) -> None:
        await asyncio.sleep(wait)
        try:
            await self._tables.act(table, moving.first_roll)
        except Refusal:
            pass
        except Exception as error:
            log_failure(error, "a roll of the dice")
