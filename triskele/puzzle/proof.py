"""Prove puzzles: independently of how they were made, by the rules alone.

A puzzle of a forced kind is proved by trying every decision up to its horizon; one of a value kind by the proof that
its game brings. What holds is said in :mod:`triskele.core.contract.puzzles`. Nothing here uses what makes puzzles.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from triskele.core.contract import State
from triskele.core.contract.aims import OPEN, REACHED, aim
from triskele.core.contract.puzzles import ForcedKind, ValueKind, kind_of
from triskele.core.errors import RecordError, TriskeleError
from triskele.core.game import Variant
from triskele.core.link import Program
from triskele.core.position import Position
from triskele.core.puzzles import Puzzle
from triskele.core.words import Text, text
from triskele.puzzle.proof_search import DEPTH, EXHAUST, HOLDS, UNPROVED, ProofWorkspace

AIMED = Program(aim, "int64(int64[::1], int64[::1], int64, int64)")
NODES_LIMIT = 1_000_000_000
"""A proof that needs more positions is given up."""
MARGIN_ERROR = 1e-9
"""How far the margin in a file may be off: it is written as a decimal number."""


class NotProved(RecordError):
    """A puzzle is false, has another solution, or could not be proved: the reason says which."""


class TooCostly(NotProved):
    """A proof was given up: nothing is known about the puzzle."""


def _refuse(key: str, **values: str | int | Text) -> NotProved:
    return NotProved(text(f"puzzle.proof-{key}", **values))


def prove(puzzle: Puzzle, nodes: int = NODES_LIMIT) -> int:
    """Prove a puzzle and return how many positions that took; ``NotProved`` says what is wrong with it."""
    try:
        start = puzzle.start()
    except TriskeleError as error:
        raise _refuse("position", why=error.text) from None
    if str(start) != puzzle.position:
        raise _refuse("written-otherwise")
    if start.turn != puzzle.seat:
        raise _refuse("seat", seat=puzzle.seat + 1)
    if start.variant.game.hidden and str(start.seen_by(puzzle.seat)) != puzzle.position:
        raise _refuse("secret")
    kind = kind_of(start.variant.game, puzzle.kind)
    if kind is None or puzzle.turns not in kind.turns:
        raise _refuse("kind", kind=puzzle.kind[:40], n=puzzle.turns)
    if isinstance(kind, ValueKind):
        return _prove_value(puzzle, start, kind)
    return _ForcedProof(start, puzzle, kind, nodes).run()


def prove_document(document: dict[str, Any], nodes: int, isolated: bool = False) -> tuple[int, Text | None]:
    """Prove a puzzle that a file holds; return the positions visited, and the reason if it is not proved.

    The function of a work item.
    """
    try:
        return prove(Puzzle.of_document(document), nodes), None
    except NotProved as refusal:
        return 0, refusal.text


# --- values ---------------------------------------------------------------------------------------


def _prove_value(puzzle: Puzzle, start: Position, kind: ValueKind) -> int:
    values = kind.proof(start)
    move = puzzle.solution[0]
    if move not in values or len(puzzle.solution) != 1:
        raise _refuse("illegal", move=move[:40])
    others = [value for other, value in values.items() if other != move]
    better = [other for other, value in values.items() if other != move and value >= values[move]]
    if better:
        raise _refuse("other-solution", move=min(better))
    margin = values[move] - max(others, default=values[move])
    if margin < kind.least:
        raise _refuse("no-margin", move=move)
    if puzzle.margin is None or abs(float(margin) - puzzle.margin) > MARGIN_ERROR:
        raise _refuse("margin", margin=f"{float(margin):.9g}")
    return len(values)


# --- force ----------------------------------------------------------------------------------------


class _ForcedProof:
    """The proof of one puzzle: turn by turn along its line, every turn of the solver against all others."""

    def __init__(self, start: Position, puzzle: Puzzle, kind: ForcedKind, nodes: int) -> None:
        self.puzzle = puzzle
        self.kind = kind
        self.nodes = nodes
        self.variant: Variant = start.variant
        self.seat = puzzle.seat
        self.position = start
        self.begin = start.state
        linker = self.variant.game.linker
        self.rules = linker.compile_rules()
        self._aim = linker.program(AIMED)
        self._exhaust = linker.program(EXHAUST)
        words = len(self.begin) + (DEPTH + 1) * (self.variant.log + 1)
        self.work = ProofWorkspace(
            positions=np.zeros((DEPTH, words), dtype=np.int64),
            choices=np.zeros((DEPTH, self.variant.moves_limit), dtype=np.int64),
            left=np.zeros(DEPTH, dtype=np.int64),
            horizon=np.zeros(DEPTH, dtype=np.int64),
            refutation=np.full(DEPTH, -1, dtype=np.int64),
            spent=np.zeros(1, dtype=np.int64),
        )

    def run(self) -> int:
        """Prove it; return the positions visited."""
        if self.aim(self.begin) != OPEN:
            raise _refuse("nothing-to-do")
        moves = list(self.puzzle.solution)
        left = self.puzzle.turns
        if not self.kind.survive and left > 1 and self.holds(self.begin, left - 1):
            raise _refuse("shorter", n=left - 1)
        while True:
            reached = self._solver_turn(moves, left)
            left -= 1
            if reached or left == 0:
                break
            self._reply(moves, left)
        # Where the aim is reached inside a turn, the line goes on to the end of that turn.
        while moves and self.position.turn == self.seat:
            self._push(moves.pop(0))
        if moves:
            raise _refuse("too-long", move=moves[0][:40])
        return int(self.work.spent[0])

    def aim(self, state: State) -> int:
        return int(self._aim(self.begin, state, self.seat, self.kind.number))

    def holds(self, state: State, turns: int) -> bool:
        """Return whether the solver forces the aim from a state with so many of its turns left."""
        self.work.positions[0, : len(state)] = state
        survive = int(self.kind.survive)
        found = self._exhaust(self.work, self.begin, self.seat, self.kind.number, survive, turns, self.nodes)
        if found == UNPROVED:
            raise TooCostly(text("puzzle.proof-too-costly", n=self.nodes))
        return bool(found == HOLDS)

    def _push(self, move: str) -> None:
        try:
            self.position.push(move)
        except TriskeleError as error:
            raise _refuse("illegal-move", why=error.text) from None

    def _solver_turn(self, moves: list[str], left: int) -> bool:
        """Check that the turn that the line gives now is the only one that works; return whether it reaches the aim."""
        before = self.position.state
        while self.position.turn == self.seat and self.aim(self.position.state) == OPEN:
            if not moves:
                raise _refuse("too-short")
            self._push(moves.pop(0))
        given = self.text(self.position.state)
        found = False
        for codes, after in self._turns(before):
            known = self.aim(after)
            if known == REACHED or (known == OPEN and self.holds(after, left - 1)):
                if self.text(after) != given:
                    raise _refuse("other-solution", move=" ".join(self.variant.move(code).text for code in codes))
                found = True
        if not found:
            raise _refuse("false", n=left)
        return self.aim(self.position.state) == REACHED

    def _reply(self, moves: list[str], left: int) -> None:
        """Check that the other seat's turn in the line puts the aim off as long as it can."""
        while self.position.turn not in (None, self.seat):
            if not moves:
                raise _refuse("too-short")
            self._push(moves.pop(0))
        state = self.position.state
        if self.aim(state) != OPEN or (not self.kind.survive and left > 1 and self.holds(state, left - 1)):
            raise _refuse("not-stubborn")

    def text(self, state: State) -> str:
        return self.variant.game.notation.write(self.variant.options, state)

    def _turns(self, state: State) -> Iterator[tuple[list[int], State]]:
        """Yield every way to make the solver's turn from here and the state after it, equal states once."""
        seen: set[bytes] = set()
        buffer = np.zeros(self.variant.moves_limit, dtype=np.int64)
        stack: list[tuple[list[int], State]] = [([], state)]
        while stack:
            codes, here = stack.pop()
            for code in buffer[: self.rules.legal(here, buffer)].tolist():
                after = np.zeros(len(here) + self.variant.log, dtype=np.int64)
                after[: len(here)] = here
                self.rules.apply(after, code)
                after = after[: after[0]]
                self.work.spent[0] += 1
                if after.tobytes() in seen:
                    continue
                seen.add(after.tobytes())
                if self.rules.actor(after) == self.seat and self.aim(after) == OPEN:
                    stack.append(([*codes, code], after))
                else:
                    yield [*codes, code], after
