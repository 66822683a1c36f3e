"""Senders: how a delivery leaves by each way, and what the answer means: sent, over, or to be tried again.

No address, key or secret of a person is ever logged.
"""

import asyncio
import contextlib
import hashlib
import hmac
from dataclasses import dataclass
from typing import Any, Protocol

import orjson
from sqlalchemy import delete, select

from triskele.core.words import say, text
from triskele.server.mail import Mailer
from triskele.server.notices.keys import NoticeKeys
from triskele.server.notices.queue import DIGEST, Delivery
from triskele.server.notices.web_client import Unreachable, WebClient
from triskele.server.notices.web_push import LONGEST, authorization, encrypted
from triskele.server.settings import Settings
from triskele.server.storage import schema
from triskele.server.storage.database import Storage
from triskele.server.tables.matters import TIME
from triskele.server.tables.service import now

_GONE = (404, 410)
_BUSY = (408, 425, 429)
_PUSH_SECONDS = 3 * 86_400
"""How long a push service keeps a message for a browser that is not running."""
SIGNATURE = "X-Triskele-Signature"


@dataclass(eq=False)
class TryAgain(Exception):
    """It could not be sent now; ``why`` is for the log, ``after`` the seconds that the other side asks for."""

    why: str
    after: float | None = None


@dataclass(eq=False)
class Rejected(Exception):
    """It cannot be sent at all; ``why`` is for the log."""

    why: str


class Sender(Protocol):
    """Sends deliveries of one way."""

    async def send(self, delivery: Delivery) -> None:
        """Return when it is sent; ``TryAgain`` or ``Rejected`` if it is not."""


def heading_of(delivery: Delivery) -> str:
    """Return what stands above a delivery: the game and the others, or how many notices there are."""
    if len(delivery.notices) == 1:
        return delivery.notices[0].heading(delivery.language)
    return say(text("server.notice-digest", n=len(delivery.notices)), delivery.language)


