"""What a rated game did to the ratings of its players."""

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, select

from triskele.rating.results import NEWCOMER, Pool
from triskele.server.ratings.queries import standing_before
from triskele.server.storage import schema
from triskele.server.storage.database import Storage
from triskele.server.tables.table import Table

State = Literal["unrated", "pending", "rated", "void"]


@dataclass(frozen=True)
class Change:
    """The rating of a seat's player before and after a game, in whole points."""

    seat: int
    before: int
    after: int
    deviation: int


@dataclass(frozen=True)
class Changes:
    """What a game did to ratings.

    ``unrated``: it is not rated, or not over; ``pending``: the ratings are computed in a moment; ``void``: it was
    called off, stopped or annulled, and counts for nobody.
    """

    state: State
    players: list[Change]


async def changes(storage: Storage, table: Table) -> Changes:
    """Return what a game did to the ratings of its players, as they are computed now."""
    if not table.rated or table.outcome is None:
        return Changes("unrated", [])
    return await storage.read(lambda connection: _changes(connection, table.id))


def _changes(connection: Connection, table_id: str) -> Changes:
    results, annulled, steps = schema.results.c, schema.annulled.c, schema.rating_steps.c
    result = connection.execute(select(results.players).where(results.table_id == table_id)).first()
    void = connection.execute(select(annulled.table_id).where(annulled.table_id == table_id)).first()
    if void is not None or (result is not None and result.players == "[]"):
        return Changes("void", [])
    rows = connection.execute(select(schema.rating_steps).where(steps.table_id == table_id).order_by(steps.seat)).all()
    if not rows:
        return Changes("pending", [])
    return Changes("rated", [_change(connection, row) for row in rows])


def _change(connection: Connection, row: Any) -> Change:
    pool = Pool(row.game, row.pace, row.field)
    before = standing_before(connection, pool, row.visitor, (row.time, row.table_id))
    value = NEWCOMER.value if before is None else before.rating.value
    return Change(row.seat, round(value), round(row.value), round(row.deviation))
