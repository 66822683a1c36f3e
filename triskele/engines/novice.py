"""A two-ply search on material alone: how an attentive beginner plays. Level 1 has to lose to it.

It knows no more than the rules and the ``material`` that a game's evaluation declares, and runs as plain Python. It is
for open games of two seats.
"""

import random
from collections.abc import Callable, Iterator
from typing import ClassVar

from triskele.core.contract import State
from triskele.core.contract.engine import Engine, Info, Task
from triskele.core.game import Game
from triskele.core.position import Position

DECISIONS = 2
"""How many decisions of one turn are searched; in a longer turn the position after these is judged as it stands."""
CANDIDATES = 8
"""For how many of the best moves by material the answers are searched."""
WON = 1_000_000
"""The value of a won game: more than any material."""

Material = Callable[[State, int], int]


class Novice(Engine):
    """Plays the move with the most material after the worst answer, among the best moves by material at once."""

    name: ClassVar[str] = "novice"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Break ties by a random generator of its own; equal seeds give equal play."""
        super().__init__(game)
        self._random = random.Random(seed)
        self._material: Material = game.evaluation.material

    def think(self, task: Task) -> Iterator[Info]:
        """Search all turns, then the answers to the best of them until the time is over."""
        position = task.position.copy()
        seat = position.turn
        assert seat is not None
        values = dict(self._turns(position, seat, seat))
        nodes = len(values)
        candidates = sorted(values, key=lambda first: -values[first])[:CANDIDATES]
        best, best_value = candidates[0], -2.0 * WON
        for first in candidates:
            if values[best] >= WON or task.stopped:
                break
            position.push(first)
            value = values[first]
            if position.turn == 1 - seat:
                answers = [answer for _, answer in self._turns(position, 1 - seat, seat)]
                value, nodes = min(answers), nodes + len(answers)
            position.pop()
            if value > best_value:
                best, best_value = first, value
        yield Info(depth=2, nodes=nodes, seconds=task.elapsed, scores=(0.0, 0.0), lines=((best,),))

    def _turns(
        self, position: Position, mover: int, seat: int, decisions: int = DECISIONS
    ) -> Iterator[tuple[str, float]]:
        """Yield the first move of each turn of ``mover`` and its value for ``seat``, with a random tie-break."""
        for move in position.legal_moves:
            position.push(move)
            if position.turn == mover and decisions > 1:
                values = [value for _, value in self._turns(position, mover, seat, decisions - 1)]
                yield move.text, max(values) if mover == seat else min(values)
            else:
                yield move.text, self._value(position, seat)
            position.pop()

    def _value(self, position: Position, seat: int) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return WON * outcome.scores[seat]
        return self._material(position.state, seat) - self._material(position.state, 1 - seat) + self._random.random()
