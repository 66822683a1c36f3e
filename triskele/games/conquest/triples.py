"""Triples that the acting seat can use now (C6)."""

import itertools

from triskele.core.contract import State
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import NAMES, TOUCHING, held_by, home_tokens_left, number_of
from triskele.games.conquest.error_reasons import triple_problem
from triskele.games.conquest.geometry import BOARD, HOME

Pair = tuple[int, int]


def partners(state: State) -> dict[int, list[Pair]]:
    """Return the fields that are part of a triple that can be used, each with the pairs that make it one."""
    if not state[r.PURSES + state[r.SEAT]]:
        return {}
    setup, seat = int(state[r.SETUP]), int(state[r.SEAT])
    free = [field for field in held_by(state, seat) if triple_problem(state, [field]) is None]
    found = {}
    for field in free:
        alike = [f for f in free if f != field and number_of(state, f) == number_of(state, field)]
        on_board = [f for f in alike if f // BOARD == field // BOARD]
        near = [f for f in alike if f in TOUCHING[setup][field]]
        pairs = {pair for pair in itertools.combinations(near, 2) if pair[1] in TOUCHING[setup][pair[0]]}
        pairs.update(itertools.combinations(on_board, 2))
        if pairs:
            found[field] = sorted(pairs)
    return found


def usual_triples(state: State) -> dict[int, str]:
    """Return for each field of a triple the move that most would make to bring tokens there: all that the triple gives.

    Of several triples it is one that leaves the home free as long as that can give tokens by itself, and then one of
    fields that few other triples need.
    """
    pairs = partners(state)
    seat = int(state[r.SEAT])
    home = seat * BOARD + HOME if home_tokens_left(state) else -1

    def cost(pair: Pair) -> tuple[bool, int]:
        return home in pair, sum(len(pairs[field]) for field in pair)

    moves = {}
    for field, possible in pairs.items():
        fields = sorted((field, *min(possible, key=cost)))
        most = min(number_of(state, field), int(state[r.PURSES + seat]))
        moves[field] = f"t{'+'.join(NAMES[each] for each in fields)}>{NAMES[field]}*{most}"
    return moves
