"""Middleware: security headers, rate and size limits, the origin check, and errors without details."""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import orjson

from triskele.core.words import text
from triskele.server import logs
from triskele.server.accounts.identity import NOBODY, Caller
from triskele.server.addresses import TrustedProxies, address_key
from triskele.server.live.outbox import POLICY_VIOLATION
from triskele.server.metrics import Metrics
from triskele.server.moderation.sanctions import BAN
from triskele.server.origin import same_host, same_origin
from triskele.server.refusal import Refusal, language_of, log_failure
from triskele.server.services import Services

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_HOST = re.compile(r"[A-Za-z0-9._\-]{1,253}(:\d{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:\d{1,5})?")
_CLIENT_CLOSED = 499
_SAFE = ("GET", "HEAD", "OPTIONS")
_AT_ANY_HOST = ("/api/v1/health", "/api/v1/ready", "/api/v1/admin/")
"""Paths that are asked for at any name of the server: by monitoring, and by its host, who has a token."""
_FOR_EVERYBODY = (*_AT_ANY_HOST, "/api/v1/words/", "/api/v1/games")
"""Paths that also banned visitors may ask for: what a page needs to say that they are."""
_FOR_ACCOUNTS = tuple(f"/api/v1/{each}" for each in ("tables", "records", "visitors", "people", "reports", "lobby"))
"""Paths that guests may not ask for where the host wants none."""
CALLER = "triskele.caller"
"""The key of an ASGI scope under which it is said who asks."""
_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_DOCUMENT_HEADERS = (
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-frame-options", b"DENY"),
)
_SUBRESOURCES = (b"text/javascript", b"text/css")
"""Types of the page's own files, which are public and no documents: the headers of documents would mean nothing there,
and make each of dozens of answers twice as long. A Worker is under the policy of its own script: :data:`_WORKER`."""
_WORKER = "worker.js"
"""How the names of scripts end that run as Workers."""


