"""Chat between seated players; spectators neither read nor write it."""

from sqlalchemy import insert

from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict
from triskele.server.tables.moves import check_seat
from triskele.server.tables.outgoing import deliver
from triskele.server.tables.service import TableService, now
from triskele.server.tables.table import ChatLine, Table
from triskele.server.tables.validation import valid_chat

LINES_LIMIT = 2000
_TRIES = 3


class ChatService:
    """Stores lines of chat and broadcasts them."""

    def __init__(self, tables: TableService) -> None:
        """Store it in the database of ``tables``."""
        self._tables = tables

    async def add(self, table: Table, seat: int, writer: str, written: str) -> None:
        """Add a line of chat of a visitor who holds a seat at a table."""
        body = valid_chat(written)
        for _ in range(_TRIES):
            try:
                return await self._add(table, seat, writer, body)
            except Conflict:  # another process has added a line
                await self._tables.refresh(table)
        raise Refusal("busy")

    async def _add(self, asked: Table, seat: int, writer: str, body: str) -> None:
        async with self._tables.locked(asked) as table:
            check_seat(table, writer, seat)  # it may have been freed meanwhile
            if len(table.chat) >= LINES_LIMIT:
                raise Refusal("limit")
            line = ChatLine(len(table.chat), seat, body, now(), writer, table.seats[seat].name)
            row = {
                "table_id": table.id,
                "number": line.number,
                "seat": seat,
                "body": body,
                "time": line.time,
                "writer": writer,
                "name": line.name,
            }
            await self._tables.storage.write(statements=[(insert(schema.chat), [row])])
            table.chat.append(line)
            deliver(self._tables.broadcaster.chat_added(table, line.number))
        self._tables.bus.publish(table.id)
