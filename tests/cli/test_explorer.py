"""``triskele explorer``: what was played in openings, shown and counted."""

import json

import pytest

from triskele.core.explorer import shipped
from triskele.core.game import game, games
from triskele.core.words import LANGUAGES

SHIPPED = [declared.name for declared in games() if shipped(declared) is not None]


@pytest.mark.parametrize("name", SHIPPED)
def test_what_engines_played_is_shown_with_the_part_that_won(run, name):
    found = json.loads(run("explorer", name, "--json").out)
    counts, _ = shipped(game(name))
    assert found["games"] == counts.games
    assert [each["games"] for each in found["moves"]] == sorted((e["games"] for e in found["moves"]), reverse=True)
    done = run("explorer", name)
    assert done.code == 0
    for each in found["moves"]:
        assert f"{each['games']:6}  " in done.out
        assert each["move"] in done.out


def test_moves_lead_to_a_later_position(run):
    first = json.loads(run("explorer", "yinsh", "--json").out)["moves"][0]["move"]
    later = json.loads(run("explorer", "yinsh", first, "--json").out)["moves"]
    assert first not in {each["move"] for each in later}
    assert "%" in run("explorer", "yinsh", first).out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_position_that_nobody_reached_is_said_to_be_one(run, language):
    corner = ("a2", "a3", "a4", "a5", "b1", "b2", "b3", "b4", "b5", "b6")
    done = run("explorer", "yinsh", *corner, "--language", language)
    assert done.code == 0
    assert "%" not in done.out
    assert len(done.out.strip().splitlines()) == 2


def test_what_cannot_be_is_refused_with_the_reason(run):
    for arguments in (("chess",), ("yinsh", "z99"), ("make", "yinsh", "--games", 0), ("make", "yinsh", "--level", 11)):
        done = run("explorer", *arguments)
        assert done.code != 0
        assert done.err
        assert not done.out


def test_making_counts_plays_games_and_writes_a_file(run, tmp_path):
    path = tmp_path / "counts.json"
    done = run("explorer", "make", "tryad", "--games", 2, "--level", 1, "--workers", 0, "--out", path)
    assert done.code == 0
    assert str(path) in done.out
    written = json.loads(path.read_text())
    assert written["games"] == 2
    assert written["made"]["level"] == 1
