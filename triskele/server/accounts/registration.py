"""Making accounts: of people, with a password or a passkey, and of their bots."""

from typing import Any

from sqlalchemy import Connection, func, insert, select

from triskele.core.words import text
from triskele.server.accounts import invitations
from triskele.server.accounts.credentials import new_id
from triskele.server.accounts.directory import Account, AccountDirectory
from triskele.server.accounts.mail_links import Statements
from triskele.server.accounts.names import folded, skeleton, valid_name
from triskele.server.accounts.passkeys import NewPasskey, Passkeys, Site
from triskele.server.accounts.passwords import Passwords, check_new_password
from triskele.server.accounts.sessions import Sessions
from triskele.server.accounts.sign_in import Begun, Origin
from triskele.server.accounts.throttle import Throttle
from triskele.server.refusal import Refusal
from triskele.server.settings import Settings
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, Storage
from triskele.server.tables.service import now
from triskele.server.tables.visitors import Visitors

BOTS_LIMIT = 5
"""Bots of an account."""
_PASSKEY_NAME = ""


class Registration:
    """Makes accounts, as the host allows it."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        visitors: Visitors,
        directory: AccountDirectory,
        passwords: Passwords,
        passkeys: Passkeys,
        sessions: Sessions,
        throttle: Throttle,
    ) -> None:
        """Store them in ``storage``."""
        self._policy = settings.accounts
        self._storage = storage
        self._visitors = visitors
        self._directory = directory
        self._passwords = passwords
        self._passkeys = passkeys
        self._sessions = sessions
        self._throttle = throttle

    async def check_name(self, written: str) -> str:
        """Return a name that can be had; ``Refusal`` if it is none, or one of an account or like one."""
        name = valid_name(written)
        if await self._storage.read(lambda connection: _is_taken(connection, name)):
            raise Refusal("name-taken")
        return name

    async def sign_up(
        self,
        written: str,
        password: str | None,
        passkey: tuple[Site, str, dict[str, Any]] | None,
        invitation: str,
        guest: str | None,
        origin: Origin,
        language: str,
    ) -> Begun:
        """Make an account and begin its first session. The games of the guest who asks are the account's."""
        statements = await self._admitted(invitation, origin)
        name = await self.check_name(written)
        account_id, kept = new_id(), None
        if passkey is not None:
            site, state, credential = passkey
            challenge = self._passkeys.challenge("sign-up", state)
            if challenge.name != name:
                raise Refusal("passkey")
            account_id = challenge.account
            made = self._passkeys.check_new(site, challenge, credential)
            statements += [challenge.spend, (insert(schema.passkeys), [passkey_row(account_id, made, _PASSKEY_NAME)])]
        elif password is not None:
            check_new_password(password, name)
            kept = await self._passwords.hash(password)
        else:
            raise Refusal("form")
        row = _row(account_id, guest or self._visitors.new(), name, kept, language)
        secret, session, begin = self._sessions.begin(account_id, origin.address, origin.agent)
        try:
            await self._storage.write(statements=[(insert(schema.accounts), [row]), begin, *statements])
        except Conflict:
            await self.check_name(name)  # somebody was faster
            raise Refusal("invitation" if self._policy == "invitation" else "busy") from None
        self._directory.forget(row["visitor"])
        account = Account(account_id, row["visitor"], name, False, row["created"])
        return Begun(account, secret, session)

    async def _admitted(self, invitation: str, origin: Origin) -> Statements:
        """Refuse who may not make an account here; return the statement that uses the invitation."""
        if self._policy == "closed":
            raise Refusal("accounts-closed")
        self._throttle.sign_up(origin.address)
        return [await invitations.using(self._storage, invitation)] if self._policy == "invitation" else []

    async def make_bot(self, owner: Account, written: str, language: str) -> Account:
        """Make an account for a bot of somebody's; it acts with tokens alone, and everybody sees that it is a bot."""
        accounts = schema.accounts.c
        mine = (accounts.owner == owner.id, accounts.deleted.is_(None))
        count = await self._storage.read(lambda c: c.execute(select(func.count()).where(*mine)).scalar_one())
        if count >= BOTS_LIMIT:
            raise Refusal("bots-limit", text("server.bots-limit", n=BOTS_LIMIT))
        name = await self.check_name(written)
        row = _row(new_id(), self._visitors.new(), name, None, language) | {"bot": True, "owner": owner.id}
        try:
            await self._storage.write(statements=[(insert(schema.accounts), [row])])
        except Conflict:
            raise Refusal("name-taken") from None
        return Account(row["id"], row["visitor"], name, True, row["created"])


def _row(account_id: str, visitor: str, name: str, password: str | None, language: str) -> dict[str, Any]:
    return {
        "id": account_id,
        "visitor": visitor,
        "name": name,
        "folded": folded(name),
        "skeleton": skeleton(name),
        "bot": False,
        "owner": None,
        "moderator": False,
        "created": now(),
        "deleted": None,
        "password": password,
        "mail": None,
        "mail_confirmed": None,
        "language": language,
        "learned": "{}",
    }


def passkey_row(account_id: str, made: NewPasskey, name: str) -> dict[str, Any]:
    """Return the row of a new passkey."""
    return {
        "credential": made.credential,
        "account": account_id,
        "public_key": made.public_key,
        "sign_count": made.sign_count,
        "name": name,
        "created": now(),
        "used": None,
    }


def _is_taken(connection: Connection, name: str) -> bool:
    accounts = schema.accounts.c
    alike = (accounts.folded == folded(name)) | (accounts.skeleton == skeleton(name))
    return connection.execute(select(accounts.id).where(alike)).first() is not None
