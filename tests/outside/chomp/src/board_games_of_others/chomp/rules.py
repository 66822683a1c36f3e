"""The rules of Chomp. A bar of chocolate has columns and rows; its corner a1 is poisoned.

1. Two players take turns. A move names a square that is left; it is eaten, and all above and to the right of it.
2. Whoever eats a1 loses.

The state has for each column how many squares of it are left. They never increase from left to right. The code of a
square is ``8 * column + row``.
"""

from triskele.core.contract import OVER, Moves, Scores, State

SIZE, LOG, MOVES, ACTIONS, VERSION = 12, 0, 64, 64, 1
REASONS = ("poison",)
COLUMNS, ROWS, SEAT, HEIGHT = 1, 2, 3, 4
SIDE = 8


def start(state: State, options: Moves) -> None:
    state[COLUMNS] = options[0]
    state[ROWS] = options[1]
    for column in range(options[0]):
        state[HEIGHT + column] = options[1]


def actor(state: State) -> int:
    return OVER if state[HEIGHT] == 0 else int(state[SEAT])


def legal(state: State, moves: Moves) -> int:
    number = 0
    for column in range(state[COLUMNS]):
        for row in range(state[HEIGHT + column]):
            moves[number] = SIDE * column + row
            number += 1
    return number


def apply(state: State, move: int) -> None:
    for column in range(move // SIDE, state[COLUMNS]):
        state[HEIGHT + column] = min(state[HEIGHT + column], move % SIDE)
    state[SEAT] = 1 - state[SEAT]


def winners(state: State) -> int:
    return 1 << state[SEAT]


def scores(state: State, out: Scores) -> None:
    for seat in range(2):
        out[seat] = 1.0 if seat == state[SEAT] else -1.0


def reason(state: State) -> int:
    return 0
