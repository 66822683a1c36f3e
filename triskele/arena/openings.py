"""How a game begins, and its dice: everything by a seed, the same wherever it is played.

Games that belong together (the sides swapped, the seats turned) share an opening and, as far as they
need the same number of rolls, their dice.
"""

import random

import numpy as np

from triskele.core.contract import CHANCE
from triskele.core.game import Variant
from triskele.core.moves import Move
from triskele.core.position import Position

TRIES = 50
"""So often an opening that ends the game is drawn anew; then it is as long as it can be."""


USUAL_PLIES = 4


def usual_plies(variant: Variant, plies: int = USUAL_PLIES) -> int:
    """Return how many random decisions games begin with: ``plies``, or none where dice tell games apart.

    Random decisions would only decide part of such a game, and make every difference between players look smaller.
    """
    return 0 if Position(variant).turn == CHANCE else plies


def random_move(position: Position, rng: random.Random) -> Move:
    """Return one of the moves that the game offers to random play; may be an interrupt."""
    variant = position.variant
    buffer = np.zeros(variant.moves_limit, dtype=np.int64)
    state = position.state
    number = variant.rules.rollout_count(state, buffer)
    return variant.move(int(variant.rules.rollout_nth(state, buffer, rng.randrange(number))))


def opening(variant: Variant, plies: int, seed: int, number: int) -> tuple[str, ...]:
    """Return random moves from the start: at least ``plies`` decisions, up to where everybody had as many turns.

    Where dice begin, it is up to where a turn ends. The game is not over after them. Rolls are among the moves and not
    among the decisions.
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
    """Return the dice of one group of games."""
    return random.Random(f"{seed} dice {number}")
