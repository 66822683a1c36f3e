"""Triskele: play, learn and study games of three."""

from triskele.core.contract import CHANCE
from triskele.core.errors import IllegalMove, OptionError, RecordError, TriskeleError
from triskele.core.game import Game, games
from triskele.core.moves import Completion, Move, Outcome
from triskele.core.position import Position, new, position, position_of_view

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Completion",
    "Game",
    "IllegalMove",
    "Move",
    "OptionError",
    "Outcome",
    "Position",
    "RecordError",
    "TriskeleError",
    "games",
    "new",
    "position",
    "position_of_view",
]
