"""Iterative deepening with aspiration windows: the search program of the engine ``alphabeta``.

One depth after the other is searched in a window around the last value. Where several lines are wanted, each depth is
searched once for every line, without the first moves of the lines before it. The levels' errors are set up here too.
"""

from triskele.core.checksum import crc32
from triskele.core.compile import Program
from triskele.core.contract import Moves, State, actor, legal
from triskele.core.contract.evaluation import UNIT, select_moves
from triskele.core.contract.search_program import (
    F_DEPTH,
    F_LINES,
    F_NODES,
    F_SEATS,
    L_CODES,
    L_LENGTH,
    L_PROVEN,
    Q_DEPTH,
    Q_ENGINE,
    Q_LAPSES,
    Q_LINES,
    Q_NODES,
    Q_NOISE,
    Q_OVERSIGHT,
    Q_SEED,
    REPORT,
    RUNNING,
    SETTLED,
    SPENT,
)
from triskele.core.mathematics import exp
from triskele.core.workspace import Vector
from triskele.engines.alphabeta_search import (
    ALPHA,
    BEST_VALUE,
    BETA,
    C_DEEPENING,
    C_GENERATION,
    C_KEY,
    C_LINE,
    C_NODES,
    C_NOISE,
    C_OVERSIGHT,
    C_PLY,
    C_SALT,
    C_STEP,
    DEPTH,
    ENTER_NODE,
    INFINITE,
    LINE_CODES,
    LINE_LENGTH,
    LINE_VALUE,
    MAX_PLY,
    ORIGINAL_ALPHA,
    PROVEN,
    PV_NODE,
    WIN,
    SearchWorkspace,
    pseudo_random,
    search,
)
from triskele.engines.transposition_table import GENERATIONS

ASPIRATION_WINDOW = 150
"""Half the width of the first window around the last iteration's value, in thousandths of a logit."""
WIDENING = 4
"""How many times wider the window gets on the side on which a search failed."""
WIDEST_WINDOW = 10_000
"""A side that failed with at least this width is opened altogether."""

Q_FIRST_DEPTH = Q_ENGINE
"""The depth to begin with; 0 is 1."""
Q_HELPER = Q_ENGINE + 1
"""1 for a search that never settles: it works for another one, with which it shares the transposition table."""

(
    C_DEPTH,  # the depth that is being searched
    C_BELOW,  # how wide the window is on either side of the last value
    C_ABOVE,
    C_LINES,  # how many lines are wanted
    C_LINES_KNOWN,  # and how many the last completed depth has
    C_NODE_LIMIT,  # 0 for none
    C_DEPTH_LIMIT,
    C_HELPER,
    C_SETTLED,
    C_SEAT,  # who acts at the root
    C_ROOT_WORDS,
    C_CHANGES,  # how often the errors have changed
) = range(C_DEEPENING, C_DEEPENING + 12)


