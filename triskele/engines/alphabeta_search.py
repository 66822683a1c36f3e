"""The alpha-beta search proper: one resumable loop over single decisions, compiled for each game.

A principal variation search in negamax form, with a transposition table, quiescence search, futility pruning, late
move reductions, killer moves and the history heuristic. What it knows of a game comes from the game's
``evaluation.py`` (:mod:`triskele.core.contract.evaluation`).

A turn may be several decisions of one seat, so a window is negated only when the seat to act changes. There is no
recursion: each ply of the current line has a frame, and :func:`search` stops after a budget of nodes and resumes there
when it is called again. The functions it is made of are small, so that they are compiled inline.
"""

import math
from typing import NamedTuple

import numpy as np

from triskele.core.contract import OVER, SIZE, actor, apply, legal, winners
from triskele.core.contract.evaluation import (
    UNIT,
    Weights,
    evaluate,
    futility_margin,
    is_quiet,
    move_limit,
    order_moves,
    ply_cost,
    position_key,
    prune_futile_moves,
    quiescence_moves,
    select_moves,
)
from triskele.core.workspace import FloatMatrix, Int32Vector, Matrix, Vector
from triskele.engines.transposition_table import (
    EXACT,
    LOWER_BOUND,
    NO_MOVE,
    UPPER_BOUND,
    Table,
    entry_bound,
    entry_depth,
    entry_move,
    entry_value,
    pack_entry,
    probe,
    store,
)

WIN = 1_000_000
"""The value of a game won at the root; every decision on the way costs 1."""
PROVEN = WIN - 1000
"""Values beyond this are wins that were searched to the end of the game."""
INFINITE = 2 * WIN

MAX_PLY = 96
"""The longest line, in decisions."""
QUIESCENCE_DEPTH = 12
"""How many decisions the quiescence search goes beyond the nominal depth."""
FUTILITY_DEPTH = 2
"""A node with at most this remaining depth is cut off when its evaluation beats beta by the futility margin."""
FUTILITY_MOVES = 3
"""This many moves are searched before the rest of a node near the leaves is pruned as futile."""
OVERSIGHT_CAP = UNIT
"""How good or bad a leaf is at most for a weak level that overlooks what is going on in it."""

KILLERS = 2
HISTORY_LIMIT = 1 << 18
_TABLE_MOVE_RANK = 1 << 40
_KILLER_RANK = 1 << 30
_REDUCTION_SIZE = 64

# The words of a frame, that is of one node on the line being searched. Values are for the seat that acts in it.
(
    ALPHA,
    BETA,
    ORIGINAL_ALPHA,  # alpha on entering the node: tells an exact value from an upper bound
    BEST_VALUE,
    BEST_MOVE,
    DEPTH,  # remaining depth; negative in the quiescence search
    MOVE_COUNT,  # how many moves there are
    MOVE_INDEX,  # how many of them were picked
    MOVE_LIMIT,  # how many to search unless all of them lose
    CURRENT_MOVE,
    KEY,
    SEAT,
    PV_NODE,  # 1 on the principal variation, that is while the window was never narrowed to zero
    IN_QUIESCENCE,
    PRUNABLE,  # 1 where futile moves may be pruned
    CHILD_SEARCH,  # how the child is being searched: one of the three kinds below
    REDUCTION,  # by how much less deep
) = range(17)
FRAME = 24
"""Three cache lines: frames of 17 words made the search of YINSH 3 % slower."""

FULL_WINDOW, ZERO_WINDOW, REDUCED = 0, 1, 2
"""How a child is searched: with the whole window; with a zero window, to be refuted; or that and less deep."""

ENTER_NODE, NEXT_MOVE, LEAVE_NODE, DONE = 0, 1, 2, 3
"""What the loop does next."""

(
    C_PLY,  # where the loop stands
    C_STEP,
    C_VALUE,
    C_NODES,
    C_GENERATION,  # from here on, what it is told about the search
    C_NOISE,
    C_OVERSIGHT,
    C_SALT,
    C_KEY,  # XORed with every position's key: entries of a search with other errors do not match
    C_LINE,  # how many of the lines are searched already, whose first moves are left out
    C_DEEPENING,  # the words from here on belong to alphabeta_deepening
) = range(11)
CONTROL = 24
"""Words of ``control``."""
LINE_VALUE, LINE_LENGTH, LINE_CODES = range(3)
"""The words of a row of ``lines``: its value for the seat to act, its length, and from here on its moves."""


