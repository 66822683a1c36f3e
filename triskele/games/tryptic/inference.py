"""How TRYPTIC's reader follows a game: move by move, as far as possible from where the last question left it."""

from triskele.games.tryptic.belief import believe_board, follow_move, show_patterns, start_belief
from triskele.games.tryptic.reader_workspace import (
    C_FOLLOWED,
    C_FOLLOWED_OVERSIGHT,
    C_GOAL,
    C_HURRY,
    C_NEXT,
    C_OVERSIGHT,
    C_PLAYERS,
    C_STAGE,
    C_WORDS,
    ReaderWorkspace,
)
from triskele.games.tryptic.rules import (
    CELL,
    CHALLENGE,
    ENDED,
    GOAL,
    GONE,
    IN,
    PATTERN,
    PLACE,
    PLAYERS,
    SHOWN,
    SIZE,
    STAGE,
    TURN,
)

INFER, DECIDE, SEARCH, DONE = range(4)
"""The stages of a search: moves are followed; what can be decided without a search is; placements are evaluated."""

EVIDENCE_COST = 50
"""What a placement that is counted as evidence costs of a budget, in placements that are evaluated."""

_MASK = 0x7FFFFFFF


def continue_belief(ws: ReaderWorkspace) -> None:
    """Go on from the moves followed for the last question, if they are the first of those seen now; else begin anew."""
    control = ws.control
    goes_on = (
        control[C_FOLLOWED] >= 0
        and control[C_PLAYERS] == ws.root[PLAYERS]
        and control[C_GOAL] == ws.root[GOAL]
        and control[C_FOLLOWED_OVERSIGHT] == control[C_OVERSIGHT]
    )
    followed = 0
    control[C_NEXT] = SIZE
    i = SIZE
    while goes_on and followed < control[C_FOLLOWED]:
        if i == control[C_WORDS]:
            goes_on = False
        else:
            if ws.root[i] >= PLACE:
                goes_on = ws.root[i] == ws.followed[followed]
                followed += 1
            i += 1
    if goes_on and control[C_FOLLOWED] > 0:
        control[C_NEXT] = i
    else:
        start_belief(ws)
        control[C_PLAYERS] = ws.root[PLAYERS]
        control[C_GOAL] = ws.root[GOAL]
        control[C_FOLLOWED_OVERSIGHT] = control[C_OVERSIGHT]
    show_patterns(ws)
    if not has_whole_history(ws):
        end_inference(ws)


def has_whole_history(ws: ReaderWorkspace) -> bool:
    """Return whether the moves seen can be all that were made: one that chose a pattern for each seat that has one."""
    chosen = 0
    for seat in range(ws.root[PLAYERS]):
        if ws.root[IN] >> seat & 1 or ws.root[PATTERN + seat] != 0:
            chosen += 1
    for i in range(SIZE, ws.control[C_WORDS]):
        if ws.root[i] < PLACE:
            chosen -= 1
    return chosen == 0


def infer_next(ws: ReaderWorkspace) -> int:
    """Follow the next move; return what it cost. After the last one it is time to decide."""
    control = ws.control
    if control[C_NEXT] == control[C_WORDS] or ws.state[STAGE] == ENDED:
        end_inference(ws)
        return 1
    code = int(ws.root[control[C_NEXT]])
    control[C_NEXT] += 1
    if code < PLACE:
        return 1
    number = int(control[C_FOLLOWED])
    attentive = control[C_HURRY] == 0 and placement_hash(number, code) % 1000 >= control[C_OVERSIGHT]
    follow_move(ws, code, attentive)
    ws.followed[number] = code
    control[C_FOLLOWED] = number + 1
    return EVIDENCE_COST if attentive and code < CHALLENGE else 1


def placement_hash(number: int, code: int) -> int:
    """Return a number that looks random: it decides whether a weak level overlooks a placement, ever the same way."""
    word = (number * 1009 + code + 1) * 0x9E3779B1 & _MASK
    word = (word ^ word >> 15) * 0x45D9F3B & _MASK
    return int(word ^ word >> 13)


def end_inference(ws: ReaderWorkspace) -> None:
    """Take the belief, unless the moves do not lead here: the position was set up, or the history is cut."""
    same = ws.state[TURN] == ws.root[TURN]
    for i in range(CELL, SHOWN):
        same = same and ws.state[i] == ws.root[i]
    if not same:
        believe_board(ws)
    ws.state[GONE] = ws.root[GONE]
    if ws.control[C_HURRY] == 1:
        ws.control[C_FOLLOWED] = -1
    ws.control[C_STAGE] = DECIDE
