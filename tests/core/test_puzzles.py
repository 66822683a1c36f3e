"""Files of puzzles: read back as written, and bad ones refused with the line and the reason."""

import json
from pathlib import Path

import pytest

import triskele
from triskele.core.errors import RecordError, TriskeleError
from triskele.core.game import game
from triskele.core.puzzles import Puzzle, puzzles, read_puzzles, shipped_file, write_puzzles

GAME = "yinsh"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with three puzzles."""
    found = tmp_path / "puzzles.jsonl"
    found.write_text(write_puzzles(game(GAME), triskele.puzzles(GAME)[:3]), encoding="utf-8")
    return found


def test_a_file_reads_back(path: Path) -> None:
    assert read_puzzles(path) == (game(GAME), list(triskele.puzzles(GAME)[:3]))


def test_shipped_files_are_as_they_would_be_written() -> None:
    for declared in triskele.games():
        if shipped_file(declared).is_file():
            assert shipped_file(declared).read_text(encoding="utf-8") == write_puzzles(declared, puzzles(declared.name))


def test_a_puzzle_has_the_documented_fields() -> None:
    puzzle = triskele.puzzles(GAME)[0]
    assert isinstance(puzzle, Puzzle)
    assert puzzle.game is game(GAME)
    assert isinstance(puzzle.solution, tuple)
    assert str(triskele.position(puzzle.position)) == puzzle.position
    assert puzzle.start() == triskele.position(puzzle.position)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("id", "0000000000", "id"),
        ("id", 7, "id"),
        ("seat", -1, "seat"),
        ("seat", True, "seat"),
        ("turns", 0, "turns"),
        ("turns", "1", "turns"),
        ("solution", "", "solution"),
        ("solution", " ".join(["f6"] * 300), "solution"),
        ("difficulty", 11, "difficulty"),
        ("margin", -1, "margin"),
        ("margin", "much", "margin"),
        ("kind", "nonsense", "nonsense"),
        ("position", "tryad: whatever", "position|id"),
        ("hint", "none", "hint"),
    ],
)
def test_a_bad_field_is_named_with_its_line(path: Path, field: str, value: object, reason: str) -> None:
    lines = path.read_text().splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), field: value})
    path.write_text("\n".join(lines))
    with pytest.raises(RecordError, match=rf"line 3: .*({reason})"):
        read_puzzles(path)


@pytest.mark.parametrize("line", ["", "[]", "null", "{", "[" * 100_000, '"x"', "{}"])
def test_a_line_that_is_no_puzzle_is_refused(path: Path, line: str) -> None:
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(RecordError, match="line 5"):
        read_puzzles(path)


def test_the_same_puzzle_twice_is_refused(path: Path) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[1]]))
    with pytest.raises(RecordError, match=r"line 5: .*before"):
        read_puzzles(path)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{}\n", b"no json", b'{"format": "other", "game": "yinsh"}\n'])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="not a file of puzzles"):
        read_puzzles(path)


def test_another_version_an_unknown_game_and_no_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text('{"format": "triskele-puzzles", "version": 2, "game": "yinsh"}\n')
    with pytest.raises(RecordError, match="version 1"):
        read_puzzles(path)
    path.write_text('{"format": "triskele-puzzles", "version": 1, "game": "chess"}\n')
    with pytest.raises(TriskeleError, match="chess"):
        read_puzzles(path)
    with pytest.raises(TriskeleError, match="nowhere"):
        read_puzzles(tmp_path / "nowhere")