class SearchWorkspace(NamedTuple):
    """The arrays of one search. The first index of a matrix is the ply, that is the distance from the root."""

    state: Vector
    """The position at the current ply."""
    undo: Matrix
    """The first ``SIZE`` words of the position at each ply."""
    frames: Matrix
    moves: Matrix
    ranks: Matrix
    """For each of ``moves``, how early it is picked: the highest first."""
    pv: Matrix
    """The triangular table of principal variations: the length of the line from each ply, then its moves."""
    killers: Matrix
    """The last moves at each ply that caused a beta cutoff."""
    history: Matrix
    """By seat and move, how often a move caused a cutoff lately, weighted by depth."""
    reductions: Matrix
    """By remaining depth and move index, the late move reduction."""
    evaluation: Vector
    """The workspace of the game's evaluation."""
    control: Vector
    root: Vector
    """The position that is searched."""
    lines: Matrix
    """The lines of the last completed depth, the best first; then those of this depth, as they were found."""
    table: Matrix
    """The transposition table."""
    weights: Int32Vector
    """The weights of the game's evaluation."""
    found: Vector
    """With the two below, the answer as the contract wants it."""
    line_codes: Matrix
    line_scores: FloatMatrix


def search(ws: SearchWorkspace, table: Table, weights: Weights, budget: int) -> int:
    """Search until the iteration is complete or ``budget`` more nodes are entered; return 1 if it is complete.

    The value is then in frame 0 and the principal variation in ``ws.pv[0]``.
    """
    control = ws.control
    ply = control[C_PLY]
    step = control[C_STEP]
    value = control[C_VALUE]  # of the node being left, for seat 0
    nodes = control[C_NODES]
    node_limit = nodes + budget
    while step != DONE:
        if step == ENTER_NODE:
            if nodes >= node_limit:
                break
            nodes += 1
            step, value = enter_node(ws, table, weights, ply)
        elif step == NEXT_MOVE:
            step, value = next_move(ws, table, weights, ply)
            if step == ENTER_NODE:
                ply += 1
        elif ply == 0:
            step = DONE
        else:
            ply -= 1
            step = return_to_node(ws, ply, value)
            if step == ENTER_NODE:
                ply += 1
    control[C_PLY] = ply
    control[C_STEP] = step
    control[C_VALUE] = value
    control[C_NODES] = nodes
    return 1 if step == DONE else 0


# --- entering a node ----------------------------------------------------------------------------------------


def enter_node(ws: SearchWorkspace, table: Table, weights: Weights, ply: int) -> tuple[int, int]:
    """Return the value of a node that needs no moves, with ``LEAVE_NODE``; or list its moves for ``NEXT_MOVE``."""
    state = ws.state
    frame = ws.frames[ply]
    ws.pv[ply, 0] = 0

    # Step 1. The game is over.
    seat = actor(state)
    if seat == OVER:
        return LEAVE_NODE, final_value(winners(state), ply)

    open_frame(frame, seat)
    sign = 1 - 2 * seat
    quiet = is_quiet(state) == 1
    if ply >= len(ws.frames) - 1 or (quiet and frame[DEPTH] <= 0):
        return enter_quiescence(ws, weights, ply, sign)

    return enter_interior_node(ws, table, weights, ply, sign, quiet)


def final_value(won: int, ply: int) -> int:
    """Return the value for seat 0 of a game that ended at a ply: a short win is better than a long one."""
    return WIN - ply if won == 1 else ply - WIN if won == 2 else 0


def open_frame(frame: Vector, seat: int) -> None:
    """Set up the frame of a node whose window and depth the parent has set."""
    frame[SEAT] = seat
    frame[ORIGINAL_ALPHA] = frame[ALPHA]
    frame[BEST_VALUE] = -INFINITE
    frame[BEST_MOVE] = NO_MOVE
    frame[MOVE_INDEX] = 0
    frame[IN_QUIESCENCE] = 0


