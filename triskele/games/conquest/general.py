"""A general: he counts what a march to a home would cost, keeps his own safe, and takes fields for their income.

Everything turns on margins (see :mod:`triskele.games.conquest.marches`): what an army is expected to
have left when it has fought its way to a home. A march begins when the margin is good enough; home keeps
enough tokens that nobody else's margin against it is; the rest takes fields whose numbers make triples.

The numbers that say what is good enough (a plan) are tuned by play. Everything here stays within what Numba
compiles.
"""

from triskele.core.bits import Rng, below
from triskele.core.contract import Moves, State
from triskele.games.conquest import odds
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.marches import (
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
"""What the numbers of a plan say: the margin that starts a march; how far others' margins against the home have to be
below 0; the chance in a thousand to take a field that is good enough; what is a field worth that completes a triple,
that is one more of its kind, for its number; a foreign army cleared off the own board; a step nearer to a goal; any
foreign army beaten; the tokens that an army of the home leaves behind at least. ``training`` finds them.
"""

_NEVER = -1.0e9

# What the general finds out before he decides, in ``mind``: the danger to his home, the best margin of his own,
# the army that has it, its goal, and the next field on its way.
DANGER, BEST, ARMY, GOAL, NEXT = range(5)
MIND = 5


def _danger(state: State, seat: int, needed: Reals) -> float:
    """Return the best margin that anybody has against the seat's home."""
    worst = NO_MARGIN
    for other in range(state[PLAYERS]):
        if other != seat and state[IN] >> other & 1:
            worst = max(worst, margin(state, other, seat, needed))
    return worst


def consider(state: State, seat: int, mind: Reals, needed: Reals) -> None:
    """Fill in ``mind``."""
    mind[DANGER] = _danger(state, seat, needed)
    mind[BEST] = NO_MARGIN
    mind[ARMY] = -1.0
    mind[GOAL] = -1.0
    mind[NEXT] = -1.0
    setup = state[SETUP]
    for other in range(state[PLAYERS]):
        if other == seat or state[IN] >> other & 1 == 0:
            continue
        if margin(state, seat, other, needed) <= mind[BEST]:
            continue
        for field in range(state[PLAYERS] * BOARD):
            if holder(state, field) != seat or needed[field] >= FAR:
                continue
            left = tokens_on(state, field) - 1.0 - needed[field]
            if left > mind[BEST]:
                mind[BEST] = left
                mind[ARMY] = field
                mind[GOAL] = other
                least = 1.0e9
                for slot in range(3):
                    near = BORDER[setup, field, slot]
                    if near >= 0 and holder(state, near) != seat and needed[near] < FAR:
                        tokens = needed[near] + cost(state, near)
                        if tokens < least:
                            least = tokens
                            mind[NEXT] = near


def _of_a_kind(state: State, seat: int, field: int) -> int:
    """Return how many other fields with this number the seat holds on the same board, its home not counted."""
    board = field // BOARD * BOARD
    count = 0
    for index in range(BOARD):
        other = board + index
        same = state[NUMBERS + index] == state[NUMBERS + field % BOARD]
        if same and other != field and holder(state, other) == seat and other != seat * BOARD + HOME:
            count += 1
    return count


def _worth_taking(state: State, seat: int, field: int, plan: Reals) -> float:
    """Return what a field is worth besides being on a way."""
    number = state[NUMBERS + field % BOARD]
    kind = _of_a_kind(state, seat, field)
    worth = plan[NUMBER] * number
    worth += plan[TRIPLE] * number if kind % 3 == 2 else plan[PART] * number * (kind % 3)
    if state[ON + field] != 0:
        worth += plan[STRIKE]
        if field // BOARD == seat:
            worth += plan[CLEAR]
    return float(worth)


def _attack(state: State, seat: int, move: int, plan: Reals, mind: Reals) -> float:
    """Return the rank of an attack; below 0 it is not made."""
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
    marching = mind[BEST] >= plan[GO] and source == mind[ARMY]
    if marching:
        return 1.0e5 if target == mind[NEXT] else -1.0
    spare = army - 1.0
    if source == home:
        spare = min(spare, -(mind[DANGER] + plan[SAFE]))
    if spare < 1.0:
        return -1.0
    chance = chance_to_take(state, target, min(int(spare) + 1, army), repulses_over(state, target, slot))
    if chance < plan[CHANCE]:
        return -1.0
    goal = int(mind[GOAL])
    nearer = 0.0
    if goal >= 0:
        nearer = plan[NEARER] * (STEPS[setup, goal, source] - STEPS[setup, goal, target])
    return float((_worth_taking(state, seat, target, plan) + nearer + 0.01) * chance)


def _reinforcement(state: State, seat: int, move: int, plan: Reals, mind: Reals) -> float:
    """Return the rank of a reinforcement: first make the home safe, then the best army strong."""
    if move == DONE:
        return _NEVER
    field = move - HOME_TOKEN
    tokens = 1
    rank = 0.0
    if move >= TRIPLE_TOKENS:
        choice = move - TRIPLE_TOKENS
        field = triple_field(state[SETUP], choice // (3 * FACES), choice // FACES % 3)
        tokens = choice % FACES + 1
        rank = 1.0e6 * tokens
    home = seat * BOARD + HOME
    if field == home:
        return rank + (1.0e5 if mind[DANGER] > -plan[SAFE] else 50.0)
    if field == mind[ARMY]:
        return rank + 1.0e3
    foreign = 0
    for slot in range(3):
        near = BORDER[state[SETUP], field, slot]
        if near >= 0 and holder(state, near) != seat:
            foreign += 1
    steps = 0
    goal = int(mind[GOAL])
    if goal >= 0:
        steps = STEPS[state[SETUP], goal, field]
    return rank + (100.0 if foreign > 0 else 0.0) - 10.0 * steps + min(tokens_on(state, field), 20)


def _kept(state: State, seat: int, source: int, plan: Reals, mind: Reals) -> float:
    """Return how many tokens should stay on a field."""
    if source != seat * BOARD + HOME:
        return 1.0
    guard = tokens_on(state, source) + mind[DANGER] + plan[SAFE]
    # A march that is as good as won needs no guard beyond the least.
    if mind[BEST] - guard < plan[GO] <= mind[BEST]:
        guard = mind[BEST] - plan[GO]
    return float(max(plan[KEEP], guard))


def _following(state: State, seat: int, move: int, plan: Reals, mind: Reals) -> float:
    """Return the rank of letting tokens follow into a field just taken."""
    if move == STAY:
        return 0.0
    source = (move - FOLLOWING) % FIELDS
    tokens = (move - FOLLOWING) // FIELDS + 1
    if tokens_on(state, source) - tokens < _kept(state, seat, source, plan, mind):
        return -1.0
    goal = int(mind[GOAL])
    if goal < 0:
        return -1.0
    steps = STEPS[state[SETUP], goal, source] - STEPS[state[SETUP], goal, state[TARGET]]
    closed = True
    for slot in range(3):
        near = BORDER[state[SETUP], source, slot]
        if near >= 0 and holder(state, near) != seat:
            closed = False
    return tokens if steps > 0 or closed else -1.0


def _advance(state: State, seat: int, move: int, plan: Reals, mind: Reals) -> float:
    """Return the rank of an advantage move: to a home in danger, else towards the best army and the goal."""
    if move == DONE:
        return 0.0
    source = (move - ADVANTAGES) // 3 % FIELDS
    aim = BORDER[state[SETUP], source, (move - ADVANTAGES) % 3]
    tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
    home = seat * BOARD + HOME
    if tokens_on(state, source) - tokens < _kept(state, seat, source, plan, mind):
        return -1.0
    if aim == home and mind[DANGER] > -plan[SAFE]:
        return 1000.0 + tokens
    goal = int(mind[GOAL])
    if source == mind[ARMY] or goal < 0:
        return -1.0
    if aim == mind[ARMY]:
        return 100.0 + tokens
    nearer = STEPS[state[SETUP], goal, source] - STEPS[state[SETUP], goal, aim]
    return tokens if nearer > 0 and tokens > 1 else -1.0


def command(state: State, moves: Moves, plan: Reals, mind: Reals, needed: Reals, rng: Rng, whim: int) -> int:
    """Return the move of the seat to act; so many decisions in a thousand are left to chance."""
    phase = state[PHASE]
    number = legal(state, moves)
    if number == 1:
        return int(moves[0])
    if whim > 0 and below(rng, 1000) < whim:
        return int(moves[below(rng, number)])
    if phase == DEFEND:
        return int(moves[number - 1])
    seat = state[SEAT]
    consider(state, seat, mind, needed)
    best = -0.5
    chosen = STAY if phase == FOLLOW else DONE
    if phase == REINFORCE:
        best = 2 * _NEVER
    for index in range(number):
        move = moves[index]
        rank = 0.0
        if phase == CONQUER:
            rank = _attack(state, seat, move, plan, mind)
        elif phase == REINFORCE:
            rank = _reinforcement(state, seat, move, plan, mind)
        elif phase == FOLLOW:
            rank = _following(state, seat, move, plan, mind)
        else:
            rank = _advance(state, seat, move, plan, mind)
        if rank > best:
            best = rank
            chosen = move
    return int(chosen)
