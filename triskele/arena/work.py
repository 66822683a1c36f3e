"""Where work runs: on processes of this machine, or on a Dask cluster. Nothing else knows which.

Work comes in units that depend on nothing but their arguments, so a unit whose worker is lost is simply
done again. From then on units are told to be careful (``isolated``): engines get processes of their
own, and one that brings its process down is found out.
"""

import contextlib
import importlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
import types
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from triskele.arena.referee import is_spoilt
from triskele.core.errors import TriskeleError
from triskele.core.words import text
from triskele.engines.external import end_all

Result = TypeVar("Result")

ATTEMPTS = 4
"""So often a unit is tried when its workers get lost; then the work cannot be done."""
CONNECT_SECONDS = 20
_TICK = 0.5
_COUNT_EVERY = 5.0


@dataclass(frozen=True)
class Unit(Generic[Result]):
    """A piece of work: ``function(*arguments, isolated)``, both of which can be sent to another process."""

    key: Any
    function: Callable[..., Result]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class _Done:
    """What comes back: a result or what was raised, and whether the process should be replaced."""

    result: Any = None
    error: Exception | None = None
    spoilt: bool = False


def _perform(function: Callable[..., Any], arguments: tuple[Any, ...], isolated: bool) -> _Done:
    try:
        return _Done(function(*arguments, isolated), None, is_spoilt())
    except TriskeleError as error:
        return _Done(None, error, is_spoilt())
    except Exception:  # which may be one that cannot be sent
        return _Done(None, RuntimeError(traceback.format_exc()), is_spoilt())


@dataclass
class _Submitted:
    unit: Unit[Any]
    attempt: int = 0


# --- places to work -------------------------------------------------------------------------------


class _Here:
    """Processes of this machine."""

    answers = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: futures.ProcessPoolExecutor | None = None

    def executor(self) -> futures.Executor:
        if self._pool is None:
            # Spawned, because forking a process that has threads (compilers, clocks) may hang it.
            context = multiprocessing.get_context("spawn")
            self._pool = futures.ProcessPoolExecutor(self.workers, context, initializer=_begin_work)
        return self._pool

    def replace(self) -> None:
        """End all processes; the next unit gets new ones."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        # The pool has no way to end processes that are at work; those it has are in this attribute.
        processes = list((getattr(pool, "_processes", None) or {}).values())
        for process in processes:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                process.terminate()
        for process in processes:
            with contextlib.suppress(OSError, ValueError, AssertionError):
                process.join(2.0)
                if process.is_alive():
                    process.kill()
        # Only now: it waits for its processes, however long they take.
        pool.shutdown(wait=True, cancel_futures=True)

    close = replace


class _Cluster:
    """A Dask cluster, by the address of its scheduler."""

    def __init__(self, address: str) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise TriskeleError(text("arena.dask-missing")) from None
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise TriskeleError(text("arena.no-cluster", address=address[:200], why=str(error)[:200])) from None
        self._executor: futures.Executor = self._client.get_executor(pure=False)
        self._counted = 0.0
        self._workers = 1

    @property
    def workers(self) -> int:
        """How many units can run at once; workers come and go."""
        now = time.monotonic()
        if now - self._counted > _COUNT_EVERY:
            self._counted = now
            with contextlib.suppress(Exception):  # if it cannot be counted now, it is as it was
                self._workers = max(1, sum(self._client.nthreads().values()))
        return self._workers

    @property
    def answers(self) -> bool:
        """Whether the connection is up, or may come up again by itself."""
        return self._client.status not in {"closing", "closed"}

    def executor(self) -> futures.Executor:
        return self._executor

    def replace(self) -> None:
        """Nothing: the cluster replaces its own workers."""

    def close(self) -> None:
        with contextlib.suppress(Exception):  # whatever is wrong with it, we are leaving
            self._executor.shutdown(wait=False)
            self._client.close()


def _begin_work() -> None:
    """Set up a worker process: Ctrl-C is not for it, and when it ends or is orphaned its engines end too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_worker)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_outlive, args=(parent,), name="parent", daemon=True).start()


