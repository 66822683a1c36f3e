"""Routes for monitoring: whether the process lives, and whether it can serve."""

from fastapi import APIRouter, Response

from triskele import __version__
from triskele.server.http import models
from triskele.server.http.context import Asked

router = APIRouter(tags=["health"])


@router.get("/health", response_model=models.Health)
async def health(asked: Asked) -> Response:
    """Return that the process lives, and its figures; what it depends on is not asked."""
    return asked.answer(asked.services.health(__version__))


@router.get("/ready", response_model=models.Ready, responses={503: {"model": models.Ready}})
async def ready(asked: Asked) -> Response:
    """Return whether the server can serve; with status 503, what is down: ``database``, ``bus``, ``engines``."""
    down = await asked.services.down()
    return asked.answer({"ready": not down, "down": down}, 503 if down else 200)
