"""The house: all services of a server, made together, started and stopped together."""

import asyncio
import time
from concurrent.futures import Executor
from typing import Any

from sqlalchemy import Connection, func, select

from triskele.server import listing, schema
from triskele.server.bus import bus_of
from triskele.server.catalogue import Catalogue
from triskele.server.chatting import Chatting
from triskele.server.dicing import Dicing
from triskele.server.engine_seats import EngineSeats
from triskele.server.keys import Keys
from triskele.server.limits import Buckets, Counts
from triskele.server.messages import PRESENCE_SECONDS
from triskele.server.opening import Opening
from triskele.server.presence import Presence
from triskele.server.refusal import log_failure
from triskele.server.seating import Seating
from triskele.server.settings import Settings
from triskele.server.storage import Storage
from triskele.server.table import Table
from triskele.server.tables import Tables, now
from triskele.server.telling import Teller
from triskele.server.thinking import Thinkers
from triskele.server.visitors import Visitors

_LAG_SECONDS = 0.1


class House:
    """Everything that serves one database."""

    def __init__(self, settings: Settings, executor: Executor | None = None) -> None:
        """Open the database; engines work on ``executor`` if one is given."""
        self.settings = settings.prepare()
        assert self.settings.secret is not None
        limits = self.settings.limits
        self.storage = Storage(self.settings.database_url)
        self.bus = bus_of(self.settings.bus)
        self.keys = Keys(self.settings.secret)
        self.visitors = Visitors(self.settings.secret)
        self.catalogue = Catalogue()
        self.tables = Tables(self.storage, self.bus, Teller(self.keys), self.settings.idle_seconds)
        self.presence = Presence(self.tables)
        self.seating = Seating(self.tables, self.keys)
        self.opening = Opening(self.tables)
        self.chatting = Chatting(self.tables)
        self.thinkers = Thinkers(self.settings.engine_processes, executor)
        self.engine_seats = EngineSeats(self.tables, self.thinkers, self.settings)
        self.dicing = Dicing(self.tables, self.settings.seed_seconds)
        self._warm: set[str] = set()
        self.tables.watchers.append(self._warm_up)
        self.requests = Buckets(limits.requests_per_second, limits.requests_burst)
        self.new_tables = Buckets(limits.tables_per_hour / 3600, limits.tables_per_hour)
        self.new_visitors = Buckets(limits.visitors_per_hour / 3600, limits.visitors_per_hour)
        self.connections = Counts(limits.connections_per_visitor)
        self.advice = Counts(limits.advice_at_once)
        self.advised = Counts(1)
        self.began = time.monotonic()
        self._lag = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to serve: games that wait for an engine or a die go on by themselves."""
        self.storage.start()
        await self.bus.start(self._heard)
        self._tasks = [asyncio.create_task(self._sweep()), asyncio.create_task(self._feel_lag())]

    async def stop(self) -> None:
        """Keep what is to be kept, and end."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.stop()
        await self.bus.stop()
        await self.storage.stop()

    def health(self, version: str) -> dict[str, Any]:
        """Return how the server is, for whoever watches over it."""
        lag, self._lag = self._lag, 0.0
        return {
            "version": version,
            "tables": len(self.tables),
            "seconds": round(time.monotonic() - self.began, 1),
            "commits": self.storage.commits,
            "lag_ms": round(lag * 1000, 1),
        }

    async def _feel_lag(self) -> None:
        """Feel by how much the event loop is late, at worst since somebody asked."""
        while True:
            due = time.monotonic() + _LAG_SECONDS
            await asyncio.sleep(_LAG_SECONDS)
            self._lag = max(self._lag, time.monotonic() - due)

    def _warm_up(self, table: Table) -> None:
        """Have the rules of a game that is played compiled, in the background; plain ones serve until then."""
        game = table.variant.game
        if game.name not in self._warm:  # asked again while it compiles, it would make us wait
            self._warm.add(game.name)
            game.linker.prepare()

    # --- looking after tables -------------------------------------------------------------------

    async def _sweep(self) -> None:
        since = now()  # at the start all, later those that another process seems to have left
        while True:
            try:
                await self._wake(since)
                self.tables.forget_idle()
                for buckets in (self.requests, self.new_tables, self.new_visitors):
                    buckets.forget_full()
                if self.settings.bus is not None:
                    await self._catch_up()
                    self.presence.repeat()
            except Exception as error:
                log_failure(error, "looking after tables")
            await asyncio.sleep(self.settings.sweep_seconds)
            since = now() - int(3 * self.settings.sweep_seconds * 1000)

    async def _wake(self, since: int) -> None:
        """Load tables at which nothing has happened since a time though an engine or a die was to."""
        for table_id in await self.storage.read(listing.left_alone(since)):
            table = await self.tables.find(table_id)
            if table is not None:
                self.engine_seats.look(table)
                self.dicing.look(table)

    async def _catch_up(self) -> None:
        """Look whether the bus has lost something."""
        newest = await self.storage.read(_newest)
        for table in self.tables.loaded():
            if table.followers and newest.get(table.id, 0) > table.seq:
                await self.tables.refresh(table)

    async def _heard(self, said: dict[str, Any]) -> None:
        try:
            if said["table"] is None:
                await self._catch_up()
                return
            table = self.tables.known(said["table"])
            if table is None:
                return
            if "present" in said:
                self.presence.heard(table, said["process"], said["present"])
            else:
                await self.tables.refresh(table)
        except Exception as error:
            log_failure(error, "hearing from another process")


def _newest(connection: Connection) -> dict[str, int]:
    log = schema.log.c
    recent = now() - int(10 * PRESENCE_SECONDS * 1000)
    query = select(log.table_id, func.max(log.seq)).where(log.time > recent).group_by(log.table_id)
    return dict(connection.execute(query).tuples().all())
