"""Random games for tests, and how to make the games of any kind short without naming one."""

import random
from collections.abc import Iterable, Iterator

import triskele
from triskele.core.game import Game
from triskele.core.position import Position

QUICK = {"blitz": True, "goal": 1, "rounds": 1}
"""Options that make a game short, where a game has them."""


def quick(game: Game) -> dict[str, bool | int]:
    """Return options with which a game of the usual number of players is soon over."""
    return {option.name: QUICK[option.name] for option in game.options if option.name in QUICK}


def random_positions(name: str, seed: int, moves: int = 10_000, **options: object) -> Iterator[Position]:
    """Yield the positions of a random game, each the same object: any legal move, no interrupts."""
    chooser = random.Random(seed)
    pos = triskele.new(name, **options)
    yield pos
    while pos.turn is not None and len(pos.moves) < moves:
        pos.push(chooser.choice(pos.legal_moves))
        yield pos


def last_of(positions: Iterable[Position]) -> Position:
    """Play on to the last position."""
    *_, last = positions
    return last
