"""Players with clocks, for ``server_load.py --clocks``: some run out of time, all watch what they are charged."""

import random
import time

from live_players import Player, Table

STEADY = "5+3"
HURRIED = "0+0 1x4"
"""A turn has four seconds, so that flags fall often enough to be measured."""
INCREMENT = 3000


class ClockedTable(Table):
    """A table with a clock. At a ``hurried`` one a player lets the time run out now and then."""

    def __init__(self, load, game, number=0, hurried=False):
        super().__init__(load, game, number, clock=HURRIED if hurried else STEADY)
        self.hurried = hurried
        self.players = [ClockedPlayer(self, 0), ClockedPlayer(self, 1)]
        self.expected = None
        """When the flag of a player who does not move is to fall."""


class ClockedPlayer(Player):
    """A player who keeps an account of the own clock: what it was charged, and what was really used."""

    def __init__(self, table, seat):
        super().__init__(table, seat)
        self.told = None
        self.used = self.charged = 0.0
        self.before = None

    def on_table(self, message):
        self.note(message.get("clock"), whole=True)
        super().on_table(message)

    def on_moved(self, message):
        self.note(message.get("clock"), mine=message["seat"] == getattr(self, "mine", None))
        super().on_moved(message)

    def note(self, clock, whole=False, mine=False):
        if clock is None:
            return
        if mine and self.before is not None and not self.table.hurried:
            left = clock["seats"][self.mine][0]
            increment = INCREMENT if clock["running"] != self.mine else 0
            self.charged += self.before + increment - left
        self.clock, self.told = clock, time.perf_counter()
        if whole:
            self.before = None  # what was charged while nobody listened shows in the next message
        seat = getattr(self, "mine", None)
        if seat is not None and clock["running"] == seat:
            self.before = clock["seats"][seat][0]

    def think(self, looks):
        super().think(looks)
        seat, clock = self.mine, getattr(self, "clock", None)
        if self.timer is None or clock is None or clock["running"] != seat:
            return
        if self.before is None:
            self.before = clock["seats"][seat][0]
        begun = clock["spent"] >= 0 and not clock["resting"]
        if self.table.hurried and begun and self.load.measuring and random.random() < 1 / 6:
            self.timer.cancel()
            main, periods, used = clock["seats"][seat]
            left = main + periods * clock["period"] - used - clock["spent"]
            self.table.expected = self.told + left / 1000

    def move(self, choice, at):
        if self.wire is not None and self.told is not None:
            self.used += 1000 * (time.perf_counter() - self.told)
        super().move(choice, at)

    def lost(self):
        clock = getattr(self, "clock", None)
        if clock is not None and clock["running"] == getattr(self, "mine", None) and self.told is not None:
            self.used += 1000 * (time.perf_counter() - self.told)
        self.told = None
        self.table.expected = None
        super().lost()

    def on_ended(self, message):
        expected, self.table.expected = self.table.expected, None
        if expected is not None and (message["ended"] or {}).get("kind") == "time":
            self.load.flags.append(time.perf_counter() - expected)
        self.before = self.told = None
        super().on_ended(message)


def report_clocks(load, tables):
    """Print how exactly flags fell, and whether somebody was charged more than was used."""
    flags = sorted(load.flags)
    if flags:
        inside = sum(abs(late) <= 0.1 for late in flags) / len(flags)
        worst = max(flags, key=abs)
        print(
            f"{len(flags)} flags: {inside:.1%} within 100 ms of zero, median {flags[len(flags) // 2] * 1000:.0f} ms, ",
            end="",
        )
        print(f"worst {worst * 1000:.0f} ms")
    players = [player for table in tables if not table.hurried for player in table.players]
    excess = max((player.charged - player.used for player in players), default=0.0)
    print(f"charged more than used: at most {max(0.0, excess):.0f} ms for a player over the whole run")
