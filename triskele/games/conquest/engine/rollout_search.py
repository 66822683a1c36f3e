"""The search program of Conquest Tryad's engine: rollouts, distributed over the moves as a bandit problem.

Which candidate gets the next rollouts is decided by upper confidence bounds (UCB1, with each candidate's own
deviation). There is no tree below the first move. A node is a rollout; how the nodes are cut into slices makes no
difference. Everything random follows from the question's seed and the position.
"""

import math

from triskele.core.bits import Rng, below
from triskele.core.checksum import crc32
from triskele.core.compile import Program
from triskele.core.contract import Moves, State
from triskele.core.contract.search_program import (
    F_DEPTH,
    F_LINES,
    F_NODES,
    F_SEATS,
    FOUND,
    L_CODES,
    L_LENGTH,
    L_PROVEN,
    MOST_LINES,
    Q_APPRAISED,
    Q_DEPTH,
    Q_ENGINE,
    Q_LINES,
    Q_NODES,
    Q_NOISE,
    Q_OVERSIGHT,
    Q_SEED,
    RUNNING,
    SETTLED,
    SPENT,
    Field,
    SearchProgram,
)
from triskele.core.mathematics import exp, log
from triskele.games.conquest.attack_margins import holder
from triskele.games.conquest.engine.battle_outcomes import HELD, outcome_odds
from triskele.games.conquest.engine.policy import ANALYSIS
from triskele.games.conquest.engine.rollouts import (
    C_DECISIONS,
    C_EPSILON,
    C_ROUNDS,
    C_SEARCH,
    C_SEAT,
    COUNT,
    LAST_LINE,
    LINE,
    POLICY_MOVE,
    ROLL_OUT,
    SQUARES,
    VALUES,
    RolloutWorkspace,
    candidates,
    play,
    share_of_winners,
)
from triskele.games.conquest.evaluation import NUMBER_OF_FEATURES, load_networks
from triskele.games.conquest.geometry import FIELDS
from triskele.games.conquest.rules import (
    ADVANTAGE,
    DEFEND,
    DONE,
    LIMIT,
    MOVES,
    PHASE,
    PLAYERS,
    ROUND,
    SEAT,
    SEATS,
    SIZE,
    SPLITS,
    TARGET,
)

ROUNDS = 2
"""How many rounds a rollout looks ahead with two seats; with more seats it is one, which takes as long."""
EPSILON = 20
"""How many of a thousand decisions in a rollout are random (epsilon-greedy): rollouts differ by more than dice then."""
CONFIDENCE = 2.0
"""A move has to be better than the policy's by this many standard errors; by half of them at levels with noise."""
EXPLORATION = 1.0
"""The exploration constant of the upper confidence bound."""
LEAST_BATCH = 2
"""How many rollouts a candidate gets at least when it is chosen; else it is a quarter of those it has."""
LINES = 3
"""How many lines an answer has, if not more are wanted: they cost nothing."""
LONGEST_LINE = 12
_UNSEEN = 0.05
"""Variance that is added to what was seen: a few equal results are no certainty."""
_SURE = 0.001
"""How far from 0 and 1 chances are kept before a level's error is added to them, as logits."""
_FINE = 1 << 19
"""Into how many steps the numbers from -1 to 1 are cut that normal deviates are made of."""
_DECISION_LIMIT = 100_000
"""A rollout is cut off after this many decisions."""
_GLANCE = 16
"""The same, divided by the number of seats, for rollouts at a glance."""

Q_GLANCE = Q_ENGINE
"""1 for rollouts at a glance: few decisions, and lines of one move; for plain Python."""
Q_THREAD = Q_ENGINE + 1
"""The number of the thread: each has rollouts of its own, of the same candidates with the same errors."""

(
    C_STAGE,
    C_GLANCE,
    C_THREAD,
    C_SEED,
    C_DEPTH,  # of the level
    C_NOISE,
    C_OVERSIGHT,
    C_LINES,  # how many are wanted
    C_NODES,  # rollouts so far, of all threads
    C_NODE_LIMIT,  # 0 for none
    C_CANDIDATES,  # how many there are
    C_ROWS,  # how many rows they have in all
    C_UNTRIED,  # all candidates before this one have rollouts
    C_CHOSEN,  # the candidate that gets the next rollouts,
    C_PENDING,  # and how many more of them
    C_POOLED,  # 1 when rollouts of other threads were added, so that all candidates are to be judged again
    C_APPRAISED,  # 1 more than the move that comes first instead of the policy's, so that others are compared with it
) = range(C_SEARCH, C_SEARCH + 17)
CONTROL = C_SEARCH + 17

ASKED, SEARCHING, DECIDED = range(3)
"""The stages: nothing done yet; candidates are known; the result is proven."""

