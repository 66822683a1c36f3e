"""Rollouts: games played on after a move by the policy, some rounds ahead, and the moves worth rolling out.

A battle that the move starts is a chance node: results are summed up for each of its outcomes, so that they can be
weighed by exact odds (a variance reduction). Everything here stays within what Numba compiles.
"""

from typing import NamedTuple

from triskele.core.bits import below, popcount
from triskele.core.contract import Moves, State
from triskele.core.contract.search_program import L_CODES
from triskele.core.workspace import FloatCube, FloatMatrix, FloatVector, Matrix, RngVector, Vector
from triskele.games.conquest.attack_margins import Reals, chance_to_take, holder, tokens_on
from triskele.games.conquest.engine.battle_outcomes import battle_outcome, field_of_battle
from triskele.games.conquest.engine.policy import policy_move
from triskele.games.conquest.evaluation import chances
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.rules import (
    ADVANTAGE,
    ADVANTAGES,
    ATTACKS,
    BATTLE,
    CONQUER,
    DEFENCES,
    DEFEND,
    DONE,
    FACES,
    FINISHED,
    FOLLOW,
    FOLLOWING,
    INITIATIVE,
    NUMBERS,
    PHASE,
    PLAYERS,
    PURSES,
    REINFORCE,
    ROUND,
    SEAT,
    SETUP,
    SIZE,
    SPLITS,
    SQUAD,
    STAY,
    TRIPLE_TOKENS,
    _available,
    apply,
    legal,
    repulses_over,
    triple_field,
    winners,
)


class RolloutWorkspace(NamedTuple):
    """The arrays of a search by rollouts.

    Candidates have an index; that of the policy's move is 0. The outcomes of a candidate's battle have a row each in
    ``shares`` and ``sums``, from ``first_rows[candidate]`` on.
    """

    networks: FloatCube
    """The weights of the evaluation."""
    parameters: FloatVector
    """Those of the policy."""
    root: Vector
    """The position that is asked about."""
    state: Vector
    """The position that a rollout has come to."""
    moves: Vector
    """Scratch of the policy, as are the next two."""
    analysis: FloatVector
    path_costs: FloatVector
    features: FloatMatrix
    """Scratch of the evaluation, as are the fields."""
    fields: Vector
    chances: FloatVector
    """Each seat's chance to win at the end of a rollout."""
    rng: RngVector
    control: Vector
    codes: Vector
    """The candidates."""
    first_rows: Vector
    rollouts: Vector
    """How many rollouts of each candidate there were when it was judged last."""
    values: FloatVector
    """The mover's chance to win after each candidate, with the level's error."""
    deviations: FloatVector
    """The standard deviation of one rollout of each candidate."""
    errors: FloatVector
    """The level's error in judging each candidate, in logits."""
    shares: FloatVector
    """The probability of each outcome."""
    sums: FloatMatrix
    """The results after each outcome: see ``COUNT``, ``SQUARES`` and ``VALUES``."""
    found: Vector
    line_codes: Matrix
    line_scores: FloatMatrix


(
    C_ROUNDS,  # how many rounds a rollout goes on
    C_DECISIONS,  # how many decisions it has at most
    C_EPSILON,  # how many in a thousand of them are random
    C_SEAT,  # who acts at the root: whose results are squared
    C_QUERY,  # what ``play_on`` is asked for, and about what
    C_MOVE,
    C_NUMBER,
    C_ROW,
    C_SEARCH,  # the words from here on are those of the search
) = range(9)

# --- move selection ---------------------------------------------------------------------------------------


HOPELESS = 250
"""Attacks with a lower chance to take the field this turn, in thousandths, are pruned."""


def _in_force(state: State, move: int) -> bool:
    """Return whether an attack has hope and as many tokens as it can have, from one field if that has enough."""
    target = (move - ATTACKS) // len(SPLITS)
    split = (move - ATTACKS) % len(SPLITS)
    if target == state[SEAT] * BOARD + HOME and holder(state, target) < 0:
        return True
    total = 0
    spare = 0
    army = 1
    repulses = 0
    fields = 0
    enough = False
    for slot in range(3):
        here = _available(state, target, slot)
        enough = enough or here == SQUAD
        total += SPLITS[split, slot]
        spare += here - SPLITS[split, slot]
        if SPLITS[split, slot] > 0:
            fields += 1
            army += tokens_on(state, BORDER[state[SETUP], target, slot]) - 1
            repulses = max(repulses, repulses_over(state, target, slot))
    if total < SQUAD and spare > 0:
        return False
    if fields > 1 and enough:
        return False
    return chance_to_take(state, target, army, repulses) >= HOPELESS


