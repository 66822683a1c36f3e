"""Ratings come out as they went in."""

import itertools
import random
from typing import Any

import pytest

from triskele.arena.ratings import elo_ratings, openskill_ratings, ranks
from triskele.arena.statistics import share_at
from triskele.arena.tournament import line_ups


def duel(one: int, other: int, share: float) -> dict[str, Any]:
    return {"seated": [one, other], "shares": [share, 1 - share], "scores": [2 * share - 1, 1 - 2 * share]}


def test_known_strengths_are_found_within_their_intervals() -> None:
    truth = [-150.0, -50.0, 0.0, 200.0]
    rng = random.Random(3)
    results = []
    for one, other in itertools.permutations(range(4), 2):
        for _ in range(150):
            won = rng.random() < share_at(truth[one] - truth[other])
            results.append(duel(one, other, float(won)))
    ratings = elo_ratings(4, results)
    assert sum(rating.value for rating in ratings) == pytest.approx(0, abs=1e-6)
    for rating, value in zip(ratings, truth, strict=True):
        assert rating.low < value < rating.high
        assert rating.high - rating.low < 80


def test_two_players_differ_by_their_score() -> None:
    results = [duel(0, 1, 1.0)] * 64 + [duel(1, 0, 1.0)] * 36
    one, other = elo_ratings(2, results)
    assert one.value - other.value == pytest.approx(100, abs=2)


def test_nobody_is_infinitely_good() -> None:
    ratings = elo_ratings(3, [duel(0, 1, 1.0)] * 5)
    assert ratings[0].value > ratings[1].value
    assert ratings[0].high < 2000
    assert ratings[2].value == pytest.approx(0, abs=1e-6)  # who never played


def test_the_order_of_games_does_not_matter_for_elo() -> None:
    results = [duel(0, 1, 1.0), duel(1, 2, 0.5), duel(2, 0, 0.0), duel(1, 0, 1.0)]
    assert elo_ratings(3, results) == elo_ratings(3, results[::-1]) or [
        rating.value for rating in elo_ratings(3, results)
    ] == pytest.approx([rating.value for rating in elo_ratings(3, results[::-1])])


def four(seated: list[int], scores: list[float]) -> dict[str, Any]:
    best = max(scores)
    winners = [seat for seat, score in enumerate(scores) if score == best]
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(4)]
    return {"seated": seated, "shares": shares, "scores": scores}


def test_with_more_seats_the_better_ones_rise() -> None:
    rng = random.Random(5)
    results = []
    for _ in range(120):
        seated = rng.sample(range(4), 4)
        strength = [player + rng.gauss(0, 1) for player in seated]
        middle = sum(strength) / 4
        results.append(four(seated, [value - middle for value in strength]))
    ratings = openskill_ratings(4, results)
    values = [rating.value for rating in ratings]
    assert values == sorted(values)
    assert all(rating.low < rating.value < rating.high for rating in ratings)
    assert ratings[3].low > ratings[0].high


def test_one_at_several_seats_is_one_player() -> None:
    ratings = openskill_ratings(2, [four([0, 1, 1, 1], [3.0, -1.0, -1.0, -1.0])] * 10)
    assert ratings[0].low > ratings[1].value


def test_places() -> None:
    assert ranks(four([0, 1, 2, 3], [5.0, -1.0, -3.0, -1.0])) == [0, 1, 2, 1]
    failed = four([0, 1, 2, 3], [0.0] * 4) | {"shares": [0.0, 1 / 3, 1 / 3, 1 / 3], "failure": {"seat": 0}}
    assert ranks(failed) == [1, 0, 0, 0]


def test_who_meets_whom() -> None:
    assert line_ups(3, 2, gauntlet=False) == [(0, 1), (0, 2), (1, 2)]
    assert line_ups(3, 2, gauntlet=True) == [(0, 1), (0, 2)]
    assert line_ups(2, 3, gauntlet=False) == [(0, 0, 1), (0, 1, 1)]
    assert line_ups(5, 4, gauntlet=True) == [(0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4)]
