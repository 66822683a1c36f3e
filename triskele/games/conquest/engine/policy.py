"""The policy: one move a position from a greedy score, fast enough to play out whole games with.

It decides by margins (see :mod:`triskele.games.conquest.attack_margins`): what an army is expected to have left when it
has fought its way to a home. An army marches on a home once its margin is large enough; the own home keeps enough
tokens that no margin against it is large; everything else takes fields whose numbers make triples.

The thresholds and values are ten *policy parameters*, tuned by play (:mod:`triskele.games.conquest.training`).
The rollouts of :mod:`~triskele.games.conquest.engine.rollouts` play with this policy. Everything here stays within what
Numba compiles.
"""

from triskele.core.bits import Rng, below
from triskele.core.contract import Moves, State
from triskele.games.conquest import odds
from triskele.games.conquest.attack_margins import (
    FAR,
    NO_MARGIN,
    STEPS,
    Reals,
    chance_to_take,
    cost,
    holder,
    margin,
    tokens_on,
)
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.rules import (
    ADVANTAGES,
    ATTACKS,
    CONQUER,
    DEFEND,
    DONE,
    FACES,
    FOLLOW,
    FOLLOWING,
    HOME_TOKEN,
    IN,
    NUMBERS,
    ON,
    PHASE,
    PLAYERS,
    REINFORCE,
    SEAT,
    SETUP,
    SPLITS,
    STAY,
    TARGET,
    TRIPLE_TOKENS,
    legal,
    repulses_over,
    triple_field,
)

GO, SAFE, CHANCE, TRIPLE, PART, NUMBER, CLEAR, NEARER, STRIKE, KEEP = range(10)
"""Indices of the policy parameters.

``GO``      the margin from which on an army marches on a home
``SAFE``    how far below 0 every margin against the own home has to be
``CHANCE``  the least chance to take a field at which it is attacked, in thousandths
``TRIPLE``, ``PART``, ``NUMBER``  the value of a field by its number: if it completes a triple, for each other field of
            the same number held beside it, and in any case
``CLEAR``   the value of beating a foreign army on the own board
``NEARER``  the value of a step nearer to the home that is marched on
``STRIKE``  the value of beating any foreign army
``KEEP``    the least number of tokens that stay at home when others leave it
"""

_NEVER = -1.0e9
"""Below every score of a move."""

DANGER, BEST, ARMY, GOAL, NEXT = range(5)
"""Indices of the analysis that all scores of a position use.

The largest margin against the own home, the largest own margin, the field of the army that has it, the seat whose home
it is nearest to taking, and the next field on its path; -1 where there is none.
"""
ANALYSIS = 5
"""Numbers in an analysis."""


def _danger(state: State, seat: int, path_costs: Reals) -> float:
    """Return the largest margin that any other seat has against the seat's home."""
    worst = NO_MARGIN
    for other in range(state[PLAYERS]):
        if other != seat and state[IN] >> other & 1:
            worst = max(worst, margin(state, other, seat, path_costs))
    return worst


def fill_analysis(state: State, seat: int, analysis: Reals, path_costs: Reals) -> None:
    """Fill in ``analysis`` for a seat. ``path_costs`` is scratch, a number for each field."""
    analysis[DANGER] = _danger(state, seat, path_costs)
    analysis[BEST] = NO_MARGIN
    analysis[ARMY] = -1.0
    analysis[GOAL] = -1.0
    analysis[NEXT] = -1.0
    setup = state[SETUP]
    for other in range(state[PLAYERS]):
        if other == seat or state[IN] >> other & 1 == 0:
            continue
        if margin(state, seat, other, path_costs) <= analysis[BEST]:
            continue
        for field in range(state[PLAYERS] * BOARD):
            if holder(state, field) != seat or path_costs[field] >= FAR:
                continue
            left = tokens_on(state, field) - 1.0 - path_costs[field]
            if left > analysis[BEST]:
                analysis[BEST] = left
                analysis[ARMY] = field
                analysis[GOAL] = other
                least = 1.0e9
                for slot in range(3):
                    near = BORDER[setup, field, slot]
                    if near >= 0 and holder(state, near) != seat and path_costs[near] < FAR:
                        tokens = path_costs[near] + cost(state, near)
                        if tokens < least:
                            least = tokens
                            analysis[NEXT] = near


