"""Tryad: the declaration of the game.

Each player rolls a four-sided die and takes fields that add up to it off a card; a cleared card is paid threefold.
"""

from triskele.core.game import Example, Game, Options
from triskele.core.options import Choice, Number, Pattern
from triskele.core.words import Text, text
from triskele.games.tryad.card import FORM, STANDARD, read_layout
from triskele.games.tryad.wordings import WORDINGS


def _check(options: Options) -> Text | None:
    alone = options["players"] == 1
    if options["mode"] == "practice":
        return None if alone else text("tryad.practice-is-for-one", players=options["players"])
    return text("tryad.alone-is-practice", mode=str(options["mode"])) if alone else None


GAME = Game(
    name="tryad",
    rank=4,
    title="Tryad",
    minutes=(5, 15),
    rulebook="VINYAN Tryad Game Board",
    package=__name__,
    wordings=WORDINGS,
    buttons=False,
    chance=True,
    die=4,
    options=(
        Number("players", 2, low=1, high=12),
        Number("stake", 1, low=1, high=1000),
        Pattern("layout", STANDARD, read=read_layout, form=FORM, rows=(1, 3, 5, 7), high=4),
        Choice("mode", "table", choices=("table", "bingo", "practice")),
    ),
    option_sets=(
        {},
        {"players": 3},
        {"players": 5},
        {"players": 12},
        {"stake": 3},
        {"mode": "bingo"},
        {"mode": "bingo", "players": 4},
        {"mode": "practice", "players": 1},
        {"mode": "practice", "players": 1, "stake": 3},
        {"layout": "1/234/12341/2341234"},
        {"layout": "2/222/22222/2222222", "players": 3},
    ),
    presets={"table": {}, "bingo": {"mode": "bingo"}, "practice": {"mode": "practice", "players": 1}},
    check=_check,
    example=Example(moves=("4", "-c2+d5", "3", "-b3", "2", "-c5", "4", "-a1", "1", "-d4", "4")),
)
