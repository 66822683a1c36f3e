"""Intervals, Elo and the sequential test: against known figures, and by trying them out."""

import math
import random

import pytest

from triskele.arena.statistics import (
    Sprt,
    difference,
    effective_games,
    elo_of,
    score_interval,
    share_at,
    wilson,
)


@pytest.mark.parametrize(
    ("share", "number", "low", "high"),
    # R: prop.test(x, n, correct=FALSE)$conf.int
    [(0.5, 10, 0.236593, 0.763407), (0.9, 100, 0.825636, 0.944771), (0.0, 20, 0.0, 0.161125), (1.0, 20, 0.838875, 1.0)],
)
def test_wilson_as_others_compute_it(share: float, number: int, low: float, high: float) -> None:
    assert wilson(share, number) == pytest.approx((low, high), abs=1e-4)


def test_nothing_is_known_without_games() -> None:
    assert wilson(0.5, 0) == (0.0, 1.0)
    assert score_interval([], 2) == (0.5, 0.0, 1.0)


def test_pairs_that_always_split_tell_no_more_than_their_games() -> None:
    assert effective_games([0.5] * 10, 2) == 20
    # Whole pairs won and lost: a pair tells as much as one game.
    assert effective_games([0.0, 1.0] * 50, 2) == pytest.approx(100, rel=0.02)
    # Independent games: as much as there are.
    rng = random.Random(1)
    groups = [(rng.randrange(2) + rng.randrange(2)) / 2 for _ in range(4000)]
    assert effective_games(groups, 2) == pytest.approx(8000, rel=0.06)


@pytest.mark.parametrize(
    ("share", "whole_pairs", "least"),
    # The last is the worst case: hardly a game is lost, and half of all pairs are decided by their opening.
    [(0.5, 0.0, 0.925), (0.8, 0.0, 0.925), (0.95, 0.0, 0.925), (0.5, 0.5, 0.925), (0.8, 0.5, 0.925), (0.95, 0.5, 0.9)],
)
def test_95_of_100_intervals_hold_the_truth(share: float, whole_pairs: float, least: float) -> None:
    rng = random.Random(f"{share} {whole_pairs}")

    def game() -> float:
        return float(rng.random() < share)

    def pair() -> float:
        return game() if rng.random() < whole_pairs else (game() + game()) / 2

    trials = 600
    held = 0
    for _ in range(trials):
        _, low, high = score_interval([pair() for _ in range(40)], 2)
        held += low <= share <= high
    # 95 % give or take what 600 trials allow; an interval that is a little too wide does no harm.
    assert held / trials > least


def test_elo_and_share_are_each_other_s_inverse() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(0.64) == pytest.approx(100, abs=0.1)
    assert elo_of(0.25, seats=4) == pytest.approx(0)
    for seats in (2, 3, 6):
        for elo in (-300.0, 0.0, 120.0):
            assert elo_of(share_at(elo, seats), seats) == pytest.approx(elo)
    assert elo_of(0) == -math.inf
    assert elo_of(1) == math.inf


def test_a_difference_has_newcombe_s_interval() -> None:
    # Newcombe 1998, method 10, first example: 56/70 against 48/80.
    one, other = 56 / 70, 48 / 80
    gap, low, high = difference(one, wilson(one, 70), other, wilson(other, 80))
    assert (gap, low, high) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)


@pytest.mark.parametrize(("truth", "expected"), [(0.0, 0), (80.0, 1)])
def test_the_test_is_seldom_wrong(truth: float, expected: int) -> None:
    rng = random.Random(f"{truth}")
    test = Sprt(0, 80)
    share = share_at(truth)
    wrong = 0
    trials = 80
    for _ in range(trials):
        groups: list[float] = []
        verdict = None
        while verdict is None:
            groups += [((rng.random() < share) + (rng.random() < share)) / 2 for _ in range(5)]
            verdict = test.verdict(groups)
        wrong += verdict != expected
    assert wrong / trials <= 0.1  # promised are 5 %; of 80 tests more than 8 come up once in fifty times


def test_the_test_decides_at_once_what_is_clear() -> None:
    test = Sprt(0, 200)
    assert test.verdict([]) is None
    assert test.verdict([1.0] * 12) == 1
    assert test.verdict([0.0] * 12) == 0
    assert test.verdict([0.5]) is None


def test_the_likelihood_ratio_is_that_of_wins_and_losses_alone() -> None:
    # With single wins and losses the generalised test is the plain one: n log(p1/p0) + m log(q1/q0).
    test = Sprt(0, 100)
    p0, p1 = share_at(0), share_at(100)
    plain = 30 * math.log(p1 / p0) + 20 * math.log((1 - p1) / (1 - p0))
    assert test.llr([1.0] * 30 + [0.0] * 20) == pytest.approx(plain, abs=0.01)
