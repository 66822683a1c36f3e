"""Games of any chance, and a game of another package, at the terminal."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from triskele.core.dice import verify
from triskele.core.game import Game
from triskele.core.records import load


@pytest.fixture(params=["pig", "urn"])
def chance(request: pytest.FixtureRequest) -> Game:
    game: Game = request.getfixturevalue(request.param)
    return game


def test_a_whole_game_is_rolled_kept_and_proved(run, chance: Game, tmp_path: Path):
    path = tmp_path / "game.json"
    typed = ["roll", "hold", "draw", "pass"] * 60
    done = run("play", chance.name, "--seats", "person,random", "--seed", "3", "--save", path, typed=typed)
    assert done.code == 0
    assert "The game is over" in done.out
    assert "Die: " in done.out
    record = load(path)
    assert record.outcome is not None
    assert record.dice is not None
    assert record.dice.faces == chance.die
    assert verify(record).proved
    assert run("verify", path).code == 0


def test_a_forged_roll_is_named(run, chance: Game, tmp_path: Path):
    path = tmp_path / "game.json"
    run("play", chance.name, "--seats", "random", "--seed", "5", "--save", path)
    document = json.loads(path.read_text())
    rolls = [move for move in document["moves"] if move["seat"] == "chance"]
    other = {"red": "black", "black": "red"}.get(rolls[0]["text"], "d6" if rolls[0]["text"] != "d6" else "d5")
    rolls[0]["text"] = other
    path.write_text(json.dumps(document))
    done = run("verify", path)
    assert done.code != 0
    assert f"the record says {other}" in done.out + done.err


def test_equal_seeds_roll_equally(run, chance: Game, tmp_path: Path):
    for name in ("a.json", "b.json"):
        run("play", chance.name, "--seats", "random", "--seed", "9", "--save", tmp_path / name)
    one, other = (load(tmp_path / name) for name in ("a.json", "b.json"))
    assert [move.text for move in one.moves] == [move.text for move in other.moves]


def test_random_games_are_measured(run, chance: Game):
    for policy in ("uniform", "rollout"):
        assert run("bench", "playouts", chance.name, "--seconds", "0.05", "--policy", policy).code == 0


def test_a_game_of_another_package_is_played(home: Path, chomp_installed: dict[str, str], tmp_path: Path):
    path = tmp_path / "game.json"
    places = {"TRISKELE_DATA": str(home), "TRISKELE_PLAIN": "1", "TRISKELE_LANGUAGE": "en"}
    done = subprocess.run(
        [sys.executable, "-m", "triskele", "play", "chomp", "--save", str(path)],
        input="help\nb9\nb1\na2\na1\n",
        env={**chomp_installed, **places},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Choose a square" in done.stdout
    assert "b9 is not a square that is left" in done.stdout
    assert "the poisoned square was eaten" in done.stdout
    document = json.loads(path.read_text())
    assert [move["text"] for move in document["moves"]] == ["b1", "a2", "a1"]
    assert document["outcome"] == {"winners": [1], "scores": [-1.0, 1.0], "reason": "poison"}
