"""What every request needs: the house, who asks, in which language."""

from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import Depends, Request, Response

from triskele.server.house import House
from triskele.server.refusal import Refusal, language_of

JSON = "application/json"


@dataclass
class Context:
    """A request, and what the services need to know of it."""

    request: Request
    house: House
    visitor: str | None
    language: str
    made: bool = False

    def someone(self) -> str:
        """Return the visitor, a new one if there was none; the answer then carries his cookie."""
        if self.visitor is None:
            if not self.house.new_visitors.take(self.address):
                raise Refusal("limit")
            self.visitor = self.house.visitors.new()
            self.made = True
        return self.visitor

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return self.request.client.host if self.request.client else "?"

    def answer(self, body: bytes | dict[str, Any] | list[Any], status: int = 200, media_type: str = JSON) -> Response:
        """Return an answer that nobody keeps, with the cookie of a new visitor."""
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        response = Response(content, status, media_type=media_type, headers={"Cache-Control": "no-store"})
        if self.made and self.visitor is not None:
            response.headers["Set-Cookie"] = self.house.visitors.cookie(self.visitor, self.house.settings.secure)
        return response


def _context(request: Request) -> Context:
    house: House = request.app.state.house
    visitor = house.visitors.of(request.scope["headers"])
    return Context(request, house, visitor, language_of(request.headers.get("accept-language")))


Asked = Annotated[Context, Depends(_context)]
