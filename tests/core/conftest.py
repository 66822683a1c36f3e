"""The game that tests of the core play: found by its path, registered for one module of tests."""

import importlib.util
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from triskele.core import game as registry
from triskele.core import words
from triskele.core.contract import CHANCE
from triskele.core.game import Game
from triskele.core.position import Position

Roll = Callable[[Position], str]
Play = Callable[..., Position]
FOLDER = Path(__file__).parent.parent / "support" / "race"


@pytest.fixture(scope="module")
def race() -> Iterator[Game]:
    spec = importlib.util.spec_from_file_location("race_for_tests", FOLDER / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        # Nothing here is worth compiling, and a second process could not find this game.
        patch.setenv("TRISKELE_PLAIN", "1")
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        words.add_home("race", FOLDER)
        registry.register(module.GAME)
        yield module.GAME
        registry._registered.pop("race")


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
