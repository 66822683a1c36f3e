"""Storage: writes are durable before they are acknowledged, and the event loop never waits for the disk.

One thread writes. What is queued during one commit goes into the next (group commit), so that the number of commits
does not grow with the number of players. Reads run on a few threads of their own. A database that hangs is given up
after some seconds: who waits for it gets ``StorageFailed``.
"""

import asyncio
import contextlib
import functools
import logging
import queue
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Executable, Table, TextClause, create_engine, event, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from triskele.server.refusal import Refusal, log_failure
from triskele.server.storage import schema
from triskele.server.storage.migrate import migrate

T = TypeVar("T")
Rows = Sequence[Mapping[str, Any]]
log = logging.getLogger("triskele.server")

READERS = 3
_GATHER_SECONDS = 0.004
"""When many write, a commit waits this long for more writes: half the commits, half the work."""
_LOG = tuple(column.name for column in schema.log.columns)
_ROWS_LIMIT = 50
"""The number of rows that one statement writes at most."""
_LOCKED_MS = 500
"""How long a SQLite database that another program has locked is waited for."""
_TICKS = 10
"""How often the watcher looks before it gives something up. It counts and does not measure, so that a process that
itself stood still for a while does not blame the database."""
_REASONS = {"SQLITE_BUSY": "another program has locked it", "SQLITE_FULL": "the disk is full"}


class Conflict(Exception):
    """A row is there already, or its predecessor is not: another process was first. Nothing was written."""


class StorageFailed(Refusal):
    """The database failed or did not answer in time; a write may be there or not. Visitors hear ``busy``."""

    def __init__(self) -> None:
        """Refuse with ``busy``."""
        super().__init__("busy")


@dataclass(slots=True)
class _Job:
    rows: Rows
    statements: Sequence[tuple[Executable, Rows]]
    future: "asyncio.Future[None]"
    began: float = field(default_factory=time.perf_counter)
    error: Exception | None = field(default=None)


@dataclass(slots=True, eq=False)
class _Work:
    """What one thread does with the database: a commit of some jobs, or a read."""

    jobs: list[_Job] = field(default_factory=list)
    reading: "asyncio.Future[Any] | None" = None
    connection: Any = None
    """The DBAPI connection in use."""
    ticks: int = 0
    given_up: bool = False


