"""The rules of Race. POINTS and LUCKY numbers (0: not chosen, or hidden) are words for each of four seats."""

from triskele.core.bits import ctz, popcount
from triskele.core.contract import CHANCE, OVER, Moves, Scores, State

SIZE, LOG, MOVES, ACTIONS, VERSION = 17, 0, 4, 14, 1
REASONS = ("goal", "alone", "rolls")
PLAYERS, GOAL, ROLLS, PHASE, SEAT, ROLL, ROLLED, IN, POINTS, LUCKY = 1, 2, 3, 4, 5, 6, 7, 8, 9, 13
PICKING, ROLLING, CHOOSING, ENDED = 0, 1, 2, 3
ADD, SKIP, PICK, AWAY = 4, 5, 6, 10  # codes: 0-3 are rolls, four from PICK lucky numbers, four from AWAY the seats


def start(state: State, options: Moves) -> None:
    state[PLAYERS], state[GOAL], state[ROLLS], state[IN] = options[0], options[1], options[2], (1 << options[0]) - 1


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
        state[PHASE] = ENDED if popcount(state[IN]) == 1 else state[PHASE]
    elif move < ADD:
        state[ROLL], state[ROLLED], state[PHASE] = move + 1, state[ROLLED] + 1, CHOOSING
    else:
        state[LUCKY + seat] = move - PICK + 1 if move >= PICK else state[LUCKY + seat]
        state[POINTS + seat] += state[ROLL] if move == ADD else 0
        if state[POINTS + seat] >= state[GOAL] or (move < PICK and state[ROLLED] == state[ROLLS]):
            state[PHASE] = ENDED
        else:
            later = (state[IN] | state[IN] << state[PLAYERS]) >> (seat + 1)  # the seats in, from the next one on
            state[SEAT] = (seat + 1 + ctz(later)) % state[PLAYERS]
            state[PHASE] = PICKING if move >= PICK and state[SEAT] > 0 else ROLLING


def winners(state: State) -> int:
    if popcount(state[IN]) == 1:
        return int(state[IN])
    lucky = state[ROLL] == state[LUCKY + state[SEAT]]
    return 1 << state[SEAT] if lucky or state[POINTS + state[SEAT]] >= state[GOAL] else 0


def scores(state: State, out: Scores) -> None:
    won = winners(state)
    for seat in range(state[PLAYERS]):
        out[seat] = 0.0 if won == 0 else 1.0 if won >> seat & 1 else -1.0 / (state[PLAYERS] - 1)


def reason(state: State) -> int:
    return 1 if popcount(state[IN]) == 1 else 0 if state[POINTS + state[SEAT]] >= state[GOAL] else 2


def redact(state: State, seat: int) -> None:
    for other in range(state[PLAYERS]):
        if other != seat and state[PHASE] != ENDED:
            state[LUCKY + other] = 0
