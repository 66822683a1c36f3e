"""Games of TRYPTIC between engines in which there is something to deduce: a pile runs out, and guesses go wrong.

In games that engines play of their own accord no pile runs out, and so nothing can be deduced for certain. In these
the patterns are rich in one colour, every seat begins its turn with a guess, which is wrong, and the goal is high.
Where the tiles go, and when somebody announces, is for the engine to decide, as in any game of its level.
"""

import random
from collections.abc import Iterator, Sequence

from triskele.core.contract import State
from triskele.core.contract.engine import Limits
from triskele.core.game import Options, game
from triskele.core.position import Position
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import is_wrong_guess
from triskele.games.tryptic.engine import BeliefEngine

LEVELS = (3, 4, 5, 6)
"""The levels that all seats of a game play at, drawn in equal shares. They place by gain and so use up a colour."""
OWN = 0.85
"""How often a tile of a pattern has the colour that is to run out: with 0.75 half as many games gave a puzzle."""
PLAIN = 0.08
"""How often a pattern may be of one colour: these are the easiest to deduce, and would be most of the solutions."""
LATE = 24
"""Positions are yielded from this many placements on; before that no pile can be empty."""


def compose(rng: random.Random, options: Options) -> Iterator[Position]:
    """Yield the positions of one game in which a turn begins, each as the seat to act knows it."""
    declared = game("tryptic")
    variant = declared.variant(options)
    colour = rng.randrange(r.COLOURS)
    player = BeliefEngine(declared)
    player.get_ready()
    limits = Limits(level=rng.choice(LEVELS), seed=rng.randrange(1 << 30))
    position = Position(variant)
    for _ in range(variant.seats):
        position.push(variant.move(_pattern(rng, colour)))
    while position.turn is not None and position.state[r.EMPTY]:
        state = position.state
        if state[r.STAGE] == r.OPEN:
            if int(state[r.USED : r.USED + r.COLOURS].sum()) >= LATE:
                yield position.seen_by(position.turn)
            guess = _wrong_guess(state, rng)
            if guess is None:
                return
            position.push(variant.move(guess))
        position.push(player.choose(position, limits))


def _pattern(rng: random.Random, colour: int) -> int:
    """Return a random pattern that is rich in a colour."""
    while True:
        tiles = [colour if rng.random() < OWN else rng.randrange(r.COLOURS) for _ in range(3)]
        if len(set(tiles)) > 1 or rng.random() < PLAIN:
            return int(r.PATTERN_OF[(tiles[0] + 1) * 36 + (tiles[1] + 1) * 6 + tiles[2] + 1]) - 1


def _wrong_guess(state: State, rng: random.Random) -> int | None:
    """Return a challenge that is wrong, of a pattern that was not guessed yet; ``None`` if there is none left.

    Patterns with many tiles of the colour that is placed most are guessed first, as a player would who counts tiles.
    """
    others = [seat for seat in range(int(state[r.PLAYERS])) if seat != state[r.TURN] and state[r.IN] >> seat & 1]
    target = rng.choice(others)
    guesses = [
        guess
        for guess in range(r.PATTERNS)
        if guess + 1 != state[r.PATTERN + target] and not is_wrong_guess(state, target, guess)
    ]
    if not guesses:
        return None
    return int(r.CHALLENGE + target * r.PATTERNS + rng.choices(guesses, _weights(state, guesses))[0])


def _weights(state: State, guesses: Sequence[int]) -> list[int]:
    """Return how likely each guess is: four times as likely for every tile of the colour that is placed most."""
    most = int(state[r.USED : r.USED + r.COLOURS].argmax())
    return [4 ** int(r.PATTERN_TILES[guess + 1, most]) for guess in guesses]
