"""Rollouts: games played on after a move by the policy, some rounds ahead, and the moves worth rolling out.

A battle that the move starts is a chance node: results are summed up for each of its outcomes, so that the engine can
weigh them by exact odds (a variance reduction). Everything here stays within what Numba compiles.
"""

from typing import NamedTuple

import numpy as np

from triskele.core.bits import below, popcount
from triskele.core.bits import seed as new_rng
from triskele.core.compile import Program
from triskele.core.contract import Moves, State
from triskele.core.workspace import FloatCube, FloatMatrix, FloatVector, RngVector, Vector
from triskele.games.conquest.attack_margins import Reals, chance_to_take, holder, tokens_on
from triskele.games.conquest.engine.policy import ANALYSIS, policy_move
from triskele.games.conquest.evaluation import NUMBER_OF_FEATURES, Networks, chances
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
    MOVES,
    NUMBERS,
    PHASE,
    PLAYERS,
    POT,
    PURSES,
    REINFORCE,
    ROUND,
    SEAT,
    SEATS,
    SETUP,
    SIZE,
    SPLITS,
    SQUAD,
    STAY,
    TARGET,
    TRIPLE_TOKENS,
    _available,
    apply,
    legal,
    repulses_over,
    triple_field,
    winners,
)

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


def candidates(state: State, moves: Moves) -> int:
    """Fill ``moves`` with the legal moves that are worth rolling out, and return their number."""
    phase = state[PHASE]
    number = legal(state, moves)
    kept = 0
    for index in range(number):
        move = moves[index]
        keep = True
        if move not in (DONE, STAY):
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

# Outcomes of a battle over a held field are lost * (SQUAD + 1) + won; those over an empty one come after.
EMPTY = (SQUAD + 1) * (SQUAD + 1)
TAKEN = EMPTY + SQUAD + 1
NO_BATTLE = TAKEN + 1
"""The one outcome of a move that starts no battle."""
OUTCOMES = NO_BATTLE + 1
COUNT = 0
SQUARES = 1
VALUES = 2
"""Columns of the sums for an outcome: rollouts, the mover's results squared, and from here on each seat's results."""


def _battle_outcome(root: State, state: State, target: int) -> int:
    """Return the outcome of a battle over a field, from the positions before it and right after it."""
    seat = root[SEAT]
    defender = holder(root, target)
    if defender >= 0:
        lost = state[PURSES + defender] - root[PURSES + defender]
        return int(lost * (SQUAD + 1) + state[PURSES + seat] - root[PURSES + seat])
    if holder(state, target) == seat:
        return TAKEN
    return int(EMPTY + state[POT] - root[POT])


def _starts_battle(root: State, move: int) -> int:
    """Return the field over which a move starts a battle, -1 for none."""
    if root[PHASE] == DEFEND:
        return int(root[TARGET])
    if root[PHASE] != CONQUER or move == DONE:
        return -1
    target = (move - ATTACKS) // len(SPLITS)
    if target == root[SEAT] * BOARD + HOME and holder(root, target) < 0:
        return -1
    return int(target)


CANDIDATES, POLICY_MOVE, ROLL_OUT = range(3)
"""What :func:`run` is asked for."""

S_SEAT, S_ROUNDS, S_DECISIONS, S_EPSILON = range(4)
"""The words of ``settings``: whose results are squared, how many rounds a rollout goes on, how many decisions it has at
most, and how many in a thousand of them are random."""
SETTINGS = 4


class RolloutWorkspace(NamedTuple):
    """The evaluation's networks, the policy's parameters, and the arrays of one thread."""

    networks: FloatCube
    parameters: FloatVector
    state: Vector
    """The position that a rollout has come to."""
    moves: Vector
    analysis: FloatVector
    """Scratch of the policy."""
    path_costs: FloatVector
    features: FloatMatrix
    fields: Vector
    chances: FloatVector
    """Each seat's chance to win at the end of a rollout."""
    rng: RngVector


