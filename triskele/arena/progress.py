"""A bar on standard error: how far many games have come. Figures only, so it reads the same in every language."""

import sys
import time
import types

_EVERY = 0.2
_WIDTH = 24


class Bar:
    """One line that is written over and over; nothing at all when no person is looking."""

    def __init__(self, total: int, done: int = 0) -> None:
        """Begin with ``done`` of ``total`` done already, which do not count for the time that is left."""
        self.total = total
        self.done = done
        self._before = done
        self._began = time.monotonic()
        self._last = 0.0
        self._width = 0
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> "Bar":
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: types.TracebackType | None
    ) -> None:
        """Take the line away."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def advance(self, number: int = 1, figures: str = "") -> None:
        """Count ``number`` more, with figures to show behind."""
        self.done += number
        now = time.monotonic()
        if not self._shown or (now - self._last < _EVERY and self.done < self.total):
            return
        self._last = now
        line = self.line(now, figures)
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def line(self, now: float, figures: str = "") -> str:
        """Return the line as it is at a time of the monotonic clock."""
        part = min(1.0, self.done / self.total) if self.total else 1.0
        full = int(part * _WIDTH)
        bar = "#" * full + "." * (_WIDTH - full)
        fresh = self.done - self._before
        left = (now - self._began) * (self.total - self.done) / fresh if fresh else 0.0
        clock = f"-{int(left) // 60}:{int(left) % 60:02}" if fresh else "-:--"
        return f"[{bar}] {self.done}/{self.total} {clock} {figures}".rstrip()
