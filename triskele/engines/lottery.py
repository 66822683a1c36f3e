"""The engine that draws lots: any legal move, all alike."""

import random
from collections.abc import Iterator
from typing import ClassVar

from triskele.core.game import Game
from triskele.engines.engine import Engine, Info, Task


class Lottery(Engine):
    """Plays at random. For tests and as the lowest rung of ratings."""

    name: ClassVar[str] = "random"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Draw from a generator of its own; a seed makes it repeatable."""
        super().__init__(game)
        self._random = random.Random(seed)

    def think(self, task: Task) -> Iterator[Info]:
        """Draw one of the legal moves."""
        move = self._random.choice(task.position.legal_moves)
        scores = (0.0,) * task.position.variant.seats
        yield Info(depth=0, nodes=1, seconds=task.elapsed, scores=scores, lines=((move.text,),))
