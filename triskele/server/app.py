"""The application: the services behind HTTP and WebSocket."""

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
from triskele.core.game import games as all_games
from triskele.server.accounts.names import prototypes
from triskele.server.accounts.passwords import common_passwords
from triskele.server.http import models
from triskele.server.http.assets import Files
from triskele.server.http.catalogue import Catalogue
from triskele.server.http.engine_files import EngineFiles
from triskele.server.http.middleware import SecurityMiddleware
from triskele.server.http.routes import (
    PREFIX,
    account,
    admin,
    admin_accounts,
    advice,
    analysis,
    clocks,
    games,
    health,
    lessons,
    live,
    moderation,
    notices,
    people,
    puzzles,
    ratings,
    reviews,
    sessions,
    tables,
    visitors,
)
from triskele.server.live.connection import LiveEndpoint
from triskele.server.refusal import Refusal, drop_tracebacks, language_of, log_failure
from triskele.server.services import Services
from triskele.server.settings import Settings

_CODES = {404: "unknown", 405: "method", 413: "too-large"}


def create_app(settings: Settings, executor: Executor | None = None) -> FastAPI:
    """Return the application; engines work on ``executor`` if one is given, else on processes of this machine."""
    engine_files = EngineFiles(all_games())
    services, catalogue = Services(settings, executor), Catalogue(engine_files)
    files = Files(titles=[declared.title for declared in all_games()], prefix=settings.prefix, chat=settings.chat)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await services.start()
        if settings.page_engines:
            engine_files.start()
        warming = asyncio.create_task(asyncio.to_thread(_warm, catalogue, files))
        yield
        engine_files.stop()
        await warming
        await services.stop()

    app = FastAPI(
        title="Triskele",
        version=__version__,
        description="Tables to play at. The live messages are described in docs/live.md.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    app.state.catalogue = catalogue
    refused: dict[int | str, dict[str, Any]] = {"4XX": {"model": models.Error, "description": "Refused"}}
    club = (account, sessions, people, notices, moderation, admin_accounts)
    study = (lessons, puzzles, analysis)
    for resource in (games, *study, visitors, tables, reviews, clocks, advice, ratings, live, health, admin, *club):
        app.include_router(resource.router, prefix=PREFIX, responses=refused)
    app.router.routes.append(WebSocketRoute(f"{PREFIX}/live", LiveEndpoint(services.live())))
    _serve_files(app, files)
    _answer_errors(app)
    app.openapi = lambda: _openapi(app, settings.prefix)  # type: ignore[method-assign]
    app.add_middleware(
        SecurityMiddleware, services=services, records=[f"{PREFIX}{path}" for path in ("/records", *analysis.WHOLE)]
    )
    return app


def serve(settings: Settings) -> None:
    """Serve until interrupted; prints the address when ready."""
    from triskele.server.http.server import run

    run(create_app(settings), settings)


def _warm(catalogue: Catalogue, files: Files) -> None:
    """Make what the first page and the first sign-up ask for, so that nobody waits for it."""
    files.read_all()
    catalogue.words("en")
    catalogue.games("en")
    common_passwords()
    prototypes()


def _serve_files(app: FastAPI, files: Files) -> None:
    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def file(path: str, request: Request) -> Response:
        found = None if path.startswith("api/") else files.find(path)
        if found is not None:
            return found.response(request)
        if path.startswith("api/") or "text/html" not in request.headers.get("accept", ""):
            raise Refusal("unknown")
        page = files.page()  # the page then says that there is no such address
        return Response(page.body, 404, {"Cache-Control": "no-store"}, page.media_type)


def _answer_errors(app: FastAPI) -> None:
    """Answer every error in the visitor's language and in the same form."""

    def answer(request: Request, error: Exception, refusal: Refusal) -> Response:
        from starlette.responses import JSONResponse

        drop_tracebacks(error)
        request.app.state.services.metrics.refused(refusal.code)
        language = language_of(request.headers.get("accept-language"))
        return JSONResponse({"error": refusal.body(language)}, refusal.status)

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        return answer(request, error, error)

    @app.exception_handler(TriskeleError)
    async def impossible(request: Request, error: TriskeleError) -> Response:
        return answer(request, error, Refusal("illegal", error.text))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        # A path that is not valid is answered like one that does not exist.
        in_path = any(problem["loc"][0] == "path" for problem in error.errors())
        return answer(request, error, Refusal("unknown" if in_path else "form"))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        return answer(request, error, Refusal(_CODES.get(error.status_code, "form")))

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        log_failure(error, "a request")
        return answer(request, error, Refusal("failed"))


def _openapi(app: FastAPI, prefix: str) -> dict[str, Any]:
    """Return the OpenAPI document, without FastAPI's own validation errors, which are never sent."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            tags=_TAGS,
            servers=[{"url": prefix}] if prefix else None,
        )
        for path in document["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)
        for name in ("HTTPValidationError", "ValidationError"):
            document["components"]["schemas"].pop(name, None)
        document["components"]["securitySchemes"] = {
            "cookie": {"type": "apiKey", "in": "cookie", "name": "triskele"},
            "session": {"type": "apiKey", "in": "cookie", "name": "__Host-triskele-session"},
            "bearer": {"type": "http", "scheme": "bearer"},
        }
        document["security"] = [{}, {"cookie": []}, {"session": []}, {"bearer": []}]
        app.openapi_schema = document
    return app.openapi_schema


_TAGS = [
    {"name": "games", "description": "What there is to play."},
    {"name": "visitors", "description": "Who is who."},
    {"name": "tables", "description": "Opening, finding, sitting down, looking back."},
    {"name": "ratings", "description": "Leaderboards, and what people are rated at."},
    {"name": "days", "description": "Games over days: conditional moves, vacations."},
    {"name": "health", "description": "For monitoring."},
    {"name": "live", "description": "Why there is no live connection."},
    {"name": "admin", "description": "For hosts, with a token that the server's secret signs."},
    {"name": "accounts", "description": "One's own account: signing up and in, sessions, tokens, bots, data."},
    {"name": "notices", "description": "What I am told about my games: by which ways, and when."},
    {"name": "people", "description": "Profiles of others; muting, blocking and reporting them."},
    {"name": "moderation", "description": "For moderators, who are signed in at a browser."},
    {"name": "advice", "description": "Hints, analysis, proofs, records."},
    {"name": "analysis", "description": "Positions at no table: set up, looked at, brought in and taken out."},
]
