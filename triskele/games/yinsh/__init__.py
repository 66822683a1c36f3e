"""YINSH and its blitz version: the declaration of the game.

Rings leave markers and flip those they jump over; a row of five markers of a colour is removed with a ring.
"""

from triskele.core.game import Example, Game
from triskele.core.options import Flag
from triskele.core.prompts import PLACE, Prompt
from triskele.core.words import text
from triskele.games.yinsh.wordings import WORDINGS

_EXAMPLE = """
f6 e5 g8 h7 d4 f8 e7 c5 g5 h9 d4-d5 c5-c3 d5-d6 h7-f5 g5-i5 f8-h10 e7-f7 f5-f3 f7-g7 h9-g9 g7-i7 e5-e8 i7-j7 e8-e9
j7-j5 xf7-j7 xf6 g9-f9 d6-f6 f3-d3 g8-d8 h10-b4 d8-h8 b4-i11 h8-c8 f9-f7 i5-b5 e9-d9 b5-g10 d9-d7 c8-e10 c3-c6
"""

GAME = Game(
    name="yinsh",
    rank=1,
    title="YINSH",
    package=__name__,
    scene_for_all=True,
    buttons=False,
    previews=True,
    prompts=(Prompt((PLACE,), text("yinsh.then.1")),),
    wordings=WORDINGS,
    seat_sprites=("yinsh-seat-1", "yinsh-seat-2"),
    rulebook="YINSH, Kris Burm",
    minutes=(30, 60),
    seats=2,
    options=(Flag("blitz", default=False),),
    option_sets=({}, {"blitz": True}),
    presets={"standard": {}, "blitz": {"blitz": True}},
    example=Example(moves=tuple(_EXAMPLE.split())),
)
