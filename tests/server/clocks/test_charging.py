"""What a decision is charged: lag within bounds, free first decisions, rests, and a process that hung."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triskele.core.rest_times import union, weekends
from triskele.core.time_control import DAY, HOUR, MINUTE
from triskele.server.clocks import timekeeper as keeping
from triskele.server.clocks.timekeeper import LATE_MS, KeptTimekeeper
from triskele.server.settings import Settings
from triskele.server.tables.entries import END, MOVE, UNDO
from triskele.server.tables.table import Table
from triskele.server.tables.table_clock import ClockLimits

START = 1_763_942_400_000
"""A Monday, 0:00 UTC."""


class Resting:
    """A timekeeper that knows some spans."""

    limits = ClockLimits(first_turn=30_000, lag=500, lag_total=2_000)

    def __init__(self, *spans):
        self.spans = union(spans)

    def rests(self, control, holders, since, until):
        return self.spans

    def is_resting(self, control, holders, at):
        return any(since <= at < until for since, until in self.spans)


def table(clock="5+0", rests=(), seats=2):
    row = {"id": "t", "opened": START, "opener": "ann", "private": True, "rated": False, "series": "swap"}
    row |= {"clock": clock, "game": "yinsh", "options": "{}", "dice_secret": None}
    made = Table(row, [{"seat": n, "kind": "here", "level": None, "name": ""} for n in range(seats)])
    made.set_holders([{"seat": n, "visitor": "ann"} for n in range(seats)])
    made.timekeeper = Resting(*rests)
    return made


def play(made, *moves):
    """Make moves, each given with its seconds from the start and its lag; return what they were charged."""
    charged = []
    for text, seconds, *lag in moves:
        entry = made.entry(MOVE, made.turn, text, START + round(1000 * seconds), *lag)
        made.apply(entry)
        charged.append((entry.charged, entry.lag))
    return charged


def test_the_first_decision_is_free_for_a_while_and_then_charged():
    assert play(table(), ("e5", 29), ("f6", 29 + 35)) == [(0, 0), (5_000, 0)]


def test_over_days_the_first_turn_is_charged():
    assert play(table("3d"), ("e5", 100)) == [(100_000, 0)]


def test_lag_is_given_back_within_the_bounds_of_a_move_and_of_a_game():
    made = table()
    play(made, ("e5", 0), ("f6", 0))
    assert play(made, ("d4", 2, 200), ("g7", 4, 10_000)) == [(1_800, 200), (1_500, 500)]
    assert play(made, ("c3", 4.1, 300)) == [(0, 100)], "no more than what passed"
    for number, text in enumerate(("h8", "c4", "h7", "d3", "i8")):
        play(made, (text, 6 + 2 * number, 500))
    given_back = made.clock.lag_given[1]
    assert given_back == 2_000, "the most of one game"
    assert made.clock.clock.left(1) <= 300_000


def test_an_outage_in_the_middle_of_a_decision_is_not_charged():
    made = table(rests=[(START + 5_000, START + 25_000)])
    play(made, ("e5", 0), ("f6", 0))
    assert play(made, ("d4", 30)) == [(10_000, 0)]


def test_an_undo_charges_nothing_and_the_clock_begins_anew():
    made = table()
    play(made, ("e5", 0), ("f6", 0), ("d4", 10))
    undo = made.entry(UNDO, 0, "2", START + 60_000)
    assert undo.charged is None
    made.apply(undo)
    assert made.clock.clock.left(0) == 300_000
    assert play(made, ("d4", 65)) == [(5_000, 0)]


def test_a_replay_of_the_log_gives_the_same_clocks():
    made = table("2+5 3x10")
    entries = []
    for text, seconds in (("e5", 3), ("f6", 6), ("d4", 90), ("g7", 260), ("c3", 275)):
        entries.append(made.entry(MOVE, made.turn, text, START + 1000 * seconds, 120))
        made.apply(entries[-1])
    entries.append(made.entry(END, 1, "time", START + 10 * MINUTE))
    made.apply(entries[-1])
    again = table("2+5 3x10", rests=[(START, START + DAY)])  # what it knows about rests does not matter
    for entry in entries:
        again.apply(entry)
    assert again.clock.clock == made.clock.clock
    assert again.clock.lag_given == made.clock.lag_given


@given(st.lists(st.tuples(st.floats(0, 40), st.integers(0, 2_000)), min_size=1, max_size=20))
def test_nobody_is_charged_more_than_passed_nor_less_than_the_bounds_allow(waits):
    made, at = table("60+0"), 0.0
    play(made, ("e5", 0), ("f6", 0))
    for text, (seconds, lag) in zip(("d4", "g7", "c3", "h8", "c4", "h7", "d3", "i8"), waits, strict=False):
        at += seconds
        before = made.last_time
        entry = made.entry(MOVE, made.turn, text, START + round(1000 * at), lag)
        made.apply(entry)
        assert entry.time - before - 500 <= entry.charged + 0 <= entry.time - before
        assert entry.charged + entry.lag == entry.time - before
    assert max(made.clock.lag_given) <= 2_000


# --- the timekeeper ---------------------------------------------------------------------------------


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """A timekeeper whose time a test sets; it has no database."""
    made = KeptTimekeeper(None, Settings(data=tmp_path))
    made.at = START
    monkeypatch.setattr(keeping, "now", lambda: made.at)
    return made


def test_no_clock_runs_while_a_process_hangs(kept):
    control = table().clock_control
    kept._beaten, kept._next = START, START + 1_000
    kept.at = START + 1_000 + LATE_MS
    assert not kept.rests(control, (), START, kept.at)
    assert not kept.uncertain
    kept.at += 5_000
    assert kept.rests(control, (), START, kept.at) == [(START, kept.at)]
    assert kept.uncertain


def test_vacations_and_weekends_concern_games_over_days_only(kept):
    kept._vacations = {"ann": [(START, START + DAY)]}
    live, days, weekdays = (table(text).clock_control for text in ("5+3", "3d", "3d weekdays"))
    assert not kept.rests(live, ("ann",), START, START + DAY)
    assert kept.rests(days, ("ann",), START, START + DAY) == [(START, START + DAY)]
    assert not kept.rests(days, ("bob",), START, START + 9 * DAY)
    assert kept.rests(weekdays, ("bob",), START, START + 9 * DAY) == weekends(START, START + 9 * DAY)
    assert kept.is_resting(weekdays, ("bob",), START + 5 * DAY + HOUR)
    assert not kept.is_resting(weekdays, ("bob",), START + 4 * DAY)
