"""All data of an account as one file, with the records of its games; it is written as it is sent."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

import orjson
from fastapi import Response
from sqlalchemy import Connection, select
from starlette.responses import StreamingResponse

from triskele.core.errors import TriskeleError
from triskele.server.accounts.directory import Account
from triskele.server.engines import table_jobs
from triskele.server.http.context import JSON, Context
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.tables.account_names import accounts_of
from triskele.server.tables.history import record_source
from triskele.server.tables.service import now

_TRIES = 20
_WAIT_SECONDS = 0.5
FORMAT = "triskele-account/1"


async def export(asked: Context, account: Account) -> Response:
    """Return the file; a record is made when the one before was sent, so that it takes little memory."""
    accounts = asked.services.accounts
    kept = await accounts.upkeep.kept(account.id)
    sessions = await accounts.sessions.of_account(account.id)
    tokens = await accounts.tokens.of_account(account.id)
    head: dict[str, Any] = {
        "format": FORMAT,
        "account": {
            "name": account.name,
            "created": account.created,
            "mail": kept.mail,
            "mail_confirmed": kept.mail_confirmed,
            "has_password": kept.has_password,
            "language": kept.language,
        },
        "passkeys": [asdict(each) for each in kept.passkeys],
        "sessions": [asdict(each) for each in sessions],
        "tokens": [
            {"account": each.account.name, "name": each.name, "scopes": sorted(each.scopes), "created": each.created}
            for each in tokens
        ],
        "bots": kept.bots,
        "notices": await _notices(asked, account),
        "learned": kept.learned,
        **await asked.services.storage.read(lambda connection: _social(connection, account)),
    }
    ids = await asked.services.storage.read(lambda connection: _tables(connection, account.visitor))
    disposition = {"Content-Disposition": 'attachment; filename="triskele-account.json"', "Cache-Control": "no-store"}
    written = _written(asked, account.visitor, orjson.dumps(head), ids)
    return StreamingResponse(written, media_type=JSON, headers=disposition)


async def _notices(asked: Context, account: Account) -> dict[str, Any]:
    """Return what somebody has chosen about notices, and those that wait."""
    chosen = await asked.services.notices.upkeep.chosen(account.id, asked.caller.session_id)
    unseen = await asked.services.notices.service.unseen(account.visitor)
    return {
        **chosen.preferences.document(),
        "browsers": [asdict(each) for each in chosen.browsers],
        "hook": None if chosen.hook is None else chosen.hook[0],
        "unseen": [each.document(asked.language, now()) for each in unseen],
    }


def _tables(connection: Connection, visitor: str) -> list[str]:
    holders, tables = schema.holders.c, schema.tables.c
    mine = select(holders.table_id).where(holders.visitor == visitor, holders.seat >= 0)
    return list(connection.execute(select(tables.id).where(tables.id.in_(mine)).order_by(tables.opened)).scalars())


def _social(connection: Connection, account: Account) -> dict[str, Any]:
    """Return what somebody has written and whom they report, mute or block."""
    chat, reports, aversions = schema.chat.c, schema.reports, schema.aversions
    said = select(chat.table_id, chat.body, chat.time).where(chat.writer == account.visitor).order_by(chat.time)
    reported = select(reports.c.time, reports.c.table_id, reports.c.why, reports.c.body).where(
        reports.c.reporter == account.visitor
    )
    averse = select(aversions.c.kind, aversions.c.other, aversions.c.since).where(
        aversions.c.visitor == account.visitor
    )
    queries = {"chat": said, "reports": reported, "aversions": averse}
    found = {
        name: [{str(column): row[column] for column in row} for row in connection.execute(query).mappings()]
        for name, query in queries.items()
    }
    known = accounts_of(connection, {row["other"] for row in found["aversions"]})
    for row in found["aversions"]:  # by name; who has none stays nobody in somebody else's file
        other = known.get(row.pop("other"))
        row["name"] = None if other is None else other.name
    return found


async def _written(asked: Context, visitor: str, head: bytes, ids: list[str]) -> AsyncIterator[bytes]:
    yield head[:-1] + b',"games":['
    for number, table_id in enumerate(ids):
        yield (b"," if number else b"") + orjson.dumps({"table": table_id})[:-1]
        yield b',"records":['
        for count, record in enumerate(await _records(asked, visitor, table_id)):
            yield (b"," if count else b"") + record
        yield b"]}"
    yield b"]}"


async def _records(asked: Context, visitor: str, table_id: str) -> list[bytes]:
    """Return a game as each seat of the visitor's saw it; none if it cannot be read any more."""
    try:
        table = await asked.services.tables.find(table_id)
    except TriskeleError:
        return []
    if table is None:
        return []
    seats = table.seats_of(visitor)
    viewers = seats if table.hidden and table.outcome is None else seats[:1]
    async with table.lock:
        names = asked.services.accounts.record_names(table)
        sources = [record_source(table, seat, names) for seat in viewers]
    return [await _record(asked, source) for source in sources]


async def _record(asked: Context, source: Any) -> bytes:
    for _ in range(_TRIES):
        try:
            return await asked.services.jobs.run(asked.payer, table_jobs.write_record, source)
        except Refusal:  # the workers are busy: there is time
            await asyncio.sleep(_WAIT_SECONDS)
    return b"null"