def enter_quiescence(ws: SearchWorkspace, weights: Weights, ply: int, sign: int) -> tuple[int, int]:
    """Return the static evaluation of a leaf with ``LEAVE_NODE``, unless there are moves that it may not ignore."""
    # Step 2. Quiescence search: stand pat on the static evaluation, or try the moves of the game's quiescence search.
    state = ws.state
    frame = ws.frames[ply]
    static = leaf_value(ws, sign * evaluate(state, weights, ws.evaluation))
    if static >= frame[BETA] or ply >= len(ws.frames) - 1 or frame[DEPTH] <= -QUIESCENCE_DEPTH:
        return LEAVE_NODE, sign * static
    number = quiescence_moves(state, ws.moves[ply], ply, ws.evaluation)
    if number == 0:
        return LEAVE_NODE, sign * static
    frame[BEST_VALUE] = static
    frame[ALPHA] = max(frame[ALPHA], static)
    frame[MOVE_COUNT] = number
    frame[MOVE_LIMIT] = number
    frame[IN_QUIESCENCE] = 1
    frame[PRUNABLE] = 0
    frame[KEY] = 0
    for i in range(number):
        ws.ranks[ply, i] = 0
    return NEXT_MOVE, 0


def enter_interior_node(
    ws: SearchWorkspace, table: Table, weights: Weights, ply: int, sign: int, quiet: bool
) -> tuple[int, int]:
    """Return the value of a node that can be cut off before its moves, with ``LEAVE_NODE``; or list its moves."""
    state = ws.state
    frame = ws.frames[ply]
    table_move = NO_MOVE
    if frame[DEPTH] > 0:
        # Step 3. Transposition table lookup.
        frame[KEY] = position_key(state) ^ ws.control[C_KEY]
        entry = probe(table, frame[KEY])
        if entry != 0:
            table_move = entry_move(entry)
            stored = value_from_table(entry_value(entry), ply)
            if ply > 0 and is_table_cutoff(entry, stored, frame):
                return LEAVE_NODE, sign * stored

        # Step 4. Futility pruning of the node, also called reverse futility or static null move pruning.
        if ply > 0 and quiet and frame[PV_NODE] == 0 and frame[DEPTH] <= FUTILITY_DEPTH:
            static = sign * evaluate(state, weights, ws.evaluation)
            pruned = static - futility_margin(frame[DEPTH])
            if pruned >= frame[BETA] and static < PROVEN:
                return LEAVE_NODE, sign * pruned

    # Step 5. Move generation and ordering.
    list_moves(ws, weights, ply, quiet)
    if ply == 0 and ws.control[C_LINE] > 0:
        leave_out_first_moves(ws)
    rank_known_moves(ws, ply, table_move)
    return NEXT_MOVE, 0


def leaf_value(ws: SearchWorkspace, value: int) -> int:
    """Return a leaf's static evaluation as the playing level sees it: a weak one errs, always in the same way."""
    control = ws.control
    if control[C_NOISE] > 0:
        drawn = pseudo_random(position_key(ws.state), control[C_SALT]) % 2001
        value += (drawn - 1000) * control[C_NOISE] // 1000
    if control[C_OVERSIGHT] > 0:
        drawn = pseudo_random(position_key(ws.state), control[C_SALT] + 1) % 1000
        if drawn < control[C_OVERSIGHT]:
            value = min(max(value, -OVERSIGHT_CAP), OVERSIGHT_CAP)
    return value


def pseudo_random(word: int, salt: int) -> int:
    """Return a number below ``2**31`` that looks random and depends on the arguments alone."""
    low = (word ^ salt) & 0x7FFFFFFF
    high = (word >> 31) & 0x7FFFFFFF
    low = (low * 0x5851F42D + high) & 0x3FFFFFFFFFFFFFFF
    low = ((low ^ low >> 29) & 0x7FFFFFFF) * 0x4C957F2D & 0x3FFFFFFFFFFFFFFF
    return (low ^ low >> 31) & 0x7FFFFFFF


def value_from_table(value: int, ply: int) -> int:
    """Return a stored value as it is at a ply: the table counts a proven win's length from the position on."""
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value


