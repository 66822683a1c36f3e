"""The engines of Tryad: ``triskele`` maximises expected coins; ``clear`` and ``fewest`` solve a single card."""

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from triskele.core.compile import Program
from triskele.core.contract.engine import Engine, Info, Task, shares
from triskele.core.contract.search_program import REPORT, SETTLED, SearchProgram, question_words
from triskele.core.game import Game
from triskele.core.search_driver import SearchDriver
from triskele.games.tryad import rules as r
from triskele.games.tryad.solution import Aim, solve
from triskele.games.tryad.take_search import LINES, RESUME_SEARCH, ROW_COST, SEARCH, START_SEARCH

_ROWS = 8
"""How many rows of a duel's table are solved between two checks of the clock."""


class ExpectedValueEngine(Engine):
    """Maximises expected coins: exactly in practice and in a duel, against a model of the others in larger games."""

    name: ClassVar[str] = "triskele"
    programs: ClassVar[tuple[Program, ...]] = (START_SEARCH, RESUME_SEARCH)
    search_program: SearchProgram | None = SEARCH

    def __init__(self, game: Game) -> None:
        """Keep the tables of one layout for the next position."""
        super().__init__(game)
        self._driver = SearchDriver(SEARCH)

    def forget(self) -> None:
        """Drop the tables."""
        self._driver.forget()

    def think(self, task: Task) -> Iterator[Info]:
        """Rank the takes by the value on the own card alone, which takes no time, then with all cards in view."""
        linker, driver = self.game.linker, self._driver
        while linker.loading(RESUME_SEARCH) and not task.stopped:
            task.stop.wait(0.005)
        driver.provide(r.SIZE)
        driver.start(
            linker.best(START_SEARCH), task.position.state, question_words(task.level, seat=task.seat, nodes=0, seed=0)
        )
        status = 0
        while status != SETTLED:
            status = driver.resume(linker.best(RESUME_SEARCH), _ROWS * ROW_COST)
            if status in (REPORT, SETTLED):
                yield self._info(task)
            if task.stopped:
                return

    def _info(self, task: Task) -> Info:
        variant = task.position.variant
        found = self._driver.found()
        lines = tuple(tuple(variant.move(code).text for code in line.codes) for line in found.lines)
        return Info(found.depth, found.nodes, task.elapsed, found.lines[0].scores, lines)


class _SingleCardEngine(Engine):
    """Plays its own card for one aim, ignoring the other players."""

    aim: ClassVar[Aim]

    def think(self, task: Task) -> Iterator[Info]:
        """Rank all takes; where some serve the aim equally, the other aim decides.

        Of equal values it prefers high numbers, then the alphabetically first fields.
        """
        state = task.position.state
        covered = int(state[r.CARDS + task.seat])
        takes = {move.text: int(r.TAKEN[move.code]) for move in task.position.legal_moves}
        # Rounded, because equal values may differ by how their sums were rounded.
        values = {take: round(self._value(task, covered & ~fields), 9) for take, fields in takes.items()}
        ranked = sorted(values, key=lambda take: (-values[take], _way(state.tolist(), takes[take]), take))
        worse = [take for take in ranked if values[take] < values[ranked[0]]]
        lines = tuple((take,) for take in (ranked[0], *worse[: LINES - 1]))
        yield Info(1, len(takes), task.elapsed, shares(values[ranked[0]] / r.FIELDS, task), lines)

    def _value(self, task: Task, rest: int) -> float:
        """Return the value of being left with a set of fields, in coins."""
        odds = solve(str(task.position.variant.options["layout"])).odds(rest, self.aim)
        first, second = (r.FIELDS * odds.chance, -odds.left)
        return first + second / 1000 if self.aim == "clear" else second + first / 1000


def _way(state: list[int], fields: int) -> int:
    """Return which of ``PATTERNS`` a take of some fields is."""
    ones, *others = ((fields & state[r.NUMBERS + i]).bit_count() for i in range(r.FACES))
    number, times = next(((n, count) for n, count in enumerate(others, 2) if count), (2, 0))
    return int(r.PATTERNS.tolist().index([number, times, ones]))


class ClearEngine(_SingleCardEngine):
    """Maximises the chance to clear the card."""

    name: ClassVar[str] = "clear"
    aim: ClassVar[Aim] = "clear"


class FewestEngine(_SingleCardEngine):
    """Minimises the coins expected to be left."""

    name: ClassVar[str] = "fewest"
    aim: ClassVar[Aim] = "fewest"


ENGINES: Mapping[str, Callable[[Game], Engine]] = {
    engine.name: engine for engine in (ExpectedValueEngine, ClearEngine, FewestEngine)
}
