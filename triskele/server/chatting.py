"""Chatting: seated players talk. Spectators neither hear nor speak."""

from sqlalchemy import insert

from triskele.server import schema, texts
from triskele.server.refusal import Refusal
from triskele.server.storage import Conflict, StorageFailed
from triskele.server.table import Said, Table
from triskele.server.tables import Tables, now
from triskele.server.telling import post

LINES_LIMIT = 2000
_TRIES = 3


class Chatting:
    """Keeps and tells what players say."""

    def __init__(self, tables: Tables) -> None:
        """Keep it in the database of ``tables``."""
        self._tables = tables

    async def say(self, table: Table, seat: int, written: str) -> None:
        """Say something at a table."""
        said = texts.chat(written)
        for _ in range(_TRIES):
            try:
                return await self._say(table, seat, said)
            except Conflict:  # somebody spoke at another process
                await self._tables.refresh(table)
            except StorageFailed:
                break
        raise Refusal("busy")

    async def _say(self, table: Table, seat: int, said: str) -> None:
        async with table.lock:
            if len(table.chat) >= LINES_LIMIT:
                raise Refusal("limit")
            line = Said(len(table.chat), seat, said, now())
            row = {"table_id": table.id, "number": line.number, "seat": seat, "body": said, "time": line.time}
            await self._tables.storage.write(statements=[(insert(schema.chat), [row])])
            table.chat.append(line)
            post(self._tables.teller.said(table, line.number))
        self._tables.bus.publish(table.id)
