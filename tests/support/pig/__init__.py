"""Pig, a game with one six-sided die: for tests of chance."""

from triskele.core.game import Game
from triskele.core.options import Number

GAME = Game(
    name="pig",
    title="Pig",
    minutes=(1, 2),
    rulebook="",
    package=__name__,
    seats=2,
    options=(Number("goal", 20, low=2, high=100), Number("turns", 30, low=2, high=200)),
    option_sets=({}, {"goal": 6}, {"turns": 3}),
    chance=True,
    die=6,
    house_rules=("turns",),
)
