"""The strong engine of Conquest Tryad: rollouts with a tuned policy, distributed over the moves as a bandit problem.

From the position, each candidate move is played out some rounds ahead by the policy for every seat, and judged by the
evaluation. The search program is in :mod:`triskele.games.conquest.engine.rollout_search`. Here is its driver, which
keeps time, runs several threads and turns results into texts.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, ClassVar

from triskele.core.compile import Program
from triskele.core.contract.engine import Appraisal, Engine, Info, Limits, Task, last_info
from triskele.core.contract.search_program import SETTLED, SearchProgram, question_words
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.search_driver import SearchDriver, appraisal_of
from triskele.core.time_management import TimeManager
from triskele.games.conquest.attack_margins import Reals
from triskele.games.conquest.engine.rollout_search import (
    ASKED,
    C_GLANCE,
    C_NODES,
    C_POOLED,
    C_ROWS,
    C_STAGE,
    RESUME_SEARCH,
    SEARCH,
    START_SEARCH,
)
from triskele.games.conquest.rules import SIZE

LEAST_SHARED = 40
"""Threads share at least this many rollouts: with fewer, handing them out takes longer than they do."""


class RolloutEngine(Engine):
    """Plays the candidate move that wins most rollouts; the policy's own move has the benefit of the doubt.

    In rollouts every seat plays by the policy; the battle that a move starts is weighted by its exact odds.
    """

    name: ClassVar[str] = "triskele"
    programs: ClassVar[tuple[Program, ...]] = SEARCH.programs
    search_program: SearchProgram | None = SEARCH

    def __init__(self, game: Game, seed: int = SEARCH.seed) -> None:
        """Equal seeds give equal answers under a limit of nodes and with one thread."""
        super().__init__(game)
        self._seed = seed
        self._drivers = [SearchDriver(SEARCH)]

    def think(self, task: Task) -> Iterator[Info]:
        """Run rollouts, more and more of the moves that do well in them."""
        yield from self._run(task)

    def appraise(
        self, position: Position, move: Move, limits: Limits, stop: threading.Event | None = None
    ) -> Appraisal:
        """Compare a move with the best candidate, which counts as better only as far as that is certain."""
        task = self._task(position, limits, stop, None)
        last_info(self._run(task, appraised=move.code))
        return appraisal_of(position.variant, self._drivers[0].found())

    def _run(self, task: Task, appraised: int | None = None) -> Iterator[Info]:
        """Run rollouts; with ``appraised``, compare the candidates with that move instead of the policy's."""
        timing = TimeManager(task, self.game, RESUME_SEARCH)
        timing.wait_for_compiled()  # of the two programs the last one to be loaded
        self._start(task, appraised)
        main = self._drivers[0]
        with ThreadPoolExecutor(len(self._drivers)) as executor:  # starts a thread only when there is work for it
            for function, budget in timing.slices(first=SEARCH.first_slice, plain=1):
                status = self._resume(function, budget, executor)
                timing.done = main.nodes
                if status == SETTLED:
                    break
                if timing.to_report():
                    yield self._info(task)
        yield self._info(task)

    def _start(self, task: Task, appraised: int | None) -> None:
        """Start a search for each thread."""
        seed = self._seed if task.limits.seed is None else task.limits.seed
        threads = task.limits.threads
        self._drivers += [SearchDriver(SEARCH) for _ in range(threads - len(self._drivers))]
        self._drivers = self._drivers[:threads]
        for thread, driver in enumerate(self._drivers):
            driver.provide(SIZE)
            question = question_words(
                task.level,
                seat=task.seat,
                nodes=task.nodes if threads == 1 else None,
                seed=seed,
                lines=task.limits.lines,
                appraised=appraised,
                engine=(0, thread),
            )
            driver.start(self.game.linker.best(START_SEARCH), task.position.state, question)

    def _resume(self, function: Callable[..., Any], budget: int, executor: Executor) -> int:
        """Run rollouts, each thread its part where it is worth it; return the status."""
        main, *helpers = self._drivers
        is_plain = self.game.linker.ready(RESUME_SEARCH) is None
        main.workspace.control[C_GLANCE] = int(is_plain)
        if is_plain or not helpers or budget < LEAST_SHARED or main.workspace.control[C_STAGE] == ASKED:
            return main.resume(function, budget)
        part, rest = divmod(budget, len(self._drivers))
        known = main.workspace.sums[: main.workspace.control[C_ROWS]].copy()
        for helper in helpers:
            if helper.workspace.control[C_STAGE] == ASKED:
                helper.resume(function, 0)
            _tell(helper, known, main.nodes)
        others = [executor.submit(helper.resume, function, part) for helper in helpers]
        main.resume(function, part + rest)
        for other in others:
            other.result()
        total = known + sum(driver.workspace.sums[: len(known)] - known for driver in self._drivers)
        _tell(main, total, main.nodes + part * len(helpers))
        return main.resume(function, 0)  # judges and answers by the rollouts of all

    def _info(self, task: Task) -> Info:
        variant = task.position.variant
        found = self._drivers[0].found()
        lines = tuple(tuple(variant.move(code).text for code in line.codes) for line in found.lines)
        best = found.lines[0]
        return Info(found.depth, found.nodes, task.elapsed, best.scores, lines, best.proven)


def _tell(driver: SearchDriver, sums: Reals, nodes: int) -> None:
    """Let a search know the results of all threads."""
    workspace = driver.workspace
    workspace.sums[: len(sums)] = sums
    workspace.control[C_NODES] = nodes
    workspace.control[C_POOLED] = 1
