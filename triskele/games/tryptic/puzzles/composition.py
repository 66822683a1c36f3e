"""Games of TRYPTIC made up for puzzles: one or two colours run out, and many guesses go wrong.

In games between engines no pile runs out, and so nothing can be deduced for certain. These games are played by the
rules from the start: each placement is drawn so that nobody comes to the points, and whoever challenges guesses wrong.
"""

import random
from collections.abc import Iterator

from triskele.core.contract import State
from triskele.core.game import Options, Variant, game
from triskele.core.position import Position
from triskele.games.tryptic import rules as r

FLOOD = 0.86
"""How often the colour that is to run out is placed."""
OWN = 0.55
"""How often a tile of a pattern has that colour."""
CHALLENGES = 0.7
"""How often a turn has a challenge."""
SAMPLES = 12
"""Hexes that are drawn until one leaves everybody's points as they are."""
PLAIN = 0.12
"""How often a pattern may be of one colour: these are the easiest to deduce, and would be most of the solutions."""
LATE = 24
"""Positions are yielded from this many placements on; before that no pile can be empty."""


def compose(rng: random.Random, options: Options) -> Iterator[Position]:
    """Yield positions of one game, each as the seat to act knows it."""
    variant = game("tryptic").variant(options)
    flooded = rng.sample(range(r.COLOURS), 2)
    position = Position(variant)
    for _ in range(variant.seats):
        pattern = _pattern(rng, flooded)
        while len(set(r.PATTERN_COLOURS[pattern].tolist())) == 1 and rng.random() > PLAIN:
            pattern = _pattern(rng, flooded)
        position.push(variant.move(pattern))
    while position.turn is not None and position.state[r.EMPTY]:
        state = position.state
        if state[r.STAGE] == r.OPEN:
            if int(state[r.USED : r.USED + r.COLOURS].sum()) >= LATE:
                yield position.seen_by(position.turn)
            position.push(variant.move(_placement(variant, state, rng, flooded)))
        else:
            code = _wrong_guess(state, rng, flooded) if rng.random() < CHALLENGES else r.END
            position.push(variant.move(code))


def _pattern(rng: random.Random, flooded: list[int]) -> int:
    """Return a random pattern, rich in the colour that is to run out first."""
    tiles = [flooded[0] if rng.random() < OWN else rng.randrange(r.COLOURS) for _ in range(3)]
    shown = r.PATTERN_OF[(tiles[0] + 1) * 36 + (tiles[1] + 1) * 6 + tiles[2] + 1]
    return int(shown) - 1


def _placement(variant: Variant, state: State, rng: random.Random, flooded: list[int]) -> int:
    """Return a placement, mostly of the first colour that is to run out, by which nobody gets a point if possible."""
    places = [code for code in _legal(variant, state) if r.PLACE <= code < r.CHALLENGE]
    wanted = flooded[0] if rng.random() < FLOOD else rng.randrange(r.COLOURS)
    chosen = [code for code in places if (code - r.PLACE) // r.HEXES == wanted] or places
    before = _points(state)
    code = chosen[0]
    for _ in range(SAMPLES):
        code = rng.choice(chosen)
        after = state.copy()
        variant.rules.apply(after, code)
        if _points(after) == before:
            break
    return code


def _legal(variant: Variant, state: State) -> list[int]:
    return [move.code for move in Position(variant, state.copy()).legal_moves]


def _points(state: State) -> list[int]:
    return [r.points(state, seat) for seat in range(int(state[r.PLAYERS]))]


def _wrong_guess(state: State, rng: random.Random, flooded: list[int]) -> int:
    """Return a challenge of another seat still in with a wrong pattern, rich in the colour that is to run out."""
    seats = [seat for seat in range(int(state[r.PLAYERS])) if seat != state[r.TURN] and state[r.IN] >> seat & 1]
    target = rng.choice(seats)
    for _ in range(SAMPLES):
        guess = _pattern(rng, flooded)
        second = guess // r.WRONG_BITS
        known = state[r.WRONG + 2 * target + second] >> (guess - second * r.WRONG_BITS) & 1
        if not known and guess + 1 != state[r.PATTERN + target]:
            return int(r.CHALLENGE + target * r.PATTERNS + guess)
    return r.END
