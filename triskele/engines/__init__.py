"""Searches that play any game through its rules; levels; hints."""

from triskele.core.contract.engine import Engine, Info, Limits, Task, level_of
from triskele.core.contract.levels import Level
from triskele.engines.hints import Hint, hint
from triskele.engines.registry import engine, engine_names, register
from triskele.engines.simple import analyse, best_move

__all__ = [
    "Engine",
    "Hint",
    "Info",
    "Level",
    "Limits",
    "Task",
    "analyse",
    "best_move",
    "engine",
    "engine_names",
    "hint",
    "level_of",
    "register",
]
