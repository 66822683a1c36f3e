"""What the live interface asks about the people at a table: their accounts, and whom they do not want to read."""

from collections.abc import Iterable
from typing import Protocol

from triskele.server.accounts.directory import Account


class People(Protocol):
    """Knows the accounts of visitors who were looked up, without waiting."""

    def account(self, visitors: Iterable[str]) -> Account | None:
        """Return the account of the first of some visitors who has one."""

    def deleted(self, visitors: Iterable[str]) -> bool:
        """Whether one of some visitors was an account that is deleted."""

    def muted(self, visitor: str | None, writers: Iterable[str]) -> bool:
        """Whether a visitor does not read what some others write."""


class Strangers:
    """Knows nobody: people are what they call themselves."""

    def account(self, visitors: Iterable[str]) -> Account | None:
        """Return nobody."""
        return None

    def deleted(self, visitors: Iterable[str]) -> bool:
        """Return that nobody is."""
        return False

    def muted(self, visitor: str | None, writers: Iterable[str]) -> bool:
        """Return that nobody is."""
        return False
