"""The names of accounts, by their visitors, for lists that come from the database alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from triskele.server.storage import schema

_SOME = 500
"""Visitors that one statement asks for."""


@dataclass(frozen=True, slots=True)
class NamedAccount:
    """What lists say of an account; of a deleted one the name is empty."""

    name: str
    bot: bool
    deleted: bool

    def document(self) -> dict[str, Any]:
        """Return what is said of a seat or a line that is the account's, as live messages say it."""
        if self.deleted:
            return {"deleted": True}
        return {"account": self.name, **({"bot": True} if self.bot else {})}


def accounts_of(connection: Connection, visitors: Iterable[str]) -> dict[str, NamedAccount]:
    """Return the accounts of those visitors who have one, or had one that is deleted."""
    accounts, asked = schema.accounts.c, sorted(set(visitors))
    found = {}
    for start in range(0, len(asked), _SOME):
        some = asked[start : start + _SOME]
        columns = (accounts.visitor, accounts.name, accounts.bot, accounts.deleted)
        query = select(*columns).where(accounts.visitor.in_(some))
        for row in connection.execute(query):
            found[row.visitor] = NamedAccount(row.name, row.bot, row.deleted is not None)
    return found


def first_account(known: Mapping[str, NamedAccount], visitors: Iterable[str]) -> NamedAccount | None:
    """Return the account of somebody at a seat: the first of its holders who has one, or else had one."""
    held = [known[each] for each in sorted(visitors) if each in known]
    return next((each for each in held if not each.deleted), held[0] if held else None)


def shown_name(known: Mapping[str, NamedAccount], written: str) -> str:
    """Return a visitor as ``@NAME`` if it is an account's, anything else as it is."""
    account = known.get(written)
    return written if account is None or account.deleted else f"@{account.name}"