def policy(host: str, secure: bool) -> str:
    """Return the content security policy of the page at a host: everything from here, nothing inline.

    ``wasm-unsafe-eval`` allows WebAssembly, and no evaluation of texts.
    """
    live = f" {'wss' if secure else 'ws'}://{host}" if _HOST.fullmatch(host) else ""
    return (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
        "img-src 'self' data: blob:; "
        f"connect-src 'self'{live}; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def _is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8 without NUL, which PostgreSQL stores in no text."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


class _BodyRefused(Exception):
    """A body is larger than allowed, or does not come in time."""


class SecurityMiddleware:
    """Wraps the application: checks every request, and the handshakes of live connections."""

    def __init__(self, app: App, services: Services, records: Collection[str]) -> None:
        """Wrap ``app``; ``records`` are the paths at which larger bodies are allowed."""
        self._app = app
        self._services = services
        self._records = records
        self._proxies = TrustedProxies(services.settings.trusted_proxies)
        self._public_host = urlsplit(services.settings.public_url or "").netloc

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; an error of the application is logged and answered."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        redirected = self._strip_prefix(scope)
        peer = (scope.get("client") or ("?",))[0]
        scope["client"] = (self._proxies.client(peer, scope["headers"]), 0)
        headers = dict(scope["headers"])
        if scope["type"] == "websocket":
            await self._handshake(scope, headers, receive, send)
            return
        scope["scheme"] = self._proxies.scheme(peer, scope["headers"]) or scope["scheme"]
        settings = self._services.settings
        # A proxy may leave the port out of Host; what the host of the server has said is right.
        host = headers.get(b"host", b"").decode("latin-1") if settings.public_url is None else self._public_host
        secure = settings.secure or scope["scheme"] == "https"
        answer = _Answer(send, host, secure, scope["path"].endswith(_WORKER), self._services.metrics)
        language = language_of(headers.get(b"accept-language", b"").decode("latin-1"))
        address = address_key(scope["client"][0])
        place = (
            [] if address is None else [(f"address {address}", self._services.settings.limits.connections_per_address)]
        )
        if not self._services.connection_limiter.acquire_all(place):
            await answer.refuse(Refusal("limit"), language)
            self._answered(scope, answer)
            return
        try:
            await self._check(scope, headers, address)
            if redirected is not None:
                await answer.redirect(redirected)
                return
            body = _Body(receive, self._body_limit(scope), self._services.settings.limits.body_seconds)

            async def send_unless_refused(message: Message) -> None:
                # The application may answer about a body that was cut off; the refusal goes out instead.
                if body.problem is None:
                    await answer.send(message)

            try:
                await self._app(scope, body.receive, send_unless_refused)
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
        finally:
            for key, _ in place:
                self._services.connection_limiter.release(key)
            self._answered(scope, answer)

    def _answered(self, scope: Scope, answer: "_Answer") -> None:
        """Count and log a request; one that was given up by its client has the status 499, as nginx says it."""
        seconds = time.perf_counter() - answer.began
        status = answer.status or _CLIENT_CLOSED
        self._services.metrics.answered(status, seconds)
        if logs.access.isEnabledFor(logging.INFO):
            visitor = scope.get(CALLER, NOBODY).visitor
            method, path = scope["method"], scope["path"]
            logs.log_access(scope["client"][0], method, path, status, answer.size, seconds, visitor)

    def _strip_prefix(self, scope: Scope) -> str | None:
        """Remove the path of the public URL from that of a request; return where to go instead, if it is only that.

        A proxy may have removed it already: a path without it is taken as it is.
        """
        prefix = self._services.settings.prefix
        if not prefix:
            return None
        path: str = scope["path"]
        if path == prefix and scope["type"] == "http":
            query = scope["query_string"].decode("latin-1")
            return f"{prefix}/?{query}" if query else f"{prefix}/"
        if path.startswith(f"{prefix}/"):
            scope["path"] = path[len(prefix) :]
            raw = scope.get("raw_path")
            if raw and raw.startswith(prefix.encode()):
                scope["raw_path"] = raw[len(prefix) :]
        return None

    async def _handshake(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send) -> None:
        try:
            self._check_address(scope, headers)
        except Refusal:
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        await self._app(scope, receive, send)

    def _check_address(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Refuse what is not text in the path and the query, and a ``Host`` that is not ours."""
        for part in (scope.get("raw_path") or b"", scope["query_string"]):
            if (b"%" in part or not part.isascii()) and not _is_text(unquote_to_bytes(part)):
                raise Refusal("characters")
        public = self._services.settings.public_url
        host = headers.get(b"host", b"").decode("latin-1")
        if not same_host(host, public) and not scope["path"].startswith(_AT_ANY_HOST):
            raise Refusal("host", text("server.host", url=public or ""))

    def _body_limit(self, scope: Scope) -> int:
        limits = self._services.settings.limits
        return limits.record_bytes if scope["path"] in self._records else limits.body_bytes

    async def _check(self, scope: Scope, headers: dict[bytes, bytes], address: str | None) -> None:
        self._check_address(scope, headers)
        if address is not None and not self._services.address_request_limiter.take(address):
            raise Refusal("limit")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._body_limit(scope):
            raise Refusal("too-large")
        if not scope["path"].startswith("/api/"):
            return
        if scope["method"] not in _SAFE:
            origin, host = headers.get(b"origin"), headers.get(b"host", b"").decode("latin-1")
            public = self._services.settings.public_url
            if not same_origin(None if origin is None else origin.decode("latin-1"), host, public):
                said = "" if origin is None else origin.decode("latin-1")
                raise Refusal("origin", text("server.origin", origin=said[:100], host=host[:100]))
        caller = scope[CALLER] = await self._caller(scope)
        if not self._services.request_limiter.take(caller.visitor or address or scope["client"][0]):
            raise Refusal("limit")
        if not scope["path"].startswith(_FOR_EVERYBODY):
            self._services.moderation.sanctions.check(BAN, caller.visitor, scope["client"][0])
            self._check_caller(caller, scope)

    async def _caller(self, scope: Scope) -> Caller:
        """Return who asks; what everybody may ask for is answered also when the database is down."""
        for_everybody = scope["path"].startswith(_FOR_EVERYBODY)
        try:
            return await self._services.accounts.identity.of(scope["headers"])
        except Refusal:
            if for_everybody:
                return NOBODY
            raise

    def _check_caller(self, caller: Caller, scope: Scope) -> None:
        """Refuse guests where the host wants none, and programs what their token is not for."""
        path: str = scope["path"]
        if not self._services.settings.guests and caller.account is None and path.startswith(_FOR_ACCOUNTS):
            raise Refusal("account-needed")
        if scope["method"] in _SAFE:
            caller.check_scope("read")
        else:
            caller.check_scope("lobby" if path.startswith("/api/v1/lobby") else "play")


class _Body:
    """A request's body with a limit of its size and of the time that all of it may take."""

    def __init__(self, receive: Receive, limit: int, seconds: float) -> None:
        self._receive = receive
        self._left = limit
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._complete = False
        self.problem: Refusal | None = None

    async def receive(self) -> Message:
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
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
    """An answer, to which the security headers are added."""

    def __init__(self, send: Send, host: str, secure: bool, worker: bool, metrics: Metrics) -> None:
        self._worker = worker
        self._metrics = metrics
        self.began = time.perf_counter()
        self.status = 0
        self.size = 0
        self._send = send
        self._host = host
        self._secure = secure
        self._started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            self.status = message["status"]
            headers = list(message.get("headers", []))
            there = {name.lower(): value for name, value in headers}
            if self._worker or not there.get(b"content-type", b"").startswith(_SUBRESOURCES):
                headers += _DOCUMENT_HEADERS
                if b"content-security-policy" not in there:
                    headers.append((b"content-security-policy", policy(self._host, self._secure).encode()))
            message = {**message, "headers": [*headers, _NO_SNIFFING]}
        self.size += len(message.get("body", b""))
        await self._send(message)

    async def redirect(self, place: str) -> None:
        headers = [(b"location", place.encode("latin-1")), (b"content-length", b"0")]
        await self.send({"type": "http.response.start", "status": 308, "headers": headers})
        await self._send({"type": "http.response.body", "body": b""})

    async def refuse(self, refusal: Refusal, language: str) -> None:
        if self._started:
            return  # the answer is under way already
        self._metrics.refused(refusal.code)
        body = orjson.dumps({"error": refusal.body(language)})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self.send(
            {"type": "http.response.start", "status": refusal.status, "headers": [*headers, (b"connection", b"close")]}
        )
        await self.send({"type": "http.response.body", "body": body})
