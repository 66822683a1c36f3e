"""The evaluation for one seat: its posteriors, its chance to win, and the expected value of challenges.

A seat's chance to win is a logistic regression on features of what it knows: the board, its own pattern, and the
posterior over everybody's (:mod:`triskele.games.tryptic.belief`). The weights come from self-play
(:mod:`triskele.games.tryptic.training`).
"""

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.core.mathematics import exp, log
from triskele.core.workspace import FloatMatrix, FloatVector
from triskele.games.tryptic.belief import list_believed_after, list_guesses
from triskele.games.tryptic.reader_workspace import (
    C_APPRAISED,
    C_CHALLENGE,
    C_SEAT,
    S_APPRAISED,
    S_CHANCE,
    S_EMPTY,
    S_NEEDED,
    S_READY,
    S_RIGHT,
    S_WORTH,
    ReaderWorkspace,
)
from triskele.games.tryptic.rules import (
    CHALLENGE,
    CHANGE,
    COLOURS,
    EMPTY,
    GOAL,
    GONE,
    HEXES,
    IN,
    PATTERN,
    PATTERN_TILES,
    PATTERNS,
    PLACED,
    PLAYERS,
    SHOWN,
    SIZE,
    STAGE,
    TILES,
    USED,
    has_points,
)
from triskele.games.tryptic.windows import WINDOWS, list_points_after

FEATURES = (
    "two in", "three in", "four in", "five in",
    "need", "need next", "need of one", "need of two", "finishes", "ready", "given away", "given away much", "known",
    "their need", "their need next", "their danger", "their danger in all", "best guess", "other guesses",
    "empty", "empty and need",
)  # fmt: skip
"""The names of the features of :func:`list_features`, in their order."""

ACTING, WAITING = range(2)
"""Rows of the weights: for a seat about to place, and for one that has placed."""

_MOST_NEED = 9
_MOST_READY = 8.0
SURE = 1.0 - 1e-9
_TWO_TILES = 1 << 10
"""What ``PACKED`` has for a window with two tiles."""


def own_pattern(ws: ReaderWorkspace) -> int:
    """Return the pattern of the seat that asks; the first one where it is not known."""
    return max(0, int(ws.root[PATTERN + ws.control[C_SEAT]]) - 1)


def logistic(logit: float) -> float:
    """Return the probability of a logit (the logistic function)."""
    return 1.0 / (1.0 + exp(-min(max(logit, -30.0), 30.0)))


def logit_of(share: float) -> float:
    """Return the logit of a probability."""
    share = min(max(share, 1e-6), 1.0 - 1e-6)
    return log(share / (1.0 - share))


# --- what the seat believes -------------------------------------------------------------------------------


def list_possible(ws: ReaderWorkspace) -> None:
    """Fill in 0 for patterns that no unknown seat can have: board and known patterns leave too few tiles.

    An empty pile says more: if a single pattern is unknown, it holds all the tiles that are missing.
    """
    known = ws.root
    unknown = 0
    for seat in range(known[PLAYERS]):
        if known[PATTERN + seat] == 0:
            unknown += 1
    for p in range(PATTERNS):
        ws.possible[p] = 1
    for colour in range(COLOURS):
        left = TILES - known[USED + colour]
        for seat in range(known[PLAYERS]):
            left -= PATTERN_TILES[known[PATTERN + seat], colour]
        gone = known[GONE] >> colour & 1 == 1
        for p in range(PATTERNS):
            tiles = PATTERN_TILES[p + 1, colour]
            if tiles > (left if gone else left - 1) or (gone and unknown == 1 and tiles != left):
                ws.possible[p] = 0


def list_known(ws: ReaderWorkspace) -> None:
    """Fill in the posteriors of all seats, without patterns that the tiles this seat knows of rule out."""
    list_possible(ws)
    for seat in range(ws.root[PLAYERS]):
        total = 0.0
        for p in range(PATTERNS):
            total += ws.beliefs[seat, p] * ws.possible[p]
        narrowed = seat != ws.control[C_SEAT] and ws.root[IN] >> seat & 1 == 1 and total > 0.0
        for p in range(PATTERNS):
            if narrowed:
                ws.known[seat, p] = ws.beliefs[seat, p] * ws.possible[p] / total
            else:
                ws.known[seat, p] = ws.beliefs[seat, p]