_ROWS = MOVES + 1
"""Every move can be a candidate, and the policy's is listed first. Only attacks and defences have several rows."""
if FIELDS * len(SPLITS) * HELD > MOVES:
    raise ValueError("attacks need more rows")


def start_search(ws: RolloutWorkspace, root: State, question: Moves) -> None:
    """Begin to search ``root``: see :mod:`triskele.core.contract.search_program`.

    The candidates are found at the first call of :func:`resume_search`: the policy is compiled once, there.
    """
    control = ws.control
    for i in range(SIZE):
        ws.root[i] = root[i]
    for i in range(CONTROL):
        control[i] = 0
    control[C_GLANCE] = question[Q_GLANCE]
    control[C_THREAD] = question[Q_THREAD]
    control[C_SEED] = question[Q_SEED]
    control[C_DEPTH] = question[Q_DEPTH]
    control[C_NOISE] = question[Q_NOISE]
    control[C_OVERSIGHT] = question[Q_OVERSIGHT]
    control[C_APPRAISED] = max(0, question[Q_APPRAISED] - 1)
    control[C_LINES] = min(max(question[Q_LINES], LINES), MOST_LINES) if control[C_APPRAISED] == 0 else 1
    control[C_NODE_LIMIT] = question[Q_NODES]
    for line in range(MOST_LINES):
        ws.line_codes[line, L_LENGTH] = 0


