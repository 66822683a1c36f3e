"""Urn, a game with unequal chances that change with every draw: for tests of chance."""

from triskele.core.game import Game
from triskele.core.options import Number

GAME = Game(
    name="urn",
    title="Urn",
    minutes=(1, 1),
    rulebook="",
    package=__name__,
    seats=2,
    options=(Number("red", 3, high=50), Number("black", 1, low=1, high=50)),
    option_sets=({}, {"red": 10, "black": 4}, {"red": 0, "black": 2}),
    chance=True,
)
