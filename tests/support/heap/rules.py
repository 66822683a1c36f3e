"""The rules of Heap: a number, and whose turn it is. A turn is one decision: the number taken, less 1."""

from triskele.core.contract import OVER, Moves, Scores, State

SIZE, LOG, MOVES, ACTIONS, VERSION = 3, 0, 3, 3, 1
REASONS = ("taken",)
LEFT, SEAT = 1, 2


def start(state: State, options: Moves) -> None:
    state[LEFT] = options[0]


def actor(state: State) -> int:
    return OVER if state[LEFT] == 0 else int(state[SEAT])


def legal(state: State, moves: Moves) -> int:
    number = min(3, int(state[LEFT]))
    for i in range(number):
        moves[i] = i
    return number


def apply(state: State, move: int) -> None:
    state[LEFT] -= move + 1
    state[SEAT] = 1 - state[SEAT]


def winners(state: State) -> int:
    return 2 if state[SEAT] == 0 else 1


def scores(state: State, out: Scores) -> None:
    out[1 - state[SEAT]] = 1.0
    out[state[SEAT]] = -1.0


def reason(state: State) -> int:
    return 0
