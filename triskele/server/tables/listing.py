"""Lists of tables, from the database alone: none of them needs to be in memory."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, exists, func, or_, select

from triskele.core.contract import CHANCE
from triskele.core.errors import OptionError
from triskele.core.explorer import PLIES
from triskele.core.game import Variant, game
from triskele.core.record_parts import actor_document
from triskele.server.storage import schema
from triskele.server.tables.account_names import NamedAccount, accounts_of, first_account
from triskele.server.tables.entries import LEFT, MOVE, RESIGN, TIMEOUT, UNDO
from triskele.server.tables.table import ENGINE, HERE, LINK, OFF_LIST

LISTED_LIMIT = 100
Listed = list[dict[str, Any]]


def of_visitor(visitor: str) -> Callable[[Connection], Listed]:
    """Return the query for the tables at which a visitor has a seat and that are on their list.

    Those that go on come first, the newest of them before the others.
    """
    holders, table_id = schema.holders.c, schema.tables.c.id
    held = select(holders.table_id).where(holders.visitor == visitor, holders.seat >= 0)
    removed = select(holders.table_id).where(holders.visitor == visitor, holders.seat == OFF_LIST)
    return lambda connection: _listed(connection, and_(table_id.in_(held), table_id.not_in(removed)), visitor)


def some(connection: Connection, table_ids: Collection[str], visitor: str | None) -> Listed:
    """Return some tables as a visitor's list has them."""
    return _listed(connection, schema.tables.c.id.in_(table_ids), visitor) if table_ids else []


def finished_games(visitor: str, variant: Variant) -> Callable[[Connection], list[tuple[list[str], list[float]]]]:
    """Return the query for a visitor's finished games of a variant: of each the first moves and the seats' shares."""
    holders, tables, log = schema.holders.c, schema.tables.c, schema.log.c
    held = select(holders.table_id).where(holders.visitor == visitor, holders.seat >= 0)
    query = (
        select(tables.id, tables.options, tables.winners)
        .where(tables.id.in_(held), tables.over.is_(True), tables.game == variant.game.name)
        .where(tables.winners.is_not(None))
        .order_by(tables.opened.desc())
        .limit(LISTED_LIMIT)
    )

    def read(connection: Connection) -> list[tuple[list[str], list[float]]]:
        rows = connection.execute(query).all()
        of_variant = [row for row in rows if variant.game.variant(json.loads(row.options)) is variant]
        moves: dict[str, list[str]] = {row.id: [] for row in of_variant}
        made = select(log.table_id, log.kind, log.body).where(log.table_id.in_(moves), log.kind.in_((MOVE, UNDO)))
        for entry in connection.execute(made.where(log.moves <= 2 * PLIES).order_by(log.table_id, log.seq)):
            if entry.kind == MOVE:
                moves[entry.table_id].append(entry.body)
            else:
                del moves[entry.table_id][int(entry.body) :]
        return [(moves[row.id][:PLIES], _shares(row.winners, variant.seats)) for row in of_variant]

    return read


def _shares(winners: int, seats: int) -> list[float]:
    """Return the seats' parts of a win: of a draw, all have the same."""
    won = [seat for seat in range(seats) if winners >> seat & 1] or list(range(seats))
    return [1.0 / len(won) if seat in won else 0.0 for seat in range(seats)]


def waiting(visitor: str | None) -> Callable[[Connection], Listed]:
    """Return the query for the public tables that wait for players."""
    holders, seats, tables = schema.holders.c, schema.seats.c, schema.tables.c
    free = (
        select(seats.table_id)
        .outerjoin(schema.holders, and_(holders.table_id == seats.table_id, holders.seat == seats.seat))
        .where(seats.kind == LINK, holders.visitor.is_(None))
    )
    open_to_all = and_(tables.private.is_(False), tables.over.is_(False), tables.id.in_(free))
    return lambda connection: _listed(connection, open_to_all, visitor)


