"""Conquest Tryad: the declaration of the game.

Two to six players attack one another's boards of sixteen fields with tokens; dice decide the battles.
"""

from triskele.core.game import Example, Game, Options
from triskele.core.options import Choice, Number, Pattern
from triskele.core.prompts import PLACE, Prompt
from triskele.core.words import Text, text
from triskele.games.conquest.card import FORM, STANDARD, read_layout
from triskele.games.conquest.wordings import WORDINGS


def _check(options: Options) -> Text | None:
    if options["setup"] == "pyramid" and options["players"] != 4:
        return text("conquest.pyramid-is-for-four", players=options["players"])
    return None


_FIRST_ROUND = (
    "4 2 1 3 2 1 h1c3 h1c3 h1c3 done 1c4<1c3*3 3 4 4 1 +1c3*2 1c5<1c4*3 4 3 4 1 +1c4*1 2c1<1c5*3 4 4 3 4 done "
    "h2c3 h2c3 h2c3 done 2d4<2c3*3 4 3 3 1 +2c3*3 2d5<2d4*3 4 4 4 1 +2d4*2 2d6<2d5*3 4 3 3 1 +2d5*1 done h3c3 "
    "h3c3 h3c3 done 3c2<3c3*3 4 4 4 1 +3c3*2 3b1<3c2*3 4 4 4 1 +3c2*1 2b3<3b1*3 4 4 4 4 done h4c3 h4c3 h4c3 "
    "done 4d4<4c3*3 4 4 4 1 +4c3*3 4d5<4d4*3 4 4 4 1 +4d4*2 4d6<4d5*3 4 4 4 1 +4d5*1 done h5c3 h5c3 h5c3 done "
    "5c4<5c3*3 4 3 4 1 +5c3*3 5c5<5c4*3 4 4 4 1 +5c4*2 6c1<5c5*3 4 4 3 1 +5c5*1 done h6c3 h6c3 h6c3 done "
    "6d4<6c3*3 3 3 4 1 +6c3*3 6d3<6d4*3 4 4 3 1 +6d4*2 6d2<6d3*3 4 3 4 1 +6d3*1 6c1<6d2*3 d3 4 2 3 4"
)

_GO = text("conquest.token.go")
_PROMPTS = (
    Prompt(("t",), text("conquest.then.t")),
    Prompt(("t", PLACE), text("conquest.then.t1")),
    Prompt(("t", PLACE, PLACE), text("conquest.then.t2")),
    Prompt(("t", PLACE, PLACE, PLACE), text("conquest.then.many"), place=False),
    # An attack from several fields: its target, then a field for each token that attacks.
    Prompt((PLACE, PLACE), text("conquest.then.2", go=_GO)),
    Prompt((PLACE, PLACE, PLACE), text("conquest.then.3", go=_GO)),
    *(Prompt((PLACE,) * tokens, text("conquest.then.ready", go=_GO), place=False) for tokens in (2, 3, 4)),
    # Tokens that follow an attack: their field, then how many.
    Prompt((PLACE,), text("conquest.then.many"), place=False),
)

GAME = Game(
    name="conquest",
    title="Conquest Tryad",
    minutes=(30, 120),
    rulebook="VINYAN Conquest Tryad, version 1.1",
    package=__name__,
    chance=True,
    die=4,
    seat_sprites=tuple(f"conquest-seat-{seat}" for seat in range(1, 7)),
    prompts=_PROMPTS,
    wordings=WORDINGS,
    forced=True,
    turn_decisions=12,
    tells=True,
    options=(
        Number("players", 2, only=(2, 3, 4, 6)),
        Choice("version", "quickie", choices=("quickie", "marathon")),
        Choice("setup", "fan", choices=("fan", "pyramid")),
        Number("purse", 100, low=4, high=200),
        Pattern("layout", STANDARD, read=read_layout, form=FORM, rows=(1, 3, 5, 7), high=4),
        Number("rounds", 200, low=1, high=1000),
    ),
    # Most are limited to a few rounds, because long games only make tests slower.
    option_sets=(
        {},
        {"players": 3, "rounds": 15},
        {"players": 4, "rounds": 12},
        {"players": 4, "setup": "pyramid", "rounds": 12},
        {"players": 6, "rounds": 8},
        {"version": "marathon", "rounds": 25},
        {"players": 4, "version": "marathon", "setup": "pyramid", "rounds": 12},
        {"purse": 12, "rounds": 20},
        {"players": 6, "purse": 5, "rounds": 3},
        {"layout": "1/234/43214/1324132", "rounds": 10},
        {"layout": "3/333/33333/3333333", "players": 3, "rounds": 5},
    ),
    presets={
        "quickie": {},
        "marathon": {"version": "marathon"},
        "pyramid": {"players": 4, "setup": "pyramid"},
    },
    house_rules=("rounds",),
    check=_check,
    example=Example({"players": 6}, tuple(_FIRST_ROUND.split())),
)
