"""Luck and skill: exactly in a solved game, and adding up to the result in every game with dice."""

import random

import numpy as np
import pytest

import triskele
from triskele.core.contract import CHANCE, OVER
from triskele.core.contract.review import exact_values_of
from triskele.core.game import games
from triskele.core.playout import random_move
from triskele.core.position import Position
from triskele.reviewing.luck import split_result
from triskele.reviewing.valuation import ExactValuer

SOLVED = [
    (declared.name, options)
    for declared in games()
    for options in declared.option_sets
    if (exact := exact_values_of(declared)) is not None and exact.is_solved(declared.variant(options))
]
EXACT = [
    (declared.name, options)
    for declared in games()
    for options in declared.option_sets
    if exact_values_of(declared) is not None
]


def random_game(variant, rng):
    """Yield the states of a random game, and who moved to each."""
    rules, state, moves = variant.rules, variant.first_state(), np.zeros(variant.moves_limit, dtype=np.int64)
    yield state, None
    while (actor := int(rules.actor(state))) != OVER:
        number = rules.count(state, moves)
        state = state.copy()
        rules.apply(state, rules.nth(state, moves, rng.randrange(number)))
        yield state, actor


@pytest.mark.parametrize(("name", "options"), SOLVED)
def test_the_value_before_a_roll_is_the_mean_and_before_a_decision_the_best(name, options):
    variant = triskele.new(name, **options).variant
    value = exact_values_of(variant.game).expected_scores(variant)
    rng = random.Random(5)
    for _ in range(2):
        position = Position(variant)
        while (turn := position.turn) is not None:
            now, following = value(position.state), []
            for move in position.legal_moves:
                after = position.copy()
                after.push(move)
                following.append(value(after.state))
            if turn == CHANCE:
                weights = [position.variant.rules.chance_weight(position.state, m.code) for m in position.legal_moves]
                assert now == pytest.approx(tuple(np.average(following, axis=0, weights=weights)), abs=1e-9)
            else:
                assert now[turn] == pytest.approx(max(each[turn] for each in following), abs=1e-9)
            position.push(random_move(position, rng))


def test_luck_and_skill_are_exactly_the_result_in_ten_thousand_games():
    [name] = {name for name, _ in EXACT}
    variant = triskele.new(name).variant
    value = exact_values_of(variant.game).expected_scores(variant)
    rng = random.Random(7)
    lucks = []
    scores = np.zeros(variant.seats)
    for _ in range(10_000):
        states, movers = zip(*random_game(variant, rng), strict=True)
        split = split_result([value(state) for state in states], movers[1:])
        variant.rules.scores(states[-1], scores)
        for seat in range(variant.seats):
            assert abs(split.luck[seat] + split.skill[seat] - scores[seat]) < 1e-9
        assert abs(sum(split.skill)) < 1e-9
        lucks.append(split.luck[0] - value(states[0])[0])
    # Dice favour nobody: what they bring is 0 on average, within four standard errors.
    assert abs(np.mean(lucks)) < 4 * np.std(lucks) / 100


@pytest.mark.parametrize(("name", "options"), EXACT)
def test_luck_and_skill_add_up_in_every_variant_with_exact_values(name, options):
    variant = triskele.new(name, **options).variant
    value = exact_values_of(variant.game).expected_scores(variant)
    states, movers = zip(*random_game(variant, random.Random(3)), strict=True)
    split = split_result([value(state) for state in states], movers[1:])
    scores = np.zeros(variant.seats)
    variant.rules.scores(states[-1], scores)
    assert np.add(split.luck, split.skill) == pytest.approx(scores, abs=1e-9)


def test_a_chance_from_exact_values_orders_moves_as_the_values_do():
    variant = triskele.new("tryad").variant
    valuer = ExactValuer(variant)
    found = [valuer.chances((coins, -coins))[0] for coins in (-40.0, -5.0, 0.0, 1.0, 20.0)]
    assert found == sorted(found)
    assert found[2] == 0.5
