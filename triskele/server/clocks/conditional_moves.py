"""Conditional moves of games over days: a seat says ahead what it will answer to what.

They are lines of moves from the position now, which together are a tree: what the others may do, and what the seat does
then. They are checked by the rules in the position as the seat may know it, and compared with the moves as the seat
sees them, so that they never tell or use more than that. Nobody else hears of them until one is made.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from triskele.core.contract import CHANCE
from triskele.core.errors import IllegalMove
from triskele.core.position import Position
from triskele.server.refusal import Refusal, log_failure
from triskele.server.storage import schema
from triskele.server.tables import moves
from triskele.server.tables.service import Statements, TableService
from triskele.server.tables.table import Table

Line = tuple[str, ...]
LINE_LIMIT = 64
"""The number of moves of a line."""


@dataclass(frozen=True)
class Plan:
    """The conditional moves of a seat: lines of moves that follow the first ``at`` ones."""

    at: int
    lines: tuple[Line, ...]

    def answer(self, seen: Sequence[str]) -> str | None:
        """Return the move that follows the moves seen so far, if there is one."""
        since = tuple(seen[self.at :])
        if len(seen) < self.at:
            return None
        return next(
            (line[len(since)] for line in self.lines if line[: len(since)] == since and len(line) > len(since)), None
        )


def after(table: Table, seat: int, line: Sequence[str]) -> Position:
    """Return the position after a line of moves, as far as a seat may know; ``IllegalMove`` if it is not legal there.

    It is built from the seat's own view: whatever the answer is, it tells nothing else.
    """
    position = table.position.seen_by(seat)
    for written in line:
        position.push(written)
    return position


def check(table: Table, seat: int, lines: Sequence[Line], most: int) -> None:
    """Refuse conditional moves that are too many, against the rules, or that answer the same in two ways."""
    moves.check_on(table)
    moves.check_plays(table, seat)
    if table.clock_control.pace != "days":
        raise Refusal("not-days")
    if table.turn == seat:
        raise Refusal("own-turn")
    if sum(map(len, lines)) > most or any(not 1 <= len(line) <= LINE_LIMIT for line in lines):
        raise Refusal("conditional-many")
    answers: dict[Line, str] = {}
    for line in lines:
        position = table.position.seen_by(seat)
        for number, written in enumerate(line):
            if position.turn == seat and answers.setdefault(line[:number], written) != written:
                raise Refusal("conditional-twice")
            mover = position.turn
            try:
                position.push(written)
            except IllegalMove as error:
                raise Refusal("illegal", error.text) from None
        if mover != seat:
            raise Refusal("conditional-open")


class ConditionalMoves:
    """Keeps the conditional moves of all seats, and makes them when it is their turn."""

    def __init__(self, tables: TableService, most: int) -> None:
        """Listen to ``tables``; a seat may have ``most`` conditional moves."""
        self._tables = tables
        self._most = most
        self._playing: dict[str, asyncio.Task[None]] = {}
        tables.listeners.append(self.schedule)

    async def of(self, table: Table, seat: int) -> Plan:
        """Return the conditional moves of a seat that can still be made: as lines from the position now."""
        plan = await self._stored(table.id, seat)
        seen = table.position.moves_seen_by(seat)
        if plan is None or len(seen) < plan.at:
            return Plan(len(seen), ())
        since = tuple(seen[plan.at :])
        going = [line[len(since) :] for line in plan.lines if line[: len(since)] == since and len(line) > len(since)]
        return Plan(len(seen), tuple(going))

    async def put(self, asked: Table, seat: int, lines: Sequence[Line]) -> None:
        """Replace the conditional moves of a seat; ``Refusal`` says what is wrong with them."""
        async with self._tables.locked(asked) as table:
            check(table, seat, lines, self._most)
            statements = list(_removal(table.id, seat))
            if lines:
                row = {"table_id": table.id, "seat": seat, "at": table.moves, "lines": json.dumps(lines)}
                statements.append((insert(schema.conditional_moves), [row]))
            await self._tables.storage.write(statements=statements)

    def schedule(self, table: Table) -> None:
        """Look whether the seat to act has said ahead what it does."""
        turn = table.turn
        if table.clock_control.pace != "days" or turn is None or turn == CHANCE or table.seats[turn].automatic:
            return
        if table.id not in self._playing:
            task = self._playing[table.id] = asyncio.create_task(self._play(table))
            task.add_done_callback(lambda _: self._playing.pop(table.id, None))

    def stop(self) -> None:
        """Make no more moves."""
        for task in list(self._playing.values()):
            task.cancel()

    async def _play(self, table: Table) -> None:
        """Make conditional moves as long as it is the turn of a seat that has the next one."""
        try:
            while (turn := table.turn) is not None and turn != CHANCE and await self._answer(table, turn):
                pass
        except Refusal:
            pass  # another process was first, or the table is gone
        except Exception as error:
            log_failure(error, "a conditional move")

    async def _answer(self, table: Table, seat: int) -> bool:
        plan = await self._stored(table.id, seat)
        if plan is None:
            return False
        at = table.moves
        written = plan.answer(table.position.moves_seen_by(seat))
        if written is not None:
            try:
                await self._tables.act(table, lambda t: moves.move_of_person(t, seat, written, at))
                return True
            except Refusal as refusal:
                if refusal.code != "illegal":
                    raise
        if table.moves == at:  # the game took another way
            await self._tables.storage.write(statements=_removal(table.id, seat))
        return False

    async def _stored(self, table_id: str, seat: int) -> Plan | None:
        def read(connection: Connection) -> Plan | None:
            kept = schema.conditional_moves
            query = select(kept.c.at, kept.c.lines).where(kept.c.table_id == table_id, kept.c.seat == seat)
            row = connection.execute(query).first()
            return None if row is None else Plan(row.at, tuple(tuple(line) for line in json.loads(row.lines)))

        return await self._tables.storage.read(read)


def _removal(table_id: str, seat: int) -> Statements:
    kept = schema.conditional_moves
    return [(delete(kept).where(kept.c.table_id == table_id, kept.c.seat == seat), ())]
