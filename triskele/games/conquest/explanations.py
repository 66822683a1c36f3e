"""Explanations of moves: the reasons that hints give, in words."""

from fractions import Fraction

import numpy as np

from triskele.core.contract import State
from triskele.core.words import Text, text
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.attack_margins import NO_MARGIN, margin
from triskele.games.conquest.board_queries import NAMES, number_of, owner_of, repulses_on, tokens_on
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HOME
from triskele.games.conquest.moves import advantage_of, attack_of, triple_of
from triskele.games.conquest.prompts import percent

NEAR = -3.0
"""From this margin against it on, a home counts as in danger."""


def explain_move(state: State, code: int, seat: int) -> Text | None:
    """Return why a move is good for a seat, or ``None``."""
    phase, setup = int(state[r.PHASE]), int(state[r.SETUP])
    if phase == r.CONQUER:
        return text("conquest.hint-hold") if code == r.DONE else _explain_attack(state, setup, code, seat)
    if phase == r.DEFEND:
        return text("conquest.hint-defend") if code > r.DEFENCES else None
    if phase == r.FOLLOW:
        return text("conquest.hint-guard" if code == r.STAY else "conquest.hint-onward")
    if phase == r.ADVANTAGE:
        return (
            text("conquest.hint-guard")
            if code == r.DONE
            else _explain_reinforcement(state, advantage_of(setup, code)[1], seat)
        )
    if phase == r.REINFORCE and code != r.DONE:
        field = code - r.HOME_TOKEN if code < r.ATTACKS else triple_of(setup, code)[1]
        return _explain_reinforcement(state, field, seat)
    return None


def _explain_reinforcement(state: State, field: int, seat: int) -> Text:
    """Return what more tokens on a field are good for."""
    if field == seat * BOARD + HOME and _danger(state, seat) > NEAR:
        return text("conquest.hint-safe", field=NAMES[field])
    return text("conquest.hint-army", field=NAMES[field])


def _danger(state: State, seat: int) -> float:
    """Return the largest margin of another seat against a seat's home."""
    path_costs = np.zeros(FIELDS)
    others = [other for other in range(int(state[r.PLAYERS])) if other != seat and int(state[r.IN]) >> other & 1]
    return max((margin(state, other, seat, path_costs) for other in others), default=NO_MARGIN)


def _explain_attack(state: State, setup: int, code: int, seat: int) -> Text | None:
    target, sources = attack_of(setup, code)
    owner = owner_of(state, target)
    if owner < 0 and target == seat * BOARD + HOME:
        return text("conquest.hint-retake")
    number, defenders = number_of(state, target), tokens_on(state, target)
    if len(sources) > 1:
        attackers = sum(tokens for _, tokens in sources)
        if owner < 0:
            success = odds.against_empty(attackers, number).get(odds.TAKEN, Fraction())
        else:
            success = 1 - odds.repulsed(attackers, min(odds.MOST, defenders))
        return text("conquest.hint-together", field=NAMES[target], chance=percent(success))
    army = tokens_on(state, sources[0][0])
    if max(army, defenders) > odds.LARGEST_ARMY:
        return None
    slot = BORDER[setup, target].tolist().index(sources[0][0])
    chance = percent(odds.chance_to_take(army, defenders, number, repulses_on(state, target, slot)))
    lord = target // BOARD
    if target % BOARD == HOME and int(state[r.IN]) >> lord & 1 and not state[r.MARATHON]:
        return text("conquest.hint-home", seat=lord + 1, chance=chance)
    if owner >= 0:
        return text("conquest.hint-fight", seat=owner + 1, field=NAMES[target], chance=chance)
    return text("conquest.hint-take", field=NAMES[target], number=number, chance=chance)
