"""The context of a request: the services, the visitor who asks, and their language."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import Depends, Request, Response

from triskele.server.accounts.directory import Account
from triskele.server.accounts.identity import NOBODY, Caller
from triskele.server.accounts.passkeys import Site
from triskele.server.accounts.services import site_of
from triskele.server.accounts.sessions import Session
from triskele.server.accounts.sign_in import Origin
from triskele.server.addresses import address_key
from triskele.server.http.catalogue import Catalogue
from triskele.server.http.middleware import CALLER
from triskele.server.refusal import Refusal, language_of
from triskele.server.services import Services

T = TypeVar("T")
JSON = "application/json"
_DISCONNECT_SECONDS = 0.5
"""How often a request that waits for a worker looks whether its client is still there."""


@dataclass
class Context:
    """A request, and what its handler needs."""

    request: Request
    services: Services
    catalogue: Catalogue
    caller: Caller
    visitor: str | None
    language: str
    sets_cookie: bool = False
    session_cookie: str | None = None
    """The header that begins or ends a session."""

    def require_visitor(self) -> str:
        """Return the visitor, a new one if there was none; the answer then sets the cookie."""
        if self.visitor is None:
            if not self.services.visitor_limiter.take(address_key(self.address) or self.address):
                raise Refusal("limit")
            self.visitor = self.services.visitors.new()
            self.services.address_book.note(self.visitor, self.address)
            self.sets_cookie = True
        return self.visitor

    def require_account(self) -> Account:
        """Return the account of who asks, also by a token; ``Refusal`` for guests."""
        if self.caller.account is None:
            raise Refusal("account-needed")
        return self.caller.account

    def require_session(self) -> tuple[Account, Session]:
        """Return the account and the session of somebody at a browser; ``Refusal`` for guests and for programs."""
        account = self.require_account()
        if self.caller.session is None:
            raise Refusal("session-needed")
        return account, self.caller.session

    def require_proof(self) -> tuple[Account, Session]:
        """Return the account and session of somebody who said a moment ago who they are; ``Refusal`` asks for it."""
        account, session = self.require_session()
        if not session.is_proved:
            raise Refusal("prove")
        return account, session

    def require_moderator(self) -> Account:
        """Return the account of a moderator at a browser."""
        account, _ = self.require_session()
        if not self.caller.moderator:
            raise Refusal("moderator")
        return account

    @property
    def origin(self) -> Origin:
        """Where the request comes from, for the list of sessions."""
        return Origin(self.address, self.request.headers.get("user-agent", ""))

    @property
    def site(self) -> Site:
        """Where passkeys are valid."""
        return site_of(self.services.settings, self.request.url.scheme, self.request.headers.get("host", ""))

    @property
    def secure(self) -> bool:
        """Whether the browser reaches the server over HTTPS."""
        return self.services.settings.secure or self.request.url.scheme == "https"

    def begin_session(self, secret: str) -> None:
        """Let the answer set the cookie of a session."""
        accounts = self.services.accounts
        self.session_cookie = accounts.cookies.header(secret, self.secure, accounts.sessions.seconds)

    def end_session(self) -> None:
        """Let the answer delete the cookie of the session."""
        self.session_cookie = self.services.accounts.cookies.header("", self.secure, 0)

    def forget_guest(self) -> None:
        """Let the answer delete the cookie of the guest, who is an account now."""
        self.visitor, self.sets_cookie = None, True

    def count_table(self, visitor: str) -> None:
        """Count a table that a visitor opens; ``Refusal`` if there are too many of the visitor or of the address."""
        key = address_key(self.address)
        if key is not None and not self.services.address_table_limiter.take(key):
            raise Refusal("limit")
        if not self.services.table_limiter.take(visitor):
            raise Refusal("limit")

    @property
    def address(self) -> str:
        """The address that the request comes from."""
        return self.request.client.host if self.request.client else "?"

    @property
    def payer(self) -> str:
        """Whose share of the workers the request uses: the visitor's, or that of the address without one."""
        return self.visitor or f"address {self.address}"

    async def run_job(self, job: Callable[..., T], *arguments: Any) -> T:
        """Run a job about a table (:mod:`triskele.server.engines.table_jobs`) on a worker, in the visitor's turn."""
        return await self.while_connected(self.services.jobs.run(self.payer, job, *arguments))

    async def while_connected(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something that may take long; give it up when the client does not wait any more."""
        task = asyncio.create_task(work)
        try:
            while not (await asyncio.wait({task}, timeout=_DISCONNECT_SECONDS))[0]:
                if await self.request.is_disconnected():
                    raise Refusal("busy")
            return task.result()
        finally:
            task.cancel()

    def answer(self, body: bytes | dict[str, Any] | list[Any], status: int = 200, media_type: str = JSON) -> Response:
        """Return an answer that must not be cached, with the cookie of a new visitor or a new secret."""
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        response = Response(content, status, media_type=media_type, headers={"Cache-Control": "no-store"})
        if self.sets_cookie:
            path = f"{self.services.settings.prefix}/"
            made = self.services.visitors.cookie(self.visitor, self.secure, path)
            response.headers.append("Set-Cookie", made)
        if self.session_cookie is not None:
            response.headers.append("Set-Cookie", self.session_cookie)
        return response


def _context(request: Request) -> Context:
    services: Services = request.app.state.services
    caller: Caller = request.scope.get(CALLER, NOBODY)
    services.address_book.note(caller.visitor, request.client.host if request.client else "?")
    language = language_of(request.headers.get("accept-language"))
    catalogue = request.app.state.catalogue
    return Context(request, services, catalogue, caller, caller.visitor, language, caller.outdated)


Asked = Annotated[Context, Depends(_context)]
