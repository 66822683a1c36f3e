"""Find puzzles of a forced kind: positions in which only one turn of the solver reaches the aim.

:mod:`triskele.core.contract.puzzles` says what "only one" means. Everything here works on states; the search behind it
is :mod:`triskele.puzzle.force_search`.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from triskele.core.contract import State
from triskele.core.contract.aims import OPEN, REACHED, SCRATCH, aim
from triskele.core.contract.puzzles import ForcedKind
from triskele.core.game import Variant
from triskele.core.link import Program
from triskele.puzzle.force_search import DEPTH, FORCE, UNKNOWN, ForceWorkspace

AIM = Program(aim, "int64(int64[::1], int64[::1], int64, int64)")

TURNS_LIMIT = 150_000
"""Positions with more ways to make a turn are no candidates."""
REPLIES_LIMIT = 2_500
"""The most turns of the other seat after the solution of a puzzle that goes on."""


class OutOfBudget(Exception):
    """The nodes that may be spent on a candidate are used up; nothing is known about it."""


@dataclass(frozen=True)
class Turn:
    """One way to make a turn: the codes of its decisions, and the state after it or where the aim is reached."""

    codes: tuple[int, ...]
    state: State
    reached: bool


class ForcedSolver:
    """Solves positions of one variant for one kind. Keeps arrays: use one object in one thread."""

    def __init__(self, variant: Variant, kind: ForcedKind) -> None:
        """Link the search; compiles it the first time."""
        self.variant = variant
        self.kind = kind
        self.nodes = 0
        """Nodes searched and turns made since the object was made."""
        linker = variant.game.linker
        self._rules = linker.compile_rules()
        self._force = linker.program(FORCE)
        self._aim = linker.program(AIM)
        self._buffer = np.zeros(variant.moves_limit, dtype=np.int64)
        self._work = ForceWorkspace(
            states=np.zeros((DEPTH, 0), dtype=np.int64),
            moves=np.zeros((DEPTH, variant.moves_limit), dtype=np.int64),
            numbers=np.zeros(DEPTH, dtype=np.int64),
            cursors=np.zeros(DEPTH, dtype=np.int64),
            turns=np.zeros(DEPTH, dtype=np.int64),
            history=np.zeros((2, variant.game.rules_module.ACTIONS), dtype=np.int64),
            nodes=np.zeros(1, dtype=np.int64),
            scratch=np.zeros(SCRATCH, dtype=np.int64),
        )
        self._limit = 0

    def limit(self, nodes: int) -> None:
        """Allow this many more nodes; then ``OutOfBudget`` is raised."""
        self._limit = self.nodes + nodes

    def _spend(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > self._limit:
            raise OutOfBudget

    # --- questions --------------------------------------------------------------------------------

    def aim(self, first: State, state: State, seat: int) -> int:
        """Return whether the aim is reached, open or missed."""
        return int(self._aim(first, state, seat, self.kind.number))

    def can(self, first: State, state: State, seat: int, turns: int) -> bool:
        """Return whether the solver can force the aim within this many of its turns."""
        words = len(state) + DEPTH * self.variant.log
        if self._work.states.shape[1] < words:
            self._work = self._work._replace(states=np.zeros((DEPTH, words), dtype=np.int64))
        self._work.states[0, : len(state)] = state
        self._work.nodes[0] = 0
        self._work.history[:] >>= 1
        survive = int(self.kind.survive)
        found = self._force(self._work, first, seat, self.kind.number, survive, turns, self._limit - self.nodes)
        self._spend(int(self._work.nodes[0]))
        if found == UNKNOWN:
            raise OutOfBudget
        return bool(found)

    def turns(self, first: State, state: State, seat: int) -> Iterator[Turn]:
        """Yield all ways in which the seat to act can make its turn, cut off where the solver's aim is reached.

        Ways that lead to the same state are one; ``seat`` is the solver.
        """
        actor = int(self._rules.actor(state))
        seen: set[bytes] = set()
        waiting: list[tuple[tuple[int, ...], State]] = [((), state)]
        room = np.zeros(self.variant.log, dtype=np.int64)
        while waiting:
            codes, before = waiting.pop()
            number = self._rules.legal(before, self._buffer)
            self._spend(number)
            for code in self._buffer[:number].tolist():
                after = np.concatenate([before, room])
                self._rules.apply(after, code)
                after = after[: after[0]]
                key = after.tobytes()
                if key in seen:
                    continue
                seen.add(key)
                if len(seen) > TURNS_LIMIT:
                    raise OutOfBudget
                reached = self.aim(first, after, seat)
                line = (*codes, code)
                if reached == OPEN and self._rules.actor(after) == actor:
                    waiting.append((line, after))
                else:
                    yield Turn(line, after, reached == REACHED)

    def solutions(self, first: State, state: State, seat: int, turns: int, enough: int = 2) -> dict[str, Turn]:
        """Return the turns that reach the aim within ``turns`` turns, by the text of the position after them.

        Stops when there are ``enough`` of them.
        """
        found: dict[str, Turn] = {}
        for turn in self.turns(first, state, seat):
            if turn.reached or self._holds(first, turn.state, seat, turns - 1):
                found.setdefault(self.text(turn.state), turn)
                if len(found) >= enough:
                    break
        return found

    def _holds(self, first: State, state: State, seat: int, turns: int) -> bool:
        """Return whether the aim can be forced after a turn of the solver, with ``turns`` more of them."""
        known = self.aim(first, state, seat)
        if known != OPEN or (turns == 0 and not self.kind.survive):
            return known == REACHED
        return self.can(first, state, seat, turns)

    def text(self, state: State) -> str:
        """Return the text of a state: equal positions have equal ones."""
        return self.variant.game.notation.write(self.variant.options, state)

    # --- puzzles ----------------------------------------------------------------------------------

    def line(self, state: State, seat: int, turns: int) -> list[int] | None:
        """Return the only solution from ``state`` as codes of both seats, ``None`` if there is none or more than one.

        The other seat answers as stubbornly as it can: of the turns that put the aim off longest, by the one that
        leaves the solver the fewest ways, which must be one.
        """
        if self.aim(state, state, seat) != OPEN:
            return None
        if not self.kind.survive and turns > 1 and self.can(state, state, seat, turns - 1):
            return None  # a shorter puzzle
        return self._line(state, state, seat, turns)

    def _line(self, first: State, state: State, seat: int, turns: int) -> list[int] | None:
        found = self.solutions(first, state, seat, turns)
        if len(found) != 1:
            return None
        (turn,) = found.values()
        if turn.reached or turns == 1 or self.aim(first, turn.state, seat) != OPEN:
            return list(turn.codes)
        for reply in self._stubborn(first, turn.state, seat, turns - 1):
            rest = self._line(first, reply.state, seat, turns - 1)
            if rest is not None:
                return [*turn.codes, *reply.codes, *rest]
        return None

    def _stubborn(self, first: State, state: State, seat: int, turns: int) -> Iterator[Turn]:
        """Yield the replies after which the solver still needs (or, to survive, still has to find) all its turns."""
        replies = list(itertools.islice(self.turns(first, state, seat), REPLIES_LIMIT + 1))
        if len(replies) > REPLIES_LIMIT:
            return
        for reply in sorted(replies, key=lambda reply: [self.variant.move(code).text for code in reply.codes]):
            if reply.reached or self.aim(first, reply.state, seat) != OPEN:
                continue
            if self.kind.survive or turns == 1 or not self.can(first, reply.state, seat, turns - 1):
                yield reply