def stalled(since: int) -> Callable[[Connection], list[str]]:
    """Return the query for tables at which an engine or a die is to act, and nothing happened since a time."""
    tables, seats, holders = schema.tables.c, schema.seats.c, schema.holders.c
    last, turn = _last_entry()
    here = seats.table_id == tables.id
    given = schema.log.alias()
    stand_in = exists().where(
        given.c.table_id == tables.id, given.c.kind.in_((RESIGN, TIMEOUT, LEFT)), given.c.seat == turn
    )
    engine = or_(exists().where(here, seats.kind == ENGINE, seats.seat == turn), stand_in)
    person = exists().where(here, seats.kind != ENGINE)
    held = exists().where(holders.table_id == seats.table_id, holders.seat == seats.seat)
    free = exists().where(here, seats.kind == LINK, ~held)
    query = (
        select(tables.id)
        .outerjoin(schema.log, last)
        .where(tables.over.is_(False), func.coalesce(schema.log.c.time, tables.opened) < since)
        .where(person, or_(engine, and_(turn == CHANCE, ~free)))
        .limit(5000)
    )
    return lambda connection: list(connection.execute(query).scalars())


def _last_entry() -> tuple[ColumnElement[bool], ColumnElement[int]]:
    """Return the join of a table with the last entry of its log, and the seat to act after it."""
    tables, log = schema.tables.c, schema.log.c
    last = select(func.max(log.seq)).where(log.table_id == tables.id).correlate(schema.tables).scalar_subquery()
    turn = case((log.seq.is_(None), tables.first_turn), else_=log.turn)
    return and_(log.table_id == tables.id, log.seq == last), turn


def _listed(connection: Connection, which: ColumnElement[bool], visitor: str | None) -> Listed:
    tables, log = schema.tables.c, schema.log.c
    last, turn = _last_entry()
    query = (
        select(schema.tables, turn.label("turn"), log.moves, log.time, schema.deadlines.c.due)
        .outerjoin(schema.log, last)
        .outerjoin(schema.deadlines, schema.deadlines.c.table_id == tables.id)
        .where(which)
        .order_by(tables.over, tables.opened.desc())
        .limit(LISTED_LIMIT)
    )
    rows = connection.execute(query).mappings().all()
    seats = _seats(connection, [row["id"] for row in rows], visitor)
    listed = (_document(dict(row), seats[row["id"]]) for row in rows)
    return [document for document in listed if document is not None]


def _document(row: dict[str, Any], seats: Listed) -> dict[str, Any] | None:
    try:
        variant = game(row["game"]).variant(json.loads(row["options"]))
    except OptionError:  # the game is not installed any more
        return None
    return {
        "table": row["id"],
        "game": row["game"],
        "title": variant.game.title,
        "options": dict(variant.options),
        "opened": row["opened"],
        "changed": row["time"] or row["opened"],
        "moves": row["moves"] or 0,
        "turn": actor_document(row["turn"]),
        "over": row["over"],
        "winners": None if row["winners"] is None else [s for s in range(len(seats)) if row["winners"] >> s & 1],
        "private": row["private"],
        "clock": row["clock"],
        "due": row["due"],
        "seats": seats,
    }


def _seats(connection: Connection, tables: Sequence[str], visitor: str | None) -> dict[str, Listed]:
    found: dict[str, Listed] = {table: [] for table in tables}
    held: dict[tuple[str, int], set[str]] = {}
    for row in connection.execute(select(schema.holders).where(schema.holders.c.table_id.in_(tables))):
        held.setdefault((row.table_id, row.seat), set()).add(row.visitor)
    names = _names(connection, tables)
    known = accounts_of(connection, {each for (_, seat), visitors in held.items() if seat >= 0 for each in visitors})
    query = select(schema.seats).where(schema.seats.c.table_id.in_(tables)).order_by(schema.seats.c.seat)
    for row in connection.execute(query):
        holders = held.get((row.table_id, row.seat), set())
        found[row.table_id].append(
            {
                "seat": row.seat,
                "kind": row.kind,
                "name": names.get((row.table_id, row.seat), row.name),
                "level": row.level,
                "mine": visitor is not None and visitor in holders,
                "taken": row.kind == "engine" or bool(holders),
                **_person(row.kind, holders, known),
            }
        )
    return found


def _person(kind: str, holders: Collection[str], known: Mapping[str, NamedAccount]) -> dict[str, Any]:
    """Return whose account a seat is; not of one that somebody else plays at the same screen."""
    account = None if kind == HERE else first_account(known, holders)
    return {} if account is None else account.document()


def _names(connection: Connection, tables: Sequence[str]) -> dict[tuple[str, int], str]:
    log = schema.log.c
    query = select(log.table_id, log.seat, log.body).where(log.table_id.in_(tables), log.kind == "taken")
    return {(row.table_id, row.seat): row.body for row in connection.execute(query)}