def _count_same_number(state: State, seat: int, field: int) -> int:
    """Return how many other fields of the same number the seat holds on the same board, its home not counted."""
    board = field // BOARD * BOARD
    count = 0
    for index in range(BOARD):
        other = board + index
        same = state[NUMBERS + index] == state[NUMBERS + field % BOARD]
        if same and other != field and holder(state, other) == seat and other != seat * BOARD + HOME:
            count += 1
    return count


def _field_value(state: State, seat: int, field: int, parameters: Reals) -> float:
    """Return the value of a field apart from where it lies: for triples, and for the army on it."""
    number = state[NUMBERS + field % BOARD]
    same = _count_same_number(state, seat, field)
    worth = parameters[NUMBER] * number
    worth += parameters[TRIPLE] * number if same % 3 == 2 else parameters[PART] * number * (same % 3)
    if state[ON + field] != 0:
        worth += parameters[STRIKE]
        if field // BOARD == seat:
            worth += parameters[CLEAR]
    return float(worth)


def _attack_score(state: State, seat: int, move: int, parameters: Reals, analysis: Reals) -> float:
    """Return the score of an attack, negative for those not made: not in full force, from several fields, bad odds."""
    if move == DONE:
        return 0.0
    setup = state[SETUP]
    target = (move - ATTACKS) // len(SPLITS)
    split = (move - ATTACKS) % len(SPLITS)
    home = seat * BOARD + HOME
    if target == home:
        return 1.0e6
    slot = 0
    while SPLITS[split, slot] == 0:
        slot += 1
    source = BORDER[setup, target, slot]
    army = tokens_on(state, source)
    if SPLITS[split, slot] < min(odds.MOST, army - 1):
        return -1.0
    marching = analysis[BEST] >= parameters[GO] and source == analysis[ARMY]
    if marching:
        return 1.0e5 if target == analysis[NEXT] else -1.0
    spare = army - 1.0
    if source == home:
        spare = min(spare, -(analysis[DANGER] + parameters[SAFE]))
    if spare < 1.0:
        return -1.0
    chance = chance_to_take(state, target, min(int(spare) + 1, army), repulses_over(state, target, slot))
    if chance < parameters[CHANCE]:
        return -1.0
    goal = int(analysis[GOAL])
    nearer = 0.0
    if goal >= 0:
        nearer = parameters[NEARER] * (STEPS[setup, goal, source] - STEPS[setup, goal, target])
    return float((_field_value(state, seat, target, parameters) + nearer + 0.01) * chance)


