"""Puzzles of Conquest Tryad: the plan with the best odds to win the game in this turn.

The value of a move is the exact chance to enter the other player's home, or to take the last token, before the turn
ends, when the solver goes on as well as possible and the defender always commits the number of tokens that is best for
the defence. Ending the turn has the value 0.
"""

import random
from fractions import Fraction

from triskele.core.contract import State
from triskele.core.contract.puzzles import Puzzles, ValueKind, Values
from triskele.core.position import Position
from triskele.games.conquest.board_queries import owner_of, tokens_on
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.puzzles.chances import TooManyStates, chances_to_win, spare_tokens
from triskele.games.conquest.puzzles.proof import chances_by_the_rules
from triskele.games.conquest.rules import CONQUER, ON, PHASE, PURSES, SEAT, SETUP

STATES_LIMIT = 4_000
"""A position whose turn can lead to more states is no candidate: its proof would take too long."""
MOST_SPARE = 5
"""Positions in which the solver has more tokens to attack with are not tried: hardly any turned out small enough."""
MOST_GUARDS = 2
"""The most tokens on the home that the solver stands before: otherwise nearly all positions are searched in vain."""
THINNED = 3
"""How often the armies of a position are thinned out, each time in another way."""
ARMIES = (1, 1, 1, 2, 3)
"""The most tokens left on a field, drawn in equal shares."""
LEAST_CHANCE, MOST_CHANCE = Fraction(1, 20), Fraction(97, 100)
"""A plan that hardly ever works, or nearly always, is no puzzle."""


def threatens_home(state: State, seat: int) -> bool:
    """Return whether a seat can attack the other home at once, and few tokens guard it."""
    home = (1 - seat) * BOARD + HOME
    near = [field for field in BORDER[state[SETUP], home].tolist() if field >= 0]
    ready = any(owner_of(state, field) == seat and tokens_on(state, field) > 1 for field in near)
    return ready and tokens_on(state, home) <= MOST_GUARDS


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


def thinned(state: State, rng: random.Random) -> list[State]:
    """Return a state in which a seat is to attack with at most a few tokens on each field, in several ways.

    The others go back to their owners (C16). As they occur in games, nearly all turns lead to too many states. What
    does not promise a win is left out.
    """
    found: list[State] = []
    if state[PHASE] != CONQUER:
        return found
    seat = int(state[SEAT])
    for _ in range(THINNED):
        after = state.copy()
        for field in range(FIELDS):
            tokens = tokens_on(after, field)
            away = tokens - min(tokens, rng.choice(ARMIES))
            if away:
                after[ON + field] -= away << 3
                after[PURSES + owner_of(after, field)] += away
        if spare_tokens(after, seat) <= MOST_SPARE and threatens_home(after, seat):
            found.append(after)
    return found


PUZZLES = Puzzles(
    kinds=(ValueKind("plan", values, chances_by_the_rules, least=Fraction(1, 100)),),
    variants=tuple({"purse": purse} for purse in (40, 60, 100)),
    vary=thinned,
)
