"""An attentive beginner: looks at what he can do and at what could be done to him, and counts on his fingers.

Level 1 has to lose to him. He knows no more than the rules and a game's ``tally``, and thinks in plain Python.
"""

import random
from collections.abc import Callable, Iterator
from typing import ClassVar

from triskele.core.contract import State
from triskele.core.game import Game
from triskele.core.position import Position
from triskele.engines.engine import Engine, Info, Task
from triskele.engines.levels import part_of

DECISIONS = 2
"""So many decisions of a turn he thinks through, and no more: the second card of a double move comes as it comes."""
CANDIDATES = 8
"""Of so many moves that look best he looks at the answers."""
WON = 1_000_000

Tally = Callable[[State, int], int]


class Novice(Engine):
    """Takes what counts most for him after the answer that hurts most, among the moves that look best at first."""

    name: ClassVar[str] = "novice"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Choose among equals by a generator of its own; a seed makes it repeatable."""
        super().__init__(game)
        self._random = random.Random(seed)
        self._tally: Tally = getattr(part_of(game, "evaluation"), "tally", lambda state, seat: 0)

    def think(self, task: Task) -> Iterator[Info]:
        """Look at the moves, then at the answers to the best of them; however little time there is, at the moves."""
        position = task.position.copy()
        seat = position.turn
        assert seat is not None
        looks = dict(self._turns(position, seat, seat))
        nodes = len(looks)
        candidates = sorted(looks, key=lambda first: -looks[first])[:CANDIDATES]
        best, best_worth = candidates[0], -2.0 * WON
        for first in candidates:
            if looks[best] >= WON or task.stopped:
                break
            position.push(first)
            worth = looks[first]
            if position.turn == 1 - seat:
                answers = [answer for _, answer in self._turns(position, 1 - seat, seat)]
                worth, nodes = min(answers), nodes + len(answers)
            position.pop()
            if worth > best_worth:
                best, best_worth = first, worth
        yield Info(depth=2, nodes=nodes, seconds=task.elapsed, scores=(0.0, 0.0), lines=((best,),))

    def _turns(
        self, position: Position, mover: int, seat: int, decisions: int = DECISIONS
    ) -> Iterator[tuple[str, float]]:
        """Yield what each turn of the mover begins with, and what it is worth to a seat; equals differ by chance."""
        for move in position.legal_moves:
            position.push(move)
            if position.turn == mover and decisions > 1:
                worth = [worth for _, worth in self._turns(position, mover, seat, decisions - 1)]
                yield move.text, max(worth) if mover == seat else min(worth)
            else:
                yield move.text, self._worth(position, seat)
            position.pop()

    def _worth(self, position: Position, seat: int) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return WON * outcome.scores[seat]
        return self._tally(position.state, seat) - self._tally(position.state, 1 - seat) + self._random.random()
