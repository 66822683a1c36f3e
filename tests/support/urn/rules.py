"""The rules of Urn. An urn has red and black balls; in turn, a seat draws one, or passes once.

A red ball is a point; a black one loses all points. Balls are not put back. Two passes do not follow each other.
When the urn is empty, the higher total wins. Codes: 0 is to draw, 1 to pass, 2 a black ball, 3 a red one.
"""

from triskele.core.contract import CHANCE, OVER, Moves, Scores, State

SIZE, LOG, MOVES, ACTIONS, VERSION = 8, 0, 2, 4, 1
REASONS = ("empty",)
RED, BLACK, SEAT, DRAWING, PASSED, TOTAL = 1, 2, 3, 4, 5, 6
TO_DRAW, TO_PASS, A_BLACK, A_RED = 0, 1, 2, 3


def start(state: State, options: Moves) -> None:
    state[RED] = options[0]
    state[BLACK] = options[1]


def actor(state: State) -> int:
    if state[RED] + state[BLACK] == 0:
        return OVER
    return CHANCE if state[DRAWING] else int(state[SEAT])


def legal(state: State, moves: Moves) -> int:
    number = 0
    if state[DRAWING]:
        for code in (A_BLACK, A_RED):
            if chance_weight(state, code) > 0:
                moves[number] = code
                number += 1
        return number
    if state[RED] + state[BLACK] == 0:
        return 0
    moves[0] = TO_DRAW
    moves[1] = TO_PASS
    return 1 if state[PASSED] else 2


def chance_weight(state: State, move: int) -> int:
    return int(state[RED] if move == A_RED else state[BLACK])


def apply(state: State, move: int) -> None:
    if move == TO_DRAW:
        state[DRAWING] = 1
        return
    state[PASSED] = 1 if move == TO_PASS else 0
    state[DRAWING] = 0
    if move == A_RED:
        state[RED] -= 1
        state[TOTAL + state[SEAT]] += 1
    elif move == A_BLACK:
        state[BLACK] -= 1
        state[TOTAL + state[SEAT]] = 0
    state[SEAT] = 1 - state[SEAT]


def winners(state: State) -> int:
    if state[TOTAL] == state[TOTAL + 1]:
        return 0
    return 1 if state[TOTAL] > state[TOTAL + 1] else 2


def scores(state: State, out: Scores) -> None:
    won = winners(state)
    out[0] = 0.0 if won == 0 else 1.0 if won == 1 else -1.0
    out[1] = -out[0]


def reason(state: State) -> int:
    return 0
