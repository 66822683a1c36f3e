"""The contract for a game's ``setup.py``: how a position is set up by hand, thing by thing.

A game whose positions can be set up freely declares ``SETUP``. What stands where is a :class:`Draft`; it need not be a
possible position. :func:`triskele.core.drafts.position_of` makes one of it, or says by the rules why it is none. A game
without ``setup.py`` is set up by its position text.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from triskele.core.contract.rules import State
from triskele.core.options import Options
from triskele.core.scene import Look, Scene
from triskele.core.words import Text


@dataclass(frozen=True)
class Thing:
    """Something that can stand on a place: its sign in a draft, its name, and the sprite that pictures it.

    ``most``: how many of it can stand there. Where that is more than one, a draft says how many: ``1*5``.
    """

    sign: str
    name: Text
    sprite: str
    most: int = 1


@dataclass(frozen=True)
class Field:
    """What is to be said beside the board (whose turn it is, say): its name, its label, and its values with labels."""

    name: str
    label: Text
    values: tuple[tuple[str, Text], ...]


@dataclass(frozen=True)
class Draft:
    """A position that is being set up: the signs of things by the tokens of places, and the values of all fields."""

    board: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Setup:
    """How positions of a game are set up.

    ``things(options)``   Return what can stand on a place, in the order of a palette. A place may also be empty, unless
                          ``empty`` names the thing that then lies there.
    ``fields(options)``   Return what is to be said beside the board.
    ``draft(options, state)``
                          Return the draft of a position, as far as it can be one.
    ``lines(options, draft)``
                          Return the texts that the draft may mean, without game and options. The first that the game's
                          notation reads is taken; if none is, the reason for the first is told.
    ``ground(look)``      Return the board with nothing on it, and its places. Without it these are the places of a
                          game's start, and of its pieces the lowest layer and the coordinates.
    """

    things: Callable[[Options], tuple[Thing, ...]]
    fields: Callable[[Options], tuple[Field, ...]]
    draft: Callable[[Options, State], Draft]
    lines: Callable[[Options, Draft], Sequence[str]]
    empty: str = ""
    ground: Callable[[Look], Scene] | None = None


def split_sign(written: str) -> tuple[str, int]:
    """Return the sign of a thing in a draft, and how many there are; 0 where that is no number."""
    sign, times, number = written.partition("*")
    return sign, (int(number) if number.isascii() and number.isdigit() and len(number) <= 4 else 0) if times else 1
