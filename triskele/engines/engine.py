"""The engine interface, under the name by which programs outside this package import it."""

from triskele.core.contract.engine import DEFAULT_SECONDS, Engine, Info, Limits, Task, level_of, shares
from triskele.core.contract.levels import TOP, Level

__all__ = ["DEFAULT_SECONDS", "TOP", "Engine", "Info", "Level", "Limits", "Task", "level_of", "shares"]
