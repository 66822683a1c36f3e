"""The commands: their arguments, what they write, and their words in seven languages."""

import argparse
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import Program
from triskele.arena.commands import COMMANDS
from triskele.arena.dataset import Dataset
from triskele.cli import main
from triskele.core.errors import OptionError, TriskeleError
from triskele.core.records import load
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


CRASHING = """
for word, rest in heard():
    if word == "go":
        for number in range(100):
            print("  step", number, "of", "x" * 2000, file=sys.stderr)
        print("KeyError: 'no such point'\\x1b[2J", file=sys.stderr, flush=True)
        os._exit(3)
"""


def test_the_last_words_of_a_program_that_crashes_are_shown_and_kept(program: Program, tmp_path: Path) -> None:
    crashing, path = "cmd:" + " ".join(program(CRASHING)), tmp_path / "match.jsonl"
    arguments = (crashing, "random", "tryad", "--games", 2, "--nodes", 5, "--resume", path, *ONE)
    said = run("match", *arguments)
    assert "game 2: " in said
    assert "(exit code 3)" in said
    assert "  |   step 99 of xxx" in said
    assert "  | KeyError: 'no such point'" in said
    assert "\x1b" not in said
    assert "step 70" not in said
    (failure,) = json.loads(run("match", *arguments, "--json"))["last_failures"]["A"]
    assert failure["game"] == 2
    assert failure["last_words"].splitlines()[-1].startswith("KeyError: 'no such point'")
    assert len(failure["last_words"]) <= 4000
    assert json.loads(path.read_text().splitlines()[-1])["failure"]["last_words"] == failure["last_words"]
    table = json.loads(run("arena", "tryad", crashing, "random", "--games", 2, "--nodes", 5, "--json", *ONE))["table"]
    assert [bool(row["last_failures"]) for row in table] == [False, True]
    assert "  | KeyError: 'no such point'" in run("arena", "tryad", crashing, "random", "--games", 2, *ONE)


def test_a_journal_becomes_records(program: Program, tmp_path: Path) -> None:
    wild = """
moves, count = [], 0
for word, rest in heard():
    if word == "legal":
        moves = rest.split()
    elif word == "go":
        count += 1
        if count > 2:
            os._exit(3)
        say("bestmove", moves[0])
"""
    path, folder = tmp_path / "match.jsonl", tmp_path / "records"
    contestant = "cmd:" + " ".join(program(wild))
    run("match", contestant, "random", "trypsylon", "--games", 4, "--nodes", 5, "--resume", path, *ONE)
    run(
        "match", "random", "random", "conquest", "--games", 2, "--plies", 300, "--resume", tmp_path / "dice.jsonl", *ONE
    )
    run("arena", "tryptic", "random", "random:nodes=1", "--games", 2, "--resume", tmp_path / "arena.jsonl", *ONE)
    with path.open("a") as journal:
        journal.write('{"number": 4, "cut')
    sources = [str(tmp_path / name) for name in ("match.jsonl", "dice.jsonl", "arena.jsonl")]
    assert main(["convert", *sources, str(folder) + "/", "--to", "json"]) == 0
    entries = [json.loads(line) for line in path.read_text().splitlines()[1:5]]
    for entry in entries:
        record = load(folder / f"match-{entry['number'] + 1}.json")
        assert " ".join(move.text for move in record.moves) == entry["moves"]
        assert record.seats == tuple([contestant[:100], "random"][number] for number in entry["seated"])
        assert record.outcome is not None
        assert list(record.outcome.winners) == entry["winners"]
        assert (record.ended is not None) == ("failure" in entry)
    assert any("failure" in entry for entry in entries)
    assert load(folder / "dice-1.json").game == "conquest"
    assert load(folder / "arena-2.json").seats == ("random:nodes=1", "random")


def test_a_damaged_journal_is_refused_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.jsonl"
    run("match", "random", "random", "tryad", "--games", 2, "--resume", path, *ONE)
    lines = path.read_text().splitlines()
    for wrong in ("nonsense", "[]", "{}", lines[2].replace('"moves": "', '"moves": "nowhere '), '{"number": 1}'):
        path.write_text("\n".join([*lines[:2], wrong, ""]))
        assert main(["convert", str(path), str(tmp_path / "records") + "/", "--to", "json", "--language", "en"]) == 1
        assert "line 3" in capsys.readouterr().err
    path.write_text("\n".join([lines[0].replace('"rules": ', '"rules": 9'), *lines[1:], ""]))
    assert main(["convert", str(path), str(tmp_path / "records") + "/", "--to", "json"]) == 1
    assert not (tmp_path / "records").exists()


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
    sources = [*(ARENA / "arena").glob("*.py"), *(ARENA / "rating").glob("*.py"), ARENA / "engines" / "external.py"]
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
