"""The application: the house's services behind HTTP and WebSocket."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute

from triskele import __version__
from triskele.core.errors import TriskeleError
from triskele.server.api import PREFIX, advice, games, models, tables, visitors
from triskele.server.assets import Files
from triskele.server.guard import Guard
from triskele.server.house import House
from triskele.server.live import Live
from triskele.server.refusal import Refusal, language_of, log_failure
from triskele.server.settings import Settings

_CODES = {404: "unknown", 405: "method", 413: "too-large"}


def create_app(settings: Settings, executor: Executor | None = None) -> FastAPI:
    """Return the application; engines work on ``executor`` if one is given, else on processes of this machine."""
    house, files = House(settings, executor), Files()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await house.start()
        warming = asyncio.create_task(asyncio.to_thread(_warm, house, files))
        yield
        await warming
        await house.stop()

    app = FastAPI(
        title="Triskele",
        version=__version__,
        description="Tables to play at. The live messages are described in docs/live.md.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.house = house
    refused: dict[int | str, dict[str, Any]] = {"4XX": {"model": models.Error, "description": "Refused"}}
    for router in (games.router, visitors.router, tables.router, advice.router):
        app.include_router(router, prefix=PREFIX, responses=refused)
    app.router.routes.append(WebSocketRoute(f"{PREFIX}/live", Live(house)))
    _serve_files(app, files)
    _say_errors(app)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    app.add_middleware(Guard, house=house, records=f"{PREFIX}/records")
    return app


def _warm(house: House, files: Files) -> None:
    """Make what the first page asks for, so that not even the first visitor waits for it."""
    files.read_all()
    house.catalogue.words("en")
    house.catalogue.games("en")


def _serve_files(app: FastAPI, files: Files) -> None:
    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def file(path: str, request: Request) -> Response:
        found = None if path.startswith("api/") else files.find(path)
        if found is not None:
            return found.response(request)
        if path.startswith("api/") or "text/html" not in request.headers.get("accept", ""):
            raise Refusal("unknown")
        page = files.page()  # which then says that there is no such page
        return Response(page.body, 404, {"Cache-Control": "no-store"}, page.media_type)


def _say_errors(app: FastAPI) -> None:
    """Say every error in the reader's language and our own form."""

    def answer(request: Request, refusal: Refusal) -> Response:
        from starlette.responses import JSONResponse

        language = language_of(request.headers.get("accept-language"))
        return JSONResponse({"error": refusal.body(language)}, refusal.status)

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        return answer(request, error)

    @app.exception_handler(TriskeleError)
    async def impossible(request: Request, error: TriskeleError) -> Response:
        return answer(request, Refusal("illegal", error.text))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        # A path that cannot be is like a path that is not there.
        in_path = any(problem["loc"][0] == "path" for problem in error.errors())
        return answer(request, Refusal("unknown" if in_path else "form"))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        return answer(request, Refusal(_CODES.get(error.status_code, "form")))

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        log_failure(error, "a request")
        return answer(request, Refusal("failed"))


def _openapi(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, without the validation errors that FastAPI would send if we let it."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes, tags=_TAGS
        )
        for path in document["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)
        for name in ("HTTPValidationError", "ValidationError"):
            document["components"]["schemas"].pop(name, None)
        document["components"]["securitySchemes"] = {
            "cookie": {"type": "apiKey", "in": "cookie", "name": "triskele"},
            "bearer": {"type": "http", "scheme": "bearer"},
        }
        document["security"] = [{}, {"cookie": []}, {"bearer": []}]
        app.openapi_schema = document
    return app.openapi_schema


_TAGS = [
    {"name": "games", "description": "What there is to play."},
    {"name": "visitors", "description": "Who is who."},
    {"name": "tables", "description": "Opening, finding, sitting down, looking back."},
    {"name": "advice", "description": "Hints, analysis, proofs, records."},
]
