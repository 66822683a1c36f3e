"""Routes of courses: the steps of a game's course, and what has become of a try."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Path, Request, Response

from triskele.core.errors import RecordError
from triskele.server.engines import table_jobs
from triskele.server.http import models
from triskele.server.http.context import Asked, Context
from triskele.server.http.routes.games import AskedLanguage, GameName, check_game_name
from triskele.server.refusal import Refusal

router = APIRouter(tags=["lessons"])
T = TypeVar("T")


@router.get("/games/{name}/lessons", response_model=list[models.LessonStep])
def course(asked: Asked, request: Request, name: GameName, language: AskedLanguage = None) -> Response:
    """Return the steps of a game's course, in words of a language; none if the game has no course."""
    check_game_name(name)
    return asked.catalogue.course(name, language or asked.language).response(request)


StepId = Annotated[str, Path(max_length=64)]


@router.post("/games/{name}/lessons/{step}", response_model=models.LessonJudged)
async def judge(asked: Asked, name: GameName, step: StepId, wanted: models.LessonTry) -> Response:
    """Return what has become of a try, and the positions to show. Nothing is stored."""
    return asked.answer(await _run(asked, table_jobs.judge_step, name, step, wanted.decisions))


@router.post("/games/{name}/lessons/{step}/tokens", response_model=models.TokensExplained)
async def explain_tokens(asked: Asked, name: GameName, step: StepId, wanted: models.LessonTokens) -> Response:
    """Return why a half-entered move cannot be, with an empty reason if it can, and notes of what it can become."""
    return asked.answer(await _run(asked, table_jobs.explain_tokens, name, step, wanted.decisions, wanted.tokens))


async def _run(asked: Context, job: Callable[..., T], name: str, step: str, *decided: list[str]) -> T:
    check_game_name(name)
    try:
        return await asked.run_job(job, name, step, *decided, asked.language)
    except RecordError as error:
        raise Refusal("unknown", error.text) from None
