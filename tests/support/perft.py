"""Leaves by depth as data: ``python -m tests.support.perft`` writes ``tests/games/data/perft/`` anew.

For every option set of every game there is the start and two positions from the middle of a random game; for each the
number of sequences of 1, 2, 3, ... decisions. Rolls of a die count each face once.
"""

import random
from typing import Any

import numpy as np

from tests.support.data import regenerate
from triskele.core.game import Game
from triskele.core.perft import PERFT
from triskele.core.position import Position
from triskele.testing import random_move

LEAVES_LIMIT = 1_000_000
"""The last depth is the last one with at most this many leaves: a moment's work when compiled."""
DEPTH_LIMIT = 6


def leaves(pos: Position, depth: int) -> int:
    """Return the number of sequences of exactly ``depth`` decisions; compiled rules."""
    variant, state = pos.variant, pos.state
    states = np.zeros((depth, len(state) + (depth + 1) * variant.log), dtype=np.int64)
    moves = np.zeros((depth, variant.moves_limit), dtype=np.int64)
    perft = variant.game.linker.program(PERFT)
    return int(perft(state, depth, states, moves, np.zeros(2 * depth, dtype=np.int64)))


def entries_of(game: Game) -> list[dict[str, Any]]:
    game.linker.compile_rules()
    positions = [pos for options in game.option_sets for pos in _positions(game, dict(options))]
    return [{"position": str(pos), "leaves": _by_depth(pos)} for pos in positions]


def _positions(game: Game, options: dict[str, object]) -> list[Position]:
    rng = random.Random(f"perft {game.name} {options}")
    pos = Position(game.variant(options))
    while pos.turn is not None:
        pos.push(random_move(pos, rng))
    length = len(pos.moves)
    found = []
    for number in (2 * length // 3, length // 3, 0):
        while len(pos.moves) > number:
            pos.pop()
        found.append(pos.copy())
    return found[::-1]


def _by_depth(pos: Position) -> list[int]:
    found: list[int] = []
    while len(found) < DEPTH_LIMIT:
        # The next depth is about as much wider as this one was: it is not even tried where it would be far too wide.
        if len(found) > 1 and found[-1] * found[-1] > 20 * LEAVES_LIMIT * found[-2]:
            break
        number = leaves(pos, len(found) + 1)
        if found and number > LEAVES_LIMIT:
            break
        found.append(number)
    return found


if __name__ == "__main__":
    regenerate("perft", entries_of)
