"""The dispatcher: decides by which ways notices are sent, claims what is due, sends it, and tries again."""

import asyncio
import contextlib
import logging
import secrets
from collections import Counter
from collections.abc import Mapping
from functools import partial

from triskele.server.notices import queue
from triskele.server.notices.preferences import Way
from triskele.server.notices.queue import Delivery
from triskele.server.notices.senders import Rejected, Sender, TryAgain
from triskele.server.rate_limits import RateLimiter
from triskele.server.refusal import log_failure
from triskele.server.settings import Limits
from triskele.server.storage.database import Conflict, Storage, StorageFailed
from triskele.server.tables.service import now

log = logging.getLogger("triskele.server")

_POLL_SECONDS = 5.0
"""How often the queue is looked at when nothing is known to be due."""
_GROWTH = 4
"""Each wait before another try is this many times the one before."""
_LONGEST_WAIT_SECONDS = 6 * 3600
_NOTE_SECONDS = 1.0
_STOP_SECONDS = 2.0
"""How long a server that stops waits for what is being sent."""
_PAUSE_SECONDS = 600.0
"""How long somebody who got as many notices as are allowed waits for the next."""


class Dispatcher:
    """Sends the notices of a server process; several processes share the work."""

    def __init__(self, storage: Storage, senders: Mapping[Way, Sender], limits: Limits, alone: bool) -> None:
        """Send with ``senders``; ``alone``: no other process shares the database."""
        self._storage = storage
        self._senders = senders
        self._limits = limits
        self._alone = alone
        self._due = asyncio.Event()
        self._sending: dict[str, asyncio.Task[None]] = {}
        """What is being sent, by the delivery's id."""
        self._busy: Counter[Way] = Counter()
        self.limiter = RateLimiter(limits.notices_per_hour / 3600, limits.notices_per_hour)
        self.sent = 0

    def wake(self) -> None:
        """Look at the queue when what has just happened is to be told."""
        with contextlib.suppress(RuntimeError):  # no loop: a command of the terminal
            asyncio.get_running_loop().call_later(self._limits.notice_wait_seconds + 0.01, self._due.set)

    async def run(self) -> None:
        """Send for ever."""
        holding = asyncio.create_task(self._hold())
        try:
            await self._begin()
            while True:
                self._due.clear()
                try:
                    await self.tell()
                    await self.send_due()
                except (StorageFailed, Conflict):
                    pass  # the storage has logged it
                except Exception as error:
                    log_failure(error, "sending notices")
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):
                        await self._due.wait()
        finally:
            holding.cancel()

    async def _begin(self) -> None:
        """Take over at once what this process had claimed before it was ended."""
        if self._alone:
            with contextlib.suppress(StorageFailed, Conflict):
                await self._storage.write(statements=[queue.releasing()])

    async def stop(self) -> None:
        """Let what is being sent come to an end, and give back the rest; the loop of :meth:`run` has ended."""
        if not self._sending:
            return
        _, unsent = await asyncio.wait(self._sending.values(), timeout=_STOP_SECONDS)
        ids = [name for name, task in self._sending.items() if task in unsent]
        for task in unsent:
            task.cancel()
        with contextlib.suppress(StorageFailed, Conflict):
            await self._storage.write(statements=[queue.releasing(ids)])

    async def tell(self) -> None:
        """Decide on notices that have waited for their person to look."""
        until = now() - int(self._limits.notice_wait_seconds * 1000)
        notices = await self._storage.read(lambda connection: queue.untold(connection, until))
        if notices:
            await self._storage.write(statements=queue.telling(notices, now(), self._storage.insert_once))

    async def send_due(self) -> None:
        """Begin to send what is due; by each way a number at a time, so that one that hangs holds up no other."""
        free = {way: self._limits.notices_at_once - self._busy[way] for way in self._senders}
        claim = secrets.token_hex(8)  # of these alone: what is being sent is not read again
        claims = [queue.claiming(claim, way, now(), self._lease_ms, most) for way, most in free.items() if most > 0]
        if not claims:
            return
        await self._storage.write(statements=claims)
        for delivery in await self._storage.read(lambda connection: queue.claimed(connection, claim)):
            self._busy[delivery.way] += 1
            task = self._sending[delivery.id] = asyncio.create_task(self._deliver(delivery))
            task.add_done_callback(partial(self._finished, delivery))

    def _finished(self, delivery: Delivery, task: "asyncio.Task[None]") -> None:
        self._sending.pop(delivery.id, None)
        self._busy[delivery.way] -= 1
        self._due.set()

    @property
    def _lease_ms(self) -> int:
        return int(self._limits.notice_claim_seconds * 1000)

    async def _hold(self) -> None:
        """Keep what is being sent, however long a mail server takes."""
        while True:
            await asyncio.sleep(self._limits.notice_claim_seconds / 3)
            if self._sending:
                with contextlib.suppress(StorageFailed, Conflict):
                    await self._storage.write(statements=[queue.holding(list(self._sending), now() + self._lease_ms)])

    async def _deliver(self, delivery: Delivery) -> None:
        """Send one delivery, and note what came of it."""
        try:
            statements = await self._tried(delivery)
        except (StorageFailed, Conflict):
            return  # nothing was sent yet
        except Exception as error:
            log_failure(error, f"a notice by {delivery.way}")
            statements = self._again(delivery, None)
        while True:
            try:
                await self._storage.write(statements=statements)
                return
            except (StorageFailed, Conflict):  # it was sent: it must be noted before anybody sends it again
                await asyncio.sleep(_NOTE_SECONDS)

    async def _tried(self, delivery: Delivery) -> list[queue.Statement]:
        if not delivery.notices:  # over, or seen meanwhile
            return queue.finishing(delivery, now())
        if not self.limiter.take(f"{delivery.account} {delivery.way}"):
            return queue.postponing(delivery, now() + int(_PAUSE_SECONDS * 1000), delivery.tries)
        try:
            await self._senders[delivery.way].send(delivery)
        except Rejected as rejected:
            log.warning("a notice by %s was not sent: %s", delivery.way, rejected.why)
        except TryAgain as trouble:
            if delivery.tries + 1 < self._limits.notice_tries:
                return self._again(delivery, trouble.after)
            log.warning("a notice by %s was given up after %d tries: %s", delivery.way, delivery.tries + 1, trouble.why)
        else:
            self.sent += 1
        return queue.finishing(delivery, now())

    def _again(self, delivery: Delivery, after: float | None) -> list[queue.Statement]:
        """Return the statements for another try: later each time, and not before the other side wants it."""
        wait = self._limits.notice_retry_seconds * _GROWTH**delivery.tries
        seconds = min(max(wait, after or 0.0), _LONGEST_WAIT_SECONDS)
        return queue.postponing(delivery, now() + int(seconds * 1000), delivery.tries + 1)

    async def delete_old(self) -> None:
        """Delete notices that nobody looked at for long."""
        before = now() - int(self._limits.notice_days * 86_400_000)
        await self._storage.write(statements=queue.deleting_old(before))
