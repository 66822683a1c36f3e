"""The commands: their arguments, what they write, and their words in seven languages."""

import argparse
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from triskele.arena.commands import COMMANDS
from triskele.arena.dataset import Dataset
from triskele.core.errors import OptionError, TriskeleError
from triskele.core.words import LANGUAGES, catalogue

ARENA = Path(__file__).parent.parent.parent / "triskele"


def run(name: str, *arguments: object, language: str = "en") -> str:
    parser = argparse.ArgumentParser()
    COMMANDS[name].add_arguments(parser, language)
    chosen = parser.parse_args([str(argument) for argument in arguments])
    chosen.language = language
    out = io.StringIO()
    assert COMMANDS[name].run(chosen, out) == 0
    return out.getvalue()


ONE = ("--workers", 0, "--openings", 2)
"""All in this process, which is enough here."""


def test_a_match_as_json() -> None:
    found = json.loads(run("match", "uct", "random", "tryad", "--games", 2, "--nodes", 5, "--json", *ONE))
    assert found["games"] == 2
    assert found["contestants"] == ["uct", "random"]
    assert found["limits"]["nodes"] == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_in_words(language: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    arguments = ("uct", "random", "tryad", "--games", 2, "--nodes", 5, "--sprt", 0, 100, "--resume", path, *ONE)
    said = run("match", *arguments, language=language)
    assert said == run("match", *arguments, language=language)
    assert len(said.splitlines()) >= 5
    assert "{" not in said
    assert "arena." not in said


def test_an_arena_writes_a_table() -> None:
    said = run("arena", "tryad", "random", "uct", "random:nodes=2", "--games", 2, "--nodes", 5, *ONE)
    assert len(said.splitlines()) == 4
    found = json.loads(run("arena", "tryad", "random", "uct", "--games", 2, "--nodes", 5, "--gauntlet", "--json", *ONE))
    assert found["games"] == 2


def test_selfplay_writes_a_data_set_and_completes_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    arguments = ("selfplay", "tryad", "--engine", "random", "--out", folder, "--states", 0, "--shard", 4, *ONE)
    assert str(folder) in run(*arguments, "--games", 6)
    assert len(Dataset(folder)) == 6
    found = json.loads(run(*arguments, "--games", 10, "--json"))
    assert found["written"] == 6  # the shard that was not full, and the new one
    assert len(Dataset(folder)) == 10


def test_a_report_is_a_page_and_json(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    arguments = (
        "report",
        "tryad",
        "--engine",
        "uct",
        "--option",
        "players=3",
        "--games",
        2,
        "--nodes",
        5,
        "--out",
        target,
        *ONE,
    )
    assert str(target) in run(*arguments, language="de")
    assert target.read_text().startswith("<!doctype html>")
    found = json.loads(run(*arguments, "--json"))
    assert [variant["options"] for variant in found["variants"]] == [{"players": 3}]


def test_the_engine_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("triskele 1\nquit\n"))
    assert run("engine", "uct").splitlines()[-1] == "ok 1"


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "uct", "random", "chess"),
        ("match", "uct", "random", "tryad", "--games", 0),
        ("match", "uct", "random", "tryad", "--seconds", 0),
        ("match", "uct", "random", "tryad", "--seconds", "nan"),
        ("match", "uct", "random", "tryad", "--level", 11),
        ("match", "uct", "random", "tryad", "--sprt", 50, 0),
        ("match", "uct", "random", "tryad", "--patience", 0),
        ("match", "uct", "stockfish", "tryad"),
        ("match", "uct", "random", "tryad", "--option", "players=99"),
        ("arena", "tryad", "uct"),
        ("selfplay", "tryad", "--out", "/tmp", "--states", "some"),
        ("report", "tryad", "--engine", "nobody"),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(OptionError):
        run(*arguments)


def test_a_cluster_without_dask_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(TriskeleError, match=r"triskele\[cluster\]"):
        run("match", "uct", "random", "tryad", "--cluster", "tcp://127.0.0.1:9")


# --- words ----------------------------------------------------------------------------------------


def forms(words: Any) -> list[str]:
    return list(words.values()) if isinstance(words, dict) else [words]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word(language: str) -> None:
    english, words = catalogue("arena", "en"), catalogue("arena", language)
    assert list(words) == list(english)
    for key, said in words.items():
        places = {name for form in forms(english[key]) for name in re.findall(r"{(\w+)}", form)}
        for form in forms(said):
            assert form.strip()
            assert set(re.findall(r"{(\w+)}", form)) == places, key
        if isinstance(english[key], dict):
            assert set(said) == ({"one", "few", "many", "other"} if language == "pl" else {"one", "other"})


def test_every_word_is_used_and_every_used_word_is_there() -> None:
    sources = [*(ARENA / "arena").glob("*.py"), ARENA / "engines" / "external.py"]
    code = "\n".join(path.read_text() for path in sources)
    known = set(catalogue("arena", "en"))
    for key in re.findall(r'text\(\s*"arena\.([\w.-]+)"', code):
        assert key in known, key
    for key in known - {key for key in known if key.startswith(("help.", "table-"))}:
        short = key.removeprefix("report.")
        said = (f'"arena.{key}"', f'"{short}"', f"'{short}'")
        assert any(way in code for way in said), f"nobody says {key}"
    for name, command in COMMANDS.items():
        assert f"help.{name}" in known
        command.add_arguments(argparse.ArgumentParser(), "en")
