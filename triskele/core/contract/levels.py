"""Levels 1 to 10: the same meaning in every game.

A weak level searches fewer nodes and less deep, evaluates positions with an error, and overlooks some replies. A middle
level has these weaknesses in some of its moves only, as people do: the rate of its lapses is what distinguishes it from
the next. No level blunders on purpose. Level 1 loses to an attentive beginner (the engine ``novice``); level 10 is the
engine's full strength in the given time.

A game for which these steps are too small or too large has its own: ``levels`` in the ``EVALUATION`` of its
``evaluation.py``, made with :func:`level_table`.
"""

from dataclasses import dataclass, replace
from typing import Any

TOP = 10


@dataclass(frozen=True)
class Level:
    """The limits and weaknesses of an engine at a level; ``None`` is no limit.

    ``seconds``   the time for an answer, unless the caller gives less
    ``nodes``     positions to search (iterations, for a Monte-Carlo search)
    ``depth``     turns to look ahead
    ``noise``     the greatest error of the evaluation, in thousandths of a logit
    ``oversight`` how many of a thousand moves after the first are overlooked
    ``lapses``    in how many of a thousand decisions depth, noise and oversight apply
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
        """The level without its weaknesses, as it plays when its attention does not lapse: with its time and nodes."""
        return replace(self, depth=None, noise=0, oversight=0)


FULL = Level(TOP)
"""Full strength: only the caller's limits apply."""

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


def level_table(*rows: tuple[Any, ...]) -> tuple[Level, ...]:
    """Return a game's own levels 1 to 10 from rows of :class:`Level`'s fields after ``number``."""
    if len(rows) != TOP:
        raise ValueError(f"a game has {TOP} levels, not {len(rows)}")
    return tuple(Level(number, *row) for number, row in enumerate(rows, 1))
