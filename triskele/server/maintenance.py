"""Maintenance: resumes stalled games, drops idle tables, and catches up with what other processes wrote.

Each step, and each table in it, is done by itself: what fails does not keep the others from being done.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, func, select

from triskele.server.clocks.flags import FlagScheduler
from triskele.server.live.broadcast import LiveBroadcaster
from triskele.server.live.presence import Presence
from triskele.server.lobby.exchange import LobbyExchange
from triskele.server.moderation.service import Moderation
from triskele.server.rate_limits import RateLimiter
from triskele.server.refusal import log_failure
from triskele.server.settings import Settings
from triskele.server.storage import schema
from triskele.server.storage.database import StorageFailed
from triskele.server.tables import listing
from triskele.server.tables.service import TableService, now
from triskele.server.tables.table import Table

log = logging.getLogger("triskele.server")
_DELETION_SECONDS = 3600.0
"""How often it is looked for games that are to be deleted."""
_TABLES_AT_ONCE = 500
"""The number of tables that one query asks about."""
_MESSAGES_WAITING = 32
"""If more messages about a table wait for it, they are dropped and it is read from the database."""


class Maintenance:
    """Maintain the tables of a server process, every ``sweep_seconds`` and when the bus brings a message."""

    def __init__(
        self,
        tables: TableService,
        broadcaster: LiveBroadcaster,
        presence: Presence,
        moderation: Moderation,
        lobby: LobbyExchange,
        flags: FlagScheduler,
        limiters: Sequence[RateLimiter],
        settings: Settings,
    ) -> None:
        """Look after ``tables``; ``limiters`` drop the keys that they need no longer."""
        self._tables = tables
        self._broadcaster = broadcaster
        self._presence = presence
        self._moderation = moderation
        self._lobby = lobby
        self._sanctions = moderation.sanctions
        self._flags = flags
        self._keep_days = settings.keep_days
        self._next_deletion = self._next_steps = 0.0
        self._limiters = limiters
        self._seconds = settings.sweep_seconds
        self._several = settings.bus is not None
        self._failing: set[str] = set()
        self._waiting: dict[str, deque[dict[str, Any]]] = {}
        """Messages of the bus about tables that are being changed or read, by table, in their order."""
        self._hearing: set[asyncio.Task[None]] = set()
        self.steps: dict[str, Callable[[], Awaitable[None]]] = {}
        """More that is done once an hour, by what it is called in the log."""
        self.frequent_steps: dict[str, Callable[[], Awaitable[None]]] = {}
        """More that is done each time."""

    async def run(self) -> None:
        """Sweep for ever."""
        since = now()  # at the start all tables, later those that another process seems to have left
        while True:
            await self.sweep(since)
            await asyncio.sleep(self._seconds)
            since = now() - int(3 * self._seconds * 1000)

    async def sweep(self, since: int) -> None:
        """Do everything once; games are resumed at which nothing has happened since a time."""
        await self.step("resuming games", partial(self._resume_stalled, since))
        await self.step("looking after clocks", self._flags.find_clocks)
        await self.step("dropping idle tables", self._drop_idle)
        await self.step("dropping rate limits", self._drop_limits)
        await self.step("deleting old games", self._delete_old)
        for doing, work in self.frequent_steps.items():
            await self.step(doing, work)
        if time.monotonic() >= self._next_steps:
            self._next_steps = time.monotonic() + _DELETION_SECONDS
            for doing, work in self.steps.items():
                await self.step(doing, work)
        if self._several:
            await self.step("catching up with other processes", self.catch_up)
            await self.step("repeating who is present", self._repeat_presence)
            await self.step("reading sanctions", self._sanctions.load)

    async def step(self, doing: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do one step; when it fails that is logged once, until it has succeeded again."""
        try:
            await work()
        except Exception as error:
            if doing not in self._failing:
                self._failing.add(doing)
                log_failure(error, doing)
        else:
            if doing in self._failing:
                self._failing.discard(doing)
                log.warning("%s works again", doing)

    async def _resume_stalled(self, since: int) -> None:
        """Load tables at which nothing happened since a time although an engine or a die is to act."""
        for table_id in await self._tables.storage.read(listing.stalled(since)):
            if table_id in self._tables.unloadable:
                continue
            try:
                table = await self._tables.find(table_id)
            except StorageFailed:
                raise  # so will be all others
            except Exception:
                continue  # it was logged as unloadable
            if table is not None:
                self._tables.notify(table)

    async def _drop_idle(self) -> None:
        self._tables.drop_idle()

    async def _drop_limits(self) -> None:
        for limiter in self._limiters:
            limiter.drop_full()

    async def _delete_old(self) -> None:
        if self._keep_days is not None and time.monotonic() >= self._next_deletion:
            self._next_deletion = time.monotonic() + _DELETION_SECONDS
            await self._moderation.apply_retention(self._keep_days, "server")

    async def _repeat_presence(self) -> None:
        self._presence.repeat()

    # --- other processes --------------------------------------------------------------------------

    def catch_up_soon(self) -> None:
        """Refresh all tables in memory that have changed: a process is gone that may have told nobody of it."""
        self._start(self.step("catching up with other processes", partial(self.catch_up, every=True)))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._hearing.add(task)
        task.add_done_callback(self._hearing.discard)

    async def catch_up(self, every: bool = False) -> None:
        """Refresh the tables about which messages of the bus were lost: those that are followed here, or ``every``."""
        loaded = self._tables.loaded()
        followed = loaded if every else [table for table in loaded if self._broadcaster.has_subscribers(table)]
        for start in range(0, len(followed), _TABLES_AT_ONCE):
            some = followed[start : start + _TABLES_AT_ONCE]
            newest = await self._tables.storage.read(_newest([table.id for table in some]))
            for table in some:
                if table.id not in newest:
                    self._tables.gone(table)
                    continue
                seq, lines = newest[table.id]
                if seq > table.seq or lines > len(table.chat):
                    await self._refresh(table)

    async def _refresh(self, table: Table) -> None:
        await self._guarded(self._tables.refresh(table), table)

    async def _guarded(self, work: Awaitable[None], table: Table) -> None:
        try:
            await work
        except StorageFailed:
            raise
        except Exception as error:  # the table was dropped, so that this is not repeated
            log_failure(error, f"refreshing table {table.id}")

    async def bus_message(self, message: dict[str, Any]) -> None:
        """Act on a message of another process; ``{"table": None}`` says that some may have been lost."""
        if "lobby" in message:
            self._lobby.hear(message["process"], message["lobby"])
            return
        if "presences" in message:
            for table_id, seats in message["presences"].items():
                known = self._tables.known(table_id)
                if known is not None:
                    self._presence.report_received(known, message["process"], seats)
            return
        if message["table"] is None:
            self._lobby.tell_all()
            await self.step("catching up with other processes", self.catch_up)
        if message["table"] is None or "sanctions" in message:
            await self.step("reading sanctions", self._sanctions.load)
            return
        table = self._tables.known(message["table"])
        if table is None:
            self._tables.note_change(message["table"])
        elif table.id not in self._waiting and _follows(table, message):
            await self.step("hearing from another process", partial(self._hear, table, message))
        else:
            self._hear_later(table.id, message)

    def _hear_later(self, table_id: str, message: dict[str, Any]) -> None:
        """Act on a message when its table is free, after those before it; messages about others do not wait for it."""
        waiting = self._waiting.get(table_id)
        if waiting is None:
            self._waiting[table_id] = deque([message])
            self._start(self._hear_waiting(table_id))
            return
        waiting.append(message)
        if len(waiting) > _MESSAGES_WAITING:
            waiting.clear()
            waiting.append({"table": table_id})

    async def _hear_waiting(self, table_id: str) -> None:
        waiting = self._waiting[table_id]
        try:
            while waiting:
                message = waiting.popleft()
                table = self._tables.known(table_id)
                if table is not None:
                    await self.step("hearing from another process", partial(self._hear, table, message))
        finally:
            del self._waiting[table_id]

    async def stop(self) -> None:
        """Stop acting on messages of the bus."""
        tasks = list(self._hearing)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _hear(self, table: Table, message: dict[str, Any]) -> None:
        if "deleted" in message:
            self._tables.gone(table)
        elif "present" in message:
            self._presence.report_received(table, message["process"], message["present"])
        elif "rows" in message:
            await self._guarded(self._tables.receive(table, message["rows"]), table)
        else:
            await self._refresh(table)


def _follows(table: Table, message: dict[str, Any]) -> bool:
    """Whether a message can be acted on without waiting: for its table, or for what must be read before it."""
    if "deleted" in message or "present" in message:
        return True
    return "rows" in message and not table.lock.locked() and message["rows"][0]["seq"] <= table.seq + 1


def _newest(table_ids: Iterable[str]) -> Callable[[Connection], dict[str, tuple[int, int]]]:
    """Return the query for the last ``seq`` and the number of lines of chat of some tables."""
    tables, log, chat = schema.tables.c, schema.log.c, schema.chat.c
    seq = select(func.max(log.seq)).where(log.table_id == tables.id).scalar_subquery()
    line = select(func.max(chat.number)).where(chat.table_id == tables.id).scalar_subquery()
    query = select(tables.id, func.coalesce(seq, 0), func.coalesce(line + 1, 0)).where(tables.id.in_(table_ids))
    return lambda connection: {row[0]: (row[1], row[2]) for row in connection.execute(query)}
