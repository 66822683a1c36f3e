"""Copying a database into an empty one, of the same kind or another: a host grows from a file to PostgreSQL.

All of it is one transaction of the target: it is there as a whole and checked, or not at all.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, Table, create_engine, func, insert, make_url, select, text
from sqlalchemy.exc import SQLAlchemyError

from triskele.core.errors import TriskeleError
from triskele.core.words import text as words
from triskele.server.storage import schema
from triskele.server.storage.database import failure_reason
from triskele.server.storage.lock import DatabaseLock
from triskele.server.storage.migrate import migrate

_ROWS = 1000
"""The number of rows that are written at a time."""
_ALIVE_MS = 2000
"""How much later than announced a heartbeat of a server may come that is not stopped."""
_DIGESTS = 2**256
Told = Callable[[str, int, int], None]
"""Told the name of a table of the database, and how many of its rows are copied and checked, of how many."""


@dataclass(frozen=True)
class CopiedTable:
    """A table of the database that was copied: the number of its rows, and the hash of all of them in any order."""

    name: str
    rows: int
    digest: str


def copy_database(source: str, target: str, tell: Told = lambda name, done, rows: None) -> list[CopiedTable]:
    """Copy all rows of a database into an empty one, and compare them; both get the newest schema.

    ``TriskeleError`` if a server uses one of them, the target is not empty, or a row did not arrive as it was; then the
    target is as empty as before, and the command can be given again.
    """
    if make_url(source) == make_url(target):
        raise TriskeleError(words("server.copy-same"))
    _check_file(source)
    locks = DatabaseLock(source, shared=False), DatabaseLock(target, shared=False)
    engines = _engine(source), _engine(target)
    try:
        for engine in engines:
            migrate(engine)
        with engines[0].connect() as read, engines[1].begin() as write:
            _begin_reading(read)
            _begin_writing(write)
            with _with_holes(write):
                copied = [_copy(table, read, write, tell) for table in schema.metadata.sorted_tables]
            _set_sequences(write)
        return copied
    except SQLAlchemyError as error:
        raise TriskeleError(words("server.copy-failed", why=failure_reason(error))) from None
    finally:
        for engine in engines:
            engine.dispose()
        for lock in locks:
            lock.release()


def _check_file(url: str) -> None:
    """Refuse a SQLite file that is not there, which would be made otherwise."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
        file = Path(parsed.database or "")
        raise TriskeleError(words("server.backup-nothing", file=file.name, folder=str(file.parent)))


def _engine(url: str) -> Engine:
    if url.startswith("sqlite"):
        return create_engine(url)
    return create_engine(url, connect_args={"connect_timeout": 10})


def _is_postgresql(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def _begin_reading(connection: Connection) -> None:
    """Read one state of the source; refuse it if a server uses it. A SQLite file is locked already."""
    if not _is_postgresql(connection):
        connection.execute(text("BEGIN"))
        return
    connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
    beats, now = schema.heartbeats.c, time.time_ns() // 1_000_000
    alive = select(beats.process).where(beats.stopped.is_(False), beats.next > now - _ALIVE_MS)
    if connection.execute(alive).first() is not None:
        raise TriskeleError(words("server.copy-in-use"))


def _begin_writing(connection: Connection) -> None:
    """Keep others from writing to the target, and refuse it if it is not empty."""
    tables = schema.metadata.sorted_tables
    if _is_postgresql(connection):
        connection.execute(text(f"LOCK TABLE {', '.join(table.name for table in tables)} IN EXCLUSIVE MODE"))
    else:
        connection.execute(text("BEGIN IMMEDIATE"))
    filled = [table.name for table in tables if connection.execute(select(table).limit(1)).first() is not None]
    if filled:
        raise TriskeleError(words("server.copy-not-empty", tables=", ".join(filled[:5])))


@contextlib.contextmanager
def _with_holes(connection: Connection) -> Iterator[None]:
    """Let a log be copied as it is, also one that an older version has left a hole in."""
    if _is_postgresql(connection):
        connection.execute(text("ALTER TABLE log DISABLE TRIGGER log_needs_predecessor"))
        yield
        connection.execute(text("ALTER TABLE log ENABLE TRIGGER log_needs_predecessor"))
        return
    made = text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'log_needs_predecessor'")
    trigger = connection.execute(made).scalar_one()
    connection.execute(text("DROP TRIGGER log_needs_predecessor"))
    yield
    connection.exec_driver_sql(trigger)


def _set_sequences(connection: Connection) -> None:
    """Let the numbers that PostgreSQL gives go on after those that were copied; SQLite's do by themselves."""
    if not _is_postgresql(connection):
        return
    for table in schema.metadata.sorted_tables:
        for column in table.primary_key:
            if column.autoincrement is True:
                sequence = func.pg_get_serial_sequence(table.name, column.name)
                following = select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()
                connection.execute(select(func.setval(sequence, following, False)))


def _copy(table: Table, read: Connection, write: Connection, tell: Told) -> CopiedTable:
    rows = read.execute(select(func.count()).select_from(table)).scalar_one()
    tell(table.name, 0, rows)
    digest = done = 0
    for some in _batches(table, read):
        write.execute(insert(table), [dict(row._mapping) for row in some])
        digest += sum(map(_digest, some))
        done += len(some)
        tell(table.name, done, rows)
    there = arrived = 0
    for some in _batches(table, write):
        arrived += sum(map(_digest, some))
        there += len(some)
    if there != done or done != rows or (digest - arrived) % _DIGESTS:
        raise TriskeleError(words("server.copy-differs", table=table.name, n=rows, found=there))
    return CopiedTable(table.name, rows, f"{digest % _DIGESTS:064x}")


def _batches(table: Table, connection: Connection) -> Iterator[list[Row[*tuple[Any, ...]]]]:
    """Yield the rows of a table in the order of its key, some at a time."""
    query = select(table).order_by(*table.primary_key).execution_options(yield_per=_ROWS)
    with connection.execute(query) as found:
        for some in found.partitions():
            yield list(some)


def _digest(row: Row[*tuple[Any, ...]]) -> int:
    """Return the hash of a row; sums of them do not depend on an order, which differs between databases."""
    return int.from_bytes(hashlib.sha256(json.dumps(list(row)).encode()).digest())
