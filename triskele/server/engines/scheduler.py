"""The scheduler: which job a worker does next, so that no visitor waits for all jobs of another.

Each visitor has one job at a time at work; addresses with waiting jobs are served in turn (round robin), and so are the
visitors of an address. A watchdog ends jobs that take far longer than they should. Everything here happens on the event
loop; the workers do the work.
"""

import asyncio
import contextlib
import heapq
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from triskele.server.refusal import Refusal, log

T = TypeVar("T")
_TRIES = 2
"""A job whose worker dies is done once more by another; one that kills two workers is given up."""


class Worker(Protocol):
    """Does one job at a time."""

    def submit(self, job: Callable[..., T], *arguments: Any) -> "Future[T]":
        """Begin a job; its future fails with ``BrokenExecutor`` when the worker dies."""

    def end(self) -> None:
        """End the job at work: its future fails with ``BrokenExecutor`` soon. The worker can be used again then."""

    def stop(self) -> None:
        """End for good, whatever the worker is doing."""


class Timer(Protocol):
    """A call that will be made later."""

    def cancel(self) -> None:
        """Do not make it."""


CallLater = Callable[[float, Callable[[], None]], Timer]


class WorkerLost(Refusal):
    """A job took far too long, or its worker died twice."""

    def __init__(self) -> None:
        """Refuse as ``busy``."""
        super().__init__("busy")


class Unwanted(Exception):
    """Nobody wanted the answer any more when it was the job's turn."""


@dataclass(eq=False)
class _Job:
    visitor: str
    job: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    wanted: Callable[[], bool] | None
    answer: "asyncio.Future[Any]"
    order: tuple[bool, int]
    """Its place among the visitor's jobs: urgent ones first, then by age."""
    tries: int = 0
    timer: Timer | None = None

    def __lt__(self, other: "_Job") -> bool:
        return self.order < other.order

    def fail(self, error: BaseException) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(eq=False)
class _Visitor:
    """A visitor with jobs: those that wait (a heap), and whether one is at work."""

    name: str
    group: str
    waiting: list[_Job] = field(default_factory=list)
    working: bool = False


