"""The context of a request: the services, the visitor who asks, and their language."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import Depends, Request, Response

from triskele.server.addresses import address_key
from triskele.server.http.catalogue import Catalogue
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
    visitor: str | None
    language: str
    sets_cookie: bool = False

    def require_visitor(self) -> str:
        """Return the visitor, a new one if there was none; the answer then sets the cookie."""
        if self.visitor is None:
            if not self.services.visitor_limiter.take(address_key(self.address) or self.address):
                raise Refusal("limit")
            self.visitor = self.services.visitors.new()
            self.services.address_book.note(self.visitor, self.address)
            self.sets_cookie = True
        return self.visitor

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
        if self.sets_cookie and self.visitor is not None:
            settings = self.services.settings
            secure = settings.secure or self.request.url.scheme == "https"
            made = self.services.visitors.cookie(self.visitor, secure, f"{settings.prefix}/")
            response.headers["Set-Cookie"] = made
        return response


def _context(request: Request) -> Context:
    services: Services = request.app.state.services
    headers = request.scope["headers"]
    visitor, outdated = services.visitors.of(headers), services.visitors.outdated(headers)
    services.address_book.note(visitor, request.client.host if request.client else "?")
    language = language_of(request.headers.get("accept-language"))
    return Context(request, services, request.app.state.catalogue, visitor, language, outdated)


Asked = Annotated[Context, Depends(_context)]
