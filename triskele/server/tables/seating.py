"""Seating: a free seat is taken once, with its key, and then belongs to the visitor who took it."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import insert

from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.tables.entries import TAKEN, Entry
from triskele.server.tables.keys import Keys
from triskele.server.tables.outgoing import deliver
from triskele.server.tables.service import Change, TableService, now
from triskele.server.tables.table import LINK, OFF_LIST, SPECTATING, Table
from triskele.server.tables.validation import valid_name

Averse = Callable[[str, Iterable[str]], bool]
"""Whether a visitor and one of some others do not play together."""
Opens = Literal["seat", "taken", "own", "watch"]
"""What a key opens: a free seat, one that somebody else has taken, the visitor's own on another device, watching."""


@dataclass(frozen=True)
class Invitation:
    """What a key opens, and who invites to which game: the visitor ``opener``, whose name there is ``host``."""

    opens: Opens
    seat: int | None
    game: str
    title: str
    host: str
    opener: str


SeatCheck = Callable[[Table, str], Awaitable[None]]
"""Refuses a visitor who may not take a seat at a table."""


class Seating:
    """Gives seats and the right to watch to visitors."""

    def __init__(
        self,
        tables: TableService,
        keys: Keys,
        averse: Averse = lambda visitor, others: False,
        check: SeatCheck | None = None,
    ) -> None:
        """Check keys with ``keys``; seat nobody beside people who do not play together (``averse``).

        ``check`` refuses visitors who may not take a seat at a table for another reason.
        """
        self._tables = tables
        self._keys = keys
        self._averse = averse
        self._check = check

    async def opened_by(self, table_id: str, visitor: str | None, key: str) -> Invitation:
        """Return what a key opens, without using it; a wrong key is refused like a table that is not there."""
        table = await self._tables.find(table_id)
        if table is None:
            raise Refusal("unknown")
        game, host = table.variant.game, table.name_of(table.opener)
        if self._keys.is_watch(key, table.id):
            return Invitation("watch", None, game.name, game.title, host, table.opener)
        for seat, there in enumerate(table.seats):
            own = visitor in there.holders or any(self._keys.is_own(key, table.id, seat, v) for v in there.holders)
            invited = there.person and self._keys.is_invitation(key, table.id, seat)
            if invited or any(self._keys.is_own(key, table.id, seat, holder) for holder in there.holders):
                opens: Opens = "own" if own else "taken" if there.taken else "seat"
                return Invitation(opens, seat, game.name, game.title, host, table.opener)
        raise Refusal("unknown")

    async def take(self, table_id: str, visitor: str, key: str | None, name: str) -> int | None:
        """Give a visitor what a key opens: a free seat, their own seat on another device, or watching (``None``).

        Without a key it is a free seat of a public table. A wrong key is refused like a table that is not there.
        In a game with secrets a visitor gets one seat only: see :func:`_check_one_seat`.
        """
        table = await self._tables.find(table_id)
        if table is None:
            raise Refusal("unknown")
        named = valid_name(name)
        if key is None:
            if table.private:
                raise Refusal("unknown")
            free = next((n for n, s in enumerate(table.seats) if s.kind == LINK and not s.taken), None)
            if free is None:
                raise Refusal("taken")
            return await self._sit(table, free, visitor, named)
        if self._keys.is_watch(key, table.id):
            await self._hold(table, SPECTATING, visitor)
            return None
        for seat, there in enumerate(table.seats):
            if there.person and self._keys.is_invitation(key, table.id, seat, there.freed):
                return await self._sit(table, seat, visitor, named)
            if any(self._keys.is_own(key, table.id, seat, holder) for holder in there.holders):
                await self._hold(table, seat, visitor)
                return seat
        raise Refusal("unknown")

    async def remove(self, table_id: str, visitor: str) -> bool:
        """Take a table off a visitor's list; return whether it was deleted as a whole.

        It is when no other visitor holds a seat at it. Otherwise the game stays as it is for the others, and the seat
        the visitor's: whoever has the address comes back to it.
        """
        table = await self._tables.get(table_id, visitor)
        if not table.seats_of(visitor):
            raise Refusal("seat")
        if set().union(*(seat.holders for seat in table.seats)) == {visitor}:
            await self._tables.delete([table.id])
            return True
        row = {"table_id": table.id, "seat": OFF_LIST, "visitor": visitor}
        await self._tables.storage.write(statements=[(self._tables.storage.insert_once(schema.holders), [row])])
        return False

    async def _sit(self, table: Table, seat: int, visitor: str, name: str) -> int:
        if visitor in table.seats[seat].holders:
            return seat
        if self._check is not None:
            await self._check(table, visitor)
        row = {"table_id": table.id, "seat": seat, "visitor": visitor}

        def decide(table: Table) -> Change:
            if table.seats[seat].taken:
                raise Refusal("taken")
            _check_one_seat(table, seat, visitor)
            if self._averse(visitor, {table.opener, *(each for other in table.seats for each in other.holders)}):
                raise Refusal("blocked")
            return Change(_taken(table, seat, visitor, name), [(insert(schema.holders), [row])])

        await self._tables.act(table, decide)
        return seat

    async def _hold(self, asked: Table, seat: int, visitor: str) -> None:
        async with self._tables.locked(asked) as table:
            holders = table.spectators if seat == SPECTATING else table.seats[seat].holders
            if visitor in holders:
                return
            if seat != SPECTATING:
                if table.rated:  # it is an account's; on another device its owner signs in
                    raise Refusal("rated-seats")
                _check_one_seat(table, seat, visitor)
            row = {"table_id": table.id, "seat": seat, "visitor": visitor}
            await self._tables.storage.write(statements=[(self._tables.storage.insert_once(schema.holders), [row])])
            holders.add(visitor)
            deliver(self._tables.broadcaster.seats_changed(table))
        self._tables.bus.publish(table.id, holders=True)


def _check_one_seat(table: Table, seat: int, visitor: str) -> None:
    """Refuse a second seat of a game with secrets, unless both are among those that the opener plays at one screen."""
    held = table.seats_of(visitor)
    if table.hidden and any(LINK in (table.seats[seat].kind, table.seats[other].kind) for other in held):
        raise Refusal("one-seat")


def _taken(table: Table, seat: int, visitor: str, name: str) -> Iterator[Entry]:
    table.seats[seat].holders.add(visitor)
    yield table.entry(TAKEN, seat, name or table.seats[seat].name, now())
