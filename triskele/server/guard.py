"""The guard before the application: headers that protect people, limits on what comes in, no word about what fails."""

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

import orjson

from triskele.server.house import House
from triskele.server.refusal import Refusal, language_of, log_failure

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_HOST = re.compile(r"[A-Za-z0-9._\-]{1,253}(:\d{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:\d{1,5})?")
_SAFE = ("GET", "HEAD", "OPTIONS")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-frame-options", b"DENY"),
)


def own_origin(origin: str | None, host: str | None, public_url: str | None) -> bool:
    """Whether a request comes from our own page, or from no page: another site's page may not use our cookie."""
    if origin is None:
        return True
    if public_url is not None and origin.rstrip("/") == public_url.rstrip("/"):
        return True
    try:
        return bool(host) and urlsplit(origin).netloc == host
    except ValueError:
        return False


def policy(host: str, secure: bool) -> str:
    """Return the content security policy of the page: everything from here, nothing inline."""
    live = f" {'wss' if secure else 'ws'}://{host}" if _HOST.fullmatch(host) else ""
    return (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self'{live}; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


class _BodyRefused(Exception):
    """A body is larger than what is allowed there, or does not come."""


class Guard:
    """Wraps the application for HTTP; other connections pass through."""

    def __init__(self, app: App, house: House, records: str) -> None:
        """Guard ``app``; ``records`` is the path at which larger bodies are allowed."""
        self._app = app
        self._house = house
        self._records = records

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, whatever happens."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        answer = _Answer(send, headers.get(b"host", b"").decode("latin-1"), self._house.settings.secure)
        language = language_of(headers.get(b"accept-language", b"").decode("latin-1"))
        try:
            self._check(scope, headers)
            body = _Body(receive, self._body_limit(scope), self._house.settings.limits.body_seconds)

            async def tell(message: Message) -> None:
                # Whatever the application makes of a body that was cut off: it was cut off.
                if body.problem is None:
                    await answer.send(message)

            try:
                await self._app(scope, body.receive, tell)
            finally:
                if body.problem is not None:
                    await answer.refuse(body.problem, language)
        except Refusal as refusal:
            await answer.refuse(refusal, language)
        except _BodyRefused:
            pass
        except Exception as error:
            log_failure(error, "a request")
            await answer.refuse(Refusal("failed"), language)

    def _body_limit(self, scope: Scope) -> int:
        limits = self._house.settings.limits
        return limits.record_bytes if scope["path"] == self._records else limits.body_bytes

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._body_limit(scope):
            raise Refusal("too-large")
        if not scope["path"].startswith("/api/"):
            return
        if scope["method"] not in _SAFE:
            origin, host = headers.get(b"origin"), headers.get(b"host", b"").decode("latin-1")
            public = self._house.settings.public_url
            if not own_origin(None if origin is None else origin.decode("latin-1"), host, public):
                raise Refusal("origin")
        who = self._house.visitors.of(scope["headers"]) or (scope.get("client") or ("?",))[0]
        if not self._house.requests.take(who):
            raise Refusal("limit")


class _Body:
    """A request's body, with an end to its length and to how long it takes to come."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive = receive
        self._left = most
        self._seconds = seconds
        self._complete = False
        self.problem: Refusal | None = None

    async def receive(self) -> Message:
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout(self._seconds):
                message = await self._receive()
        except TimeoutError:
            self.problem = Refusal("slow")
            raise _BodyRefused from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.problem = Refusal("too-large")
            raise _BodyRefused
        self._complete = message["type"] != "http.request" or not message.get("more_body", False)
        return message


class _Answer:
    """An answer on its way out, to which the headers are added that protect people."""

    def __init__(self, send: Send, host: str, secure: bool) -> None:
        self._send = send
        self._host = host
        self._secure = secure
        self._begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begun = True
            headers = list(message.get("headers", []))
            there = {name.lower() for name, _ in headers}
            if b"content-security-policy" not in there:
                headers.append((b"content-security-policy", policy(self._host, self._secure).encode()))
            message = {**message, "headers": [*headers, *_HEADERS]}
        await self._send(message)

    async def refuse(self, refusal: Refusal, language: str) -> None:
        if self._begun:
            return  # the answer was under way; it ends here
        body = orjson.dumps({"error": refusal.body(language)})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self.send(
            {"type": "http.response.start", "status": refusal.status, "headers": [*headers, (b"connection", b"close")]}
        )
        await self._send({"type": "http.response.body", "body": body})
