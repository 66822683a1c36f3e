"""The engines of Conquest Tryad: legal whenever they are stopped, exact about dice, and better than the control."""

import itertools
import random
import threading

import numpy as np
import pytest

import triskele
from triskele.core.contract import CHANCE
from triskele.core.game import game
from triskele.engines.engine import Limits
from triskele.engines.hints import hint
from triskele.engines.registry import engine
from triskele.games.conquest import evaluation, marches, odds, rules, training
from triskele.games.conquest.engine import ends_of_battle
from triskele.games.conquest.foresight import EMPTY, TAKEN
from triskele.testing import random_move


def decisions(number, seed=4, **options):
    """Yield positions of games by the script in which somebody has a choice."""
    rng, player, found = random.Random(seed), engine("script", "conquest"), 0
    while found < number:
        pos = triskele.new("conquest", **options)
        while pos.outcome() is None and found < number:
            if pos.turn == CHANCE:
                pos.push(random_move(pos, rng))
                continue
            if len(pos.legal_moves) > 1 and rng.random() < 0.1:
                found += 1
                yield pos
            pos.push(player.choose(pos, Limits()))


def fight(pos, dice):
    """Return a copy of a position after the dice of a battle."""
    after = pos.copy()
    for die in dice:
        after.push(str(die))
    return after


# --- odds ---------------------------------------------------------------------------------------------


def battles(number):
    """Yield positions and attacks in them that start a battle, and how many dice are rolled."""
    rng = random.Random(2)
    for pos in decisions(8 * number, players=3, rounds=12):
        attacks = [move for move in pos.legal_moves if rules.ATTACKS <= move.code < rules.TRIPLE_TOKENS]
        if attacks and number:
            move = rng.choice(attacks)
            after = pos.copy()
            after.push(move)
            if after.turn not in (CHANCE, None) and int(after.state[rules.PHASE]) == rules.DEFEND:
                after.push(after.legal_moves[-1])
            if after.turn == CHANCE and int(after.state[rules.PHASE]) == rules.BATTLE:
                number -= 1
                attackers = int(rules.SPLITS[after.state[rules.SPLIT]].sum())
                yield pos, move.code, after, attackers + max(1, int(after.state[rules.DEFENCE]))


def test_C8_C9_odds_of_battles_are_those_of_all_dice_played_by_the_rules():
    tried = 0
    for pos, code, start, number in battles(6):
        if number > 4:
            continue
        tried += 1
        counted = np.zeros_like(ends_of_battle(pos.state, code))
        seat, target = int(start.state[rules.SEAT]), int(start.state[rules.TARGET])
        other = int(start.state[rules.ON + target] & 7) - 1
        for dice in itertools.product(range(1, 5), repeat=number):
            state = fight(start, dice).state
            if other < 0:
                taken = int(state[rules.ON + target] & 7) - 1 == seat
                counted[TAKEN if taken else EMPTY + int(state[rules.POT] - start.state[rules.POT])] += 1
            else:
                lost = int(state[rules.PURSES + other] - start.state[rules.PURSES + other])
                won = int(state[rules.PURSES + seat] - start.state[rules.PURSES + seat])
                counted[lost * 4 + won] += 1
        assert ends_of_battle(pos.state, code) == pytest.approx(counted / 4**number)
    assert tried >= 3


@pytest.mark.parametrize(("army", "defenders", "number"), [(3, 1, 2), (5, 2, 1), (4, 0, 4)])
def test_chance_to_take_a_field_is_what_happens(army, defenders, number):
    def go_on(army, defenders, repulses):
        attackers = min(3, army - 1)
        if attackers < 1 or repulses == 3:
            return 0.0
        if defenders:
            ends = [(lost, won, p) for (lost, won), p in odds.against_held(attackers, min(3, defenders)).items()]
            return sum(
                float(p) * go_on(army - lost, defenders - won, 0 if won else repulses + 1) for lost, won, p in ends
            )
        chances = odds.against_empty(attackers, number)
        return sum(
            float(p) * (1.0 if lost == odds.TAKEN else go_on(army - lost, 0, repulses + 1))
            for lost, p in chances.items()
        )

    expected = go_on(army, defenders, 0)
    assert odds.chance_to_take(army, defenders, number) == pytest.approx(expected)
    assert marches.CHANCES[defenders, number, army, 0] == round(1000 * expected)
