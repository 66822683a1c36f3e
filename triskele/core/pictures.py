"""The positions in pictures: every game's example, and those of its help page."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass

from triskele.core.game import Game
from triskele.core.position import Position, position


@dataclass(frozen=True)
class Picture:
    """A position to draw and the seat that sees it (``None``: a spectator). Shared: do not push moves on it."""

    position: Position
    seat: int | None = None


def example(declared: Game) -> Position:
    """Return the example position that a game declares."""
    shown = Position(declared.variant(declared.example.options))
    for move in declared.example.moves:
        shown.push(move)
    return shown


@functools.cache
def help_pictures(declared: Game) -> Mapping[str, Picture]:
    """Return the pictures of a game's help page by name, from ``help/pictures.json``.

    There each name has a ``position``, and optionally ``moves`` to make from it and the ``seat`` that sees it.
    """
    path = declared.folder / "help" / "pictures.json"
    written = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    pictures = {}
    for name, parts in written.items():
        shown = position(parts["position"])
        for move in parts.get("moves", ()):
            shown.push(move)
        pictures[name] = Picture(shown, parts.get("seat"))
    return pictures