def new_workspace(networks: Networks, parameters: Reals, seed: int) -> RolloutWorkspace:
    """Allocate the arrays of one thread, with a random generator of its own."""
    return RolloutWorkspace(
        networks=networks,
        parameters=parameters,
        state=np.zeros(SIZE, dtype=np.int64),
        moves=np.zeros(MOVES, dtype=np.int64),
        analysis=np.zeros(ANALYSIS),
        path_costs=np.zeros(FIELDS),
        features=np.zeros((SEATS, NUMBER_OF_FEATURES)),
        fields=np.zeros(FIELDS, dtype=np.int64),
        chances=np.zeros(SEATS),
        rng=new_rng(seed),
    )


def run(ws: RolloutWorkspace, query: int, root: State, move: int, settings: Moves, number: int, sums: Reals) -> int:
    """Answer a query about the position ``root``. One program serves all, as each alone takes half as long to compile.

    ``CANDIDATES`` fills ``ws.moves`` with the moves worth rolling out and returns their number. ``POLICY_MOVE`` returns
    the policy's move. ``ROLL_OUT`` plays on ``number`` times after ``move``, adds the results to ``sums``, a row for
    each outcome of the battle that the move starts, and returns how many decisions were made.
    """
    if query == CANDIDATES:
        return candidates(root, ws.moves)
    state = ws.state
    decisions = 0
    for _ in range(number):
        for word in range(SIZE):
            state[word] = root[word]
        last_round = root[ROUND] + settings[S_ROUNDS]
        decision_limit = decisions + settings[S_DECISIONS]
        target = _starts_battle(root, move) if query == ROLL_OUT else -1
        outcome = NO_BATTLE
        chosen = move
        # ``apply`` and ``policy_move`` are called in one place each: every call more takes a compiler seconds.
        while True:
            if query == ROLL_OUT:
                # Step 1. Make the move; note the outcome of the first battle when it is over.
                apply(state, chosen)
                phase = state[PHASE]
                if target >= 0 and phase not in (BATTLE, DEFEND):
                    outcome = _battle_outcome(root, state, target)
                    target = -1

                # Step 2. The rollout ends with the game; after the first battle, also with a round or by its limit.
                round_over = phase == INITIATIVE and state[ROUND] >= last_round
                if phase == FINISHED or (target < 0 and (round_over or decisions >= decision_limit)):
                    break

                # Step 3. Dice, and the defence in the first battle.
                if phase in (BATTLE, INITIATIVE):
                    chosen = below(ws.rng, FACES)
                    continue
                if target >= 0:
                    chosen = DEFENCES + min(SQUAD, tokens_on(state, target)) - 1
                    continue

            # Step 4. The policy decides.
            chosen = policy_move(
                state, ws.moves, ws.parameters, ws.analysis, ws.path_costs, ws.rng, settings[S_EPSILON]
            )
            decisions += 1
            if query == POLICY_MOVE:
                return chosen

        # Step 5. Evaluate the position, and add the result.
        _final_chances(ws)
        _add_result(ws, sums[outcome], settings[S_SEAT])
    return decisions


def _final_chances(ws: RolloutWorkspace) -> None:
    """Leave each seat's chance to win in ``ws.chances``: shared by the winners of a finished game, else evaluated."""
    state = ws.state
    if state[PHASE] == FINISHED:
        won = winners(state)
        for seat in range(state[PLAYERS]):
            ws.chances[seat] = (won >> seat & 1) / popcount(won)
    else:
        chances(state, ws.networks, ws.features, ws.path_costs, ws.fields, ws.chances)


def _add_result(ws: RolloutWorkspace, sums: Reals, seat: int) -> None:
    """Add the result of a rollout to the sums of one outcome."""
    sums[COUNT] += 1.0
    sums[SQUARES] += ws.chances[seat] * ws.chances[seat]
    for other in range(ws.state[PLAYERS]):
        sums[VALUES + other] += ws.chances[other]


RUN = Program(
    run,
    "int64(RolloutWorkspace, int64, int64[::1], int64, int64[::1], int64, float64[:,::1])",
    (RolloutWorkspace,),
)
