"""The executors that work runs on: processes of this machine, or a Dask cluster.

Both offer a ``concurrent.futures.Executor``; nothing outside this module depends on which of them it is.
"""

import contextlib
import importlib
import multiprocessing
import os
import signal
import threading
import time
from concurrent import futures
from typing import Any

from triskele.core.errors import TriskeleError
from triskele.core.words import text
from triskele.engines.external import end_all

CONNECT_SECONDS = 20
"""How long to wait for the scheduler of a cluster."""
_COUNT_SECONDS = 5.0
"""How long the number of a cluster's workers is remembered: asking takes a round trip to the scheduler."""


class LocalProcesses:
    """A pool of processes on this machine, started when the executor is first asked for."""

    is_connected = True

    def __init__(self, workers: int) -> None:
        """Plan ``workers`` processes; starts none yet."""
        self.workers = workers
        self._executor: futures.ProcessPoolExecutor | None = None

    def executor(self) -> futures.Executor:
        """Return the executor; after :meth:`restart` it is a new one."""
        if self._executor is None:
            # Spawned, because forking a process that has threads (compilers, clocks) may hang it.
            context = multiprocessing.get_context("spawn")
            self._executor = futures.ProcessPoolExecutor(self.workers, context, initializer=_initialize_worker)
        return self._executor

    def restart(self) -> None:
        """End all processes, also those at work; the next call of :meth:`executor` starts new ones."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        # The executor has no way to end processes that are at work; those it has are in this attribute.
        processes = list((getattr(executor, "_processes", None) or {}).values())
        for process in processes:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                process.terminate()
        for process in processes:
            with contextlib.suppress(OSError, ValueError, AssertionError):
                process.join(2.0)
                if process.is_alive():
                    process.kill()
        # Only now: it waits for its processes, however long they take.
        executor.shutdown(wait=True, cancel_futures=True)

    close = restart


class DaskCluster:
    """The workers of a Dask cluster, by the address of its scheduler."""

    def __init__(self, address: str) -> None:
        """Connect. ``TriskeleError`` when Dask is not installed or no scheduler answers."""
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise TriskeleError(text("arena.dask-missing")) from None
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise TriskeleError(text("arena.no-cluster", address=address[:200], why=str(error)[:200])) from None
        self._executor: futures.Executor = self._client.get_executor(pure=False)
        self._counted_at = 0.0
        self._workers = 1

    @property
    def workers(self) -> int:
        """How many calls can run at once; workers come and go."""
        now = time.monotonic()
        if now - self._counted_at > _COUNT_SECONDS:
            self._counted_at = now
            with contextlib.suppress(Exception):  # when they cannot be counted, the last number still serves
                self._workers = max(1, sum(self._client.nthreads().values()))
        return self._workers

    @property
    def is_connected(self) -> bool:
        """Whether the connection is up, or may come up again by itself."""
        return self._client.status not in {"closing", "closed"}

    def executor(self) -> futures.Executor:
        """Return the cluster's executor."""
        return self._executor

    def restart(self) -> None:
        """Do nothing: the cluster replaces its own workers."""

    def close(self) -> None:
        """Disconnect."""
        with contextlib.suppress(Exception):  # whatever is wrong with the connection, it is not needed any more
            self._executor.shutdown(wait=False)
            self._client.close()


Backend = LocalProcesses | DaskCluster
"""Where work runs."""


def open_backend(workers: int, cluster: str | None = None) -> Backend:
    """Return the cluster with this address, or ``workers`` processes of this machine. Close it after use."""
    return DaskCluster(cluster) if cluster else LocalProcesses(workers)


def _initialize_worker() -> None:
    """Set up a worker process: it ignores Ctrl-C, and ends with its parent, its engines' processes included."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_worker)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with_parent, args=(parent,), name="parent", daemon=True).start()


def _end_worker(*_: object) -> None:
    end_all()
    os._exit(1)


def _end_with_parent(parent: Any) -> None:
    parent.join()
    _end_worker()
