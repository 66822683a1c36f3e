"""Who is who."""

from fastapi import APIRouter, Response

from triskele.server.api import models
from triskele.server.api.context import Asked

router = APIRouter(tags=["visitors"])


@router.post("/visitors", response_model=models.Visitor)
async def make_visitor(asked: Asked) -> Response:
    """Return the visitor who asks, a new one if there was none: the value for ``Authorization: Bearer …``."""
    visitor = asked.someone()
    return asked.answer({"visitor": asked.house.visitors.signed(visitor)})
