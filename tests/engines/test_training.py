"""Learning: reproducible from a seed, goes on where it stopped, and finds what is in the data."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from triskele.core.contract.evaluation import TrainingPlan
from triskele.core.game import Game, game
from triskele.engines.training import FeatureSet, TrainingSet, fit, fit_sets, loss, play_chunk, train

TINY = TrainingPlan(seed=7, rounds=2, games=2, nodes=1, chunk=1, opening=10, epochs=2)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learned")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRISKELE_PLAIN", "1")
        return train("yinsh", folder, TINY, options={"blitz": True})


def parameters(path: Path) -> list[float]:
    with np.load(path) as stored:
        found: list[float] = stored["parameters"].tolist()
        return found


@pytest.mark.usefixtures("plain")
def test_a_run_that_was_stopped_goes_on_and_ends_the_same(learned: Path) -> None:
    first = parameters(learned)
    assert any(first)
    for lost in ("round1.npz", "round1-0001.npz"):
        (learned.parent / lost).unlink()
    steps: list[tuple[str, int, int]] = []
    again = train("yinsh", learned.parent, TINY, options={"blitz": True}, progress=lambda *step: steps.append(step))
    assert again == learned
    assert parameters(again) == first
    assert [step for step in steps if step[0] != "fit"] == [("round 1", 2, 2)]


@pytest.mark.usefixtures("plain")
def test_where_the_games_are_played_makes_no_difference(learned: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        elsewhere = train("yinsh", tmp_path, TINY, options={"blitz": True}, executor=executor)
    assert parameters(elsewhere) == parameters(learned)


def test_the_file_says_when_and_from_what_it_was_learned(learned: Path) -> None:
    with np.load(learned) as stored:
        about = json.loads(str(stored["about"]))
    assert about["game"] == "yinsh"
    assert about["plan"]["seed"] == 7
    assert about["date"] >= "2026"


@pytest.mark.usefixtures("plain")
def test_samples_are_kept_as_they_were(tmp_path: Path) -> None:
    sample = play_chunk("yinsh", {"blitz": True}, np.zeros(len_of_parameters()), TINY, 3)
    sample.save(tmp_path / "sample.npz")
    loaded = TrainingSet.load(tmp_path / "sample.npz")
    assert np.array_equal(loaded.states, sample.states)
    assert np.array_equal(loaded.result, sample.result)
    assert set(sample.result.tolist()) <= {0.0, 0.5, 1.0}
    assert len(sample.states) == len(sample.result) == len(sample.search_value) > 5


def len_of_parameters() -> int:
    training = game("yinsh").evaluation.training
    assert training is not None
    return training.parameters


@pytest.mark.usefixtures("plain")
def test_features_are_worked_out_for_every_position() -> None:
    sample = play_chunk("yinsh", {"blitz": True}, np.zeros(len_of_parameters()), TINY, 3)
    described = FeatureSet.of(game("yinsh"), sample)
    assert len(described.start) == len(sample.result) + 1
    assert described.start[-1] == len(described.index) == len(described.value)
    twice = FeatureSet.concatenate([described, described])
    assert len(twice.result) == 2 * len(sample.result)
    assert np.array_equal(twice.index[described.start[-1] :], described.index)


def test_the_fit_finds_what_the_results_were_made_from() -> None:
    rng = np.random.default_rng(1)
    truth = np.array([1.0, -2.0, 0.5, 0.0])
    values = rng.integers(-2, 3, (20_000, 4))
    results = rng.random(20_000) < 1 / (1 + np.exp(-values @ truth))
    sample = FeatureSet(
        np.tile(np.arange(4, dtype=np.int32), 20_000),
        values.reshape(-1).astype(np.int16),
        np.arange(0, 80_001, 4),
        results.astype(np.float32),
        results.astype(np.float32),
    )
    found = fit(sample, np.zeros(4), TrainingPlan(epochs=30, result_share=1.0, weight_decay=0.0))
    assert np.allclose(found, truth, atol=0.1)
    assert loss(sample, found) < loss(sample, np.zeros(4)) == pytest.approx(np.log(2))


def test_sets_that_mean_the_same_learn_from_each_other() -> None:
    rng = np.random.default_rng(2)
    truth = np.array([1.0, -2.0])
    values = rng.integers(-2, 3, (20_000, 2))
    results = rng.random(20_000) < 1 / (1 + np.exp(-values @ truth))
    # Of the second set, parameters 2 and 3, there are a few positions only.
    second = np.arange(20_000) % 1000 == 0
    sample = FeatureSet(
        (np.arange(2) + 2 * second[:, None]).reshape(-1).astype(np.int32),
        values.reshape(-1).astype(np.int16),
        np.arange(0, 40_001, 2),
        results.astype(np.float32),
        results.astype(np.float32),
    )
    found = fit_sets(sample, np.zeros(4), TrainingPlan(epochs=20, result_share=1.0, weight_decay=0.001), set_size=2)
    assert np.allclose(found[:2], truth, atol=0.2)
    assert np.allclose(found[2:], truth, atol=0.4)


def test_a_game_without_knowledge_has_nothing_to_learn(heap: Game, tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="nothing to learn"):
        train(heap, tmp_path)