def value_to_table(value: int, ply: int) -> int:
    """Return a value at a ply as the table stores it; the inverse of :func:`value_from_table`."""
    return value + ply if value > PROVEN else value - ply if value < -PROVEN else value


def is_table_cutoff(entry: int, value: int, frame: Vector) -> bool:
    """Return whether an entry settles a node: deep enough, its ``value`` at this ply exact or outside the window."""
    if entry_depth(entry) < frame[DEPTH]:
        return False
    bound = entry_bound(entry)
    return bool(
        bound == EXACT
        or (bound == LOWER_BOUND and value >= frame[BETA])
        or (bound == UPPER_BOUND and value <= frame[ALPHA])
    )


def list_moves(ws: SearchWorkspace, weights: Weights, ply: int, quiet: bool) -> None:
    """List a node's moves, ranked by the history heuristic and by the game."""
    state = ws.state
    frame = ws.frames[ply]
    moves = ws.moves[ply]
    ranks = ws.ranks[ply]
    history = ws.history[frame[SEAT]]
    number = select_moves(state, moves, legal(state, moves))
    frame[MOVE_COUNT] = number
    frame[MOVE_LIMIT] = move_limit(state, frame[DEPTH], ply)
    # Futility pruning by the true evaluation would undo the errors of a weak level.
    errs = ws.control[C_NOISE] != 0 or ws.control[C_OVERSIGHT] != 0
    frame[PRUNABLE] = int(quiet and not errs and frame[PV_NODE] == 0 and 0 < frame[DEPTH] <= FUTILITY_DEPTH + 1)
    for i in range(number):
        ranks[i] = history[moves[i]]
    if number > 1:
        order_moves(state, moves, ranks, number, ply, weights, ws.evaluation)


def leave_out_first_moves(ws: SearchWorkspace) -> None:
    """Remove the first moves of the lines that are searched already from the moves of the root."""
    moves = ws.moves[0]
    ranks = ws.ranks[0]
    before = len(ws.lines) // 2
    kept = 0
    for i in range(ws.frames[0, MOVE_COUNT]):
        is_known = False
        for line in range(ws.control[C_LINE]):
            is_known = is_known or ws.lines[before + line, LINE_CODES] == moves[i]
        if not is_known:
            moves[kept] = moves[i]
            ranks[kept] = ranks[i]
            kept += 1
    ws.frames[0, MOVE_COUNT] = kept


def rank_known_moves(ws: SearchWorkspace, ply: int, table_move: int) -> None:
    """Rank the move of the transposition table first, then the killer moves."""
    number = ws.frames[ply, MOVE_COUNT]
    if number < 2:
        return
    moves = ws.moves[ply]
    ranks = ws.ranks[ply]
    first = ws.killers[ply, 0]
    second = ws.killers[ply, 1]
    for i in range(number):
        move = moves[i]
        if move == table_move:
            ranks[i] = _TABLE_MOVE_RANK
        elif move == first:
            ranks[i] += _KILLER_RANK
        elif move == second:
            ranks[i] += _KILLER_RANK >> 1


# --- going through a node's moves -----------------------------------------------------------------------------


def next_move(ws: SearchWorkspace, table: Table, weights: Weights, ply: int) -> tuple[int, int]:
    """Make a node's next move, for ``ENTER_NODE``; or return its value with ``LEAVE_NODE`` when there is none left."""
    frame = ws.frames[ply]
    index = frame[MOVE_INDEX]

    # Step 6. Futility pruning of moves.
    if index == FUTILITY_MOVES and frame[PRUNABLE] == 1 and frame[ALPHA] < frame[BETA]:
        prune_moves(ws, weights, ply)

    # Step 7. A beta cutoff, all moves searched, or move count pruning.
    enough = index >= frame[MOVE_LIMIT] and frame[BEST_VALUE] > -PROVEN
    if index >= frame[MOVE_COUNT] or frame[ALPHA] >= frame[BETA] or enough:
        # With moves left out the value is not that of the position.
        if frame[IN_QUIESCENCE] == 0 and frame[DEPTH] > 0 and (ply > 0 or ws.control[C_LINE] == 0):
            store_result(ws, table, ply)
        return LEAVE_NODE, (1 - 2 * frame[SEAT]) * frame[BEST_VALUE]

    # Step 8. Pick the move with the highest rank.
    move = pick_move(ws, ply, index)
    frame[MOVE_INDEX] = index + 1
    if ply > 0 and ws.control[C_OVERSIGHT] > 0 and is_overlooked(ws, ply, index, move):
        return NEXT_MOVE, 0
    frame[CURRENT_MOVE] = move

    # Step 9. Principal variation search with late move reductions.
    plan_child_search(ws, ply, index)

    # Step 10. Make the move.
    for i in range(SIZE):
        ws.undo[ply, i] = ws.state[i]
    make_move(ws, ply)
    return ENTER_NODE, 0


