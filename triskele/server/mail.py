"""Mail: sent over SMTP on a thread of its own. A mail server that hangs or refuses harms nobody but its mails."""

import contextlib
import email.policy
import ipaddress
import logging
import queue
import re
import smtplib
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from triskele.core.errors import TriskeleError
from triskele.core.words import text

log = logging.getLogger("triskele.server")

SCHEMES = ("smtp", "smtps")
_PORTS = {"smtp": 587, "smtps": 465}
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]{{1,64}}@(?:{_LABEL}\.)+{_LABEL}")
ADDRESS_LIMIT = 254
_POLICY = email.policy.default.clone(max_line_length=900)
"""Long links in headers stay in one piece: encoded as text they would be none."""
_DEADLINE_FACTOR = 3
"""A whole mail may take this many times as long as one answer of the mail server."""


def is_address(written: str) -> bool:
    """Whether a text is a mail address as nearly everybody has one: ASCII, and a domain with a dot."""
    return len(written) <= ADDRESS_LIMIT and _ADDRESS.fullmatch(written) is not None


@dataclass(frozen=True)
class MailServer:
    """The mail server of the host: its address, and as whom mail is sent."""

    scheme: str
    host: str
    port: int
    sender: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, url: str, sender: str | None) -> "MailServer":
        """Return the server of ``smtp://USER:PASSWORD@HOST:PORT`` or ``smtps://…``; ``TriskeleError`` if it is none."""
        try:
            parts = urlsplit(url)
            sound = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
        except ValueError:
            sound = False
        user = unquote(parts.username) if sound and parts.username else None
        chosen = sender or (user if user is not None and is_address(user) else None)
        if not sound or chosen is None or not is_address(chosen):
            # The value is not repeated: it may contain a password.
            raise TriskeleError(text("server.bad-mail"))
        secret = None if parts.password is None else unquote(parts.password)
        return cls(parts.scheme, parts.hostname or "", parts.port or _PORTS[parts.scheme], chosen, user, secret)


class _Letter(NamedTuple):
    """A mail that waits, and who wants to know what came of it."""

    message: EmailMessage
    done: Callable[[bool], None] | None


class Mailer:
    """Sends mails one after the other; at most ``waiting`` wait, the others are dropped with a line in the log."""

    def __init__(self, server: MailServer | None, seconds: float, waiting: int) -> None:
        """Wait at most ``seconds`` for an answer of the mail server; without a server nothing is sent."""
        self.server = server
        self._seconds = seconds
        self._waiting: queue.Queue[_Letter | None] = queue.Queue(waiting)
        self._thread: threading.Thread | None = None
        self._failing = False
        self._dropping = False
        self.sent = 0

    def start(self) -> None:
        """Begin to send."""
        if self.server is not None:
            self._thread = threading.Thread(target=self._send_all, name="triskele-mail", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop after the mail that is being sent; nobody waits for it."""
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(None)

    def send(
        self,
        to: str,
        subject: str,
        body: str,
        *,
        message_id: str | None = None,
        done: Callable[[bool], None] | None = None,
        **headers: str,
    ) -> bool:
        """Queue a mail; never waits. ``False`` if there is no mail server, or too many mails wait for it.

        ``done`` is called on the mailer's thread, with whether the mail server has taken it. ``message_id`` is the same
        for a mail that is sent again, so that its reader sees one.
        """
        if self.server is None:
            return False
        message = EmailMessage(_POLICY)
        message["From"] = f"Triskele <{self.server.sender}>"
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = formatdate()
        domain = self.server.sender.rpartition("@")[2]
        message["Message-ID"] = make_msgid(domain=domain) if message_id is None else f"<{message_id}@{domain}>"
        message["Auto-Submitted"] = "auto-generated"
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(body)
        try:
            self._waiting.put_nowait(_Letter(message, done))
        except queue.Full:
            if not self._dropping:  # once, and not for every mail
                self._dropping = True
                log.error("mails are dropped: %d wait for the mail server", self._waiting.qsize())
            return False
        self._dropping = False
        return True

    def _send_all(self) -> None:
        while (letter := self._waiting.get()) is not None:
            sent = False
            try:
                self._send(letter.message)
                sent = True
            except (OSError, smtplib.SMTPException, ValueError) as error:
                if not self._failing:
                    self._failing = True
                    # What a mail server says may repeat the address of a person.
                    code = getattr(error, "smtp_code", None)
                    log.error("a mail was not sent: %s%s", type(error).__name__, "" if code is None else f" {code}")
            else:
                self.sent += 1
                if self._failing:
                    self._failing = False
                    log.warning("mails are sent again")
            if letter.done is not None:
                letter.done(sent)

    def _send(self, message: EmailMessage) -> None:
        server = self.server
        assert server is not None
        kind = smtplib.SMTP_SSL if server.scheme == "smtps" else smtplib.SMTP
        with kind(server.host, server.port, timeout=self._seconds) as connection:
            # A server that answers a letter at a time would otherwise never be given up.
            deadline = threading.Timer(_DEADLINE_FACTOR * self._seconds, _shut, [connection.sock])
            deadline.daemon = True
            deadline.start()
            try:
                connection.ehlo()
                if server.scheme == "smtp" and connection.has_extn("starttls"):
                    connection.starttls(context=ssl.create_default_context())
                    connection.ehlo()
                elif server.scheme == "smtp" and server.user is not None and not _is_here(server.host):
                    raise smtplib.SMTPException("no password over a connection that is not encrypted")
                if server.user is not None:
                    connection.login(server.user, server.password or "")
                connection.send_message(message)
            finally:
                deadline.cancel()


def _shut(connection: socket.socket | None) -> None:
    with contextlib.suppress(OSError):
        if connection is not None:
            connection.shutdown(socket.SHUT_RDWR)


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
