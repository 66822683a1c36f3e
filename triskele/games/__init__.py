"""The games, one folder each. The registry in ``triskele.core.game`` finds them here by itself.

This package bears the name of the public function ``triskele.games()``, and importing a game binds
the package to that name; so the package answers the call as well.
"""

import sys
import types

from triskele.core.game import Game, games


class _Games(types.ModuleType):
    def __call__(self) -> tuple[Game, ...]:
        return games()


sys.modules[__name__].__class__ = _Games