def prune_moves(ws: SearchWorkspace, weights: Weights, ply: int) -> None:
    """Leave out the remaining moves after which the opponent would cut off by futility pruning (step 4)."""
    frame = ws.frames[ply]
    bound = frame[ALPHA] - futility_margin(frame[DEPTH] - 1)
    number = prune_futile_moves(
        ws.state, ws.moves[ply], ws.ranks[ply], frame[MOVE_INDEX], frame[MOVE_COUNT], bound, weights, ws.evaluation
    )
    if number < frame[MOVE_COUNT]:
        frame[MOVE_COUNT] = number
        frame[BEST_VALUE] = max(frame[BEST_VALUE], frame[ALPHA])


def store_result(ws: SearchWorkspace, table: Table, ply: int) -> None:
    """Store a node's value, bound and best move in the transposition table."""
    frame = ws.frames[ply]
    best = frame[BEST_VALUE]
    bound = LOWER_BOUND if best >= frame[BETA] else EXACT if best > frame[ORIGINAL_ALPHA] else UPPER_BOUND
    value = value_to_table(best, ply)
    data = pack_entry(frame[BEST_MOVE], frame[DEPTH], bound, value, ws.control[C_GENERATION])
    store(table, frame[KEY], data)


def pick_move(ws: SearchWorkspace, ply: int, index: int) -> int:
    """Return the move with the highest rank from ``index`` on, after moving it there: one step of a selection sort."""
    moves = ws.moves[ply]
    ranks = ws.ranks[ply]
    best_rank = ranks[index]
    best_index = index
    for i in range(index + 1, ws.frames[ply, MOVE_COUNT]):
        if ranks[i] > best_rank:
            best_rank = ranks[i]
            best_index = i
    move = moves[best_index]
    moves[best_index] = moves[index]
    ranks[best_index] = ranks[index]
    moves[index] = move
    ranks[index] = best_rank
    return int(move)


def is_overlooked(ws: SearchWorkspace, ply: int, index: int, move: int) -> bool:
    """Return whether a weak level overlooks a move; never a node's only one, nor the first of the quiescence search."""
    frame = ws.frames[ply]
    if frame[IN_QUIESCENCE] == 1:
        always_seen = index == 0
    else:
        always_seen = frame[BEST_VALUE] == -INFINITE and index + 1 == frame[MOVE_COUNT]
    drawn = pseudo_random(move * 0x10001, ws.control[C_SALT] + ply) % 1000
    return bool(not always_seen and drawn < ws.control[C_OVERSIGHT])


def plan_child_search(ws: SearchWorkspace, ply: int, index: int) -> None:
    """Set how a node's move is searched.

    The first one gets the whole window. The others are expected to be refuted, so a zero window is enough for them, and
    less depth for those that come late.
    """
    frame = ws.frames[ply]
    if index == 0 or frame[IN_QUIESCENCE] == 1 or frame[DEPTH] <= 0:
        frame[CHILD_SEARCH] = FULL_WINDOW
        frame[REDUCTION] = 0
    else:
        reduction = late_move_reduction(ws, ply, index)
        frame[CHILD_SEARCH] = REDUCED if reduction > 0 else ZERO_WINDOW
        frame[REDUCTION] = reduction


