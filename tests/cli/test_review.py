"""``triskele review`` and ``triskele calibrate``, as a person runs them."""

import json
import random

import pytest

import triskele
from triskele.core.playout import random_move


@pytest.fixture
def record(tmp_path):
    """Return the path of a finished game with dice."""
    position, rng = triskele.new("tryad"), random.Random(2)
    while position.turn is not None:
        position.push(random_move(position, rng))
    path = tmp_path / "game.json"
    triskele.save(triskele.Record.of(position, seats=["Ann", "Bob"]), path)
    return path


def test_a_review_is_text_json_or_a_page(run, record, tmp_path):
    words = run("review", str(record))
    assert words.code == 0
    assert "Accuracy" in words.out
    assert "Luck" in words.out
    data = run("review", str(record), "--json")
    document = json.loads(data.out)
    scores = triskele.load(record).outcome.scores
    assert [player["sum"] for player in document["players"]] == pytest.approx(scores, abs=1e-9)
    assert {"seat", "move", "chance_before", "chance_after", "grade", "better_line"} <= document["moves"][0].keys()
    page = tmp_path / "review.html"
    assert run("review", str(record), "--html", str(page)).code == 0
    assert "<svg" in page.read_text(encoding="utf-8")


def test_what_cannot_be_reviewed_is_refused_and_nothing_is_written(run, record, tmp_path):
    page = tmp_path / "review.html"
    broken = tmp_path / "broken.json"
    document = json.loads(record.read_text())
    document["moves"][3]["text"] = "nonsense"
    broken.write_text(json.dumps(document))
    unknown = tmp_path / "unknown.json"
    unknown.write_text(json.dumps({**document, "game": "chess"}))
    cut = tmp_path / "cut.sgf"
    cut.write_text("(;GM[1")
    for path in (broken, unknown, cut, tmp_path / "missing.json"):
        done = run("review", str(path), "--html", str(page))
        assert done.code == 1, path
        assert done.err
        assert not page.exists()
    assert run("review", str(record), "--nodes", "0").code == 1
    assert run("review", str(record), "--seconds", "-1").code == 1
    assert run("review", str(record), "--game", "2").code == 1


def test_calibrating_writes_the_curve_and_shows_how_reliable_it_is(run, tmp_path):
    out = tmp_path / "curve.json"
    done = run("calibrate", "tryad", "--games", "2", "--out", str(out))
    assert done.code == 0, done.err
    assert "|" in done.out
    assert json.loads(out.read_text())["curves"]["2"]["slope"] != 0
    assert run("calibrate", "tryad", "--games", "0").code == 1
    assert run("calibrate", "tryad", "--option", "mode=practice", "--option", "players=1").code == 1
