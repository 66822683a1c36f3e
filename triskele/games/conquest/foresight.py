"""Foresight: what a move leads to when everybody goes on like the general, some rounds ahead.

A battle that the move starts is a chance node: its ends are told apart, and their exact odds weigh what was found
behind each. Everything here stays within what Numba compiles.
"""

from triskele.core.bits import Rng, below, popcount
from triskele.core.compile import Program
from triskele.core.contract import Moves, State
from triskele.games.conquest.evaluation import Networks, chances
from triskele.games.conquest.general import command
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.marches import Reals, chance_to_take, holder, tokens_on
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
    POT,
    PURSES,
    REINFORCE,
    ROUND,
    SEAT,
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

# --- moves worth a thought --------------------------------------------------------------------------------


HOPELESS = 250
"""Attacks with a lower chance in a thousand to take the field this turn are not worth a thought."""


def _in_force(state: State, move: int) -> bool:
    """Whether an attack has hope and as many tokens as it can have, from one field if that has enough."""
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
    """Whether a triple gives as much as it can."""
    if move < TRIPLE_TOKENS:
        return True
    choice = move - TRIPLE_TOKENS
    field = triple_field(state[SETUP], choice // (3 * FACES), choice // FACES % 3)
    most = min(state[NUMBERS + field % BOARD], state[PURSES + state[SEAT]])
    return bool(choice % FACES + 1 == most)


def _worth_while(state: State, move: int) -> bool:
    """Whether an advantage move, or tokens that follow, are all, all but one, or half of those there."""
    if move >= ADVANTAGES:
        tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
        here = tokens_on(state, (move - ADVANTAGES) // 3 % FIELDS)
    else:
        tokens = (move - FOLLOWING) // FIELDS + 1
        here = tokens_on(state, (move - FOLLOWING) % FIELDS)
    return here - tokens < 2 or tokens == here // 2


def candidates(state: State, moves: Moves) -> int:
    """Fill in the legal moves that are worth a thought, and return their number."""
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


# --- imagined games -----------------------------------------------------------------------------------------

# The ends of a battle over a held field are lost * (SQUAD + 1) + won; those over an empty one come after.
EMPTY = (SQUAD + 1) * (SQUAD + 1)
TAKEN = EMPTY + SQUAD + 1
QUIET = TAKEN + 1
"""The one end of a move that starts no battle."""
ENDS = QUIET + 1
COUNT = 0
SQUARES = 1
VALUES = 2
"""Of each end: how many games, the sum of squares of the mover's results, and each seat's sum of results."""


def _end_of_battle(root: State, state: State, target: int) -> int:
    """Return how a battle over a field ended, from the positions before it and right after it."""
    seat = root[SEAT]
    defender = holder(root, target)
    if defender >= 0:
        lost = state[PURSES + defender] - root[PURSES + defender]
        return int(lost * (SQUAD + 1) + state[PURSES + seat] - root[PURSES + seat])
    if holder(state, target) == seat:
        return TAKEN
    return int(EMPTY + state[POT] - root[POT])


def _starts_battle(root: State, move: int) -> int:
    """Return the field over which a move starts a battle, or -1."""
    if root[PHASE] == DEFEND:
        return int(root[TARGET])
    if root[PHASE] != CONQUER or move == DONE:
        return -1
    target = (move - ATTACKS) // len(SPLITS)
    if target == root[SEAT] * BOARD + HOME and holder(root, target) < 0:
        return -1
    return int(target)


CANDIDATES, COMMAND, IMAGINE = range(3)
"""What can be asked."""


def counsel(
    question: int, root: State, move: int, seat: int, rounds: int, limit: int, games: int, whim: int,
    weights: Networks, plan: Reals, state: State, moves: Moves, mind: Reals, needed: Reals, facts: Reals, fields: Moves,
    out: Reals, rng: Rng, found: Reals,
) -> int:  # fmt: skip
    """Answer a question of the marshal's. They are one program because each alone would take a compiler half as long.

    ``CANDIDATES`` fills in ``moves`` with those worth a thought and returns their number; ``COMMAND`` returns the
    general's move. ``IMAGINE`` plays on after ``move`` so many times, adds to ``found`` what came out by the end of the
    first battle, and returns the decisions made. Games are judged when so many rounds have ended, or ``limit``
    decisions were made, or won and lost before; ``whim`` in a thousand decisions are left to chance. From ``state`` to
    ``out`` is scratch.
    """
    if question == CANDIDATES:
        return candidates(root, moves)
    made = 0
    for _ in range(games):
        for word in range(SIZE):
            state[word] = root[word]
        until = root[ROUND] + rounds
        last = made + limit
        target = _starts_battle(root, move) if question == IMAGINE else -1
        end = QUIET
        chosen = move
        asked = question == COMMAND
        # There is one call each of ``apply`` and ``command``: every one more takes a compiler seconds.
        while True:
            if not asked:
                apply(state, chosen)
                phase = state[PHASE]
                if target >= 0 and phase not in (BATTLE, DEFEND):
                    end = _end_of_battle(root, state, target)
                    target = -1
                judged = phase == INITIATIVE and state[ROUND] >= until
                if phase == FINISHED or (target < 0 and (judged or made >= last)):
                    break
                if phase in (BATTLE, INITIATIVE):
                    chosen = below(rng, FACES)
                    continue
                if target >= 0:
                    chosen = DEFENCES + min(SQUAD, tokens_on(state, target)) - 1
                    continue
            chosen = command(state, moves, plan, mind, needed, rng, whim)
            made += 1
            if asked:
                return chosen
        if state[PHASE] == FINISHED:
            won = winners(state)
            for other in range(state[PLAYERS]):
                out[other] = (won >> other & 1) / popcount(won)
        else:
            chances(state, weights, facts, needed, fields, out)
        found[end, COUNT] += 1.0
        found[end, SQUARES] += out[seat] * out[seat]
        for other in range(state[PLAYERS]):
            found[end, VALUES + other] += out[other]
    return made


COUNSEL = Program(
    counsel,
    "int64(int64, int64[::1], int64, int64, int64, int64, int64, int64, float64[:,:,::1], float64[::1],"
    " int64[::1], int64[::1], float64[::1], float64[::1], float64[:,::1], int64[::1], float64[::1],"
    " uint64[::1], float64[:,::1])",
)
