"""The curve of winning chances: fitted to samples whose truth is known."""

import random

import pytest

import triskele
from triskele.arena.journal import Journal
from triskele.core.contract.review import Curve
from triskele.reviewing.calibration import (
    Sample,
    brier_score,
    curve_document,
    fit,
    journal_header,
    measure,
    reliability,
    sample_game,
)


def samples_of(curve, number, rng):
    found = []
    for _ in range(number):
        advantage = rng.uniform(-2, 2)
        found.append(Sample(advantage, float(rng.random() < curve.chance(advantage))))
    return found


@pytest.mark.parametrize("truth", [Curve(0.7), Curve(1.5, 0.0, 1.6)])
def test_a_fit_finds_the_curve_that_the_samples_come_from(truth):
    samples = samples_of(truth, 20_000, random.Random(1))
    found = fit(samples, 2)
    for advantage in (-1.5, -0.5, 0.2, 1.0):
        assert found.chance(advantage) == pytest.approx(truth.chance(advantage), abs=0.03)
    for each in reliability(samples, found):
        assert each.won == pytest.approx(each.predicted, abs=0.06)
    assert brier_score(samples, found) < 0.25


def test_samples_of_a_game_are_the_same_again_and_tell_how_it_ended():
    variant = triskele.new("tryad").variant
    first, again = (sample_game(variant, 3, 1, 1) for _ in range(2))
    assert first == again
    assert {sample.share for sample in first} <= {0.0, 0.5, 1.0}
    document = curve_document(1, 1, 3, {2: (fit(first, 2), first)})
    assert document["curves"]["2"]["positions"] == len(first)


def test_a_measurement_that_is_stopped_goes_on_to_the_same_samples(tmp_path):
    variant = triskele.new("tryad").variant
    header = journal_header(variant, 1, 3)

    def stop(done, _):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Journal(tmp_path / "journal", header) as journal:
        measure(variant, 4, 1, 3, stop, journal)
    with Journal(tmp_path / "journal", header) as journal:
        assert sorted(journal.results) == [0, 1]
        resumed = measure(variant, 4, 1, 3, lambda *_: None, journal)
    with Journal(None, header) as journal:
        assert measure(variant, 4, 1, 3, lambda *_: None, journal) == resumed


def test_a_position_in_a_game_with_secrets_is_valued_for_its_mover_alone():
    samples = sample_game(triskele.new("tryptic").variant, 3, 1, 200)
    assert 0 < len(samples) <= 8
