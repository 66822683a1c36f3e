"""Levels 1 to 10: the same meaning in every game.

A weak level sees less: it looks at fewer positions and not so far ahead, judges them with an error
of its own, and overlooks some of what the others can answer. A middling one is like that in some of its
moves only, as people are: how often its attention lapses is what tells it from the next. Nothing in it is
a blunder on purpose. Level 1 loses to an attentive beginner; level 10 is all the engine has in the given time.

A game whose steps turn out too small or too large says so with a table of its own in its
``evaluation.py``: ``LEVELS``, ten rows of (seconds, nodes, depth, noise, oversight) and, for alpha-beta, lapses.
"""

import importlib
import importlib.util
import types
from dataclasses import dataclass, replace

from triskele.core.errors import OptionError
from triskele.core.game import Game
from triskele.core.words import text

TOP = 10


@dataclass(frozen=True)
class Level:
    """What an engine has at a level; ``None`` is no limit.

    ``seconds``   the time it takes at most, when nobody tells it less
    ``nodes``     positions (iterations, for a Monte-Carlo search) it looks at
    ``depth``     how many turns it looks ahead
    ``noise``     how far its judgement of a position is off, in thousandths of a logit
    ``oversight`` how many in a thousand moves, beyond its own next one, it does not see
    ``lapses``    in how many of a thousand decisions depth, noise and oversight hold; the others it makes without
    """

    number: int
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    noise: int = 0
    oversight: int = 0
    lapses: int = 1000

    @property
    def attentive(self) -> "Level":
        """The level as it plays when its attention does not lapse: only time and nodes limit it."""
        return replace(self, depth=None, noise=0, oversight=0)


FULL = Level(TOP)
"""Everything, limited by nothing but what the caller says."""

LEVELS = (
    Level(1, 0.2, 300, 1, 1600, 500),
    Level(2, 0.2, 600, 1, 1000, 350),
    Level(3, 0.3, 1_500, 2, 900, 300),
    Level(4, 0.4, 2_500, 2, 600, 200),
    Level(5, 0.5, 4_000, 2, 350, 120),
    Level(6, 0.6, 8_000, 3, 400, 120),
    Level(7, 0.7, 16_000, 3, 200, 50),
    Level(8, 0.8, 40_000, 4, 150, 20),
    Level(9, 0.9, 120_000, None, 0, 0),
    FULL,
)


def level_of(game: Game, number: int) -> Level:
    """Return a level of a game by its number, or raise ``OptionError``."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= TOP:
        raise OptionError(text("engines.level", level=str(number)[:20], top=TOP))
    own = getattr(part_of(game, "evaluation"), "LEVELS", None)
    return LEVELS[number - 1] if own is None else Level(number, *own[number - 1])


def part_of(game: Game, name: str) -> types.ModuleType | None:
    """Return an optional module of a game's folder, ``None`` when the game does not have it."""
    full = f"{game.package}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) is not None else None
