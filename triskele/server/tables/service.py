"""The tables of a server: loaded from the log on demand, changed by appending to it, dropped from memory when idle."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Executable, Select, delete, insert, select, update

from triskele.core.contract import CHANCE
from triskele.core.errors import TriskeleError
from triskele.core.words import text
from triskele.server.bus import Bus
from triskele.server.metrics import Metrics
from triskele.server.refusal import Refusal, log, log_failure
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, Rows, Storage, StorageFailed
from triskele.server.tables import matters
from triskele.server.tables.entries import HOLDERS_CHANGE, MOVE, Entry
from triskele.server.tables.outgoing import Broadcaster, Outgoing, deliver
from triskele.server.tables.table import Table
from triskele.server.tables.table_clock import NoRests, Timekeeper

Statements = Sequence[tuple[Executable, Rows]]
_TRIES = 5
_MANY_TABLES = 20_000
"""With more tables in memory, those without subscribers are dropped after a few seconds."""
_MANY_TABLES_IDLE_SECONDS = 5.0
_FINISHED_IDLE_SECONDS = 30.0
"""A finished game without subscribers is dropped sooner: nothing happens there any more."""
_REFRESH_SLICE = 20
_SHORT_LOG = 8
"""The entries of a log that are replayed at once: a game that has just begun. A thread would take longer to begin."""
_ROWS_ON_THE_BUS = 20
"""Of a longer change other processes are only told that it is there."""
_RELOAD_SECONDS = 2.0
"""How long a table may take to be read again after a failed write, before it is dropped."""


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Change:
    """A change of a table: entries for its log, and statements that are written in the same transaction.

    ``entries`` is a generator: each entry is applied before the next one is asked for, so that a generator can
    look at the table to decide how it goes on (roll the dice after a move, say).
    """

    entries: Iterator[Entry]
    statements: Statements = ()


Decision = Callable[[Table], Change]
"""Decides which change to make at a table, or raises ``Refusal``."""


class TableService:
    """All tables of a server, those in memory and those only in the database."""

    def __init__(
        self,
        storage: Storage,
        bus: Bus,
        broadcaster: Broadcaster,
        idle_seconds: float,
        metrics: Metrics | None = None,
    ) -> None:
        """Keep tables in ``storage``, inform subscribers by ``broadcaster`` and other processes by ``bus``."""
        self.metrics = metrics or Metrics()
        self.storage = storage
        self.bus = bus
        self.broadcaster = broadcaster
        self._idle_seconds = idle_seconds
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._changed_meanwhile: set[str] = set()
        """Tables that other processes have changed while they were being loaded here."""
        self.listeners: list[Callable[[Table], None]] = []
        """Called with a table after it was loaded or changed; engines and dice act on it."""
        self.for_spectators: Callable[[Table], Awaitable[Table]] | None = None
        """Returns the table that somebody without a seat sees, if that is another one."""
        self.endings: list[Callable[[Table], Statements]] = []
        """Called with a table whose game has just ended: what they return is written in the same commit."""
        self.know_people: Callable[[Table], Awaitable[None]] = _know_nobody
        """Called before a table that was loaded, or has other holders, is shown: its people are looked up."""
        self.delayed: Callable[[], list[Table]] = list
        """Returns the delayed tables that spectators follow."""
        self.timekeeper: Timekeeper = NoRests()
        """Knows when clocks rest; tables that are loaded get it."""
        self.looks: matters.Looks = lambda table, visitor: False
        """Says whether a visitor looks at a table now, at this process: then there is no notice about it."""
        self.noticed: Callable[[Table], None] = lambda table: None
        """Called after notices about a table may have changed by what this process has written."""
        self.unloadable: set[str] = set()
        """Tables whose log could not be replayed when they were asked for last."""

    def __len__(self) -> int:
        """Return the number of tables in memory."""
        return len(self._tables)

    def loaded(self) -> list[Table]:
        """Return the tables in memory."""
        return list(self._tables.values())

    def known(self, table_id: str) -> Table | None:
        """Return a table if it is in memory."""
        return self._tables.get(table_id)

    def note_change(self, table_id: str) -> None:
        """Note that another process has changed a table that is not in memory: if it is being loaded, read it again."""
        if table_id in self._loading:
            self._changed_meanwhile.add(table_id)

    # --- finding -------------------------------------------------------------------------------

    async def get(self, table_id: str, visitor: str | None) -> Table:
        """Return a table that a visitor may see; ``Refusal`` if there is none or it is not for them."""
        table = await self.find(table_id)
        if table is not None and not table.visible_to(visitor) and self.bus.process:
            await self.refresh(table)  # they may have taken a seat at another process a moment ago
            table = await self.find(table_id)
        if table is None or not table.visible_to(visitor):
            raise Refusal("unknown")
        if self.for_spectators is not None and not table.seats_of(visitor):
            return await self.for_spectators(table)
        return table

    async def find(self, table_id: str) -> Table | None:
        """Return a table, loaded if need be, without asking who may see it."""
        table = self._tables.get(table_id)
        if table is None and len(table_id) <= 16 and table_id.isascii() and table_id.isalnum():
            task = self._loading.get(table_id)
            if task is None:
                task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
                task.add_done_callback(lambda task: self._loaded(table_id, task))
            table = await asyncio.shield(task)
        if table is not None and table_id in self._changed_meanwhile:
            self._changed_meanwhile.discard(table_id)
            await self.refresh(table)
        if table is not None:
            table.last_used = time.monotonic()
        return table

    def _loaded(self, table_id: str, task: "asyncio.Task[Table | None]") -> None:
        self._loading.pop(table_id, None)
        if not task.cancelled():
            task.exception()  # whoever waited has got it; perhaps nobody waits any more

    async def _load(self, table_id: str) -> Table | None:
        stored = await self.storage.read(lambda connection: _read(connection, table_id))
        if stored is None:
            return None
        try:
            short = len(stored.news.log) <= _SHORT_LOG
            loaded = stored.table() if short else await self.storage.run(stored.table)
        except Exception as error:
            if table_id not in self.unloadable:  # once, and not whenever somebody asks
                self.unloadable.add(table_id)
                log_failure(error, f"loading table {table_id}")
            raise error if isinstance(error, TriskeleError) else Refusal("failed") from None
        self.unloadable.discard(table_id)
        loaded.timekeeper = self.timekeeper
        if loaded.missing is not None:
            log.error("the log of table %s lacks entry %d: it is shown up to there", table_id, loaded.missing)
        await self.know_people(loaded)
        self._tables[table_id] = loaded
        self.notify(loaded)
        return loaded

    async def stored(self, table_id: str, since: int = 0) -> "StoredTable | None":
        """Return a table as it is in the database, with the entries of its log after ``since``."""
        return await self.storage.read(lambda connection: _read(connection, table_id, since))

    def drop_idle(self) -> None:
        """Drop tables from memory that have no subscribers and were not asked for lately."""
        seconds = self._idle_seconds if len(self._tables) <= _MANY_TABLES else _MANY_TABLES_IDLE_SECONDS
        present = time.monotonic()
        for table in self.loaded():
            allowed = seconds if table.turn is not None else min(seconds, _FINISHED_IDLE_SECONDS)
            idle = table.last_used < present - allowed and not table.lock.locked()
            if idle and not self.broadcaster.has_subscribers(table):
                del self._tables[table.id]

    async def delete(self, table_ids: Sequence[str], statements: Statements = ()) -> None:
        """Delete tables with all that belongs to them, and tell their subscribers; more is written with it.

        Tables that are not there, or cannot be loaded, are no error.
        """
        everything: Statements = [
            (delete(kind).where(column.in_(table_ids)), ())
            for kind, column in (
                (schema.chat, schema.chat.c.table_id),
                (schema.deadlines, schema.deadlines.c.table_id),
                (schema.conditional_moves, schema.conditional_moves.c.table_id),
                (schema.notices, schema.notices.c.table_id),
                (schema.log, schema.log.c.table_id),
                (schema.holders, schema.holders.c.table_id),
                (schema.seats, schema.seats.c.table_id),
                (schema.tables, schema.tables.c.id),
            )
        ]
        async with AsyncExitStack() as locks:
            for table in [self._tables[each] for each in sorted(table_ids) if each in self._tables]:
                await locks.enter_async_context(table.lock)
            await self.storage.write(statements=[*everything, *statements])
            for table_id in table_ids:
                self.unloadable.discard(table_id)
                known = self._tables.get(table_id)
                if known is not None:
                    self.gone(known)
                self.bus.publish(table_id, deleted=True)

    def gone(self, table: Table) -> None:
        """Drop a table that was deleted from the database from memory, and tell its subscribers."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
        deliver(self.broadcaster.table_gone(table))

    def _drop(self, table: Table) -> None:
        """Drop a table that may differ from its log, and disconnect its subscribers, so that they join anew."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
        self.broadcaster.disconnect(table)

    @asynccontextmanager
    async def locked(self, table: Table) -> AsyncIterator[Table]:
        """Take the lock of a table; if the table was dropped from memory meanwhile, that of the same one loaded again.

        Who changes a table takes its lock in this way and goes on with the table that it gets.
        """
        while True:
            if self._tables.get(table.id) is not table:
                found = await self.find(table.id)
                if found is None:
                    raise Refusal("unknown")
                table = found
            async with table.lock:
                if self._tables.get(table.id) is table:
                    yield table
                    return

    # --- changing ------------------------------------------------------------------------------

    async def act(self, table: Table, decide: Decision) -> None:
        """Change a table: decide, apply, commit, then inform everybody.

        ``decide`` is called under the table's lock, and again when another process appended to the log first.
        """
        began = time.perf_counter()
        for _ in range(_TRIES):
            async with self.locked(table) as current:
                if current.missing is not None:
                    raise Refusal("incomplete", text("server.incomplete", seq=current.missing))
                try:
                    await self._commit(current, decide(current))
                    self.metrics.change.observe(time.perf_counter() - began)
                    return
                except Conflict:
                    continue
        raise Refusal("busy")

    async def _commit(self, table: Table, change: Change) -> None:
        rows: list[Mapping[str, Any]] = []
        outgoing: Outgoing = []
        statements = list(change.statements)
        applied: list[Entry] = []
        was_over = table.turn is None
        stored: asyncio.Future[None] | None = None
        try:
            entry = next(change.entries, None)
            while entry is not None:
                was_on = table.turn is not None
                table.apply(entry)
                rows.append(table.row(entry))
                applied.append(entry)
                if was_on and table.turn is None:
                    statements.append(_mark_over(table))
                    for ending in self.endings:
                        statements += ending(table)
                following = next(change.entries, None)
                if following is None:  # the database writes while messages are prepared
                    statements += deadline_statements(table)
                    ended = not was_over and table.turn is None
                    statements += matters.statements(table, applied, ended, self.looks, self.storage.insert_once)
                    stored = self.storage.write(rows, statements)
                outgoing += self.broadcaster.entry_applied(table, entry)
                entry = following
            if stored is not None:
                await asyncio.shield(stored)
        except (Exception, asyncio.CancelledError) as error:
            # What was applied may not be in the log: the state is built again from it.
            await self._recover(table, stored)
            raise error from None
        committed = time.perf_counter()
        deliver(outgoing)
        _start_clock(table, rows)
        self.metrics.broadcast.observe(time.perf_counter() - committed)
        for row in rows:
            if row["kind"] == MOVE:
                self.metrics.moves[_mover(table, row["seat"])].inc()
        if rows:
            self.changed(table, rows)
        if matters.concern(table, applied):
            self.noticed(table)

    def changed(self, table: Table, rows: Rows = ()) -> None:
        """Inform other processes and the listeners of this one that a table has changed.

        Other processes get the ``rows`` of its log that are new, unless more has changed than its log.
        """
        if rows and all(row["kind"] not in HOLDERS_CHANGE for row in rows) and len(rows) <= _ROWS_ON_THE_BUS:
            self.bus.publish(table.id, rows=rows)
        else:
            self.bus.publish(table.id)
        self.notify(table)

    def notify(self, table: Table) -> None:
        """Call the listeners with a table; a listener that fails is logged. One that cannot go on concerns nobody."""
        if table.missing is not None or table.delayed:
            return
        for listener in self.listeners:
            try:
                listener(table)
            except Exception as error:
                log_failure(error, "looking after a table")

    async def _recover(self, table: Table, stored: "asyncio.Future[None] | None") -> None:
        """Read a table again after a failed change, or drop it: memory never holds what the log does not."""
        try:
            if stored is not None:
                await asyncio.wait([stored])
            async with asyncio.timeout(_RELOAD_SECONDS):
                news = await self.storage.read(lambda connection: _news(connection, table.id, 0, len(table.chat)))
            if not news.there:
                self.gone(table)
                return
            table.clear()
            table.set_holders(news.holders)
            await self.storage.run(lambda: table.replay(news.log))
            deliver(self.broadcaster.whole_table(table))
        except BaseException as problem:
            self._drop(table)
            if not isinstance(problem, Exception):
                raise
            if not isinstance(problem, StorageFailed | TimeoutError):  # these are logged by the storage
                log_failure(problem, f"reading table {table.id} again")

    # --- other processes --------------------------------------------------------------------------

    async def receive(self, asked: Table, rows: Rows) -> None:
        """Apply rows of a table's log that another process has sent; if some before them are missing, read them all."""
        async with self.locked(asked) as table:
            news = [row for row in rows if row["seq"] > table.seq]
            complete = not news or news[0]["seq"] == table.seq + 1
            if news and complete and table.missing is None:
                with self._dropped_on_failure(table):
                    deliver(await self._apply_foreign(table, news))
                _start_clock(table, news)
                self.notify(table)
        if not complete:
            await self.refresh(asked)

    async def refresh(self, asked: Table) -> None:
        """Apply what other processes have appended to a table's log, and inform the subscribers here."""
        async with self.locked(asked) as table:
            if table.missing is not None:
                return
            seq, lines = table.seq, len(table.chat)
            news = await self.storage.read(lambda connection: _news(connection, table.id, seq, lines))
            if not news.there:
                self.gone(table)
                return
            with self._dropped_on_failure(table):
                table.set_holders(news.holders)
                await self.know_people(table)
                outgoing = await self._apply_foreign(table, news.log)
                table.add_chat(news.chat)
                for number in range(lines, len(table.chat)):
                    outgoing += self.broadcaster.chat_added(table, number)
            deliver(outgoing)
            _start_clock(table, news.log)
            if news.log:
                self.notify(table)

    async def _apply_foreign(self, table: Table, rows: Rows) -> Outgoing:
        """Apply rows that are in the log already, and prepare messages about them."""
        outgoing: Outgoing = []
        for number, row in enumerate(rows, 1):
            if number % _REFRESH_SLICE == 0:  # after an outage of the bus there may be thousands
                await asyncio.sleep(0)
            entry = Entry.of(row)
            table.apply(entry)
            outgoing += self.broadcaster.entry_applied(table, entry)
        return outgoing

    @contextmanager
    def _dropped_on_failure(self, table: Table) -> Iterator[None]:
        """Drop a table if what is done with it fails in the middle."""
        try:
            yield
        except BaseException:
            self._drop(table)
            raise


