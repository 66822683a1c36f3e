"""Values of positions: what a review asks engines, or the exact solution of a game.

A :class:`Valuer` looks at one position after the other, with the move that was made there. What it finds is a
:class:`Value`; :mod:`triskele.reviewing.assembly` makes a review of these.
"""

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Engine, Limits
from triskele.core.contract.review import Calibration, advantage_of_score, calibration_of, exact_values_of
from triskele.core.game import Game, Variant
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.engines.registry import BEST, engine
from triskele.reviewing.formulas import Chances, chances_of_scores, normalised, result_chances

Scores = tuple[float, ...]

SEED = 1
"""The seed of engines whose results are sampled: the same review everywhere."""
EQUAL = 1e-9
"""Moves whose exact values differ by less are equally good."""


@dataclass(frozen=True)
class Value:
    """What a position was worth.

    ``chances``  each seat's chance to win with the best move; in a game with secrets as the seat to act knew it
    ``line``     the best line, empty where nothing was to decide
    ``played``   each seat's chance after the move that was made, where the next position cannot tell it: before dice,
                 and by what the seat knew
    ``scores``   the score that each seat could expect, where the game has exact values
    """

    chances: Chances
    line: tuple[str, ...] = ()
    played: Chances | None = None
    scores: Scores | None = None


class Valuer(ABC):
    """Values the positions of games of one variant."""

    def __init__(self, variant: Variant) -> None:
        """Value games of ``variant``."""
        self.variant = variant
        self.calibration: Calibration = calibration_of(variant.game)
        self.curve = self.calibration.curve(variant.seats)

    def get_ready(self) -> None:  # noqa: B027 (most have nothing to load)
        """Load what it needs, so that all positions are valued alike."""

    def value(self, position: Position, move: Move | None) -> Value | None:
        """Return the value of a position in which ``move`` was made, ``None`` at the end of a record.

        ``None`` where it follows from the next position or from the last decision.
        """
        outcome = position.outcome()
        if outcome is not None:
            return self.end(position, result_chances(outcome.winners, self.variant.seats))
        return self._value(position, move) if self.is_valued(position, move) else None

    @staticmethod
    @abstractmethod
    def is_valued(position: Position, move: Move | None) -> bool:
        """Return whether a position that is not the end has a value of its own where ``move`` was made."""

    def end(self, position: Position, chances: Chances) -> Value:
        """Return the value of the end of a game."""
        return Value(chances)

    @abstractmethod
    def advantages(self, position: Position, move: Move) -> dict[int, float]:
        """Return the advantage of each seat that it can tell where ``move`` was made, for measuring the curve.

        It is empty for a proven result.
        """

    @abstractmethod
    def _value(self, position: Position, move: Move | None) -> Value:
        """Return the value of a position that has its own and is not the end."""


class EngineValuer(Valuer):
    """Values positions by an engine's search."""

    def __init__(self, variant: Variant, limits: Limits | None = None, stop: threading.Event | None = None) -> None:
        """Search within ``limits`` in each position, by default with the nodes that the curve was measured with."""
        super().__init__(variant)
        self.limits = replace(limits or Limits(nodes=self.calibration.nodes), seed=SEED)
        self.stop = stop
        self.engine: Engine = engine(BEST, variant.game)

    def get_ready(self) -> None:
        """Load or compile the engine."""
        self.engine.get_ready()

    def advantages(self, position: Position, move: Move) -> dict[int, float]:
        """Return the advantages by the engine's scores."""
        scores = self._scores(position, move)
        if any(abs(score) >= 1.0 for score in scores.values()):
            return {}
        return {seat: advantage_of_score(score, self.variant.seats) for seat, score in scores.items()}

    @abstractmethod
    def _scores(self, position: Position, move: Move) -> dict[int, float]:
        """Return the scores of a position as a review values it; in a game with secrets, only the mover's own."""

    def _chances(self, scores: Scores, *, proven: bool = False) -> Chances:
        return chances_of_scores(scores, self.curve, proven=proven)


