"""What several server processes let through together."""

import pytest

from triskele.server.accounts.throttle import Throttle
from triskele.server.refusal import Refusal
from triskele.server.settings import Limits


class LateBus:
    """A bus whose messages arrive when a test says so."""

    process = "test"
    connected = True

    def __init__(self):
        self.waiting = []

    def publish(self, table, **more):
        self.waiting.append(more)


@pytest.fixture
def processes():
    """Return the throttles of two processes, and a function that lets each hear what the other has counted."""
    limits = Limits(sign_ins_per_hour=1, sign_ins_burst=3)
    buses = LateBus(), LateBus()
    throttles = tuple(Throttle(limits, bus) for bus in buses)

    def deliver():
        for bus, other in zip(buses, reversed(throttles), strict=True):
            for message in bus.waiting:
                other.heard(message["throttled"])
            bus.waiting.clear()

    return throttles, deliver


def allowed(throttle, tries=10):
    """Return how many of some tries to sign in with a name are let through."""
    count = 0
    for _ in range(tries):
        try:
            throttle.sign_in("ann", "203.0.113.7")
        except Refusal:
            return count
        count += 1
    return count


def test_what_one_process_let_through_counts_at_the_other(processes):
    (first, second), deliver = processes
    assert allowed(first, 2) == 2
    deliver()
    assert (allowed(second), allowed(first)) == (1, 1)


def test_what_both_let_through_in_the_same_moment_is_owed(processes):
    (first, second), deliver = processes
    assert (allowed(first), allowed(second)) == (3, 3)
    deliver()
    assert (allowed(first), allowed(second)) == (0, 0)


def test_names_do_not_travel_over_the_bus(processes):
    (first, _), _ = processes
    first.sign_in("what I meant to write as my password", "203.0.113.7")
    assert "password" not in str(first._bus.waiting)
