"""The formulas of a review."""

import math

import pytest

from triskele.core.contract.review import Curve, calibration_of, even_logit
from triskele.core.game import games
from triskele.reviewing.formulas import (
    chances_of_scores,
    decision_accuracy,
    grade_of,
    player_accuracy,
    result_chances,
    turning_point,
)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_an_even_score_is_an_even_chance_and_chances_add_up_to_one(seats):
    curve = Curve(0.8, even_logit(seats), 1.3)
    assert chances_of_scores((0.0,) * seats, curve) == pytest.approx((1 / seats,) * seats)
    leading = (0.5, *(-0.5 / (seats - 1),) * (seats - 1))
    found = chances_of_scores(leading, curve)
    assert sum(found) == pytest.approx(1)
    assert found[0] > 1 / seats > found[1]


def test_a_proven_result_is_certain_and_an_estimate_never_is():
    assert chances_of_scores((1.0, -1.0), Curve(), proven=True) == (1.0, 0.0)
    assert 0 < chances_of_scores((1.0, -1.0), Curve())[1] < 0.01


def test_winners_share_a_result_and_all_share_a_draw():
    assert result_chances((0, 2), 3) == (0.5, 0.0, 0.5)
    assert result_chances((), 2) == (0.5, 0.5)
    assert (result_chances((), 1), result_chances((0,), 1)) == ((0.0,), (1.0,))


def test_grades_begin_at_their_thresholds():
    found = [grade_of(loss) for loss in (0.0, 0.0499, 0.05, 0.0999, 0.1, 0.1999, 0.2, 1.0)]
    assert found == [None, None, "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder"]


def test_accuracy_is_full_without_a_loss_and_falls_with_it():
    assert player_accuracy([(0.0, 0.5, 0.5)] * 3) == pytest.approx(100)
    assert player_accuracy([(0.1, 0.5, 0.4)]) == pytest.approx(100 * math.exp(-0.4))
    assert player_accuracy([]) is None
    assert decision_accuracy(0.2) < decision_accuracy(0.1) < 1


def test_what_was_decided_anyway_counts_little():
    even, decided = (0.2, 0.6, 0.4), (0.0, 0.999, 0.999)
    alone = player_accuracy([even])
    padded = player_accuracy([even, decided])
    assert alone < padded < (alone + 100) / 2


def test_the_turning_point_is_the_move_after_which_the_winner_stayed_ahead():
    assert turning_point([0.5, 0.7, 0.4, 0.55, 0.8, 0.9, 1.0], 2) == 3
    assert turning_point([0.7, 0.75, 0.95, 1.0], 2) == 2 - 1
    assert turning_point([0.5], 2) is None


@pytest.mark.parametrize("declared", games(), ids=lambda game: game.name)
def test_every_game_has_a_curve_that_was_measured(declared):
    measured = calibration_of(declared)
    curve = measured.curve(2)
    assert measured.nodes >= 1
    assert curve.slope > 0
    assert curve.chance(0.0) == 0.5
    assert curve.chance(-0.7) < 0.5 < curve.chance(0.7)
