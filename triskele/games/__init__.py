"""The games, one package each. The registry in :mod:`triskele.core.game` finds them by listing this package.

Nothing outside a game's own package names it. Importing ``triskele.games.GAME`` binds this package to the attribute
``triskele.games``, which is also the name of the public function ``triskele.games()``; so the package is callable and
returns what the function returns.
"""

import sys
import types

from triskele.core.game import Game, games


class _Games(types.ModuleType):
    """A module that can be called."""

    def __call__(self) -> tuple[Game, ...]:
        return games()


sys.modules[__name__].__class__ = _Games
