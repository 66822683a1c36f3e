"""Seating: a seat is taken with its key, once, and belongs to whoever took it."""

from collections.abc import Iterator

from sqlalchemy import Executable, insert
from sqlalchemy.dialects import postgresql, sqlite

from triskele.server import schema, texts
from triskele.server.entry import TAKEN, Entry
from triskele.server.keys import Keys, same_key
from triskele.server.refusal import Refusal
from triskele.server.storage import StorageFailed
from triskele.server.table import LINK, WATCHING, Table
from triskele.server.tables import Happening, Tables, now
from triskele.server.telling import post


class Seating:
    """Gives seats and the right to watch to visitors."""

    def __init__(self, tables: Tables, keys: Keys) -> None:
        """Check keys with ``keys``."""
        self._tables = tables
        self._keys = keys

    async def take(self, table_id: str, visitor: str, key: str | None, name: str) -> int | None:
        """Give a visitor what a key opens: a free seat, his own seat on another device, or watching (``None``).

        Without a key it is a free seat of a public table. A wrong key is refused like a table that is not there.
        """
        table = await self._tables.find(table_id)
        if table is None:
            raise Refusal("unknown")
        named = texts.name(name)
        if key is None:
            if table.private:
                raise Refusal("unknown")
            free = next((n for n, s in enumerate(table.seats) if s.kind == LINK and not s.taken), None)
            if free is None:
                raise Refusal("taken")
            return await self._sit(table, free, visitor, named)
        if same_key(key, self._keys.watch(table.id)):
            await self._hold(table, WATCHING, visitor)
            return None
        for seat, there in enumerate(table.seats):
            if there.person and same_key(key, self._keys.invitation(table.id, seat)):
                return await self._sit(table, seat, visitor, named)
            if any(same_key(key, self._keys.own(table.id, seat, holder)) for holder in there.holders):
                await self._hold(table, seat, visitor)
                return seat
        raise Refusal("unknown")

    async def _sit(self, table: Table, seat: int, visitor: str, name: str) -> int:
        if visitor in table.seats[seat].holders:
            return seat
        row = {"table_id": table.id, "seat": seat, "visitor": visitor}

        def decide(table: Table) -> Happening:
            if table.seats[seat].taken:
                raise Refusal("taken")
            return Happening(_taken(table, seat, visitor, name), [(insert(schema.holders), [row])])

        await self._tables.act(table, decide)
        return seat

    async def _hold(self, table: Table, seat: int, visitor: str) -> None:
        async with table.lock:
            holders = table.watchers if seat == WATCHING else table.seats[seat].holders
            if visitor in holders:
                return
            row = {"table_id": table.id, "seat": seat, "visitor": visitor}
            try:
                await self._tables.storage.write(statements=[(self._insert_once(), [row])])
            except StorageFailed:
                raise Refusal("busy") from None
            holders.add(visitor)
            post(self._tables.teller.seats(table))
        self._tables.bus.publish(table.id, holders=True)

    def _insert_once(self) -> Executable:
        # Another process may have written the same: that is as good.
        if self._tables.storage.engine.dialect.name == "postgresql":
            return postgresql.insert(schema.holders).on_conflict_do_nothing()
        return sqlite.insert(schema.holders).on_conflict_do_nothing()


def _taken(table: Table, seat: int, visitor: str, name: str) -> Iterator[Entry]:
    table.seats[seat].holders.add(visitor)
    yield table.entry(TAKEN, seat, name or table.seats[seat].name, now())
