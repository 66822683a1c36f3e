"""Leaderboards, and the ratings of a person with their history."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from triskele.core.game import Game
from triskele.rating.landmarks import landmarks
from triskele.rating.results import Pool, Standing
from triskele.rating.scale import FLOOR_DEVIATION
from triskele.server.accounts.directory import AccountDirectory
from triskele.server.ratings.queries import in_pool, standing_of
from triskele.server.storage import schema
from triskele.server.storage.database import Storage
from triskele.server.tables.service import now

LISTED_LIMIT = 100
_READ = 3 * LISTED_LIMIT
"""Some of those who are read are less certain by now, or have no account any more."""
HISTORY_LIMIT = 200
_CACHED_MS = 5_000


@dataclass(frozen=True)
class _Ranked:
    visitor: str
    standing: Standing


class Leaderboards:
    """Reads ratings for people."""

    def __init__(self, storage: Storage, accounts: AccountDirectory) -> None:
        """Read ratings from ``storage``, and names from ``accounts``."""
        self._storage = storage
        self._accounts = accounts
        self._cached: dict[Pool, tuple[int, dict[str, Any]]] = {}

    async def of_game(self, game: Game, pace: str, field: str) -> dict[str, Any]:
        """Return the leaderboard of a pool with the landmarks of its scale; the answer is some seconds old at most."""
        pool, time = Pool(game.name, pace, field), now()
        made, document = self._cached.get(pool, (0, {}))
        if not document or time - made > _CACHED_MS:
            ranked = await self._storage.read(lambda connection: _best(connection, pool))
            document = {
                "game": game.name,
                "pace": pace,
                "field": field,
                "players": await self._players(ranked, time),
                # The levels were measured between two seats.
                "landmarks": [vars_of(each) for each in landmarks(game)] if field == "two" else [],
            }
            self._cached[pool] = (time, document)
        return document

    async def _players(self, ranked: Sequence[_Ranked], time: int) -> list[dict[str, Any]]:
        accounts = await self._accounts.of_visitors(each.visitor for each in ranked)
        listed = [
            {"name": account.name, "bot": account.bot, **standing_document(each.standing, time)}
            for each in ranked
            if (account := accounts.get(each.visitor)) is not None and each.standing.now(time).listed
        ]
        return [{"place": place, **each} for place, each in enumerate(listed[:LISTED_LIMIT], 1)]

    async def of_person(self, visitor: str) -> list[dict[str, Any]]:
        """Return the ratings of a person in all pools, each with its history: time, rating, deviation."""
        found = await self._storage.read(lambda connection: _of_person(connection, visitor))
        time = now()
        return [
            {
                "game": pool.game,
                "pace": pool.pace,
                "field": pool.field,
                **standing_document(standing, time),
                "history": history,
            }
            for pool, standing, history in found
        ]


def vars_of(landmark: Any) -> dict[str, int]:
    """Return a landmark as plain data."""
    return {"level": landmark.level, "rating": landmark.value}


def standing_document(standing: Standing, time: int) -> dict[str, Any]:
    """Return a standing at a time as plain data: whole points; ``listed`` if it is certain enough for a leaderboard."""
    rating = standing.now(time)
    return {
        "rating": round(rating.value),
        "deviation": round(rating.deviation),
        "low": round(rating.low),
        "high": round(rating.high),
        "games": standing.games,
        "listed": rating.listed,
    }


def _best(connection: Connection, pool: Pool) -> list[_Ranked]:
    ratings = schema.ratings.c
    query = (
        select(schema.ratings)
        .where(in_pool(ratings, pool), ratings.deviation <= FLOOR_DEVIATION)
        .order_by(ratings.value.desc(), ratings.visitor)
        .limit(_READ)
    )
    return [_Ranked(row.visitor, standing_of(row)) for row in connection.execute(query)]


def _of_person(connection: Connection, visitor: str) -> list[tuple[Pool, Standing, list[tuple[int, int, int]]]]:
    ratings, steps = schema.ratings.c, schema.rating_steps.c
    order = (ratings.game, ratings.pace, ratings.field)
    found = []
    for row in connection.execute(select(schema.ratings).where(ratings.visitor == visitor).order_by(*order)).all():
        pool = Pool(row.game, row.pace, row.field)
        query = (
            select(steps.time, steps.value, steps.deviation)
            .where(in_pool(steps, pool), steps.visitor == visitor)
            .order_by(steps.time.desc(), steps.table_id.desc())
            .limit(HISTORY_LIMIT)
        )
        history = [(each.time, round(each.value), round(each.deviation)) for each in connection.execute(query)]
        found.append((pool, standing_of(row), history[::-1]))
    return found
