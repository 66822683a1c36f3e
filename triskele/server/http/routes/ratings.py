"""Routes of ratings: leaderboards, the ratings of a person, and what a game did to those of its players."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Response

from triskele.core.errors import OptionError
from triskele.core.game import game
from triskele.server.http import rating_models as models
from triskele.server.http.context import Asked
from triskele.server.ratings.changes import changes
from triskele.server.refusal import Refusal

router = APIRouter(tags=["ratings"])


@router.get("/leaderboards/{name}", response_model=models.Leaderboard)
async def leaderboard(
    asked: Asked,
    name: Annotated[str, Path(max_length=64)],
    pace: models.Pace = "live",
    field: models.Field = "two",
) -> Response:
    """Return the best players of a game, those whose rating is certain enough, and the measured levels as landmarks."""
    try:
        declared = game(name)
    except OptionError:
        raise Refusal("unknown") from None
    return asked.answer(await asked.services.leaderboards.of_game(declared, pace, field))


@router.get("/people/{name}/ratings", response_model=models.PersonRatings)
async def ratings_of_person(asked: Asked, name: Annotated[str, Path(max_length=100)]) -> Response:
    """Return the ratings of a person, each with its history."""
    account = await asked.services.accounts.directory.named(name)
    if account is None:
        raise Refusal("unknown")
    ratings = await asked.services.leaderboards.of_person(account.visitor)
    return asked.answer({"name": account.name, "bot": account.bot, "ratings": ratings})


@router.get("/tables/{table}/ratings", response_model=models.RatingChanges)
async def ratings_of_table(asked: Asked, table: Annotated[str, Path(max_length=64)]) -> Response:
    """Return what a rated game that is over did to the ratings of its players."""
    found = await asked.services.tables.get(table, asked.visitor)
    return asked.answer(asdict(await changes(asked.services.storage, found)))
