"""The engines of Tryad play the exact solution."""

import random

import pytest

import triskele
from triskele.core.contract import CHANCE
from triskele.engines.engine import Limits
from triskele.engines.registry import engine
from triskele.games.tryad import rules
from triskele.games.tryad.solution import solve
from triskele.testing import random_move


def positions(number, **options):
    """Yield positions of random games in which a take is to be chosen from several."""
    rng = random.Random(8)
    found = 0
    while found < number:
        pos = triskele.new("tryad", **options)
        while pos.outcome() is None and found < number:
            if pos.turn != CHANCE and len(pos.legal_moves) > 1 and rng.random() < 0.4:
                found += 1
                yield pos
            pos.push(random_move(pos, rng))


@pytest.mark.parametrize("aim", ["clear", "fewest"])
def test_one_aim_is_served_as_well_as_it_can_be(aim):
    player = engine(aim, "tryad")
    for pos in positions(40, mode="practice", players=1):
        fields, roll = int(pos.state[rules.CARDS]), int(pos.state[rules.ROLL])
        solution = solve(str(pos.variant.options["layout"]))
        chosen = player.choose(pos, Limits(seconds=1.0))
        rest = fields & ~int(rules.TAKEN[chosen.code])
        best = solution.best_take(fields, roll, aim).odds
        odds = solution.odds(rest, aim)
        assert (odds.chance, odds.left)[aim == "fewest"] == pytest.approx((best.chance, best.left)[aim == "fewest"])


def test_the_banker_beats_a_random_mover():
    player, rng, coins = engine("triskele", "tryad"), random.Random(3), 0.0
    for number in range(30):
        pos = triskele.new("tryad")
        seat = number % 2
        while pos.outcome() is None:
            move = player.choose(pos, Limits(level=9)) if pos.turn == seat else random_move(pos, rng)
            pos.push(move)
        coins += pos.outcome().scores[seat]
    assert coins > 0