async def _know_nobody(table: Table) -> None:
    """Look nobody up: without accounts people are what they call themselves."""


def deadline_statements(table: Table) -> Statements:
    """Return the statements that note when the clock of a game over days may be out of time.

    Live games need none: processes that have them in memory look after them, and find them again after a restart.
    """
    if table.clock is None or table.clock_control.pace != "days":
        return ()
    deadlines = schema.deadlines
    removed: list[tuple[Executable, Rows]] = [(delete(deadlines).where(deadlines.c.table_id == table.id), ())]
    seat = table.running
    if seat is not None:
        removed.append((insert(deadlines), [{"table_id": table.id, "due": table.due(seat, table.clock.since)}]))
    return removed


def _start_clock(table: Table, rows: Rows) -> None:
    """Let the clock of the seat to act begin when its player was told, if entries that were just written started it."""
    if table.clock is not None and rows:
        table.clock.told(rows[0]["seq"], now())


def _mover(table: Table, seat: int) -> str:
    if seat == CHANCE:
        return "chance"
    return "person" if table.seats[seat].person else "engine"


def _mark_over(table: Table) -> tuple[Executable, Rows]:
    assert table.outcome is not None
    values = {"over": True, "winners": schema.seat_bits(table.outcome.winners)}
    return update(schema.tables).where(schema.tables.c.id == table.id).values(values), ()


