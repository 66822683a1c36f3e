"""What a position looks like, as plain data: drawn by the page, as SVG, and in a terminal.

A game's ``scene.py`` defines the functions and the table of :class:`Scenery`; its artwork is in ``sprites.svg``:
a ``<svg>`` whose ``<defs>`` hold one element per sprite, with ids that begin with the game's name.
Sprites are drawn around their origin, in the scene's units, y downwards.
"""

import functools
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from triskele.core import contract
from triskele.core.options import Options
from triskele.core.words import Text, said

PieceRole = Literal["", "die", "hand", "trace", "coordinate"]
"""What a piece is to a client that animates the scene or lets pieces be dragged; see :class:`Piece`."""
PlaceRole = Literal["", "rotation", "take-back", "hand"]
"""What choosing a place does beside pointing at it; see :class:`Place`."""
OnTurn = Literal["", "turn", "stay"]
"""What becomes of a piece when the board is turned; see :class:`Turning`."""


class _Sparse:
    """A dataclass whose optional conventions are in its JSON only where they are used.

    Scenes are sent after every move, and nearly all pieces and places have no role. A field in ``_SPARSE`` that is
    empty is therefore not kept in the object but read from its class, where the default is.
    """

    _SPARSE: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Drop the empty fields."""
        values = vars(self)
        for name in self._SPARSE:
            if not values[name]:
                del values[name]


@dataclass(frozen=True)
class Piece(_Sparse):
    """Something drawn: a sprite at a place, turned clockwise by ``turn`` degrees.

    ``id`` is stable: the same id at another place has moved, with another sprite it has turned over.
    Nothing else is read from an id or from a sprite's name. Higher layers are drawn later; the lowest layer is the
    ground, which nobody can pick up. ``label`` is a short text drawn with the sprite (a number on a
    token, a coordinate); its class in the artwork's style is ``label-`` and the sprite's name.

    ``role`` is ``"die"`` for a die, whose label is the number rolled, empty before the roll: it tumbles when
    its label becomes another number, and the rest of the scene waits until it has settled. It is ``"hand"`` for a piece
    beside the board that the seat to act is about to put down: it can be dragged to any place that can be chosen. With
    a number as its label it is a pile: a drag puts all of it there, move by move, and a tap on a place one piece.
    It is ``"trace"`` for what shows the last move (where a piece came from, what it did): a trace of the move before is
    gone at once, and a new one comes with the piece that moved, never before it. It is ``"coordinate"`` for the name of
    a line or a row, which a viewer may want to hide.
    """

    _SPARSE = ("role", "on_turn")

    id: str
    sprite: str
    x: float
    y: float
    turn: float = 0.0
    layer: int = 0
    label: str = ""
    role: PieceRole = ""
    on_turn: OnTurn = ""


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
class Place(_Sparse):
    """Something a person can point at: a token, where it is, and its name when spoken.

    ``points`` is the outline around (x, y) as a polygon; without one it is a circle of ``radius``. A piece lies on the
    place when their middles are nearly the same.

    ``role`` is ``"rotation"`` for a token that says which way round the piece just put down lies: where all tokens that
    can follow are rotations, a client previews them one after the other. It is ``"take-back"`` for a token that is
    a whole move and takes back what was done in an unfinished turn: a client's own "back" makes that move.
    It is ``"hand"`` for a supply beside the board, whose token only says where pieces come from: where nothing else can
    be meant, choosing a place alone enters it first. ``drops`` are then the texts of the moves that dragging its piece
    makes, at most one for each place that it can be dropped on: what most players want there (all of them, say); what
    else is possible is entered token by token.

    ``action`` is for a token that says what to do rather than where (announce, end the turn): the words of a button
    that a client shows beside the board as well. Other places have none. ``{2}`` in it stands for the name of
    player 2, which a scene does not know.

    ``move`` is for a place that stands for one whole move at this moment, though its token may not even begin it (any
    marker of the only row that can be taken): the text of that move, which a client makes when the place is touched
    first.
    """

    _SPARSE = ("role", "action", "move", "drops", "on_turn")

    token: str
    x: float
    y: float
    name: str
    radius: float = 0.0
    points: tuple[tuple[float, float], ...] = ()
    role: PlaceRole = ""
    action: str = ""
    move: str = ""
    drops: tuple[str, ...] = ()
    on_turn: OnTurn = ""


piece = functools.lru_cache(maxsize=50_000)(Piece)
"""Return a piece; the same one again is the same object. Scenes are made of few different pieces, over and over."""
place = functools.lru_cache(maxsize=50_000)(Place)
"""Return a place; the same one again is the same object."""


@dataclass(frozen=True)
class Fact(_Sparse):
    """A line of words beside the board: a seat's strip (rings won, purse) or, without seat, the table's.

    ``news``: it tells what the last move brought and the board does not show; a client makes sure that it is read.
    ``named`` says the same with ``{2}`` for the name of player 2, for clients that know the names.
    """

    _SPARSE = ("news", "named")

    words: str
    seat: int | None = None
    news: bool = False
    named: str = ""


@dataclass(frozen=True)
class Turning:
    """How a board can be turned, so that a player's own side lies at the bottom.

    ``turns`` are the angles that make sense, clockwise in degrees, 0 first; ``seats`` has for each seat the one that
    brings its side to the bottom. What turns is the box with the middle ``x``, ``y`` and this width and height; what is
    beside it stays. Turned by one of the angles, the box must cover the same area, at quarter turns with width and
    height exchanged.

    Pieces and places in the box go round it, but stay upright, and so do all labels. ``on_turn`` says otherwise:
    ``"turn"``: the sprite turns, too, also beside the box (a board, a card with a direction); ``"stay"``: it does not
    go round (a button).
    """

    x: float
    y: float
    width: float
    height: float
    turns: tuple[float, ...]
    seats: tuple[float, ...]


@dataclass(frozen=True)
class Scene:
    """A drawn position. Width and height in units; pieces in drawing order by layer.

    ``told`` is what the last move did, in words, where the board alone does not tell it well (what dice decided); a
    client tells the turns of others by it, move by move. It has no subject: it follows "You" as well as a name.
    ``{2}`` in it stands for the name of player 2, which a scene does not know.

    ``cell`` is how many units one character of a terminal covers, across and down. ``turning`` is how the board can be
    turned (:func:`triskele.core.orientation.turned`); it is the same throughout a game.
    """

    game: str
    width: float
    height: float
    pieces: tuple[Piece, ...]
    places: tuple[Place, ...] = ()
    facts: tuple[Fact, ...] = ()
    title: str = ""
    cell: tuple[float, float] = (10.0, 20.0)
    turning: Turning | None = None
    told: str = ""

    def data(self) -> dict[str, Any]:
        """Return the scene as plain data, for JSON; roles and actions are there only where there are some."""
        # By hand: ``dataclasses.asdict`` copies every value on its own and takes ten times as long.
        data = dict(vars(self))
        for name in ("pieces", "places", "facts"):
            data[name] = [dict(vars(item)) for item in data[name]]
        data["turning"] = None if self.turning is None else dict(vars(self.turning))
        return data


@dataclass(frozen=True)
class Look:
    """What a game's ``scene`` function is given: only what the viewer may know.

    ``before`` and ``last`` are the state before the last move and its code, if there was one that
    this viewer may see. ``over``: the game has ended outside its rules, so that nothing should look as if it could
    still be done; a game that ended by its rules shows that in its state.
    """

    options: Options
    state: contract.State
    seat: int | None
    ids: tuple[Any, ...] = ()
    before: contract.State | None = None
    last: int | None = None
    mover: int | None = None
    language: str = "en"
    over: bool = False

    def say(self, key: str, **values: "str | int | float | Text") -> str:
        """Return words in the viewer's language."""
        return said(key, self.language, tuple(values.items()))


