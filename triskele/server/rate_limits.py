"""Rate limiters (token buckets) and concurrency limiters, each with one budget for each visitor or address."""

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence

Clock = Callable[[], float]
_SILENT_SECONDS = 60.0
"""How long nothing more is logged about what a limit refuses: a flood must not fill the disk."""

log = logging.getLogger("triskele.server")


class TokenBucket:
    """A token bucket: ``rate`` tokens a second come in, at most ``burst`` are kept, an action takes one."""

    __slots__ = ("_clock", "_tokens", "_updated", "burst", "rate")

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        """Begin full."""
        self.rate, self.burst = rate, burst
        self._clock = clock
        self._tokens, self._updated = float(burst), clock()

    def take(self, amount: float = 1.0) -> bool:
        """Take tokens; return ``False`` when there are not enough, and take none."""
        now = self._clock()
        self._tokens = min(self.burst, self._tokens + (now - self._updated) * self.rate)
        self._updated = now
        if self._tokens < amount:
            return False
        self._tokens -= amount
        return True

    def charge(self, amount: float = 1.0) -> None:
        """Take tokens, also those that are not there: they are owed, and come in before others can be taken."""
        self.take(0.0)
        self._tokens -= amount

    @property
    def full(self) -> bool:
        """Whether it is full again, so that a new bucket would do as well."""
        return self._tokens + (self._clock() - self._updated) * self.rate >= self.burst


class RateLimiter:
    """One token bucket for each key (a visitor or an address), all with the same rate and burst.

    At most ``capacity`` buckets are kept; the one that was used least recently is dropped first.
    """

    def __init__(self, rate: float, burst: float, capacity: int = 20_000, clock: Clock = time.monotonic) -> None:
        """Allow each key ``rate`` actions a second, and ``burst`` at once after a pause."""
        self._rate, self._burst, self._clock = rate, burst, clock
        self._capacity = capacity
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str, amount: float = 1.0) -> bool:
        """Take tokens from the bucket of a key; see :meth:`TokenBucket.take`."""
        return self._bucket(key).take(amount)

    def charge(self, key: str, amount: float = 1.0) -> None:
        """Take tokens from the bucket of a key, also those that are not there; see :meth:`TokenBucket.charge`."""
        self._bucket(key).charge(amount)

    def _bucket(self, key: str) -> TokenBucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._rate, self._burst, self._clock)
            if len(self._buckets) > self._capacity:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket

    def drop_full(self) -> None:
        """Drop the buckets that are full again."""
        for key in [key for key, bucket in self._buckets.items() if bucket.full]:
            del self._buckets[key]


class ConcurrencyLimiter:
    """Counts for each key how many of something are in use at the same time, and refuses too many."""

    def __init__(self, limit: int) -> None:
        """Allow each key ``limit`` at the same time."""
        self.limit = limit
        self._counts: dict[str, int] = {}

    def acquire(self, key: str, limit: int | None = None) -> bool:
        """Count one more; return ``False`` when the limit (``limit`` if given) is reached, and count nothing."""
        count = self._counts.get(key, 0)
        if count >= (self.limit if limit is None else limit):
            return False
        self._counts[key] = count + 1
        return True

    def acquire_all(self, places: Sequence[tuple[str, int]]) -> bool:
        """Count one more for each key with its limit; return ``False`` when one is reached, and count nothing."""
        for number, (key, limit) in enumerate(places):
            if not self.acquire(key, limit):
                for taken, _ in places[:number]:
                    self.release(taken)
                return False
        return True

    def is_full(self, key: str) -> bool:
        """Whether the limit of a key is reached."""
        return self._counts.get(key, 0) >= self.limit

    def release(self, key: str) -> None:
        """Count one less."""
        count = self._counts.get(key, 0) - 1
        if count > 0:
            self._counts[key] = count
        else:
            self._counts.pop(key, None)


class RefusalLog:
    """Logs what is refused: the first time at once, then a line a minute with the number since the last."""

    def __init__(self, clock: Clock = time.monotonic, line: str = "%s over the limit: %d refused") -> None:
        """Begin with nothing; ``line`` is what is logged, with the places of what was refused and how often."""
        self._clock = clock
        self._line = line
        self._counts: Counter[str] = Counter()
        self._logged: dict[str, float] = {}

    def note(self, what: str) -> None:
        """Note that something (``what``, in the plural) was refused."""
        self._counts[what] += 1
        now = self._clock()
        if now - self._logged.get(what, -_SILENT_SECONDS) >= _SILENT_SECONDS:
            self._logged[what] = now
            log.warning(self._line, what, self._counts.pop(what))
