"""TRYPTIC's reader as a search program: it infers the others' patterns, hides its own, and challenges when that pays.

It follows the moves that its seat has seen, decides by what the seat may know, and searches its information state one
placement deep: each placement is evaluated by the posterior that the others would then have of its own pattern, and by
what they could do next with each pattern they may have.

A unit of the budget is a placement that is evaluated; one that is counted as evidence costs ``EVIDENCE_COST``.
"""

import numpy as np

from triskele.core.bits import ctz, popcount
from triskele.core.checksum import crc32
from triskele.core.compile import Program
from triskele.core.contract import Moves, State
from triskele.core.contract.search_program import (
    F_LINES,
    F_SEATS,
    FOUND,
    L_CODES,
    Q_APPRAISED,
    Q_DEPTH,
    Q_ENGINE,
    Q_INTERRUPT,
    Q_NODES,
    Q_NOISE,
    Q_OVERSIGHT,
    Q_SEAT,
    Q_SEED,
    REPORT,
    ROOT,
    RUNNING,
    SETTLED,
    Field,
    SearchProgram,
    Size,
)
from triskele.games.tryptic.answers import (
    LINES,
    LONGEST_LINE,
    WORD,
    add_line,
    begin_answer,
    gauss,
    list_chances,
    list_order,
    pick,
    share_of,
)
from triskele.games.tryptic.appraisal import answer_appraisal, begin_appraisal
from triskele.games.tryptic.belief import (
    CHOICE,
    MODELS,
    list_beliefs,
    list_harm,
    weigh_placements,
)
from triskele.games.tryptic.inference import DECIDE, DONE, INFER, SEARCH, continue_belief, infer_next
from triskele.games.tryptic.reader_workspace import (
    C_APPRAISED,
    C_CANDIDATES,
    C_CHALLENGE,
    C_EVALUATED,
    C_HURRY,
    C_INTERRUPT,
    C_LEVEL_DEPTH,
    C_NODE_LIMIT,
    C_NOISE,
    C_OVERSIGHT,
    C_PICKED,
    C_ROWS,
    C_SEAT,
    C_STAGE,
    C_WORDS,
    CONTROL,
    MOST_ROWS,
    S_CHANCE,
    S_WORTH,
    SHARES,
    ReaderWorkspace,
)
from triskele.games.tryptic.rules import (
    ANNOUNCE,
    CHALLENGED,
    CHOOSING,
    COLOURS,
    EMPTY,
    END,
    ENDED,
    GOAL,
    GONE,
    HEXES,
    IN,
    PATTERNS,
    PLACE,
    PLACED,
    PLAYERS,
    SEATS,
    SIZE,
    STAGE,
    TURN,
    has_points,
    points,
    redact,
)
from triskele.games.tryptic.seat_evaluation import (
    FEATURES,
    evaluate_seat,
    find_challenge,
    logistic,
    logit_of,
    own_pattern,
    win_logit_after,
)
from triskele.games.tryptic.weights import LearnedWeights
from triskele.games.tryptic.windows import MOST_THROUGH, PACKED, POINT, WINDOWS, gain_of, list_placements

SHARPNESS = 8.0
"""The inverse temperature of the softmax that placements are drawn from, for values in logits.

A player who always makes the best placement gives its pattern away sooner.
"""
PROGRESS = 0.4
"""What a point of gain for the own pattern adds to a placement's value, in logits: the trained weights are too patient.

Measured: with it 29 of 30 games were won against a plain player, without it 17 of 19, and 19 of 33 between the two.
"""
PLAIN_SHARPNESS = 3.2
"""The inverse temperature of levels that do not search, for gains in points."""
SEARCH_DEPTH = 3
"""Levels of this depth and more evaluate the position after each placement; others place by gain."""
CHALLENGE_ERROR = 0.25
"""The part of a level's noise by which it undervalues challenges: weak players risk fewer of them."""
MISSED_POINTS = 0.7
"""The part of a level's oversight that is the chance to miss that it has the points or could make them."""

Q_HURRY = Q_ENGINE
"""1: the placements still to be followed are not counted as evidence, because time is short."""


def start_search(ws: ReaderWorkspace, root: State, question: Moves) -> None:
    """Begin to answer a question: see :mod:`triskele.core.contract.search_program`.

    After the state come the codes of the moves made so far, -1 for one that the seat has not seen.
    """
    take_question(ws, root, question)
    first_answer(ws)
    if ws.control[C_STAGE] == INFER:
        continue_belief(ws)


