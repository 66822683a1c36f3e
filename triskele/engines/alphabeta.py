"""The engine ``alphabeta`` for two seats without secrets and chance: iterative deepening with aspiration windows.

The search program is in :mod:`triskele.engines.alphabeta_deepening`, the search of one depth in
:mod:`triskele.engines.alphabeta_search`. Here are its arrays and the engine, which keeps time, runs several threads on
one transposition table (lazy SMP) and turns results into texts.
"""

import threading
from collections.abc import Iterator
from typing import ClassVar

from triskele.core.compile import Program
from triskele.core.contract import State
from triskele.core.contract.engine import Engine, Info, Task
from triskele.core.contract.evaluation import WORKSPACE, Weights
from triskele.core.contract.search_program import (
    CAPACITY,
    FOUND,
    L_CODES,
    MOST_LINES,
    REPORT,
    ROOT,
    SETTLED,
    Capacity,
    Field,
    SearchProgram,
    Size,
    question_words,
)
from triskele.core.game import Game
from triskele.core.search_driver import SearchDriver
from triskele.core.time_management import TimeManager
from triskele.engines.alphabeta_deepening import RESUME_SEARCH, START_SEARCH
from triskele.engines.alphabeta_search import (
    CONTROL,
    FRAME,
    KILLERS,
    LINE_CODES,
    MAX_PLY,
    SearchWorkspace,
    late_move_reductions,
)

REDUCTIONS = late_move_reductions()

CAPACITY_OF_TABLE = Capacity(
    item_bytes=16, least=1 << 12, usual=1 << 16, most=1 << 26, nodes_per_second=1_500_000
)  # fmt: skip
"""The entries of the transposition table. The speed is about that of the fastest search there is: with the time, it
says how large a table can be of use."""

_DEPTHS = MAX_PLY // 2


def search_program(game: Game, weights: Weights) -> SearchProgram:
    """Return the search of a game with some weights."""
    rules = game.rules_module
    longest = MAX_PLY + 1
    return SearchProgram(
        name="alphabeta",
        workspace=SearchWorkspace,
        start=START_SEARCH,
        resume=RESUME_SEARCH,
        capacity=CAPACITY_OF_TABLE,
        fields=(
            Field("state", (Size(ROOT, (MAX_PLY + 2) * rules.LOG),)),
            Field("undo", (MAX_PLY, rules.SIZE)),
            Field("frames", (MAX_PLY, FRAME)),
            Field("moves", (MAX_PLY, rules.MOVES)),
            Field("ranks", (MAX_PLY, rules.MOVES)),
            Field("pv", (MAX_PLY + 1, 1 + longest)),
            Field("killers", (MAX_PLY, KILLERS), initial=-1),
            Field("history", (2, rules.ACTIONS)),
            Field.of("reductions", REDUCTIONS),
            Field("evaluation", (WORKSPACE,)),
            Field("control", (CONTROL,)),
            Field("root", (Size(ROOT),)),
            Field("lines", (2 * MOST_LINES, LINE_CODES + longest)),
            Field("table", (Size(CAPACITY), 2)),
            Field.of("weights", weights),
            Field("found", (FOUND,)),
            Field("line_codes", (MOST_LINES, L_CODES + longest)),
            Field("line_scores", (MOST_LINES, 2), "float64"),
        ),
    )


class AlphaBeta(Engine):
    """Iterative-deepening alpha-beta with what the game's ``evaluation.py`` knows."""

    name: ClassVar[str] = "alphabeta"
    programs: ClassVar[tuple[Program, ...]] = (START_SEARCH, RESUME_SEARCH)

    def __init__(self, game: Game, weights: Weights | None = None, seed: int = 0) -> None:
        """Use the shipped weights, or others; the seed decides what weak levels get wrong."""
        super().__init__(game)
        if weights is None:
            weights = game.evaluation.load_weights()
        self.weights = weights
        self._search = self.search_program = search_program(game, weights)
        self._seed = seed
        self._drivers = [SearchDriver(self._search)]

    def forget(self) -> None:
        """Drop the transposition table, the killer moves and the history."""
        self._drivers = [SearchDriver(self._search)]

    def _start(self, task: Task, root: State) -> None:
        """Start a search for each thread, with a transposition table of the right size."""
        seed = self._seed if task.limits.seed is None else task.limits.seed
        main = self._drivers[0]
        capacity = CAPACITY_OF_TABLE.wanted(task.limits.memory_mb, task.nodes, task.seconds)
        if capacity < main.capacity <= CAPACITY_OF_TABLE.within(task.limits.memory_mb):
            capacity = main.capacity
        threads = task.limits.threads
        self._drivers = self._drivers[:threads]
        self._drivers += [SearchDriver(self._search) for _ in range(threads - len(self._drivers))]
        start = self.game.linker.best(START_SEARCH)
        main.provide(len(root), capacity)
        before = main.workspace.control.copy()
        for number, driver in enumerate(self._drivers):
            engine = (0, 0)
            if driver is not main:
                driver.provide(len(root))
                driver.share("table", main)
                driver.workspace.control[:] = before  # one generation and one kind of keys, as they share the table
                engine = (2 + (number - 1) % 2, 1)
            nodes = task.nodes if driver is main else None
            question = question_words(
                task.level, seat=task.seat, nodes=nodes, seed=seed, lines=task.limits.lines, engine=engine
            )
            driver.start(start, root, question)

    def think(self, task: Task) -> Iterator[Info]:
        """Search by iterative deepening; yield an info for every depth that is completed."""
        timing = TimeManager(task, self.game, RESUME_SEARCH)
        timing.wait_for_compiled()  # of the two programs the last one to be loaded
        self._start(task, task.position.state)
        main = self._drivers[0]
        finished = threading.Event()
        helpers = [threading.Thread(target=self._help, args=(driver, finished)) for driver in self._drivers[1:]]
        for helper in helpers:
            helper.start()
        status = 0
        try:
            for function, budget in timing.slices(first=self._search.first_slice, plain=2):
                status = main.resume(function, budget)
                timing.done = self._nodes()
                if status in (REPORT, SETTLED):
                    yield self._info(task)
                if status == SETTLED:
                    break
        finally:
            finished.set()
            for helper in helpers:
                helper.join()
        if status != SETTLED:
            yield self._info(task)

    def _nodes(self) -> int:
        return sum(driver.nodes for driver in self._drivers)

    def _help(self, driver: SearchDriver, finished: threading.Event) -> None:
        """Search the same position in another thread, for the entries it adds to the shared table (lazy SMP)."""
        function = self.game.linker.ready(RESUME_SEARCH)
        while function is not None and not finished.is_set() and driver.found().depth < _DEPTHS:
            driver.resume(function, 5000)

    def _info(self, task: Task) -> Info:
        variant = task.position.variant
        found = self._drivers[0].found()
        lines = tuple(tuple(variant.move(code).text for code in line.codes) for line in found.lines)
        best = found.lines[0]
        return Info(found.depth, self._nodes(), task.elapsed, best.scores, lines, best.proven)
