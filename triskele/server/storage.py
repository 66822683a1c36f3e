"""Storage: what is written is on the disk before anybody hears of it, and the event loop never waits for a disk.

One thread writes. What queued up during one commit goes into the next, so that the number of commits
does not grow with the number of players. Reads run on a few threads of their own.
"""

import asyncio
import functools
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Executable, TextClause, create_engine, event, text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from triskele.server import schema
from triskele.server.migrate import migrate

T = TypeVar("T")
Rows = Sequence[Mapping[str, Any]]
log = logging.getLogger("triskele.server")

READERS = 3
_GATHER_SECONDS = 0.004
"""When many write, a commit waits so long for company: half the commits, half the work."""
_LOG = tuple(column.name for column in schema.log.columns)
_AT_ONCE = 50
"""How many rows of the log one statement writes at most."""


class Conflict(Exception):
    """Another process has written this place of a table's log first; nothing was written."""


class StorageFailed(Exception):
    """The database did not take what was written; nothing of it is there."""


@dataclass(slots=True)
class _Job:
    rows: Rows
    statements: Sequence[tuple[Executable, Rows]]
    future: "asyncio.Future[None]"
    error: Exception | None = field(default=None)


class Storage:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        """Connect, and bring the database to the newest schema."""
        self.engine = _engine(url)
        migrate(self.engine)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="triskele-read")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._connection: Connection | None = None
        self.commits = 0

    def start(self) -> None:
        """Begin to write; call it on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write_all, name="triskele-write", daemon=True)
        self._thread.start()

    def write(self, rows: Rows = (), statements: Sequence[tuple[Executable, Rows]] = ()) -> "asyncio.Future[None]":
        """Write log rows and more, all or nothing; the future is done when it is on the disk.

        It raises ``Conflict`` when a row is there already, ``StorageFailed`` for anything else.
        """
        assert self._loop is not None, "start() comes first"
        job = _Job(rows, statements, self._loop.create_future())
        self._jobs.put(job)
        return job.future

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run a query on a thread of the readers."""
        assert self._loop is not None, "start() comes first"
        return await self._loop.run_in_executor(self._readers, self._read, query)

    def _read(self, query: Callable[[Connection], T]) -> T:
        with self.engine.connect() as connection:
            return query(connection)

    async def run(self, work: Callable[[], T]) -> T:
        """Run something that takes a while, such as replaying a long game, on a thread of the readers."""
        assert self._loop is not None, "start() comes first"
        return await self._loop.run_in_executor(self._readers, work)

    async def stop(self) -> None:
        """Write what is still to be written, and close."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
        self._readers.shutdown()
        self.engine.dispose()

    # --- the writer ----------------------------------------------------------------------------

    def _write_all(self) -> None:
        assert self._loop is not None
        going, crowded = True, False
        while going:
            jobs = [self._jobs.get()]
            if crowded:
                time.sleep(_GATHER_SECONDS)
            while not self._jobs.empty():
                jobs.append(self._jobs.get())
            going = None not in jobs
            todo = [job for job in jobs if job is not None]
            crowded = len(todo) > 1
            if todo:
                self._commit(todo)
                try:
                    self._loop.call_soon_threadsafe(_resolve, todo)
                except RuntimeError:  # the loop has ended, nobody waits any more
                    going = False
        if self._connection is not None:
            self._connection.close()

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            self._execute(jobs)
        except SQLAlchemyError:
            # One of them cannot be written. Which one shows when each goes alone.
            for job in jobs:
                self._commit_alone(job)

    def _commit_alone(self, job: _Job) -> None:
        try:
            self._execute([job])
        except IntegrityError:
            job.error = Conflict()
        except SQLAlchemyError as error:
            log.error("writing to the database failed: %s", type(error).__name__)
            job.error = StorageFailed()

    def _execute(self, jobs: list[_Job]) -> None:
        rows = [row for job in jobs for row in job.rows]
        if self._connection is None:
            self._connection = self.engine.connect()
        try:
            with self._connection.begin():
                for start in range(0, len(rows), _AT_ONCE):
                    some = rows[start : start + _AT_ONCE]
                    self._connection.execute(_insert_log(len(some)), _numbered(some))
                for job in jobs:
                    for statement, values in job.statements:
                        self._connection.execute(statement, values or None)
        except SQLAlchemyError:
            self._connection.close()
            self._connection = None
            raise
        self.commits += 1


@functools.cache
def _insert_log(number: int) -> TextClause:
    """Return the statement that writes so many rows of the log.

    One statement for all: a statement for each would let the event loop in between any two of them, and under load each
    time wait milliseconds for its turn.
    """
    rows = ", ".join(f"({', '.join(f':{name}_{at}' for name in _LOG)})" for at in range(number))
    return text(f"INSERT INTO log ({', '.join(_LOG)}) VALUES {rows}")


def _numbered(rows: Rows) -> dict[str, Any]:
    return {f"{name}_{at}": row[name] for at, row in enumerate(rows) for name in _LOG}


def _resolve(jobs: list[_Job]) -> None:
    for job in jobs:
        if job.future.done():
            continue  # whoever waited was cancelled
        if job.error is None:
            job.future.set_result(None)
        else:
            job.future.set_exception(job.error)


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_size=READERS + 1, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": 10, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, record: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}").close()

    return engine
