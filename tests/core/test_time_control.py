"""Time controls: their texts, their bounds, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triskele.core.errors import OptionError
from triskele.core.time_control import DAY, HOUR, MINUTE, NO_CLOCK, SECOND, TimeControl, time_control
from triskele.core.words import LANGUAGES, say

WRITTEN = {
    "none": NO_CLOCK,
    "5+3": TimeControl("live", main=5 * MINUTE, increment=3 * SECOND),
    "0.5+1": TimeControl("live", main=30 * SECOND, increment=SECOND),
    "1.25+0": TimeControl("live", main=75 * SECOND),
    "180+180": TimeControl("live", main=180 * MINUTE, increment=180 * SECOND),
    "10+0 3x30": TimeControl("live", main=10 * MINUTE, periods=3, period=30 * SECOND),
    "0+0 1x20": TimeControl("live", periods=1, period=20 * SECOND),
    "15+10 out": TimeControl("live", main=15 * MINUTE, increment=10 * SECOND, out=True),
    "3d": TimeControl("days", periods=1, period=3 * DAY),
    "12h": TimeControl("days", periods=1, period=12 * HOUR),
    "3d weekdays out": TimeControl("days", periods=1, period=3 * DAY, weekdays=True, out=True),
    "bank 7d+1d/14d": TimeControl("days", main=7 * DAY, increment=DAY, cap=14 * DAY),
    "bank 36h+8h": TimeControl("days", main=36 * HOUR, increment=8 * HOUR),
    "bank 30d": TimeControl("days", main=30 * DAY),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_a_text_is_parsed_and_printed(written):
    assert TimeControl.parse(written) == WRITTEN[written]
    assert str(WRITTEN[written]) == written


def test_paces():
    assert {str(each): each.pace for each in WRITTEN.values()}["3d"] == "days"
    assert TimeControl.parse("5+3").pace == "live"
    assert not NO_CLOCK
    assert TimeControl.parse("5+3")
    assert time_control(None) is NO_CLOCK
    assert time_control("5+3").main == 5 * MINUTE


def test_a_length_in_hours_that_is_days_is_printed_in_days():
    assert str(TimeControl.parse("48h")) == "2d"


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "5",
        "+3",
        "5+",
        "five+3",
        "5 + 3",
        "5+3 ",
        " 5+3",
        "5+3\n",
        "\u0665+\u0663",
        "0+0",
        "0+5",
        "0.3+2",
        "181+0",
        "180.25+0",
        "5+181",
        "5+3 0x30",
        "5+3 3x0",
        "5+3 26x30",
        "5+3 3x601",
        "5+3 weekdays",
        "none out",
        "weekdays",
        "0d",
        "0h",
        "31d",
        "bank 0d",
        "bank 91d",
        "bank 7d+91d",
        "bank 7d+1d/3d",
        "bank",
        "3d out weekdays",
        "1" * 10_000,
        "5+3" + " " * 10_000,
    ],
)
def test_anything_else_is_refused_with_what_is_allowed(wrong):
    with pytest.raises(OptionError) as refused:
        TimeControl.parse(wrong)
    for language in LANGUAGES:
        assert 0 < len(say(refused.value.text, language)) < 600


@pytest.mark.parametrize("wrong", ["-5+3", "5+-3", "5+3 -1x30", "-3d", "bank -7d+1d/14d", "bank 7d+-1d"])
def test_a_negative_time_is_refused_as_such(wrong):
    with pytest.raises(OptionError, match="negative"):
        TimeControl.parse(wrong)


@given(st.text(alphabet="0123456789+-x/.dh bankoutweeys", max_size=30) | st.text(max_size=80))
def test_any_text_is_refused_or_prints_to_an_equal_control(written):
    try:
        control = TimeControl.parse(written)
    except OptionError:
        return
    assert TimeControl.parse(str(control)) == control
    assert len(str(control)) <= 64
    if control:
        assert control.whole > 0