# --- how near each pattern is to points ---------------------------------------------------------------------


def see_prospects(ws: ReaderWorkspace) -> None:
    """Fill in how near each pattern is to points as the board stands, no matter who has it.

    ``shown``    how often it stands on the board
    ``at_once``  the most points that the next placement makes
    """
    for p in range(PATTERNS):
        ws.shown[p] = ws.root[SHOWN + 1 + p]
        ws.at_once[p] = ws.points[0, p]
    ws.shares[S_READY] = ready_windows(ws, own_pattern(ws))
    ws.shares[S_EMPTY] = popcount(ws.root[EMPTY]) / HEXES


def see_prospects_after(ws: ReaderWorkspace, row: int) -> None:
    """Fill in the same after a placement."""
    list_points_after(ws, row)
    for p in range(PATTERNS):
        ws.shown[p] = ws.root[SHOWN + 1 + p] + ws.threes[row, p]
    pattern = own_pattern(ws)
    ws.shares[S_READY] = ready_windows(ws, pattern) + int(ws.twos[row, pattern])
    ws.shares[S_EMPTY] = (popcount(ws.root[EMPTY]) - 1) / HEXES


def ready_windows(ws: ReaderWorkspace, pattern: int) -> int:
    """Return how many windows lack one tile of a pattern."""
    ready = 0
    for window in range(len(WINDOWS)):
        if ws.packed[ws.windows[window], pattern] == _TWO_TILES:
            ready += 1
    return ready


# --- the chance to win --------------------------------------------------------------------------------------


def clipped(need: int) -> int:
    """Return a need as a feature: not below 0, and not above 9."""
    return max(0, min(_MOST_NEED, need))


def list_features(ws: ReaderWorkspace, state: State, beliefs: FloatMatrix, believed: FloatVector) -> None:
    """Fill in the features of the seat that asks, from the prospects.

    ``state`` says who is in and what challenges changed; ``beliefs`` are the posteriors of all seats, ``believed`` is
    that of this one.
    """
    seat = ws.control[C_SEAT]
    pattern = own_pattern(ws)
    features = ws.features
    for i in range(len(features)):
        features[i] = 0.0
    missing = int(state[GOAL] - state[CHANGE + seat])
    need = clipped(missing - ws.shown[pattern])
    need_next = clipped(missing - ws.shown[pattern] - ws.at_once[pattern])
    others = 0
    least_need = least_next = 0.0
    most_threat = all_threats = 0.0
    best_guess = all_guesses = 0.0
    for other in range(state[PLAYERS]):
        if other == seat or not state[IN] >> other & 1:
            continue
        missing = int(state[GOAL] - state[CHANGE + other])
        their_need = their_next = threat = guess = 0.0
        for p in range(PATTERNS):
            belief = beliefs[other, p]
            needs = missing - ws.shown[p]
            needs_next = needs - ws.at_once[p]
            their_need += clipped(needs) * belief
            their_next += clipped(needs_next) * belief
            if needs_next <= 0:
                threat += belief
            guess = max(guess, belief)
        least_need = their_need if others == 0 else min(least_need, their_need)
        least_next = their_next if others == 0 else min(least_next, their_next)
        most_threat = max(most_threat, threat)
        all_threats += threat
        best_guess = max(best_guess, guess)
        all_guesses += guess
        others += 1
    given_away = believed[pattern]
    most_believed = 0.0
    for p in range(PATTERNS):
        most_believed = max(most_believed, believed[p])
    if 1 <= others <= 4:
        features[others - 1] = 1.0
    features[4] = need
    features[5] = need_next
    features[6] = 1.0 if need == 1 else 0.0
    features[7] = 1.0 if need == 2 else 0.0
    features[8] = 1.0 if need_next == 0 else 0.0
    features[9] = min(ws.shares[S_READY], _MOST_READY)
    features[10] = given_away
    features[11] = min(given_away / 0.3, 1.0)
    features[12] = 1.0 if given_away >= 0.999 * most_believed else 0.0
    features[13] = least_need
    features[14] = least_next
    features[15] = most_threat
    features[16] = all_threats
    features[17] = best_guess
    features[18] = all_guesses - best_guess
    features[19] = ws.shares[S_EMPTY]
    features[20] = ws.shares[S_EMPTY] * need


