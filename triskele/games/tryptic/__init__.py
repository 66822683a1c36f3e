"""TRYPTIC: the declaration of the game.

Two to five players lay glass tiles; each scores where its own secret pattern of three tiles comes to stand.
"""

from triskele.core.game import Example, Game
from triskele.core.options import Number
from triskele.games.tryptic.wordings import WORDINGS

_EXAMPLE = """
=GGR =BWY Re5 . Ge6 . Ge7 . Bd5 . Yf6 . Wf5 . Wd4 ?2=GRY Rc4 . Gg7 . Bg6 ?1=BBY Ye4 .
Rf8 . Bd7 . Yh7 . Wc2 . Gb3 . Rh8 .
"""

GAME = Game(
    name="tryptic",
    rank=3,
    title="TRYPTIC",
    minutes=(20, 40),
    rulebook="Tryptic, Official and High Muckety-Muck Rules v1.2 (12 September 2014)",
    package=__name__,
    wordings=WORDINGS,
    options=(Number("players", 2, low=2, high=5), Number("goal", 5, low=1, high=20)),
    option_sets=({}, {"players": 3}, {"players": 4, "goal": 3}, {"players": 5}, {"goal": 1}),
    presets={"standard": {}, "short": {"goal": 3}},
    hidden=True,
    example=Example(moves=tuple(_EXAMPLE.split())),
)
