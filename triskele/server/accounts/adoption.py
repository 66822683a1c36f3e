"""The games of a guest become those of an account, and those of a deleted account lose its name."""

from collections.abc import Iterable

from sqlalchemy import delete, exists, select, update

from triskele.server.accounts.mail_links import Statements
from triskele.server.storage import schema
from triskele.server.tables.entries import TAKEN
from triskele.server.tables.outgoing import deliver
from triskele.server.tables.service import TableService
from triskele.server.tables.table import ENGINE, Table


async def adopt(tables: TableService, guest: str, account: str) -> int:
    """Give the seats of a guest to the visitor of an account; return at how many tables.

    A table at which both hold a seat stays as it is: in a game with secrets one person would see two hands.
    """
    holders = schema.holders.c
    own = select(holders.table_id).where(holders.visitor == account, holders.seat >= 0)
    moved = (holders.visitor == guest, holders.table_id.not_in(own))
    found = await tables.storage.read(lambda c: list(c.execute(select(holders.table_id).where(*moved)).scalars()))
    ids = sorted(set(found))
    if not ids:
        return 0
    columns, notices, chat = schema.tables.c, schema.notices.c, schema.chat.c
    statements: Statements = [
        (delete(schema.holders).where(holders.visitor == account, holders.seat < 0, holders.table_id.in_(ids)), ()),
        (update(schema.holders).where(holders.visitor == guest, holders.table_id.in_(ids)).values(visitor=account), ()),
        (update(schema.tables).where(columns.opener == guest, columns.id.in_(ids)).values(opener=account), ()),
        (update(schema.notices).where(notices.visitor == guest, notices.table_id.in_(ids)).values(visitor=account), ()),
        (update(schema.chat).where(chat.writer == guest, chat.table_id.in_(ids)).values(writer=account), ()),
    ]
    await tables.storage.write(statements=statements)
    for table in filter(None, map(tables.known, ids)):
        async with tables.locked(table) as current:
            _replace(current, guest, account)
            deliver(tables.broadcaster.seats_changed(current))
    for each in ids:
        tables.bus.publish(each, holders=True)
    return len(ids)


def _replace(table: Table, guest: str, account: str) -> None:
    if table.opener == guest:
        table.opener = account
    for holders in (table.spectators, *(seat.holders for seat in table.seats)):
        if guest in holders:
            holders.discard(guest)
            holders.add(account)
    for line in table.chat:
        if line.writer == guest:
            line.writer = account


def erasing_names(visitor: str) -> Statements:
    """Return the statements that take the names of a visitor's seats and lines of chat out of the database."""
    holders, seats, log, chat = schema.holders.c, schema.seats.c, schema.log.c, schema.chat.c
    mine = exists().where(holders.table_id == seats.table_id, holders.seat == seats.seat, holders.visitor == visitor)
    taken = exists().where(holders.table_id == log.table_id, holders.seat == log.seat, holders.visitor == visitor)
    return [
        (update(schema.seats).where(mine, seats.kind != ENGINE).values(name=""), ()),
        (update(schema.log).where(log.kind == TAKEN, taken).values(body=""), ()),
        (update(schema.chat).where(chat.writer == visitor).values(name=""), ()),
    ]


def erase_names(tables: TableService, visitors: Iterable[str]) -> None:
    """Take the names of visitors' seats and lines away from the tables in memory, and tell who follows them."""
    gone = set(visitors)
    for table in (*tables.loaded(), *tables.delayed()):
        mine = [seat for seat in table.seats if seat.person and seat.holders & gone]
        written = [line for line in table.chat if line.writer in gone]
        for seat in mine:
            seat.name = ""
        for line in written:
            line.name = ""
        if written:  # it is shown with the table
            deliver(tables.broadcaster.whole_table(table))
        elif mine:
            deliver(tables.broadcaster.seats_changed(table))
