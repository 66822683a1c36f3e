"""The baseline: a rule-based engine under the name ``script``.

It reinforces the front and a home in danger, attacks with good odds, defends with all it has and moves up. It is the
control that better engines have to beat, and stays as it is: strength is measured against it. :func:`heuristic_move`
and what it calls stay within what Numba compiles, because training plays against it.
"""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from triskele.core.contract import Moves, State
from triskele.core.contract.engine import Engine, Info, Task
from triskele.core.game import Game
from triskele.games.conquest import odds
from triskele.games.conquest.attack_margins import FAR, STEPS, chance_to_take, holder, tokens_on
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
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
    MOVES,
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
"""Tokens that stay at home when an army leaves it."""
GOOD_CHANCE = 600
"""The least chance to take a field at which it is attacked, in thousandths."""
GOOD_CHANCE_FOR_HOME = 500
"""The same for a home."""


def _steps_to_goal(state: State, seat: int, field: int) -> int:
    """Return the distance of a field from the nearest home of another seat, in borders."""
    least = FAR
    for other in range(state[PLAYERS]):
        if other != seat and state[IN] >> other & 1:
            least = min(least, STEPS[state[SETUP], other, field])
    return int(least)


def _is_front(state: State, seat: int, field: int) -> bool:
    """Return whether a field borders one that is not the seat's own."""
    for slot in range(3):
        near = BORDER[state[SETUP], field, slot]
        if near >= 0 and holder(state, near) != seat:
            return True
    return False


def _home_in_danger(state: State, seat: int) -> bool:
    """Return whether an army within two borders could bring more tokens to the seat's home than lie there."""
    guard = tokens_on(state, seat * BOARD + HOME)
    for field in range(state[PLAYERS] * BOARD):
        steps = STEPS[state[SETUP], seat, field]
        foreign = state[ON + field] != 0 and holder(state, field) != seat
        if foreign and 1 <= steps <= 2 and tokens_on(state, field) - steps > guard:
            return True
    return False


def _reinforcement_value(state: State, seat: int, field: int, danger: bool) -> int:
    """Return how much more tokens on an own field would help, as a score."""
    need = min(tokens_on(state, field), 40) - 100 * _steps_to_goal(state, seat, field)
    if _is_front(state, seat, field):
        need += 10_000
    if danger and field == seat * BOARD + HOME:
        need += 20_000
    return need


def _reinforcement_score(state: State, seat: int, move: int, danger: bool) -> int:
    """Return the score of a reinforcement: triples before home tokens, the most tokens first."""
    if move == DONE:
        return -1_000_000
    if move < ATTACKS:
        return _reinforcement_value(state, seat, move - HOME_TOKEN, danger)
    choice = move - TRIPLE_TOKENS
    field = triple_field(state[SETUP], choice // (3 * FACES), choice // FACES % 3)
    return 100_000 * (choice % FACES + 1) + _reinforcement_value(state, seat, field, danger)


def _attack_score(state: State, seat: int, move: int) -> int:
    """Return the score of an attack from one field in force, negative where the odds are not good enough."""
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
    if chance < (GOOD_CHANCE_FOR_HOME if is_goal else GOOD_CHANCE):
        return -1
    if is_goal:
        return int(4000 + chance)
    if state[ON + target] != 0:
        return int(3000 + chance)
    return int(2000 + chance) if lord == seat else int(1000 + chance)


def _follow_score(state: State, seat: int, move: int) -> int:
    """Return the score of letting tokens follow: all that can be spared, where it goes towards another home."""
    if move == STAY:
        return 0
    target = state[TARGET]
    source = (move - FOLLOWING) % FIELDS
    tokens = (move - FOLLOWING) // FIELDS + 1
    keep = GUARD if source == seat * BOARD + HOME else 1
    nearer = _steps_to_goal(state, seat, target) < _steps_to_goal(state, seat, source)
    onward = nearer or not _is_front(state, seat, source)
    return tokens if onward and tokens_on(state, source) - tokens >= keep else -1


def _advantage_score(state: State, seat: int, move: int) -> int:
    """Return the score of an advantage move: the most tokens from behind the front, towards another home."""
    if move == DONE:
        return 0
    source = (move - ADVANTAGES) // 3 % FIELDS
    goal = BORDER[state[SETUP], source, (move - ADVANTAGES) % 3]
    tokens = (move - ADVANTAGES) // (3 * FIELDS) + 1
    keep = GUARD if source == seat * BOARD + HOME else 1
    nearer = _steps_to_goal(state, seat, source) - _steps_to_goal(state, seat, goal)
    if tokens_on(state, source) - tokens < keep or nearer <= 0 or _is_front(state, seat, source):
        return -1
    return tokens * 10 + nearer


def heuristic_move(state: State, moves: Moves) -> int:
    """Return the move with the highest score for the seat to act, of equals the first. ``moves`` is scratch."""
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
        score = 0
        if phase == REINFORCE:
            score = _reinforcement_score(state, seat, move, danger)
        elif phase == CONQUER:
            score = _attack_score(state, seat, move)
        elif phase == FOLLOW:
            score = _follow_score(state, seat, move)
        elif phase == ADVANTAGE:
            score = _advantage_score(state, seat, move)
        if score > best:
            best = score
            chosen = move
    return int(chosen)


class HeuristicEngine(Engine):
    """Plays by :func:`heuristic_move`; the control that must lose."""

    name: ClassVar[str] = "script"

    def __init__(self, game: Game) -> None:
        """Allocate a move buffer; nothing is compiled."""
        super().__init__(game)
        self._moves = np.zeros(MOVES, dtype=np.int64)

    def think(self, task: Task) -> Iterator[Info]:
        """Answer at once, with even scores: the baseline does not estimate who wins."""
        move = heuristic_move(task.position.state, self._moves)
        scores = (0.0,) * task.position.variant.seats
        line = (task.position.variant.move(move).text,)
        yield Info(0, 1, task.elapsed, scores, (line,))
