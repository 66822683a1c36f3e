"""Routes of visitors."""

from fastapi import APIRouter, Response

from triskele.server.http import models
from triskele.server.http.context import Asked

router = APIRouter(tags=["visitors"])


@router.post("/visitors", response_model=models.Visitor)
async def make_visitor(asked: Asked) -> Response:
    """Return the visitor who asks, a new one if there was none: the value for ``Authorization: Bearer …``."""
    visitor = asked.require_visitor()
    return asked.answer({"visitor": asked.services.visitors.signed(visitor)})
