"""Judge a solver's try at a puzzle, and answer a wrong one with its refutation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from triskele.core.contract.aims import MISSED, OPEN, REACHED
from triskele.core.contract.puzzles import ForcedKind, ValueKind, kind_of
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.numbers import decimal
from triskele.core.position import Position
from triskele.core.puzzles import Puzzle, puzzles
from triskele.core.words import Text, text
from triskele.puzzle.forced import ForcedSolver, OutOfBudget, Turn

REFUTATION_NODES = 2_000_000
"""The nodes that may be searched for a refutation; without one a wrong try is just called wrong."""

Status = Literal["going", "solved", "wrong", "refused"]


@dataclass(frozen=True)
class Verdict:
    """What has become of a try.

    ``going``: the turn is not complete, or the other side has answered and the solver goes on. ``refused``: the last
    decision is not legal, ``text`` says why, and it was not made. ``wrong``: the turn misses the aim; the moves that
    refute it are made, if there are any. ``position`` has all moves since the beginning of the puzzle.
    """

    status: Status
    position: Position
    text: Text | None = None


def puzzle_by_id(name: str, puzzle_id: str) -> Puzzle:
    """Return a shipped puzzle of a game; ``RecordError`` if there is none with this id."""
    for puzzle in puzzles(name):
        if puzzle.id == puzzle_id:
            return puzzle
    raise RecordError(text("puzzle.no-puzzle", game=name, id=puzzle_id[:40]))


def judge(puzzle: Puzzle, decisions: Sequence[str]) -> Verdict:
    """Judge the solver's decisions from the beginning on; the other side answers as the solution says.

    A turn is judged when it is complete or has reached the aim, so that the order of its decisions does not matter.
    What comes after the end of the puzzle is refused.
    """
    start = puzzle.start()
    kind = kind_of(start.variant.game, puzzle.kind)
    if isinstance(kind, ForcedKind):
        return _ForcedAttempt(puzzle, start, kind).judge(decisions)
    assert isinstance(kind, ValueKind), "a puzzle that was read has a kind of its game"
    return _judge_value(puzzle, start, kind, decisions)


def _refused(position: Position, error: IllegalMove) -> Verdict:
    return Verdict("refused", position, error.text)


def _over(position: Position) -> Verdict:
    return Verdict("refused", position, text("puzzle.over"))


def _judge_value(puzzle: Puzzle, start: Position, kind: ValueKind, decisions: Sequence[str]) -> Verdict:
    if not decisions:
        return Verdict("going", start)
    move, best = decisions[0], puzzle.solution[0]
    values = kind.values(start)
    position = start.copy()
    try:
        position.find(move)
        if not start.variant.game.hidden:  # what a move brings to light is not known here
            position.push(move)
    except IllegalMove as error:
        return _refused(start, error)
    if len(decisions) > 1:
        return _over(position)
    if move == best:
        return Verdict("solved", position)
    assert values is not None, "a puzzle has values"
    worth = {"value": decimal(float(values[move]), 3), "best": decimal(float(values[best]), 3)}
    return Verdict("wrong", position, text("puzzle.worth-less", move=move, **worth))


class _ForcedAttempt:
    """A try at a puzzle of a forced kind."""

    def __init__(self, puzzle: Puzzle, start: Position, kind: ForcedKind) -> None:
        self.puzzle = puzzle
        self.kind = kind
        self.position = start
        self.first = start.state
        self.solver = ForcedSolver(start.variant, kind)
        self.line = start.copy()
        """The solution, played as far as the solver has come."""
        self.waiting = list(puzzle.solution)

    def judge(self, decisions: Sequence[str]) -> Verdict:
        left = self.puzzle.turns
        status: Status = "going"
        for decision in decisions:
            if status != "going":
                return _over(self.position)
            try:
                self.position.push(decision)
            except IllegalMove as error:
                return _refused(self.position, error)
            reached = self._aim() == REACHED
            if not reached and self.position.turn == self.puzzle.seat:
                continue
            self._play_line(self.puzzle.seat)
            left -= 1
            if reached:
                status = "solved"
            elif str(self.position) != str(self.line):
                return self._wrong(left)
            elif left == 0:
                status = "solved"
            else:
                self._answer()
        return Verdict(status, self.position)

    def _aim(self) -> int:
        return self.solver.aim(self.first, self.position.state, self.puzzle.seat)

    def _play_line(self, seat: int) -> list[str]:
        """Play the next turn of the solution, which is this seat's, and return its moves."""
        made = []
        while self.waiting and self.line.turn == seat:
            made.append(self.waiting.pop(0))
            self.line.push(made[-1])
        return made

    def _answer(self) -> None:
        turn = self.position.turn
        assert turn is not None, "a puzzle that goes on is not over"
        for move in self._play_line(turn):
            self.position.push(move)

    def _wrong(self, left: int) -> Verdict:
        """Answer a turn that misses the aim with the other side's turn that shows it, if there is one."""
        if self._aim() == OPEN and (left > 0 or self.kind.survive):
            try:
                for code in self._refutation(left).codes:
                    self.position.push(self.position.variant.move(code))
            except OutOfBudget:
                return Verdict("wrong", self.position, text("puzzle.not-so"))
            return Verdict("wrong", self.position, text("puzzle.refuted"))
        return Verdict("wrong", self.position, text("puzzle.not-so"))

    def _refutation(self, left: int) -> Turn:
        """Return a turn of the other side after which the solver cannot force the aim with the turns that are left."""
        seat = self.puzzle.seat
        state = self.position.state
        self.solver.limit(REFUTATION_NODES)
        for reply in self.solver.turns(self.first, state, seat):
            known = self.solver.aim(self.first, reply.state, seat)
            if known == OPEN and left > 0 and not self.solver.can(self.first, reply.state, seat, left):
                return reply
            if known == MISSED:
                return reply
        raise OutOfBudget
