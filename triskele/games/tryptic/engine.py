"""The engines of TRYPTIC: ``triskele``, which infers patterns and hides its own, and the baseline ``greedy``."""

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from triskele.core.compile import Program
from triskele.core.contract import State
from triskele.core.contract.engine import Appraisal, Engine, Info, Limits, Task, level_of, shares
from triskele.core.contract.levels import FULL, Level
from triskele.core.contract.search_program import REPORT, SETTLED, SearchProgram, question_words, root_words
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.search_driver import SearchDriver, appraisal_of
from triskele.core.time_management import TimeManager
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.inference import EVIDENCE_COST
from triskele.games.tryptic.placement_search import Q_HURRY, RESUME_SEARCH, START_SEARCH, search_program
from triskele.games.tryptic.reader import history_codes
from triskele.games.tryptic.weights import shipped_weights
from triskele.games.tryptic.windows import change_of, gain_of, unpacked_one, unpacked_three, unpacked_two

INFERENCE_TIME = 0.5
"""The part of its time after which further placements of a long history are no longer counted as evidence."""


class BeliefEngine(Engine):
    """Infers the others' patterns from their moves, hides its own, and challenges when the expected value is higher.

    The driver of :mod:`~triskele.games.tryptic.placement_search`.
    """

    name: ClassVar[str] = "triskele"
    programs: ClassVar[tuple[Program, ...]] = (START_SEARCH, RESUME_SEARCH)

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Equal seeds give equal play; without one, the choice of a pattern cannot be predicted."""
        super().__init__(game)
        self.search_program: SearchProgram = search_program(shipped_weights())
        self._driver = SearchDriver(self.search_program)
        self._random = random.Random(seed)

    def forget(self) -> None:
        """Drop the belief state of the last game."""
        self._driver.forget()

    def think(self, task: Task) -> Iterator[Info]:
        """Answer by what can be decided at once, or by the covert model, then by evaluating each placement."""
        timing = TimeManager(task, self.game, RESUME_SEARCH)
        timing.wait_for_compiled()
        root = root_words(task.position.state, history_codes(task.moves))
        question = self._question(task.limits, task.level, task.seat, task.nodes)
        self._start(root, question)
        told = hurried = False
        status = 0
        while status != SETTLED:
            status = self._resume()
            if status in (REPORT, SETTLED):
                yield self._info(task)
                told = True
            if task.stopped:
                break
            if not told and not hurried and task.elapsed > INFERENCE_TIME * task.seconds:
                hurried = True
                question[Q_HURRY] = 1
                self._start(root, question)
        if not told:
            yield self._info(task)

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Announce as soon as the points are there, in turn or not, unless the level overlooks it."""
        level = FULL if limits.level is None else level_of(self.game, limits.level)
        known = position.seen_by(seat)
        self._start(known.state, self._question(limits, level, seat, None, interrupt=True))
        while self._resume() != SETTLED:
            pass
        lines = self._driver.found().lines
        return known.variant.move(lines[0].codes[0]) if lines else None

    def appraise(
        self, position: Position, move: Move, limits: Limits, stop: threading.Event | None = None
    ) -> Appraisal:
        """Compare a move with the best one by what its seat knew: by its posteriors, never by the truth."""
        task = self._task(position, limits, stop, position.mover(move))
        root = root_words(task.position.state, history_codes(task.moves))
        self._start(root, question_words(FULL, seat=task.seat, nodes=None, seed=0, appraised=move.code))
        while self._resume() != SETTLED:
            pass
        return appraisal_of(position.variant, self._driver.found())

    def _question(
        self, limits: Limits, level: Level, seat: int, nodes: int | None, *, interrupt: bool = False
    ) -> NDArray[np.int64]:
        """Return a question; without a seed in the limits, one of the engine's own decides what is drawn."""
        seed = self._random.getrandbits(31) if limits.seed is None else limits.seed
        return question_words(level, seat=seat, nodes=nodes, seed=seed, lines=limits.lines, interrupt=interrupt)

    def _start(self, root: NDArray[np.int64], question: NDArray[np.int64]) -> None:
        self._driver.provide(len(root))
        self._driver.start(self.game.linker.best(START_SEARCH), root, question)

    def _resume(self) -> int:
        return self._driver.resume(self.game.linker.best(RESUME_SEARCH), EVIDENCE_COST)

    def _info(self, task: Task) -> Info:
        variant = task.position.variant
        found = self._driver.found()
        lines = tuple(tuple(variant.move(code).text for code in line.codes) for line in found.lines)
        best = found.lines[0]
        return Info(found.depth, found.nodes, task.elapsed, best.scores, lines, best.proven)


class GreedyEngine(Engine):
    """Lays its own pattern as fast as it can; it never infers, hides or challenges. The baseline."""

    name: ClassVar[str] = "greedy"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Equal seeds give equal play."""
        super().__init__(game)
        self._random = random.Random(seed)

    def think(self, task: Task) -> Iterator[Info]:
        """Place what gains most for the own pattern, a random one of equals."""
        state, seat = task.position.state, task.seat
        codes, nodes, value, proven = [r.END], 1, 0.0, None
        if state[r.STAGE] == r.CHOOSING:
            codes = list(range(r.PATTERNS))
        elif r.has_points(state, seat) and seat == task.position.turn:
            codes, value, proven = [r.ANNOUNCE + seat], 1.0, 1
        elif state[r.STAGE] != r.PLACED and state[r.EMPTY]:
            moves = placements(state)
            gains = [_gain(state, code, max(0, int(state[r.PATTERN + seat]) - 1)) for code in moves]
            codes = [code for code, gain in zip(moves, gains, strict=True) if gain == max(gains)]
            nodes = len(moves)
        line = (task.position.variant.move(self._random.choice(codes)).text,)
        yield Info(1, nodes, task.elapsed, shares(value, task), (line,), proven)

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Announce as soon as the points are there, in turn or not."""
        known = position.seen_by(seat)
        if known.state[r.STAGE] in (r.CHOOSING, r.ENDED) or not r.has_points(known.state, seat):
            return None
        return known.variant.move(r.ANNOUNCE + seat) if known.state[r.IN] >> seat & 1 else None


def placements(state: State) -> list[int]:
    """Return the codes of the placements that are possible."""
    colours = [colour for colour in range(r.COLOURS) if not state[r.GONE] >> colour & 1]
    empty = np.flatnonzero(state[r.CELL : r.CELL + r.HEXES] == 0).tolist()
    return [r.PLACE + colour * r.HEXES + target for colour in colours for target in empty]


def _gain(state: State, code: int, pattern: int) -> int:
    """Return what a placement gains for a pattern, in sixteenths of a point."""
    colour, target = divmod(code - r.PLACE, r.HEXES)
    packed = change_of(state, colour, target, pattern)
    return gain_of(unpacked_one(packed), unpacked_two(packed), unpacked_three(packed))


ENGINES: Mapping[str, Callable[[Game], Engine]] = {engine.name: engine for engine in (BeliefEngine, GreedyEngine)}
