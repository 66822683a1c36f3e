"""Games that other packages bring by entry points: found in every process, and harmless when they are broken."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import triskele
from tests.support.sites import with_site, write_distribution

OURS = [game.name for game in triskele.games()]
NAMES = "import json, triskele; print(json.dumps([game.name for game in triskele.games()]))"
GOOD = """
from triskele.core.game import Game
GAME = Game(name={name!r}, title="Other", minutes=(1, 2), rulebook="", package=__name__, seats=2)
"""
RULES = "SIZE, LOG, MOVES, ACTIONS, VERSION, REASONS = 3, 0, 2, 2, 1, ('end',)"
NOTATION = "def move_text(): pass\nmove_tokens = write = read = move_text"


def run(code: str, environment: Mapping[str, str], **more: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, "TRISKELE_LANGUAGE": "en", **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def known(site: Path, **more: str) -> tuple[list[str], list[str]]:
    """Return the names of all games in a process that finds a folder, and the lines on its standard error."""
    out, err = run(NAMES, with_site(site), **more)
    return json.loads(out), err.splitlines()


def write_package(site: Path, package: str, declaration: str, **parts: str) -> None:
    folder = site / package
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(declaration)
    for part, source in {"rules": RULES, "notation": NOTATION, "scene": "def scene(look): ...", **parts}.items():
        (folder / f"{part}.py").write_text(source)


def test_a_game_of_another_package_is_among_the_games(tmp_path: Path) -> None:
    write_package(tmp_path, "theirs", GOOD.format(name="other"))
    write_distribution(tmp_path, "their-games", {"other": "theirs"})
    names, errors = known(tmp_path)
    assert errors == []
    assert sorted(names) == sorted([*OURS, "other"])


BROKEN = {
    "raises": ({"declaration": "1 / 0"}, "ZeroDivisionError: division by zero"),
    "exits": ({"declaration": "raise SystemExit('no')"}, "SystemExit: no"),
    "has_an_error": ({"declaration": "def"}, "SyntaxError: "),
    "declares_nothing": ({"declaration": ""}, "its module must define GAME"),
    "has_another_name": ({"declaration": GOOD.format(name="else")}, "its module must define GAME"),
    "has_broken_rules": ({"rules": "import nothing_of_this_name"}, "ModuleNotFoundError: No module named"),
    "has_no_constants": ({"rules": ""}, "AttributeError: "),
    "has_no_notation": ({"notation": ""}, "AttributeError: "),
    "has_a_broken_scene": ({"scene": "raise ValueError('one\\ntwo')"}, "ValueError: one two"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_package_is_named_in_one_line_and_breaks_nothing(name: str, tmp_path: Path) -> None:
    parts, why = BROKEN[name]
    write_package(tmp_path, "theirs", **{"declaration": GOOD.format(name=name), **parts})
    write_package(tmp_path, "fine", GOOD.format(name="other"))
    write_distribution(tmp_path, "their-games", {name: "theirs"})
    write_distribution(tmp_path, "fine-games", {"other": "fine"})
    names, errors = known(tmp_path)
    assert sorted(names) == sorted([*OURS, "other"])
    assert len(errors) == 1
    assert errors[0].startswith(f"triskele: the game {name} of the package their-games is left out: {why}")


def test_a_package_that_is_not_there_is_named_too(tmp_path: Path) -> None:
    write_distribution(tmp_path, "their-games", {"other": "gone"})
    names, errors = known(tmp_path, TRISKELE_LANGUAGE="de")
    assert names == OURS
    assert errors == [
        "triskele: das Spiel other aus dem Paket their-games wird ausgelassen: "
        "ModuleNotFoundError: No module named 'gone'"
    ]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("yinsh", "there is a game of this name already, from triskele"),
        ("core", "a game’s name has small letters, digits and underscores"),
        ("Other", "a game’s name has small letters, digits and underscores"),
        ("no-dash", "a game’s name has small letters, digits and underscores"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, why: str, tmp_path: Path) -> None:
    write_package(tmp_path, "theirs", GOOD.format(name=name))
    write_distribution(tmp_path, "their-games", {name: "theirs"})
    names, errors = known(tmp_path)
    assert names == OURS
    assert len(errors) == 1
    assert errors[0].startswith(f"triskele: the game {name} of the package their-games is left out: {why}")


def test_of_two_packages_with_a_game_of_one_name_one_is_refused(tmp_path: Path) -> None:
    for package in ("first", "second"):
        write_package(tmp_path, package, GOOD.format(name="other"))
        write_distribution(tmp_path, f"{package}-games", {"other": package})
    names, errors = known(tmp_path)
    assert sorted(names) == sorted([*OURS, "other"])
    assert len(errors) == 1
    assert "there is a game of this name already, from " in errors[0]
    assert {word for word in errors[0].split() if word.endswith("-games")} == {"first-games", "second-games"}


def test_nothing_is_looked_for_until_a_game_is_wanted_that_is_not_ours() -> None:
    code = """
import triskele
from triskele.core.game import _installed
triskele.new("yinsh").push("f6")
assert _installed.cache_info().currsize == 0
try:
    triskele.new("nothing")
except triskele.OptionError as error:
    print(error)
assert _installed.cache_info().currsize == 1
"""
    out, _ = run(code, os.environ, TRISKELE_PLAIN="1")
    assert out.startswith("there is no game nothing; the games are: yinsh, ")
