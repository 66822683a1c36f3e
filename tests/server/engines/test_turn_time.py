"""The time for a turn is divided among its decisions."""

from types import SimpleNamespace

import pytest

from triskele.core.game import game
from triskele.server.engines.turn_time import LEAST, decision_seconds

CHANCE = -1


def _table(name: str, level: int | None, *made: tuple[int, int]) -> SimpleNamespace:
    """Return a table at which seats made decisions, each given with its milliseconds."""
    return SimpleNamespace(
        variant=game(name).variant({}),
        seats=[SimpleNamespace(engine_level=level)] * 2,
        made=[(None, seat) for seat, _ in made],
        times=[ms for _, ms in made],
    )


def test_all_decisions_of_a_turn_together_take_no_longer_than_the_turn():
    made: list[tuple[int, int]] = [(0, 100), (0, 100)]
    total = 0.0
    for _ in range(45):
        # Four milliseconds are for asking a worker and for keeping the move.
        seconds = decision_seconds(_table("conquest", 10, *made), 1, 2.0) + 0.004
        total += seconds
        made += [(CHANCE, 0), (CHANCE, 0), (1, round(1000 * seconds))]
    assert total <= 2.0
    assert total > 1.7, "most of the time is used"


def test_a_decision_gets_some_time_when_that_of_its_turn_is_used_up():
    assert decision_seconds(_table("conquest", 10, (1, 2500)), 1, 2.0) == LEAST


def test_a_reply_of_another_seat_does_not_begin_a_new_turn_and_its_own_turn_does():
    used = [(1, 900), (0, 50), (CHANCE, 0)]
    after_reply = decision_seconds(_table("conquest", 10, *used), 1, 2.0)
    fresh = decision_seconds(_table("conquest", 10, *used, (0, 10), (0, 10)), 1, 2.0)
    assert after_reply < fresh


def test_a_level_has_its_own_time_for_a_turn():
    slow, fast = (decision_seconds(_table("conquest", level, (0, 1), (0, 1)), 1, 2.0) for level in (10, 5))
    assert fast == pytest.approx(slow / 4)


def test_where_a_turn_is_one_decision_it_has_all_the_time():
    assert decision_seconds(_table("yinsh", 10, (1, 1900)), 1, 2.0) == 2.0