class Storage:
    """The database of a server."""

    def __init__(self, url: str, seconds: float = 5.0) -> None:
        """Connect, and bring the database to the newest schema; reads and writes may take ``seconds``."""
        self._seconds = seconds
        self._thread_work = threading.local()
        self.engine = _engine(url, seconds)
        event.listen(self.engine, "connect", self._connected, insert=True)
        migrate(self.engine)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="triskele-read")
        self._workers = ThreadPoolExecutor(READERS, thread_name_prefix="triskele-work")
        self._works: set[_Work] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None
        self._connection: Connection | None = None
        self.commits = 0
        self.on_written: Callable[[float], None] = lambda seconds: None
        """Called with the seconds that each write took, from when it was asked for."""
        self.write_failed: float | None = None
        """When a write failed last (monotonic), if none has succeeded since."""

    def start(self) -> None:
        """Begin to write; call it on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._watcher = asyncio.create_task(self._watch())
        self._thread = threading.Thread(target=self._write_all, name="triskele-write", daemon=True)
        self._thread.start()

    def write(self, rows: Rows = (), statements: Sequence[tuple[Executable, Rows]] = ()) -> "asyncio.Future[None]":
        """Write log rows and more, all or nothing; the future is done when it is on the disk.

        It raises ``Conflict`` when a row is there already or its predecessor is not, ``StorageFailed`` for anything
        else.
        """
        assert self._loop is not None, "start() comes first"
        job = _Job(rows, statements, self._loop.create_future())
        self._jobs.put(job)
        return job.future

    def insert_once(self, table: Table) -> Executable:
        """Return the statement that inserts rows into a table, without those that are there already."""
        if self.engine.dialect.name == "postgresql":
            return postgresql.insert(table).on_conflict_do_nothing()
        return sqlite.insert(table).on_conflict_do_nothing()

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run a query on a thread of the readers; ``StorageFailed`` if the database is down or takes too long.

        After a lost connection the query is run once more, so it must not write.
        """
        assert self._loop is not None, "start() comes first"
        work = _Work()
        reading: asyncio.Future[T] = self._loop.run_in_executor(self._readers, self._read, query, work)
        work.reading = reading
        self._works.add(work)
        try:
            return await reading
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if work.given_up and (task is None or not task.cancelling()):
                raise StorageFailed from None
            raise
        finally:
            self._works.discard(work)

    def _read(self, query: Callable[[Connection], T], work: _Work) -> T:
        self._thread_work.now = work
        again = True
        while True:
            try:
                with self.engine.connect() as connection:
                    work.connection = connection.connection.dbapi_connection
                    return query(connection)
            except SQLAlchemyError as error:
                if not _is_outage(error):
                    raise
                if not (again and _is_disconnect(error)) or work.given_up:
                    log.error("reading from the database failed: %s", failure_reason(error))
                    raise StorageFailed from None
                again = False  # the database was restarted since the connection was used last
            finally:
                work.connection = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run something that takes a while, such as replaying a long game, on a thread."""
        assert self._loop is not None, "start() comes first"
        return await self._loop.run_in_executor(self._workers, work)

    async def stop(self) -> None:
        """Write what is still to be written, and close."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join, 4 * self._seconds)
        for executor in (self._readers, self._workers):
            await asyncio.to_thread(executor.shutdown)
        if self._watcher is not None:
            self._watcher.cancel()
        self.engine.dispose()

    # --- the watcher ---------------------------------------------------------------------------

    async def _watch(self) -> None:
        """Give up reads and commits that take too long: those who wait get ``StorageFailed``, the threads go on."""
        while True:
            await asyncio.sleep(self._seconds / _TICKS)
            for work in list(self._works):
                work.ticks += 1
                if work.ticks > _TICKS and not work.given_up:
                    work.given_up = True
                    log.error("the database did not answer within %g seconds", self._seconds)
                    _interrupt(work.connection)
                    self._give_up(work)

    def _give_up(self, work: _Work) -> None:
        if work.reading is not None:
            work.reading.cancel()
            return
        self.write_failed = time.monotonic()
        for job in (*work.jobs, *self._queued()):
            if not job.future.done():
                job.future.set_exception(StorageFailed())

    def _queued(self) -> list[_Job]:
        """Take all jobs from the queue, but leave the sign to stop."""
        jobs, stop = [], False
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                stop |= job is None
                if job is not None:
                    jobs.append(job)
        if stop:
            self._jobs.put(None)
        return jobs

    def _connected(self, connection: Any, record: Any) -> None:
        """Note a new connection while it is set up: that can hang, too."""
        work: _Work | None = getattr(self._thread_work, "now", None)
        if work is not None:
            work.connection = connection

    # --- the writer ----------------------------------------------------------------------------

    def _write_all(self) -> None:
        assert self._loop is not None
        running, crowded = True, False
        while running:
            jobs = [self._jobs.get()]
            if crowded:
                time.sleep(_GATHER_SECONDS)
            while not self._jobs.empty():
                jobs.append(self._jobs.get())
            running = None not in jobs
            todo = [job for job in jobs if job is not None]
            crowded = len(todo) > 1
            if todo:
                work = self._thread_work.now = _Work(todo)
                self._works.add(work)
                try:
                    self._commit(work)
                except Exception as error:  # whatever it is, the next ones are written
                    log_failure(error, "writing to the database")
                    self._disconnect()
                    for job in work.jobs:
                        job.error = StorageFailed()
                self._works.discard(work)
                try:
                    self._loop.call_soon_threadsafe(self._resolve, work.jobs)
                except RuntimeError:  # the loop has ended
                    running = False
        self._disconnect()

    def _resolve(self, jobs: Iterable[_Job]) -> None:
        written = time.perf_counter()
        for job in jobs:
            if job.future.done():
                continue  # the waiting task was cancelled, or the job was given up
            if job.error is None:
                self.on_written(written - job.began)
                job.future.set_result(None)
            else:
                job.future.set_exception(job.error)

    def _commit(self, work: _Work) -> None:
        uncertain = False
        while True:
            fresh = self._connection is None
            try:
                self._execute(work, work.jobs)
                return
            except SQLAlchemyError as error:
                if not _is_outage(error):
                    break  # one of them cannot be written; each is tried alone to find out which
                self._disconnect()
                if fresh or work.given_up or not _is_disconnect(error):
                    self._failed(work, work.jobs, error)
                    return
            uncertain = True  # the connection was lost, perhaps after the commit: all is tried once more on another one
        self._commit_each(work, uncertain)

    def _commit_each(self, work: _Work, uncertain: bool) -> None:
        """Commit each job alone; ``uncertain`` says that they may have been written already."""
        for number, job in enumerate(work.jobs):
            try:
                self._execute(work, [job])
            except IntegrityError:
                job.error = None if uncertain and self._is_written(job) else Conflict()
            except SQLAlchemyError as error:
                if _is_outage(error):
                    self._disconnect()
                    self._failed(work, work.jobs[number:], error)
                    return
                log.error("writing to the database failed: %s", failure_reason(error))
                job.error = StorageFailed()

    def _failed(self, work: _Work, jobs: list[_Job], error: SQLAlchemyError) -> None:
        """Refuse jobs, and all that are queued: each would wait as long as these did."""
        if self.write_failed is None:
            log.error("the database takes no writes: %s", failure_reason(error))
        self.write_failed = time.monotonic()
        for job in jobs:
            job.error = StorageFailed()
        for job in self._queued():
            job.error = StorageFailed()
            work.jobs.append(job)

    def _execute(self, work: _Work, jobs: list[_Job]) -> None:
        rows = [row for job in jobs for row in job.rows]
        if self._connection is None:
            self._connection = self.engine.connect()
        work.connection = self._connection.connection.dbapi_connection
        try:
            with self._connection.begin():
                for start in range(0, len(rows), _ROWS_LIMIT):
                    some = rows[start : start + _ROWS_LIMIT]
                    self._connection.execute(_insert_log(len(some)), _numbered(some))
                    work.ticks = 0  # a long job may take long, as long as it goes on
                for job in jobs:
                    for statement, values in job.statements:
                        self._connection.execute(statement, values or None)
        finally:
            work.connection = None
        self.commits += 1
        if self.write_failed is not None:
            self.write_failed = None
            log.warning("the database takes writes again")

    def _is_written(self, job: _Job) -> bool:
        """Whether all rows of a job are in the log as they are: its commit succeeded, but the answer was lost."""
        if self._connection is None or not job.rows:
            return False
        columns = schema.log.c
        with self._connection.begin():
            for row in job.rows:
                query = select(schema.log).where(columns.table_id == row["table_id"], columns.seq == row["seq"])
                there = self._connection.execute(query).mappings().first()
                if there is None or dict(there) != {name: row.get(name) for name in _LOG}:
                    return False
        return True

    def _disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                self._connection.close()
            self._connection = None


