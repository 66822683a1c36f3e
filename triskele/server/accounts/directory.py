"""The directory of accounts: whose visitor is which account, for everything that shows or counts people."""

import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class _Known:
    """What was found about a visitor, and when; ``claimed`` also if the account was deleted."""

    read: float
    account: Account | None
    claimed: bool


class AccountDirectory:
    """Finds accounts by their visitor or name. Deleted accounts are absent."""

    def __init__(self, storage: Storage) -> None:
        """Read accounts from ``storage``."""
        self._storage = storage
        self._cached: OrderedDict[str, _Known] = OrderedDict()

    async def of_visitors(self, visitors: Iterable[str]) -> dict[str, Account]:
        """Return the accounts of those visitors who have one; answers are kept for a minute."""
        known = await self._look_up(set(visitors))
        return {visitor: found.account for visitor, found in known.items() if found.account is not None}

    async def claimed(self, visitor: str) -> bool:
        """Whether a visitor is an account, or was one that is deleted: a guest's cookie does not stand for it."""
        return (await self._look_up({visitor}))[visitor].claimed

    async def named(self, name: str) -> Account | None:
        """Return the account with a name, in any case of its letters."""
        key = folded(name[:200])
        return await self._storage.read(lambda connection: _named(connection, key))

    def known(self, visitor: str) -> Account | None:
        """Return the account of a visitor if it was asked for lately, without waiting."""
        found = self._cached.get(visitor)
        return None if found is None else found.account

    def known_deleted(self, visitor: str) -> bool:
        """Whether a visitor was an account that is deleted, if it was asked for lately."""
        found = self._cached.get(visitor)
        return found is not None and found.claimed and found.account is None

    def forget(self, visitor: str) -> None:
        """Read the account of a visitor again when it is asked for next: it has changed."""
        self._cached.pop(visitor, None)

    def forget_all(self) -> None:
        """Read all accounts again: some may have changed."""
        self._cached.clear()

    async def _look_up(self, asked: set[str]) -> dict[str, _Known]:
        since = time.monotonic() - CACHED_SECONDS
        known = {v: self._cached[v] for v in asked if v in self._cached and self._cached[v].read >= since}
        missing = sorted(asked - known.keys())
        if missing:
            found = await self._storage.read(lambda connection: _of_visitors(connection, missing))
            for visitor in missing:
                account = found.get(visitor)
                known[visitor] = self._keep(visitor, _Known(time.monotonic(), account, visitor in found))
        return known

    def _keep(self, visitor: str, known: _Known) -> _Known:
        self._cached[visitor] = known
        self._cached.move_to_end(visitor)
        if len(self._cached) > _CACHED_LIMIT:
            self._cached.popitem(last=False)
        return known


_accounts = schema.accounts.c
SHOWN = (_accounts.id, _accounts.visitor, _accounts.name, _accounts.bot, _accounts.created)
"""The columns of an :class:`Account`."""
_SOME = 500
"""Visitors that one statement asks for."""


def account_of(row: Row[*tuple[Any, ...]]) -> Account:
    """Return the account in a row that has the columns ``SHOWN``."""
    return Account(row.id, row.visitor, row.name, row.bot, row.created)


def _of_visitors(connection: Connection, visitors: list[str]) -> dict[str, Account | None]:
    """Return accounts by their visitor; of deleted ones ``None``."""
    found: dict[str, Account | None] = {}
    for start in range(0, len(visitors), _SOME):
        some = visitors[start : start + _SOME]
        query = select(*SHOWN, _accounts.deleted).where(_accounts.visitor.in_(some))
        for row in connection.execute(query):
            found[row.visitor] = account_of(row) if row.deleted is None else None
    return found


def _named(connection: Connection, key: str) -> Account | None:
    row = connection.execute(select(*SHOWN).where(_accounts.folded == key, _accounts.deleted.is_(None))).first()
    return None if row is None else account_of(row)