def resume_search(ws: RolloutWorkspace, budget: int) -> int:
    """Run ``budget`` more rollouts; return the status: see :mod:`triskele.core.contract.search_program`.

    With none it only finds the candidates, and writes the answer again.
    """
    control = ws.control
    if control[C_STAGE] == ASKED:
        prepare(ws)
    if control[C_STAGE] == DECIDED:
        return SETTLED
    set_horizon(ws)
    if control[C_POOLED] == 1:
        control[C_POOLED] = 0
        control[C_UNTRIED] = 0
        for candidate in range(control[C_CANDIDATES]):
            judge(ws, candidate)
    limit = control[C_NODE_LIMIT]
    left = budget
    if limit > 0:
        left = min(left, limit - control[C_NODES])
    while left > 0:
        if control[C_PENDING] == 0:
            control[C_CHOSEN] = select(ws)
            control[C_PENDING] = max(LEAST_BATCH, ws.rollouts[control[C_CHOSEN]] // 4)
        chosen = control[C_CHOSEN]
        number = min(left, control[C_PENDING])
        play(ws, ROLL_OUT, ws.codes[chosen], number, ws.first_rows[chosen])
        judge(ws, chosen)
        control[C_PENDING] -= number
        control[C_NODES] += number
        left -= number
    answer(ws)
    if control[C_APPRAISED] > 0:
        answer_appraisal(ws)
    return SPENT if limit > 0 and control[C_NODES] >= limit else RUNNING


# --- candidates ---------------------------------------------------------------------------------------


def prepare(ws: RolloutWorkspace) -> None:
    """Find the candidates, unless the result is proven: the policy's move first, the others in random order.

    Levels with oversight skip the pruning now and then.
    """
    control = ws.control
    root = ws.root
    control[C_SEAT] = holder(root, root[TARGET]) if root[PHASE] == DEFEND else root[SEAT]
    if root[PHASE] == ADVANTAGE and root[ROUND] == root[LIMIT]:
        decide(ws)
        return
    ws.rng[0] = control[C_SEED] << 32 | crc32(root, SIZE, 0)
    first = play(ws, POLICY_MOVE, 0, 1, 0) if control[C_APPRAISED] == 0 else control[C_APPRAISED] - 1
    number = candidates(root, ws.moves, below(ws.rng, 1000) >= control[C_OVERSIGHT])
    kept = 1
    ws.codes[0] = first
    for i in range(number):
        # The inside-out shuffle of Fisher and Yates, from the second candidate on.
        if ws.moves[i] != first:
            place = 1 + below(ws.rng, kept)
            ws.codes[kept] = ws.codes[place]
            ws.codes[place] = ws.moves[i]
            kept += 1
    rows = 0
    for candidate in range(kept):
        ws.first_rows[candidate] = rows
        ws.rollouts[candidate] = 0
        ws.values[candidate] = 0.5
        ws.deviations[candidate] = 0.5
        ws.errors[candidate] = normal(ws.rng) * control[C_NOISE] / 1000.0 if control[C_NOISE] > 0 else 0.0
        rows += outcome_odds(root, ws.codes[candidate], ws.shares, rows)
    ws.first_rows[kept] = rows
    for row in range(rows):
        for column in range(ws.sums.shape[1]):
            ws.sums[row, column] = 0.0
    control[C_CANDIDATES] = kept
    control[C_ROWS] = rows
    control[C_EPSILON] = EPSILON + control[C_OVERSIGHT]
    control[C_STAGE] = SEARCHING
    if control[C_THREAD] > 0:
        ws.rng[0] = control[C_SEED] << 32 | crc32(root, SIZE, control[C_THREAD])


def set_horizon(ws: RolloutWorkspace) -> None:
    """Set how far rollouts look: a glance may become a look while the search goes on."""
    control = ws.control
    seats = ws.root[PLAYERS]
    control[C_ROUNDS] = ROUNDS if seats == 2 else 1
    if control[C_DEPTH] > 0:
        control[C_ROUNDS] = control[C_DEPTH]
    control[C_DECISIONS] = _GLANCE // seats if control[C_GLANCE] == 1 else _DECISION_LIMIT


def normal(rng: Rng) -> float:
    """Return a random number of the standard normal distribution (Marsaglia's polar method)."""
    while True:
        x = (2 * below(rng, _FINE) + 1) / _FINE - 1.0
        y = (2 * below(rng, _FINE) + 1) / _FINE - 1.0
        square = x * x + y * y
        if square < 1.0:
            return x * math.sqrt(-2.0 * log(square) / square)


# --- the bandit ---------------------------------------------------------------------------------------


def select(ws: RolloutWorkspace) -> int:
    """Return the candidate with the highest upper confidence bound; one without rollouts comes first."""
    control = ws.control
    number = control[C_CANDIDATES]
    while control[C_UNTRIED] < number:
        if ws.rollouts[control[C_UNTRIED]] == 0:
            return int(control[C_UNTRIED])
        control[C_UNTRIED] += 1
    spread = log(control[C_NODES] + 1.0)
    best = 0
    highest = -1.0
    for candidate in range(number):
        width = ws.deviations[candidate] * math.sqrt(spread / ws.rollouts[candidate])
        bound = ws.values[candidate] + EXPLORATION * width
        if bound > highest:
            highest = bound
            best = candidate
    return best


def judge(ws: RolloutWorkspace, candidate: int) -> None:
    """Compute the mover's chance to win after a candidate and its standard deviation, from its rollouts."""
    seat = ws.control[C_SEAT]
    count = 0.0
    within = 0.0
    for row in range(ws.first_rows[candidate], ws.first_rows[candidate + 1]):
        seen = ws.sums[row, COUNT]
        if seen > 0.0:
            count += seen
            total = ws.sums[row, VALUES + seat]
            within += ws.sums[row, SQUARES] - total * total / seen
    if count == 0.0:
        return
    ws.rollouts[candidate] = int(count)
    ws.deviations[candidate] = math.sqrt((within + _UNSEEN) / count)
    value = chance(ws, candidate, seat)
    if ws.errors[candidate] != 0.0:
        kept = min(max(value, _SURE), 1.0 - _SURE)
        value = 1.0 / (1.0 + exp(-log(kept / (1.0 - kept)) - ws.errors[candidate]))
    ws.values[candidate] = value


def chance(ws: RolloutWorkspace, candidate: int, seat: int) -> float:
    """Return a seat's chance to win: the mean results after each outcome of the battle, by exact odds."""
    total = 0.0
    weight = 0.0
    for row in range(ws.first_rows[candidate], ws.first_rows[candidate + 1]):
        if ws.sums[row, COUNT] > 0.0:
            weight += ws.shares[row]
            total += ws.shares[row] * ws.sums[row, VALUES + seat] / ws.sums[row, COUNT]
    return total / weight


# --- the answer ---------------------------------------------------------------------------------------


def ranking_value(ws: RolloutWorkspace, candidate: int) -> float:
    """Return the value that candidates are ranked by: a lower confidence bound of the lead over the policy's move."""
    value = ws.values[candidate]
    if candidate > 0 and ws.rollouts[0] > 0:
        confidence = CONFIDENCE if ws.errors[candidate] == 0.0 else CONFIDENCE / 2.0
        variance = ws.deviations[candidate] * ws.deviations[candidate] / ws.rollouts[candidate]
        variance += ws.deviations[0] * ws.deviations[0] / ws.rollouts[0]
        value -= confidence * math.sqrt(variance)
    return float(value)


def answer(ws: RolloutWorkspace) -> None:
    """Write the best lines: each candidate, and how the policy goes on after it until dice are rolled."""
    control = ws.control
    ws.found[F_DEPTH] = control[C_ROUNDS]
    ws.found[F_NODES] = control[C_NODES]
    ws.found[F_LINES] = 0
    ws.found[F_SEATS] = ws.root[PLAYERS]
    longest = 1 if control[C_GLANCE] == 1 else LONGEST_LINE
    for line in range(control[C_LINES]):
        best = -1
        highest = 0.0
        for candidate in range(control[C_CANDIDATES]):
            if ws.rollouts[candidate] > 0 and not is_listed(ws, ws.codes[candidate]):
                value = ranking_value(ws, candidate)
                if best < 0 or value > highest:
                    highest = value
                    best = candidate
        if best < 0:
            return
        # A line stays as it is while its first move does, and what it costs is paid once.
        known = ws.line_codes[line, L_LENGTH]
        if known == 0 or ws.line_codes[line, L_CODES] != ws.codes[best] or (known == 1 and longest > 1):
            ws.line_codes[line, L_LENGTH] = play(ws, LINE, ws.codes[best], longest, line)
        ws.line_codes[line, L_PROVEN] = -1
        for seat in range(ws.root[PLAYERS]):
            ws.chances[seat] = chance(ws, best, seat)
        write_scores(ws, line)


def answer_appraisal(ws: RolloutWorkspace) -> None:
    """Add the move that is appraised, unless it is the best; that counts as better only as far as it is certain."""
    best = 0
    while ws.codes[best] != ws.line_codes[0, L_CODES]:
        best += 1
    if best == 0 or ws.rollouts[0] == 0:
        return
    certain = (ranking_value(ws, best) - ws.values[0]) / (ws.values[best] - ws.values[0])
    ws.line_codes[1, L_LENGTH] = 1
    ws.line_codes[1, L_PROVEN] = -1
    ws.line_codes[1, L_CODES] = ws.codes[0]
    for seat in range(ws.root[PLAYERS]):
        ws.chances[seat] = chance(ws, 0, seat)
    write_scores(ws, 1)
    for seat in range(ws.root[PLAYERS]):
        made = ws.line_scores[1, seat]
        ws.line_scores[0, seat] = made + certain * (ws.line_scores[0, seat] - made)


def is_listed(ws: RolloutWorkspace, code: int) -> bool:
    """Return whether a line of the answer begins with a move."""
    listed = False
    for line in range(ws.found[F_LINES]):
        listed = listed or ws.line_codes[line, L_CODES] == code
    return listed


def write_scores(ws: RolloutWorkspace, line: int) -> None:
    """Add a line to the answer, with the chances in ``ws.chances`` as scores from -1 to 1 that add up to 0."""
    seats = ws.root[PLAYERS]
    for seat in range(seats):
        ws.line_scores[line, seat] = (seats * ws.chances[seat] - 1.0) / (seats - 1.0)
    ws.found[F_LINES] = line + 1


def decide(ws: RolloutWorkspace) -> None:
    """Write the proven result after the last attack: advantage moves (C12) do not change wealth (C15)."""
    length = play(ws, LAST_LINE, DONE, LONGEST_LINE, 0)
    share_of_winners(ws)
    ws.line_codes[0, L_LENGTH] = length
    ws.line_codes[0, L_PROVEN] = length
    ws.found[F_DEPTH] = length
    ws.found[F_NODES] = length
    ws.found[F_SEATS] = ws.root[PLAYERS]
    write_scores(ws, 0)
    ws.control[C_STAGE] = DECIDED


START_SEARCH = Program(start_search, "void(RolloutWorkspace, int64[::1], int64[::1])", (RolloutWorkspace,))
RESUME_SEARCH = Program(resume_search, "int64(RolloutWorkspace, int64)", (RolloutWorkspace,))

_NETWORKS, _PARAMETERS = load_networks()

SEARCH = SearchProgram(
    name="rollouts",
    workspace=RolloutWorkspace,
    start=START_SEARCH,
    resume=RESUME_SEARCH,
    first_slice=16,
    sampled=True,
    seed=1,
    appraises=True,
    fields=(
        Field.of("networks", _NETWORKS),
        Field.of("parameters", _PARAMETERS),
        Field("root", (SIZE,)),
        Field("state", (SIZE,)),
        Field("moves", (MOVES,)),
        Field("analysis", (ANALYSIS,), "float64"),
        Field("path_costs", (FIELDS,), "float64"),
        Field("features", (SEATS, NUMBER_OF_FEATURES), "float64"),
        Field("fields", (FIELDS,)),
        Field("chances", (SEATS,), "float64"),
        Field("rng", (1,), "uint64"),
        Field("control", (CONTROL,)),
        Field("codes", (_ROWS,)),
        Field("first_rows", (_ROWS + 1,)),
        Field("rollouts", (_ROWS,)),
        Field("values", (_ROWS,), "float64"),
        Field("deviations", (_ROWS,), "float64"),
        Field("errors", (_ROWS,), "float64"),
        Field("shares", (_ROWS + HELD,), "float64"),
        Field("sums", (_ROWS, VALUES + SEATS), "float64"),
        Field("found", (FOUND,)),
        Field("line_codes", (MOST_LINES, L_CODES + LONGEST_LINE)),
        Field("line_scores", (MOST_LINES, SEATS), "float64"),
    ),
)
