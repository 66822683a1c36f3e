"""Profiles: what everybody may see of an account, computed from the database alone.

Of games at private tables only their players learn anything; nothing of any position is here.
"""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, select

from triskele.core.errors import OptionError
from triskele.core.game import game
from triskele.server.accounts.directory import Account
from triskele.server.accounts.learned import counted
from triskele.server.storage import schema
from triskele.server.tables.table import ENGINE

GAMES_READ = 5000
"""The games of an account that a profile counts, the newest first."""
_LAST = 20
_OPPONENTS = 10
Document = dict[str, Any]
Result = str


def profile(account: Account, viewer: str | None) -> Callable[[Connection], Document]:
    """Return the query for the profile of an account, as a visitor may see it."""

    def run(connection: Connection) -> Document:
        played = _played(connection, account.visitor, viewer)
        seats = _seats(connection, [row["id"] for row in played])
        row = connection.execute(select(schema.accounts).where(schema.accounts.c.id == account.id)).one()
        games = [document for each in played if (document := _game(each, seats[each["id"]], account.visitor, viewer))]
        return {
            "name": account.name,
            "bot": account.bot,
            "owner": _owner(connection, row.owner),
            "created": account.created,
            "results": _results(games),
            "opponents": _opponents(games),
            "games": games[:_LAST],
            "learned": counted(json.loads(row.learned)),
        }

    return run


def _owner(connection: Connection, owner: str | None) -> str | None:
    accounts = schema.accounts.c
    query = select(accounts.name).where(accounts.id == owner, accounts.deleted.is_(None))
    return None if owner is None else connection.execute(query).scalar()


def _played(connection: Connection, visitor: str, viewer: str | None) -> list[dict[str, Any]]:
    """Return the finished games of a visitor that a viewer may know of."""
    tables, holders, annulled = schema.tables.c, schema.holders.c, schema.annulled.c
    mine = select(holders.table_id).where(holders.visitor == visitor, holders.seat >= 0)
    seen = tables.private.is_(False) | tables.rated.is_(True)
    if viewer is not None:
        theirs = select(holders.table_id).where(holders.visitor == viewer, holders.seat >= 0)
        seen = seen | tables.id.in_(theirs)
    query = (
        select(tables.id, tables.game, tables.options, tables.opened, tables.winners, tables.rated)
        .where(tables.id.in_(mine), tables.over.is_(True), seen)
        .where(tables.id.not_in(select(annulled.table_id)))
        .order_by(tables.opened.desc())
        .limit(GAMES_READ)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def _seats(connection: Connection, ids: list[str]) -> dict[str, list[Document]]:
    """Return the seats of tables: kind, level, holders, and the account of the first of them that has one."""
    found: dict[str, list[Document]] = {each: [] for each in ids}
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        held: dict[tuple[str, int], list[str]] = {}
        names: dict[str, tuple[str, bool]] = {}
        holders, accounts, seats = schema.holders, schema.accounts.c, schema.seats
        for row in connection.execute(select(holders).where(holders.c.table_id.in_(some), holders.c.seat >= 0)):
            held.setdefault((row.table_id, row.seat), []).append(row.visitor)
        visitors = sorted({visitor for each in held.values() for visitor in each})
        for at in range(0, len(visitors), 500):
            query = select(accounts.visitor, accounts.name, accounts.bot).where(
                accounts.visitor.in_(visitors[at : at + 500]), accounts.deleted.is_(None)
            )
            names.update({row.visitor: (row.name, row.bot) for row in connection.execute(query)})
        for row in connection.execute(select(seats).where(seats.c.table_id.in_(some)).order_by(seats.c.seat)):
            mine = held.get((row.table_id, row.seat), [])
            named = next((names[each] for each in mine if each in names), None)
            found[row.table_id].append(
                {"seat": row.seat, "kind": row.kind, "level": row.level, "holders": mine, "account": named}
            )
    return found


def _game(row: dict[str, Any], seats: list[Document], visitor: str, viewer: str | None) -> Document | None:
    """Return a game of somebody's; ``None`` for one with nobody else, or of a game that is not installed any more."""
    mine = [seat["seat"] for seat in seats if visitor in seat["holders"]]
    if len(mine) != 1 or row["winners"] is None:
        return None
    try:
        variant = game(row["game"]).variant(json.loads(row["options"]))
    except OptionError:
        return None
    won = [seat for seat in range(len(seats)) if row["winners"] >> seat & 1]
    return {
        "table": row["id"],
        "game": row["game"],
        "title": variant.game.title,
        "opened": row["opened"],
        "rated": row["rated"],
        "result": "draw" if not won else "win" if mine[0] in won else "loss",
        "others": [_other(seat) for seat in seats if seat["seat"] != mine[0]],
    }


def _other(seat: Document) -> Document:
    named = seat["account"]
    level = seat["level"] if seat["kind"] == ENGINE else None
    return {"name": None if named is None else named[0], "bot": named is not None and named[1], "level": level}


def _results(games: list[Document]) -> list[Document]:
    counts: dict[str, Counter[str]] = {}
    titles = {}
    for each in games:
        counts.setdefault(each["game"], Counter())[each["result"]] += 1
        titles[each["game"]] = each["title"]
    return [
        {"game": name, "title": titles[name], **{kind: found[kind] for kind in ("win", "draw", "loss")}}
        for name, found in sorted(counts.items())
    ]


def _opponents(games: list[Document]) -> list[Document]:
    """Return with whom somebody played most."""
    counts: dict[str, Counter[str]] = {}
    for each in games:
        for other in each["others"]:
            if other["name"] is not None:
                counts.setdefault(other["name"], Counter())[each["result"]] += 1
    most = sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))[:_OPPONENTS]
    return [{"name": name, **{kind: found[kind] for kind in ("win", "draw", "loss")}} for name, found in most]
