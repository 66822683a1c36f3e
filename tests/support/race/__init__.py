"""Race, a whole game in one folder with dice, a secret and an interrupt: for tests, and to learn from."""

from triskele.core.game import Game
from triskele.core.options import Number

GAME = Game(
    name="race",
    title="Race",
    minutes=(1, 2),
    rulebook="",
    package=__name__,
    options=(Number("players", 2, low=2, high=4), Number("goal", 10, low=1, high=50), Number("rolls", 40, high=400)),
    option_sets=({}, {"players": 3}, {"rolls": 4}),
    hidden=True,
    chance=True,
    die=4,
    house_rules=("rolls",),
)