def _all_given(state: State, move: int) -> bool:
    """Return whether a triple gives as many tokens as it can."""
    if move < TRIPLE_TOKENS:
        return True
    choice = move - TRIPLE_TOKENS
    field = triple_field(state[SETUP], choice // (3 * FACES), choice // FACES % 3)
    most = min(state[NUMBERS + field % BOARD], state[PURSES + state[SEAT]])
    return bool(choice % FACES + 1 == most)


def _worth_while(state: State, move: int) -> bool:
    """Return whether an advantage move, or tokens that follow, are all, all but one, or half of those there."""
    if move >= ADVANTAGES:
        tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
        here = tokens_on(state, (move - ADVANTAGES) // 3 % FIELDS)
    else:
        tokens = (move - FOLLOWING) // FIELDS + 1
        here = tokens_on(state, (move - FOLLOWING) % FIELDS)
    return here - tokens < 2 or tokens == here // 2


def candidates(state: State, moves: Moves, is_pruned: bool) -> int:
    """Fill ``moves`` with the legal moves, those that are worth rolling out if pruned, and return their number."""
    phase = state[PHASE]
    number = legal(state, moves)
    kept = 0
    for index in range(number):
        move = moves[index]
        keep = True
        if is_pruned and move not in (DONE, STAY):
            if phase == REINFORCE:
                keep = _all_given(state, move)
            elif phase == CONQUER:
                keep = _in_force(state, move)
            elif phase in (FOLLOW, ADVANTAGE):
                keep = _worth_while(state, move)
        if keep:
            moves[kept] = move
            kept += 1
    return kept


# --- rollouts -----------------------------------------------------------------------------------------------

COUNT = 0
SQUARES = 1
VALUES = 2
"""Columns of the sums for an outcome: rollouts, the mover's results squared, and from here on each seat's results."""

POLICY_MOVE, ROLL_OUT, LINE, LAST_LINE = range(4)
"""What :func:`play` is asked for."""


def play(ws: RolloutWorkspace, query: int, move: int, number: int, row: int) -> int:
    """Play on from the root.

    ``POLICY_MOVE`` returns the policy's move. ``ROLL_OUT`` plays on ``number`` times after ``move``, and adds the
    results to ``ws.sums`` from ``row`` on, a row for each outcome of the battle that the move starts. ``LINE`` writes
    the line of number ``row``: ``move``, and how the policy goes on until dice are rolled or there are ``number``
    moves; returns their number. ``LAST_LINE`` does so with ``move`` again and again.
    """
    # By way of the workspace: Numba compiles a function once for each constant that it is called with.
    ws.control[C_QUERY] = query
    ws.control[C_MOVE] = move
    ws.control[C_NUMBER] = number
    ws.control[C_ROW] = row
    return play_on(ws)


def play_on(ws: RolloutWorkspace) -> int:
    """Answer the query of :func:`play`. One function serves all, as each alone would take half as long to compile."""
    root = ws.root
    state = ws.state
    control = ws.control
    query = control[C_QUERY]
    move = control[C_MOVE]
    number = control[C_NUMBER]
    row = control[C_ROW]
    made = 0
    for _ in range(number if query == ROLL_OUT else 1):
        for word in range(SIZE):
            state[word] = root[word]
        last_round = root[ROUND] + control[C_ROUNDS]
        target = field_of_battle(root, move) if query == ROLL_OUT else -1
        outcome = 0
        decisions = 0
        chosen = move
        # ``apply`` and ``policy_move`` are called in one place each: every call more takes a compiler seconds.
        while True:
            if query != POLICY_MOVE:
                # Step 1. Make the move; note the outcome of the first battle when it is over.
                apply(state, chosen)
                phase = state[PHASE]
                if target >= 0 and phase not in (BATTLE, DEFEND):
                    outcome = battle_outcome(root, state, target)
                    target = -1

                # Step 2. The rollout ends with the game; after the first battle, also with a round or by its limit.
                if query == ROLL_OUT:
                    round_over = phase == INITIATIVE and state[ROUND] >= last_round
                    is_long = decisions >= control[C_DECISIONS]
                    if phase == FINISHED or (target < 0 and (round_over or is_long)):
                        break
                else:
                    ws.line_codes[row, L_CODES + made] = chosen
                    made += 1
                    if phase in (BATTLE, INITIATIVE, FINISHED) or made == number:
                        return made
                    if query == LAST_LINE:
                        continue

                # Step 3. Dice, and the defence in the first battle.
                if phase in (BATTLE, INITIATIVE):
                    chosen = below(ws.rng, FACES)
                    continue
                if target >= 0:
                    chosen = DEFENCES + min(SQUAD, tokens_on(state, target)) - 1
                    continue

            # Step 4. The policy decides.
            epsilon = control[C_EPSILON] if query == ROLL_OUT else 0
            chosen = policy_move(state, ws.moves, ws.parameters, ws.analysis, ws.path_costs, ws.rng, epsilon)
            decisions += 1
            if query == POLICY_MOVE:
                return chosen

        # Step 5. Evaluate the position, and add the result.
        _final_chances(ws)
        _add_result(ws, ws.sums[row + outcome], control[C_SEAT])
    return made


def _final_chances(ws: RolloutWorkspace) -> None:
    """Leave each seat's chance to win in ``ws.chances``: shared by the winners of a finished game, else evaluated."""
    if ws.state[PHASE] == FINISHED:
        share_of_winners(ws)
    else:
        chances(ws.state, ws.networks, ws.features, ws.path_costs, ws.fields, ws.chances)


def share_of_winners(ws: RolloutWorkspace) -> None:
    """Leave what each seat has of a finished game in ``ws.chances``."""
    won = winners(ws.state)
    for seat in range(ws.state[PLAYERS]):
        ws.chances[seat] = (won >> seat & 1) / popcount(won)


def _add_result(ws: RolloutWorkspace, sums: Reals, seat: int) -> None:
    """Add the result of a rollout to the sums of one outcome."""
    sums[COUNT] += 1.0
    sums[SQUARES] += ws.chances[seat] * ws.chances[seat]
    for other in range(ws.state[PLAYERS]):
        sums[VALUES + other] += ws.chances[other]
