"""Moderation: what a host does with tables and people. The command ``triskele admin`` and moderators' pages use it.

Each deed is one transaction with its entry in the audit log; subscribers and other processes are told after it.
"""

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import delete, insert, update

from triskele.core.record_parts import STOPPED
from triskele.server.moderation import listing
from triskele.server.moderation.audit import audited
from triskele.server.moderation.sanctions import Sanctions
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict
from triskele.server.tables import entries
from triskele.server.tables.entries import Entry
from triskele.server.tables.keys import Keys
from triskele.server.tables.moves import check_on
from triskele.server.tables.service import Change, Statements, TableService, now
from triskele.server.tables.table import Table

_DELETED_AT_ONCE = 200
_DAY_MS = 86_400_000


class Moderation:
    """Ends and deletes tables, frees seats, and holds the sanctions. ``actor`` is who does it, for the audit log."""

    def __init__(self, tables: TableService, keys: Keys, sanctions: Sanctions) -> None:
        """Act on ``tables``; freed seats get new keys from ``keys``."""
        self._tables = tables
        self._keys = keys
        self.sanctions = sanctions
        self.annulled_listeners: list[Callable[[str], None]] = []
        """Called with the id of a table whose result was annulled."""

    async def _find(self, table_id: str) -> Table:
        table = await self._tables.find(table_id)
        if table is None:
            raise Refusal("unknown")
        return table

    async def end(self, table_id: str, actor: str, reason: str) -> None:
        """End a game without a winner; ``Refusal`` if it is over already."""

        def decide(table: Table) -> Change:
            check_on(table)
            end = table.entry(entries.END, None, STOPPED, now())
            return Change(iter([end]), [audited(actor, "end", table.id, reason=reason)])

        await self._tables.act(await self._find(table_id), decide)

    async def delete(self, table_id: str, actor: str, reason: str) -> None:
        """Delete a table with its game and chat for good; who follows it is told. Works if it cannot be loaded."""
        found = await self._tables.storage.read(listing.table(table_id))
        if found is None:
            raise Refusal("unknown")
        detail: dict[str, Any] = {"game": found["game"], "moves": found["moves"], "reason": reason}
        await self._tables.delete([table_id], [audited(actor, "delete", table_id, **detail)])

    async def free_seat(self, table_id: str, seat: int, actor: str, reason: str) -> str:
        """Take a seat from its holders, so that somebody else can take it; return the key for that.

        The old key takes it no more. ``Refusal`` if there is no such seat, an engine plays it, or it is free.
        """
        holders = schema.holders.c

        def decide(table: Table) -> Change:
            check_on(table)
            if not 0 <= seat < len(table.seats):
                raise Refusal("no-seat")
            if not table.seats[seat].person or not table.seats[seat].holders:
                raise Refusal("not-held")
            removed = delete(schema.holders).where(holders.table_id == table.id, holders.seat == seat)
            audit = audited(actor, "free", table.id, seat=seat, reason=reason)
            return Change(_freed(table, seat), [(removed, ()), *_erasing_name(table.id, seat), audit])

        table = await self._find(table_id)
        await self._tables.act(table, decide)
        current = await self._find(table_id)
        return self._keys.invitation(current.id, seat, current.seats[seat].freed)

    async def annul(self, table_id: str, actor: str, reason: str) -> None:
        """Annul the result of a finished game: it counts for nobody. ``Refusal`` if it is on, or annulled already."""
        table = await self._find(table_id)
        if table.outcome is None:
            raise Refusal("not-over")
        row = {"table_id": table.id, "time": now()}
        try:
            await self._tables.storage.write(
                statements=[(insert(schema.annulled), [row]), audited(actor, "annul", table.id, reason=reason)]
            )
        except Conflict:
            raise Refusal("annulled") from None
        for listener in self.annulled_listeners:
            listener(table.id)

    async def apply_retention(self, days: float, actor: str, *, trial: bool = False) -> int:
        """Delete finished games at which nothing has happened for some days; return how many.

        Those that somebody follows at this process stay. With ``trial`` nothing is deleted.
        """
        before = now() - int(days * _DAY_MS)
        if trial:
            return len(await self._tables.storage.read(listing.finished_before(before, 1_000_000)))
        deleted = 0
        kept: set[str] = set()
        while True:
            query = listing.finished_before(before, _DELETED_AT_ONCE + len(kept))
            found = [each for each in await self._tables.storage.read(query) if each not in kept]
            kept |= {each for each in found if self._is_followed(each)}
            chosen = [each for each in found if each not in kept][:_DELETED_AT_ONCE]
            if not chosen:
                return deleted
            await self._tables.delete(chosen, [audited(actor, "retention", "", days=days, tables=len(chosen))])
            deleted += len(chosen)

    def _is_followed(self, table_id: str) -> bool:
        table = self._tables.known(table_id)
        return table is not None and self._tables.broadcaster.has_subscribers(table)


def _erasing_name(table_id: str, seat: int) -> Statements:
    """Return the statements that take the name off a seat: when its holder deletes an account, nothing leads here."""
    seats, log = schema.seats.c, schema.log.c
    taken = (log.table_id == table_id, log.seat == seat, log.kind == entries.TAKEN)
    return [
        (update(schema.seats).where(seats.table_id == table_id, seats.seat == seat).values(name=""), ()),
        (update(schema.log).where(*taken).values(body=""), ()),
    ]


def _freed(table: Table, seat: int) -> Iterator[Entry]:
    table.seats[seat].holders.clear()
    yield table.entry(entries.FREED, seat, "", now())
