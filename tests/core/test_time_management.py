"""How a search keeps to its budget of time and nodes, whatever its speed. The clock is a number here."""

import itertools
import threading

import pytest

from triskele.core import time_management
from triskele.core.contract.engine import Limits, Task
from triskele.core.contract.levels import FULL
from triskele.core.perft import PERFT
from triskele.core.position import Position
from triskele.core.time_management import REPORTS, SLICE, TimeManager


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 100.0

    monkeypatch.setattr(time_management.time, "perf_counter", lambda: Clock.now)
    return Clock


@pytest.fixture
def pace(heap, clock):
    def make(**limits) -> TimeManager:
        stop = threading.Event()
        task = Task(Position(heap.variant()), 0, Limits(**limits), FULL, [], stop, began=clock.now)
        return TimeManager(task, heap, PERFT)

    return make


def spend(pace, clock, speed, most=10_000):
    """Search all slices at so many nodes a second; return their sizes."""
    sizes = []
    for _, number in pace.slices(1000, 10):
        sizes.append(number)
        pace.done += number
        clock.now += number / speed
        assert len(sizes) < most, "it never ends"
    return sizes


@pytest.mark.parametrize("speed", [500, 20_000, 1_000_000])
def test_the_time_is_used_and_not_exceeded(pace, clock, speed):
    began = clock.now
    sizes = spend(pace(seconds=1.0), clock, speed)
    assert 0.95 <= clock.now - began <= 1.0
    assert sizes[0] == 10  # plain: the compiled program is not there
    assert max(sizes) <= speed * SLICE + 1


@pytest.mark.parametrize("nodes", [1, 9, 10, 777])
def test_exactly_the_nodes_are_searched(pace, clock, nodes):
    assert sum(spend(pace(nodes=nodes), clock, 1000)) == nodes


def test_a_slow_search_still_gets_one_slice(pace, clock):
    assert spend(pace(seconds=0.001), clock, 1) == [10]


def test_stop_ends_it_after_the_slice(pace, clock):
    running = pace(seconds=50.0)
    number = 0
    for _, size in running.slices(1000, 10):
        running.done += size
        clock.now += 0.01
        number += 1
        if number == 3:
            running.task.stop.set()
    assert number == 3


def test_slices_grow_at_most_eightfold(pace, clock):
    sizes = spend(pace(seconds=0.2), clock, 10_000_000)
    assert all(later <= 8 * earlier + 1 for earlier, later in itertools.pairwise(sizes))


def test_a_report_is_due_now_and_then(pace, clock):
    running = pace(seconds=50.0)
    assert not running.to_report()
    clock.now += REPORTS
    assert running.to_report()
    assert not running.to_report()
