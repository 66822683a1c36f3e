"""The rules of Pig. Roll as often as you dare, then hold what you rolled; a one loses it. First to the goal wins.

Codes: 0 to 5 are the faces of the die, 6 is to roll, 7 to hold. After the last turn of all the higher total wins.
"""

from triskele.core.contract import CHANCE, OVER, Moves, Scores, State

SIZE, LOG, MOVES, ACTIONS, VERSION = 9, 0, 6, 8, 1
REASONS = ("goal", "turns")
GOAL, TURNS, SEAT, ROLLING, HELD, TAKEN, TOTAL = 1, 2, 3, 4, 5, 6, 7
ROLL, HOLD = 6, 7


def start(state: State, options: Moves) -> None:
    state[GOAL] = options[0]
    state[TURNS] = options[1]


def ended(state: State) -> bool:
    return max(state[TOTAL], state[TOTAL + 1]) >= state[GOAL] or state[TAKEN] == state[TURNS]


def actor(state: State) -> int:
    if ended(state):
        return OVER
    return CHANCE if state[ROLLING] else int(state[SEAT])


def legal(state: State, moves: Moves) -> int:
    if ended(state):
        return 0
    if state[ROLLING]:
        for face in range(6):
            moves[face] = face
        return 6
    moves[0] = ROLL
    moves[1] = HOLD
    return 2 if state[HELD] > 0 else 1


def apply(state: State, move: int) -> None:
    if move == ROLL:
        state[ROLLING] = 1
        return
    state[ROLLING] = 0
    if 0 < move < ROLL:
        state[HELD] += move + 1
        return
    if move == HOLD:
        state[TOTAL + state[SEAT]] += state[HELD]
    state[HELD] = 0
    state[SEAT] = 1 - state[SEAT]
    state[TAKEN] += 1


def winners(state: State) -> int:
    if state[TOTAL] == state[TOTAL + 1]:
        return 0
    return 1 if state[TOTAL] > state[TOTAL + 1] else 2


def scores(state: State, out: Scores) -> None:
    won = winners(state)
    out[0] = 0.0 if won == 0 else 1.0 if won == 1 else -1.0
    out[1] = -out[0]


def reason(state: State) -> int:
    return 0 if max(state[TOTAL], state[TOTAL + 1]) >= state[GOAL] else 1
