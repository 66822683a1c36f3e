"""Mutes and blocks: whose chat a visitor does not read, and with whom they do not play. In memory of every process."""

import contextlib
from collections.abc import Iterable
from typing import Literal, get_args

from sqlalchemy import Connection, delete, func, insert, select

from triskele.core.words import text
from triskele.server.bus import Bus
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, Storage
from triskele.server.tables.service import now

Kind = Literal["mute", "block"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LIMIT = 500
"""Mutes and blocks of a visitor."""


class Aversions:
    """The mutes and blocks of a server. Who blocks somebody does not read them either."""

    def __init__(self, storage: Storage, bus: Bus) -> None:
        """Begin without any; :meth:`load` reads them."""
        self._storage = storage
        self._bus = bus
        self._pairs: dict[tuple[str, str], set[str]] = {}

    async def load(self) -> None:
        """Read all of them: at the start, and when another process has changed some."""
        self._pairs = await self._storage.read(_all)

    def mutes(self, visitor: str | None, other: str) -> bool:
        """Whether a visitor does not read what another writes."""
        return visitor is not None and (visitor, other) in self._pairs

    def blocks(self, visitor: str, other: str) -> bool:
        """Whether a visitor does not play with another."""
        return "block" in self._pairs.get((visitor, other), ())

    def either_blocks(self, visitor: str, others: Iterable[str]) -> bool:
        """Whether a visitor and one of some others do not play together, whoever of the two wants it so."""
        return any(self.blocks(visitor, other) or self.blocks(other, visitor) for other in others)

    def of(self, visitor: str) -> dict[str, list[str]]:
        """Return whom a visitor mutes or blocks, by visitor, with the kinds."""
        return {other: sorted(kinds) for (mine, other), kinds in self._pairs.items() if mine == visitor}

    async def add(self, visitor: str, kind: Kind, other: str) -> None:
        """Mute or block somebody."""
        if visitor == other:
            raise Refusal("oneself")
        columns = schema.aversions.c
        mine = columns.visitor == visitor
        count = await self._storage.read(lambda c: c.execute(select(func.count()).where(mine)).scalar_one())
        if count >= LIMIT:
            raise Refusal("aversions-limit", text("server.aversions-limit", n=LIMIT))
        row = {"visitor": visitor, "kind": kind, "other": other, "since": now()}
        with contextlib.suppress(Conflict):  # it is there already
            await self._storage.write(statements=[(insert(schema.aversions), [row])])
        await self._changed()

    async def remove(self, visitor: str, kind: Kind, other: str) -> None:
        """Mute or block somebody no longer."""
        columns = schema.aversions.c
        which = (columns.visitor == visitor, columns.kind == kind, columns.other == other)
        await self._storage.write(statements=[(delete(schema.aversions).where(*which), ())])
        await self._changed()

    async def _changed(self) -> None:
        await self.load()
        self._bus.publish("", aversions=True)


def _all(connection: Connection) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for row in connection.execute(select(schema.aversions)):
        found.setdefault((row.visitor, row.other), set()).add(row.kind)
    return found
