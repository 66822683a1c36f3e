"""Routes at the address of live connections, for requests that are none."""

import logging

from fastapi import APIRouter, Response

from triskele.core.words import text
from triskele.server.http.context import Asked
from triskele.server.refusal import Refusal

router = APIRouter(tags=["live"])
log = logging.getLogger("triskele.server")


@router.get("/live", include_in_schema=False)
async def not_upgraded(asked: Asked) -> Response:
    """Refuse what should be the handshake of a live connection, and name the header that is missing."""
    refusal = _refusal(asked)
    if "sec-websocket-key" in asked.request.headers and asked.services.upgrade_warnings.take():
        log.warning("a live connection cannot be opened: %s (see docs/hosts.md)", refusal.text)
    raise refusal


@router.post("/live", response_class=Response)
async def why_not_live(asked: Asked) -> Response:
    """Refuse, saying why a live connection could not be opened: browsers do not tell the page."""
    if asked.visitor is not None and asked.services.connection_limiter.is_full(asked.visitor):
        raise Refusal("limit")
    raise _refusal(asked)


def _refusal(asked: Asked) -> Refusal:
    headers = asked.request.headers
    missing = "Connection: upgrade" if headers.get("upgrade", "").lower() == "websocket" else "Upgrade: websocket"
    return Refusal("upgrade", text("server.upgrade", header=missing))
