"""Limits: how often somebody may do something."""

import time
from collections import OrderedDict
from collections.abc import Callable

Clock = Callable[[], float]


class Bucket:
    """Lets through ``rate`` things a second, and up to ``burst`` at once after a pause."""

    __slots__ = ("_clock", "_level", "_when", "burst", "rate")

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        """Begin full."""
        self.rate, self.burst = rate, burst
        self._clock = clock
        self._level, self._when = float(burst), clock()

    def take(self, amount: float = 1.0) -> bool:
        """Take what one thing costs; ``False`` when there is not enough left, and nothing is taken."""
        now = self._clock()
        self._level = min(self.burst, self._level + (now - self._when) * self.rate)
        self._when = now
        if self._level < amount:
            return False
        self._level -= amount
        return True

    @property
    def full(self) -> bool:
        """Whether nobody needs to remember it."""
        return self._level + (self._clock() - self._when) * self.rate >= self.burst


class Buckets:
    """One bucket for each of many visitors or addresses; those unused for long are forgotten first."""

    def __init__(self, rate: float, burst: float, most: int = 20_000, clock: Clock = time.monotonic) -> None:
        """Give each the same rate and burst."""
        self._rate, self._burst, self._clock = rate, burst, clock
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str, amount: float = 1.0) -> bool:
        """Take from somebody's bucket; see :meth:`Bucket.take`."""
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate, self._burst, self._clock)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(who)
        return bucket.take(amount)

    def forget_full(self) -> None:
        """Drop buckets that are full again."""
        for who in [who for who, bucket in self._buckets.items() if bucket.full]:
            del self._buckets[who]


class Counts:
    """How many of something somebody holds at once."""

    def __init__(self, most: int) -> None:
        """Allow ``most`` each."""
        self.most = most
        self._counts: dict[str, int] = {}

    def enter(self, who: str, most: int | None = None) -> bool:
        """Count one more; ``False`` when that is too many (by ``most`` if that is said), and nothing is counted."""
        count = self._counts.get(who, 0)
        if count >= (self.most if most is None else most):
            return False
        self._counts[who] = count + 1
        return True

    def leave(self, who: str) -> None:
        """Count one less."""
        count = self._counts.get(who, 0) - 1
        if count > 0:
            self._counts[who] = count
        else:
            self._counts.pop(who, None)
