"""The engines of Conquest Tryad, by the names that users type: ``triskele``, and the baseline ``script``."""

from collections.abc import Callable, Mapping

from triskele.core.contract.engine import Engine
from triskele.core.game import Game
from triskele.games.conquest.engine.heuristic import HeuristicEngine
from triskele.games.conquest.engine.rollout_engine import RolloutEngine

ENGINES: Mapping[str, Callable[[Game], Engine]] = {engine.name: engine for engine in (RolloutEngine, HeuristicEngine)}
