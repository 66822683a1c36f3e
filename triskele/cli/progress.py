"""How far long work has come, on standard error, so that standard output holds results only."""

import sys
import time

_EVERY = 0.1
"""Seconds between two looks at the same line."""


class Progress:
    """One line that is written over and over; nothing at all when no person is looking."""

    def __init__(self) -> None:
        """Find out whether standard error is a screen."""
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._last = 0.0
        self._width = 0

    def show(self, line: str) -> None:
        """Put a line in place of the last one, if it is time for it."""
        now = time.monotonic()
        if self._shown and now - self._last >= _EVERY:
            self._last = now
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
            self._width = len(line)

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


def note(line: str) -> None:
    """Write a line to standard error, at once."""
    print(line, file=sys.stderr, flush=True)
