"""Short time: in games over days, who has to move and has little time left is told once a turn."""

from sqlalchemy import Connection, select

from triskele.core.time_control import DAY, HOUR
from triskele.server.refusal import Refusal, log_failure
from triskele.server.storage import schema
from triskele.server.tables.matters import TIME, to_act
from triskele.server.tables.service import TableService, now
from triskele.server.tables.table import Table

_HORIZON = 200 * DAY
"""How far ahead weekends and vacations are looked at: longer than any clock lasts."""
_SHARE = 4
"""With short turns, time is short when a quarter of it is left."""
_LISTED = 500


class ShortTime:
    """Finds the clocks of games over days that will be out of time soon."""

    def __init__(self, tables: TableService, hours: float) -> None:
        """Tell people when ``hours`` are left, or a quarter of what they had if that is less."""
        self._tables = tables
        self._short = int(hours * HOUR)
        self._later: dict[str, int] = {}
        """When tables are worth another look, of those that were looked at too early."""

    async def find(self) -> None:
        """Write notices for those whose time has become short."""
        at = now()
        due = await self._tables.storage.read(lambda connection: _deadlines(connection, at + self._short))
        self._later = {table_id: until for table_id, until in self._later.items() if until > at and table_id in due}
        for table_id in due:
            if table_id in self._later or table_id in self._tables.unloadable:
                continue
            try:
                table = await self._tables.find(table_id)
                if table is not None:
                    await self._look(table)
            except Refusal:
                raise  # so will be all others
            except Exception as error:
                log_failure(error, f"the time of table {table_id}")

    async def _look(self, asked: Table) -> None:
        async with self._tables.locked(asked) as table:
            seat, at = table.running, now()
            if seat is None or table.clock is None:
                return
            due, had = table.due(seat, table.clock.since + _HORIZON), table.clock.clock.left(seat)
            short = due - min(self._short, had // _SHARE)
            if at < short:
                self._later[table.id] = short
                return
            matters = [each._replace(kind=TIME) for each in to_act(table)]
            rows = [each.row(table.id, at) for each in matters if not self._tables.looks(table, each.visitor)]
            self._later[table.id] = due
            if rows:
                await self._tables.storage.write(statements=[(self._tables.storage.insert_once(schema.notices), rows)])
        self._tables.noticed(table)


def _deadlines(connection: Connection, until: int) -> list[str]:
    deadlines = schema.deadlines.c
    query = select(deadlines.table_id).where(deadlines.due <= until).order_by(deadlines.due).limit(_LISTED)
    return list(connection.execute(query).scalars())
