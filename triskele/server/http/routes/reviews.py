"""Routes of reviews: what each decision of a game was worth, and tries at mistakes."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from triskele.core.errors import RecordError
from triskele.server.engines import table_jobs
from triskele.server.http import models
from triskele.server.http.context import Asked, Context
from triskele.server.http.routes.tables import TableId
from triskele.server.refusal import Refusal
from triskele.server.review_study import check_length
from triskele.server.tables.history import RecordSource, record_source
from triskele.server.tables.table import Table

router = APIRouter(tags=["reviews"])
Number = Annotated[int, Path(ge=1, le=10**6, description="the number of a move, from 1")]


async def _source(asked: Context, table_id: str) -> tuple[Table, RecordSource]:
    """Return what the review of a table is made from; ``Refusal`` while it is on, unless I play it by myself."""
    found = await asked.services.tables.get(table_id, asked.visitor)
    alone = found.alone(asked.visitor) and bool(found.persons()) and not found.rated and not found.hidden
    if found.outcome is None and not alone:
        raise Refusal("on")
    try:
        check_length(found.moves, asked.services.settings.limits.review_moves)
    except RecordError as error:
        raise Refusal("too-large", error.text) from None
    async with found.lock:
        return found, record_source(found, None, asked.services.accounts.record_names(found))


@router.get("/tables/{table}/review", response_model=models.ReviewShown)
async def review(asked: Asked, table: TableId) -> Response:
    """Return the review of a finished game as far as it has come; every request brings it on by about a second."""
    found, source = await _source(asked, table)
    reviews = asked.services.reviews
    part = reviews.advance(asked.payer, (found.id, len(source.times)), source)
    return asked.answer(await asked.while_connected(part))


@router.get("/tables/{table}/review/positions", response_model=models.ReviewPositions)
async def positions(asked: Asked, table: TableId) -> Response:
    """Return all positions of a finished game for an engine in the page, each as the player knew it who decided."""
    _, source = await _source(asked, table)
    return asked.answer(await asked.run_job(table_jobs.review_positions, source))


@router.post("/tables/{table}/review/{number}/tokens", response_model=models.TokensExplained)
async def explain_tokens(asked: Asked, table: TableId, number: Number, wanted: models.LessonTokens) -> Response:
    """Return why a half-entered move cannot be at a decision, and what to know of the moves it can become."""
    _, source = await _source(asked, table)
    try:
        job = asked.run_job(table_jobs.explain_mistake_tokens, source, number, wanted.tokens, asked.language)
        return asked.answer(await job)
    except RecordError as error:
        raise Refusal("unknown", error.text) from None


@router.post("/tables/{table}/review/{number}", response_model=models.LessonJudged)
async def try_again(asked: Asked, table: TableId, number: Number, wanted: models.LessonTry) -> Response:
    """Return what has become of a try at a decision of the game, and the positions to show. Nothing is stored."""
    _, source = await _source(asked, table)
    try:
        job = asked.run_job(table_jobs.judge_mistake, source, number, wanted.decisions, asked.language)
        return asked.answer(await job)
    except RecordError as error:
        raise Refusal("unknown", error.text) from None
