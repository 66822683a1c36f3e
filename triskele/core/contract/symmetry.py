"""The contract for a game's ``symmetry.py``: ways to turn or mirror a position that change nothing but names.

``symmetries(options)`` returns them as a tuple of :class:`Symmetry`, without the one that leaves everything in place. A
game without this module has none.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

from triskele.core.game import Variant


@dataclass(frozen=True)
class Symmetry:
    """One way to turn or mirror: ``line`` maps a position's text (without game and options), ``move`` a move's text.

    Whatever a move leads to in a position, the mapped move leads to the mapped position in the mapped one.
    """

    line: Callable[[str], str]
    move: Callable[[str], str]


@functools.lru_cache(maxsize=256)
def symmetries_of(variant: Variant) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game with its options; none where the game declares none."""
    module = variant.game.optional_module("symmetry")
    found: tuple[Symmetry, ...] = () if module is None else module.symmetries(variant.options)
    return found
