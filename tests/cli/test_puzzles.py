"""``triskele puzzles``: what it writes, refuses and returns."""

import json
from pathlib import Path

import pytest

import triskele
from triskele.cli import main
from triskele.core.game import game
from triskele.core.puzzles import write_puzzles
from triskele.core.words import LANGUAGES

GAME = "yinsh"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["puzzles", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with four puzzles, of which the third has a wrong solution."""
    few = list(triskele.puzzles(GAME)[:4])
    wrong = few[2].start().legal_moves
    other = next(move.text for move in wrong if move.text != few[2].solution[0])
    found = tmp_path / "puzzles.jsonl"
    found.write_text(write_puzzles(game(GAME), few).replace(f'"{" ".join(few[2].solution)}"', f'"{other}"'))
    return found


def test_check_proves_all_but_the_false_one(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    code, said, _ = run(capsys, "check", path, "--workers", 0)
    assert code == 1
    assert said.startswith(triskele.puzzles(GAME)[2].id)
    assert "3 of 4 puzzles of YINSH proved" in said
    code, said, _ = run(capsys, "check", path, "--workers", 0, "--json")
    found = json.loads(said)
    assert (code, found["proved"], found["puzzles"]) == (1, 3, 4)
    assert list(found["refused"]) == [triskele.puzzles(GAME)[2].id]


def test_check_takes_a_game_for_its_shipped_puzzles(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = run(capsys, "check", GAME, "--workers", 0, "--nodes", 1)
    assert code == 1
    assert "not proved within 1 position" in said
    assert f"of {len(triskele.puzzles(GAME))} puzzles" in said


def test_bad_files_are_refused_with_the_reason(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    path.write_text(path.read_text() + "nonsense\n")
    code, said, complaint = run(capsys, "check", path)
    assert (code, said) == (1, "")
    assert "line 6" in complaint


@pytest.mark.parametrize("language", LANGUAGES)
def test_show_lists_and_draws_in_every_language(capsys: pytest.CaptureFixture[str], language: str) -> None:
    puzzle = triskele.puzzles(GAME)[-1]
    code, said, _ = run(capsys, "show", GAME, "--kind", puzzle.kind, "--language", language)
    assert code == 0
    assert len(said.splitlines()) == len(triskele.puzzles(GAME, kind=puzzle.kind))
    assert "{" not in said
    code, said, _ = run(capsys, "show", GAME, puzzle.id, "--solution", "--language", language)
    assert code == 0
    assert puzzle.task(language) in said
    assert " ".join(puzzle.solution) in said
    code, hidden, _ = run(capsys, "show", GAME, puzzle.id, "--language", language)
    assert " ".join(puzzle.solution) not in hidden


def test_show_writes_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = run(capsys, "show", GAME, "--difficulty", 2, "--json")
    assert code == 0
    assert {json.loads(line)["difficulty"] for line in said.splitlines()} == {2}


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", GAME, "nonsense"),
        ("show", GAME, "--kind", "nonsense"),
        ("show", GAME, "--difficulty", 11),
        ("show", "chess"),
        ("make", "chess"),
        ("make", GAME, "--count", 0),
        ("make", GAME, "--games", 0),
        ("make", GAME, "--seed", -1),
        ("make", GAME, "--workers", -1),
        ("check", GAME, "--nodes", 0),
    ],
)
def test_what_cannot_be_is_refused(capsys: pytest.CaptureFixture[str], arguments: tuple[object, ...]) -> None:
    code, said, complaint = run(capsys, *arguments)
    assert (code, said) == (1, "")
    assert complaint.startswith("triskele: ")


def test_make_writes_the_file_and_removes_its_journal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "made.jsonl"
    code, said, _ = run(capsys, "make", "tryad", "--count", 1, "--out", out, "--workers", 0, "--json")
    assert code == 0
    assert json.loads(said)["puzzles"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["made.jsonl"]
    code, said, _ = run(capsys, "check", out, "--workers", 0)
    assert code == 0
    assert "1 of 1 puzzle of Tryad proved" in said


def test_make_says_when_games_run_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, said, _ = run(capsys, "make", "tryad", "--count", 50, "--games", 2, "--out", tmp_path / "x", "--workers", 0)
    assert code == 1
    assert "--games" in said