def _reinforcement_score(state: State, seat: int, move: int, parameters: Reals, analysis: Reals) -> float:
    """Return the score of a reinforcement: first make the home safe, then strengthen the army with the best margin."""
    if move == DONE:
        return _NEVER
    field = move - HOME_TOKEN
    tokens = 1
    score = 0.0
    if move >= TRIPLE_TOKENS:
        choice = move - TRIPLE_TOKENS
        field = triple_field(state[SETUP], choice // (3 * FACES), choice // FACES % 3)
        tokens = choice % FACES + 1
        score = 1.0e6 * tokens
    home = seat * BOARD + HOME
    if field == home:
        return score + (1.0e5 if analysis[DANGER] > -parameters[SAFE] else 50.0)
    if field == analysis[ARMY]:
        return score + 1.0e3
    foreign = 0
    for slot in range(3):
        near = BORDER[state[SETUP], field, slot]
        if near >= 0 and holder(state, near) != seat:
            foreign += 1
    steps = 0
    goal = int(analysis[GOAL])
    if goal >= 0:
        steps = STEPS[state[SETUP], goal, field]
    return score + (100.0 if foreign > 0 else 0.0) - 10.0 * steps + min(tokens_on(state, field), 20)


def _tokens_to_keep(state: State, seat: int, source: int, parameters: Reals, analysis: Reals) -> float:
    """Return how many tokens should stay on a field that others leave."""
    if source != seat * BOARD + HOME:
        return 1.0
    guard = tokens_on(state, source) + analysis[DANGER] + parameters[SAFE]
    # Where the whole guard would bring a margin of ``GO`` below it, only what the march can spare stays.
    if analysis[BEST] - guard < parameters[GO] <= analysis[BEST]:
        guard = analysis[BEST] - parameters[GO]
    return float(max(parameters[KEEP], guard))


def _follow_score(state: State, seat: int, move: int, parameters: Reals, analysis: Reals) -> float:
    """Return the score of letting tokens follow into a field just taken."""
    if move == STAY:
        return 0.0
    source = (move - FOLLOWING) % FIELDS
    tokens = (move - FOLLOWING) // FIELDS + 1
    if tokens_on(state, source) - tokens < _tokens_to_keep(state, seat, source, parameters, analysis):
        return -1.0
    goal = int(analysis[GOAL])
    if goal < 0:
        return -1.0
    steps = STEPS[state[SETUP], goal, source] - STEPS[state[SETUP], goal, state[TARGET]]
    closed = True
    for slot in range(3):
        near = BORDER[state[SETUP], source, slot]
        if near >= 0 and holder(state, near) != seat:
            closed = False
    return tokens if steps > 0 or closed else -1.0


def _advantage_score(state: State, seat: int, move: int, parameters: Reals, analysis: Reals) -> float:
    """Return the score of an advantage move: to a home in danger, else towards the best army and the goal."""
    if move == DONE:
        return 0.0
    source = (move - ADVANTAGES) // 3 % FIELDS
    aim = BORDER[state[SETUP], source, (move - ADVANTAGES) % 3]
    tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
    home = seat * BOARD + HOME
    if tokens_on(state, source) - tokens < _tokens_to_keep(state, seat, source, parameters, analysis):
        return -1.0
    if aim == home and analysis[DANGER] > -parameters[SAFE]:
        return 1000.0 + tokens
    goal = int(analysis[GOAL])
    if source == analysis[ARMY] or goal < 0:
        return -1.0
    if aim == analysis[ARMY]:
        return 100.0 + tokens
    nearer = STEPS[state[SETUP], goal, source] - STEPS[state[SETUP], goal, aim]
    return tokens if nearer > 0 and tokens > 1 else -1.0


def policy_move(
    state: State, moves: Moves, parameters: Reals, analysis: Reals, path_costs: Reals, rng: Rng, epsilon: int
) -> int:
    """Return the move with the highest score for the seat to act, of equals the first.

    The policy is epsilon-greedy: ``epsilon`` in a thousand decisions are uniformly random. ``moves`` is a buffer of
    ``MOVES`` codes, ``analysis`` and ``path_costs`` are scratch.
    """
    phase = state[PHASE]
    number = legal(state, moves)
    if number == 1:
        return int(moves[0])
    if epsilon > 0 and below(rng, 1000) < epsilon:
        return int(moves[below(rng, number)])
    if phase == DEFEND:
        return int(moves[number - 1])
    seat = state[SEAT]
    fill_analysis(state, seat, analysis, path_costs)
    best = -0.5
    chosen = STAY if phase == FOLLOW else DONE
    if phase == REINFORCE:
        best = 2 * _NEVER
    for index in range(number):
        move = moves[index]
        score = 0.0
        if phase == CONQUER:
            score = _attack_score(state, seat, move, parameters, analysis)
        elif phase == REINFORCE:
            score = _reinforcement_score(state, seat, move, parameters, analysis)
        elif phase == FOLLOW:
            score = _follow_score(state, seat, move, parameters, analysis)
        else:
            score = _advantage_score(state, seat, move, parameters, analysis)
        if score > best:
            best = score
            chosen = move
    return int(chosen)
