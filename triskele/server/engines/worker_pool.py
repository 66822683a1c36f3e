"""The worker pool: processes of this machine that do one job at a time, or another executor that does."""

import contextlib
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError, ProcessPoolExecutor
from typing import Any, TypeVar

from triskele.server.engines import jobs
from triskele.server.engines.scheduler import Worker

T = TypeVar("T")


class WorkerProcess:
    """One process, started when it is first needed, and started again after it has died.

    Each process has an executor of its own: when one dies, the others and their jobs are not affected.
    """

    def __init__(self) -> None:
        """Start nothing yet."""
        self._executor: ProcessPoolExecutor | None = None
        self._stopped = False

    def submit(self, job: Callable[..., T], *arguments: Any) -> "Future[T]":
        """Begin a job; its future fails with ``BrokenExecutor`` when the process dies."""
        if self._stopped:
            raise BrokenExecutor
        if self._executor is None:
            self._executor = _one_process()
        try:
            return self._executor.submit(job, *arguments)
        except BrokenExecutor:  # it died while it had nothing to do
            self._executor.shutdown(wait=False)
            self._executor = _one_process()
            return self._executor.submit(job, *arguments)

    def end(self) -> None:
        """Kill the process; the job's future fails with ``BrokenExecutor`` when it is dead."""
        for process in self._processes():
            process.kill()

    def stop(self) -> None:
        """End the process, whatever it is working on."""
        self._stopped = True
        if self._executor is not None:
            processes = self._processes()  # shutdown() forgets them
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()

    def _processes(self) -> list[Any]:
        # The executor has no public way to end a process that is at work.
        return list((getattr(self._executor, "_processes", None) or {}).values())


def _one_process() -> ProcessPoolExecutor:
    import multiprocessing

    # Forking a process that has threads is not safe.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=context, initializer=jobs.initialize_worker)


class ExecutorWorker:
    """One place on an executor that belongs to somebody else, a cluster's for instance."""

    def __init__(self, executor: Executor) -> None:
        """Run jobs on ``executor``, which is never shut down here."""
        self._executor = executor
        self._answer: Future[Any] | None = None

    def submit(self, job: Callable[..., T], *arguments: Any) -> "Future[T]":
        """Begin a job."""
        answer: Future[T] = Future()
        self._answer = answer

        def done(future: "Future[T]") -> None:
            with contextlib.suppress(InvalidStateError):  # it came too late
                error = BrokenExecutor() if future.cancelled() else future.exception()
                if error is None:
                    answer.set_result(future.result())
                else:
                    answer.set_exception(error)

        self._executor.submit(job, *arguments).add_done_callback(done)
        return answer

    def end(self) -> None:
        """Wait for the job no longer; the executor may go on with it."""
        if self._answer is not None:
            with contextlib.suppress(InvalidStateError):
                self._answer.set_exception(BrokenExecutor())

    def stop(self) -> None:
        """Do nothing: the executor belongs to somebody else."""


def workers(number: int, executor: Executor | None = None) -> list[Worker]:
    """Return workers, at least one: processes of this machine, or places on an executor if one is given."""
    return [WorkerProcess() if executor is None else ExecutorWorker(executor) for _ in range(max(1, number))]
