"""The directory of accounts: whose visitor is which account, for everything that shows or counts people."""

import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Row, select

from triskele.server.accounts.names import folded
from triskele.server.storage import schema
from triskele.server.storage.database import Storage

CACHED_SECONDS = 60.0
"""How long it takes at most until other processes know of a new or deleted account; this one knows it at once."""
_CACHED_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Account:
    """An account as everybody may know it.

    ``id`` is never shown to others: profiles go by ``name``, which is unique among names that look alike.
    """

    id: str
    visitor: str
    name: str
    bot: bool
    created: int


class AccountDirectory:
    """Finds accounts by their visitor or name. Deleted accounts are absent."""

    def __init__(self, storage: Storage) -> None:
        """Read accounts from ``storage``."""
        self._storage = storage
        self._cached: OrderedDict[str, tuple[float, Account | None]] = OrderedDict()

    async def of_visitors(self, visitors: Iterable[str]) -> dict[str, Account]:
        """Return the accounts of those visitors who have one; answers are kept for a minute."""
        asked = set(visitors)
        since = time.monotonic() - CACHED_SECONDS
        known = {visitor: self._cached[visitor][1] for visitor in asked if self._fresh(visitor, since)}
        missing = sorted(asked - known.keys())
        if missing:
            found = await self._storage.read(lambda connection: _of_visitors(connection, missing))
            for visitor in missing:
                known[visitor] = found.get(visitor)
                self._keep(visitor, found.get(visitor))
        return {visitor: account for visitor, account in known.items() if account is not None}

    async def named(self, name: str) -> Account | None:
        """Return the account with a name, in any case of its letters."""
        key = folded(name[:200])
        return await self._storage.read(lambda connection: _named(connection, key))

    def forget(self, visitor: str) -> None:
        """Read the account of a visitor again when it is asked for next: it has changed."""
        self._cached.pop(visitor, None)

    def known(self, visitor: str) -> Account | None:
        """Return the account of a visitor if it was asked for lately, without waiting."""
        return self._cached.get(visitor, (0.0, None))[1]

    def _fresh(self, visitor: str, since: float) -> bool:
        return visitor in self._cached and self._cached[visitor][0] >= since

    def _keep(self, visitor: str, account: Account | None) -> None:
        self._cached[visitor] = (time.monotonic(), account)
        self._cached.move_to_end(visitor)
        if len(self._cached) > _CACHED_LIMIT:
            self._cached.popitem(last=False)


_SHOWN = (
    schema.accounts.c.id,
    schema.accounts.c.visitor,
    schema.accounts.c.name,
    schema.accounts.c.bot,
    schema.accounts.c.created,
)
_SOME = 500
"""Visitors that one statement asks for."""


def _account(row: Row[tuple[str, str, str, bool, int]]) -> Account:
    return Account(row.id, row.visitor, row.name, row.bot, row.created)


def _of_visitors(connection: Connection, visitors: list[str]) -> dict[str, Account]:
    accounts = schema.accounts.c
    found = {}
    for start in range(0, len(visitors), _SOME):
        some = visitors[start : start + _SOME]
        query = select(*_SHOWN).where(accounts.visitor.in_(some), accounts.deleted.is_(None))
        found.update({row.visitor: _account(row) for row in connection.execute(query)})
    return found


def _named(connection: Connection, key: str) -> Account | None:
    accounts = schema.accounts.c
    row = connection.execute(select(*_SHOWN).where(accounts.folded == key, accounts.deleted.is_(None))).first()
    return None if row is None else _account(row)