class PushSender:
    """Sends to a browser by its push service."""

    def __init__(self, storage: Storage, client: WebClient, keys: NoticeKeys, settings: Settings) -> None:
        """Sign with ``keys``; push services that have trouble with us can write to the host's mail address."""
        self._storage = storage
        self._client = client
        self._keys = keys
        self._prefix = settings.prefix
        self._contact = f"mailto:{settings.mail.sender}" if settings.mail is not None else settings.public_url

    async def send(self, delivery: Delivery) -> None:
        """Send a message that only this browser can read."""
        pushes, sessions = schema.push_subscriptions.c, schema.sessions.c
        query = (
            select(pushes.endpoint, pushes.p256dh, pushes.auth, pushes.server_key)
            .join(schema.sessions, sessions.id == pushes.session)
            .where(pushes.id == delivery.target, pushes.account == delivery.account)
        )
        row = await self._storage.read(lambda connection: connection.execute(query).first())
        if row is None:  # signed out meanwhile
            await self._drop(delivery.target)
            return
        key = self._keys.push_of(row.server_key)
        if key is None:
            await self._drop(delivery.target)
            raise Rejected("it knows a key of a secret that this server has no longer")
        headers = {
            "TTL": str(_PUSH_SECONDS),
            "Urgency": "high" if any(each.kind == TIME for each in delivery.notices) else "normal",
            "Topic": delivery.id,
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "Authorization": authorization(row.endpoint, key, self._contact),
        }
        body = encrypted(self._payload(delivery), row.p256dh, row.auth)
        status = await _post(self._client, row.endpoint, headers, body)
        if status in _GONE:
            await self._drop(delivery.target)
            raise Rejected(f"the push service answers {status}: the subscription is dropped")
        _check(status)

    def _payload(self, delivery: Delivery) -> bytes:
        one = delivery.notices[0] if len(delivery.notices) == 1 else None
        at, language = now(), delivery.language
        lines = [one.body(language, at)] if one else [f"{each.heading(language)}" for each in delivery.notices]
        shown: dict[str, Any] = {
            "title": heading_of(delivery),
            "body": "\n".join(lines),
            "url": f"{self._prefix}/table/{one.table}" if one else f"{self._prefix}/mine",
            "tag": one.id if one else delivery.id,
            "language": language,
        }
        while len(written := orjson.dumps(shown)) > LONGEST:
            shown["body"] = shown["body"][: len(shown["body"]) // 2]
        return written

    async def _drop(self, subscription: str) -> None:
        pushes = schema.push_subscriptions
        await self._storage.write(statements=[(delete(pushes).where(pushes.c.id == subscription), ())])


class HookSender:
    """Posts to a person's web hook."""

    def __init__(self, storage: Storage, client: WebClient, keys: NoticeKeys, settings: Settings) -> None:
        """Sign with the hook's secret."""
        self._storage = storage
        self._client = client
        self._keys = keys
        self._site = (settings.public_url or "").rstrip("/") or settings.prefix

    async def send(self, delivery: Delivery) -> None:
        """Post the notices as JSON, signed."""
        hooks = schema.web_hooks
        query = select(hooks).where(hooks.c.account == delivery.account, hooks.c.id == delivery.target)
        row = await self._storage.read(lambda connection: connection.execute(query).first())
        if row is None:  # removed meanwhile
            return
        secret = self._keys.hook_secret(row.secret_key, row.id)
        if secret is None:
            raise Rejected("its secret was made with a secret that this server has no longer")
        at = now()
        told = [
            {**each.document(delivery.language, at), "url": f"{self._site}/table/{each.table}"}
            for each in delivery.notices
        ]
        body = orjson.dumps({"delivery": delivery.id, "sent": at, "notices": told})
        headers = {"Content-Type": "application/json", SIGNATURE: signature(secret, body)}
        status = await _post(self._client, row.url, headers, body)
        if status in _GONE:
            gone = delete(hooks).where(hooks.c.account == delivery.account, hooks.c.id == delivery.target)
            await self._storage.write(statements=[(gone, ())])
            raise Rejected(f"it answers {status}: the hook is dropped")
        _check(status)


def signature(secret: str, body: bytes) -> str:
    """Return the header with which a receiver of a hook proves that a body is from here."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


async def _post(client: WebClient, url: str, headers: dict[str, str], body: bytes) -> int:
    try:
        answer = await client.post(url, headers, body)
    except Unreachable as error:
        if error.why == "address":
            raise Rejected("its address is not one of the public internet") from None
        raise TryAgain(error.why) from None
    if answer.status in _BUSY or answer.status >= 500:
        raise TryAgain(f"it answers {answer.status}", answer.retry_after)
    return answer.status


def _check(status: int) -> None:
    if not 200 <= status < 300:
        raise Rejected(f"it answers {status}")


class MailSender:
    """Sends by mail, in the turn of the mailer's queue."""

    def __init__(self, mailer: Mailer, keys: NoticeKeys, settings: Settings) -> None:
        """Send with ``mailer``, which sends one mail after the other."""
        self._mailer = mailer
        self._keys = keys
        self._site = (settings.public_url or "").rstrip("/")

    def leave_link(self, account: str) -> str:
        """Return the link by which an account gets no more notices by mail."""
        return f"{self._site}/api/v1/notices/leave/{self._keys.leave_token(account)}"

    async def send(self, delivery: Delivery) -> None:
        """Send a mail, and wait until the mail server has taken it."""
        if delivery.mail is None:  # removed meanwhile
            return
        language, at = delivery.language, now()
        link = self.leave_link(delivery.account)
        heading = heading_of(delivery)
        one = delivery.notices[0] if len(delivery.notices) == 1 and delivery.role != DIGEST else None
        subject = f"{heading}: {one.body(language, at)}" if one else heading
        lines = [
            f"{each.heading(language)}\n{each.body(language, at)}\n{self._site}/table/{each.table}"
            for each in delivery.notices
        ]
        hello = say(text("server.notice-mail", name=delivery.name), language)
        foot = say(text("server.notice-mail-foot", settings=f"{self._site}/notices", leave=link), language)
        body = "\n\n".join((hello, *lines)) + f"\n\n-- \n{foot}\n"
        loop = asyncio.get_running_loop()
        sent: asyncio.Future[bool] = loop.create_future()
        taken = self._mailer.send(
            delivery.mail,
            subject,
            body,
            message_id=f"{delivery.id}.notice",
            done=lambda success: _tell(loop, sent, success),
            List_Unsubscribe=f"<{link}>",
            List_Unsubscribe_Post="List-Unsubscribe=One-Click",
        )
        if not taken or not await sent:
            raise TryAgain("the mail server did not take it")


def _tell(loop: asyncio.AbstractEventLoop, sent: "asyncio.Future[bool]", success: bool) -> None:
    """Say on the event loop what the mailer's thread knows."""

    def resolve() -> None:
        if not sent.done():
            sent.set_result(success)

    with contextlib.suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(resolve)
