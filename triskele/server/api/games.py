"""What there is to play."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from triskele import __version__
from triskele.server.api import models
from triskele.server.api.context import Asked
from triskele.server.catalogue import known_game
from triskele.server.refusal import Refusal

router = APIRouter(tags=["games"])
GameName = Annotated[str, Path(max_length=64)]
PictureName = Annotated[str | None, Query(max_length=32, description="the name of a picture in the help page")]
Language = Annotated[models.Language | None, Query(description="if left out, what Accept-Language says")]


def _check(name: str) -> None:
    if not known_game(name):
        raise Refusal("unknown")


@router.get("/games", response_model=list[models.GameShown])
def list_games(asked: Asked, request: Request, language: Language = None) -> Response:
    """Return the games with their options, in words of a language."""
    return asked.house.catalogue.games(language or asked.language).response(request)


@router.get("/words/{language}", response_model=dict[str, str | dict[str, str]])
def words(asked: Asked, request: Request, language: models.Language) -> Response:
    """Return the catalogue of a language: ``{"owner.key": text or plural forms}``."""
    return asked.house.catalogue.words(language).response(request)


@router.get("/games/{name}/help", responses={200: {"content": {"text/markdown": {}}}}, response_class=Response)
def game_help(asked: Asked, request: Request, name: GameName, language: Language = None) -> Response:
    """Return how to play, as Markdown, in English where there is no other."""
    _check(name)
    page = asked.house.catalogue.help(name, language or asked.language)
    if page is None:
        raise Refusal("unknown")
    return page.response(request)


@router.get("/games/{name}/sprites.svg", responses={200: {"content": {"image/svg+xml": {}}}}, response_class=Response)
def sprites(asked: Asked, request: Request, name: GameName) -> Response:
    """Return the artwork that scenes refer to."""
    _check(name)
    return asked.house.catalogue.sprites(name).response(request)


@router.get("/games/{name}/sprites.css", responses={200: {"content": {"text/css": {}}}}, response_class=Response)
def sprites_style(asked: Asked, request: Request, name: GameName) -> Response:
    """Return the style of the artwork as a style sheet."""
    _check(name)
    return asked.house.catalogue.sprites_style(name).response(request)


@router.get("/games/{name}/picture.svg", responses={200: {"content": {"image/svg+xml": {}}}}, response_class=Response)
def picture(
    asked: Asked,
    request: Request,
    name: GameName,
    of: PictureName = None,
    theme: models.Theme = "light",
    language: Language = None,
) -> Response:
    """Return the game's example position, drawn; or, with ``of``, a picture that its help page names."""
    _check(name)
    found = asked.house.catalogue.picture(name, of, theme, language or asked.language)
    if found is None:
        raise Refusal("unknown")
    return found.response(request)


@router.get("/health", response_model=models.Health)
async def health(asked: Asked) -> Response:
    """Return how the server is."""
    return asked.answer(asked.house.health(__version__))
