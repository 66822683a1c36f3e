"""Engine seats: when it is an engine's turn it thinks, elsewhere, and its move comes in like everybody's."""

import asyncio
import random
import zlib

from triskele.core.errors import TriskeleError
from triskele.server import jobs, moving
from triskele.server.jobs import Question
from triskele.server.refusal import log_failure
from triskele.server.settings import Settings
from triskele.server.table import ENGINE, Table
from triskele.server.tables import Tables
from triskele.server.telling import post
from triskele.server.thinking import Thinkers

_TRIES = 2


class EngineSeats:
    """Plays the seats of engines at all tables in memory."""

    def __init__(self, tables: Tables, thinkers: Thinkers, settings: Settings) -> None:
        """Look after tables from now on."""
        self._tables = tables
        self._thinkers = thinkers
        self._seconds = settings.engine_seconds
        self._memory = settings.engine_memory_mb
        self._at_work: dict[str, tuple[int, asyncio.Task[None]]] = {}
        tables.watchers.append(self.look)

    def look(self, table: Table) -> None:
        """Set an engine to work if a table waits for one."""
        if table.turn is None or not any(seat.kind == ENGINE for seat in table.seats):
            return
        if not table.persons() and not table.followers:
            return  # nobody would see it
        begun = self._at_work.get(table.id)
        if begun is not None and begun[0] == table.version:
            return
        if begun is not None:
            begun[1].cancel()
        task = asyncio.create_task(self._play(table, table.version))
        self._at_work[table.id] = (table.version, task)
        task.add_done_callback(lambda _: self._rest(table.id, task))

    def _rest(self, table_id: str, task: "asyncio.Task[None]") -> None:
        if table_id in self._at_work and self._at_work[table_id][1] is task:
            del self._at_work[table_id]

    async def _play(self, table: Table, version: int) -> None:
        try:
            if not await self._interrupt(table, version):
                await self._move(table, version)
        except TriskeleError:
            pass  # the table went on in the meantime
        except Exception as error:
            log_failure(error, "an engine")

    def _question(self, table: Table, seat: int) -> Question:
        level = table.seats[seat].level
        seed = zlib.crc32(table.id.encode())
        return Question.of(table.position, seat, self._seconds, level, self._memory, seed)

    async def _interrupt(self, table: Table, version: int) -> bool:
        """Let engines do what they may do out of turn: the seat to act is asked first, then clockwise."""
        if not table.position.interrupts:
            return False
        first = table.turn or 0
        order = [(first + step) % len(table.seats) for step in range(len(table.seats))]
        for seat in order:
            may = seat == table.turn or moving.own_interrupts(table, seat)
            if table.seats[seat].kind != ENGINE or not may:
                continue
            written = await self._thinkers.ask(jobs.interrupt, self._question(table, seat))
            if table.version != version:
                return True
            if written is not None:
                await self._make(table, seat, written)
                return True
        return False

    async def _move(self, table: Table, version: int) -> None:
        seat = table.turn
        if seat is None or seat < 0 or table.seats[seat].kind != ENGINE:
            return
        post(self._tables.teller.thinking(table, seat))
        written = await self._chosen(table, seat)
        if table.version == version and table.turn == seat:
            await self._make(table, seat, written)

    async def _chosen(self, table: Table, seat: int) -> str:
        question = self._question(table, seat)
        for _ in range(_TRIES):
            try:
                return await self._thinkers.ask(jobs.choose, question)
            except Exception as error:
                log_failure(error, "an engine")
        # The game must go on, even with an engine that fails.
        return random.choice(table.position.legal_moves).text

    async def _make(self, table: Table, seat: int, written: str) -> None:
        at = table.moves
        # A task of its own: a newer look() cancels thinking, never a move that is being kept.
        await asyncio.shield(asyncio.create_task(self._tables.act(table, lambda t: moving.move(t, seat, written, at))))
