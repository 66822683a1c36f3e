"""Engines by name. A game's own engines, declared in its ``engine`` module, take precedence.

There, ``ENGINES`` maps names to subclasses of :class:`~triskele.core.contract.engine.Engine`; the name ``triskele`` is
for the best engine of the game.
"""

from collections.abc import Callable, Mapping

from triskele.core.contract.engine import Engine
from triskele.core.errors import OptionError
from triskele.core.game import Game
from triskele.core.game import game as game_by_name
from triskele.core.words import text
from triskele.engines.alphabeta import AlphaBeta
from triskele.engines.mcts import TreeSearch
from triskele.engines.novice import Novice
from triskele.engines.random_mover import RandomMover
from triskele.engines.uct import Control

Factory = Callable[[Game], Engine]

BEST = "triskele"


def _best(game: Game) -> Engine:
    """Return the best generic engine: alpha-beta if it can play the game and the game has an evaluation, else MCTS."""
    has_evaluation = hasattr(game.optional_module("evaluation"), "evaluate")
    return AlphaBeta(game) if game.is_combinatorial and has_evaluation else TreeSearch(game)


_factories: dict[str, Factory] = {
    BEST: _best,
    Control.name: Control,
    RandomMover.name: RandomMover,
    Novice.name: Novice,
    AlphaBeta.name: AlphaBeta,
    TreeSearch.name: TreeSearch,
}
_FOR_COMBINATORIAL_GAMES = (AlphaBeta.name, Novice.name)
"""Engines that play games of two seats without secrets and chance, and no others."""


def register(name: str, factory: Factory) -> None:
    """Add an engine for all games for this process."""
    _factories[name] = factory


def _choices(game: Game) -> Mapping[str, Factory]:
    own: Mapping[str, Factory] = getattr(game.optional_module("engine"), "ENGINES", {})
    found = {**_factories, **own}
    return {n: f for n, f in found.items() if game.is_combinatorial or n not in _FOR_COMBINATORIAL_GAMES}


def engine_names(game: Game | str) -> tuple[str, ...]:
    """Return the names of the engines that can play a game."""
    return tuple(sorted(_choices(game_by_name(game) if isinstance(game, str) else game)))


def engine(name: str, game: Game | str) -> Engine:
    """Return a new engine for a game by the engine's name; ``OptionError`` lists the names."""
    declared = game_by_name(game) if isinstance(game, str) else game
    choices = _choices(declared)
    if name not in choices:
        known = ", ".join(sorted(choices))
        raise OptionError(text("engines.unknown", name=str(name)[:60], engines=known))
    return choices[name](declared)
