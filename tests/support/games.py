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


def texts_of_decisions(declared: Game) -> set[str]:
    """Return texts of decisions in the beginnings of random games, of all variants that tests run."""
    found: set[str] = set()
    for number, options in enumerate(declared.option_sets):
        chooser = random.Random(number)
        for pos in random_positions(declared.name, number, 120, **options):
            if pos.turn is not None and pos.turn != triskele.CHANCE:
                moves = pos.legal_moves
                found |= {move.text for move in chooser.sample(moves, min(len(moves), 30)) + pos.interrupts}
    return found
