"""The rules of Race.

State words: players, goal and rolls allowed (the options), phase, seat to act, last roll, rolls made,
the seats still in as a bit set, then points and lucky numbers (0: not chosen, or hidden) of four seats.
Codes: 0-3 a roll, 4 add, 5 skip, 6-9 a lucky number, 10-13 a seat gives way.
"""

from triskele.core.bits import ctz, popcount
from triskele.core.contract import CHANCE, OVER, Moves, Scores, State

SIZE, LOG, MOVES, ACTIONS, VERSION = 17, 0, 4, 14, 1
REASONS = ("goal", "alone", "rolls")

PLAYERS, GOAL, ROLLS, PHASE, SEAT, ROLL, ROLLED, IN, POINTS, LUCKY = 1, 2, 3, 4, 5, 6, 7, 8, 9, 13
PICKING, ROLLING, CHOOSING, ENDED = 0, 1, 2, 3
ADD, SKIP, PICK, AWAY = 4, 5, 6, 10


def start(state: State, options: Moves) -> None:
    for i in range(3):
        state[PLAYERS + i] = options[i]
    state[IN] = (1 << options[0]) - 1


def actor(state: State) -> int:
    return OVER if state[PHASE] == ENDED else CHANCE if state[PHASE] == ROLLING else int(state[SEAT])


def legal(state: State, moves: Moves) -> int:
    first, number = ((PICK, 4), (0, 4), (ADD, 2), (0, 0))[state[PHASE]]
    for i in range(number):
        moves[i] = first + i
    return number


def interrupts(state: State, moves: Moves) -> int:
    number = 0
    for seat in range(state[PLAYERS]):
        if state[PHASE] in (ROLLING, CHOOSING) and seat != state[SEAT] and state[IN] >> seat & 1:
            moves[number] = AWAY + seat
            number += 1
    return number


def apply(state: State, move: int) -> None:
    seat = state[SEAT]
    if move >= AWAY:
        state[IN] &= ~(1 << (move - AWAY))
        if popcount(state[IN]) == 1:
            state[PHASE] = ENDED
    elif move >= PICK:
        state[LUCKY + seat] = move - PICK + 1
        pass_on(state)
        state[PHASE] = ROLLING if state[SEAT] == 0 else PICKING
    elif move < ADD:
        state[ROLL] = move + 1
        state[ROLLED] += 1
        state[PHASE] = CHOOSING
    else:
        if move == ADD:
            state[POINTS + seat] += state[ROLL] * (2 if state[ROLL] == state[LUCKY + seat] else 1)
        if state[POINTS + seat] >= state[GOAL] or state[ROLLED] == state[ROLLS]:
            state[PHASE] = ENDED
        else:
            state[PHASE] = ROLLING
            pass_on(state)


def pass_on(state: State) -> None:
    seat = (state[SEAT] + 1) % state[PLAYERS]
    while not state[IN] >> seat & 1:
        seat = (seat + 1) % state[PLAYERS]
    state[SEAT] = seat


def winners(state: State) -> int:
    if popcount(state[IN]) == 1:
        return int(state[IN])
    return 1 << state[SEAT] if state[POINTS + state[SEAT]] >= state[GOAL] else 0


def scores(state: State, out: Scores) -> None:
    won = winners(state)
    for seat in range(state[PLAYERS]):
        out[seat] = 0.0 if won == 0 else -1.0 / (state[PLAYERS] - 1)
    if won:
        out[ctz(won)] = 1.0


def reason(state: State) -> int:
    return 1 if popcount(state[IN]) == 1 else 0 if winners(state) else 2


def redact(state: State, seat: int) -> None:
    for other in range(state[PLAYERS]):
        if other != seat and state[PHASE] != ENDED:
            state[LUCKY + other] = 0
