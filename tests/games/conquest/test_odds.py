"""The odds of battles in Conquest Tryad, against counting them out."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from tests.games.conquest.helpers import EMPTY, HELD, after, at
from triskele.games.conquest import GAME, odds
from triskele.games.conquest.board_queries import INDEX, owner_of, tokens_on


@pytest.mark.parametrize(("attackers", "number"), list(itertools.product((1, 2, 3), (1, 2, 3, 4))))
def test_C8_odds_are_what_the_rules_do_with_every_fall_of_the_dice(attackers, number):
    layout = f"4/213/31{number}12/4121314"
    line = "1 90 2c4*5 2d1*1 / 2 90 2c2*5 2d4*5 / pot 4 / round 1 / conquer 1 first 1"
    start = after(at(line, layout=layout, version="marathon"), f"2c3<2c4*{attackers}").state
    plain = GAME.linker.plain
    counts = Counter()
    for dice in itertools.product(range(4), repeat=attackers + 1):
        state = start.copy()
        for die in dice:
            plain.apply(state, die)
        taken = owner_of(state, INDEX["2c3"]) == 0
        counts[odds.TAKEN if taken else 5 - tokens_on(state, INDEX["2c4"])] += 1
    assert odds.against_empty(attackers, number) == {k: Fraction(n, 4 ** (attackers + 1)) for k, n in counts.items()}


@pytest.mark.parametrize(("attackers", "defenders"), list(itertools.product((1, 2, 3), repeat=2)))
def test_C9_odds_are_what_the_rules_do_with_every_fall_of_the_dice(attackers, defenders):
    start = after(at(HELD), f"2b1<1b3*{attackers}", f"d{defenders}").state
    plain = GAME.linker.plain
    counts = Counter()
    for dice in itertools.product(range(4), repeat=attackers + defenders):
        state = start.copy()
        for die in dice:
            plain.apply(state, die)
        counts[8 - tokens_on(state, INDEX["1b3"]), 5 - tokens_on(state, INDEX["2b1"])] += 1
    total = 4 ** (attackers + defenders)
    assert odds.against_held(attackers, defenders) == {k: Fraction(n, total) for k, n in counts.items()}
    repulsed = Fraction(sum(n for (_, won), n in counts.items() if won == 0), total)
    assert odds.repulsed(attackers, defenders) == repulsed


ROLLS = 1_000_000


def close(count, chance):
    """Whether a million rolls agree with a chance, within six standard deviations."""
    return abs(count - ROLLS * float(chance)) <= 6 * (ROLLS * float(chance) * (1 - float(chance))) ** 0.5


@pytest.mark.parametrize(("attackers", "number"), [(1, 1), (2, 2), (3, 1), (3, 4)])
def test_C8_a_million_rolls_agree_with_the_odds(attackers, number):
    dice = np.random.default_rng(attackers * 10 + number).integers(1, 5, (ROLLS, attackers + 1), dtype=np.int8)
    short = dice[:, -1] + number - dice[:, :-1].sum(axis=1)
    result = np.where(short < 0, odds.TAKEN, np.minimum(short, attackers))
    chances = odds.against_empty(attackers, number)
    assert sum(chances.values()) == 1
    for outcome in np.unique(result):
        assert close(int((result == outcome).sum()), chances[int(outcome)])


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 3), (2, 2), (3, 2), (3, 3)])
def test_C9_a_million_rolls_agree_with_the_odds(attackers, defenders):
    rng = np.random.default_rng(attackers * 10 + defenders)
    pairs = min(attackers, defenders)
    attack = np.sort(rng.integers(1, 5, (ROLLS, attackers), dtype=np.int8))[:, ::-1][:, :pairs]
    defence = np.sort(rng.integers(1, 5, (ROLLS, defenders), dtype=np.int8))[:, ::-1][:, :pairs]
    result = (attack < defence).sum(axis=1) * 10 + (attack > defence).sum(axis=1)
    chances = odds.against_held(attackers, defenders)
    assert sum(chances.values()) == 1
    for outcome in np.unique(result):
        assert close(int((result == outcome).sum()), chances[divmod(int(outcome), 10)])


def test_odds_of_a_whole_turn():
    tie = Fraction(3, 16)
    by_hand = Fraction(3, 16) * (1 + tie + tie**2)
    assert odds.chance_to_take(2, 0, 1) == pytest.approx(float(by_hand))
    assert odds.chance_to_take(2, 0, 1, repulses=2) == pytest.approx(3 / 16)
    assert odds.chance_to_take(2, 0, 1, repulses=3) == 0
    assert odds.chance_to_take(1, 0, 1) == 0
    assert odds.chance_to_take(odds.LARGEST_ARMY, 1, 4) == pytest.approx(whole_turn(odds.LARGEST_ARMY, 1, 4))
    assert odds.chance_to_take(6, 3, 2) == pytest.approx(whole_turn(6, 3, 2))


def whole_turn(army, defenders, number):
    """Return how often a thousand steps of a walk over (army, defenders, repulses) end in the field."""
    walk, taken = {(army, defenders, 0): 1.0}, 0.0
    for _ in range(1000):
        ahead = Counter()
        for (tokens, held, repulses), chance in walk.items():
            hand = min(3, tokens - 1)
            if hand < 1 or repulses == 3:
                continue
            for dice in itertools.product(range(1, 5), repeat=hand + (min(3, held) or 1)):
                share = chance / 4 ** len(dice)
                high, low = sorted(dice[:hand])[::-1], sorted(dice[hand:])[::-1]
                if held:
                    lost = sum(a < b for a, b in zip(high, low, strict=False))
                    won = sum(a > b for a, b in zip(high, low, strict=False))
                    ahead[tokens - lost, held - won, 0 if won else repulses + 1] += share
                elif sum(high) > low[0] + number:
                    taken += share
                else:
                    ahead[tokens - min(hand, low[0] + number - sum(high)), 0, repulses + 1] += share
        walk = {place: chance for place, chance in ahead.items() if chance > 1e-12}
        if not walk:
            break
    return taken


def test_odds_are_shown_before_attacking():
    position = at(EMPTY)
    note = position.note("1c4<1c3*2")
    assert note == "taken 68.8%, no change 15.6%, tokens lost 15.6%. Field this turn: 99.9%"
    assert position.note("1c4<1c3*2", "de").startswith("erobert 68,8\u00a0%")
    assert position.note("done") == ""
    held = at(HELD).note("2b1<1b3*3")
    assert held.startswith("a token beaten: 60.9% against 1, ")
    assert "% against 3" in held
    few = at(HELD.replace("2b1*5", "2b1*2").replace("2 90", "2 93")).note("2b1<1b3*3")
    assert "against 3" not in few
    assert after(at(HELD), "2b1<1b3*3").note("d1") == "repulsed 39.1%"
    home = at("1 90 1c2*4 1c4*3 / 2 96 2c3*4 / pot 3 / round 2 / conquer 1 first 1")
    assert home.note("1c3<1c2*1") == "your own empty home: no roll is needed"
