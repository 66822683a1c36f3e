"""Clocks: arithmetic that creates no time from nowhere, and rest times in which nobody is charged."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triskele.core.clock import Clock, SeatClock, digits
from triskele.core.rest_times import due, union, used, weekends
from triskele.core.time_control import DAY, HOUR, MINUTE, SECOND, TimeControl

CONTROLS = [
    TimeControl.parse(text) for text in ("5+3", "1+0", "10+0 3x30", "0+0 1x20", "2+5 5x10", "3d", "bank 7d+1d/8d")
]
SEATS = 4
events = st.lists(
    st.tuples(st.integers(0, SEATS - 1), st.integers(0, 10 * DAY) | st.integers(0, MINUTE), st.booleans()),
    max_size=30,
)


def played(control, happened):
    clocks = [Clock.start(control, SEATS)]
    for seat, ms, ends in happened:
        clock = clocks[-1].charge(seat, ms)
        clocks.append(clock.end_turn(seat) if ends else clock)
    return clocks


@given(st.sampled_from(CONTROLS), events)
def test_time_never_appears_from_nowhere(control, happened):
    clocks = played(control, happened)
    for before, after, (seat, ms, ends) in zip(clocks, clocks[1:], happened, strict=False):
        for other in range(SEATS):
            if other != seat:
                assert after.seats[other] == before.seats[other]
        gained = control.increment + control.period if ends else 0
        assert 0 <= after.left(seat) <= max(0, before.left(seat) - ms) + gained
        if control.cap is not None:
            assert after.seats[seat].main <= max(control.cap, control.main)
        if before.left(seat) == 0:
            assert after.left(seat) == 0, "who is out of time stays so"


@given(st.sampled_from(CONTROLS), events)
def test_seats_do_not_disturb_each_other(control, happened):
    """The order of what different seats do changes nothing: only that of one seat's own decisions counts."""
    by_seat = sorted(happened, key=lambda event: event[0])
    assert played(control, happened)[-1] == played(control, by_seat)[-1]


@given(st.sampled_from(CONTROLS), events, st.data())
def test_a_turn_in_several_decisions_costs_as_much_as_in_one(control, happened, data):
    clock = played(control, happened)[-1]
    parts = data.draw(st.lists(st.integers(0, 2 * HOUR), max_size=5))
    apart = clock
    for part in parts:
        apart = apart.charge(1, part)
    assert apart.end_turn(1) == clock.charge(1, sum(parts)).end_turn(1)


@given(st.sampled_from(CONTROLS), events, st.integers(0, 30))
def test_after_an_undo_the_same_charges_give_the_same_clocks(control, happened, kept):
    clocks = played(control, happened)
    kept = min(kept, len(happened))
    again = clocks[kept]
    for seat, ms, ends in happened[kept:]:
        again = again.charge(seat, ms)
        again = again.end_turn(seat) if ends else again
    assert again == clocks[-1]


def test_an_increment_comes_after_the_turn_and_not_after_the_time():
    clock = Clock.start(TimeControl.parse("1+5"), 2)
    assert clock.charge(0, 10 * SECOND).end_turn(0).left(0) == 55 * SECOND
    assert clock.charge(0, MINUTE).end_turn(0).left(0) == 0


def test_a_period_that_is_not_used_up_is_whole_again():
    clock = Clock.start(TimeControl.parse("1+0 3x30"), 2).charge(0, MINUTE + 29 * SECOND)
    assert clock.seats[0] == SeatClock(0, 3, 29 * SECOND)
    assert clock.end_turn(0).left(0) == 90 * SECOND
    lost_one = clock.charge(0, SECOND)
    assert lost_one.seats[0] == SeatClock(0, 2, 0)
    assert lost_one.charge(0, MINUTE).left(0) == 0


def test_days_a_turn_begin_anew_and_a_bank_is_capped():
    turn = Clock.start(TimeControl.parse("3d"), 2)
    assert turn.charge(0, 2 * DAY).end_turn(0).left(0) == 3 * DAY
    assert turn.charge(0, 3 * DAY).left(0) == 0
    bank = Clock.start(TimeControl.parse("bank 7d+1d/8d"), 2)
    assert bank.end_turn(0).end_turn(0).left(0) == 8 * DAY


def test_who_comes_back_has_a_little_time():
    live = Clock.start(TimeControl.parse("5+3"), 3).charge(1, HOUR)
    assert live.restore(1, 30 * SECOND).left(1) == 30 * SECOND
    byo_yomi = Clock.start(TimeControl.parse("5+0 3x30"), 3).charge(1, HOUR)
    assert byo_yomi.restore(1, 5 * SECOND).left(1) == 30 * SECOND


def test_a_negative_charge_is_refused():
    with pytest.raises(ValueError, match="cannot be charged"):
        Clock.start(TimeControl.parse("5+3"), 2).charge(0, -1)


@pytest.mark.parametrize(
    ("ms", "shown"),
    [(0, "0:00"), (1, "0:01"), (59_001, "1:00"), (247_000, "4:07"), (3_729_000, "1:02:09"), (53 * HOUR, "2d 5h")],
)
def test_a_time_is_written_as_on_a_clock(ms, shown):
    assert digits(ms) == shown


# --- rest times -----------------------------------------------------------------------------------

moments = st.integers(0, 60 * DAY)
spans = st.lists(st.tuples(moments, moments), max_size=8)


@given(spans, moments, st.integers(0, 20 * DAY))
def test_what_is_due_is_used_up_then_and_not_before(several, since, ms):
    rests = union(several)
    at = due(since, ms, rests)
    assert used(since, at, rests) == ms
    if ms > 0:
        assert used(since, at - 1, rests) == ms - 1


@given(spans, moments, moments, moments)
def test_used_time_adds_up_and_is_never_more_than_passed(several, first, second, third):
    since, between, until = sorted((first, second, third))
    rests = union(several)
    assert used(since, between, rests) + used(between, until, rests) == used(since, until, rests)
    assert 0 <= used(since, until, rests) <= until - since


@given(spans, spans)
def test_a_union_is_sorted_apart_and_has_every_moment(several, more):
    joined = union(several, more)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(joined))
    for begin, end in (*several, *more):
        if begin < end:
            assert any(a <= begin and end <= b for a, b in joined)


def test_weekends_are_saturday_and_sunday():
    friday = 1_763_683_200_000 - 2 * DAY - 22 * HOUR  # before Saturday, 22 November 2025, 0:00
    saturday, monday = 1_763_769_600_000, 1_763_942_400_000
    assert weekends(friday, monday + DAY) == [(saturday, monday)]
    assert weekends(saturday + HOUR, saturday + 2 * HOUR) == [(saturday, monday)]
    assert weekends(monday, monday + 5 * DAY) == []
    assert used(saturday - HOUR, monday + HOUR, weekends(saturday - HOUR, monday + HOUR)) == 2 * HOUR
