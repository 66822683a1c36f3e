"""Tryad's player as a search program: it ranks the takes by expected coins, on the own card first, then on all cards.

A unit of the budget is a hundredth of a row of the duel's table (:func:`~.expected_value.solve_row`).
"""

import numpy as np

from triskele.core.bits import ctz, popcount
from triskele.core.compile import Program
from triskele.core.contract import Moves, State, legal
from triskele.core.contract.search_program import (
    F_DEPTH,
    F_LINES,
    F_NODES,
    F_SEATS,
    FOUND,
    L_CODES,
    L_LENGTH,
    L_PROVEN,
    Q_APPRAISED,
    Q_DEPTH,
    Q_LEVEL,
    REPORT,
    RUNNING,
    SETTLED,
    Field,
    SearchProgram,
)
from triskele.games.tryad.cases import MOST_CASES, MOST_TAKES, NONE, case_of, list_cases, number_of_cases
from triskele.games.tryad.evaluation import SIGHTS
from triskele.games.tryad.exact_values import AS_IT_STANDS, BEST, MADE, ROWS, appraise, solve_cards
from triskele.games.tryad.expected_value import (
    CROWD_ROLLS,
    ROUNDS,
    TakeWorkspace,
    duel_value,
    solve_alone,
    solve_crowd,
    solve_row,
    solve_sighted,
    start_duel,
)
from triskele.games.tryad.rules import (
    BINGO,
    CARDS,
    FACES,
    FIELDS,
    MODE,
    MOST_PLAYERS,
    MOVES,
    NUMBERS,
    PLAYERS,
    PRACTICE,
    ROLL,
    SEAT,
    SIZE,
    TAKEN,
)

LINES = 3
"""How many takes are told: the best, and the next that are worse."""
ROW_COST = 100

(
    C_STAGE,  # how far the search has come
    C_TAKES,  # how many takes there are
    C_SIGHT,  # how many rolls it looks ahead; FIELDS with all cards in view
    C_CASES,  # how many cases the layout has
    C_ROWS,  # how many rows of the duel's table are solved
    C_STYLE,  # of what mode the table is, plus 1; 0 if there is none
    C_OWN_ONLY,  # 1 for a level that looks at its own card alone
    C_APPRAISED,  # 2 more than the code of the take that is appraised; 1: the state alone; 0 for none
    C_CARDS,  # 1 when what becomes of cards in a game of three and more is known
    C_LAYOUT,  # four words: the layout that the tables are for
) = range(10)
CONTROL = 14

OWN_CARD, ALL_CARDS, DONE = range(3)
"""The stages: what is valued next."""

_SIGHTS = np.array(SIGHTS, dtype=np.int64)
_ROUNDING = 1e9


def start_search(ws: TakeWorkspace, root: State, question: Moves) -> None:
    """Begin to rank the takes of ``root``: see :mod:`triskele.core.contract.search_program`."""
    control = ws.control
    for i in range(SIZE):
        ws.root[i] = root[i]
    is_known = control[C_CASES] > 0
    for i in range(FACES):
        is_known = is_known and control[C_LAYOUT + i] == root[NUMBERS + i]
    if not is_known:
        for i in range(FACES):
            control[C_LAYOUT + i] = root[NUMBERS + i]
        control[C_CASES] = number_of_cases(root)
        control[C_STYLE] = 0
        control[C_CARDS] = 0
        list_cases(root, ws.coins, ws.after)
        solve_sighted(ws, control[C_CASES], FIELDS, ws.fewest)
    control[C_TAKES] = legal(ws.root, ws.moves)
    control[C_STAGE] = OWN_CARD
    control[C_SIGHT] = FIELDS
    control[C_OWN_ONLY] = int(question[Q_DEPTH] > 0)
    control[C_APPRAISED] = question[Q_APPRAISED]
    if control[C_APPRAISED] > 0:
        control[C_STAGE] = ALL_CARDS
        begin_appraisal(ws)
        return
    if control[C_OWN_ONLY] == 1:
        control[C_SIGHT] = _SIGHTS[question[Q_LEVEL] - 1, popcount(root[CARDS + root[SEAT]]) - 1]
    for i in range(control[C_TAKES]):
        ws.values[i] = 0.0
    answer(ws, 0)