# --- queries --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _News:
    """What other processes may have added to a table, and whether it is still there."""

    there: bool
    holders: Rows
    log: Rows
    chat: Rows


@dataclass(frozen=True)
class StoredTable:
    """A table as it is in the database."""

    row: Mapping[str, Any]
    seats: Rows
    news: _News

    def table(self) -> Table:
        """Return the table, after all entries of its log; a long one takes a while."""
        table = Table(self.row, self.seats)
        table.set_holders(self.news.holders)
        table.replay(self.news.log)
        table.add_chat(self.news.chat)
        return table


def _read(connection: Connection, table_id: str, since: int = 0) -> StoredTable | None:
    rows = _rows(connection, select(schema.tables).where(schema.tables.c.id == table_id))
    if not rows:
        return None
    seats = _rows(connection, select(schema.seats).where(schema.seats.c.table_id == table_id))
    return StoredTable(rows[0], seats, _news(connection, table_id, since, 0, there=True))


def _news(connection: Connection, table_id: str, seq: int, lines: int, *, there: bool = False) -> _News:
    """Return the holders of a table, its log after ``seq``, and its chat after ``lines``; ``there``: it exists."""
    tables, holders, log, chat = schema.tables, schema.holders, schema.log, schema.chat
    return _News(
        there or connection.execute(select(tables.c.id).where(tables.c.id == table_id)).first() is not None,
        _rows(connection, select(holders).where(holders.c.table_id == table_id)),
        _rows(connection, select(log).where(log.c.table_id == table_id, log.c.seq > seq).order_by(log.c.seq)),
        _rows(
            connection,
            select(chat).where(chat.c.table_id == table_id, chat.c.number >= lines).order_by(chat.c.number),
        ),
    )


def _rows(connection: Connection, query: Select[*tuple[Any, ...]]) -> Rows:
    return connection.execute(query).mappings().all()  # type: ignore[return-value]
