"""Recovery: a new password for who has forgotten it, by a link to the confirmed mail address."""

import asyncio

from sqlalchemy import func, select

from triskele.server.accounts import mail_links
from triskele.server.accounts.directory import SHOWN, account_of
from triskele.server.accounts.letters import Letters
from triskele.server.accounts.passwords import check_new_password
from triskele.server.accounts.sign_in import Begun, Origin
from triskele.server.accounts.throttle import Throttle
from triskele.server.accounts.upkeep import Upkeep
from triskele.server.addresses import address_key
from triskele.server.mail import is_address
from triskele.server.refusal import Refusal, log_failure
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, Storage

_ACCOUNTS_OF_MAIL = 5
_AT_ONCE = 20


class Recovery:
    """Sends links to who has forgotten a password, and sets the new one."""

    def __init__(self, storage: Storage, letters: Letters, upkeep: Upkeep, throttle: Throttle) -> None:
        """Send the links by ``letters``."""
        self._storage = storage
        self._letters = letters
        self._upkeep = upkeep
        self._throttle = throttle
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, mail: str, address: str) -> None:
        """Send links to a mail address if it is a confirmed one of accounts.

        It is looked up after the answer, which therefore tells nothing: neither its words nor its time.
        """
        if not is_address(mail):
            raise Refusal("mail-address")
        key = address_key(address)
        if len(self._tasks) >= _AT_ONCE or (key is not None and not self._throttle.mail(key)):
            raise Refusal("limit")
        task = asyncio.create_task(self._send(mail))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, mail: str) -> None:
        accounts = schema.accounts.c
        query = (
            select(*SHOWN, accounts.mail, accounts.language)
            .where(func.lower(accounts.mail) == mail.lower(), accounts.mail_confirmed.is_not(None))
            .where(accounts.deleted.is_(None))
            .limit(_ACCOUNTS_OF_MAIL)
        )
        try:
            for row in await self._storage.read(lambda connection: connection.execute(query).all()):
                value, statements = mail_links.make("reset", row.id, row.mail)
                await self._storage.write(statements=statements)
                self._letters.reset(row.name, row.mail, value, row.language)
        except Exception as error:
            log_failure(error, "sending a link for a new password")

    async def reset(self, value: str, password: str, origin: Origin) -> Begun:
        """Set a new password by a link, end all sessions, and begin a new one; ``Refusal`` if it is not valid."""
        link = await mail_links.find(self._storage, "reset", value)
        accounts = schema.accounts.c
        query = select(*SHOWN).where(accounts.id == link.account, accounts.deleted.is_(None))
        row = await self._storage.read(lambda connection: connection.execute(query).first())
        if row is None:
            raise Refusal("link")
        check_new_password(password, row.name)  # before the link is used up
        try:
            await self._storage.write(statements=link.spend)
        except Conflict:
            raise Refusal("link") from None
        return await self._upkeep.set_password(account_of(row), password, origin)
