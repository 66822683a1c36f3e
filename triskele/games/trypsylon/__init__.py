"""TRYPSYLON and TRYPSYLON Expert: the declaration of the game.

Two players push jetty cards into a frame until a path joins the two shores of one of them.
"""

from triskele.core.game import Example, Game
from triskele.core.options import Choice, Flag, Number
from triskele.core.prompts import PLACE, Prompt
from triskele.core.words import text
from triskele.games.trypsylon.wordings import WORDINGS

# Meadow is to act and can win with a double move.
_EXAMPLE = """
d3 W3/SW e3 Se/SE b1 Nb/NE d3 W3/SW d3 Nd/SE b2 E2/SE d1 W1/NE d4 W4/NE d5 W5/SW e2 W2/NW a5 E5/SW b5 W5/SW
d3 d2 E2/NW Nd/NW b5 Sb/NE a2 E2/NW c2 Nc/SE b3 W3/SE a2 Sa/NE d3 E3/NW a2 Na/NW e1 Ne/SE
"""

GAME = Game(
    name="trypsylon",
    rank=2,
    title="TRYPSYLON",
    minutes=(5, 45),
    rulebook="TRYPSYLON, Robert Witter and Frank Warneke, WiWa Spiele (German)",
    package=__name__,
    scene_for_all=True,
    prompts=(Prompt((PLACE,), text("trypsylon.then.1")),),
    wordings=WORDINGS,
    seats=2,
    options=(
        Number("columns", 5, only=(5, 6)),
        Number("rows", 5, only=(5, 6)),
        Flag("expert", False),
        Choice("first", "beach", choices=("beach", "meadow")),
        Flag("touch_move", True),
        Number("repetition", 3, only=(0, 3)),
    ),
    option_sets=(
        {},
        {"columns": 6, "rows": 6},
        {"columns": 6},
        {"rows": 6},
        {"expert": True},
        {"columns": 6, "rows": 6, "expert": True},
        {"touch_move": False},
        {"first": "meadow"},
        {"repetition": 0},
    ),
    presets={
        "standard": {},
        "large": {"columns": 6, "rows": 6},
        "wide": {"columns": 6},
        "tall": {"rows": 6},
        "expert": {"expert": True},
        "expert-large": {"columns": 6, "rows": 6, "expert": True},
    },
    house_rules=("repetition",),
    series=lambda options: "swap" if options["expert"] else "loser",  # T3
    example=Example(moves=tuple(_EXAMPLE.split())),
)
