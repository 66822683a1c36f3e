"""Random openings and dice from a seed, the same on every machine.

The games of a group (the sides swapped, the seats turned) share an opening and, as far as they make the same number of
rolls, their dice.
"""

import random

from triskele.core.contract import CHANCE
from triskele.core.game import Variant
from triskele.core.playout import random_move
from triskele.core.position import Position

TRIES = 50
"""How often an opening that ends the game is drawn again, before shorter ones are tried."""


USUAL_PLIES = 4
"""The random decisions that games without dice begin with."""


def usual_plies(variant: Variant, plies: int = USUAL_PLIES) -> int:
    """Return the default number of random decisions: ``plies``, or 0 in games that begin with dice.

    Dice make games differ already; random decisions would only make every difference between players look smaller.
    """
    return 0 if Position(variant).turn == CHANCE else plies


def opening(variant: Variant, plies: int, seed: int, number: int) -> tuple[str, ...]:
    """Return random moves from the start: at least ``plies`` decisions, until all seats had equally many turns.

    In games that begin with dice, until the turn ends. The game is not over after them. Rolls are among the moves but
    do not count as decisions.
    """
    rng = random.Random(f"{seed} opening {number}")
    for shorter in range(TRIES + plies):
        drawn = _draw(variant, plies if shorter < TRIES else plies - 1 - (shorter - TRIES), rng)
        if drawn is not None:
            return drawn
    return ()


def _draw(variant: Variant, plies: int, rng: random.Random) -> tuple[str, ...] | None:
    position = Position(variant)
    decisions = 0
    mover = None
    first = position.turn
    while decisions < plies or (decisions and (position.turn == mover or first not in (CHANCE, position.turn))):
        if position.turn is None or decisions > plies + 50:
            return None
        move = random_move(position, rng)
        if (maker := position.mover(move)) != CHANCE:
            decisions += 1
            mover = maker
        position.push(move)
    return tuple(move.text for move in position.moves) if position.turn is not None else None


def dice(seed: int, number: int) -> random.Random:
    """Return the random generator of the dice of one group of games."""
    return random.Random(f"{seed} dice {number}")