def resume_search(ws: TakeWorkspace, budget: int) -> int:
    """Go on for ``budget``; return the status: see :mod:`triskele.core.contract.search_program`."""
    control = ws.control
    state = ws.root
    cases = control[C_CASES]
    if control[C_STAGE] == DONE:
        return SETTLED
    if control[C_STAGE] == OWN_CARD:
        solve_sighted(ws, cases, control[C_SIGHT], ws.own)
        for i in range(control[C_TAKES]):
            ws.values[i] = rounded(ws.own[rest_case(ws, i)])
        answer(ws, 1)
        control[C_STAGE] = DONE if control[C_OWN_ONLY] == 1 else ALL_CARDS
        return SETTLED if control[C_OWN_ONLY] == 1 else REPORT
    if state[MODE] != PRACTICE and state[PLAYERS] == 2:
        if advance_duel(ws, budget) == 0:
            return RUNNING
    elif control[C_APPRAISED] > 0:
        if control[C_CARDS] == 0 and state[PLAYERS] > 2:
            solve_cards(ws, cases)
            control[C_CARDS] = 1
    elif state[MODE] == PRACTICE:
        solve_alone(ws, cases)
    else:
        solve_crowd(ws, cases, state)
    if control[C_APPRAISED] > 0:
        answer_appraisal(ws)
        control[C_STAGE] = DONE
        return SETTLED
    for i in range(control[C_TAKES]):
        rest = rest_case(ws, i)
        if state[MODE] == PRACTICE:
            value = ws.own[rest]
        elif state[PLAYERS] == 2:
            value = duel_value(ws, state, rest)
        else:
            value = ws.crowd[rest, 0]
        ws.values[i] = rounded(value)
    answer(ws, 2)
    control[C_STAGE] = DONE
    return SETTLED


