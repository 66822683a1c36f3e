"""The proof of Conquest Tryad's puzzles: every attack, every defence and every single die of the turn, by the rules.

It uses no table of odds. All rolls of a battle are made die by die, and counted by the state that they lead to.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from triskele.core.contract import CHANCE, OVER, SIZE, State, actor, apply, legal
from triskele.core.link import Program
from triskele.core.position import Position
from triskele.core.workspace import Matrix, Vector
from triskele.games.conquest.rules import CONQUER, DONE, PHASE

DICE = 8
"""More dice than a battle has."""
RESULTS = 16
"""More states than the rolls of one battle can lead to."""


class RollWorkspace(NamedTuple):
    """The arrays of :func:`roll_all`."""

    states: Matrix
    moves: Matrix
    tried: Vector
    results: Matrix
    counts: Vector


def roll_all(work: RollWorkspace) -> int:
    """Make every sequence of dice from ``work.states[0]``, count the states they lead to; return how many differ."""
    found = 0
    at = 0
    work.tried[0] = 0
    while at >= 0:
        state = work.states[at]
        if actor(state) == CHANCE:
            number = legal(state, work.moves[at])
            if work.tried[at] == number:
                at -= 1
                continue
            for i in range(SIZE):
                work.states[at + 1, i] = state[i]
            apply(work.states[at + 1], work.moves[at, work.tried[at]])
            work.tried[at] += 1
            at += 1
            work.tried[at] = 0
            continue
        place = 0
        while place < found:
            same = True
            for i in range(SIZE):
                if work.results[place, i] != state[i]:
                    same = False
                    break
            if same:
                break
            place += 1
        if place == found:
            for i in range(SIZE):
                work.results[found, i] = state[i]
            work.counts[found] = 0
            found += 1
        work.counts[place] += 1
        at -= 1
    return found


ROLL_ALL = Program(roll_all, "int64(RollWorkspace)", (RollWorkspace,))


def chances_by_the_rules(position: Position) -> Mapping[str, Fraction]:
    """Return the chance to win in this turn after each move of the seat to act."""
    seat = position.turn
    assert seat is not None
    exhausted = _ExhaustedTurn(position, seat)
    found = {}
    for move in position.legal_moves:
        found[move.text] = exhausted.chance_after(position.state, move.code)
    return found


class _ExhaustedTurn:
    """All that can happen in the rest of a turn; what is known of a state is kept."""

    def __init__(self, position: Position, seat: int) -> None:
        variant = position.variant
        self._seat = seat
        self._rules = variant.rules
        self._limit = variant.moves_limit
        self._roll_all = variant.game.linker.program(ROLL_ALL)
        self._work = RollWorkspace(
            states=np.zeros((DICE + 1, variant.size), dtype=np.int64),
            moves=np.zeros((DICE + 1, self._limit), dtype=np.int64),
            tried=np.zeros(DICE + 1, dtype=np.int64),
            results=np.zeros((RESULTS, variant.size), dtype=np.int64),
            counts=np.zeros(RESULTS, dtype=np.int64),
        )
        self._chances: dict[str, Fraction] = {}
        self._options = variant.options
        self._write = variant.game.notation.write

    def chance_after(self, state: State, code: int) -> Fraction:
        if state[PHASE] == CONQUER and code == DONE:
            return Fraction(0)  # the turn is over, and the game is not won
        after = state.copy()
        self._rules.apply(after, code)
        return self._chance(after)

    def _chance(self, state: State) -> Fraction:
        acting = self._rules.actor(state)
        if acting == OVER:
            return Fraction(1 if self._rules.winners(state) >> self._seat & 1 else 0)
        # Kept by the position's text: what equal positions are is for the notation to say.
        text = self._write(self._options, state)
        if text not in self._chances:
            if acting == CHANCE:
                chance = self._rolled(state)
            else:
                moves = np.zeros(self._limit, dtype=np.int64)
                number = self._rules.legal(state, moves)
                tried = [self.chance_after(state, int(code)) for code in moves[:number]]
                chance = max(tried) if acting == self._seat else min(tried)
            self._chances[text] = chance
        return self._chances[text]

    def _rolled(self, state: State) -> Fraction:
        self._work.states[0] = state
        number = self._roll_all(self._work)
        results = [(self._work.results[i].copy(), int(self._work.counts[i])) for i in range(number)]
        total = sum(count for _, count in results)
        return sum((Fraction(count, total) * self._chance(after) for after, count in results), Fraction(0))