class SearchValuer(EngineValuer):
    """For open games without chance: one search a position. What a move was worth, the next position tells."""

    @staticmethod
    def is_valued(position: Position, move: Move | None) -> bool:
        """Return whether there was a choice."""
        return move is None or len(position.legal_moves) > 1

    def _value(self, position: Position, move: Move | None) -> Value:
        # Every search begins anew, so that a review is the same however it is cut into parts.
        self.engine.forget()
        info = self.engine.search(position, self.limits, self.stop)
        return Value(self._chances(info.scores, proven=info.proven is not None), info.lines[0])

    def _scores(self, position: Position, move: Move) -> dict[int, float]:
        self.engine.forget()
        return dict(enumerate(self.engine.search(position, self.limits, self.stop).scores))


class AppraisalValuer(EngineValuer):
    """For games with chance or secrets: the engine compares the move with the best one where it was made."""

    @staticmethod
    def is_valued(position: Position, move: Move | None) -> bool:
        """Return whether there was a choice, or dice were rolled next; the last position of an open game is, too."""
        if position.turn == CHANCE:
            return False
        if move is None:
            return not position.variant.game.hidden
        return position.mover(move) != CHANCE and (len(position.legal_moves) > 1 or rolls_follow(position, move))

    def _value(self, position: Position, move: Move | None) -> Value:
        if move is None:
            return Value(self._chances(self.engine.search(position, self.limits, self.stop).scores))
        found = self.engine.appraise(position, move, self.limits, self.stop)
        return Value(self._chances(found.best), found.line, self._chances(found.played))

    def _scores(self, position: Position, move: Move) -> dict[int, float]:
        best = self.engine.appraise(position, move, self.limits, self.stop).best
        seat = position.mover(move)
        return {seat: best[seat]} if self.variant.game.hidden else dict(enumerate(best))


def rolls_follow(position: Position, move: Move) -> bool:
    """Return whether dice follow a move."""
    after = position.copy()
    after.push(move)
    return after.turn == CHANCE


class ExactValuer(Valuer):
    """For games whose values are known: every move is compared with every other, without a search."""

    def __init__(self, variant: Variant) -> None:
        """Solve the variant."""
        super().__init__(variant)
        declared = exact_values_of(variant.game)
        assert declared is not None, "the game has exact values"
        self._scores_of = declared.expected_scores(variant)
        self._unit = declared.unit(variant)

    def chances(self, scores: Scores) -> Chances:
        """Return each seat's chance to win from the scores that they can expect.

        Alone there is nobody to win against: then it is the part of the way from the lowest score to the highest.
        """
        if len(scores) == 1:
            return (max(0.0, min(1.0, (1 + scores[0] / self._unit) / 2)),)
        return normalised([self.curve.chance(score / self._unit) for score in scores])

    def advantages(self, position: Position, move: Move) -> dict[int, float]:
        """Return the advantages by the scores to expect."""
        return {seat: score / self._unit for seat, score in enumerate(self._scores_of(position.state))}

    def end(self, position: Position, chances: Chances) -> Value:
        """Return the value of the end: the scores are those of the rules."""
        scores = self._scores_of(position.state)
        return Value(self.chances(scores) if len(scores) == 1 else chances, scores=scores)

    @staticmethod
    def is_valued(position: Position, move: Move | None) -> bool:
        """Return that every position is."""
        return True

    def _value(self, position: Position, move: Move | None) -> Value:
        state = position.state
        scores = self._scores_of(state)
        turn = position.turn
        if turn is None or turn == CHANCE or move is None:
            return Value(self.chances(scores), scores=scores)
        rules = self.variant.rules
        values = {}
        for legal in position.legal_moves:
            after = state.copy()
            rules.apply(after, legal.code)
            values[legal.text] = self._scores_of(after)
        highest = max(value[turn] for value in values.values())
        best = next(text for text, value in values.items() if value[turn] >= highest - EQUAL)
        if values[move.text][turn] >= highest - EQUAL:
            best = move.text
        return Value(self.chances(values[best]), (best,), self.chances(values[move.text]), scores)


def valuer_kind(game: Game) -> type[Valuer]:
    """Return by what kind of valuer the positions of a game are valued: its exact values if it has any."""
    if exact_values_of(game) is not None:
        return ExactValuer
    return AppraisalValuer if game.chance or game.hidden else SearchValuer


def valuer_of(variant: Variant, limits: Limits | None = None, stop: threading.Event | None = None) -> Valuer:
    """Return what values the positions of a variant."""
    kind = valuer_kind(variant.game)
    if issubclass(kind, EngineValuer):
        return kind(variant, limits, stop)
    return ExactValuer(variant)
