"""Puzzles of Conquest Tryad: the plan with the best odds to win the game in this turn.

The value of a move is the exact chance to enter the other player's home, or to take the last token, before the turn
ends, when the solver goes on as well as possible and the defender always commits the number of tokens that is best for
the defence. Ending the turn has the value 0.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from triskele.core.contract.puzzles import Puzzles, ValueKind, Values
from triskele.core.game import Options, game
from triskele.core.playout import random_move
from triskele.core.position import Position
from triskele.games.conquest.board_queries import owner_of, tokens_on
from triskele.games.conquest.geometry import FIELDS
from triskele.games.conquest.puzzles.chances import TooManyStates, chances_to_win
from triskele.games.conquest.puzzles.proof import chances_by_the_rules
from triskele.games.conquest.rules import CONQUER, ON, PHASE, PURSES, ROUND

STATES_LIMIT = 4_000
"""A position whose turn can lead to more states is no candidate: its proof would take too long."""
LEAST_CHANCE, MOST_CHANCE = Fraction(1, 20), Fraction(97, 100)
"""A plan that hardly ever works, or nearly always, is no puzzle."""
ROUNDS_LIMIT = 12
THINNED = 3
ARMIES = (1, 1, 2, 3, 4)
"""The tokens left on a field, drawn in equal shares."""


def values(position: Position) -> Values | None:
    """Return the chance to win in this turn after each attack; ``None`` where there is nothing to plan."""
    if position.state[PHASE] != CONQUER or len(position.legal_moves) < 4:
        return None
    try:
        found = chances_to_win(position, STATES_LIMIT)
    except TooManyStates:
        return None
    best = max(found.values())
    return found if LEAST_CHANCE <= best <= MOST_CHANCE else None


def source(rng: random.Random, options: Options) -> Iterator[Position]:
    """Yield positions of a random game in which a seat is to attack, with armies small enough to plan a whole turn."""
    position = Position(game("conquest").variant(options))
    while position.turn is not None and position.state[ROUND] <= ROUNDS_LIMIT:
        if position.turn >= 0 and position.state[PHASE] == CONQUER:
            for _ in range(THINNED):
                yield _thinned(position, rng)
        position.push(random_move(position, rng))


def _thinned(position: Position, rng: random.Random) -> Position:
    """Return the position with at most a few tokens on each field; the others go back to their owners (C16)."""
    state = position.state
    for field in range(FIELDS):
        tokens, owner = tokens_on(state, field), owner_of(state, field)
        kept = min(tokens, rng.choice(ARMIES))
        if kept < tokens:
            state[ON + field] -= (tokens - kept) << 3
            state[PURSES + owner] += tokens - kept
    return Position(position.variant, state)


PUZZLES = Puzzles(
    kinds=(ValueKind("plan", values, chances_by_the_rules, least=Fraction(1, 100)),),
    variants=tuple({"purse": purse} for purse in (20, 40, 60)),
    source=source,
)
