"""Engines by name. A game's folder adds its own in ``engine.py`` and is asked first.

There, ``ENGINES`` maps names to subclasses of :class:`~triskele.engines.engine.Engine`; under the name
``triskele`` stands the best one that the game has.
"""

from collections.abc import Callable, Mapping

from triskele.core.errors import OptionError
from triskele.core.game import Game
from triskele.core.game import game as game_by_name
from triskele.core.words import text
from triskele.engines.alphabeta import AlphaBeta
from triskele.engines.engine import Engine
from triskele.engines.levels import part_of
from triskele.engines.lottery import Lottery
from triskele.engines.mcts import TreeSearch
from triskele.engines.novice import Novice
from triskele.engines.uct import Control

Factory = Callable[[Game], Engine]

BEST = "triskele"


def _best(game: Game) -> Engine:
    """Return the best generic engine: alpha-beta wherever someone has taught it to judge positions."""
    open_duel = game.seats == 2 and not game.hidden and not game.chance
    taught = hasattr(part_of(game, "evaluation"), "evaluate")
    return AlphaBeta(game) if open_duel and taught else TreeSearch(game)


_factories: dict[str, Factory] = {
    BEST: _best,
    Control.name: Control,
    Lottery.name: Lottery,
    Novice.name: Novice,
    AlphaBeta.name: AlphaBeta,
    TreeSearch.name: TreeSearch,
}
_FOR_DUELS = (AlphaBeta.name, Novice.name)
"""What plays games of two seats without secrets and chance, and no others."""


def register(name: str, factory: Factory) -> None:
    """Add an engine for all games for this process."""
    _factories[name] = factory


def _choices(game: Game) -> Mapping[str, Factory]:
    own: Mapping[str, Factory] = getattr(part_of(game, "engine"), "ENGINES", {})
    duel = game.seats == 2 and not game.hidden and not game.chance
    return {n: f for n, f in {**_factories, **own}.items() if duel or n not in _FOR_DUELS}


def engine_names(game: Game | str) -> tuple[str, ...]:
    """Return the names of the engines that can play a game."""
    return tuple(sorted(_choices(game_by_name(game) if isinstance(game, str) else game)))


def engine(name: str, game: Game | str) -> Engine:
    """Return a new engine by its name for a game; ``OptionError`` names those there are."""
    declared = game_by_name(game) if isinstance(game, str) else game
    choices = _choices(declared)
    if name not in choices:
        known = ", ".join(sorted(choices))
        raise OptionError(text("engines.unknown", name=str(name)[:60], engines=known))
    return choices[name](declared)
