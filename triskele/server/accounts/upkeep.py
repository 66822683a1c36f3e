"""What people change about their own account: password, passkeys, mail, progress in lessons and puzzles."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from triskele.core.words import text
from triskele.server.accounts import mail_links
from triskele.server.accounts.directory import Account
from triskele.server.accounts.learned import merged
from triskele.server.accounts.letters import Letters
from triskele.server.accounts.passkeys import Passkeys, Site
from triskele.server.accounts.passwords import Passwords, check_new_password
from triskele.server.accounts.registration import passkey_row
from triskele.server.accounts.sessions import Sessions
from triskele.server.accounts.sign_in import Begun, Origin
from triskele.server.mail import is_address
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, Storage
from triskele.server.tables.service import now

PASSKEYS_LIMIT = 10


@dataclass(frozen=True)
class Passkey:
    """A passkey of an account; ``id`` is what the authenticator calls it."""

    id: str
    name: str
    created: int
    used: int | None


@dataclass(frozen=True)
class Kept:
    """What is kept of an account and only the person may know."""

    has_password: bool
    mail: str | None
    mail_confirmed: bool
    language: str
    learned: dict[str, Any]
    passkeys: list[Passkey]
    bots: list[str]


class Upkeep:
    """Changes accounts for the people whose they are."""

    def __init__(
        self, storage: Storage, passwords: Passwords, passkeys: Passkeys, sessions: Sessions, letters: Letters
    ) -> None:
        """Tell people by ``letters`` what has changed."""
        self._storage = storage
        self._passwords = passwords
        self._passkeys = passkeys
        self._sessions = sessions
        self._letters = letters

    async def kept(self, account_id: str) -> Kept:
        """Return what is kept of an account."""
        return await self._storage.read(lambda connection: _kept(connection, account_id))

    # --- passwords and passkeys -------------------------------------------------------------------------

    async def set_password(self, account: Account, password: str, origin: Origin) -> Begun:
        """Set a new password, end all sessions of the account, and begin a new one for who asked.

        Links for forgotten passwords end, too.
        """
        check_new_password(password, account.name)
        kept = await self._passwords.hash(password)
        accounts, links = schema.accounts.c, schema.mail_links.c
        ended, end = await self._sessions.ending(account.id)
        secret, session, begin = self._sessions.begin(account.id, origin.address, origin.agent)
        await self._storage.write(
            statements=[
                (update(schema.accounts).where(accounts.id == account.id).values(password=kept), ()),
                (delete(schema.mail_links).where(links.account == account.id, links.kind == "reset"), ()),
                end,
                begin,
            ]
        )
        self._sessions.ended(ended)
        await self._letters.changed(account.id, "password")
        return Begun(account, secret, session)

    async def new_passkey_options(self, site: Site, account: Account) -> tuple[Any, str]:
        """Return the options to make one more passkey, and the state that comes back with it."""
        known = [each.id for each in (await self.kept(account.id)).passkeys]
        if len(known) >= PASSKEYS_LIMIT:
            raise Refusal("passkeys-limit", text("server.passkeys-limit", n=PASSKEYS_LIMIT))
        return self._passkeys.registration(site, "add", account.id, account.name, known)

    async def proof_options(self, site: Site, account: Account) -> tuple[Any, str]:
        """Return the options to prove with one of the account's passkeys who one is."""
        known = [each.id for each in (await self.kept(account.id)).passkeys]
        return self._passkeys.authentication(site, "prove", known)

    async def add_passkey(self, account: Account, site: Site, state: str, credential: dict[str, Any]) -> None:
        """Add a passkey."""
        challenge = self._passkeys.challenge("add", state)
        if challenge.account != account.id:
            raise Refusal("passkey")
        made = self._passkeys.check_new(site, challenge, credential)
        row = passkey_row(account.id, made, "")
        try:
            await self._storage.write(statements=[challenge.spend, (insert(schema.passkeys), [row])])
        except Conflict:
            raise Refusal("passkey") from None
        await self._letters.changed(account.id, "passkey")

    async def remove_passkey(self, account: Account, credential: str) -> None:
        """Remove a passkey; ``Refusal`` for the last way to sign in."""
        kept = await self.kept(account.id)
        if credential not in {each.id for each in kept.passkeys}:
            raise Refusal("unknown")
        if not kept.has_password and len(kept.passkeys) == 1:
            raise Refusal("last-key")
        passkeys = schema.passkeys.c
        gone = delete(schema.passkeys).where(passkeys.credential == credential, passkeys.account == account.id)
        await self._storage.write(statements=[(gone, ())])
        await self._letters.changed(account.id, "passkey")

    # --- mail -------------------------------------------------------------------------------------------

    async def set_mail(self, account: Account, mail: str, language: str) -> None:
        """Note a mail address, and send a link that confirms it; until then it is used for nothing."""
        if not is_address(mail):
            raise Refusal("mail-address")
        value, statements = mail_links.make("confirm", account.id, mail)
        accounts = schema.accounts.c
        noted = (
            update(schema.accounts)
            .where(accounts.id == account.id)
            .values(mail=mail, mail_confirmed=None, language=language)
        )
        await self._letters.changed(account.id, "mail")  # to the address before
        await self._storage.write(statements=[(noted, ()), *statements])
        self._letters.confirm(account.name, mail, value, language)

    async def remove_mail(self, account: Account) -> None:
        """Forget the mail address."""
        await self._letters.changed(account.id, "mail")
        accounts, links = schema.accounts.c, schema.mail_links.c
        gone = update(schema.accounts).where(accounts.id == account.id).values(mail=None, mail_confirmed=None)
        await self._storage.write(
            statements=[(gone, ()), (delete(schema.mail_links).where(links.account == account.id), ())]
        )

    async def confirm_mail(self, value: str) -> None:
        """Confirm the mail address that a link was sent to; ``Refusal`` if it is not valid."""
        link = await mail_links.find(self._storage, "confirm", value)
        accounts = schema.accounts.c
        confirmed = (
            update(schema.accounts)
            .where(accounts.id == link.account, accounts.mail == link.mail)
            .values(mail_confirmed=now())
        )
        try:
            await self._storage.write(statements=[*link.spend, (confirmed, ())])
        except Conflict:
            raise Refusal("link") from None

    # --- learning ---------------------------------------------------------------------------------------

    async def learn(self, account: Account, learned: dict[str, Any]) -> dict[str, Any]:
        """Add what was learned in a browser to what is kept, and return all of it."""
        before = (await self.kept(account.id)).learned
        after = merged(before, learned)
        if after != before:
            accounts = schema.accounts.c
            noted = update(schema.accounts).where(accounts.id == account.id).values(learned=json.dumps(after))
            await self._storage.write(statements=[(noted, ())])
        return after


def _kept(connection: Connection, account_id: str) -> Kept:
    accounts, passkeys = schema.accounts.c, schema.passkeys.c
    row = connection.execute(select(schema.accounts).where(accounts.id == account_id)).one()
    keys = connection.execute(
        select(schema.passkeys).where(passkeys.account == account_id).order_by(passkeys.created)
    ).all()
    bots: Sequence[str] = (
        connection.execute(
            select(accounts.name)
            .where(accounts.owner == account_id, accounts.deleted.is_(None))
            .order_by(accounts.name)
        )
        .scalars()
        .all()
    )
    return Kept(
        row.password is not None,
        row.mail,
        row.mail_confirmed is not None,
        row.language,
        json.loads(row.learned),
        [Passkey(key.credential, key.name, key.created, key.used) for key in keys],
        list(bots),
    )