def late_move_reduction(ws: SearchWorkspace, ply: int, index: int) -> int:
    """Return by how much less deep a move is searched that comes late and is neither the table's nor a killer."""
    frame = ws.frames[ply]
    if frame[DEPTH] < 2 or ws.ranks[ply, index] >= _KILLER_RANK >> 1:
        return 0
    last = _REDUCTION_SIZE - 1
    reduction = ws.reductions[min(frame[DEPTH], last), min(index, last)]
    return int(reduction - 1 if frame[PV_NODE] == 1 and reduction > 0 else reduction)


def make_move(ws: SearchWorkspace, ply: int) -> None:
    """Make the current move of a node and set the child's window and depth by the kind of search it gets."""
    node = ws.frames[ply]
    child = ws.frames[ply + 1]
    cost = 1 if node[IN_QUIESCENCE] == 1 else ply_cost(ws.state)
    apply(ws.state, node[CURRENT_MOVE])
    seat = actor(ws.state)
    alpha = node[ALPHA]
    beta = node[BETA]
    child[PV_NODE] = node[PV_NODE]
    if node[CHILD_SEARCH] != FULL_WINDOW:
        beta = alpha + 1
        child[PV_NODE] = 0
    if seat == node[SEAT] or seat == OVER:
        child[ALPHA] = alpha
        child[BETA] = beta
    else:
        child[ALPHA] = -beta
        child[BETA] = -alpha
    child[DEPTH] = node[DEPTH] - cost - node[REDUCTION]


# --- returning from a child -------------------------------------------------------------------------------------


def return_to_node(ws: SearchWorkspace, ply: int, value: int) -> int:
    """Take back a node's current move, whose ``value`` is for seat 0; return what to do next."""
    # Step 11. Undo the move.
    frame = ws.frames[ply]
    for i in range(SIZE):
        ws.state[i] = ws.undo[ply, i]
    result = value if frame[SEAT] == 0 else -value

    # Step 12. Re-search a move that was not refuted: in full depth, then with the whole window.
    kind = frame[CHILD_SEARCH]
    if kind != FULL_WINDOW and result > frame[ALPHA] and (kind == REDUCED or result < frame[BETA]):
        frame[CHILD_SEARCH] = ZERO_WINDOW if kind == REDUCED else FULL_WINDOW
        frame[REDUCTION] = 0
        make_move(ws, ply)
        return ENTER_NODE

    # Step 13. A new best move.
    if result > frame[BEST_VALUE]:
        frame[BEST_VALUE] = result
        frame[BEST_MOVE] = frame[CURRENT_MOVE]
        if result > frame[ALPHA]:
            frame[ALPHA] = result
            extend_pv(ws, ply, frame[CURRENT_MOVE])
            if result >= frame[BETA] and frame[IN_QUIESCENCE] == 0 and frame[DEPTH] > 0:
                reward_cutoff(ws, ply, frame[CURRENT_MOVE])
    return NEXT_MOVE


def extend_pv(ws: SearchWorkspace, ply: int, move: int) -> None:
    """Make the principal variation at a ply: the move, then the child's principal variation."""
    line = ws.pv[ply]
    rest = ws.pv[ply + 1]
    length = min(rest[0], len(line) - 2)
    line[0] = length + 1
    line[1] = move
    for i in range(length):
        line[2 + i] = rest[1 + i]


def reward_cutoff(ws: SearchWorkspace, ply: int, move: int) -> None:
    """Note a move that caused a beta cutoff: as a killer move, and in the history against those tried before it."""
    frame = ws.frames[ply]
    killers = ws.killers[ply]
    history = ws.history[frame[SEAT]]
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    bonus = frame[DEPTH] * frame[DEPTH]
    for i in range(frame[MOVE_INDEX] - 1):
        other = ws.moves[ply, i]
        history[other] -= bonus + history[other] * bonus // HISTORY_LIMIT
    history[move] += bonus - history[move] * bonus // HISTORY_LIMIT


def late_move_reductions() -> Matrix:
    """Return by how much less deep late moves are searched: by depth, and by how many moves came before."""
    found = np.zeros((_REDUCTION_SIZE, _REDUCTION_SIZE), dtype=np.int64)
    for depth in range(2, _REDUCTION_SIZE):
        for index in range(3, _REDUCTION_SIZE):
            found[depth, index] = min(max(1, depth - 2), int(0.4 + math.log(depth) * math.log(index) / 2.2))
    return found
