"""Dice: the first roll of a game waits a while for the players' seeds."""

import asyncio

from triskele.core.contract import CHANCE
from triskele.server.refusal import Refusal, log_failure
from triskele.server.tables import moves
from triskele.server.tables.service import TableService
from triskele.server.tables.table import Table


class DiceRoller:
    """Rolls the dice at tables where a game waits for its first roll."""

    def __init__(self, tables: TableService, seed_seconds: float) -> None:
        """Listen to ``tables``; wait ``seed_seconds`` for seeds."""
        self._tables = tables
        self._seconds = seed_seconds
        self._waiting: dict[str, asyncio.Task[None]] = {}
        tables.listeners.append(self.schedule)

    def schedule(self, table: Table) -> None:
        """Schedule the roll that a table waits for: at once when all seeds are given, else after a while.

        The first roll waits until somebody follows the table, so that a page has the time to note the commitment and
        to give its seeds before.
        """
        if table.turn != CHANCE or table.id in self._waiting or not all(seat.taken for seat in table.seats):
            return
        ready = table.rolls > 0 or moves.seeded(table)
        if not ready and not self._tables.broadcaster.has_subscribers(table):
            return
        wait = 0.0 if ready else self._seconds
        task = self._waiting[table.id] = asyncio.create_task(self._roll(table, wait))
        task.add_done_callback(lambda _: self._waiting.pop(table.id, None))

    async def _roll(self, table: Table, wait: float) -> None:
        await asyncio.sleep(wait)
        try:
            await self._tables.act(table, moves.first_roll)
        except Refusal:
            pass
        except Exception as error:
            log_failure(error, "a roll of the dice")
