"""The timekeeper: knows when clocks rest, because the server was down, at weekends, and on vacations.

Each process of the server writes a heartbeat into the database. A gap in the heartbeats is an outage: of a process that
was killed, hung, or could not reach the database. Outages are kept, so that no process ever charges anybody for one.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Executable, delete, insert, select

from triskele.core.rest_times import Span, union, weekends
from triskele.core.time_control import DAY, TimeControl
from triskele.server.refusal import log_failure
from triskele.server.settings import Settings
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, Rows, Storage, StorageFailed
from triskele.server.tables.service import now
from triskele.server.tables.table_clock import ClockLimits

Statement = tuple[Executable, Rows]
log = logging.getLogger("triskele.server")

BEAT_MS = 1000
"""How often a process says that it is alive while a live clock runs at it."""
IDLE_BEAT_MS = 20_000
"""How often it does otherwise: a disk that sleeps is not woken every second."""
LATE_MS = 2000
"""How late a heartbeat may be before the process counts as down."""
_DOUBT_MS = 500
"""How late a heartbeat of another process may be until no flag falls before it has come, or is written off."""
RECONNECT_MS = 15_000
"""How long clocks rest after an outage: so long a page may wait until it tries to connect again."""
_KEPT_MS = 200 * DAY
"""For how long outages and vacations are looked at: no clock runs longer than its bank, with all its rests."""
_SUSPECTING_MS = 250
"""How often it is looked whether a process that has left the bus is down."""
_PEERS_SECONDS = 5.0
"""How often it is looked whether other processes are alive."""


class KeptTimekeeper:
    """The timekeeper of a server process; implements :class:`triskele.server.tables.table_clock.Timekeeper`."""

    def __init__(self, storage: Storage, settings: Settings) -> None:
        """Keep heartbeats, outages and vacations in ``storage``."""
        self._storage = storage
        self._several = settings.bus is not None
        self.process = secrets.token_hex(8)
        limits = settings.limits
        self.limits = ClockLimits(
            first_turn=round(1000 * limits.first_turn_seconds),
            lag=round(1000 * limits.lag_seconds),
            lag_total=round(1000 * limits.lag_total_seconds),
            claim=round(1000 * limits.claim_seconds),
        )
        self._outages: list[Span] = []
        self._vacations: dict[str, list[Span]] = {}
        self._beaten: int | None = None
        """When the last heartbeat was written; ``None`` before the first."""
        self._next = 0
        self._busy = False
        self._wake = asyncio.Event()
        self._peers_down = False
        """Whether another process seems to be down whose outage is not written yet."""
        self._suspected: int | None = None
        """Since when clocks rest because another process has left the bus, until it is known whether it is down."""
        self._suspected_at = 0
        self.on_outage: Callable[[], None] = lambda: None
        """Called when an outage was written that other processes do not know of."""

    # --- when clocks rest -------------------------------------------------------------------------

    def rests(self, control: TimeControl, holders: Iterable[str], since: int, until: int) -> Sequence[Span]:
        """Return when, between two times, the clock of a seat with these holders rests."""
        spans = [span for span in self._outages if span[1] > since] if self._outages else []
        at = now()
        if self._beaten is not None and self._is_late(at):
            spans.append((self._beaten, max(at, until)))
        if self._suspected is not None:
            spans.append((self._suspected, max(at, until)))
        if control.pace != "days":
            return union(spans) if len(spans) > 1 else spans
        away = [span for holder in holders for span in self._vacations.get(holder, ())]
        return union(spans, away, weekends(since, until) if control.weekdays else ())

    def is_resting(self, control: TimeControl, holders: Iterable[str], at: int) -> bool:
        """Whether the clock of a seat with these holders rests at a time."""
        return any(since <= at < until for since, until in self.rests(control, holders, at, at + 1))

    def _is_late(self, at: int) -> bool:
        """Whether this process has not been able to write its heartbeat: it hung, or the database is down."""
        return self._beaten is not None and at > self._next + LATE_MS

    @property
    def uncertain(self) -> bool:
        """Whether something seems to be down whose outage is not known yet: no flag may fall until it is."""
        return self._beaten is None or self._peers_down or self._suspected is not None or self._is_late(now())

    # --- heartbeats ---------------------------------------------------------------------------------

    async def start(self) -> None:
        """Note how long the server was down, and read what is known; a database that fails is tried again later."""
        with contextlib.suppress(StorageFailed, Conflict):  # the storage has logged it
            await self._begin()

    async def _begin(self) -> None:
        at = now()
        beats = await self._storage.read(_heartbeats)
        # A server of one process that begins has no other: whatever has beaten before is gone.
        alive = [row for row in beats if self._several and not row.stopped and row.next + LATE_MS >= at]
        statements: list[Statement] = []
        if beats and not alive:
            statements.append(_outage((max(row.time for row in beats), at + RECONNECT_MS)))
        gone = [row.process for row in beats if row not in alive]
        if gone:
            statements.append((delete(schema.heartbeats).where(schema.heartbeats.c.process.in_(gone)), ()))
        await self._beat(statements)
        await self.refresh()

    async def run(self) -> None:
        """Write heartbeats for ever."""
        peers = 0.0
        loop = asyncio.get_running_loop()
        while True:
            try:
                await self._beat_or_note_outage()
                doubt = self._peers_down or self._suspected is not None
                if self._several and (loop.time() >= peers or doubt):
                    peers = loop.time() + _PEERS_SECONDS
                    await self.refresh()
            except (StorageFailed, Conflict):
                pass  # the storage has logged it; the gap is noted when it works again
            except Exception as error:
                log_failure(error, "a heartbeat")
            self._wake.clear()
            await self._pause()

    async def _pause(self) -> None:
        if self._busy or self._suspected is not None:
            await asyncio.sleep((BEAT_MS if self._suspected is None else _SUSPECTING_MS) / 1000)
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(IDLE_BEAT_MS / 1000):
                await self._wake.wait()

    def suspect(self, since: int) -> None:
        """Let clocks rest since a time, until it is known whether another process that has left the bus is down.

        Its players connect to another one within a moment, and nobody is charged for that moment.
        """
        if self._suspected is None and self._several:
            self._suspected, self._suspected_at = since, now()
            self._wake.set()

    def set_busy(self, busy: bool) -> None:
        """Say whether a live clock runs at this process, so that its heartbeats are frequent."""
        if busy and not self._busy:
            self._wake.set()
        self._busy = busy

    async def stop(self) -> None:
        """Say that this process ends in good order."""
        if self._beaten is None:
            return
        with contextlib.suppress(StorageFailed, Conflict):  # then it counts as killed
            await self._beat(stopped=True)

    async def _beat_or_note_outage(self) -> None:
        at = now()
        if self._beaten is None:
            await self._begin()
        elif self._is_late(at):
            log.warning("clocks rested for %.1f seconds: no heartbeat could be written", (at - self._beaten) / 1000)
            span = (self._beaten, at + RECONNECT_MS)
            await self._beat([_outage(span)])
            self._outages = union(self._outages, [span])
            self.on_outage()
        else:
            await self._beat()

    async def _beat(self, more: Sequence[Statement] = (), stopped: bool = False) -> None:
        at = now()
        expected = at + (BEAT_MS if self._busy else IDLE_BEAT_MS)
        heartbeats = schema.heartbeats
        row = {"process": self.process, "time": at, "next": expected, "stopped": stopped}
        statements: list[Statement] = [
            *more,
            (delete(heartbeats).where(heartbeats.c.process == self.process), ()),
            (insert(heartbeats), [row]),
        ]
        await self._storage.write(statements=statements)
        self._beaten, self._next = at, expected

    # --- what other processes know ----------------------------------------------------------------------

    async def refresh(self) -> None:
        """Read outages and vacations; note the outage of another process that has stopped to beat."""
        since = now() - _KEPT_MS
        known = await self._storage.read(lambda connection: _known_rests(connection, since))
        self._outages, self._vacations = union(known.outages), known.vacations
        at = now()
        peers = [row for row in known.beats if not row.stopped and row.process != self.process and row.next < at]
        dead = [row for row in peers if row.next + LATE_MS < at]
        doubtful = any(row.next + _DOUBT_MS < at for row in peers if row not in dead)
        self._peers_down = doubtful or bool(dead)
        if self._suspected is not None:
            await self._resolve_suspicion(known.beats, dead, at)
        if not dead or not self._several:
            return
        heartbeats = schema.heartbeats
        spans = [(row.time, at + RECONNECT_MS) for row in dead]
        gone = [row.process for row in dead]
        removed = delete(heartbeats).where(heartbeats.c.process.in_(gone), heartbeats.c.next < at - LATE_MS)
        await self._storage.write(statements=[*(_outage(span) for span in spans), (removed, ())])
        self._outages = union(self._outages, spans)
        self._peers_down = doubtful
        self.on_outage()
        log.warning("clocks rested: %d other server processes stopped without a word", len(dead))

    async def _resolve_suspicion(self, beats: Sequence["_Beat"], dead: Sequence["_Beat"], at: int) -> None:
        """Let clocks run again when the processes that seemed to be down are dead, or have written a heartbeat since.

        Who has no live clock beats rarely: if that one is down it costs nobody anything.
        """
        busy = [
            row for row in beats if not row.stopped and row.process != self.process and row.next - row.time <= BEAT_MS
        ]
        if any(row.time <= self._suspected_at for row in busy if row not in dead):
            return
        suspected, self._suspected = self._suspected, None
        if suspected is not None and not dead:  # it was not down for long, but its players had to come back
            await self._storage.write(statements=[_outage((suspected, at))])
            self._outages = union(self._outages, [(suspected, at)])
            self.on_outage()


class _Beat(NamedTuple):
    """A heartbeat of a process."""

    process: str
    time: int
    next: int
    stopped: bool


class _Known(NamedTuple):
    """What the database knows about rests."""

    outages: list[Span]
    vacations: dict[str, list[Span]]
    beats: list[_Beat]


def _heartbeats(connection: Connection) -> list[_Beat]:
    return [
        _Beat(row.process, row.time, row.next, row.stopped) for row in connection.execute(select(schema.heartbeats))
    ]


def _known_rests(connection: Connection, since: int) -> _Known:
    outages, vacations = schema.outages.c, schema.vacations.c
    beats = _heartbeats(connection)  # first: whoever deletes one writes the outage with it
    down = connection.execute(select(outages.since, outages.until).where(outages.until > since))
    away: dict[str, list[Span]] = {}
    for row in connection.execute(select(schema.vacations).where(vacations.until > since)):
        away.setdefault(row.visitor, []).append((row.since, row.until))
    return _Known([(row.since, row.until) for row in down], away, beats)


def _outage(span: Span) -> Statement:
    return insert(schema.outages), [{"since": span[0], "until": span[1]}]
