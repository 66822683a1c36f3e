"""The notice service: what a visitor has not seen yet, and that they have seen it."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from sqlalchemy import select, update

from triskele.server.notices import queue
from triskele.server.notices.preferences import PAGE, Preferences
from triskele.server.notices.texts import Notice
from triskele.server.refusal import log_failure
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, StorageFailed
from triskele.server.tables.service import TableService, now
from triskele.server.tables.table import Table

MOST_SHOWN = 50
"""Notices that a page shows; who has more has seen enough."""


class NoticeService:
    """Knows the notices of visitors, and who is to hear that they have changed."""

    def __init__(self, tables: TableService) -> None:
        """Follow the changes of ``tables``."""
        self._tables = tables
        self._tasks: set[asyncio.Task[None]] = set()
        self.listeners: list[Callable[[Iterable[str]], None]] = []
        """Called with visitors whose notices may have changed, at this process or at another."""
        tables.noticed = self.noticed
        tables.listeners.append(self._table_changed)

    def noticed(self, table: Table) -> None:
        """Tell everybody concerned, at all processes, that notices about a table may have changed."""
        self.changed({visitor for seat in table.seats for visitor in seat.holders})

    def changed(self, visitors: Iterable[str]) -> None:
        """Tell visitors, at all processes, that their notices may have changed."""
        known = sorted(visitors)
        self._tables.bus.publish("", notices=known)
        self.heard(known)

    def heard(self, visitors: list[str]) -> None:
        """Tell visitors at this process that their notices may have changed."""
        for listener in self.listeners:
            listener(visitors)

    async def unseen(self, visitor: str) -> list[Notice]:
        """Return what a visitor has not seen yet and wants to see in the page, the newest first."""
        return await self._tables.storage.read(lambda connection: _shown(connection, visitor))

    # --- seeing -----------------------------------------------------------------------------------------

    async def see(self, visitor: str, table_id: str | None = None) -> None:
        """Note that a visitor has seen the notices about a table, or all."""
        notices = schema.notices.c
        where = [notices.visitor == visitor, notices.seen.is_(None), notices.at <= now()]
        if table_id is not None:
            where.append(notices.table_id == table_id)
        storage = self._tables.storage
        query = select(notices.id).where(*where).limit(1)
        if await storage.read(lambda connection: connection.execute(query).first()) is not None:
            await storage.write(statements=[(update(schema.notices).where(*where).values(seen=now()), ())])
            self.changed([visitor])

    def look(self, table: Table, visitor: str | None) -> None:
        """Note that a visitor looks at a table from now on."""
        if visitor is not None and table.seats_of(visitor):
            self._start(self.see(visitor, table.id))

    def _table_changed(self, table: Table) -> None:
        """Note what those see who look at a table here, which another process may have changed."""
        if not self._tables.bus.process or not self._tables.broadcaster.has_subscribers(table):
            return
        if table.clock_control.pace == "days" or table.turn is None or table.moves == 0:
            for visitor in {visitor for seat in table.seats for visitor in seat.holders}:
                if self._tables.looks(table, visitor):
                    self.look(table, visitor)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Note nothing more."""
        for task in self._tasks:
            task.cancel()


async def _guarded(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except (StorageFailed, Conflict):
        pass  # the storage has logged it
    except Exception as error:
        log_failure(error, "seeing notices")


def _shown(connection: Any, visitor: str) -> list[Notice]:
    accounts, kept = schema.accounts.c, schema.notice_settings.c
    query = (
        select(kept.body)
        .join(schema.accounts, accounts.id == kept.account)
        .where(accounts.visitor == visitor, accounts.deleted.is_(None))
    )
    preferences = Preferences.of(connection.execute(query).scalar())
    found = queue.unseen(connection, visitor, now(), MOST_SHOWN)
    return [each for each in found if preferences.wants(each.kind, PAGE)]
