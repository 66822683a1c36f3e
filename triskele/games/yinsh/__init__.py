"""YINSH, and its blitz version."""

from triskele.core.game import Example, Game
from triskele.core.options import Flag

GAME = Game(
    name="yinsh",
    rank=1,
    title="YINSH",
    package=__name__,
    rulebook="YINSH, Kris Burm",
    minutes=(30, 60),
    seats=2,
    options=(Flag("blitz", default=False),),
    option_sets=({}, {"blitz": True}),
    example=Example(),
)
