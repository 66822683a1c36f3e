"""What a position looks like, as plain data: drawn by the page, as SVG, and in a terminal.

A game's ``scene.py`` has one function, ``scene(look) -> Scene``, and its artwork in ``sprites.svg``:
a ``<svg>`` whose ``<defs>`` hold one element per sprite, with ids that begin with the game's name.
Sprites are drawn around their origin, in the scene's units, y downwards. A game whose pieces move in
ways that the state does not tell (cards in a pushed row) also has::

    identify(options, state) -> tuple            # ids for the pieces of a position out of the blue
    follow(options, ids, state, code) -> tuple   # ids after the move `code` in `state`

and finds the result in ``look.ids``.

For the terminal, ``GLYPHS`` in ``scene.py`` gives for a sprite's name the characters that stand for
it; a sprite without glyph is not drawn there, but its label is.
"""

import functools
from dataclasses import dataclass
from typing import Any

from triskele.core import contract
from triskele.core.game import Options
from triskele.core.words import Text, said


@dataclass(frozen=True)
class Piece:
    """Something drawn: a sprite at a place, turned clockwise by ``turn`` degrees.

    ``id`` is stable: the same id at another place has moved, with another sprite it has turned over.
    Higher layers are drawn later. ``label`` is a short text drawn with the sprite (a number on a
    token, a coordinate); its class in the artwork's style is ``label-`` and the sprite's name.
    """

    id: str
    sprite: str
    x: float
    y: float
    turn: float = 0.0
    layer: int = 0
    label: str = ""


@dataclass(frozen=True)
class Glyph:
    """A sprite in a terminal: rows of characters, centred on the piece; a space lets through what is below.

    ``ink`` is one of ``""``, ``"bold"``, ``"dim"``, ``"red"``, ``"green"``, ``"yellow"``, ``"blue"``,
    ``"magenta"``, ``"cyan"``, ``"white"``, ``"black"``, or two of them (``"bold red"``), or with a ground
    (``"black on white"``). It never carries meaning alone: the characters differ too.
    """

    rows: tuple[str, ...]
    ink: str = ""


@dataclass(frozen=True)
class Place:
    """Something a person can point at: a token, where it is, and its name when spoken.

    ``points`` is the outline around (x, y) as a polygon; without one it is a circle of ``radius``.
    """

    token: str
    x: float
    y: float
    name: str
    radius: float = 0.0
    points: tuple[tuple[float, float], ...] = ()


piece = functools.lru_cache(maxsize=50_000)(Piece)
"""Return a piece; the same one again is the same object. Scenes are made of few different pieces, over and over."""
place = functools.lru_cache(maxsize=50_000)(Place)
"""Return a place; the same one again is the same object."""


@dataclass(frozen=True)
class Fact:
    """A line of words beside the board: a seat's strip (rings won, purse) or, without seat, the table's."""

    words: str
    seat: int | None = None


@dataclass(frozen=True)
class Scene:
    """A drawn position. Width and height in units; pieces in drawing order by layer.

    ``cell`` is how many units one character of a terminal covers, across and down.
    """

    game: str
    width: float
    height: float
    pieces: tuple[Piece, ...]
    places: tuple[Place, ...] = ()
    facts: tuple[Fact, ...] = ()
    title: str = ""
    cell: tuple[float, float] = (10.0, 20.0)

    def data(self) -> dict[str, Any]:
        """Return the scene as plain data, for JSON."""
        # By hand: ``dataclasses.asdict`` copies every value on its own and takes ten times as long.
        data = dict(vars(self))
        for name in ("pieces", "places", "facts"):
            data[name] = [dict(vars(item)) for item in data[name]]
        return data


@dataclass(frozen=True)
class Look:
    """What a game's ``scene`` function is given: only what the viewer may know.

    ``before`` and ``last`` are the state before the last move and its code, if there was one that
    this viewer may see.
    """

    options: Options
    state: contract.State
    seat: int | None
    ids: tuple[Any, ...] = ()
    before: contract.State | None = None
    last: int | None = None
    mover: int | None = None
    language: str = "en"

    def say(self, key: str, **values: "str | int | float | Text") -> str:
        """Return words in the viewer's language."""
        return said(key, self.language, tuple(values.items()))
