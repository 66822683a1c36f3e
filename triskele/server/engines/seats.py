"""Engine seats: when an engine is to act, a worker process chooses its move, which is made like a person's."""

import asyncio
import random
import zlib
from collections.abc import Callable
from typing import TypeVar

from triskele.core.errors import TriskeleError
from triskele.server.engines import jobs
from triskele.server.engines.jobs import Question
from triskele.server.engines.scheduler import Scheduler, Unwanted, WorkerLost
from triskele.server.engines.turn_time import decision_seconds
from triskele.server.refusal import log_failure
from triskele.server.settings import Settings
from triskele.server.tables import moves
from triskele.server.tables.outgoing import deliver
from triskele.server.tables.service import TableService
from triskele.server.tables.table import ENGINE, Table

T = TypeVar("T")
_TRIES = 2
_UNATTENDED_MOVES = 100
"""How many moves engines make after the last one of a person while nobody follows the table: enough to answer every
player who left after a move, in any game; then the table waits until somebody comes."""

_PAGE_SECONDS = 8.0
"""How much longer than the server's engine a player's page may take for a move: it may have to fetch the engine first.
Then the server's engine moves."""


def engine_seed(table: Table) -> int:
    """Return the seed of the engines at a table: it decides which mistakes weak levels make."""
    return zlib.crc32(table.id.encode())


class EngineSeats:
    """Plays the seats of engines at all tables in memory."""

    def __init__(self, tables: TableService, scheduler: Scheduler, settings: Settings) -> None:
        """Listen to ``tables``, and run engines by ``scheduler``."""
        self._tables = tables
        self._scheduler = scheduler
        self._seconds = settings.engine_seconds
        self._memory = settings.engine_memory_mb
        self._running: dict[str, tuple[tuple[int, bool], asyncio.Task[None]]] = {}
        tables.listeners.append(self.schedule)

    def schedule(self, table: Table) -> None:
        """Start an engine if a table waits for one; an engine that works on an earlier position is cancelled."""
        if table.turn is None or not any(seat.automatic for seat in table.seats):
            return
        if not self._attended(table):
            return  # when somebody comes, it is scheduled again
        begun = self._running.get(table.id)
        wanted = (table.version, self._tables.broadcaster.page_computes(table))
        if begun is not None and begun[0] == wanted:
            return
        if begun is not None:
            begun[1].cancel()
        task = asyncio.create_task(self._play(table, *wanted))
        self._running[table.id] = (wanted, task)
        task.add_done_callback(lambda _: self._finished(table.id, task))

    def stop(self) -> None:
        """Stop waiting for engines; call it before the workers are stopped, which would look like failures."""
        for _, task in self._running.values():
            task.cancel()
        self._tables.listeners = [listener for listener in self._tables.listeners if listener != self.schedule]

    def _attended(self, table: Table) -> bool:
        """Whether somebody follows a table, or a person will find the answer to a move of theirs there."""
        if self._tables.broadcaster.has_subscribers(table):
            return True
        persons = set(table.seats_of_persons())
        return bool(persons) and (
            table.moves < _UNATTENDED_MOVES or any(seat in persons for _, seat in table.made[-_UNATTENDED_MOVES:])
        )

    def _finished(self, table_id: str, task: "asyncio.Task[None]") -> None:
        if table_id in self._running and self._running[table_id][1] is task:
            del self._running[table_id]

    async def _play(self, table: Table, version: int, in_page: bool) -> None:
        try:
            if in_page:
                await self._leave_to_page(table, version)
            if not await self._interrupt(table, version):
                await self._move(table, version)
        except Unwanted:
            pass  # everybody has left
        except TriskeleError:
            pass  # the table went on in the meantime
        except Exception as error:
            log_failure(error, "an engine")

    async def _leave_to_page(self, table: Table, version: int) -> None:
        """Let a player's page compute the move: return when none has come in time.

        A move, or a page that leaves or gives up, ends the waiting before: :meth:`schedule` then cancels it.
        """
        seat = table.turn
        if seat is None or seat < 0 or table.seats[seat].kind != ENGINE:
            return
        deliver(self._tables.broadcaster.engine_thinking(table, seat))
        await asyncio.sleep(self._seconds + _PAGE_SECONDS)
        if table.version == version:
            deliver(self._tables.broadcaster.page_failed(table))

    def _question(self, table: Table, seat: int) -> Question:
        level = table.seats[seat].engine_level
        seconds = decision_seconds(table, seat, self._seconds)
        # Everybody knows the seed: with it, what an engine draws in secret could be computed.
        seed = None if table.hidden else engine_seed(table)
        return Question.of(table.position, seat, seconds, level, self._memory, seed)

    async def _ask(self, job: Callable[[Question], T], table: Table, seat: int) -> T:
        """Ask an engine, on behalf of the visitor who opened the table; games with persons come before others."""
        return await self._scheduler.run(
            table.opener,
            job,
            self._question(table, seat),
            seconds=self._seconds,
            urgent=bool(table.persons()),
            wanted=lambda: self._attended(table),
        )

    async def _interrupt(self, table: Table, version: int) -> bool:
        """Ask engines for interrupts, the seat to act first, then clockwise; return whether the position changed."""
        if not table.position.interrupts:
            return False
        first = table.turn or 0
        order = [(first + step) % len(table.seats) for step in range(len(table.seats))]
        for seat in order:
            may = seat == table.turn or table.position.interrupts_of(seat)
            if not table.seats[seat].automatic or not may:
                continue
            try:
                written = await self._ask(jobs.interrupt, table, seat)
            except WorkerLost:
                continue  # the game goes on without it
            if table.version != version:
                return True
            if written is not None:
                await self._make(table, seat, written)
                return True
        return False

    async def _move(self, table: Table, version: int) -> None:
        seat = table.turn
        if seat is None or seat < 0 or not table.seats[seat].automatic:
            return
        deliver(self._tables.broadcaster.engine_thinking(table, seat))
        forced = table.position.legal_moves
        # There is nothing to think about where there is nothing to choose.
        written = forced[0].text if len(forced) == 1 else await self._chosen(table, seat)
        if table.version == version and table.turn == seat:
            await self._make(table, seat, written)

    async def _chosen(self, table: Table, seat: int) -> str:
        for _ in range(_TRIES):
            try:
                return await self._ask(jobs.choose, table, seat)
            except Unwanted:
                raise
            except Exception as error:
                log_failure(error, "an engine")
        # The game goes on even if the engine fails.
        return random.choice(table.position.legal_moves).text

    async def _make(self, table: Table, seat: int, written: str) -> None:
        at = table.moves
        # A task of its own: schedule() cancels an engine, but not a move that is being written.
        await asyncio.shield(asyncio.create_task(self._tables.act(table, lambda t: moves.move(t, seat, written, at))))
