"""Heap, a game for tests of engines: take one to three from a heap; who takes the last wins."""

from triskele.core.game import Game
from triskele.core.options import Number

GAME = Game(
    name="heap",
    title="Heap",
    minutes=(1, 1),
    rulebook="",
    package=__name__,
    seats=2,
    options=(Number("size", 10, low=1, high=60),),
)
