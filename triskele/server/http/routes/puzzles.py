"""Routes of puzzles: those that come with a game, and what has become of a try."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from triskele.core.errors import RecordError
from triskele.server.engines import table_jobs
from triskele.server.http import models
from triskele.server.http.context import Asked, Context
from triskele.server.http.routes.games import AskedLanguage, GameName, check_game_name
from triskele.server.refusal import Refusal

router = APIRouter(tags=["puzzles"])


@router.get("/games/{name}/puzzles", response_model=list[models.PuzzleListed])
def shipped(asked: Asked, request: Request, name: GameName, language: AskedLanguage = None) -> Response:
    """Return the puzzles that come with a game, the easiest first and without their solutions; none if it has none."""
    check_game_name(name)
    return asked.catalogue.puzzles(name, language or asked.language).response(request)


PuzzleId = Annotated[str, Path(max_length=64)]


@router.post("/games/{name}/puzzles/{puzzle}", response_model=models.LessonJudged)
async def judge(asked: Asked, name: GameName, puzzle: PuzzleId, wanted: models.LessonTry) -> Response:
    """Return what has become of a try, and the positions to show: a wrong one is answered. Nothing is stored."""
    return await _run(asked, table_jobs.judge_puzzle, name, puzzle, wanted.decisions)


@router.post("/games/{name}/puzzles/{puzzle}/tokens", response_model=models.TokensExplained)
async def explain_tokens(asked: Asked, name: GameName, puzzle: PuzzleId, wanted: models.LessonTokens) -> Response:
    """Return why a half-entered move cannot be, with an empty reason if it can, and notes of what it can become."""
    return await _run(asked, table_jobs.explain_puzzle_tokens, name, puzzle, wanted.decisions, wanted.tokens)


async def _run(asked: Context, job: Callable[..., Any], name: str, puzzle: str, *decided: list[str]) -> Response:
    check_game_name(name)
    try:
        return asked.answer(await asked.run_job(job, name, puzzle, *decided, asked.language))
    except RecordError as error:
        raise Refusal("unknown", error.text) from None