def win_logit(ws: ReaderWorkspace, row: int) -> float:
    """Return the chance to win from the features, as a logit, by a row of the weights."""
    total = 0.0
    for i in range(len(ws.features)):
        total += ws.features[i] * ws.judging[row, i]
    return total


def chance_in(ws: ReaderWorkspace, state: State, beliefs: FloatMatrix) -> float:
    """Return the seat's chance to win in a state with the same board as the known one."""
    list_features(ws, state, beliefs, beliefs[ws.control[C_SEAT]])
    return logistic(win_logit(ws, WAITING if ws.root[STAGE] == PLACED else ACTING))


def evaluate_seat(ws: ReaderWorkspace) -> None:
    """Fill in what the seat believes, and its chance to win in the position as it stands."""
    list_known(ws)
    see_prospects(ws)
    ws.shares[S_CHANCE] = chance_in(ws, ws.root, ws.known)


def win_logit_after(ws: ReaderWorkspace, row: int) -> float:
    """Return the seat's chance to win after a placement, as a logit."""
    list_believed_after(ws, int(ws.control[C_SEAT]), row)
    see_prospects_after(ws, row)
    list_features(ws, ws.root, ws.known, ws.believed)
    return win_logit(ws, WAITING)


# --- challenges ---------------------------------------------------------------------------------------------


def find_challenge(ws: ReaderWorkspace) -> None:
    """Find the challenge with the highest expected value, whether it pays or not, after :func:`evaluate_seat`.

    One that is appraised is valued as well.
    """
    seat = ws.control[C_SEAT]
    ws.control[C_CHALLENGE] = -1
    asked = ws.control[C_APPRAISED] - 2 - CHALLENGE
    see_prospects(ws)
    for other in range(ws.root[PLAYERS]):
        if other == seat or not ws.root[IN] >> other & 1:
            continue
        list_guesses(ws, other)
        guess = 0
        best = -1.0
        for p in range(PATTERNS):
            if ws.guesses[p] * ws.possible[p] > best:
                guess = p
                best = ws.guesses[p] * ws.possible[p]
        for each in range(2 if asked >= 0 and asked // PATTERNS == other else 1):
            if each == 1:
                guess = asked % PATTERNS
                best = ws.guesses[guess] * ws.possible[guess]
            sure = ws.known[other, guess] > SURE
            right = 1.0 if sure else best
            won = chance_if_right(ws, other)
            lost = 0.0 if sure else chance_if_wrong(ws, other, guess)
            worth = right * won + (1.0 - right) * lost
            if each == 1:
                ws.shares[S_APPRAISED] = worth
            elif ws.control[C_CHALLENGE] < 0 or worth > ws.shares[S_WORTH]:
                ws.control[C_CHALLENGE] = CHALLENGE + other * PATTERNS + guess
                ws.shares[S_WORTH] = worth
                ws.shares[S_RIGHT] = right
                ws.shares[S_NEEDED] = (ws.shares[S_CHANCE] - lost) / max(won - lost, 1e-9)


def copy_known(ws: ReaderWorkspace) -> None:
    """Copy state and beliefs for a challenge to be tried."""
    for i in range(SIZE):
        ws.trial[i] = ws.root[i]
    for seat in range(ws.root[PLAYERS]):
        for p in range(PATTERNS):
            ws.tried[seat, p] = ws.known[seat, p]


def chance_if_right(ws: ReaderWorkspace, other: int) -> float:
    """Return the chance to win after a right guess at a seat's pattern."""
    seat = ws.control[C_SEAT]
    copy_known(ws)
    ws.trial[IN] &= ~(1 << other)
    ws.trial[CHANGE + seat] += 2
    if popcount(ws.trial[IN]) == 1 or has_points(ws.trial, int(seat)):
        return 1.0
    return chance_in(ws, ws.trial, ws.tried)


def chance_if_wrong(ws: ReaderWorkspace, other: int, guess: int) -> float:
    """Return the chance to win after a wrong guess at a seat's pattern."""
    copy_known(ws)
    ws.trial[CHANGE + ws.control[C_SEAT]] -= 1
    ws.trial[CHANGE + other] += 1
    ws.tried[other, guess] = 0.0
    total = 0.0
    for p in range(PATTERNS):
        total += ws.tried[other, p]
    if total > 0.0:
        for p in range(PATTERNS):
            ws.tried[other, p] /= total
    return chance_in(ws, ws.trial, ws.tried)
