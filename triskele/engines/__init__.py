"""Searches that play any game through its rules; levels; hints."""

from triskele.engines.engine import Engine, Info, Limits, Task
from triskele.engines.hints import Hint, hint
from triskele.engines.levels import Level, level_of
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
