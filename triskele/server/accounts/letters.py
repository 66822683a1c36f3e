"""What is written to people by mail, in their language: links, and what has changed about their account."""

from typing import Literal

from sqlalchemy import select

from triskele.core.words import say, text
from triskele.server.accounts.mail_links import HOURS
from triskele.server.accounts.throttle import Throttle
from triskele.server.mail import Mailer
from triskele.server.storage import schema
from triskele.server.storage.database import Storage

What = Literal["password", "passkey", "mail", "deleted"]


class Letters:
    """Writes mails; without a mail server it does nothing."""

    def __init__(self, storage: Storage, mailer: Mailer, throttle: Throttle, site: str) -> None:
        """Send by ``mailer``; links lead to ``site``, the address that the host has set."""
        self._storage = storage
        self._mailer = mailer
        self._throttle = throttle
        self._site = site.rstrip("/")

    @property
    def offered(self) -> bool:
        """Whether there is a mail server."""
        return self._mailer.server is not None

    def confirm(self, name: str, mail: str, value: str, language: str) -> None:
        """Send the link that confirms an address."""
        self._send("confirm", mail, language, name=name, link=f"{self._site}/account#confirm={value}")

    def reset(self, name: str, mail: str, value: str, language: str) -> None:
        """Send the link that sets a new password."""
        self._send("reset", mail, language, name=name, link=f"{self._site}/sign-in#reset={value}")

    async def changed(self, account_id: str, what: What) -> None:
        """Tell a person at their confirmed address that something was changed: if it was not them, they should know."""
        if not self.offered:
            return
        accounts = schema.accounts.c
        query = select(accounts.name, accounts.mail, accounts.mail_confirmed, accounts.language).where(
            accounts.id == account_id
        )
        row = await self._storage.read(lambda connection: connection.execute(query).first())
        if row is not None and row.mail is not None and row.mail_confirmed is not None:
            self._send(f"changed-{what}", row.mail, row.language, name=row.name, link=self._site)

    def _send(self, key: str, mail: str, language: str, **values: str) -> None:
        if not self._throttle.mail(mail.lower()):
            return
        hours = HOURS["confirm" if key == "confirm" else "reset"]
        subject = say(text(f"server.mail-{key}-subject"), language)
        body = say(text(f"server.mail-{key}", n=hours, **values), language)
        foot = say(text("server.mail-foot", site=self._site), language)
        self._mailer.send(mail, subject, f"{body}\n\n-- \n{foot}\n")
