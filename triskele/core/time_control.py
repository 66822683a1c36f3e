"""Time controls: how much time each seat of a game has, as a text that people write and as numbers.

``none``            no clock
``5+3``             live: five minutes, and three seconds more after each turn; quarters as ``0.5+1``
``10+0 3x30``       live with byo-yomi: after the ten minutes three periods of thirty seconds; a period that a turn
                    does not use up is whole again in the next
``3d``              over days: three days a turn; ``12h`` is twelve hours
``bank 7d+1d/14d``  over days: a bank of seven days, one more after each turn, never more than fourteen

Behind it may stand ``weekdays`` (over days: no clock runs on Saturdays and Sundays, UTC) and ``out`` (with more than
two seats, who runs out of time is out where the rules know that; without it an engine plays on for the seat).
"""

import re
from dataclasses import dataclass
from typing import Literal

from triskele.core.errors import OptionError
from triskele.core.words import text

Pace = Literal["none", "live", "days"]
SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

LONGEST_TEXT = 64
MOST_MINUTES = 180
MOST_INCREMENT_SECONDS = 180
MOST_PERIODS = 25
MOST_PERIOD_SECONDS = 600
LEAST_TURN = HOUR
"""The shortest turn of a game over days: less is a live game."""
MOST_TURN = 30 * DAY
MOST_BANK = 90 * DAY

_LIVE = re.compile(r"(\d{1,3})(?:\.(\d{1,2}))?\+(\d{1,3})(?: (\d{1,2})x(\d{1,3}))?", re.ASCII)
_LENGTH = r"\d{1,3}[dh]"
_TURN = re.compile(rf"({_LENGTH})", re.ASCII)
_BANK = re.compile(rf"bank ({_LENGTH})(?:\+({_LENGTH}))?(?:/({_LENGTH}))?", re.ASCII)
_SIGNED = re.compile(r"-\s*\d")
_QUARTERS = {None: 0, "0": 0, "00": 0, "25": 15, "5": 30, "50": 30, "75": 45}
_WRITTEN_QUARTERS = {0: "", 15: ".25", 30: ".5", 45: ".75"}


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each seat has; all times are whole milliseconds.

    A seat begins with ``main`` time and gets ``increment`` after each turn, but never more than ``cap``. When the main
    time is used up there are ``periods`` of ``period``: each turn may use a period that is then whole again. A fixed
    time for each turn is one period and no main time. ``weekdays``: clocks rest at weekends. ``out``: whoever runs out
    of time at a table of several is out where the rules know that.
    """

    pace: Pace = "none"
    main: int = 0
    increment: int = 0
    periods: int = 0
    period: int = 0
    cap: int | None = None
    weekdays: bool = False
    out: bool = False

    def __bool__(self) -> bool:
        """Return whether there is a clock at all."""
        return self.pace != "none"

    @property
    def whole(self) -> int:
        """The time that a seat can use up for its first turn before it has lost on time."""
        return self.main + self.periods * self.period

    @staticmethod
    def parse(written: str) -> "TimeControl":
        """Return the time control that a text says; ``OptionError`` tells what is allowed."""
        shown = written if len(written) <= LONGEST_TEXT else written[:LONGEST_TEXT] + "…"
        if _SIGNED.search(shown):
            raise OptionError(text("core.clock-negative", written=shown))
        words = written.split(" ") if len(written) <= LONGEST_TEXT else [""]
        out = len(words) > 1 and words[-1] == "out"
        words = words[:-1] if out else words
        weekdays = len(words) > 1 and words[-1] == "weekdays"
        words = words[:-1] if weekdays else words
        rest = " ".join(words)
        if rest == "none" and not out and not weekdays:
            return NO_CLOCK
        for form, read in ((_LIVE, _live), (_TURN, _turn), (_BANK, _bank)):
            match = form.fullmatch(rest)
            if match is not None:
                found = read(match, weekdays, out)
                if weekdays and found.pace != "days":
                    break
                return found
        raise OptionError(text("core.clock-form", written=shown))

    def __str__(self) -> str:
        """Return the text that :meth:`parse` reads."""
        if self.pace == "none":
            return "none"
        after = (" weekdays" if self.weekdays else "") + (" out" if self.out else "")
        if self.pace == "live":
            minutes, seconds = divmod(self.main // SECOND, 60)
            periods = f" {self.periods}x{self.period // SECOND}" if self.periods else ""
            return f"{minutes}{_WRITTEN_QUARTERS[seconds]}+{self.increment // SECOND}{periods}{after}"
        if self.periods:
            return _length_text(self.period) + after
        increment = f"+{_length_text(self.increment)}" if self.increment else ""
        cap = "" if self.cap is None else f"/{_length_text(self.cap)}"
        return f"bank {_length_text(self.main)}{increment}{cap}{after}"


NO_CLOCK = TimeControl()


def time_control(written: str | None) -> TimeControl:
    """Return the time control of a table by its stored text; without one there is no clock."""
    return NO_CLOCK if written is None else TimeControl.parse(written)


def _live(match: re.Match[str], weekdays: bool, out: bool) -> TimeControl:
    minutes, quarters, increment, periods, period = match.groups()
    if quarters not in _QUARTERS:
        raise OptionError(text("core.clock-quarters", written=match.group()))
    seconds = 60 * int(minutes) + _QUARTERS[quarters]
    found = TimeControl(
        "live",
        main=seconds * SECOND,
        increment=int(increment) * SECOND,
        periods=int(periods or 0),
        period=int(period or 0) * SECOND,
        out=out,
    )
    _check("core.clock-minutes", seconds <= 60 * MOST_MINUTES, high=MOST_MINUTES)
    _check("core.clock-increment", int(increment) <= MOST_INCREMENT_SECONDS, high=MOST_INCREMENT_SECONDS)
    if periods is not None:
        sensible = 1 <= int(periods) <= MOST_PERIODS and 1 <= int(period) <= MOST_PERIOD_SECONDS
        _check("core.clock-periods", sensible, high=MOST_PERIODS, seconds=MOST_PERIOD_SECONDS)
    _check("core.clock-nothing", found.whole > 0)
    return found


def _turn(match: re.Match[str], weekdays: bool, out: bool) -> TimeControl:
    length = _length(match.group(1))
    _check("core.clock-turn", LEAST_TURN <= length <= MOST_TURN, hours=LEAST_TURN // HOUR, days=MOST_TURN // DAY)
    return TimeControl("days", periods=1, period=length, weekdays=weekdays, out=out)


def _bank(match: re.Match[str], weekdays: bool, out: bool) -> TimeControl:
    main = _length(match.group(1))
    increment = 0 if match.group(2) is None else _length(match.group(2))
    cap = None if match.group(3) is None else _length(match.group(3))
    longest = max(main, increment, cap or 0)
    _check("core.clock-bank", main >= LEAST_TURN and longest <= MOST_BANK, hours=1, days=MOST_BANK // DAY)
    _check("core.clock-cap", cap is None or cap >= main)
    return TimeControl("days", main=main, increment=increment, cap=cap, weekdays=weekdays, out=out)


def _check(key: str, holds: bool, **values: int) -> None:
    if not holds:
        raise OptionError(text(key, **values))


def _length(written: str) -> int:
    return int(written[:-1]) * (DAY if written[-1] == "d" else HOUR)


def _length_text(length: int) -> str:
    return f"{length // DAY}d" if length % DAY == 0 else f"{length // HOUR}h"
