"""The contract for a game's ``puzzles``: the kinds of puzzles that can be made and proved for the game.

``puzzles``, a module or a package in the game's folder, declares ``PUZZLES = Puzzles(...)`` with one or
more kinds, each of which is one of two sorts:

* A :class:`ForcedKind` is for open games without chance: the solver reaches an *aim* by force within a number of turns,
  whatever the other seat does. The aim is a function over states, :func:`~triskele.core.contract.aims.aim`, which the
  game's ``puzzles`` may define; it is linked to the searches as the rules are. By default the aim is to win.
* A :class:`ValueKind` is for games with chance or secrets: every move has an exact *value* (an expected score, a
  probability), and one move has a higher value than all others. The game computes the values twice: ``values`` is
  fast and finds puzzles, ``proof`` works them out again from the rules alone and proves them.

**What "the only solution" means.** A *turn* is all decisions of a seat until another acts. Of a forced kind, the
solution is the only one when all turns of the solver that reach the aim by force lead to one and the same position:
decisions of one turn that are made in another order, or otherwise come to the same, are the same solution. A turn is
cut off where the aim is reached; what is decided after that does not count. The same holds for every later turn of the
solver in the line that the puzzle gives. Of a value kind, the solution is the only one when no other legal move has so
high a value.

The names of kinds are in the game's words: ``puzzle.NAME`` is the task as a sentence, with ``{n}`` for the turns.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from triskele.core.contract.rules import State
from triskele.core.game import Game
from triskele.core.options import Options
from triskele.core.position import Position


@dataclass(frozen=True)
class ForcedKind:
    """A kind whose aim is reached by force.

    ``name``     what the kind is called
    ``turns``    the horizons to try, in turns of the solver, the shortest first
    ``number``   what :func:`~triskele.core.contract.aims.aim` gets
    ``survive``  it is enough not to miss it: the horizon ends after the other seat's turn, and an open aim is reached
    ``share``    how many of a hundred puzzles should be of this kind, for each of the horizons
    ``budget``   the nodes that may be searched to see whether the aim can be forced, for each of the horizons
    ``promises`` return whether it is worth while to search a position for a horizon
    ``rated_as`` return the position to rate the difficulty with, where an engine that plays to win has this very aim
    """

    name: str
    turns: tuple[int, ...]
    number: int = 0
    survive: bool = False
    share: tuple[int, ...] = (100,)
    budget: tuple[int, ...] = (100_000, 500_000, 2_000_000)
    promises: Callable[[State, int], bool] = lambda state, turns: True
    rated_as: Callable[[Position], Position] = lambda position: position


Values = Mapping[str, Fraction]
"""The exact value of each legal move, by its text."""


@dataclass(frozen=True)
class ValueKind:
    """A kind in which one move has the highest value.

    ``values``  return the values for the seat to act, or ``None`` where the position is no candidate
    ``proof``   work out the same values apart from that, by the rules and nothing else
    ``least``   the least margin between the best move and the next
    ``share``   how many of a hundred puzzles should be of this kind
    ``effort``  return from 0 to 1 how much there is to work out, for the difficulty; ``None``: how long the engine
                changes its mind
    """

    name: str
    values: Callable[[Position], Values | None]
    proof: Callable[[Position], Values]
    least: Fraction = Fraction(1, 1000)
    share: tuple[int, ...] = (100,)
    effort: Callable[[Position], float] | None = None
    turns: tuple[int, ...] = (1,)


PuzzleKind = ForcedKind | ValueKind

Source = Callable[[random.Random, Options], Iterator[Position]]
"""Yields candidate positions of one game that is played for the purpose, as the seat to act knows them."""


@dataclass(frozen=True)
class Puzzles:
    """What a game's ``puzzles`` declares under the name ``PUZZLES``.

    ``kinds``       the kinds of puzzles; a position that suits several becomes a puzzle of the first
    ``variants``    the options to play with, drawn in equal shares; repeat one to draw it more often
    ``source``      yields candidate positions; ``None``: those of games between engines, at the start of turns, or at
                    every decision where all kinds are about the value of one move
    ``levels``      the levels that those engines play at, drawn in equal shares
    ``late``        only positions in so many last turns of such a game are looked at; 0: all
    ``deviations``  how many random turns are tried from each of these positions as well: after a mistake there is more
                    to find
    ``vary``        return the states to look at in place of one of such a game, where those are too large to prove
    ``forget``      return a state without the part of its past that a puzzle should not depend on
    """

    kinds: tuple[PuzzleKind, ...]
    variants: tuple[Options, ...] = field(default=({},))
    source: Source | None = None
    levels: tuple[int, ...] = (3, 4, 5, 6)
    late: int = 0
    deviations: int = 0
    vary: Callable[[State, random.Random], Sequence[State]] = lambda state, rng: (state,)
    forget: Callable[[State], State] = lambda state: state


def puzzles_of(game: Game) -> Puzzles | None:
    """Return what a game declares about puzzles, ``None`` if it has none."""
    declared: Puzzles | None = getattr(game.optional_module("puzzles"), "PUZZLES", None)
    return declared


def kind_of(game: Game, name: str) -> PuzzleKind | None:
    """Return a game's kind of puzzles by its name, ``None`` if it has no such kind."""
    declared = puzzles_of(game)
    return next((kind for kind in declared.kinds if kind.name == name), None) if declared is not None else None