def _end_worker(*_: object) -> None:
    end_all()
    os._exit(1)


def _outlive(parent: Any) -> None:
    parent.join()
    _end_worker()


# --- the crew -------------------------------------------------------------------------------------


@dataclass
class Crew:
    """Those who do the work. Use it in a ``with`` statement: at its end nothing is left running.

    By default as many processes as there are processors; 0 workers: all is done in this process.
    """

    workers: int | None = None
    cluster: str | None = None
    _place: _Here | _Cluster | None = field(default=None, repr=False)
    _careful: bool = field(default=False, repr=False)

    def __enter__(self) -> "Crew":
        """Connect to the cluster, if one is named. Processes are started when there is work."""
        if self.cluster:
            self._place = _Cluster(self.cluster)
        elif self.workers != 0:
            self._place = _Here(self.workers or os.cpu_count() or 1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: types.TracebackType | None
    ) -> None:
        """End what is running."""
        place, self._place = self._place, None
        if place is not None:
            place.close()

    def run(self, units: Iterable[Unit[Result]]) -> Generator[tuple[Any, Result], None, None]:
        """Yield the key and the result of every unit, in the order in which they are done.

        Units are taken as they are needed, so they may be endless; leaving off early is fine. What a
        unit raises is raised here.
        """
        if self.workers == 0 and not self.cluster:
            for unit in units:
                yield unit.key, unit.function(*unit.arguments, False)
            return
        assert self._place is not None, "a crew works inside its with statement"
        waiting = iter(units)
        again: list[_Submitted] = []
        running: dict[futures.Future[_Done], _Submitted] = {}
        retiring = False
        try:
            while True:
                if retiring and not running:
                    self._place.replace()
                    retiring = False
                while not retiring and len(running) < self._place.workers + 1:
                    submitted = again.pop() if again else _next(waiting)
                    if submitted is None:
                        break
                    self._submit(submitted, running)
                if not running:
                    return
                ready, _ = futures.wait(running, timeout=_TICK, return_when=futures.FIRST_COMPLETED)
                for future in ready:
                    submitted = running.pop(future)
                    done = self._outcome(future)
                    if done is None:
                        self._careful = True
                        again.append(_once_more(submitted))
                    elif done.error is not None:
                        raise done.error
                    else:
                        retiring = retiring or done.spoilt
                        yield submitted.unit.key, done.result
        finally:
            if self._place is not None and self._place.answers:
                for future in running:
                    future.cancel()

    def _submit(self, submitted: _Submitted, running: dict["futures.Future[_Done]", _Submitted]) -> None:
        assert self._place is not None
        unit = submitted.unit
        if not self._place.answers:
            raise TriskeleError(text("arena.workers-gone", why=self.cluster or ""))
        for _ in range(2):
            try:
                future = self._place.executor().submit(_perform, unit.function, unit.arguments, self._careful)
            except futures.BrokenExecutor:
                # The pool broke since it was last looked at: those it had will come back as lost.
                self._place.replace()
            except Exception as error:  # each kind of executor has its own ways of being closed
                raise TriskeleError(text("arena.workers-gone", why=str(error)[:200])) from None
            else:
                running[future] = submitted
                return
        raise TriskeleError(text("arena.workers-lost", n=ATTEMPTS))

    def _outcome(self, future: "futures.Future[_Done]") -> _Done | None:
        """Return what came of a unit; ``None`` when its worker was lost."""
        try:
            done = future.result()
        except (Exception, futures.CancelledError):
            # The unit's own exceptions come in what it returns: this one is about the worker.
            return None
        return done


def _next(waiting: Iterator[Unit[Any]]) -> _Submitted | None:
    unit = next(waiting, None)
    return None if unit is None else _Submitted(unit)


def _once_more(submitted: _Submitted) -> _Submitted:
    if submitted.attempt + 1 >= ATTEMPTS:
        raise TriskeleError(text("arena.workers-lost", n=ATTEMPTS))
    return _Submitted(submitted.unit, submitted.attempt + 1)
