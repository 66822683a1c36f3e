"""Deleting an account: its games stay, and nothing else that tells who it was."""

from collections.abc import Callable, Collection

from sqlalchemy import delete, select, update

from triskele.server.accounts.adoption import erase_names, erasing_names
from triskele.server.accounts.directory import SHOWN, Account, AccountDirectory, account_of
from triskele.server.accounts.letters import Letters
from triskele.server.accounts.mail_links import Statements
from triskele.server.accounts.sessions import Sessions
from triskele.server.accounts.tokens import Tokens
from triskele.server.storage import schema
from triskele.server.tables.service import TableService, now


class Deletion:
    """Deletes accounts, with their bots."""

    def __init__(
        self,
        tables: TableService,
        directory: AccountDirectory,
        sessions: Sessions,
        tokens: Tokens,
        letters: Letters,
    ) -> None:
        """Take the names off ``tables``."""
        self._tables = tables
        self._directory = directory
        self._sessions = sessions
        self._tokens = tokens
        self._letters = letters
        self.listeners: list[Callable[[Collection[str]], None]] = []
        """Called with the visitors whose accounts were deleted, here or by another process."""

    async def delete(self, account: Account, also: Statements | None = None) -> None:
        """Delete an account and its bots; ``also`` is written with it."""
        storage, accounts = self._tables.storage, schema.accounts.c
        query = select(*SHOWN).where(accounts.owner == account.id, accounts.deleted.is_(None))
        bots = await storage.read(lambda c: [account_of(row) for row in c.execute(query)])
        everybody = [account, *bots]
        ended = [each.id for one in everybody for each in await self._sessions.of_account(one.id)]
        revoked = [token.id for token in await self._tokens.of_account(account.id)]
        await self._letters.changed(account.id, "deleted")
        statements = [statement for each in everybody for statement in _deleting(each)]
        await storage.write(statements=[*statements, *(also or [])])
        self._sessions.ended(ended)
        self._tokens.revoked(revoked)
        await self.heard([each.visitor for each in everybody])
        self._tables.bus.publish("", deleted_accounts=[each.visitor for each in everybody])

    async def heard(self, visitors: list[str]) -> None:
        """Forget accounts that were deleted, here or by another process."""
        for visitor in visitors:
            self._directory.forget(visitor)
        await self._directory.of_visitors(visitors)
        erase_names(self._tables, visitors)
        for listener in self.listeners:
            listener(visitors)


def _deleting(account: Account) -> Statements:
    accounts, aversions = schema.accounts.c, schema.aversions.c
    nobody = {
        "name": "",
        "folded": None,
        "skeleton": None,
        "owner": None,
        "moderator": False,
        "deleted": now(),
        "password": None,
        "mail": None,
        "mail_confirmed": None,
        "learned": "{}",
    }
    notices = (schema.deliveries, schema.notice_settings, schema.push_subscriptions, schema.web_hooks)
    belongings = (schema.passkeys, schema.sessions, schema.tokens, schema.mail_links, *notices)
    mine = (aversions.visitor == account.visitor) | (aversions.other == account.visitor)
    return [
        (update(schema.accounts).where(accounts.id == account.id).values(nobody), ()),
        *((delete(kind).where(kind.c.account == account.id), ()) for kind in belongings),
        (delete(schema.aversions).where(mine), ()),
        (delete(schema.notices).where(schema.notices.c.visitor == account.visitor), ()),
        *erasing_names(account.visitor),
    ]
