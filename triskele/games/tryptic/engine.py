"""Players of TRYPTIC: one that reads the others and hides from them, and one that only lays its own pattern."""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.engines.engine import Engine, Info, Limits, Task
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import CHOICE, Board, Reading, plain_manner
from triskele.games.tryptic.evaluation import load_weights
from triskele.games.tryptic.judgement import Judge

Chances = NDArray[np.float64]

COVERT_DEPTH = 3
"""Levels that look so far ahead hide their pattern; those that look two turns ahead at least spare the others' plans."""
_SHOWN_LINES = 3


class _Player(Engine):
    """What both players have in common: announcing, and drawing lots."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Equal seeds give equal play; without one, nobody can know what pattern it chooses."""
        super().__init__(game)
        self._random = random.Random(seed)

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Announce out of turn as soon as the points are there."""
        known = position.seen_by(seat)
        if not r.has_points(known.state, seat):
            return None
        return next((move for move in known.interrupts if move.code == r.ANNOUNCE + seat), None)

    def _draw(self, chances: Chances) -> list[int]:
        """Return rows by lot, one drawn by its chance first, then the likeliest others."""
        drawn = self._random.choices(range(len(chances)), weights=chances.tolist())[0]
        likeliest = [int(row) for row in np.argsort(-chances, kind="stable")[:_SHOWN_LINES] if row != drawn]
        return [drawn, *likeliest][:_SHOWN_LINES]

    @staticmethod
    def _info(task: Task, lines: list[tuple[int, ...]], chance: float, proven: int | None = None) -> Info:
        """Return what is thought: lines of codes, best first, and the asking seat's chance to win."""
        variant = task.position.variant
        rest = (1 - chance) / (variant.seats - 1)
        value = chance - rest  # a winner has 1 and the others share -1
        scores = tuple(value if seat == task.seat else -value / (variant.seats - 1) for seat in range(variant.seats))
        texts = tuple(tuple(variant.move(code).text for code in line) for line in lines)
        return Info(1, len(lines), task.elapsed, scores, texts, proven)


class Reader(_Player):
    """Reads the others' patterns from what they do, hides its own, and challenges when that pays."""

    name: ClassVar[str] = "triskele"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Begin with nothing read."""
        super().__init__(game, seed)
        self._reading: Reading | None = None
        self._overlooking = 0

    def forget(self) -> None:
        """Drop what was read."""
        self._reading = None

    def think(self, task: Task) -> Iterator[Info]:
        """Decide; it takes some hundredths of a second."""
        state, seat = task.position.state, task.seat
        if state[r.STAGE] == r.CHOOSING:
            rows = self._draw(CHOICE)
            yield self._info(task, [(row,) for row in rows], 1 / task.position.variant.seats)
            return
        if seat != task.position.turn:
            yield self._watch(task)
        elif r.has_points(state, seat):
            yield self._info(task, [(r.ANNOUNCE + seat,)], 1.0, proven=1)
        else:
            yield self._decide(task, Judge(self._read(task), state, seat, load_weights()))

    def _read(self, task: Task) -> Reading:
        """Return what the moves so far tell, going on from the last time where that is possible."""
        variant, state = task.position.variant, task.position.state
        moves = [written for written in task.moves if not written.startswith("=")]
        oversight = task.level.oversight
        reading = self._reading
        goes_on = reading is not None and reading.variant is variant and reading.leads_to(moves)
        if reading is None or not goes_on or self._overlooking != oversight:
            reading = Reading(variant)
            self._overlooking = oversight
        overlooked = [n for n in range(len(moves)) if random.Random(f"{n} {moves[n]}").random() * 1000 < oversight]
        if len(moves) + int(state[r.PLAYERS]) == len(task.moves):
            reading.follow(moves, state, overlooked)
        same = np.array_equal(reading.state[r.CELL : r.SHOWN], state[r.CELL : r.SHOWN])
        if not same or reading.state[r.TURN] != state[r.TURN]:
            # The game did not begin at its beginning, as far as is known here.
            self._reading = None
            return Reading.of_board(variant, state)
        self._reading = reading
        return reading

    def _decide(self, task: Task, judge: Judge) -> Info:
        state, seat, level = task.position.state, task.seat, task.level
        stage, full = state[r.STAGE], state[r.EMPTY] == 0
        placing = stage != r.PLACED and not full
        if placing and (finishing := judge.finishing()):
            return self._info(task, [(code, r.ANNOUNCE + seat) for code in finishing[:_SHOWN_LINES]], 1.0, proven=2)
        challenge = judge.challenge() if stage != r.CHALLENGED else None
        error = self._random.gauss(0.0, level.noise / 1000) if level.noise else 0.0
        pays = challenge is not None and challenge.pays(judge.now, error)
        others = [(row,) for row in self._placements(judge, level.depth, level.noise)] if placing else [(r.END,)]
        if challenge is not None and pays:
            return self._info(task, [(challenge.code,), *others][:_SHOWN_LINES], challenge.worth)
        return self._info(task, others, judge.now)

    def _placements(self, judge: Judge, depth: int | None, noise: int) -> list[int]:
        """Return placements by lot, as the level would make them."""
        reading, pattern = judge.reading, judge.pattern
        if depth is None or depth >= COVERT_DEPTH:
            chances = reading.covert(judge.seat)[:, pattern].astype(np.float64)
        else:
            gains = reading.gains[:, pattern].astype(np.float64)
            if depth > 1:
                gains -= reading.harm(judge.seat)
            gains += [self._random.gauss(0.0, noise / 2000) for _ in gains]
            chances = plain_manner(gains[:, None], 2 * depth)[:, 0]
        return [int(reading.board.codes[row]) for row in self._draw(chances)]

    def _watch(self, task: Task) -> Info:
        """Tell a seat that is not to act how it stands, and what it thinks will be done."""
        state, seat, turn = task.position.state, task.seat, task.position.turn
        assert turn is not None
        judge = Judge(self._read(task), state, seat, load_weights())
        if state[r.STAGE] == r.PLACED or state[r.EMPTY] == 0:
            return self._info(task, [(r.END,)], judge.now)
        chances = judge.reading.covert(turn) @ judge.beliefs[turn]
        rows = np.argsort(-chances, kind="stable")[:_SHOWN_LINES]
        return self._info(task, [(int(judge.reading.board.codes[row]),) for row in rows], judge.now)


class Greedy(_Player):
    """Lays its own pattern as fast as it can. It neither reads nor hides, and never challenges: a control."""

    name: ClassVar[str] = "greedy"

    def think(self, task: Task) -> Iterator[Info]:
        """Place what adds most to the own pattern; of equals, by lot."""
        state, seat = task.position.state, task.seat
        variant = task.position.variant
        if state[r.STAGE] == r.CHOOSING:
            yield self._info(task, [(self._random.randrange(r.PATTERNS),)], 1 / variant.seats)
        elif r.has_points(state, seat):
            yield self._info(task, [(r.ANNOUNCE + seat,)], 1.0, proven=1)
        elif state[r.STAGE] == r.PLACED or state[r.EMPTY] == 0:
            yield self._info(task, [(r.END,)], 1 / variant.seats)
        else:
            board = Board(state)
            own = max(0, int(state[r.PATTERN + seat]) - 1)
            gains = board.gains()[:, own]
            best = np.flatnonzero(gains >= gains.max() - 1e-6)
            yield self._info(task, [(int(board.codes[self._random.choice(best.tolist())]),)], 1 / variant.seats)


ENGINES: Mapping[str, Callable[[Game], Engine]] = {engine.name: engine for engine in (Reader, Greedy)}
