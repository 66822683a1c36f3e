"""Puzzles of Conquest Tryad: the plan with the best odds to win the game in this turn.

The value of a move is the exact chance to enter the other player's home, or to take the last token, before the turn
ends, when the solver goes on as well as possible and the defender always commits the number of tokens that is best for
the defence. Ending the turn has the value 0.
"""

from fractions import Fraction

from triskele.core.contract.puzzles import Puzzles, ValueKind, Values
from triskele.core.position import Position
from triskele.games.conquest.puzzles.chances import TooManyStates, chances_to_win, is_out_of_reach, spare_tokens
from triskele.games.conquest.puzzles.proof import chances_by_the_rules
from triskele.games.conquest.rules import CONQUER, PHASE

STATES_LIMIT = 4_000
"""A position whose turn can lead to more states is no candidate: its proof would take too long."""
MOST_SPARE = 5
"""The same for one in which the solver has more tokens to attack with: hardly any of them turned out small enough."""
LEAST_CHANCE, MOST_CHANCE = Fraction(1, 20), Fraction(97, 100)
"""A plan that hardly ever works, or nearly always, is no puzzle."""


def values(position: Position) -> Values | None:
    """Return the chance to win in this turn after each attack; ``None`` where there is nothing to plan."""
    state, seat = position.state, position.turn
    if seat is None or state[PHASE] != CONQUER or spare_tokens(state, seat) > MOST_SPARE:
        return None
    if is_out_of_reach(state, seat) or len(position.legal_moves) < 4:
        return None
    try:
        found = chances_to_win(position, STATES_LIMIT)
    except TooManyStates:
        return None
    best = max(found.values())
    return found if LEAST_CHANCE <= best <= MOST_CHANCE else None


PUZZLES = Puzzles(
    kinds=(ValueKind("plan", values, chances_by_the_rules, least=Fraction(1, 100)),),
    variants=tuple({"purse": purse, "rounds": 30} for purse in (12, 16, 24, 32)),
    levels=(1, 2, 3, 4),
)
