"""The scheduler: one job at a time for each visitor, visitors in turn, a watchdog, and workers that die."""

import asyncio
import os
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support import event_loop
from triskele.server.engines.scheduler import Scheduler, Unwanted, WorkerLost
from triskele.server.engines.worker_pool import ExecutorWorker, WorkerProcess
from triskele.server.refusal import Refusal


class FakeWorker:
    """A worker whose jobs are finished by the test; a job is just a name."""

    def __init__(self, begun):
        self.begun = begun
        self.future = None
        self.ended = self.stopped = 0

    def submit(self, job, *arguments):
        assert self.future is None or self.future.done(), "one job at a time"
        self.future = Future()
        self.begun.append((job, self.future))
        return self.future

    def end(self):
        self.ended += 1
        self.future.set_exception(BrokenExecutor())

    def stop(self):
        self.stopped += 1


class FakeClock:
    """Timers that run when the test says so."""

    def __init__(self):
        self.now = 0.0
        self.timers = []

    def call_later(self, seconds, call):
        timer = FakeTimer(self.now + seconds, call)
        self.timers.append(timer)
        return timer

    def advance(self, seconds):
        self.now += seconds
        for timer in [timer for timer in self.timers if timer.due <= self.now]:
            self.timers.remove(timer)
            if not timer.cancelled:
                timer.call()


class FakeTimer:
    def __init__(self, due, call):
        self.due, self.call, self.cancelled = due, call, False

    def cancel(self):
        self.cancelled = True


class Bench:
    """A scheduler with fake workers and a fake clock; ``begun`` are the jobs in the order in which they began."""

    def __init__(self, workers=1, **more):
        self.begun = []
        self.workers = [FakeWorker(self.begun) for _ in range(workers)]
        self.clock = FakeClock()
        self.scheduler = Scheduler(self.workers, call_later=self.clock.call_later, **more)

    async def ask(self, visitor, job, **more):
        """Ask without waiting for the answer."""
        task = asyncio.create_task(self.scheduler.run(visitor, job, **more))
        await settle()
        return task

    async def finish(self, number, answer="done"):
        self.begun[number][1].set_result(answer)
        await settle()

    async def kill(self, number):
        self.begun[number][1].set_exception(BrokenExecutor())
        await settle()

    @property
    def order(self):
        return [job for job, _ in self.begun]


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


