"""The engine ``random``: any legal move with equal probability."""

import random
from collections.abc import Iterator
from typing import ClassVar

from triskele.core.contract.engine import Engine, Info, Task
from triskele.core.game import Game


class RandomMover(Engine):
    """Plays at random: for tests, and as the anchor at the low end of ratings."""

    name: ClassVar[str] = "random"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Use a random generator of its own; a seed makes it repeatable."""
        super().__init__(game)
        self._random = random.Random(seed)

    def think(self, task: Task) -> Iterator[Info]:
        """Choose one of the legal moves."""
        move = self._random.choice(task.position.legal_moves)
        scores = (0.0,) * task.position.variant.seats
        yield Info(depth=0, nodes=1, seconds=task.elapsed, scores=scores, lines=((move.text,),))
