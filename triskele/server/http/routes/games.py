"""Routes of games: what there is to play."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from triskele.core.words import Language
from triskele.server.http import models
from triskele.server.http.catalogue import Part, known_game
from triskele.server.http.context import Asked
from triskele.server.refusal import Refusal

router = APIRouter(tags=["games"])
GameName = Annotated[str, Path(max_length=64)]
EngineFile = Annotated[str, Path(max_length=80, description="as the list of games names it")]
PictureName = Annotated[str | None, Query(max_length=32, description="the name of a picture in the help page")]
AskedLanguage = Annotated[Language | None, Query(description="if left out, what Accept-Language says")]


def check_game_name(name: str) -> None:
    """Refuse the name of a game that there is not."""
    if not known_game(name):
        raise Refusal("unknown")


@router.get("/games", response_model=list[models.GameShown])
def list_games(asked: Asked, request: Request, language: AskedLanguage = None) -> Response:
    """Return the games with their options, in words of a language."""
    return asked.catalogue.games(language or asked.language).response(request)


@router.get("/words/{language}", response_model=dict[str, str | dict[str, str]])
def words(asked: Asked, request: Request, language: Language) -> Response:
    """Return the catalogue of a language: ``{"owner.key": text or plural forms}``."""
    return asked.catalogue.words(language).response(request)


@router.get("/words/{language}/{part}", response_model=dict[str, str | dict[str, str]])
def words_of_part(asked: Asked, request: Request, language: Language, part: Part) -> Response:
    """Return the words of a part of the page that is loaded when it is first used."""
    return asked.catalogue.part(part, language).response(request)


@router.get("/games/{name}/help", responses={200: {"content": {"text/markdown": {}}}}, response_class=Response)
def game_help(asked: Asked, request: Request, name: GameName, language: AskedLanguage = None) -> Response:
    """Return how to play, as Markdown, in English where there is no other."""
    check_game_name(name)
    page = asked.catalogue.help(name, language or asked.language)
    if page is None:
        raise Refusal("unknown")
    return page.response(request)


@router.get("/games/{name}/sprites.svg", responses={200: {"content": {"image/svg+xml": {}}}}, response_class=Response)
def sprites(asked: Asked, request: Request, name: GameName) -> Response:
    """Return the artwork that scenes refer to."""
    check_game_name(name)
    return asked.catalogue.sprites(name).response(request)


@router.get("/games/{name}/sprites.css", responses={200: {"content": {"text/css": {}}}}, response_class=Response)
def sprites_style(asked: Asked, request: Request, name: GameName) -> Response:
    """Return the style of the artwork as a style sheet."""
    check_game_name(name)
    return asked.catalogue.sprites_style(name).response(request)


@router.get("/games/{name}/picture.svg", responses={200: {"content": {"image/svg+xml": {}}}}, response_class=Response)
def picture(
    asked: Asked,
    request: Request,
    name: GameName,
    of: PictureName = None,
    theme: models.Theme = "light",
    language: AskedLanguage = None,
) -> Response:
    """Return the game's example position, drawn; or, with ``of``, a picture that its help page names."""
    check_game_name(name)
    found = asked.catalogue.picture(name, of, theme, language or asked.language)
    if found is None:
        raise Refusal("unknown")
    return found.response(request)


@router.get(
    "/games/{name}/engine/{file}",
    responses={200: {"content": {"application/wasm": {}, "application/json": {}}}},
    response_class=Response,
)
def engine_file(asked: Asked, request: Request, name: GameName, file: EngineFile) -> Response:
    """Return the WebAssembly module of a game's engine for the page, or its description; see docs/wasm.md."""
    check_game_name(name)
    found = asked.catalogue.engine_files.file(name, file)
    if found is None:
        raise Refusal("no-module")
    return found.response(request)