def scenario(test):
    """Run a test on an event loop of its own."""

    def run():
        event_loop.run(test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@scenario
async def test_visitors_are_served_in_turn():
    bench = Bench()
    for number in range(60):
        await bench.ask("greedy", f"g{number}")
    await bench.ask("ann", "a0")
    await bench.ask("ann", "a1")
    await bench.ask("bob", "b0")
    for number in range(6):
        await bench.finish(number)
    assert bench.order == ["g0", "a0", "b0", "g1", "a1", "g2", "g3"]
    assert bench.scheduler.waiting == 56
    assert bench.scheduler.running == 1


@scenario
async def test_one_job_at_a_time_a_visitor_though_workers_are_idle():
    bench = Bench(workers=3)
    for number in range(5):
        await bench.ask("ann", f"a{number}")
    assert bench.order == ["a0"]
    await bench.ask("bob", "b0")
    assert bench.order == ["a0", "b0"]
    await bench.finish(0)
    assert bench.order == ["a0", "b0", "a1"]


@scenario
async def test_urgent_jobs_come_before_the_others_of_the_same_visitor_only():
    bench = Bench()
    for number in range(3):
        await bench.ask("ann", f"a{number}")
    await bench.ask("bob", "b0")
    await bench.ask("ann", "hint", urgent=True)
    for number in range(4):
        await bench.finish(number)
    assert bench.order == ["a0", "b0", "hint", "a1", "a2"]


@scenario
async def test_answers_and_errors_come_back():
    bench = Bench(workers=2)
    good, bad = await bench.ask("ann", "good"), await bench.ask("bob", "bad")
    await bench.finish(0, 42)
    bench.begun[1][1].set_exception(KeyError("x"))
    assert await good == 42
    with pytest.raises(KeyError):
        await bad


@scenario
async def test_a_full_queue_refuses_the_visitor_who_has_the_most_waiting():
    bench = Bench(waiting_limit=4)
    greedy = [await bench.ask("greedy", f"g{number}") for number in range(8)]
    refused = [task for task in greedy if task.done()]
    assert refused == greedy[5:]
    for task in refused:
        assert task.exception().code == "busy"
    polite = await bench.ask("ann", "a0")
    assert not polite.done()
    assert greedy[4].exception().code == "busy"
    assert bench.scheduler.waiting == 4
    await bench.finish(0)
    assert bench.order == ["g0", "a0"]


@scenario
async def test_a_full_queue_of_many_visitors_refuses_the_newcomer():
    bench = Bench(waiting_limit=2)
    asked = [await bench.ask(f"v{number}", f"j{number}") for number in range(5)]
    assert [task.done() for task in asked] == [False, False, False, True, True]


@scenario
async def test_what_is_cancelled_while_it_waits_is_never_done():
    bench = Bench()
    await bench.ask("ann", "a0")
    waiting = await bench.ask("ann", "a1")
    await bench.ask("bob", "b0")
    waiting.cancel()
    await settle()
    assert bench.scheduler.waiting == 1
    await bench.finish(0)
    await bench.finish(1)
    assert bench.order == ["a0", "b0"]
    assert bench.scheduler.running == 0


@scenario
async def test_what_is_cancelled_at_work_counts_until_the_worker_is_free():
    bench = Bench(workers=2)
    working = await bench.ask("ann", "a0")
    working.cancel()
    await settle()
    await bench.ask("ann", "a1")
    assert bench.order == ["a0"]
    await bench.finish(0)
    assert bench.order == ["a0", "a1"]


@scenario
async def test_what_nobody_wants_when_its_turn_comes_is_not_done():
    bench = Bench()
    watched = True
    await bench.ask("ann", "a0")
    tables = [await bench.ask("ann", f"t{number}", wanted=lambda: watched) for number in range(3)]
    await bench.ask("bob", "b0")
    watched = False
    await bench.finish(0)
    await bench.finish(1)
    assert bench.order == ["a0", "b0"]
    for task in tables:
        assert isinstance(task.exception(), Unwanted)
    assert bench.scheduler.waiting == 0


@scenario
async def test_the_watchdog_ends_a_job_that_takes_far_too_long():
    bench = Bench(overrun_seconds=10.0)
    slow, other = await bench.ask("ann", "slow", seconds=2.0), await bench.ask("bob", "b0", seconds=2.0)
    bench.clock.advance(11.9)
    await settle()
    assert not slow.done()
    bench.clock.advance(0.2)
    await settle()
    assert isinstance(slow.exception(), WorkerLost)
    assert bench.workers[0].ended == 1
    assert bench.order == ["slow", "b0"]
    await bench.finish(1)
    bench.clock.advance(100.0)
    assert await other == "done"
    assert bench.workers[0].ended == 1


@scenario
async def test_a_job_whose_worker_died_is_done_once_more_and_the_waiting_ones_do_not_notice():
    bench = Bench(workers=2)
    asked = [await bench.ask(f"v{number}", f"j{number}") for number in range(42)]
    assert bench.order == ["j0", "j1"]
    await bench.kill(0)
    assert bench.order == ["j0", "j1", "j2"]
    assert not any(task.done() for task in asked)
    number = 1
    while not all(task.done() for task in asked):
        await bench.finish(number)
        number += 1
    assert [await task for task in asked] == ["done"] * 42
    assert sorted(bench.order) == sorted([*(f"j{n}" for n in range(42)), "j0"])


@scenario
async def test_a_job_that_kills_two_workers_is_given_up():
    bench = Bench()
    poison = await bench.ask("ann", "poison")
    await bench.kill(0)
    await bench.kill(1)
    assert isinstance(poison.exception(), WorkerLost)
    assert await settle() is None
    again = await bench.ask("ann", "a0")
    await bench.finish(2)
    assert await again == "done"


@scenario
async def test_stopping_refuses_all_that_waits():
    bench = Bench()
    asked = [await bench.ask("ann", f"a{number}") for number in range(3)]
    bench.scheduler.stop()
    await bench.kill(0)
    assert [task.exception().code for task in asked] == ["busy"] * 3
    assert bench.workers[0].stopped == 1
    with pytest.raises(Refusal):
        await bench.scheduler.run("ann", "late")


@scenario
async def test_a_place_on_another_executor():
    with ThreadPoolExecutor(1) as executor:
        scheduler = Scheduler([ExecutorWorker(executor)], overrun_seconds=0.05)
        assert await scheduler.run("ann", divmod, 7, 2, seconds=30.0) == (3, 1)
        gate = Future()
        with pytest.raises(WorkerLost):
            await scheduler.run("ann", gate.result)
        gate.set_result(None)
        assert await scheduler.run("ann", abs, -1, seconds=30.0) == 1
        scheduler.stop()


@scenario
async def test_a_process_that_takes_too_long_is_killed_and_replaced():
    scheduler = Scheduler([WorkerProcess()], overrun_seconds=0.3)
    first = await scheduler.run("ann", os.getpid, seconds=60.0)
    with pytest.raises(WorkerLost):
        await scheduler.run("ann", time.sleep, 600)
    assert await scheduler.run("ann", os.getpid, seconds=60.0) != first
    assert not Path(f"/proc/{first}").exists()
    scheduler.stop()


@scenario
async def test_a_process_that_died_is_replaced_by_one():
    worker = WorkerProcess()
    scheduler = Scheduler([worker])
    first = await scheduler.run("ann", os.getpid)
    assert await scheduler.run("bob", os.getpid) == first
    os.kill(first, 9)
    second = await scheduler.run("ann", os.getpid)
    assert second != first
    with pytest.raises(WorkerLost):
        await scheduler.run("ann", os.abort)
    assert await scheduler.run("ann", os.getpid) not in (first, second)
    scheduler.stop()


def address_of(visitor):
    return visitor[0]


@scenario
async def test_addresses_are_served_in_turn_and_so_are_their_visitors():
    bench = Bench(group_of=address_of)
    for job in ("a1", "a2", "a3", "a4", "b1", "c1"):  # a visitor for each job; the first letter is the address
        await bench.ask(job, job)
    for number in range(5):
        await bench.finish(number)
    assert bench.order == ["a1", "a2", "b1", "c1", "a3", "a4"]  # a2 was waiting before b1 came


@scenario
async def test_idle_workers_serve_several_visitors_of_one_address():
    bench = Bench(workers=3, group_of=address_of)
    for job in ("a1", "a2", "a3", "a4"):
        await bench.ask(job, job)
    assert bench.order == ["a1", "a2", "a3"]


@scenario
async def test_of_too_many_jobs_one_of_the_address_with_most_is_refused():
    bench = Bench(waiting_limit=3, group_of=address_of)
    tasks = [await bench.ask(job, job) for job in ("a1", "a2", "a3", "b1", "a4")]
    assert [task.done() for task in tasks] == [False, False, False, False, True]
    with pytest.raises(Refusal):
        await tasks[-1]
    for task in tasks:
        task.cancel()
