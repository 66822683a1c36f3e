"""Chomp: the declaration of the game."""

from triskele.core.game import Example, Game
from triskele.core.options import Number

GAME = Game(
    name="chomp",
    title="Chomp",
    minutes=(1, 3),
    rulebook="David Gale, A Curious Nim-Type Game, 1974",
    package=__name__,
    seats=2,
    options=(Number("columns", 5, low=2, high=8), Number("rows", 4, low=1, high=8)),
    option_sets=({}, {"columns": 8, "rows": 8}, {"rows": 1}),
    example=Example(moves=("e3", "d4", "c3")),
    scene_for_all=True,
)