@functools.cache
def _insert_log(number: int) -> TextClause:
    """Return the statement that writes a number of rows of the log.

    With one statement for each row the writer would release the interpreter lock between any two of them, and under
    load wait milliseconds each time to get it back.
    """
    rows = ", ".join(f"({', '.join(f':{name}_{at}' for name in _LOG)})" for at in range(number))
    return text(f"INSERT INTO log ({', '.join(_LOG)}) VALUES {rows}")


def _numbered(rows: Rows) -> dict[str, Any]:
    return {f"{name}_{at}": row.get(name) for at, row in enumerate(rows) for name in _LOG}


# --- errors and connections -------------------------------------------------------------------------


def _is_outage(error: SQLAlchemyError) -> bool:
    """Whether the database is at fault, and not what it was asked."""
    return isinstance(error, OperationalError | PoolTimeoutError) or _is_disconnect(error)


def _is_disconnect(error: SQLAlchemyError) -> bool:
    return isinstance(error, DBAPIError) and error.connection_invalidated


def failure_reason(error: SQLAlchemyError) -> str:
    """Return why the database failed, without any values, which might be secret."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
    name = type(cause).__name__
    return _REASONS.get(str(code), name if code is None else f"{name} {code}")


def _interrupt(connection: Any) -> None:
    """Let the thread that waits for an answer on a DBAPI connection get an error instead."""
    with contextlib.suppress(Exception):  # it is closed already
        if isinstance(connection, sqlite3.Connection):
            connection.interrupt()
        elif connection is not None:
            # A cancel request would have to be answered by the server that does not answer.
            with socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as shared:
                shared.shutdown(socket.SHUT_RDWR)


def _engine(url: str, seconds: float) -> Engine:
    if not url.startswith("sqlite"):
        arguments = {"connect_timeout": max(2, round(seconds)), "keepalives_idle": 10, "keepalives_interval": 5}
        engine = create_engine(url, pool_size=READERS + 1, connect_args=arguments)
        settings = [f"SET statement_timeout = {int(seconds * 1000)}"]
    else:
        engine = create_engine(url, connect_args={"timeout": 10, "check_same_thread": False})
        settings = [f"PRAGMA {it}" for it in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={_LOCKED_MS}")]

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, record: Any) -> None:
        for setting in settings:
            connection.execute(setting).close()
        connection.commit()

    return engine
