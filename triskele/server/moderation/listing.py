"""What a host sees of the tables: all of them, with their visitors and chat, from the database alone.

Nothing of a position is in it: what a seat may not know, a host does not read here either.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from sqlalchemy import Connection, exists, func, select

from triskele.server.storage import schema
from triskele.server.tables.account_names import NamedAccount, accounts_of, first_account
from triskele.server.tables.table import HERE, SPECTATING

State = Literal["all", "on", "over"]
TABLES_LIMIT = 1000
Document = dict[str, Any]


def tables(state: State, game: str | None, visitor: str | None, limit: int) -> Callable[[Connection], list[Document]]:
    """Return the query for tables, newest first: of a game, or at which a visitor has a seat or may watch."""
    columns = schema.tables.c
    query = select(schema.tables).order_by(columns.opened.desc()).limit(min(limit, TABLES_LIMIT))
    if state != "all":
        query = query.where(columns.over.is_(state == "over"))
    if game is not None:
        query = query.where(columns.game == game)
    if visitor is not None:
        held = exists().where(schema.holders.c.table_id == columns.id, schema.holders.c.visitor == visitor)
        query = query.where(held | (columns.opener == visitor))
    return lambda connection: [_document(connection, dict(row)) for row in connection.execute(query).mappings()]


def table(table_id: str) -> Callable[[Connection], Document | None]:
    """Return the query for one table with its chat; ``None`` if there is none."""
    chat = schema.chat
    lines = select(chat).where(chat.c.table_id == table_id).order_by(chat.c.number)

    def run(connection: Connection) -> Document | None:
        row = connection.execute(select(schema.tables).where(schema.tables.c.id == table_id)).mappings().first()
        if row is None:
            return None
        said = connection.execute(lines).all()
        known = accounts_of(connection, {line.writer for line in said if line.writer is not None})
        return {**_document(connection, dict(row)), "chat": [_line(line, known) for line in said]}

    return run


def _line(line: Any, known: Mapping[str, NamedAccount]) -> Document:
    """Return a line of chat with who wrote it."""
    account = known.get(line.writer)
    named = {"name": line.name} if account is None else {"name": account.name, **account.document()}
    return {"seat": line.seat, "visitor": line.writer, "text": line.body, "time": line.time, **named}


def finished_before(time: int, limit: int) -> Callable[[Connection], list[str]]:
    """Return the query for finished games at which nothing has happened since a time."""
    columns, log = schema.tables.c, schema.log.c
    last = select(func.max(log.time)).where(log.table_id == columns.id).scalar_subquery()
    query = select(columns.id).where(columns.over.is_(True), func.coalesce(last, columns.opened) < time).limit(limit)
    return lambda connection: list(connection.execute(query).scalars())


def _document(connection: Connection, row: dict[str, Any]) -> Document:
    log, holders, seats = schema.log, schema.holders, schema.seats
    last = (
        connection.execute(
            select(log.c.moves, log.c.time).where(log.c.table_id == row["id"]).order_by(log.c.seq.desc()).limit(1)
        )
        .mappings()
        .first()
    )
    held = connection.execute(select(holders).where(holders.c.table_id == row["id"])).mappings().all()
    names = dict(
        connection.execute(
            select(log.c.seat, log.c.body)
            .where(log.c.table_id == row["id"], log.c.kind.in_(("taken", "freed")))
            .order_by(log.c.seq)
        )
        .tuples()
        .all()
    )
    at = connection.execute(select(seats).where(seats.c.table_id == row["id"]).order_by(seats.c.seat)).mappings().all()

    known = accounts_of(connection, {each["visitor"] for each in held})

    def visitors(seat: int) -> list[str]:
        return sorted(each["visitor"] for each in held if each["seat"] == seat)

    def person(seat: int, kind: str) -> Document:
        account = None if kind == HERE else first_account(known, visitors(seat))
        return {} if account is None else account.document()

    return {
        "table": row["id"],
        "game": row["game"],
        "opened": row["opened"],
        "changed": row["opened"] if last is None else last["time"],
        "opener": row["opener"],
        "private": row["private"],
        "over": row["over"],
        "moves": 0 if last is None else last["moves"],
        "seats": [
            {
                "seat": seat["seat"],
                "kind": seat["kind"],
                "name": names.get(seat["seat"], seat["name"]),
                "visitors": visitors(seat["seat"]),
                **person(seat["seat"], seat["kind"]),
            }
            for seat in at
        ],
        "spectators": visitors(SPECTATING),
    }
