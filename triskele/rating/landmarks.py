"""Landmarks of a scale: what the levels of a game's engine are worth, as they were measured against each other.

A game that was measured has ``level_ratings.json`` in its folder, with the numbers of docs/levels.md (a test compares
them): Elo between two seats, level 1 set to 1000.
"""

import functools
import json
from dataclasses import dataclass

from triskele.core.game import Game

FILE = "level_ratings.json"


@dataclass(frozen=True, slots=True)
class Landmark:
    """A level of the engine, and its measured rating."""

    level: int
    value: int


@functools.cache
def landmarks(game: Game) -> tuple[Landmark, ...]:
    """Return the measured levels of a game, weakest first; none if it was not measured."""
    path = game.folder / FILE
    if not path.is_file():
        return ()
    ratings: list[int] = json.loads(path.read_text(encoding="utf-8"))["ratings"]
    return tuple(Landmark(level, value) for level, value in enumerate(ratings, 1))