Ids = tuple[Any, ...]
"""Ids of the pieces of a position, in an order of the game's own."""


@dataclass(frozen=True)
class Scenery:
    """The contract for a game's ``scene.py``: how its positions look.

    ``scene(look)``
        Return what a viewer sees, from what that viewer may know.
    ``identify(options, state)``, ``follow(options, ids, state, code)``
        For a game whose pieces move in ways that the state does not tell (cards in a pushed row): return ids for the
        pieces of a position without a past, and the ids after the move ``code`` in ``state``. The result is in
        ``look.ids``. A game has both or none.
    ``GLYPHS``
        For the terminal, by a sprite's name the characters that stand for it; a sprite without a glyph is not drawn
        there, but its label is.
    """

    scene: Callable[[Look], Scene]
    identify: Callable[[Options, contract.State], Ids] | None = None
    follow: Callable[[Options, Ids, contract.State, int], Ids] | None = None
    glyphs: Mapping[str, Glyph] = field(default_factory=dict)

    @classmethod
    def of(cls, module: types.ModuleType) -> "Scenery":
        """Return the scenery that a module defines; ``AttributeError`` names what is missing."""
        both = [hasattr(module, name) for name in ("identify", "follow")]
        if both[0] != both[1]:
            raise AttributeError(f"{module.__name__} must define both identify and follow, or none")
        return cls(
            scene=module.scene,
            identify=getattr(module, "identify", None),
            follow=getattr(module, "follow", None),
            glyphs=getattr(module, "GLYPHS", {}),
        )
