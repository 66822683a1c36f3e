"""Signing in, by password or passkey, and proving again who one is."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, select, update

from triskele.server.accounts.directory import Account, account_of
from triskele.server.accounts.names import folded
from triskele.server.accounts.passkeys import Passkeys, Site, credential_id
from triskele.server.accounts.passwords import Passwords
from triskele.server.accounts.sessions import Sessions
from triskele.server.accounts.throttle import Throttle
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, Storage
from triskele.server.tables.service import now


@dataclass(frozen=True)
class Origin:
    """Where a request comes from: the address, and what the browser says it is."""

    address: str
    agent: str


@dataclass(frozen=True)
class Begun:
    """A session that has begun: its secret value is for the cookie."""

    account: Account
    secret: str
    session: str


class SignIn:
    """Checks who somebody is, and begins sessions."""

    def __init__(
        self, storage: Storage, passwords: Passwords, passkeys: Passkeys, sessions: Sessions, throttle: Throttle
    ) -> None:
        """Check against what ``storage`` has."""
        self._storage = storage
        self._passwords = passwords
        self._passkeys = passkeys
        self._sessions = sessions
        self._throttle = throttle

    async def by_password(self, name: str, password: str, origin: Origin) -> Begun:
        """Begin a session; ``Refusal`` says the same, after the same time, for a wrong name and a wrong password."""
        key = folded(name[:200])
        self._throttle.sign_in(key, origin.address)
        accounts = schema.accounts.c
        mine = (accounts.folded == key, accounts.deleted.is_(None), accounts.bot.is_(False))
        row = await self._storage.read(lambda c: c.execute(select(schema.accounts).where(*mine)).first())
        if not await self._passwords.verify(None if row is None else row.password, password) or row is None:
            raise Refusal("sign-in")
        if self._passwords.outdated(row.password):
            renewed = await self._passwords.hash(password)
            statement = update(schema.accounts).where(accounts.id == row.id).values(password=renewed)
            await self._storage.write(statements=[(statement, ())])
        return await self._begin(account_of(row), origin)

    async def by_passkey(self, site: Site, state: str, credential: dict[str, Any], origin: Origin) -> Begun:
        """Begin a session of the account that a passkey belongs to."""
        row = await self._check_passkey(site, "sign-in", state, credential)
        return await self._begin(account_of(row), origin)

    async def _begin(self, account: Account, origin: Origin) -> Begun:
        secret, session, statement = self._sessions.begin(account.id, origin.address, origin.agent)
        await self._storage.write(statements=[statement])
        await self._sessions.end_oldest(account.id)
        return Begun(account, secret, session)

    async def _check_passkey(
        self, site: Site, purpose: Any, state: str, credential: dict[str, Any]
    ) -> Row[*tuple[Any, ...]]:
        challenge = self._passkeys.challenge(purpose, state)
        passkeys, accounts = schema.passkeys.c, schema.accounts.c
        query = (
            select(schema.accounts, passkeys.public_key, passkeys.sign_count)
            .join(schema.passkeys, passkeys.account == accounts.id)
            .where(passkeys.credential == credential_id(credential), accounts.deleted.is_(None))
        )
        row = await self._storage.read(lambda connection: connection.execute(query).first())
        if row is None:
            raise Refusal("passkey")
        count = self._passkeys.check_used(site, challenge, credential, row.public_key, row.sign_count)
        used = (
            update(schema.passkeys)
            .where(passkeys.credential == credential_id(credential))
            .values(sign_count=count, used=now())
        )
        try:
            await self._storage.write(statements=[challenge.spend, (used, ())])
        except Conflict:
            raise Refusal("passkey") from None
        return row

    # --- proving again --------------------------------------------------------------------------------

    async def prove_by_password(self, account: Account, session: str, password: str, address: str) -> str:
        """Note that the person at a session knows the password; ``Refusal`` if it is wrong.

        Return the new secret value of the session.
        """
        await self.check_password(account, password, address)
        return await self._sessions.prove(session)

    async def check_password(self, account: Account, password: str, address: str) -> None:
        """Refuse a password that is not the account's."""
        self._throttle.sign_in(folded(account.name), address)
        accounts = schema.accounts.c
        query = select(accounts.password).where(accounts.id == account.id)
        kept = await self._storage.read(lambda connection: connection.execute(query).scalar())
        if not await self._passwords.verify(kept, password):
            raise Refusal("password")

    async def prove_by_passkey(
        self, account: Account, session: str, site: Site, state: str, credential: dict[str, Any]
    ) -> str:
        """Note that the person at a session has used a passkey of the account; return its new secret value."""
        row = await self._check_passkey(site, "prove", state, credential)
        if row.id != account.id:
            raise Refusal("passkey")
        return await self._sessions.prove(session)
