"""The engines of TRYPTIC: ``triskele``, which infers patterns and hides its own, and the baseline ``greedy``."""

import math
import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from triskele.core.contract import State
from triskele.core.contract.engine import Appraisal, Engine, Info, Limits, Task, level_of
from triskele.core.contract.levels import FULL, Level
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import CHOICE, BeliefState, Chances
from triskele.games.tryptic.evaluation import logistic
from triskele.games.tryptic.seat_evaluation import SeatEvaluation
from triskele.games.tryptic.weights import shipped_weights
from triskele.games.tryptic.windows import Board

SHARPNESS = 8.0
"""The inverse temperature of the softmax that placements are drawn from, for values in logits.

A player who always makes the best placement gives its pattern away sooner.
"""
PROGRESS = 0.4
"""What a point of gain for the own pattern adds to a placement's value, in logits: the trained weights are too patient.

Measured: with it 29 of 30 games were won against a plain player, without it 17 of 19, and 19 of 33 between the two.
"""
PLAIN_SHARPNESS = 3.2
"""The inverse temperature of levels that do not search, for gains in points."""
SEARCH_DEPTH = 3
"""Levels of this depth and more evaluate the position after each placement; others place by gain."""
CHALLENGE_ERROR = 0.25
"""The part of a level's noise by which it undervalues challenges: weak players risk fewer of them."""
MISSED_POINTS = 0.7
"""The part of a level's oversight that is the chance to miss that it has the points or could make them."""
INFERENCE_TIME = 0.5
"""The part of its time after which further placements of a long history are no longer counted as evidence."""
_SHOWN_LINES = 3
_NO_MOVE = -1
"""Stands for going on without an interrupt."""


class _TrypticEngine(Engine):
    """What both engines have in common: announcing, and sampling moves."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Equal seeds give equal play; without one, the choice of a pattern cannot be predicted."""
        super().__init__(game)
        self._random = random.Random(seed)

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Announce as soon as the points are there, in turn or not."""
        known = position.seen_by(seat)
        if known.state[r.STAGE] in (r.CHOOSING, r.ENDED) or not r.has_points(known.state, seat):
            return None
        return known.variant.move(r.ANNOUNCE + seat) if known.state[r.IN] >> seat & 1 else None

    def _sample(self, chances: Chances) -> list[int]:
        """Return a row sampled by its weight, then the most likely others."""
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
        """Return an info from lines of move codes, best first, and the asking seat's chance to win."""
        variant = task.position.variant
        rest = (1 - chance) / (variant.seats - 1)
        value = chance - rest  # a winner has 1 and the others share -1
        scores = tuple(value if seat == task.seat else -value / (variant.seats - 1) for seat in range(variant.seats))
        texts = tuple(tuple(variant.move(code).text for code in line) for line in lines)
        return Info(depth, nodes, task.elapsed, scores, texts, proven)


