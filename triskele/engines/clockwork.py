"""How a search keeps time: in slices, each short enough that stopping is prompt.

A compiled search cannot look at the clock, so it is called for so many nodes at a time, by how fast
it turned out to be; between calls someone may say stop, and compiled code may have become ready.
"""

import functools
import time
from collections.abc import Callable, Iterator
from typing import Any

from triskele.core.compile import Program, link_plain
from triskele.core.game import Game
from triskele.engines.engine import Task

SLICE = 0.02
"""Seconds between looks at the clock, when there is plenty of time."""

MARGIN = 0.01
"""The part of the time that is left unused, against being late."""

RESERVE = 0.25
"""Seconds that are kept for a plain search, when the compiled one is still being loaded."""

REPORTS = 0.25
"""Seconds between two reports of a search that could report any time."""


@functools.lru_cache(maxsize=256)
def _plain(program: Program, game: Game) -> Callable[..., Any]:
    return link_plain(program, game.rules_module)


def linked(game: Game, program: Program) -> Callable[..., Any]:
    """Return the best there is of a program right now: compiled if it is ready, else plain."""
    return game.linker.ready(program) or _plain(program, game)


class Pace:
    """Cuts a task's budget of time and nodes into slices and counts what is done."""

    def __init__(self, task: Task, game: Game, program: Program) -> None:
        """Keep to the task's limits with a search that runs ``program``."""
        self.task = task
        self.done = 0
        self._game = game
        self._program = program
        self._reported = task.began

    def slices(self, first: int, plain: int) -> Iterator[tuple[Callable[..., Any], int]]:
        """Yield the program and how many nodes to run it for, until nothing is left; at least once.

        ``first`` and ``plain`` are the sizes of the first slice when compiled and when not. Between
        two slices the caller adds to ``done`` what it has searched.
        """
        task = self.task
        limit = task.nodes
        late = task.seconds - MARGIN * min(task.seconds, 10.0)
        function: Callable[..., Any] | None = None
        rate = 0.0
        self._wait_for_compiled()
        while True:
            best = linked(self._game, self._program)
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
            # Towards the end the slices get shorter, so that a slow one cannot do harm.
            number = 1 + int(min(rate * min(SLICE, 0.5 * left + 0.0003), 8 * number))

    def _wait_for_compiled(self) -> None:
        """Let compiled code be loaded while there is time: a plain search beside it would slow it down many times."""
        task = self.task
        while self._game.linker.loading(self._program) and task.left > RESERVE and not task.stop.is_set():
            time.sleep(0.005)

    def to_report(self) -> bool:
        """Return whether it is time to say something again."""
        now = time.perf_counter()
        if now - self._reported < REPORTS:
            return False
        self._reported = now
        return True