def start_search(ws: SearchWorkspace, root: State, question: Moves) -> None:
    """Begin to search ``root``: see :mod:`triskele.core.contract.search_program`."""
    control = ws.control
    length = root[0]
    for i in range(length):
        ws.root[i] = root[i]
    control[C_ROOT_WORDS] = length

    # The weaknesses of a level, unless its attention does not lapse here.
    salt = error_salt(question[Q_SEED])
    lapses = crc32(ws.root, length, salt) % 1000 < question[Q_LAPSES]
    noise = question[Q_NOISE] if lapses else 0
    oversight = question[Q_OVERSIGHT] if lapses else 0
    depth_limit = question[Q_DEPTH] if lapses else 0
    if noise == 0 and oversight == 0:
        salt = 0

    if noise != control[C_NOISE] or oversight != control[C_OVERSIGHT] or salt != control[C_SALT]:
        # What the table holds was found with other errors: from now on keys are others.
        control[C_CHANGES] += 1
        control[C_KEY] = pseudo_random(control[C_CHANGES], 1) << 31 | pseudo_random(control[C_CHANGES], 2)
        for seat in range(ws.history.shape[0]):
            for move in range(ws.history.shape[1]):
                ws.history[seat, move] = 0
    control[C_NOISE] = noise
    control[C_OVERSIGHT] = oversight
    control[C_SALT] = salt
    control[C_GENERATION] = (control[C_GENERATION] + 1) % GENERATIONS
    for ply in range(ws.killers.shape[0]):
        for i in range(ws.killers.shape[1]):
            ws.killers[ply, i] = -1
    for seat in range(ws.history.shape[0]):
        for move in range(ws.history.shape[1]):
            ws.history[seat, move] >>= 2

    control[C_NODES] = 0
    control[C_SETTLED] = 0
    control[C_HELPER] = question[Q_HELPER]
    control[C_NODE_LIMIT] = question[Q_NODES]
    control[C_DEPTH_LIMIT] = depth_limit if depth_limit > 0 else MAX_PLY // 2
    control[C_SEAT] = actor(ws.root)
    moves = ws.moves[0]
    number = legal(ws.root, moves)
    first = moves[0]
    control[C_LINES] = max(1, min(question[Q_LINES], len(ws.lines) // 2, select_moves(ws.root, moves, number)))
    # Until something is searched, the answer is the first legal move.
    ws.lines[0, LINE_VALUE] = 0
    ws.lines[0, LINE_LENGTH] = 1
    ws.lines[0, LINE_CODES] = first
    control[C_LINES_KNOWN] = 1
    control[C_DEPTH] = max(1, question[Q_FIRST_DEPTH])
    control[C_LINE] = 0
    open_window(ws, False)
    clear_lines(ws)
    start_iteration(ws)
    answer(ws)


def error_salt(seed: int) -> int:
    """Return what makes the errors of one seed (below ``2**31``) differ from those of another."""
    return (seed * 0x9E3779B1 + 0x7F4A7C15) & 0x7FFFFFFF


def resume_search(ws: SearchWorkspace, budget: int) -> int:
    """Search ``budget`` more nodes; return the status: see :mod:`triskele.core.contract.search_program`."""
    control = ws.control
    if control[C_SETTLED] == 1:
        return SETTLED
    end = control[C_NODES] + budget
    limit = control[C_NODE_LIMIT]
    if limit > 0:
        end = min(end, limit)
    status = RUNNING
    # Once: a loop around the search, which is compiled inline, would make it slower.
    if search(ws, ws.table, ws.weights, end - control[C_NODES]) == 1 and advance(ws) == 1:
        status = REPORT
        if control[C_HELPER] == 0 and is_deep_enough(ws):
            control[C_SETTLED] = 1
            status = SETTLED
    if status == RUNNING and limit > 0 and control[C_NODES] >= limit:
        status = SPENT
    answer(ws)
    return status


def is_deep_enough(ws: SearchWorkspace) -> bool:
    """Return whether the result is proven or the deepest iteration is completed."""
    return bool(ws.control[C_DEPTH] > ws.control[C_DEPTH_LIMIT] or abs(ws.lines[0, LINE_VALUE]) > PROVEN)


# --- iterations ------------------------------------------------------------------------------------------


def start_iteration(ws: SearchWorkspace) -> None:
    """Start a search of the root to the current depth, in the window around the last value of the current line."""
    control = ws.control
    for i in range(control[C_ROOT_WORDS]):
        ws.state[i] = ws.root[i]
    value = ws.lines[control[C_LINE], LINE_VALUE]
    frame = ws.frames[0]
    frame[ALPHA] = max(-INFINITE, value - control[C_BELOW])
    frame[BETA] = min(INFINITE, value + control[C_ABOVE])
    frame[DEPTH] = control[C_DEPTH]
    frame[PV_NODE] = 1
    ws.pv[0, 0] = 0
    control[C_PLY] = 0
    control[C_STEP] = ENTER_NODE


def open_window(ws: SearchWorkspace, is_known: bool) -> None:
    """Set the aspiration window for the current line; the value that it lies around may not be known yet."""
    control = ws.control
    narrow = is_known and control[C_DEPTH] > 3 and abs(ws.lines[control[C_LINE], LINE_VALUE]) < PROVEN
    control[C_BELOW] = ASPIRATION_WINDOW if narrow else INFINITE
    control[C_ABOVE] = control[C_BELOW]


def widened(width: int) -> int:
    """Return how wide a side of the aspiration window is after a search failed on it."""
    return width * WIDENING if width < WIDEST_WINDOW else INFINITE


def advance(ws: SearchWorkspace) -> int:
    """Take the result of a completed search and start the next; return 1 if all lines of a depth are completed.

    A search that failed low or high is repeated in a wider window.
    """
    control = ws.control
    found = ws.frames[0, BEST_VALUE]
    line = ws.lines[len(ws.lines) // 2 + control[C_LINE]]
    completed = 0
    if found <= ws.frames[0, ORIGINAL_ALPHA] and control[C_BELOW] < INFINITE:
        control[C_BELOW] = widened(control[C_BELOW])
    else:
        if ws.pv[0, 0] > 0:
            copy_pv(ws.pv[0], line)
        if found >= ws.frames[0, BETA] and control[C_ABOVE] < INFINITE:
            control[C_ABOVE] = widened(control[C_ABOVE])
        else:
            line[LINE_VALUE] = found
            control[C_LINE] += 1
            if control[C_LINE] == control[C_LINES]:
                complete_depth(ws)
                completed = 1
            open_window(ws, control[C_LINE] < control[C_LINES_KNOWN])
    start_iteration(ws)
    return completed


def copy_pv(pv: Vector, line: Vector) -> None:
    """Copy a principal variation of the search to a line."""
    length = min(pv[0], len(line) - LINE_CODES)
    line[LINE_LENGTH] = length
    for i in range(length):
        line[LINE_CODES + i] = pv[1 + i]


def clear_lines(ws: SearchWorkspace) -> None:
    """Empty the lines of the current depth."""
    half = len(ws.lines) // 2
    for i in range(half):
        ws.lines[half + i, LINE_LENGTH] = 0


def complete_depth(ws: SearchWorkspace) -> None:
    """Make the lines of the current depth those of the last one, the best first, and go on to the next depth."""
    control = ws.control
    half = len(ws.lines) // 2
    number = control[C_LINES]
    for rank in range(number):
        best = half
        for i in range(half, half + number):
            unused = ws.lines[i, LINE_LENGTH] > 0
            if unused and (ws.lines[best, LINE_LENGTH] == 0 or ws.lines[i, LINE_VALUE] > ws.lines[best, LINE_VALUE]):
                best = i
        if ws.lines[best, LINE_LENGTH] > 0:
            for i in range(ws.lines.shape[1]):
                ws.lines[rank, i] = ws.lines[best, i]
            ws.lines[best, LINE_LENGTH] = 0
    control[C_LINES_KNOWN] = number
    control[C_DEPTH] += 1
    control[C_LINE] = 0


# --- the answer ------------------------------------------------------------------------------------------


def answer(ws: SearchWorkspace) -> None:
    """Write the answer: the lines of the current depth as far as they are known, then those of the last one."""
    control = ws.control
    half = len(ws.lines) // 2
    ws.found[F_DEPTH] = control[C_DEPTH] - 1
    ws.found[F_NODES] = control[C_NODES]
    ws.found[F_LINES] = 0
    ws.found[F_SEATS] = 2
    if control[C_LINE] == 0:
        # The best line of the unfinished search; how good it is, is not known before its end.
        current = ws.lines[half]
        if ws.pv[0, 0] > 0:
            copy_pv(ws.pv[0], current)
        current[LINE_VALUE] = ws.lines[0, LINE_VALUE]
        if current[LINE_LENGTH] > 0:
            add_line(ws, current)
    for i in range(control[C_LINE]):
        add_line(ws, ws.lines[half + i])
    for i in range(control[C_LINES_KNOWN]):
        add_line(ws, ws.lines[i])


def add_line(ws: SearchWorkspace, line: Vector) -> None:
    """Add a line to the answer, unless that has enough lines, or one with the same first move."""
    number = ws.found[F_LINES]
    if number == ws.control[C_LINES]:
        return
    for i in range(number):
        if ws.line_codes[i, L_CODES] == line[LINE_CODES]:
            return
    row = ws.line_codes[number]
    row[L_LENGTH] = line[LINE_LENGTH]
    for i in range(line[LINE_LENGTH]):
        row[L_CODES + i] = line[LINE_CODES + i]
    value = line[LINE_VALUE]
    proven = value > PROVEN or value < -PROVEN
    row[L_PROVEN] = WIN - abs(value) if proven else -1
    score = 1.0 - 2.0 / (exp(value / UNIT) + 1.0)
    if proven:
        score = 1.0 if value > 0 else -1.0
    seat = ws.control[C_SEAT]
    ws.line_scores[number, seat] = score
    ws.line_scores[number, 1 - seat] = -score
    ws.found[F_LINES] = number + 1


START_SEARCH = Program(start_search, "void(SearchWorkspace, int64[::1], int64[::1])", (SearchWorkspace,))
RESUME_SEARCH = Program(resume_search, "int64(SearchWorkspace, int64)", (SearchWorkspace,))