class BeliefEngine(_TrypticEngine):
    """Infers the others' patterns from their moves, hides its own, and challenges when the expected value is higher.

    It searches its information state one placement deep: each placement is evaluated by the posterior that the others
    would then have of its own pattern, and by what they could do next with each pattern they may have.
    """

    name: ClassVar[str] = "triskele"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Start without a belief state."""
        super().__init__(game, seed)
        self._belief_state: BeliefState | None = None
        self._oversight = 0

    def forget(self) -> None:
        """Drop the belief state of the last game."""
        self._belief_state = None

    def think(self, task: Task) -> Iterator[Info]:
        """Answer first by the covert model, then by evaluating the position after each placement."""
        state, seat = task.position.state, task.seat
        if state[r.STAGE] == r.CHOOSING:
            uniform = task.level.oversight / 1000
            rows = self._sample((1 - uniform) * CHOICE + uniform / r.PATTERNS)
            yield self._info(task, [(row,) for row in rows], 1 / task.position.variant.seats, len(CHOICE))
        elif seat != task.position.turn:
            yield self._answer_observer(task)
        elif r.has_points(state, seat) and not self._misses_points(task.level):
            yield self._info(task, [(r.ANNOUNCE + seat,)], 1.0, proven=1)
        else:
            yield from self._decide(task, SeatEvaluation(self._infer(task), state, seat))

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Announce as soon as the points are there, unless the level overlooks it."""
        level = FULL if limits.level is None else level_of(self.game, limits.level)
        return None if self._misses_points(level) else super().interrupt(position, limits, seat)

    def _misses_points(self, level: Level) -> bool:
        return level.oversight > 0 and self._random.random() * 1000 < MISSED_POINTS * level.oversight

    def _infer(self, task: Task) -> BeliefState:
        """Return the belief state after the moves so far, continued from the last call where possible."""
        variant, state = task.position.variant, task.position.state
        moves = [written for written in task.moves if not written.startswith("=")]
        oversight = task.level.oversight
        belief_state = self._belief_state
        goes_on = belief_state is not None and belief_state.variant is variant and belief_state.leads_to(moves)
        if belief_state is None or not goes_on or self._oversight != oversight:
            belief_state = BeliefState(variant, shipped_weights())
            self._oversight = oversight
        hurried = False

        def overlooks(number: int) -> bool:
            nonlocal hurried
            hurried = hurried or task.stop.is_set() or task.elapsed > INFERENCE_TIME * task.seconds
            return hurried or random.Random(f"{number} {moves[number]}").random() * 1000 < oversight

        players = range(int(state[r.PLAYERS]))
        chosen = sum(1 for each in players if state[r.IN] >> each & 1 or state[r.PATTERN + each])
        if len(moves) + chosen == len(task.moves):
            belief_state.follow(moves, state, overlooks)
        same = np.array_equal(belief_state.state[r.CELL : r.SHOWN], state[r.CELL : r.SHOWN])
        if not same or belief_state.state[r.TURN] != state[r.TURN]:
            # The moves do not lead from the start to this position: it was set up, or the history is cut.
            self._belief_state = None
            return BeliefState.of_board(variant, shipped_weights(), state)
        self._belief_state = None if hurried else belief_state
        return belief_state

    def _decide(self, task: Task, evaluation: SeatEvaluation) -> Iterator[Info]:
        state, seat, level = task.position.state, task.seat, task.level
        stage, full = state[r.STAGE], state[r.EMPTY] == 0
        to_place = stage != r.PLACED and not full
        if to_place and not self._misses_points(level) and (winning_placements := evaluation.winning_placements()):
            lines = [(code, r.ANNOUNCE + seat) for code in winning_placements[:_SHOWN_LINES]]
            yield self._info(task, lines, 1.0, len(evaluation.belief_state.board.codes), 2, proven=2)
            return
        challenge = evaluation.challenge() if stage != r.CHALLENGED else None
        doubt = abs(self._random.gauss(0.0, CHALLENGE_ERROR * level.noise / 1000)) if level.noise else 0.0
        if challenge is not None and challenge.pays(evaluation.current_chance, -doubt):
            yield self._info(task, [(challenge.code,)], challenge.worth, len(evaluation.others) * r.PATTERNS)
        elif not to_place:
            yield self._info(task, [(r.END,)], evaluation.current_chance)
        elif level.depth is None or level.depth >= SEARCH_DEPTH:
            yield from self._search(task, evaluation)
        else:
            yield self._place_by_gain(task, evaluation, level.depth)

    def _place_by_gain(self, task: Task, evaluation: SeatEvaluation, depth: int) -> Info:
        """Place by gain for the own pattern, from depth 2 on less the expected gain of the others; without a search."""
        board = evaluation.belief_state.board
        gains = board.gains[:, evaluation.pattern].astype(np.float64)
        if depth > 1:
            gains -= evaluation.belief_state.harm(evaluation.seat)
        gains += self._errors(task, len(gains))
        chances = np.exp(PLAIN_SHARPNESS * (gains - gains.max()))
        lines = [(int(board.codes[row]),) for row in self._sample(chances)]
        return self._info(task, lines, evaluation.current_chance, len(gains), depth)

    def _errors(self, task: Task, number: int) -> Chances:
        """Return a level's random errors in the values of placements."""
        size = task.level.noise / 1000
        return np.array([self._random.gauss(0.0, size) if size else 0.0 for _ in range(number)])

    def _search(self, task: Task, evaluation: SeatEvaluation) -> Iterator[Info]:
        """Evaluate the position after each placement, in the order of the covert model if the nodes are limited."""
        codes = evaluation.belief_state.board.codes
        chances = evaluation.belief_state.covert(evaluation.seat)[:, evaluation.pattern].astype(np.float64)
        order = np.argsort(-chances, kind="stable")
        if task.nodes is not None:
            order = order[: max(1, task.nodes)]
        yield self._info(task, [(int(codes[row]),) for row in self._sample(chances)], evaluation.current_chance)
        if not task.stopped:
            gains = evaluation.belief_state.board.gains[order, evaluation.pattern]
            found = evaluation.win_logits_after(order) + PROGRESS * gains + self._errors(task, len(order))
            rows = self._sample(np.exp(SHARPNESS * (found - found.max())))
            lines = [(int(codes[order[row]]),) for row in rows]
            yield self._info(task, lines, logistic(float(found[rows[0]])), len(found), 2)

    def appraise(
        self, position: Position, move: Move, limits: Limits, stop: threading.Event | None = None
    ) -> Appraisal:
        """Compare a move with the best one by what its seat knew: by its posteriors, never by the truth."""
        seat = position.mover(move)
        task = self._task(position, limits, stop, seat)
        state, variant = task.position.state, position.variant
        if state[r.STAGE] == r.CHOOSING or move.code >= r.GIVE_UP:
            even = (0.0,) * variant.seats  # how good a pattern is shows in play only
            return Appraisal((move.text,), even, even)
        if r.has_points(state, seat):
            values = {r.ANNOUNCE + seat: 1.0}
        else:
            values = self._values(SeatEvaluation(self._infer(task), state, seat), state, move.code)
        best = max(values, key=lambda code: values[code])
        # A seat that has the points and does not say so, or announces without them, gives the game away.
        played = values.get(move.code, 0.0)
        line = (best,) if values[best] < 1.0 or best >= r.ANNOUNCE else (best, r.ANNOUNCE + seat)
        texts, found, made = (
            self._info(task, [line], values[best]).lines[0],
            self._info(task, [line], values[best]).scores,
            self._info(task, [line], played).scores,
        )
        return Appraisal(texts, found, made)

    def _values(self, evaluation: SeatEvaluation, state: State, played: int) -> dict[int, float]:
        """Return the chance to win after each move that may be the best, and after one that was made.

        Placements are valued by how much worse they are than the best, which is worth what the position is: so they can
        be compared with challenges, whose values rest on the position as it stands.
        """
        now = evaluation.current_chance
        stage = state[r.STAGE]
        values: dict[int, float] = {}
        if evaluation.seat != state[r.TURN]:
            return {_NO_MOVE: now}
        if stage != r.PLACED and state[r.EMPTY] != 0:
            board = evaluation.belief_state.board
            logits = evaluation.win_logits_after(np.arange(len(board.codes)))
            logits = logits + PROGRESS * board.gains[:, evaluation.pattern]
            level = math.log(now / (1 - now)) - logits.max()
            values = dict(zip(board.codes.tolist(), map(logistic, (logits + level).tolist()), strict=True))
            values |= dict.fromkeys(evaluation.winning_placements(), 1.0)
        if stage == r.PLACED or state[r.EMPTY] == 0:
            values[r.END] = now
        if stage != r.CHALLENGED:
            challenge = evaluation.challenge()
            values[challenge.code] = challenge.worth
            if r.CHALLENGE <= played < r.END:
                values[played] = evaluation.worth_of_challenge(played)
        return values

    def _answer_observer(self, task: Task) -> Info:
        """Answer a seat that is not to act: its chance to win, and the most likely placements of the seat to act."""
        state, seat, turn = task.position.state, task.seat, task.position.turn
        assert turn is not None
        evaluation = SeatEvaluation(self._infer(task), state, seat)
        if state[r.STAGE] == r.PLACED or state[r.EMPTY] == 0:
            return self._info(task, [(r.END,)], evaluation.current_chance)
        chances = evaluation.belief_state.covert(turn) @ evaluation.beliefs[turn]
        rows = np.argsort(-chances, kind="stable")[:_SHOWN_LINES]
        lines = [(int(evaluation.belief_state.board.codes[row]),) for row in rows]
        return self._info(task, lines, evaluation.current_chance, len(chances))


class GreedyEngine(_TrypticEngine):
    """Lays its own pattern as fast as it can; it never infers, hides or challenges. The baseline."""

    name: ClassVar[str] = "greedy"

    def think(self, task: Task) -> Iterator[Info]:
        """Place what gains most for the own pattern, a random one of equals."""
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


ENGINES: Mapping[str, Callable[[Game], Engine]] = {engine.name: engine for engine in (BeliefEngine, GreedyEngine)}