def advance_duel(ws: TakeWorkspace, budget: int) -> int:
    """Solve more rows of the duel's table; return 1 when it is complete."""
    control = ws.control
    style = ws.root[MODE] + 1
    if control[C_STYLE] != style:
        control[C_STYLE] = style
        control[C_ROWS] = 1
        start_duel(ws, control[C_CASES])
    rows = max(1, budget // ROW_COST)
    while rows > 0 and control[C_ROWS] < control[C_CASES]:
        solve_row(ws, control[C_CASES], control[C_ROWS], ws.root[MODE] == BINGO)
        control[C_ROWS] += 1
        rows -= 1
    return 1 if control[C_ROWS] >= control[C_CASES] else 0


def rounded(value: float) -> float:
    """Return a value to nine digits (half to even): equal values may differ by how their sums were rounded."""
    scaled = abs(value) * _ROUNDING
    whole = int(scaled)
    part = scaled - whole
    if part > 0.5 or (part == 0.5 and whole % 2 == 1):
        whole += 1
    return whole / _ROUNDING if value >= 0.0 else -whole / _ROUNDING


# --- the answer ---------------------------------------------------------------------------------------


def rest_fields(ws: TakeWorkspace, take: int) -> int:
    """Return what a take leaves covered."""
    return int(ws.root[CARDS + ws.root[SEAT]] & ~TAKEN[ws.moves[take]])


def rest_case(ws: TakeWorkspace, take: int) -> int:
    """Return the case of what a take leaves covered."""
    return case_of(ws.root, rest_fields(ws, take))


def way_of(ws: TakeWorkspace, take: int) -> int:
    """Return the rank of a take among the ways to match the roll: those of high numbers come first."""
    row = ws.after[(ws.root[ROLL] - 1) * MOST_CASES + case_of(ws.root, ws.root[CARDS + ws.root[SEAT]])]
    case = rest_case(ws, take)
    for i in range(MOST_TAKES):
        if row[i] == case or row[i] == NONE:
            return i
    return MOST_TAKES


def is_named_before(fields: int, other: int) -> bool:
    """Return whether the text of a take of some fields comes before that of others in the alphabet."""
    while fields != 0 and other != 0:
        if ctz(fields) != ctz(other):
            return ctz(fields) < ctz(other)
        fields &= fields - 1
        other &= other - 1
    return other != 0


def is_better(ws: TakeWorkspace, take: int, other: int) -> bool:
    """Return whether a take ranks before another: by value, then high numbers, then the alphabet."""
    if ws.values[take] != ws.values[other]:
        return bool(ws.values[take] > ws.values[other])
    way = way_of(ws, take)
    other_way = way_of(ws, other)
    if way != other_way:
        return way < other_way
    return is_named_before(TAKEN[ws.moves[take]], TAKEN[ws.moves[other]])


def answer(ws: TakeWorkspace, depth: int) -> None:
    """Write the best take, and the next ones that are worse."""
    number = ws.control[C_TAKES]
    ws.found[F_DEPTH] = depth
    ws.found[F_NODES] = number
    ws.found[F_LINES] = 0
    ws.found[F_SEATS] = ws.root[PLAYERS]
    first = -1
    last = -1
    for line in range(LINES):
        best = -1
        for take in range(number):
            # After the first line those that are worse; then those that rank behind the last one.
            if line > 0 and not (is_better(ws, last, take) and ws.values[take] < ws.values[first]):
                continue
            if best < 0 or is_better(ws, take, best):
                best = take
        if best < 0:
            break
        write_line(ws, line, best)
        first = best if line == 0 else first
        last = best


def write_line(ws: TakeWorkspace, line: int, take: int) -> None:
    """Write one line of the answer: the others share the opposite of what the seat to take expects."""
    ws.line_codes[line, L_LENGTH] = 1
    ws.line_codes[line, L_PROVEN] = -1
    ws.line_codes[line, L_CODES] = ws.moves[take]
    score = max(-1.0, min(1.0, ws.values[take] / FIELDS))
    players = ws.root[PLAYERS]
    for seat in range(players):
        ws.line_scores[line, seat] = score if seat == ws.root[SEAT] else -score / (players - 1)
    ws.found[F_LINES] = line + 1


# --- appraisals ---------------------------------------------------------------------------------------


def begin_appraisal(ws: TakeWorkspace) -> None:
    """Begin with an answer that says nothing: three lines of the take that was made."""
    for line in range(LINES):
        write_expected(ws, line, ws.control[C_APPRAISED] - 2)
        for seat in range(ws.root[PLAYERS]):
            ws.line_scores[line, seat] = 0.0
    ws.found[F_DEPTH] = 0
    ws.found[F_NODES] = 0
    ws.found[F_LINES] = LINES
    ws.found[F_SEATS] = ws.root[PLAYERS]


def answer_appraisal(ws: TakeWorkspace) -> None:
    """Write what the best take, the one that was made, and the state are worth: see the contract of searches."""
    control = ws.control
    made = control[C_APPRAISED] - 2
    best = appraise(ws, control[C_CASES], control[C_TAKES], made)
    write_expected(ws, BEST, best)
    write_expected(ws, MADE, made)
    write_expected(ws, AS_IT_STANDS, -1)
    ws.found[F_DEPTH] = 2
    ws.found[F_NODES] = max(1, control[C_TAKES])


def write_expected(ws: TakeWorkspace, line: int, take: int) -> None:
    """Write a line of the answer with what each seat can expect; -1 for no take."""
    ws.line_codes[line, L_LENGTH] = 1 if take >= 0 else 0
    ws.line_codes[line, L_PROVEN] = -1
    ws.line_codes[line, L_CODES] = max(0, take)
    for seat in range(ws.root[PLAYERS]):
        ws.line_scores[line, seat] = ws.expected[line, seat]


START_SEARCH = Program(start_search, "void(TakeWorkspace, int64[::1], int64[::1])", (TakeWorkspace,))
RESUME_SEARCH = Program(resume_search, "int64(TakeWorkspace, int64)", (TakeWorkspace,))

SEARCH = SearchProgram(
    name="expected-value",
    workspace=TakeWorkspace,
    start=START_SEARCH,
    resume=RESUME_SEARCH,
    appraises=True,
    exact=True,
    fields=(
        Field("root", (SIZE,)),
        Field("moves", (MOVES,)),
        Field("values", (MOVES,), "float64"),
        Field("control", (CONTROL,)),
        Field("coins", (MOST_CASES,)),
        Field("after", (FACES * MOST_CASES, MOST_TAKES)),
        Field("own", (MOST_CASES,), "float64"),
        Field("fewest", (MOST_CASES,), "float64"),
        Field("against_out", (MOST_CASES, FIELDS + 1), "float64"),
        Field("last_roll", (MOST_CASES,), "float64"),
        Field("round", (MOST_CASES, MOST_CASES), "float64"),
        Field("middle", (MOST_CASES, MOST_CASES), "float64"),
        Field("rivals", (3 * MOST_PLAYERS, ROUNDS), "float64"),
        Field("rolling", (2, MOST_CASES), "float64"),
        Field("hazards", (2 * MOST_PLAYERS, ROUNDS), "float64"),
        Field("sharing", (MOST_PLAYERS + 1,), "float64"),
        Field("rounds", (4, ROUNDS), "float64"),
        Field("crowd", (MOST_CASES, ROUNDS), "float64"),
        Field("trial", (SIZE,)),
        Field("ended", (SIZE,)),
        Field("expected", (ROWS, MOST_PLAYERS), "float64"),
        Field("paid", (MOST_PLAYERS,), "float64"),
        Field("chances", (2, MOST_PLAYERS), "float64"),
        Field("lefts", (MOST_PLAYERS, FIELDS + 1), "float64"),
        Field("clearing", (CROWD_ROLLS + 1, MOST_CASES), "float64"),
        Field("leaving", ((CROWD_ROLLS + 1) * MOST_CASES, FIELDS + 1), "float64"),
        Field("found", (FOUND,)),
        Field("line_codes", (LINES, L_CODES + 1)),
        Field("line_scores", (LINES, MOST_PLAYERS), "float64"),
    ),
)
