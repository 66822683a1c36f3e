"""What tests of puzzles share."""

import pytest

import triskele
from triskele.core.contract.puzzles import ForcedKind, kind_of, puzzles_of
from triskele.core.game import Game
from triskele.core.puzzles import Puzzle


def games_with_puzzles() -> list[Game]:
    return [game for game in triskele.games() if puzzles_of(game) is not None]


def is_forced(puzzle: Puzzle) -> bool:
    return isinstance(kind_of(puzzle.game, puzzle.kind), ForcedKind)


@pytest.fixture(params=[game.name for game in games_with_puzzles()])
def shipped(request: pytest.FixtureRequest) -> tuple[Puzzle, ...]:
    """Return the shipped puzzles of one game after the other."""
    return triskele.puzzles(request.param)
