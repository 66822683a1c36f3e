"""A sensible player by rules of thumb.

It reinforces the front and a home in danger, attacks with good odds, defends with all it has and moves up.

It is the engine ``script``, the control that better ones have to beat. It stays as it is: when they change, this is
what they are measured against. Everything here stays within what Numba compiles.
"""

from triskele.core.contract import Moves, State
from triskele.games.conquest import odds
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.marches import FAR, STEPS, chance_to_take, holder, tokens_on
from triskele.games.conquest.rules import (
    ADVANTAGE,
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
    MARATHON,
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

GUARD = 4
"""So many tokens stay at home when an army leaves it."""
GOOD = 600
"""The chance in a thousand to take a field that is good enough to begin with it; for a home a little less will do."""
GOOD_FOR_HOME = 500


def _to_goal(state: State, seat: int, field: int) -> int:
    """Return how far a field is from the nearest home of another."""
    least = FAR
    for other in range(state[PLAYERS]):
        if other != seat and state[IN] >> other & 1:
            least = min(least, STEPS[state[SETUP], other, field])
    return int(least)


def _is_front(state: State, seat: int, field: int) -> bool:
    """Whether a field borders one that is not the seat's own."""
    for slot in range(3):
        near = BORDER[state[SETUP], field, slot]
        if near >= 0 and holder(state, near) != seat:
            return True
    return False


def _home_in_danger(state: State, seat: int) -> bool:
    """Whether somebody near could bring more tokens to the seat's home than it has."""
    guard = tokens_on(state, seat * BOARD + HOME)
    for field in range(state[PLAYERS] * BOARD):
        steps = STEPS[state[SETUP], seat, field]
        foreign = state[ON + field] != 0 and holder(state, field) != seat
        if foreign and 1 <= steps <= 2 and tokens_on(state, field) - steps > guard:
            return True
    return False


def _need(state: State, seat: int, field: int, danger: bool) -> int:
    """Return how badly tokens are needed on an own field."""
    need = min(tokens_on(state, field), 40) - 100 * _to_goal(state, seat, field)
    if _is_front(state, seat, field):
        need += 10_000
    if danger and field == seat * BOARD + HOME:
        need += 20_000
    return need


def _reinforcement(state: State, seat: int, move: int, danger: bool) -> int:
    """Return the rank of a reinforcement: triples before home tokens, the most tokens first."""
    if move == DONE:
        return -1_000_000
    if move < ATTACKS:
        return _need(state, seat, move - HOME_TOKEN, danger)
    choice = move - TRIPLE_TOKENS
    field = triple_field(state[SETUP], choice // (3 * FACES), choice // FACES % 3)
    return 100_000 * (choice % FACES + 1) + _need(state, seat, field, danger)


def _attack(state: State, seat: int, move: int) -> int:
    """Return the rank of an attack from one field in force, negative where the odds are not good enough."""
    if move == DONE:
        return 0
    target = (move - ATTACKS) // len(SPLITS)
    split = (move - ATTACKS) % len(SPLITS)
    if target == seat * BOARD + HOME:
        return 10_000
    slot = 0
    while SPLITS[split, slot] == 0:
        slot += 1
    committed = SPLITS[split, slot]
    source = BORDER[state[SETUP], target, slot]
    army = tokens_on(state, source)
    if committed < min(odds.MOST, army - 1):  # not in force, or from several fields
        return -1
    lord = target // BOARD
    is_goal = target % BOARD == HOME and state[IN] >> lord & 1 == 1 and not state[MARATHON]
    if source == seat * BOARD + HOME and army <= GUARD + 1 and not is_goal:
        return -1
    chance = chance_to_take(state, target, army, repulses_over(state, target, slot))
    if chance < (GOOD_FOR_HOME if is_goal else GOOD):
        return -1
    if is_goal:
        return int(4000 + chance)
    if state[ON + target] != 0:
        return int(3000 + chance)
    return int(2000 + chance) if lord == seat else int(1000 + chance)


def _following(state: State, seat: int, move: int) -> int:
    """Return the rank of letting tokens follow: all that can be spared, where it goes towards another home."""
    if move == STAY:
        return 0
    target = state[TARGET]
    source = (move - FOLLOWING) % FIELDS
    tokens = (move - FOLLOWING) // FIELDS + 1
    keep = GUARD if source == seat * BOARD + HOME else 1
    onward = _to_goal(state, seat, target) < _to_goal(state, seat, source) or not _is_front(state, seat, source)
    return tokens if onward and tokens_on(state, source) - tokens >= keep else -1


def _advance(state: State, seat: int, move: int) -> int:
    """Return the rank of an advantage move: the most tokens from behind the front, towards another home."""
    if move == DONE:
        return 0
    source = (move - ADVANTAGES) // 3 % FIELDS
    goal = BORDER[state[SETUP], source, (move - ADVANTAGES) % 3]
    tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
    keep = GUARD if source == seat * BOARD + HOME else 1
    nearer = _to_goal(state, seat, source) - _to_goal(state, seat, goal)
    if tokens_on(state, source) - tokens < keep or nearer <= 0 or _is_front(state, seat, source):
        return -1
    return tokens * 10 + nearer


def thumb(state: State, moves: Moves) -> int:
    """Return the move of the seat to act. ``moves`` is scratch."""
    phase = state[PHASE]
    seat = state[SEAT]
    number = legal(state, moves)
    if number == 1:
        return int(moves[0])
    if phase == DEFEND:
        return int(moves[number - 1])
    danger = phase == REINFORCE and _home_in_danger(state, seat)
    best = -1
    chosen = DONE if phase != FOLLOW else STAY
    if phase == REINFORCE:
        best = -10_000_000
    for index in range(number):
        move = moves[index]
        rank = 0
        if phase == REINFORCE:
            rank = _reinforcement(state, seat, move, danger)
        elif phase == CONQUER:
            rank = _attack(state, seat, move)
        elif phase == FOLLOW:
            rank = _following(state, seat, move)
        elif phase == ADVANTAGE:
            rank = _advance(state, seat, move)
        if rank > best:
            best = rank
            chosen = move
    return int(chosen)
