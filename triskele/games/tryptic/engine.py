"""Players of TRYPTIC: one that reads the others and hides from them, and one that only lays its own pattern."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.engines.engine import Engine, Info, Limits, Task
from triskele.engines.levels import FULL, Level, level_of
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import CHOICE, Board, Chances, Reading
from triskele.games.tryptic.evaluation import as_chance
from triskele.games.tryptic.judgement import Judge
from triskele.games.tryptic.learned import shipped

SHARPNESS = 8.0
"""How strongly the placement that looks best is preferred: the log of the odds for a logit of the chance to win.

Whoever always makes the best placement can be read the better.
"""
PROGRESS = 0.4
"""What a point of gain for the own pattern adds to that, in logits: what is learned from long games is too patient.

Measured: with it 29 of 30 games were won against a plain player, without it 17 of 19, and 19 of 33 between the two.
"""
PLAIN_SHARPNESS = 3.2
"""The same for short-sighted levels, for a point."""
SEARCHING = 3
"""Levels that look so far ahead judge how they stand after each placement; the others see what it does to patterns."""
CHALLENGE_ERROR = 0.25
"""The part of a level's error of judgement by which it underrates a challenge: who is not sure does not risk it."""
MISSED = 0.7
"""The part of a level's oversight by which it does not see, at a look, that it has the points or could make them."""
READING_TIME = 0.5
"""The part of its time after which an engine that comes late to a game reads on in haste, without concluding."""
_SHOWN_LINES = 3


class _Player(Engine):
    """What both players have in common: announcing, and drawing lots."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Equal seeds give equal play; without one, nobody can know what pattern it chooses."""
        super().__init__(game)
        self._random = random.Random(seed)

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Announce as soon as the points are there, in turn or not."""
        known = position.seen_by(seat)
        if known.state[r.STAGE] in (r.CHOOSING, r.ENDED) or not r.has_points(known.state, seat):
            return None
        return known.variant.move(r.ANNOUNCE + seat) if known.state[r.IN] >> seat & 1 else None

    def _draw(self, chances: Chances) -> list[int]:
        """Return rows by lot, one drawn by its chance first, then the likeliest others."""
        drawn = self._random.choices(range(len(chances)), weights=chances.tolist())[0]
        likeliest = [int(row) for row in np.argsort(-chances, kind="stable")[:_SHOWN_LINES] if row != drawn]
        return [drawn, *likeliest][:_SHOWN_LINES]

    @staticmethod
    def _info(
        task: Task,
        lines: Sequence[tuple[int, ...]],
        chance: float,
        nodes: int = 1,
        depth: int = 1,
        proven: int | None = None,
    ) -> Info:
        """Return what is thought: lines of codes, best first, and the asking seat's chance to win."""
        variant = task.position.variant
        rest = (1 - chance) / (variant.seats - 1)
        value = chance - rest  # a winner has 1 and the others share -1
        scores = tuple(value if seat == task.seat else -value / (variant.seats - 1) for seat in range(variant.seats))
        texts = tuple(tuple(variant.move(code).text for code in line) for line in lines)
        return Info(depth, nodes, task.elapsed, scores, texts, proven)


