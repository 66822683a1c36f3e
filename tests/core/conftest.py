"""Random games of Race, which tests of the core play."""

import random
from collections.abc import Callable

import pytest

from triskele.core.contract import CHANCE
from triskele.core.game import Game
from triskele.core.position import Position

Roll = Callable[[Position], str]
Play = Callable[..., Position]


@pytest.fixture(scope="module")
def play(race: Game) -> Play:
    """Return a function that plays a random game of Race, up to so many moves; ``roll`` throws the dice."""

    def played(seed: int, moves: int = 10_000, *, roll: Roll | None = None, **options: int) -> Position:
        chooser = random.Random(seed)
        position = Position(race.variant(options))
        while position.turn is not None and len(position.moves) < moves:
            if position.interrupts and chooser.random() < 0.03:
                position.push(chooser.choice(position.interrupts))
            elif position.turn == CHANCE and roll is not None:
                position.push(roll(position))
            else:
                position.push(chooser.choice(position.legal_moves))
        return position

    return played
