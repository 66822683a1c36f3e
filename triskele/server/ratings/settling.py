"""Settling: the result of a rated game, written once, with the end of the game or after a crash."""

import json
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import postgresql, sqlite

from triskele.core.record_parts import CALLED_OFF, LEFT, RESIGN, STOPPED, TIME
from triskele.rating.results import Pool, places
from triskele.server.ratings.eligibility import counts
from triskele.server.storage import schema
from triskele.server.storage.database import Rows
from triskele.server.tables.table import Table


def quitters(table: Table) -> set[int]:
    """Return the seats that gave up, ran out of time or left, and did not come back: they count as last."""
    gone = {number for number, seat in enumerate(table.seats) if seat.resigned or seat.away}
    if table.ended is not None and table.ended.kind in (RESIGN, TIME, LEFT) and table.ended.seat is not None:
        gone.add(table.ended.seat)
    return gone


def result_row(table: Table) -> dict[str, Any]:
    """Return the row of ``results`` for a rated table whose game is over; without players if it counts for nobody."""
    outcome = table.outcome
    assert outcome is not None, "the game is over"
    pace = table.clock_control.pace
    stopped = table.ended is not None and table.ended.kind in (STOPPED, CALLED_OFF)
    counted = counts(table) and pace != "none" and not stopped
    pool = Pool.of(table.variant.game.name, pace, len(table.seats))
    players = [next(iter(seat.holders)) for seat in table.seats] if counted else []
    return {
        "table_id": table.id,
        "game": pool.game,
        "pace": pool.pace,
        "field": pool.field,
        "time": table.over_at,
        "players": json.dumps(players),
        "places": json.dumps(list(places(outcome, quitters(table))) if counted else []),
    }


def result_statement(table: Table, dialect: str) -> tuple[Executable, Rows]:
    """Return the statement that writes the result of a table, unless it is written already."""
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    return insert(schema.results).on_conflict_do_nothing(), [result_row(table)]
