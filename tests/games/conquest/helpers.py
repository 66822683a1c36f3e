"""Positions, moves and helpers that the tests of this game share."""

import numpy as np
import pytest

import triskele
from triskele.games.conquest import GAME
from triskele.games.conquest import rules as r

SETS = [
    pytest.param(options, id=",".join(f"{k}={v}" for k, v in options.items()) or "usual")
    for options in GAME.option_sets
]


def at(line, **options):
    """Return a position from the part of its text after the colon."""
    words = " ".join(["conquest", *(f"{name}={value}" for name, value in options.items())])
    return triskele.position(f"{words}: {line}")


def body(position):
    return str(position).split(": ", 1)[1]


def after(position, *moves):
    for move in moves:
        position.push(move)
    return position


def random_move(position, rng):
    """Choose among all legal moves, or mostly among the sensible ones, so that games get somewhere."""
    buffer = np.empty(r.MOVES, dtype=np.int64)
    rules = position.variant.rules
    choose = rules.legal if rng.random() < 0.2 else rules.rollout_count
    return position.variant.move(int(buffer[rng.randrange(choose(position.state, buffer))]))


TRIPLES = "1 80 1a1*1 1c3*4 1d1*1 1d2*1 1d4*1 1d6*1 1d7*1 / 2 90 2c3*4 / pot 16 / round 2 / reinforce 1 first 1"


EMPTY = "1 80 1c3*8 / 2 96 2c3*4 / pot 12 / round 2 / conquer 1 first 1"


HELD = "1 80 1b3*8 1c3*4 / 2 90 2b1*5 2c3*4 / pot 9 / round 2 / conquer 1 first 1"