def take_question(ws: ReaderWorkspace, root: State, question: Moves) -> None:
    """Take what the seat may know, whatever it is given, and what is asked."""
    control = ws.control
    seat = question[Q_SEAT]
    for i in range(len(root)):
        ws.root[i] = root[i]
    redact(ws.root, seat)
    control[C_WORDS] = len(root)
    control[C_SEAT] = seat
    control[C_LEVEL_DEPTH] = question[Q_DEPTH]
    control[C_NOISE] = question[Q_NOISE]
    control[C_OVERSIGHT] = question[Q_OVERSIGHT]
    control[C_NODE_LIMIT] = question[Q_NODES]
    control[C_HURRY] = question[Q_HURRY]
    control[C_INTERRUPT] = question[Q_INTERRUPT]
    control[C_APPRAISED] = question[Q_APPRAISED]
    ws.rng[0] = question[Q_SEED] * WORD + crc32(ws.root, SIZE, 0)
    ws.found[F_SEATS] = ws.root[PLAYERS]


def resume_search(ws: ReaderWorkspace, budget: int) -> int:
    """Go on for ``budget``; return the status: see :mod:`triskele.core.contract.search_program`."""
    control = ws.control
    left = budget
    while left > 0 and control[C_STAGE] == INFER:
        left -= infer_next(ws)
    if left > 0 and control[C_STAGE] == DECIDE:
        decide(ws)
        return SETTLED if control[C_STAGE] == DONE else REPORT
    while left > 0 and control[C_STAGE] == SEARCH:
        evaluate_next(ws)
        left -= 1
    return SETTLED if control[C_STAGE] == DONE else RUNNING


def first_answer(ws: ReaderWorkspace) -> None:
    """Answer what needs no inference; of the rest, the first move that is legal."""
    control = ws.control
    state = ws.root
    seat = int(control[C_SEAT])
    even = 1.0 / state[PLAYERS]
    control[C_STAGE] = DONE
    if control[C_APPRAISED] > 0:
        begin_appraisal(ws)
    elif control[C_INTERRUPT] == 1:
        begin_answer(ws, 1, 1)
        announces = state[STAGE] != CHOOSING and state[STAGE] != ENDED and state[IN] >> seat & 1 == 1
        if announces and has_points(state, seat) and not misses_points(ws):
            add_line(ws, ANNOUNCE + seat, -1, 1.0, 1)
    elif state[STAGE] == CHOOSING:
        uniform = control[C_OVERSIGHT] / 1000
        for p in range(PATTERNS):
            ws.chances[p] = (1.0 - uniform) * CHOICE[p] + uniform / PATTERNS
        pick(ws, PATTERNS)
        begin_answer(ws, 1, PATTERNS)
        for i in range(control[C_PICKED]):
            add_line(ws, ws.picked[i], -1, even, -1)
    elif seat == state[TURN] and has_points(state, seat) and not misses_points(ws):
        begin_answer(ws, 1, 1)
        add_line(ws, ANNOUNCE + seat, -1, 1.0, 1)
    else:
        begin_answer(ws, 0, 0)
        add_line(ws, first_placement(state) if is_to_place(state) else END, -1, even, -1)
        control[C_STAGE] = INFER


def first_placement(state: State) -> int:
    """Return the first placement there is."""
    for colour in range(COLOURS):
        if not state[GONE] >> colour & 1:
            return int(PLACE + colour * HEXES + ctz(state[EMPTY]))
    return END


def is_to_place(state: State) -> bool:
    """Return whether the seat to act has a tile to place."""
    return bool(state[STAGE] != PLACED and state[EMPTY] != 0)


# --- decisions --------------------------------------------------------------------------------------------


