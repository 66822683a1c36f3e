"""Puzzles of TRYPTIC: the pattern that must be, and the challenge that pays.

Both are about what a seat can deduce for certain from what it has seen: its own pattern, those of seats that are out,
the tiles on the board, the piles that are empty and those that are not (P3: patterns come out of the same 30 tiles a
colour), and the guesses that were wrong. That nobody has announced proves nothing (P6), and neither does where tiles
were put. Every way to give the other seats patterns that fits all this is a *world*, and all worlds count the same.

``must``  one challenge is right in every world. Its value is the share of worlds in which it is right.
``pays``  one challenge, and no other, wins points on the average: two where it is right, minus one where it is wrong
          (P7). All other moves are worth nothing here.
"""

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.contract.puzzles import Puzzles, ValueKind, Values
from triskele.core.game import Options
from triskele.core.position import Position
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import is_wrong_guess
from triskele.games.tryptic.puzzles.composition import compose
from triskele.games.tryptic.puzzles.proof import challenge_points, chances_to_be_right

Mask = NDArray[np.bool_]

MOST_UNKNOWN = 2
"""With more unknown patterns there are too many worlds to go through."""
MANY_WORLDS = 2_000
"""So many worlds before wrong guesses are counted are as hard as any."""


def unknown_seats(state: State) -> list[int]:
    """Return the seats whose patterns are not known."""
    return [seat for seat in range(int(state[r.PLAYERS])) if not state[r.PATTERN + seat]]


def worlds(state: State, unknown: list[int]) -> Mask:
    """Return which patterns fit: an axis for each unknown seat."""
    players = int(state[r.PLAYERS])
    known = r.PATTERN_TILES[state[r.PATTERN : r.PATTERN + players]].sum(axis=0)
    left = r.TILES - state[r.USED : r.USED + r.COLOURS] - known
    gone = np.array([bool(state[r.GONE] >> colour & 1) for colour in range(r.COLOURS)])
    shape = (r.PATTERNS,) * len(unknown)
    held = np.zeros((*shape, r.COLOURS), dtype=np.int64)
    fits: Mask = np.ones(shape, dtype=np.bool_)
    for axis, seat in enumerate(unknown):
        spread = [1] * len(unknown)
        spread[axis] = r.PATTERNS
        held = held + r.PATTERN_TILES[1:].reshape(*spread, r.COLOURS)
        wrong = np.array([is_wrong_guess(state, seat, guess) for guess in range(r.PATTERNS)])
        fits = fits & ~wrong.reshape(spread)
    # A pile is empty when board and patterns hold all its tiles, and only then.
    empty = held == left
    possible: Mask = fits & (held <= left).all(axis=-1) & (empty == gone).all(axis=-1)
    return possible


def _challenges(position: Position) -> dict[str, Fraction] | None:
    """Return how likely each challenge is right; ``None`` where no challenge can be made or there is a quicker win."""
    state, seat = position.state, position.turn
    if seat is None or state[r.STAGE] not in (r.OPEN, r.PLACED) or not state[r.EMPTY]:
        return None
    unknown = unknown_seats(state)
    if not 0 < len(unknown) <= MOST_UNKNOWN or int(state[r.GOAL]) - r.points(state, seat) <= 2:
        return None
    possible = worlds(state, unknown)
    total = int(possible.sum())
    if not total:
        return None
    found = {}
    for move in position.legal_moves:
        if r.CHALLENGE <= move.code < r.END:
            target, guess = divmod(move.code - r.CHALLENGE, r.PATTERNS)
            right = int(possible.take(guess, axis=unknown.index(target)).sum())
            found[move.text] = Fraction(right, total)
    return found


def certainty(position: Position) -> Values | None:
    """Return the share of worlds in which each challenge is right; ``None`` unless one is right in all of them."""
    chances = _challenges(position)
    if chances is None or max(chances.values()) < 1:
        return None
    return {move.text: chances.get(move.text, Fraction()) for move in position.legal_moves}


def gain(position: Position) -> Values | None:
    """Return the points that each challenge wins on the average; ``None`` unless just one wins any.

    A challenge that is right in every world is a puzzle of the other kind.
    """
    chances = _challenges(position)
    if chances is None or max(chances.values()) == 1:
        return None
    points = {move: 3 * chance - 1 for move, chance in chances.items()}
    if sum(value > 0 for value in points.values()) != 1:
        return None
    return {move.text: points.get(move.text, Fraction()) for move in position.legal_moves}


def effort(position: Position) -> float:
    """Return how many worlds there would be if no guess were known to be wrong, from 0 (few) to 1, logarithmically."""
    state = position.state
    state[r.WRONG : r.WRONG + 2 * r.SEATS] = 0
    number = int(worlds(state, unknown_seats(state)).sum())
    return min(1.0, math.log(max(1, number)) / math.log(MANY_WORLDS))


def source(rng: random.Random, options: Options) -> Iterator[Position]:
    """Yield positions of a game between engines with something to deduce, as the seat to act knows them."""
    yield from compose(rng, options)


PUZZLES = Puzzles(
    kinds=(
        ValueKind("must", certainty, chances_to_be_right, least=Fraction(1, 10), share=(50,), effort=effort),
        ValueKind("pays", gain, challenge_points, least=Fraction(1, 20), share=(50,), effort=effort),
    ),
    variants=({"goal": 20}, *({"players": 3, "goal": 20} for _ in range(3))),
    source=source,
)
