"""The service container: all services of a server, made together, started and stopped together."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from sqlalchemy import text

from triskele.server.accounts.services import AccountServices
from triskele.server.addresses import AddressBook
from triskele.server.bus import bus_of
from triskele.server.clocks.conditional_moves import ConditionalMoves
from triskele.server.clocks.flags import FlagScheduler
from triskele.server.clocks.timekeeper import KeptTimekeeper
from triskele.server.clocks.vacations import Vacations
from triskele.server.engines.pictures import Pictures
from triskele.server.engines.reviews import Reviews
from triskele.server.engines.scheduler import Scheduler
from triskele.server.engines.seats import EngineSeats
from triskele.server.engines.worker_pool import workers
from triskele.server.live.broadcast import LiveBroadcaster
from triskele.server.live.connection import LiveConnection, LiveServices
from triskele.server.live.lobby import LobbyFollowers
from triskele.server.live.notices import NoticeFollowers
from triskele.server.live.presence import Presence
from triskele.server.lobby.exchange import LobbyExchange
from triskele.server.lobby.service import Lobby
from triskele.server.lobby.watching import GamesToWatch
from triskele.server.maintenance import Maintenance
from triskele.server.metrics import Figures, Metrics
from triskele.server.moderation.sanctions import BAN, Sanctions
from triskele.server.moderation.service import Moderation
from triskele.server.moderation.tokens import HostTokens
from triskele.server.notices.services import NoticeServices
from triskele.server.rate_limits import ConcurrencyLimiter, RateLimiter, RefusalLog, TokenBucket
from triskele.server.ratings.eligibility import Eligibility
from triskele.server.ratings.leaderboards import Leaderboards
from triskele.server.ratings.service import RatingService
from triskele.server.settings import Settings
from triskele.server.storage.database import Storage, StorageFailed
from triskele.server.storage.lock import DatabaseLock
from triskele.server.tables.chat import ChatService
from triskele.server.tables.delayed import DelayedTables
from triskele.server.tables.dice import DiceRoller
from triskele.server.tables.keys import Keys
from triskele.server.tables.opening import TableOpener
from triskele.server.tables.seating import Seating
from triskele.server.tables.service import TableService
from triskele.server.tables.visitors import Visitors

_BAD_INPUT = {"form", "characters", "name", "account-name", "option", "chat"}
_BAD_INPUT |= {"mail-address", "hook-address", "push-keys", "time-zone"}
"""The codes of refusals that no page of ours causes: a line in the log tells a host that somebody tries things out."""
_LAG_SECONDS = 0.1
"""How often the lag of the event loop is measured."""
_LAG_WINDOW_SECONDS = 60.0
"""The lag that is shown is the worst of this time; asking for it changes nothing."""
_CHECK_HOLDS_SECONDS = 1.0
"""How long the answer whether the server is ready holds: asking often does not ask the database often."""
_CHECK_SECONDS = 2.0
"""How long the database may take to answer that it is there."""
_FAILED_SECONDS = 30.0
"""How long after a failure something counts as down, if nothing has succeeded since: then it is worth another try."""


class Services:
    """The services of one server process."""

    def __init__(self, settings: Settings, executor: Executor | None = None) -> None:
        """Open the database; engines work on ``executor`` if one is given."""
        self.settings = settings.prepare()
        assert self.settings.secret is not None
        limits = self.settings.limits
        self._database_lock = DatabaseLock(self.settings.database_url, shared=self.settings.bus is not None)
        self.metrics = Metrics()
        self._bad_input = RefusalLog(line="input that is not allowed (%s): %d refused")
        self.metrics.on_refused = self._refused
        self.storage = Storage(self.settings.database_url, limits.database_seconds)
        self.storage.on_written = self.metrics.commit.observe
        self.bus = bus_of(self.settings.bus, self.settings.secret, *self.settings.old_secrets)
        self.keys = Keys(self.settings.secret, *self.settings.old_secrets)
        self.visitors = Visitors(self.settings.secret, *self.settings.old_secrets)
        self.broadcaster = LiveBroadcaster(self.keys)
        self.tables = TableService(self.storage, self.bus, self.broadcaster, self.settings.idle_seconds, self.metrics)
        self.accounts = AccountServices(self.settings, self.tables, self.visitors)
        self.broadcaster.people = self.accounts
        self.tables.know_people = self.accounts.know
        self.accounts.sessions.listeners.append(
            lambda ended: self._disconnect(lambda each: each.caller.session_id in ended)
        )
        self.accounts.tokens.listeners.append(lambda ended: self._disconnect(lambda each: each.caller.token in ended))
        if self.settings.watch_delay > 0:
            self.delayed_tables = DelayedTables(self.tables, self.settings.watch_delay)
        self.timekeeper = KeptTimekeeper(self.storage, self.settings)
        self.tables.timekeeper = self.timekeeper
        self.timekeeper.on_outage = lambda: self.bus.publish("", outage=True)
        self.bus.on_process_lost = self._process_lost
        self.flags = FlagScheduler(self.tables, self.timekeeper)
        self.conditional_moves = ConditionalMoves(self.tables, limits.conditional_moves)
        self.vacations = Vacations(self.tables, self.timekeeper, self.flags, limits.vacation_days)
        self.presence = Presence(self.tables, self.broadcaster)
        self.notices = NoticeServices(self.settings, self.tables, self.accounts.mailer)
        self.tables.looks = self.broadcaster.looks
        self.notice_followers = NoticeFollowers(self.notices.service)
        self.eligibility = Eligibility(self.accounts.directory)
        self.seating = Seating(
            self.tables, self.keys, self.accounts.aversions.either_blocks, self.eligibility.check_seat
        )
        self.opener = TableOpener(self.tables)
        self.moderation = Moderation(self.tables, self.keys, Sanctions(self.storage, self.bus))
        self.moderation.sanctions.listeners.append(self._disconnect_banned)
        self.host_tokens = HostTokens(self.settings.secret, *self.settings.old_secrets)
        self.ratings = RatingService(self.tables, self.settings.sweep_seconds)
        self.moderation.annulled_listeners.append(lambda table: self.ratings.recheck())
        self.leaderboards = Leaderboards(self.storage, self.accounts.directory)
        self.open_connections: set[LiveConnection] = set()
        self.address_book = AddressBook()
        self.chat = ChatService(self.tables)
        overrun = limits.job_overrun_seconds
        self.engines = Scheduler(
            workers(self.settings.engine_processes, executor), overrun_seconds=overrun, group_of=self.address_book.group
        )
        self.engine_seats = EngineSeats(self.tables, self.engines, self.settings)
        # Whole positions go to these workers, secrets included: never to an executor of somebody else.
        self.jobs = Scheduler(
            workers(limits.job_processes),
            waiting_limit=limits.jobs_waiting,
            overrun_seconds=overrun,
            group_of=self.address_book.group,
        )
        self.pictures = Pictures(self.jobs, limits.picture_cache_bytes)
        self.reviews = Reviews(self.jobs, limits.review_cache_bytes)
        self.dice = DiceRoller(self.tables, self.settings.seed_seconds)
        self.request_limiter = RateLimiter(limits.requests_per_second, limits.requests_burst)
        self.table_limiter = RateLimiter(limits.tables_per_hour / 3600, limits.tables_per_hour)
        self.address_request_limiter = RateLimiter(limits.address_requests_per_second, limits.address_requests_burst)
        self.address_table_limiter = RateLimiter(limits.address_tables_per_hour / 3600, limits.address_tables_per_hour)
        self.visitor_limiter = RateLimiter(limits.visitors_per_hour / 3600, limits.visitors_per_hour)
        limiters = (
            self.request_limiter,
            self.table_limiter,
            self.visitor_limiter,
            self.address_request_limiter,
            self.address_table_limiter,
            self.accounts.exports,
            self.notices.dispatcher.limiter,
            *self.accounts.throttle.limiters,
        )
        blocks = self.accounts.aversions.either_blocks
        self.lobby = Lobby(
            self.accounts.directory,
            self.ratings,
            self.opener,
            limits,
            self.table_limiter.take,
            blocks,
            self.address_book.group,
        )
        self.lobby_exchange = LobbyExchange(self.lobby, self.bus)
        watching = GamesToWatch(self.lobby, self.tables, self.accounts.directory)
        self.accounts.claimed_listeners.append(watching.people_changed)
        self.accounts.deletion.listeners += [watching.people_changed, self.lobby.dismiss]
        self.lobby_followers = LobbyFollowers(self.lobby, self.lobby_exchange, watching)
        self.connection_limiter = ConcurrencyLimiter(limits.connections_per_visitor)
        self.advice_limiter = ConcurrencyLimiter(limits.advice_at_once)
        self.advice_limiter_of_visitor = ConcurrencyLimiter(limits.advice_per_visitor)
        self.record_limiter = ConcurrencyLimiter(limits.records_at_once)
        self.record_limiter_of_visitor = ConcurrencyLimiter(limits.records_per_visitor)
        self.maintenance = Maintenance(
            self.tables,
            self.broadcaster,
            self.presence,
            self.moderation,
            self.lobby_exchange,
            self.flags,
            limiters,
            self.settings,
        )
        self.maintenance.steps["deleting old sessions"] = self.accounts.delete_old
        self.maintenance.steps["deleting old notices"] = self.notices.delete_old
        self.maintenance.frequent_steps["looking for short time"] = self.notices.short_time.find
        self.upgrade_warnings = TokenBucket(1 / 60, 1)
        """A proxy that passes no WebSocket is logged once a minute, and not for every page that tries again."""
        self._started = time.monotonic()
        self._lags: deque[tuple[float, float]] = deque()
        self._checked: tuple[float, asyncio.Task[list[str]]] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def live(self) -> LiveServices:
        """Return the services that live connections use."""
        return LiveServices(
            settings=self.settings,
            identity=self.accounts.identity,
            tables=self.tables,
            chat=self.chat,
            broadcaster=self.broadcaster,
            presence=self.presence,
            connections=self.connection_limiter,
            sanctions=self.moderation.sanctions,
            opened=self.open_connections,
            address_book=self.address_book,
            lobby=self.lobby,
            lobby_followers=self.lobby_followers,
            notices=self.notices.service,
            notice_followers=self.notice_followers,
        )

    async def start(self) -> None:
        """Start; games that wait for an engine or a die go on by themselves."""
        self.metrics.add_figures(self._gauges, self._counters)
        if self.settings.metrics is not None:
            self.metrics.serve(*self.settings.metrics)
        self.storage.start()
        await self.moderation.sanctions.load()
        await self.accounts.start()
        await self.timekeeper.start()
        await self.bus.start(self._bus_message)
        loops = (
            self.maintenance.run(),
            self.timekeeper.run(),
            self.ratings.run(),
            self.lobby_followers.run(),
            self.notices.dispatcher.run(),
            self._measure_lag(),
        )
        self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def stop(self) -> None:
        """Stop, after writing what is still to be written."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.notices.stop()
        self.accounts.stop()
        self.flags.stop()
        self.conditional_moves.stop()
        await self.timekeeper.stop()
        self.engine_seats.stop()
        self.engines.stop()
        self.jobs.stop()
        await self.bus.stop()
        await self.maintenance.stop()
        await self.storage.stop()
        self.metrics.stop()
        self._database_lock.release()

    def _disconnect_banned(self) -> None:
        """Close the live connections of banned visitors; those who connect anew are told why nothing works."""
        sanctions = self.moderation.sanctions
        self._disconnect(lambda each: sanctions.find(BAN, each.visitor, each.address) is not None)

    def _disconnect(self, which: Callable[[LiveConnection], bool]) -> None:
        """Close some live connections; their pages connect anew, as whoever they are then."""
        for connection in list(self.open_connections):
            if which(connection):
                connection.outbox.disconnect()

    async def became_account(self, visitor: str) -> None:
        """Take note that a guest has become an account: connections of the guest end, also at other processes."""
        await self.accounts.claimed(visitor)
        self._disconnect_guests([visitor])

    def _disconnect_guests(self, visitors: list[str]) -> None:
        self._disconnect(lambda each: each.visitor in visitors and each.caller.account is None)

    def _refused(self, code: str) -> None:
        """Log a line a minute about bad input."""
        if code in _BAD_INPUT:
            self._bad_input.note(code)

    def _process_lost(self, since: int) -> None:
        """Act on another process that has left the bus: what it wrote last it may have told nobody."""
        self.timekeeper.suspect(since)
        self.maintenance.catch_up_soon()

    async def _bus_message(self, message: dict[str, Any]) -> None:
        await self.maintenance.step("hearing of accounts", lambda: self.accounts.heard(message))
        if "claimed" in message:
            self._disconnect_guests(message["claimed"])
        if "notices" in message:
            self.notices.service.heard(message["notices"])
            return
        if "outage" in message:
            await self.maintenance.step("reading outages", self.timekeeper.refresh)
            return
        await self.maintenance.bus_message(message)

    # --- monitoring -----------------------------------------------------------------------------------

    def health(self, version: str) -> dict[str, Any]:
        """Return the state of the process for monitoring; ``lag_ms`` is the worst of the last minute."""
        return {
            "version": version,
            "tables": len(self.tables),
            "seconds": round(time.monotonic() - self._started, 1),
            "commits": self.storage.commits,
            "lag_ms": round(max((lag for _, lag in self._lags), default=0.0) * 1000, 1),
        }

    def _gauges(self) -> Figures:
        """Return the figures of this moment; called on the thread of the metrics, so nothing here changes anything."""
        pools = {"engines": self.engines, "jobs": self.jobs}
        lag = max((lag for _, lag in list(self._lags)), default=0.0)
        return {
            "tables": ("Tables in memory", {"": len(self.tables)}),
            "clocks": ("Clocks that run, whose flags this process looks after", {"": len(self.flags)}),
            "connections": ("Live connections", {"": len(self.open_connections)}),
            "lobby": ("Live connections that follow the lobby", {"": len(self.lobby_followers)}),
            "queue_waiting": ("Jobs that wait for a worker", {name: pool.waiting for name, pool in pools.items()}),
            "queue_running": ("Jobs at work", {name: pool.running for name, pool in pools.items()}),
            "event_loop_lag_seconds": ("The worst delay of the event loop in the last minute", {"": lag}),
            "bus_connected": ("Whether the bus is there (or none is needed)", {"": float(self.bus.connected)}),
            "database_writable": ("Whether the last write succeeded", {"": float(self.storage.write_failed is None)}),
            "sanctions": ("Visitors, addresses and networks that are silenced or banned", {"": self._sanctioned()}),
        }

    def _sanctioned(self) -> int:
        return len(self.moderation.sanctions.all())

    def _counters(self) -> Figures:
        return {
            "commits": ("Commits of the database; each has the writes that came together", {"": self.storage.commits})
        }

    async def down(self) -> list[str]:
        """Return what the server needs and does not have now: ``database``, ``bus``, ``engines``."""
        if self._checked is None or self._checked[0] + _CHECK_HOLDS_SECONDS < time.monotonic():
            self._checked = (time.monotonic(), asyncio.create_task(self._check()))
        return await asyncio.shield(self._checked[1])

    async def _check(self) -> list[str]:
        works = {
            "database": await self._database_works(),
            "bus": self.bus.connected,
            "engines": not _recent(self.engines.failed),
        }
        return [name for name, is_up in works.items() if not is_up]

    async def _database_works(self) -> bool:
        if _recent(self.storage.write_failed):
            return False
        try:
            async with asyncio.timeout(_CHECK_SECONDS):
                await self.storage.read(lambda connection: connection.execute(text("SELECT 1")).scalar())
        except (StorageFailed, TimeoutError):
            return False
        return True

    async def _measure_lag(self) -> None:
        while True:
            due = time.monotonic() + _LAG_SECONDS
            await asyncio.sleep(_LAG_SECONDS)
            lag = time.monotonic() - due
            while self._lags and self._lags[-1][1] <= lag:  # they can never be the worst again
                self._lags.pop()
            self._lags.append((due, lag))
            while self._lags[0][0] < due - _LAG_WINDOW_SECONDS:
                self._lags.popleft()


def _recent(failed: float | None) -> bool:
    return failed is not None and time.monotonic() - failed < _FAILED_SECONDS