def decide(ws: ReaderWorkspace) -> None:
    """Decide what can be decided without a search; else answer by the covert model, and begin to search."""
    control = ws.control
    state = ws.root
    seat = int(control[C_SEAT])
    list_placements(ws)
    list_beliefs(ws)
    evaluate_seat(ws)
    chance = ws.shares[S_CHANCE]
    control[C_STAGE] = DONE
    to_place = is_to_place(state)
    appraises = control[C_APPRAISED] > 0
    control[C_CANDIDATES] = 0
    control[C_EVALUATED] = 0
    if seat != state[TURN]:
        if appraises:
            control[C_STAGE] = SEARCH
        else:
            answer_observer(ws)
        return
    if not appraises and to_place and not misses_points(ws) and answer_winning(ws):
        return
    if state[STAGE] != CHALLENGED:
        find_challenge(ws)
        doubt = abs(gauss(ws.rng, CHALLENGE_ERROR * control[C_NOISE] / 1000)) if control[C_NOISE] > 0 else 0.0
        if not appraises and control[C_CHALLENGE] >= 0 and logit_of(ws.shares[S_WORTH]) - doubt > logit_of(chance):
            begin_answer(ws, 1, (popcount(state[IN]) - 1) * PATTERNS)
            add_line(ws, control[C_CHALLENGE], -1, ws.shares[S_WORTH], -1)
            return
    if not to_place:
        begin_answer(ws, 1, 1)
        add_line(ws, END, -1, chance, -1)
        if appraises:
            control[C_STAGE] = SEARCH
    elif 0 < control[C_LEVEL_DEPTH] < SEARCH_DEPTH:
        answer_by_gain(ws)
    else:
        begin_search(ws)


def misses_points(ws: ReaderWorkspace) -> bool:
    """Return whether a weak level misses that it has the points or could make them."""
    oversight = ws.control[C_OVERSIGHT]
    return bool(oversight > 0 and share_of(ws.rng) * 1000 < MISSED_POINTS * oversight)


def answer_winning(ws: ReaderWorkspace) -> bool:
    """Answer by placements that make all the points the seat still needs; return whether there are any."""
    seat = int(ws.control[C_SEAT])
    pattern = own_pattern(ws)
    need = ws.root[GOAL] - points(ws.root, seat)
    begin_answer(ws, 2, ws.control[C_ROWS])
    for row in range(ws.control[C_ROWS]):
        if ws.threes[row, pattern] >= need:
            add_line(ws, ws.codes[row], ANNOUNCE + seat, 1.0, 2)
    return bool(ws.found[F_LINES] > 0)


def answer_observer(ws: ReaderWorkspace) -> None:
    """Answer a seat that is not to act: its chance to win, and the most likely placements of the seat to act."""
    chance = ws.shares[S_CHANCE]
    turn = int(ws.root[TURN])
    if not is_to_place(ws.root):
        begin_answer(ws, 1, 1)
        add_line(ws, END, -1, chance, -1)
        return
    weigh_placements(ws, turn)
    rows = ws.control[C_ROWS]
    for row in range(rows):
        total = 0.0
        for p in range(PATTERNS):
            total += ws.covert[row, p] * ws.known[turn, p]
        ws.chances[row] = total
    begin_answer(ws, 1, rows)
    list_order(ws)
    for i in range(min(LINES, rows)):
        add_line(ws, ws.codes[ws.order[i]], -1, chance, -1)


def answer_by_gain(ws: ReaderWorkspace) -> None:
    """Place by gain for the own pattern, from depth 2 on less the expected gain of the others; without a search."""
    control = ws.control
    rows = control[C_ROWS]
    if control[C_LEVEL_DEPTH] > 1:
        list_harm(ws, int(control[C_SEAT]))
    for row in range(rows):
        value = own_gain(ws, row) + gauss(ws.rng, control[C_NOISE] / 1000)
        ws.values[row] = value - ws.harm[row] if control[C_LEVEL_DEPTH] > 1 else value
    list_chances(ws, rows, PLAIN_SHARPNESS)
    pick(ws, rows)
    begin_answer(ws, control[C_LEVEL_DEPTH], rows)
    for i in range(control[C_PICKED]):
        add_line(ws, ws.codes[ws.picked[i]], -1, ws.shares[S_CHANCE], -1)


def own_gain(ws: ReaderWorkspace, row: int) -> float:
    """Return what a placement gains for the own pattern, in points."""
    p = own_pattern(ws)
    return gain_of(int(ws.ones[row, p]), int(ws.twos[row, p]), int(ws.threes[row, p])) / POINT


# --- the search -------------------------------------------------------------------------------------------


def begin_search(ws: ReaderWorkspace) -> None:
    """Answer by the covert model, and order the placements by it: that matters where the nodes are limited."""
    control = ws.control
    rows = control[C_ROWS]
    weigh_placements(ws, int(control[C_SEAT]))
    for row in range(rows):
        ws.chances[row] = ws.covert[row, own_pattern(ws)]
    list_order(ws)
    pick(ws, rows)
    begin_answer(ws, 1, 1)
    for i in range(control[C_PICKED]):
        add_line(ws, ws.codes[ws.picked[i]], -1, ws.shares[S_CHANCE], -1)
    limit = control[C_NODE_LIMIT]
    control[C_CANDIDATES] = min(rows, limit) if limit > 0 and control[C_APPRAISED] == 0 else rows
    control[C_EVALUATED] = 0
    control[C_STAGE] = SEARCH


