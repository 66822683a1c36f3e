"""Puzzles and their files.

A file of puzzles is JSON lines in UTF-8: a header, ``{"format": "triskele-puzzles", "version": 1, "game": "…"}``, and
a puzzle a line. Files are read as untrusted: whatever is wrong with one is said with the line it stands in.
"""

import dataclasses
import functools
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triskele.core.contract.puzzles import kind_of
from triskele.core.errors import RecordError, TriskeleError
from triskele.core.files import read_limited
from triskele.core.game import Game, game
from triskele.core.position import Position, position
from triskele.core.words import Text, say, text

FORMAT = "triskele-puzzles"
VERSION = 1
BYTES_LIMIT = 16 << 20
PUZZLES_LIMIT = 100_000
SOLUTION_LIMIT = 200
"""The most moves in a solution."""
TURNS_LIMIT = 20
SHIPPED = "shipped.jsonl"
"""The file in a game's folder ``puzzles`` with the puzzles that come with it."""
HARDEST = 10


@dataclass(frozen=True)
class Puzzle:
    """A position in which one way, and no other, reaches the aim of its kind.

    ``position`` is a position text; in a game with secrets it is what ``seat`` may know. ``seat`` is the solver, who is
    to act. ``turns`` is the horizon in turns of the solver. ``solution`` are move texts of both sides from the position
    on: the solver's are the only ones, the other side's the most stubborn. ``margin`` is how much better the solution
    is than the next best move, where moves have values; else ``None``. ``difficulty`` is from 1 to 10, 0 while unknown.
    """

    id: str
    kind: str
    position: str
    seat: int
    turns: int
    solution: tuple[str, ...]
    difficulty: int = 0
    margin: float | None = None

    def start(self) -> Position:
        """Return the position to solve."""
        return position(self.position)

    @property
    def game(self) -> Game:
        """The game it is a puzzle of."""
        return game(self.position.split(" ", 1)[0].rstrip(":"))

    def task(self, language: str = "en") -> str:
        """Return what is to be done, as a sentence."""
        return say(Text(f"{self.game.name}.puzzle.{self.kind}", {"n": self.turns}), language)

    def rated(self, difficulty: int) -> "Puzzle":
        """Return the same puzzle with a difficulty."""
        return dataclasses.replace(self, difficulty=difficulty)

    def document(self) -> dict[str, Any]:
        """Return it as a line of a file has it."""
        found = dataclasses.asdict(self)
        found["solution"] = " ".join(self.solution)
        if self.margin is None:
            del found["margin"]
        return found

    @staticmethod
    def of_document(document: object) -> "Puzzle":
        """Read a line of a file; ``RecordError`` says what is wrong with it. Proves nothing."""
        if not isinstance(document, dict):
            raise RecordError(text("puzzle.bad-form"))
        found = Puzzle(
            id=_checked(document, "id", str),
            kind=_checked(document, "kind", str),
            position=_checked(document, "position", str),
            seat=_checked(document, "seat", int),
            turns=_checked(document, "turns", int),
            solution=tuple(_checked(document, "solution", str).split()),
            difficulty=_checked(document, "difficulty", int),
            margin=float(_checked(document, "margin", int | float)) if "margin" in document else None,
        )
        unknown = document.keys() - {part.name for part in dataclasses.fields(Puzzle)}
        if unknown:
            raise RecordError(text("puzzle.bad-field", field=min(unknown)[:40]))
        _check_ranges(found)
        return found


def _checked(document: Mapping[str, Any], name: str, kind: Any) -> Any:
    value = document.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RecordError(text("puzzle.bad-field", field=name))
    return value


def _check_ranges(found: Puzzle) -> None:
    fine = {
        "turns": 1 <= found.turns <= TURNS_LIMIT,
        "seat": 0 <= found.seat < 64,
        "solution": 0 < len(found.solution) <= SOLUTION_LIMIT,
        "difficulty": 0 <= found.difficulty <= HARDEST,
        "margin": found.margin is None or 0 < found.margin < 1e9,
        "id": found.id == puzzle_id(found.position),
    }
    for name, is_fine in fine.items():
        if not is_fine:
            raise RecordError(text("puzzle.bad-field", field=name))


def puzzle_id(written: str) -> str:
    """Return the id of the puzzle with a position text: a hash of it."""
    return hashlib.sha256(written.encode()).hexdigest()[:10]


# --- files ----------------------------------------------------------------------------------------


def write_puzzles(declared: Game, found: Iterable[Puzzle]) -> str:
    """Return the content of a file with these puzzles."""
    documents: list[dict[str, Any]] = [{"format": FORMAT, "version": VERSION, "game": declared.name}]
    documents += [puzzle.document() for puzzle in found]
    return "".join(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n" for document in documents)


def read_puzzles(path: str | os.PathLike[str]) -> tuple[Game, list[Puzzle]]:
    """Read a file of puzzles; ``RecordError`` names the line that is wrong, and why. Proves nothing."""
    data = read_limited(path, BYTES_LIMIT)
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        raise RecordError(text("puzzle.not-a-file", path=os.fspath(path))) from None
    declared = _header(lines[0] if lines else "", os.fspath(path))
    found: list[Puzzle] = []
    seen: set[str] = set()
    if len(lines) > PUZZLES_LIMIT:
        raise RecordError(text("puzzle.too-many", n=PUZZLES_LIMIT))
    for number, line in enumerate(lines[1:], 2):
        try:
            puzzle = Puzzle.of_document(_json(line))
            if puzzle.game is not declared:
                raise RecordError(text("puzzle.other-game", game=declared.name))
            if kind_of(declared, puzzle.kind) is None:
                raise RecordError(text("puzzle.no-kind", kind=puzzle.kind[:40], game=declared.title))
            if puzzle.id in seen:
                raise RecordError(text("puzzle.twice"))
        except TriskeleError as error:
            raise RecordError(text("puzzle.bad-line", path=os.fspath(path), line=number, why=error.text)) from None
        seen.add(puzzle.id)
        found.append(puzzle)
    return declared, found


def _json(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError(text("puzzle.bad-form")) from None


def _header(line: str, path: str) -> Game:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT or not isinstance(header.get("game"), str):
        raise RecordError(text("puzzle.not-a-file", path=path))
    if header.get("version") != VERSION:
        raise RecordError(text("puzzle.newer", path=path, version=VERSION))
    return game(header["game"])


# --- shipped --------------------------------------------------------------------------------------


def shipped_file(declared: Game) -> Path:
    """Return where a game's shipped puzzles are; the file need not exist."""
    return declared.folder / "puzzles" / SHIPPED


@functools.lru_cache(maxsize=16)
def _shipped(declared: Game) -> tuple[Puzzle, ...]:
    path = shipped_file(declared)
    return tuple(read_puzzles(path)[1]) if path.is_file() else ()


def puzzles(name: str, *, kind: str | None = None, difficulty: int | None = None) -> tuple[Puzzle, ...]:
    """Return the puzzles that come with a game, the easiest first; only those of a kind or difficulty, if given.

    ``OptionError`` if there is no such game. A game without puzzles gives none.
    """
    found = _shipped(game(name))
    return tuple(
        puzzle
        for puzzle in found
        if (kind is None or puzzle.kind == kind) and (difficulty is None or puzzle.difficulty == difficulty)
    )
