"""Flags: a heap of the moments at which clocks may be out of time, and one timer for the first of them.

Every process that knows of a clock tries when its time is up; the log's sequence decides that the flag falls once.
"""

import asyncio
import heapq
import math

from sqlalchemy import Connection, select, update

from triskele.core.time_control import DAY, HOUR, time_control
from triskele.server.clocks.timekeeper import KeptTimekeeper
from triskele.server.refusal import Refusal, log_failure
from triskele.server.storage import schema
from triskele.server.tables import timeouts
from triskele.server.tables.service import TableService, now
from triskele.server.tables.table import Table

_HORIZON = 200 * DAY
"""How far ahead weekends are looked at: longer than any clock lasts."""
_AHEAD_MS = HOUR
"""Deadlines of games over days that come this soon are held in memory."""
_AGAIN_MS = 250
"""When it is tried again, if something is uncertain or the database is busy."""
_AFTER_FAILURE_MS = 5000
"""When it is tried again after something that should not happen."""
_OTHERS_FIRST_MS = 40
"""By how much a process to which the player is not connected waits for the others: two that write the same entry cost
one of them to read the whole table again."""
_LISTED = 2000


class FlagScheduler:
    """Lets the flags of all clocks fall in time, those of tables that are not in memory, too."""

    def __init__(self, tables: TableService, timekeeper: KeptTimekeeper) -> None:
        """Listen to ``tables``."""
        self._tables = tables
        self._timekeeper = timekeeper
        self._heap: list[tuple[int, str]] = []
        self._due: dict[str, int] = {}
        """When each table is to be looked at; other items of the heap are outdated."""
        self._live: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = math.inf
        self._trying: dict[str, asyncio.Task[None]] = {}
        tables.listeners.append(self.schedule)

    def __len__(self) -> int:
        """Return the number of clocks that are looked after."""
        return len(self._due)

    def schedule(self, table: Table) -> None:
        """Note when the clock that runs at a table may be out of time."""
        if table.clock is None:
            return
        live = table.clock_control.pace == "live"
        at = timeouts.due(table, table.clock.since if live else table.clock.since + _HORIZON)
        if at is None:
            self._forget(table.id)
            return
        if not live and self._timekeeper.uncertain:  # nobody knows until when it rests
            at = min(at, now() + _AGAIN_MS)
        if live:
            self._live.add(table.id)
            self._timekeeper.set_busy(True)
        known = self._due.get(table.id)
        # A later moment than the known one waits for that: most turns end long before, and cost no item of the heap.
        if known is None or at < known:
            self._push(table.id, at)

    def stop(self) -> None:
        """Let no more flags fall."""
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self._trying.values()):
            task.cancel()
        self._tables.listeners = [listener for listener in self._tables.listeners if listener != self.schedule]

    def _forget(self, table_id: str) -> None:
        self._due.pop(table_id, None)
        self._live.discard(table_id)
        if not self._live:
            self._timekeeper.set_busy(False)

    def _push(self, table_id: str, at: int) -> None:
        self._due[table_id] = at
        heapq.heappush(self._heap, (at, table_id))
        self._arm()

    def _arm(self) -> None:
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        at = self._heap[0][0] if self._heap else math.inf
        if at == self._timer_at:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_at = at
        if self._heap:
            seconds = max(0.0, (at - now()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(seconds, self._fire)

    def _fire(self) -> None:
        self._timer, self._timer_at = None, math.inf
        at = now()
        while self._heap and self._heap[0][0] <= at:
            due, table_id = heapq.heappop(self._heap)
            if self._due.get(table_id) == due:
                del self._due[table_id]
                self._try(table_id)
        self._arm()

    def _try(self, table_id: str) -> None:
        if table_id in self._trying:
            return
        task = self._trying[table_id] = asyncio.create_task(self._flag(table_id))
        task.add_done_callback(lambda _: self._trying.pop(table_id, None))

    async def _flag(self, table_id: str) -> None:
        """Let a flag fall if the time is up, or look again when it may be."""
        tables = self._tables
        try:
            table = await tables.find(table_id)
            if table is None:
                self._forget(table_id)
                return
            at = self._at(table)
            if at is not None and at <= now():
                if tables.bus.process:
                    await self._timekeeper.refresh()
                if not self._timekeeper.uncertain:
                    await tables.act(table, lambda t: timeouts.flag(t, self._lag(t)))
            await self._look_again(table_id)
        except Refusal:
            self._try_again(table_id, _AGAIN_MS)
        except Exception as error:
            log_failure(error, f"the clock of table {table_id}")
            self._try_again(table_id, _AFTER_FAILURE_MS)

    def _try_again(self, table_id: str, ms: int) -> None:
        """Look at a clock again in a while, unless its table cannot be loaded: then nothing would change."""
        if table_id in self._tables.unloadable:
            self._forget(table_id)
        else:
            self._push(table_id, now() + ms)

    def _lag(self, table: Table) -> int:
        seat = table.running
        return 0 if seat is None else self._tables.broadcaster.lag(table, seat)

    def _at(self, table: Table) -> int | None:
        """Return when a flag is to fall, a move that may be on its way included."""
        seat = table.running
        if seat is None or table.clock is None:
            return None
        at = timeouts.due(table, table.clock.since + _HORIZON)
        assert at is not None, "a clock runs"
        at += table.clock.lag_allowed(seat, self._lag(table), self._timekeeper.limits)
        elsewhere = self._tables.bus.process and not self._tables.broadcaster.is_here(table, seat)
        return at + _OTHERS_FIRST_MS if elsewhere else at

    async def _look_again(self, table_id: str) -> None:
        """Note when a clock whose time was not up after all is to be looked at again."""
        table = await self._tables.find(table_id)
        at = None if table is None else self._at(table)
        if table is None or at is None:
            self._forget(table_id)
            return
        if self._timekeeper.uncertain:  # nobody knows until when it rests
            self._push(table_id, now() + _AGAIN_MS)
            return
        self._push(table_id, max(at, now() + (_AGAIN_MS if at <= now() else 0)))
        if table.clock_control.pace == "days" and at > now() + _AHEAD_MS:
            deadlines = schema.deadlines
            later = update(deadlines).where(deadlines.c.table_id == table_id).values(due=at)
            await self._tables.storage.write(statements=[(later, ())])

    # --- tables that are not in memory ------------------------------------------------------------------

    async def find_clocks(self) -> None:
        """Look for clocks that this process does not know: after a start, and when another process has ended."""
        until = now() + _AHEAD_MS
        for table_id, at in await self._tables.storage.read(lambda connection: _deadlines(connection, until)):
            if table_id not in self._due and table_id not in self._trying:
                self._push(table_id, at)
        for table_id in await self._tables.storage.read(_live_tables):
            known = table_id in self._due or table_id in self._trying or self._tables.known(table_id) is not None
            if known or table_id in self._tables.unloadable:
                continue
            table = await self._tables.find(table_id)
            if table is not None:
                self.schedule(table)


def _deadlines(connection: Connection, until: int) -> list[tuple[str, int]]:
    due = schema.deadlines.c.due
    query = select(schema.deadlines.c.table_id, due).where(due <= until).order_by(due).limit(_LISTED)
    return [(row.table_id, row.due) for row in connection.execute(query)]


def _live_tables(connection: Connection) -> list[str]:
    tables = schema.tables.c
    query = select(tables.id, tables.clock).where(tables.over.is_(False), tables.clock.is_not(None))
    return [row.id for row in connection.execute(query) if time_control(row.clock).pace == "live"]
