"""The engines of Tryad play the exact solution, and weak levels miss it by as much as they should."""

import itertools
import random

import numpy as np
import pytest

import triskele
from tests.games.tryad.reference import alone, card, crowd, duel, short_sighted
from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Limits
from triskele.engines.registry import engine
from triskele.games.tryad import rules
from triskele.games.tryad.card import STANDARD
from triskele.games.tryad.evaluation import SIGHTS
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


def ends(sights):
    """Return the exact chance of each number of coins left, by a player who looks so far ahead."""
    its = card(STANDARD)
    left = np.zeros((its.size, rules.FIELDS + 1))
    left[0, 0] = 1.0
    for case in range(1, its.size):
        coins = int(its.coins[case])
        worth = np.round(short_sighted(STANDARD, sights[coins - 1]), 9)
        for after in its.after:
            rests = after[case][after[case] >= 0]
            if len(rests):
                left[case] += left[rests[worth[rests].argmax()]] / 4
            else:
                left[case, coins] += 1 / 4
    return left[-1]


def test_each_level_beats_the_one_below_in_60_of_100_games():
    """Exactly, but for who clears his card in an earlier round than the other."""
    perfect = (rules.FIELDS,) * rules.FIELDS
    levels = [ends(sights) for sights in (*SIGHTS, perfect)]

    def share(mine, theirs):
        fewer = np.cumsum(mine) - mine
        return float(theirs @ (fewer + mine / 2))

    for at, (weaker, stronger) in enumerate(itertools.pairwise(levels)):
        assert 0.6 < share(stronger, weaker) < 0.62
        assert all(share(stronger, lower) > share(weaker, lower) for lower in levels[:at])
    assert 0.94 < share(levels[-1], levels[0]) < 0.96


@pytest.mark.parametrize("level", [1, 4, 9])
def test_a_level_looks_as_far_ahead_as_its_card_is_covered(level):
    player, its = engine("triskele", "tryad"), card(STANDARD)
    for pos in positions(60):
        fields, roll = int(pos.state[rules.CARDS + pos.turn]), int(pos.state[rules.ROLL])
        worth = np.round(short_sighted(STANDARD, SIGHTS[level - 1][fields.bit_count() - 1]), 9)
        after = its.after[roll - 1][its.case(fields)]
        rests = after[after >= 0]
        chosen = player.choose(pos, Limits(level=level))
        assert its.case(fields & ~int(rules.TAKEN[chosen.code])) == rests[worth[rests].argmax()]


@pytest.mark.parametrize(
    "options",
    [{}, {"players": 3}, {"mode": "bingo"}, {"mode": "bingo", "players": 5}, {"players": 1, "mode": "practice"}],
)
def test_values_are_those_of_an_independent_solution(options):
    """The compiled player and NumPy's, to nine digits, for every position of some games with all cards in view."""
    player = engine("triskele", "tryad")
    layout = STANDARD
    its = card(layout)
    rng = random.Random(str(options))
    compared = 0
    while compared < 40:
        pos = triskele.new("tryad", **options)
        while pos.outcome() is None:
            if pos.turn != triskele.CHANCE and len(pos.legal_moves) > 1:
                state, seat = pos.state, pos.turn
                cards = [int(fields) for fields in state[rules.CARDS : rules.CARDS + pos.variant.seats]]
                best = max(worth(options, its, state, cards, seat, move.code) for move in pos.legal_moves)
                info = player.search(pos, Limits(level=10, seconds=60))
                assert info.depth == 2
                assert info.scores[seat] == pytest.approx(max(-1.0, min(1.0, best / rules.FIELDS)), abs=2e-9)
                compared += 1
            pos.push(random_move(pos, rng))


def worth(options, its, state, cards, seat, code):
    """Return the coins expected after a take, by the independent solution."""
    rest = its.case(cards[seat] & ~int(rules.TAKEN[code]))
    roll, bingo = int(state[rules.ROLL]) - 1, options.get("mode") == "bingo"
    if len(cards) == 1:
        return alone(STANDARD)[rest]
    if len(cards) > 2:
        return crowd(STANDARD, cards, int(state[rules.IN]), seat, roll, bingo).value_of_rest(rest)
    game = duel(STANDARD, bingo)
    while not game.ready:
        game.advance()
    other_in = bool(state[rules.IN] >> (1 - seat) & 1)
    return game.value_of_rest(seat, rest, its.case(cards[1 - seat]), other_in, roll)