def evaluate_next(ws: ReaderWorkspace) -> None:
    """Evaluate the position after the next placement; after the last one, answer.

    Without a placement there is only something to answer when a move is appraised.
    """
    control = ws.control
    number = control[C_EVALUATED]
    if number < control[C_CANDIDATES]:
        row = int(ws.order[number])
        logit = win_logit_after(ws, row) + PROGRESS * own_gain(ws, row)
        ws.values[number] = logit + gauss(ws.rng, control[C_NOISE] / 1000)
        control[C_EVALUATED] = number + 1
        if control[C_EVALUATED] < control[C_CANDIDATES]:
            return
    if control[C_APPRAISED] > 0:
        answer_appraisal(ws)
        return
    number = int(control[C_CANDIDATES])
    list_chances(ws, number, SHARPNESS)
    pick(ws, number)
    begin_answer(ws, 2, number)
    for i in range(control[C_PICKED]):
        picked = ws.picked[i]
        add_line(ws, ws.codes[ws.order[picked]], -1, logistic(ws.values[picked]), -1)
    control[C_STAGE] = DONE


START_SEARCH = Program(start_search, "void(ReaderWorkspace, int64[::1], int64[::1])", (ReaderWorkspace,))
RESUME_SEARCH = Program(resume_search, "int64(ReaderWorkspace, int64)", (ReaderWorkspace,))


def search_program(weights: LearnedWeights) -> SearchProgram:
    """Return the search with some weights."""
    by_row, of_patterns, of_seats = (MOST_ROWS, PATTERNS), (PATTERNS,), (SEATS, PATTERNS)
    return SearchProgram(
        name="reader",
        workspace=ReaderWorkspace,
        start=START_SEARCH,
        resume=RESUME_SEARCH,
        history=True,
        appraises=True,
        fields=(
            Field("root", (Size(ROOT),)),
            Field("state", (SIZE,)),
            Field("followed", (Size(ROOT),)),
            Field("control", (CONTROL,)),
            Field("rng", (1,), "uint64"),
            Field("joint", (SEATS * MODELS, PATTERNS), "float64"),
            Field("silent", of_seats),
            Field("beliefs", of_seats, "float64"),
            Field("known", of_seats, "float64"),
            Field("possible", of_patterns),
            Field("trial", (SIZE,)),
            Field("tried", of_seats, "float64"),
            Field("windows", (len(WINDOWS),)),
            Field("codes", (MOST_ROWS,)),
            Field("rows", (MOST_ROWS,)),
            Field("ones", by_row, "int32"),
            Field("twos", by_row, "int32"),
            Field("threes", by_row, "int32"),
            Field("sums", of_patterns, "int32"),
            Field("plain_sums", of_patterns, "float64"),
            Field("best_gains", of_patterns),
            Field("best_counts", of_patterns),
            Field("points", (3, PATTERNS)),
            Field("changed", (MOST_THROUGH,)),
            Field("changed_hex", (MOST_THROUGH,)),
            Field("harm", (MOST_ROWS,), "float64"),
            Field("harm_weights", of_patterns, "float64"),
            Field("factors", (3, 2 * MOST_THROUGH + 1), "float64"),
            Field("columns", of_patterns, "float64"),
            Field("covert", by_row, "float64"),
            Field("given_away", by_row, "float64"),
            Field("believed", of_patterns, "float64"),
            Field("guesses", of_patterns, "float64"),
            Field("shown", of_patterns),
            Field("at_once", of_patterns),
            Field("features", (len(FEATURES),), "float64"),
            Field("shares", (SHARES,), "float64"),
            Field("values", (MOST_ROWS,), "float64"),
            Field("chances", (MOST_ROWS,), "float64"),
            Field("order", (MOST_ROWS,)),
            Field("picked", (LINES,)),
            Field.of("packed", PACKED),
            Field.of("judging", weights.judging),
            Field.of("open_weights", weights.open.astype(np.float64)),
            Field.of("covert_weights", weights.covert.astype(np.float64)),
            Field("found", (FOUND,)),
            Field("line_codes", (LINES, L_CODES + LONGEST_LINE)),
            Field("line_scores", (LINES, SEATS), "float64"),
        ),
    )
