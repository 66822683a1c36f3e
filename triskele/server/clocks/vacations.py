"""Vacations: a visitor is away, and the clocks of their seats in games over days rest."""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from triskele.core.time_control import DAY
from triskele.core.words import text
from triskele.server.clocks.flags import FlagScheduler
from triskele.server.clocks.timekeeper import KeptTimekeeper
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.tables.service import TableService, now

YEAR = 365 * DAY


@dataclass(frozen=True)
class Vacation:
    """Until when a visitor is away (``None``: they are not), and how many days of vacation are left this year."""

    until: int | None
    days_left: int


class Vacations:
    """Lets visitors be away for a number of days a year."""

    def __init__(self, tables: TableService, timekeeper: KeptTimekeeper, flags: FlagScheduler, days: int) -> None:
        """Allow ``days`` a year; ``flags`` look again at the clocks of who comes back early."""
        self._tables = tables
        self._timekeeper = timekeeper
        self._flags = flags
        self._days = days

    async def of(self, visitor: str) -> Vacation:
        """Return whether a visitor is away."""
        at = now()
        spans = await self._tables.storage.read(lambda connection: _of_last_year(connection, visitor, at))
        used = sum(min(until, at) - max(since, at - YEAR) for since, until in spans if since < at)
        coming = sum(until - max(since, at) for since, until in spans if until > at)
        until = max((until for since, until in spans if since <= at < until), default=None)
        return Vacation(until, max(0, (self._days * DAY - used - coming) // DAY))

    async def begin(self, visitor: str, days: int) -> Vacation:
        """Begin a vacation of some days now; ``Refusal`` if so many are not left, or one is on already."""
        known = await self.of(visitor)
        if known.until is not None or days > known.days_left:
            raise Refusal("vacation", text("server.vacation", n=known.days_left))
        row = {"visitor": visitor, "since": now(), "until": now() + days * DAY}
        await self._tables.storage.write(statements=[(insert(schema.vacations), [row])])
        await self._look_again(visitor)
        return await self.of(visitor)

    async def end(self, visitor: str) -> Vacation:
        """End a vacation now, if one is on."""
        vacations, at = schema.vacations, now()
        ended = update(vacations).where(vacations.c.visitor == visitor, vacations.c.until > at).values(until=at)
        held = select(schema.holders.c.table_id).where(schema.holders.c.visitor == visitor, schema.holders.c.seat >= 0)
        # Their deadlines may come earlier than was known.
        sooner = update(schema.deadlines).where(schema.deadlines.c.table_id.in_(held)).values(due=at)
        await self._tables.storage.write(statements=[(ended, ()), (sooner, ())])
        await self._look_again(visitor)
        return await self.of(visitor)

    async def _look_again(self, visitor: str) -> None:
        await self._timekeeper.refresh()
        for table in self._tables.loaded():
            if table.clock_control.pace == "days" and table.seats_of(visitor):
                self._flags.schedule(table)
        await self._flags.find_clocks()


def _of_last_year(connection: Connection, visitor: str, at: int) -> list[tuple[int, int]]:
    vacations = schema.vacations.c
    query = select(vacations.since, vacations.until).where(vacations.visitor == visitor, vacations.until > at - YEAR)
    return [(row.since, row.until) for row in connection.execute(query)]
