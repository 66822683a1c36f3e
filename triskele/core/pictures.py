"""Positions worth showing: every game's example, and what the pictures of its help page show."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass

from triskele.core.game import Game
from triskele.core.position import Position, position


@dataclass(frozen=True)
class Shown:
    """A position to draw, and the seat that looks at it (``None``: a spectator). Not to be played on."""

    position: Position
    seat: int | None = None


def example(declared: Game) -> Position:
    """Return the position that shows a game at its best."""
    shown = Position(declared.variant(declared.example.options))
    for move in declared.example.moves:
        shown.push(move)
    return shown


@functools.cache
def help_pictures(declared: Game) -> Mapping[str, Shown]:
    """Return what the pictures of a game's help page show, by their names, from ``help/pictures.json``.

    There each name has a ``position`` and, if they are needed, ``moves`` to make from it and the ``seat`` that looks.
    """
    path = declared.folder / "help" / "pictures.json"
    written = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    pictures = {}
    for name, parts in written.items():
        shown = position(parts["position"])
        for move in parts.get("moves", ()):
            shown.push(move)
        pictures[name] = Shown(shown, parts.get("seat"))
    return pictures
