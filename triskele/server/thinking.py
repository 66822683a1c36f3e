"""Where engines work: on an executor, processes of this machine unless another one is given."""

import asyncio
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from typing import Any, TypeVar

from triskele.server import jobs

T = TypeVar("T")


class Thinkers:
    """An executor that is made when first needed, and again when its processes have died."""

    def __init__(self, processes: int, executor: Executor | None = None) -> None:
        """Use ``processes`` of this machine, or any other executor."""
        self._processes = processes
        self._given = executor
        self._executor: Executor | None = executor

    def _ready(self) -> Executor:
        if self._executor is None:
            import multiprocessing

            # Forking a process that has threads is not safe, so workers start afresh.
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self._processes, mp_context=context, initializer=jobs.be_worker)
        return self._executor

    async def ask(self, job: Callable[..., T], *arguments: Any) -> T:
        """Run a job elsewhere and wait for its answer, while everything else goes on."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._ready(), job, *arguments)
        except BrokenExecutor:
            if self._given is not None:
                raise
            self._executor = None  # its processes were killed: others take over
            return await loop.run_in_executor(self._ready(), job, *arguments)

    def stop(self) -> None:
        """End the processes; what they were thinking about is forgotten."""
        if self._executor is None or self._executor is self._given:
            return
        processes = list(getattr(self._executor, "_processes", None) or {})
        workers = dict(getattr(self._executor, "_processes", None) or {})
        self._executor.shutdown(wait=False, cancel_futures=True)
        for pid in processes:
            workers[pid].terminate()