class Scheduler:
    """Runs jobs on workers, one at a time for each visitor, and the visitors in turn."""

    def __init__(
        self,
        workers: Sequence[Worker],
        *,
        waiting_limit: int | None = None,
        overrun_seconds: float = 60.0,
        group_of: Callable[[str], str] | None = None,
        call_later: CallLater | None = None,
    ) -> None:
        """Use ``workers``; of more than ``waiting_limit`` waiting jobs one is refused as ``busy``.

        A job may take ``overrun_seconds`` longer than was said when it was given. Visitors of one group (an address)
        share a turn; without ``group_of`` each has their own. ``call_later`` is the event loop's.
        """
        self._group_of = group_of or (lambda visitor: visitor)
        self._workers = list(workers)
        self._idle = list(workers)
        self._waiting_limit = waiting_limit
        self._overrun_seconds = overrun_seconds
        self._call_later = call_later
        self._visitors: dict[str, _Visitor] = {}
        self._turns: OrderedDict[str, OrderedDict[str, _Visitor]] = OrderedDict()
        """The visitors with waiting jobs and none at work, by group: the next group first, in it the next one."""
        self._numbers = itertools.count()
        self._stopped = False
        self.waiting = 0
        """The number of jobs that wait for a worker."""
        self.failed: float | None = None
        """When a job was given up because of its worker (monotonic), if none has been done since."""

    @property
    def running(self) -> int:
        """The number of jobs at work."""
        return len(self._workers) - len(self._idle)

    async def run(
        self,
        visitor: str,
        job: Callable[..., T],
        *arguments: Any,
        seconds: float = 0.0,
        urgent: bool = False,
        wanted: Callable[[], bool] | None = None,
    ) -> T:
        """Do a job for a visitor when it is its turn, and return the answer; the event loop goes on meanwhile.

        ``seconds`` is how long it should take at most; ``urgent`` jobs are done before the visitor's other ones. When
        ``wanted`` says no as its turn comes, it is not done, and this raises ``Unwanted``. It raises ``Refusal``
        (``busy``) when too many jobs wait, and ``WorkerLost`` when a worker cannot do it.
        """
        if self._stopped:
            raise Refusal("busy")
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        order = (not urgent, next(self._numbers))
        added = _Job(visitor, job, arguments, seconds, wanted, answer, order)
        self._enqueue(added)
        self._dispatch()
        if self._waiting_limit is not None and self.waiting > self._waiting_limit:
            self._refuse_one()
        try:
            return await answer
        finally:
            if answer.cancelled():
                self._give_up(added)

    def stop(self) -> None:
        """Refuse all that waits, and end the workers."""
        self._stopped = True
        for visitor in self._visitors.values():
            for job in visitor.waiting:
                job.fail(Refusal("busy"))
        self._visitors.clear()
        self._turns.clear()
        self.waiting = 0
        for worker in self._workers:
            worker.stop()

    # --- the queue -------------------------------------------------------------------------------

    def _enqueue(self, job: _Job) -> None:
        visitor = self._visitors.get(job.visitor)
        if visitor is None:
            visitor = self._visitors[job.visitor] = _Visitor(job.visitor, self._group_of(job.visitor))
        heapq.heappush(visitor.waiting, job)
        self.waiting += 1
        if not visitor.working:
            self._await_turn(visitor)

    def _await_turn(self, visitor: _Visitor) -> None:
        self._turns.setdefault(visitor.group, OrderedDict()).setdefault(visitor.name, visitor)

    def _leave_turn(self, visitor: _Visitor) -> None:
        group = self._turns.get(visitor.group)
        if group is not None:
            group.pop(visitor.name, None)
            if not group:
                del self._turns[visitor.group]

    def _give_up(self, job: _Job) -> None:
        """Take a job that was cancelled or refused out of the queue, if it is there."""
        visitor = self._visitors.get(job.visitor)
        if visitor is not None and job in visitor.waiting:
            self.waiting -= 1
            visitor.waiting.remove(job)
            heapq.heapify(visitor.waiting)
            self._drop_idle(visitor)

    def _drop_idle(self, visitor: _Visitor) -> None:
        if not visitor.waiting:
            self._leave_turn(visitor)
            if not visitor.working:
                self._visitors.pop(visitor.name, None)

    def _refuse_one(self) -> None:
        """Refuse the last job of the address, and of its visitors the one, with most waiting.

        So nobody can fill the queue for others.
        """
        waiting = [visitor for visitor in self._visitors.values() if visitor.waiting]
        of_group: dict[str, int] = {}
        for visitor in waiting:
            of_group[visitor.group] = of_group.get(visitor.group, 0) + len(visitor.waiting)
        worst = max(waiting, key=lambda v: (of_group[v.group], len(v.waiting), max(v.waiting).order))
        job = max(worst.waiting)
        self._give_up(job)
        job.fail(Refusal("busy"))

    def _next(self) -> _Job | None:
        """Take the next job out of the queue; ``None`` when no visitor may have another one now."""
        while self._turns:
            group = next(iter(self._turns.values()))
            visitor = next(iter(group.values()))
            job = heapq.heappop(visitor.waiting)
            self.waiting -= 1
            if job.wanted is None or job.wanted():
                visitor.working = True
                self._leave_turn(visitor)
                if group:  # others of the group wait until all other groups had their turn
                    self._turns.move_to_end(visitor.group)
                return job
            job.fail(Unwanted())
            self._drop_idle(visitor)
        return None

    # --- the workers -----------------------------------------------------------------------------

    def _dispatch(self) -> None:
        while self._idle and not self._stopped:
            job = self._next()
            if job is None:
                return
            self._start(self._idle.pop(), job)

    def _start(self, worker: Worker, job: _Job) -> None:
        loop = asyncio.get_running_loop()
        job.tries += 1
        try:
            future = worker.submit(job.job, *job.arguments)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)

        def done(future: "Future[Any]") -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._finished, worker, job, future)

        call_later = self._call_later or loop.call_later
        job.timer = call_later(job.seconds + self._overrun_seconds, lambda: self._overdue(worker, job))
        future.add_done_callback(done)

    def _overdue(self, worker: Worker, job: _Job) -> None:
        log.error("a worker did not answer in time and is ended")
        self._lose(job)
        worker.end()

    def _lose(self, job: _Job) -> None:
        self.failed = time.monotonic()
        job.fail(WorkerLost())

    def _finished(self, worker: Worker, job: _Job, future: "Future[Any]") -> None:
        if job.timer is not None:
            job.timer.cancel()
        self._idle.append(worker)
        if self._stopped:
            job.fail(Refusal("busy"))
            return
        visitor = self._visitors[job.visitor]
        visitor.working = False
        if visitor.waiting:
            self._await_turn(visitor)
        error = BrokenExecutor() if future.cancelled() else future.exception()
        if job.answer.done():
            pass  # it was cancelled, or came too late
        elif error is None:
            self.failed = None
            job.answer.set_result(future.result())
        elif not isinstance(error, BrokenExecutor):
            job.fail(error)
        elif job.tries < _TRIES:
            log.error("a worker died; its job is done again")
            self._enqueue(job)
        else:
            log.error("a worker died again; its job is given up")
            self._lose(job)
        self._drop_idle(visitor)
        self._dispatch()
