"""Triskele: play, learn and study games of three."""

from triskele.core.contract import CHANCE
from triskele.core.dice import verify
from triskele.core.draw import png, svg
from triskele.core.errors import IllegalMove, OptionError, RecordError, TriskeleError
from triskele.core.files import FileError
from triskele.core.game import Game, games
from triskele.core.moves import Completion, Move, Outcome
from triskele.core.position import Position, new, position, position_of_view
from triskele.core.records import Record, load, save
from triskele.core.scene import Scene

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Completion",
    "FileError",
    "Game",
    "IllegalMove",
    "Move",
    "OptionError",
    "Outcome",
    "Position",
    "Record",
    "RecordError",
    "Scene",
    "TriskeleError",
    "games",
    "load",
    "new",
    "png",
    "position",
    "position_of_view",
    "save",
    "svg",
    "verify",
]
