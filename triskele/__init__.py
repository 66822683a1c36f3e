"""Triskele: play, learn and study games of three."""

import importlib
from typing import TYPE_CHECKING, Any

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
from triskele.core.version import __version__

if TYPE_CHECKING:
    from triskele.core.batch import batch
    from triskele.core.lessons import lessons
    from triskele.core.puzzles import puzzles
    from triskele.engines import analyse, best_move, hint
    from triskele.reviewing import review

_ELSEWHERE = {
    "analyse": "triskele.engines",
    "batch": "triskele.core.batch",
    "best_move": "triskele.engines",
    "hint": "triskele.engines",
    "puzzles": "triskele.core.puzzles",
    "lessons": "triskele.core.lessons",
    "review": "triskele.reviewing",
}
"""What is imported when it is first asked for, so that ``import triskele`` stays quick."""


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module 'triskele' has no attribute {name!r}")


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
    "__version__",
    "analyse",
    "batch",
    "best_move",
    "games",
    "hint",
    "lessons",
    "load",
    "new",
    "png",
    "position",
    "position_of_view",
    "puzzles",
    "review",
    "save",
    "svg",
    "verify",
]