class Reader(_Player):
    """Reads the others' patterns from what they do, hides its own, and challenges when that pays.

    Its search goes over what it may know: each placement is judged by what the others would then believe of
    it, and by what they could do next with all the patterns that it believes they may have.
    """

    name: ClassVar[str] = "triskele"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Begin with nothing read."""
        super().__init__(game, seed)
        self._reading: Reading | None = None
        self._oversight = 0

    def forget(self) -> None:
        """Drop what was read."""
        self._reading = None

    def think(self, task: Task) -> Iterator[Info]:
        """Decide, first by what comes to mind, then by judging one placement after the other."""
        state, seat = task.position.state, task.seat
        if state[r.STAGE] == r.CHOOSING:
            careless = task.level.oversight / 1000
            rows = self._draw((1 - careless) * CHOICE + careless / r.PATTERNS)
            yield self._info(task, [(row,) for row in rows], 1 / task.position.variant.seats, len(CHOICE))
        elif seat != task.position.turn:
            yield self._watch(task)
        elif r.has_points(state, seat) and not self._misses_points(task.level):
            yield self._info(task, [(r.ANNOUNCE + seat,)], 1.0, proven=1)
        else:
            yield from self._decide(task, Judge(self._read(task), state, seat))

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Announce as soon as it sees that the points are there."""
        level = FULL if limits.level is None else level_of(self.game, limits.level)
        return None if self._misses_points(level) else super().interrupt(position, limits, seat)

    def _misses_points(self, level: Level) -> bool:
        return level.oversight > 0 and self._random.random() * 1000 < MISSED * level.oversight

    def _read(self, task: Task) -> Reading:
        """Return what the moves so far tell, going on from the last time where that is possible."""
        variant, state = task.position.variant, task.position.state
        moves = [written for written in task.moves if not written.startswith("=")]
        oversight = task.level.oversight
        reading = self._reading
        goes_on = reading is not None and reading.variant is variant and reading.leads_to(moves)
        if reading is None or not goes_on or self._oversight != oversight:
            reading = Reading(variant, shipped())
            self._oversight = oversight
        in_haste = False

        def overlooks(number: int) -> bool:
            nonlocal in_haste
            in_haste = in_haste or task.stop.is_set() or task.elapsed > READING_TIME * task.seconds
            return in_haste or random.Random(f"{number} {moves[number]}").random() * 1000 < oversight

        if len(moves) + int(state[r.PLAYERS]) == len(task.moves):
            reading.follow(moves, state, overlooks)
        same = np.array_equal(reading.state[r.CELL : r.SHOWN], state[r.CELL : r.SHOWN])
        if not same or reading.state[r.TURN] != state[r.TURN]:
            # The game did not begin at its beginning, as far as is known here.
            self._reading = None
            return Reading.of_board(variant, shipped(), state)
        self._reading = None if in_haste else reading
        return reading

    def _decide(self, task: Task, judge: Judge) -> Iterator[Info]:
        state, seat, level = task.position.state, task.seat, task.level
        stage, full = state[r.STAGE], state[r.EMPTY] == 0
        placing = stage != r.PLACED and not full
        if placing and not self._misses_points(level) and (finishing := judge.finishing()):
            lines = [(code, r.ANNOUNCE + seat) for code in finishing[:_SHOWN_LINES]]
            yield self._info(task, lines, 1.0, len(judge.reading.board.codes), 2, proven=2)
            return
        challenge = judge.challenge() if stage != r.CHALLENGED else None
        doubt = abs(self._random.gauss(0.0, CHALLENGE_ERROR * level.noise / 1000)) if level.noise else 0.0
        if challenge is not None and challenge.pays(judge.now, -doubt):
            yield self._info(task, [(challenge.code,)], challenge.worth, len(judge.others) * r.PATTERNS)
        elif not placing:
            yield self._info(task, [(r.END,)], judge.now)
        elif level.depth is None or level.depth >= SEARCHING:
            yield from self._search(task, judge)
        else:
            yield self._at_sight(task, judge, level.depth)

    def _at_sight(self, task: Task, judge: Judge, depth: int) -> Info:
        """Place what helps the own pattern, and with a second look, not the others'."""
        board = judge.reading.board
        gains = board.gains[:, judge.pattern].astype(np.float64)
        if depth > 1:
            gains -= judge.reading.harm(judge.seat)
        gains += self._errors(task, len(gains))
        chances = np.exp(PLAIN_SHARPNESS * (gains - gains.max()))
        return self._info(task, [(int(board.codes[row]),) for row in self._draw(chances)], judge.now, len(gains), depth)

    def _errors(self, task: Task, number: int) -> Chances:
        """Return how far a level's judgement of placements is off."""
        size = task.level.noise / 1000
        return np.array([self._random.gauss(0.0, size) if size else 0.0 for _ in range(number)])

    def _search(self, task: Task, judge: Judge) -> Iterator[Info]:
        """Judge how it stands after each placement, beginning with those that come to mind first."""
        codes = judge.reading.board.codes
        chances = judge.reading.covert(judge.seat)[:, judge.pattern].astype(np.float64)
        order = np.argsort(-chances, kind="stable")
        if task.nodes is not None:
            order = order[: max(1, task.nodes)]
        yield self._info(task, [(int(codes[row]),) for row in self._draw(chances)], judge.now)
        if not task.stopped:
            gains = judge.reading.board.gains[order, judge.pattern]
            found = judge.placing(order) + PROGRESS * gains + self._errors(task, len(order))
            rows = self._draw(np.exp(SHARPNESS * (found - found.max())))
            lines = [(int(codes[order[row]]),) for row in rows]
            yield self._info(task, lines, as_chance(float(found[rows[0]])), len(found), 2)

    def _watch(self, task: Task) -> Info:
        """Tell a seat that is not to act how it stands, and what it thinks will be done."""
        state, seat, turn = task.position.state, task.seat, task.position.turn
        assert turn is not None
        judge = Judge(self._read(task), state, seat)
        if state[r.STAGE] == r.PLACED or state[r.EMPTY] == 0:
            return self._info(task, [(r.END,)], judge.now)
        chances = judge.reading.covert(turn) @ judge.beliefs[turn]
        rows = np.argsort(-chances, kind="stable")[:_SHOWN_LINES]
        return self._info(task, [(int(judge.reading.board.codes[row]),) for row in rows], judge.now, len(chances))


class Greedy(_Player):
    """Lays its own pattern as fast as it can. It neither reads nor hides, and never challenges: a control."""

    name: ClassVar[str] = "greedy"

    def think(self, task: Task) -> Iterator[Info]:
        """Place what adds most to the own pattern; of equals, by lot."""
        state, seat = task.position.state, task.seat
        even = 1 / task.position.variant.seats
        if state[r.STAGE] == r.CHOOSING:
            yield self._info(task, [(self._random.randrange(r.PATTERNS),)], even)
        elif r.has_points(state, seat) and seat == task.position.turn:
            yield self._info(task, [(r.ANNOUNCE + seat,)], 1.0, proven=1)
        elif state[r.STAGE] == r.PLACED or state[r.EMPTY] == 0:
            yield self._info(task, [(r.END,)], even)
        else:
            board = Board(state)
            own = max(0, int(state[r.PATTERN + seat]) - 1)
            best = np.flatnonzero(board.greedy[:, own])
            yield self._info(task, [(int(board.codes[self._random.choice(best.tolist())]),)], even, len(board.codes))


ENGINES: Mapping[str, Callable[[Game], Engine]] = {engine.name: engine for engine in (Reader, Greedy)}
