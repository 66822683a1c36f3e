"""Time management of searches: a budget of time is cut into slices of nodes.

A compiled search does not read the clock. It is called for a number of nodes at a time, chosen by its measured speed,
so that it returns in time; between two calls the caller may have said stop, and compiled code may have become ready.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

from triskele.core.compile import Program
from triskele.core.contract.engine import Task
from triskele.core.game import Game

SLICE = 0.02
"""Seconds of a slice, when there is plenty of time."""

MARGIN = 0.01
"""The part of the time that stays unused, so that answers are not late."""

RESERVE = 0.25
"""Seconds that are reserved for a plain search while the compiled one is still being loaded."""

REPORTS = 0.25
"""Seconds between two reports of a search that can report at any time."""


class TimeManager:
    """Cuts a task's budget of time and nodes into slices; ``done`` counts the nodes that were searched."""

    def __init__(self, task: Task, game: Game, program: Program) -> None:
        """Manage the time of a search that runs ``program``."""
        self.task = task
        self.done = 0
        self._game = game
        self._program = program
        self._reported = task.began

    def slices(self, first: int, plain: int) -> Iterator[tuple[Callable[..., Any], int]]:
        """Yield the program, linked, and how many nodes to run it for, until the budget is spent; at least once.

        ``first`` and ``plain`` are the nodes of the first slice of the compiled and of the plain program. After each
        slice the caller updates ``done``.
        """
        task = self.task
        limit = task.nodes
        late = task.seconds - MARGIN * min(task.seconds, 10.0)
        function: Callable[..., Any] | None = None
        rate = 0.0
        self.wait_for_compiled()
        while True:
            best = self._game.linker.best(self._program)
            if best is not function:
                function, rate = best, 0.0
                number = plain if self._game.linker.ready(self._program) is None else first
            if limit is not None:
                number = min(number, limit - self.done)
            before = self.done
            began = time.perf_counter()
            yield function, number
            now = time.perf_counter()
            left = late - (now - task.began)
            if task.stop.is_set() or left <= 0 or (limit is not None and self.done >= limit):
                return
            fresh = (self.done - before) / max(now - began, 1e-7)
            rate = fresh if rate == 0.0 else 0.5 * (rate + fresh)
            # Slices get shorter towards the end, so that a slow one cannot make the answer late.
            number = 1 + int(min(rate * min(SLICE, 0.5 * left + 0.0003), 8 * number))

    def wait_for_compiled(self) -> None:
        """Wait for compiled code while there is time: a plain search at once would slow down its loading many times.

        :meth:`slices` does so first; a search that runs another program before its slices waits before that.
        """
        task = self.task
        while self._game.linker.loading(self._program) and task.left > RESERVE and not task.stop.is_set():
            time.sleep(0.005)

    def to_report(self) -> bool:
        """Return whether a report is due; if so, the next one is due after ``REPORTS`` seconds."""
        now = time.perf_counter()
        if now - self._reported < REPORTS:
            return False
        self._reported = now
        return True
