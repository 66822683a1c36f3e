"""Clocks of all seats of a game as pure arithmetic over whole milliseconds: nothing here reads the time.

A clock is charged for what a seat used, and told when a turn ends. All of it follows from these two, in their order,
so that a replay of the charges in a log gives the same clocks. Going back to earlier clocks is taking an earlier value.
"""

from dataclasses import dataclass, replace
from typing import Any

from triskele.core.time_control import DAY, HOUR, MINUTE, SECOND, TimeControl


def digits(ms: int) -> str:
    """Return a time as on a clock, whole seconds rounded up: ``4:07``, ``1:02:09``, and from a day on ``2d 5h``."""
    if ms >= DAY:
        return f"{ms // DAY}d {ms % DAY // HOUR}h"
    ms = -(-ms // SECOND) * SECOND
    minutes = f"{ms % HOUR // MINUTE:02}" if ms >= HOUR else f"{ms // MINUTE}"
    return (f"{ms // HOUR}:" if ms >= HOUR else "") + f"{minutes}:{ms % MINUTE // SECOND:02}"


@dataclass(frozen=True, slots=True)
class SeatClock:
    """What a seat has left: main time, periods, and how much of the current period this turn has used."""

    main: int
    periods: int
    used: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of all seats; every change returns a new value."""

    control: TimeControl
    seats: tuple[SeatClock, ...]

    @staticmethod
    def start(control: TimeControl, seats: int) -> "Clock":
        """Return the clocks at the start of a game."""
        return Clock(control, (SeatClock(control.main, control.periods),) * seats)

    def left(self, seat: int) -> int:
        """Return the milliseconds after which a seat is out of time if it does not end its turn; never negative."""
        one = self.seats[seat]
        return one.main + one.periods * self.control.period - one.used

    def charge(self, seat: int, ms: int) -> "Clock":
        """Charge a seat for the time that it used; more than it has leaves it with nothing."""
        if ms < 0:
            raise ValueError(f"a seat cannot be charged {ms} milliseconds")
        if ms == 0:
            return self
        one, control = self.seats[seat], self.control
        if ms >= self.left(seat):
            return self._with(seat, SeatClock(0, 0))
        if ms <= one.main:
            return self._with(seat, replace(one, main=one.main - ms))
        ended, used = divmod(one.used + ms - one.main, control.period)
        return self._with(seat, SeatClock(0, one.periods - ended, used))

    def end_turn(self, seat: int) -> "Clock":
        """End a seat's turn: it gets its increment, up to the cap, or its period is whole again.

        Who is in byo-yomi gets no increment, and who is out of time nothing at all.
        """
        one, control = self.seats[seat], self.control
        if self.left(seat) == 0:
            return self
        if one.main == 0 and control.periods:
            return self.renew(seat)
        main = one.main + control.increment
        if control.cap is not None:
            main = max(one.main, min(main, control.cap))
        return self._with(seat, SeatClock(main, one.periods, 0))

    def renew(self, seat: int) -> "Clock":
        """Make a seat's period whole again without ending its turn: another seat had to decide in between."""
        one = self.seats[seat]
        return self if one.used == 0 else self._with(seat, replace(one, used=0))

    def restore(self, seat: int, ms: int) -> "Clock":
        """Give a seat that comes back after its time ran out this much time, or a period where there are any."""
        if self.control.periods:
            return self._with(seat, SeatClock(0, 1))
        return self._with(seat, SeatClock(ms, 0))

    def document(self) -> list[dict[str, Any]]:
        """Return the clocks as plain data, a member for each seat."""
        return [{"main": one.main, "periods": one.periods, "used": one.used} for one in self.seats]

    def _with(self, seat: int, one: SeatClock) -> "Clock":
        return Clock(self.control, (*self.seats[:seat], one, *self.seats[seat + 1 :]))
