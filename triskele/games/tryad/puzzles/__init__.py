"""Puzzles of Tryad: the one take with the highest expected score, alone and against another player.

The value of a take is the score to expect after it, in coins, when both players take for the highest score to expect.
Alone that is the whole card if it is cleared, else minus the coins left (practice); with two players it is what one
wins from the other.
"""

from fractions import Fraction

from triskele.core.contract.puzzles import Puzzles, ValueKind, Values
from triskele.core.position import Position
from triskele.games.tryad.case_tables import alone, card, duel
from triskele.games.tryad.puzzles.proof import expected_scores
from triskele.games.tryad.rules import CARDS, IN, MODE, PHASE, PLAYERS, PRACTICE, ROLL, SEAT, TAKEN, TAKING

MOST_ALONE = 12
MOST_EACH = 8
"""With more coins on a card the proof, which tries everything, takes too long."""
MOST_IN_ALL = 13
"""The same for two cards."""


def values(position: Position) -> Values | None:
    """Return the score to expect after each take, from the solution of the card or of the game of two."""
    state = position.state
    if state[PHASE] != TAKING:
        return None
    seat = int(state[SEAT])
    cards = [int(fields) for fields in state[CARDS : CARDS + state[PLAYERS]]]
    counts = [fields.bit_count() for fields in cards]
    layout = str(position.variant.options["layout"])
    its = card(layout)
    rests = {move.text: its.case(cards[seat] & ~int(TAKEN[move.code])) for move in position.legal_moves}
    if state[MODE] == PRACTICE:
        if not 4 <= counts[0] <= MOST_ALONE:
            return None
        score = alone(layout)
        return {take: Fraction(float(score[rest])) for take, rest in rests.items()}
    if min(counts) < 2 or max(counts) > MOST_EACH or sum(counts) > MOST_IN_ALL:
        return None
    table = duel(layout, False)
    while not table.ready:
        table.advance()
    other, other_in = its.case(cards[1 - seat]), bool(state[IN] >> (1 - seat) & 1)
    roll = int(state[ROLL]) - 1
    return {take: Fraction(table.value_of_rest(seat, rest, other, other_in, roll)) for take, rest in rests.items()}


PUZZLES = Puzzles(
    kinds=(ValueKind("take", values, expected_scores, least=Fraction(1, 100)),),
    variants=({"mode": "practice", "players": 1}, {}),
)
