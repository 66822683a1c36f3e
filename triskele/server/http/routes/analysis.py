"""Routes of analyses: positions at no table, set up, looked at, brought in and taken out. Nothing is stored."""

from contextlib import AbstractContextManager
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from triskele.core.contract import CHANCE
from triskele.core.errors import OptionError, RecordError
from triskele.core.game import game
from triskele.server.analysis import Drawing, Place
from triskele.server.engines import jobs, table_jobs
from triskele.server.engines.jobs import Question
from triskele.server.http import analysis_models as models
from triskele.server.http.context import Asked, Context
from triskele.server.http.routes.advice import at_once, limited_advice
from triskele.server.http.routes.games import check_game_name
from triskele.server.refusal import Refusal
from triskele.server.tables import listing
from triskele.server.tables.validation import check_record_length

router = APIRouter(tags=["analysis"], prefix="/analysis")
WHOLE = ("/analysis/read", "/analysis/file/json", "/analysis/file/sgf")
"""Where whole analyses are sent to, with bodies as large as records."""
_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}
_PNG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/png": {}}}}
_KINDS = {"json": "application/json", "sgf": "application/x-go-sgf"}


def _place(wanted: models.PositionAsked) -> Place:
    check_game_name(wanted.game)
    return Place(wanted.game, dict(wanted.options), wanted.start, tuple(wanted.moves))


def _drawing(asked: Context, wanted: models.PictureAsked) -> Drawing:
    marks = {each.at: each.marks for each in wanted.marked}
    return Drawing(wanted.theme, wanted.width, asked.language, marks)


def _as_a_record(asked: Context) -> AbstractContextManager[None]:
    """Limit what takes long as reading records is limited: for each visitor, and for all together."""
    return at_once(asked, asked.services.record_limiter, asked.services.record_limiter_of_visitor)


async def _run(asked: Context, job: Any, *arguments: Any) -> Any:
    """Run a job; what the rules refuse is refused with their reason."""
    try:
        return await asked.run_job(job, *arguments)
    except OptionError as error:
        raise Refusal("option", error.text) from None
    except RecordError as error:
        raise Refusal("record", error.text) from None


@router.post("/position", response_model=models.PositionShown)
async def position(asked: Asked, wanted: models.PositionAsked) -> Response:
    """Return a position: its scene with nothing hidden, the legal moves, what chance can bring, how it ended."""
    return asked.answer(await _run(asked, table_jobs.analysis_position, _place(wanted), asked.language))


@router.post("/tokens", response_model=None)
async def tokens(asked: Asked, wanted: models.TokensAsked) -> Response:
    """Return why a half-entered move cannot be, with an empty reason if it can, and notes of what it can become."""
    return asked.answer(await _run(asked, table_jobs.analysis_tokens, _place(wanted), wanted.tokens, asked.language))


@router.post("/advice", response_model=models.Advice)
async def advice(asked: Asked, wanted: models.PositionAsked) -> Response:
    """Return what an engine of the server thinks of a position, as the seat to act may know it."""
    settings = asked.services.settings
    with limited_advice(asked):
        reached = await _run(asked, table_jobs.analysis_reached, _place(wanted))
        turn = reached.turn
        if turn is None or turn == CHANCE:
            raise Refusal("no-decision")
        question = Question.of(reached, turn, settings.engine_seconds, None, settings.engine_memory_mb)
        work = asked.services.engines.run(asked.payer, jobs.analyse, question, seconds=question.seconds, urgent=True)
        return asked.answer(await asked.while_connected(work))


@router.post("/openings", response_model=models.Openings)
async def openings(asked: Asked, wanted: models.PositionAsked) -> Response:
    """Return how often each move was played in a position, and won: by engines, and in my finished games."""
    place = _place(wanted)
    own: list[tuple[list[str], list[float]]] = []
    if asked.visitor is not None and wanted.start is None:
        variant = game(wanted.game).variant(dict(wanted.options))
        own = await asked.services.storage.read(listing.finished_games(asked.visitor, variant))
    return asked.answer(await _run(asked, table_jobs.analysis_openings, place, own, asked.language))


@router.post("/setup", response_model=models.SetupShown)
async def setup(asked: Asked, wanted: models.GameAsked) -> Response:
    """Return how positions of a game are set up by hand, and what stands where in one."""
    check_game_name(wanted.game)
    found = await _run(
        asked, table_jobs.analysis_setup, wanted.game, dict(wanted.options), wanted.start, asked.language
    )
    return asked.answer(found)


@router.post("/draft", response_model=models.PositionText)
async def draft(asked: Asked, wanted: models.DraftAsked) -> Response:
    """Return the text of the position that was set up; a refusal says by the rules why it cannot be one."""
    check_game_name(wanted.game)
    found = await _run(asked, table_jobs.analysis_draft, wanted.game, dict(wanted.options), wanted.board, wanted.fields)
    return asked.answer({"position": found})


@router.post("/picture", responses=_PNG, response_class=Response)
async def picture(asked: Asked, wanted: models.PictureAsked) -> Response:
    """Return a position as a PNG, with its marks."""
    drawn = await _run(asked, table_jobs.analysis_picture, _place(wanted), _drawing(asked, wanted))
    return asked.answer(drawn, media_type="image/png")


@router.post("/animation", responses=_PNG, response_class=Response)
async def animation(asked: Asked, wanted: models.AnimationAsked) -> Response:
    """Return the last moves as an animated PNG, with their marks."""
    drawing = _drawing(asked, wanted)
    with _as_a_record(asked):  # not as advice: whoever asks for it may have an engine at work meanwhile
        drawn = await _run(asked, table_jobs.analysis_animation, _place(wanted), wanted.last, drawing)
    return asked.answer(drawn, media_type="image/png")


async def _whole(asked: Context, request: Request, job: Any, *more: Any) -> Any:
    """Run a job with a whole analysis, of which only a few are kept in memory at a time."""
    data = await request.body()
    check_record_length(data, asked.services.settings.limits.record_moves)
    with _as_a_record(asked):
        return await _run(asked, job, data, *more)


@router.post("/read", response_model=models.AnalysisShown, openapi_extra=_BODY)
async def read(asked: Asked, request: Request) -> Response:
    """Return the analysis in a record, a file of another site, or what the page has kept; all in it is checked."""
    return asked.answer(await _whole(asked, request, table_jobs.analysis_read))


@router.post("/file/{kind}", response_class=Response, openapi_extra=_BODY)
async def file(asked: Asked, request: Request, kind: Annotated[str, Path(pattern="^(json|sgf)$")]) -> Response:
    """Return an analysis as a record with variations: ``json``, or ``sgf`` where the game has it."""
    written = await _whole(asked, request, table_jobs.analysis_export, kind)
    return asked.answer(written, media_type=_KINDS[kind])
