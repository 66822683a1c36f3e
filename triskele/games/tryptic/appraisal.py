"""What a move was worth to TRYPTIC's reader, by what its seat knew: never by the truth."""

from triskele.core.bits import popcount
from triskele.games.tryptic.answers import add_line, begin_answer
from triskele.games.tryptic.inference import DONE, INFER
from triskele.games.tryptic.reader_workspace import (
    C_APPRAISED,
    C_CANDIDATES,
    C_CHALLENGE,
    C_SEAT,
    C_STAGE,
    S_APPRAISED,
    S_CHANCE,
    S_WORTH,
    ReaderWorkspace,
)
from triskele.games.tryptic.rules import (
    ANNOUNCE,
    CHALLENGE,
    CHALLENGED,
    CHOOSING,
    EMPTY,
    END,
    GIVE_UP,
    GOAL,
    IN,
    PLACED,
    PLAYERS,
    STAGE,
    TURN,
    has_points,
    points,
)
from triskele.games.tryptic.seat_evaluation import logistic, logit_of, own_pattern

_NO_MOVE = -1
"""Stands for going on without a move out of turn."""


def begin_appraisal(ws: ReaderWorkspace) -> None:
    """Answer what needs no inference: a choice of a pattern, giving up, and whether to announce."""
    control = ws.control
    state = ws.root
    seat = int(control[C_SEAT])
    move = int(control[C_APPRAISED]) - 2
    begin_answer(ws, 1, 1)
    control[C_STAGE] = DONE
    if state[STAGE] == CHOOSING or move >= GIVE_UP:
        add_line(ws, move, -1, 1.0 / state[PLAYERS], -1)  # how good a pattern is shows in play only
    elif has_points(state, seat):
        # A seat that has the points and does not say so gives the game away.
        add_line(ws, ANNOUNCE + seat, -1, 1.0, -1)
        if move != ANNOUNCE + seat:
            add_line(ws, move, -1, 0.0, -1)
    else:
        add_line(ws, move, -1, 1.0 / state[PLAYERS], -1)
        control[C_STAGE] = INFER


def answer_appraisal(ws: ReaderWorkspace) -> None:
    """Answer by the best move and the one that is appraised, when the placements and challenges are valued.

    Placements are valued by how much worse they are than the best, which is worth what the position is: so they can be
    compared with challenges, whose values rest on the position as it stands.
    """
    control = ws.control
    state = ws.root
    seat = int(control[C_SEAT])
    move = int(control[C_APPRAISED]) - 2
    chance = float(ws.shares[S_CHANCE])
    number = int(control[C_CANDIDATES])
    best = _NO_MOVE
    highest = -1.0
    played = 0.0  # of an announcement without the points
    if seat != state[TURN]:
        highest = chance
    else:
        pattern = own_pattern(ws)
        need = state[GOAL] - points(state, seat)
        most = 0.0
        for i in range(number):
            most = ws.values[i] if i == 0 else max(most, ws.values[i])
        shift = logit_of(chance) - most
        first = -1
        for i in range(number):
            row = ws.order[i]
            value = 1.0 if ws.threes[row, pattern] >= need else logistic(ws.values[i] + shift)
            if value > highest or (value == highest and row < first):
                highest = value
                best = int(ws.codes[row])
                first = row
            if ws.codes[row] == move:
                played = value
        if state[STAGE] == PLACED or state[EMPTY] == 0:
            if chance > highest:
                highest = chance
                best = END
            if move == END:
                played = chance
        if state[STAGE] != CHALLENGED and control[C_CHALLENGE] >= 0:
            if ws.shares[S_WORTH] > highest:
                highest = float(ws.shares[S_WORTH])
                best = int(control[C_CHALLENGE])
            if CHALLENGE <= move < END:
                played = float(ws.shares[S_APPRAISED])
    # Nobody is left to announce to when a challenge puts the last opponent out.
    announces = highest >= 1.0 and (best < CHALLENGE or popcount(state[IN]) > 2)
    begin_answer(ws, 2, number)
    add_line(ws, best, ANNOUNCE + seat if announces and best >= 0 else -1, highest, -1)
    if move != best:
        add_line(ws, move, -1, played, -1)
    control[C_STAGE] = DONE
