"""Progress of long work on standard error, so that standard output holds results only.

Nothing at all is written when standard error is not a terminal. Figures only, so it reads the same in every language.
"""

import sys
import time
import types

_SECONDS = 0.1
"""The least time between two updates of a line."""
_WIDTH = 24
"""How many characters the bar itself has."""


class ProgressLine:
    """One line of the terminal that is overwritten again and again."""

    def __init__(self) -> None:
        """Find out whether standard error is a terminal."""
        self._visible = sys.stderr is not None and sys.stderr.isatty()
        self._updated_at = 0.0
        self._width = 0

    def show(self, line: str, *, force: bool = False) -> None:
        """Replace the line, unless that was done a moment ago; ``force`` replaces it in any case."""
        now = time.monotonic()
        if self._visible and (force or now - self._updated_at >= _SECONDS):
            self._updated_at = now
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
            self._width = len(line)

    def clear(self) -> None:
        """Remove the line."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


class ProgressBar:
    """A bar with the number of items done and an estimate of the time left. Use it in a ``with`` statement."""

    def __init__(self, total: int, done: int = 0) -> None:
        """Begin with ``done`` of ``total`` done already; these do not count for the estimate."""
        self.total = total
        self.done = done
        self._before = done
        self._began = time.monotonic()
        self._line = ProgressLine()

    def __enter__(self) -> "ProgressBar":
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: types.TracebackType | None
    ) -> None:
        """Remove the bar."""
        self._line.clear()

    def advance(self, number: int = 1, figures: str = "") -> None:
        """Count ``number`` more items as done; ``figures`` are shown behind the bar."""
        self.done += number
        self._line.show(self.line(time.monotonic(), figures), force=self.done >= self.total)

    def line(self, now: float, figures: str = "") -> str:
        """Return the bar as it is at a time of the monotonic clock."""
        part = min(1.0, self.done / self.total) if self.total else 1.0
        full = int(part * _WIDTH)
        bar = "#" * full + "." * (_WIDTH - full)
        fresh = self.done - self._before
        left = (now - self._began) * (self.total - self.done) / fresh if fresh else 0.0
        clock = f"-{int(left) // 60}:{int(left) % 60:02}" if fresh else "-:--"
        return f"[{bar}] {self.done}/{self.total} {clock} {figures}".rstrip()
