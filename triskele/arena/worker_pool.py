"""The worker pool: runs work items on processes of this machine or on a Dask cluster.

A work item depends on nothing but its arguments, so one whose worker is lost is simply run again. From the first
loss on, items run with ``isolated`` set: every engine then gets a process of its own, so that an engine that brings its
process down is identified and loses its game.
"""

import os
import traceback
import types
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from triskele.arena.executors import Backend, open_backend
from triskele.arena.referee import has_abandoned_thread
from triskele.core.errors import TriskeleError
from triskele.core.words import text

Result = TypeVar("Result")

ATTEMPTS = 4
"""How often an item is tried when its workers get lost, before the run fails."""
_POLL_SECONDS = 0.5
"""How often workers are looked at while none of them has finished: a cluster's may have come or gone."""


@dataclass(frozen=True)
class WorkItem(Generic[Result]):
    """One call, ``function(*arguments, isolated)``. Function and arguments must be picklable."""

    key: Any
    function: Callable[..., Result]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class _Done:
    """What a worker sends back: a result or what was raised, and whether its process must be replaced."""

    result: Any = None
    error: Exception | None = None
    replace_process: bool = False


def _run(function: Callable[..., Any], arguments: tuple[Any, ...], isolated: bool) -> _Done:
    """Run an item in a worker process."""
    try:
        return _Done(function(*arguments, isolated), None, has_abandoned_thread())
    except TriskeleError as error:
        return _Done(None, error, has_abandoned_thread())
    except Exception:  # sent as text: not every exception can be pickled
        return _Done(None, RuntimeError(traceback.format_exc()), has_abandoned_thread())


@dataclass
class _Submitted:
    item: WorkItem[Any]
    attempt: int = 0


@dataclass
class WorkerPool:
    """Workers, to be used in a ``with`` statement: at its end nothing is left running.

    ``workers`` is the number of processes, by default one a processor; with 0 all items run in this process.
    ``cluster`` is the address of a Dask scheduler to use instead.
    """

    workers: int | None = None
    cluster: str | None = None
    _backend: Backend | None = field(default=None, repr=False)
    _isolated: bool = field(default=False, repr=False)

    def __enter__(self) -> "WorkerPool":
        """Connect to the cluster, if one is named. Processes are started with the first item."""
        if self.cluster or self.workers != 0:
            self._backend = open_backend(self.workers or os.cpu_count() or 1, self.cluster)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: types.TracebackType | None
    ) -> None:
        """End what is running."""
        backend, self._backend = self._backend, None
        if backend is not None:
            backend.close()

    def run(self, items: Iterable[WorkItem[Result]]) -> Generator[tuple[Any, Result], None, None]:
        """Yield the key and the result of every item, in the order in which they finish.

        Items are taken from the iterable as workers become free, so it may be endless; the generator may be closed
        early. What an item raises is raised here. ``TriskeleError`` when an item loses its worker again and again.
        """
        if self.workers == 0 and not self.cluster:
            for item in items:
                yield item.key, item.function(*item.arguments, False)
            return
        assert self._backend is not None, "a worker pool is used inside its with statement"
        waiting = iter(items)
        again: list[_Submitted] = []
        running: dict[futures.Future[_Done], _Submitted] = {}
        restarting = False
        try:
            while True:
                if restarting and not running:
                    self._backend.restart()
                    restarting = False
                while not restarting and len(running) < self._backend.workers + 1:
                    submitted = again.pop() if again else _next(waiting)
                    if submitted is None:
                        break
                    self._submit(submitted, running)
                if not running:
                    return
                ready, _ = futures.wait(running, timeout=_POLL_SECONDS, return_when=futures.FIRST_COMPLETED)
                for future in ready:
                    submitted = running.pop(future)
                    done = self._outcome(future)
                    if done is None:
                        self._isolated = True
                        again.append(_retry(submitted))
                    elif done.error is not None:
                        raise done.error
                    else:
                        restarting = restarting or done.replace_process
                        yield submitted.item.key, done.result
        finally:
            if self._backend is not None and self._backend.is_connected:
                for future in running:
                    future.cancel()

    def _submit(self, submitted: _Submitted, running: dict["futures.Future[_Done]", _Submitted]) -> None:
        assert self._backend is not None
        item = submitted.item
        if not self._backend.is_connected:
            raise TriskeleError(text("arena.workers-gone", why=self.cluster or ""))
        for _ in range(2):
            try:
                future = self._backend.executor().submit(_run, item.function, item.arguments, self._isolated)
            except futures.BrokenExecutor:
                # A worker died since the last call: the items that were running come back as lost.
                self._backend.restart()
            except Exception as error:  # each kind of executor has its own ways of being closed
                raise TriskeleError(text("arena.workers-gone", why=str(error)[:200])) from None
            else:
                running[future] = submitted
                return
        raise TriskeleError(text("arena.workers-lost", n=ATTEMPTS))

    def _outcome(self, future: "futures.Future[_Done]") -> _Done | None:
        """Return what came of an item; ``None`` when its worker was lost."""
        try:
            done = future.result()
        except (Exception, futures.CancelledError):
            # The item's own exceptions are in what it returns: this one is about the worker.
            return None
        return done


def _next(waiting: Iterator[WorkItem[Any]]) -> _Submitted | None:
    item = next(waiting, None)
    return None if item is None else _Submitted(item)


def _retry(submitted: _Submitted) -> _Submitted:
    if submitted.attempt + 1 >= ATTEMPTS:
        raise TriskeleError(text("arena.workers-lost", n=ATTEMPTS))
    return _Submitted(submitted.item, submitted.attempt + 1)
