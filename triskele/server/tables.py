"""Tables: loads them from the log when somebody comes, appends to the log, and forgets them when all have gone."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Executable, select, update

from triskele.server import schema
from triskele.server.bus import Bus
from triskele.server.entry import Entry
from triskele.server.refusal import Refusal, log_failure
from triskele.server.storage import Conflict, Rows, Storage, StorageFailed
from triskele.server.table import Table
from triskele.server.telling import Letters, Teller, post

Statements = Sequence[tuple[Executable, Rows]]
_TRIES = 5
_CROWD = 20_000
"""With more tables in memory, those that nobody follows are dropped after a few seconds."""
_CROWDED_SECONDS = 5.0


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Happening:
    """What happens at a table: entries, each yielded after the one before was applied, and what is written with it."""

    entries: Iterator[Entry]
    also: Statements = ()


Decision = Callable[[Table], Happening]


class Tables:
    """All tables of a server, those in memory and those only in the database."""

    def __init__(self, storage: Storage, bus: Bus, teller: Teller, idle_seconds: float) -> None:
        """Keep tables in ``storage``, tell followers through ``teller`` and other processes through ``bus``."""
        self.storage = storage
        self.bus = bus
        self.teller = teller
        self._idle_seconds = idle_seconds
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self.watchers: list[Callable[[Table], None]] = []
        """Called with a table that was loaded, or at which something happened: is it an engine's turn?"""

    def __len__(self) -> int:
        """Return how many are in memory."""
        return len(self._tables)

    def loaded(self) -> list[Table]:
        """Return the tables in memory."""
        return list(self._tables.values())

    def known(self, table_id: str) -> Table | None:
        """Return a table if it is in memory."""
        return self._tables.get(table_id)

    # --- finding -------------------------------------------------------------------------------

    async def get(self, table_id: str, visitor: str | None) -> Table:
        """Return a table that a visitor may see; ``Refusal`` says for all others that there is none."""
        table = await self.find(table_id)
        if table is None or not table.visible_to(visitor):
            raise Refusal("unknown")
        return table

    async def find(self, table_id: str) -> Table | None:
        """Return a table, whoever asks; loads it if need be."""
        table = self._tables.get(table_id)
        if table is None and len(table_id) <= 16 and table_id.isascii():
            task = self._loading.get(table_id)
            if task is None:
                task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
                task.add_done_callback(lambda _: self._loading.pop(table_id, None))
            table = await asyncio.shield(task)
        if table is not None:
            table.used = time.monotonic()
        return table

    async def _load(self, table_id: str) -> Table | None:
        loaded = await self.storage.read(lambda connection: _read(connection, table_id))
        if loaded is not None:
            self._tables[table_id] = loaded
            self._watched(loaded)
        return loaded

    def forget_idle(self) -> None:
        """Drop tables from memory that nobody follows and nobody asked for lately."""
        seconds = self._idle_seconds if len(self._tables) <= _CROWD else _CROWDED_SECONDS
        since = time.monotonic() - seconds
        for table in self.loaded():
            if not table.followers and not table.lock.locked() and table.used < since:
                del self._tables[table.id]

    # --- happening -----------------------------------------------------------------------------

    async def act(self, table: Table, decide: Decision) -> None:
        """Let something happen at a table: decide, keep it, then tell everybody.

        ``decide`` looks at the table as it is and says what happens, or refuses. It is asked again when
        another process was first.
        """
        for _ in range(_TRIES):
            async with table.lock:
                try:
                    return await self._happen(table, decide(table))
                except Conflict:
                    continue
        raise Refusal("busy")

    async def _happen(self, table: Table, happening: Happening) -> None:
        rows: list[Mapping[str, Any]] = []
        letters: Letters = []
        also = list(happening.also)
        kept: asyncio.Future[None] | None = None
        try:
            entry = next(happening.entries, None)
            while entry is not None:
                was_on = table.turn is not None
                table.apply(entry)
                rows.append(table.row(entry))
                if was_on and table.turn is None:
                    also.append(_over(table))
                following = next(happening.entries, None)
                if following is None:  # written while we write letters
                    kept = self.storage.write(rows, also)
                letters += self.teller.about(table, entry)
                entry = following
            if kept is not None:
                await asyncio.shield(kept)
        except (Exception, asyncio.CancelledError) as error:
            # Memory holds only what the log gives, so that is read again.
            await self._start_over(table, kept)
            raise Refusal("busy") if isinstance(error, StorageFailed) else error from None
        post(letters)
        if rows:
            self.happened(table)

    def happened(self, table: Table) -> None:
        """Tell other processes, and those who look after tables, that something happened at one."""
        self.bus.publish(table.id)
        self._watched(table)

    def _watched(self, table: Table) -> None:
        for watcher in self.watchers:
            try:
                watcher(table)
            except Exception as error:
                log_failure(error, "looking after a table")

    async def _start_over(self, table: Table, kept: "asyncio.Future[None] | None" = None) -> None:
        if kept is not None:
            await asyncio.wait([kept])
        rows = await self.storage.read(lambda connection: _log_after(connection, table.id, 0))
        table.clear()
        await self._catch_up(table, rows)
        post(self.teller.everything(table))

    # --- other processes --------------------------------------------------------------------------

    async def refresh(self, table: Table) -> None:
        """Take over what other processes have written about a table since."""
        async with table.lock:
            rows = await self.storage.read(lambda connection: _log_after(connection, table.id, table.seq))
            letters: Letters = []
            for row in rows:
                entry = Entry.of(row)
                if entry.kind == "taken":
                    await self._read_holders(table)
                table.apply(entry)
                letters += self.teller.about(table, entry)
            if not rows:
                await self._read_holders(table)
            said = len(table.chat)
            table.set_chat(await self.storage.read(lambda connection: _chat(connection, table.id)))
            for number in range(said, len(table.chat)):
                letters += self.teller.said(table, number)
            post(letters)
            if rows:
                self._watched(table)

    async def _catch_up(self, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        await self._read_holders(table)
        await self.storage.run(lambda: table.replay(rows))

    async def _read_holders(self, table: Table) -> None:
        table.set_holders(await self.storage.read(lambda connection: _holders(connection, table.id)))


def _over(table: Table) -> tuple[Executable, Rows]:
    assert table.outcome is not None
    values = {"over": True, "winners": schema.seat_bits(table.outcome.winners)}
    return update(schema.tables).where(schema.tables.c.id == table.id).values(values), ()


# --- queries --------------------------------------------------------------------------------------


def _read(connection: Connection, table_id: str) -> Table | None:
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == table_id)).mappings().first()
    if row is None:
        return None
    seats = connection.execute(select(schema.seats).where(schema.seats.c.table_id == table_id)).mappings().all()
    table = Table(row, seats)  # type: ignore[arg-type]
    table.set_holders(_holders(connection, table_id))
    table.replay(_log_after(connection, table_id, 0))
    table.set_chat(_chat(connection, table_id))
    return table


def _holders(connection: Connection, table_id: str) -> Sequence[Mapping[str, Any]]:
    query = select(schema.holders).where(schema.holders.c.table_id == table_id)
    return connection.execute(query).mappings().all()  # type: ignore[return-value]


def _log_after(connection: Connection, table_id: str, seq: int) -> Sequence[Mapping[str, Any]]:
    log = schema.log
    query = select(log).where(log.c.table_id == table_id, log.c.seq > seq).order_by(log.c.seq)
    return connection.execute(query).mappings().all()  # type: ignore[return-value]


def _chat(connection: Connection, table_id: str) -> Sequence[Mapping[str, Any]]:
    query = select(schema.chat).where(schema.chat.c.table_id == table_id).order_by(schema.chat.c.number)
    return connection.execute(query).mappings().all()  # type: ignore[return-value]
