"""``triskele puzzles``: make, prove and show puzzles."""

import argparse
import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triskele.cli.formatting import options_line, show_board
from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.errors import OptionError, TriskeleError
from triskele.core.files import write_atomic
from triskele.core.game import Game, game, games
from triskele.core.words import LANGUAGES, Text, say, text

if TYPE_CHECKING:  # imported when a command runs: all commands start quickly
    from triskele.core.puzzles import Puzzle
    from triskele.puzzle.making import Collection

COUNT_LIMIT = 100_000
GAMES_LIMIT = 10_000_000
NODES_LIMIT = 1 << 50
WORKERS_LIMIT = 1024


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the subcommands and their arguments, with help in a language."""

    def words(key: str) -> str:
        return help_text(f"puzzle.help.{key}", language)

    def add(name: str, run: Any) -> argparse.ArgumentParser:
        command = actions.add_parser(name, help=words(name), description=words(name))
        command.add_argument(
            "--language", choices=LANGUAGES, default=argparse.SUPPRESS, help=help_text("cli.help.language", language)
        )
        command.set_defaults(action=run)
        return command

    def add_workers(command: argparse.ArgumentParser) -> None:
        command.add_argument("--workers", metavar="N", type=int, help=words("workers"))
        command.add_argument("--cluster", metavar="ADDRESS", help=words("cluster"))
        command.add_argument("--json", action="store_true", help=words("json"))

    actions = parser.add_subparsers(metavar="WHAT", required=True)
    make = add("make", _make)
    make.add_argument("game", metavar="GAME", help=words("game"))
    make.add_argument("--count", metavar="N", type=int, default=100, help=words("count"))
    make.add_argument("--out", metavar="FILE", help=words("out"))
    make.add_argument("--seed", metavar="N", type=int, default=1, help=words("seed"))
    make.add_argument("--games", metavar="N", type=int, default=100_000, help=words("games"))
    add_workers(make)
    check = add("check", _check)
    check.add_argument("file", metavar="FILE", help=words("file"))
    check.add_argument("--nodes", metavar="N", type=int, default=1_000_000_000, help=words("nodes"))
    add_workers(check)
    play = add("play", _play)
    play.add_argument("game", metavar="GAME", help=words("game"))
    play.add_argument("--kind", metavar="KIND", help=words("kind"))
    play.add_argument("--difficulty", metavar="N", type=int, help=words("difficulty"))
    play.add_argument("--no-board", action="store_true", help=help_text("cli.help.no-board", language))
    show = add("show", _show)
    show.add_argument("game", metavar="GAME", help=words("game"))
    show.add_argument("id", metavar="ID", nargs="?", help=words("id"))
    show.add_argument("--kind", metavar="KIND", help=words("kind"))
    show.add_argument("--difficulty", metavar="N", type=int, help=words("difficulty"))
    show.add_argument("--solution", action="store_true", help=words("solution"))
    show.add_argument("--json", action="store_true", help=words("json"))


def run(chosen: argparse.Namespace) -> int:
    """Run the chosen subcommand and return the exit code."""
    return int(chosen.action(chosen))


def _within(name: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise OptionError(text("puzzle.setting-range", setting=name, low=low, high=high))


def _say(terminal: Terminal, key: str, **values: "str | int | Text") -> str:
    return say(text(f"puzzle.{key}", **values), terminal.language)


# --- make -----------------------------------------------------------------------------------------


def _make(chosen: argparse.Namespace) -> int:
    """Make a file. When stopped, the journal beside it stays, and the same command goes on from there."""
    from triskele.arena.journal import Journal
    from triskele.arena.worker_pool import WorkerPool
    from triskele.core.puzzles import write_puzzles
    from triskele.puzzle.making import Plan, journal_path, make
    from triskele.puzzle.mining import declared_puzzles

    _within("--count", chosen.count, 1, COUNT_LIMIT)
    _within("--seed", chosen.seed, 0, 1 << 62)
    _within("--games", chosen.games, 1, GAMES_LIMIT)
    _within("--workers", chosen.workers, 0, WORKERS_LIMIT)
    declared = game(chosen.game)
    declared_puzzles(declared)
    terminal = Terminal(chosen.language)
    out = chosen.out or f"{declared.name}-puzzles.jsonl"
    plan = Plan(declared, chosen.count, chosen.seed, chosen.games)
    kept = journal_path(out)
    try:
        with Journal(kept, plan.header()) as journal, WorkerPool(chosen.workers, chosen.cluster) as pool:
            found = make(plan, journal, pool)
    except KeyboardInterrupt:
        terminal.note(_say(terminal, "stopped", path=kept))
        raise
    write_atomic(out, write_puzzles(declared, found.puzzles))
    with contextlib.suppress(OSError):
        Path(kept).unlink()
    _tell_made(terminal, chosen, found, out)
    return 0 if len(found.puzzles) == chosen.count else 1


def _tell_made(terminal: Terminal, chosen: argparse.Namespace, found: "Collection", out: str) -> None:
    each = round(found.positions / max(1, len(found.puzzles)))
    if chosen.json:
        costs = {"games": found.games, "positions": found.positions, "nodes": found.nodes}
        terminal.write(json.dumps({"game": chosen.game, "file": out, "puzzles": len(found.puzzles), **costs}))
        return
    terminal.write(_say(terminal, "made", n=len(found.puzzles), game=game(chosen.game).title, path=out))
    terminal.write(_say(terminal, "made-cost", games=found.games, positions=found.positions, each=each))
    if len(found.puzzles) < chosen.count:
        terminal.write(_say(terminal, "made-fewer"))


# --- check ----------------------------------------------------------------------------------------


def _check(chosen: argparse.Namespace) -> int:
    """Prove every puzzle of a file; those that are not proved are written with the reason, and the exit code is 1."""
    from triskele.arena.progress import ProgressBar
    from triskele.arena.worker_pool import WorkerPool, WorkItem
    from triskele.core.puzzles import read_puzzles, shipped_file
    from triskele.puzzle.proof import prove_document

    _within("--nodes", chosen.nodes, 1, NODES_LIMIT)
    _within("--workers", chosen.workers, 0, WORKERS_LIMIT)
    path = Path(chosen.file)
    if not path.exists() and chosen.file in {declared.name for declared in games()}:
        path = shipped_file(game(chosen.file))
    declared, puzzles = read_puzzles(path)
    terminal = Terminal(chosen.language)
    items = (WorkItem(at, prove_document, (puzzle.document(), chosen.nodes)) for at, puzzle in enumerate(puzzles))
    reasons: dict[str, str] = {}
    positions = 0
    with ProgressBar(len(puzzles)) as bar, WorkerPool(chosen.workers, chosen.cluster) as pool:
        for at, (visited, refusal) in pool.run(items):
            positions += visited
            if refusal is not None:
                reasons[puzzles[at].id] = say(refusal, terminal.language)
            bar.advance()
    proved = len(puzzles) - len(reasons)
    if chosen.json:
        result = {"game": declared.name, "puzzles": len(puzzles), "proved": proved, "positions": positions}
        terminal.write(json.dumps({**result, "refused": reasons}, ensure_ascii=False))
    else:
        for puzzle_id, why in reasons.items():
            terminal.write(_say(terminal, "check-failed", id=puzzle_id, why=why))
        values: dict[str, str | int] = {"n": len(puzzles), "proved": proved, "positions": positions}
        terminal.write(_say(terminal, "check-done", game=declared.title, **values))
    return 1 if reasons else 0


# --- play -----------------------------------------------------------------------------------------


def _play(chosen: argparse.Namespace) -> int:
    """Ask for the shipped puzzles of a game, one after the other."""
    from triskele.cli.lesson_progress import PUZZLES, Progress
    from triskele.cli.puzzle_session import PuzzleSession

    declared, found = _chosen_puzzles(chosen)
    terminal = Terminal(chosen.language)
    PuzzleSession(declared, found, terminal, Progress(terminal, PUZZLES), drawn=not chosen.no_board).run()
    return 0


def _chosen_puzzles(chosen: argparse.Namespace) -> "tuple[Game, tuple[Puzzle, ...]]":
    """Return the game and its shipped puzzles of the chosen kind and difficulty; there is at least one."""
    from triskele.core.contract.puzzles import kind_of
    from triskele.core.puzzles import HARDEST, puzzles

    declared = game(chosen.game)
    _within("--difficulty", chosen.difficulty, 1, HARDEST)
    if chosen.kind is not None and kind_of(declared, chosen.kind) is None:
        raise OptionError(text("puzzle.no-kind", kind=chosen.kind[:40], game=declared.title))
    found = puzzles(declared.name, kind=chosen.kind, difficulty=chosen.difficulty)
    if not found:
        raise TriskeleError(text("puzzle.none-found", game=declared.title))
    return declared, found


# --- show -----------------------------------------------------------------------------------------


def _show(chosen: argparse.Namespace) -> int:
    """List the shipped puzzles of a game, or show one on its board."""
    declared, found = _chosen_puzzles(chosen)
    terminal = Terminal(chosen.language)
    if chosen.id is not None:
        found = tuple(puzzle for puzzle in found if puzzle.id == chosen.id)
        if not found:
            raise TriskeleError(text("puzzle.no-puzzle", game=declared.title, id=chosen.id[:40]))
    if chosen.json:
        for puzzle in found:
            terminal.write(json.dumps(puzzle.document(), ensure_ascii=False))
    elif chosen.id is not None:
        _show_one(terminal, found[0], chosen.solution)
    else:
        for puzzle in found:
            line = f"{puzzle.id}  {puzzle.difficulty:2}  {puzzle.task(terminal.language)}"
            terminal.write(f"{line}  {' '.join(puzzle.solution)}" if chosen.solution else line)
    return 0


def _show_one(terminal: Terminal, puzzle: "Puzzle", solution: bool) -> None:
    start = puzzle.start()
    terminal.write(terminal.strong(f"{start.variant.game.title}  {options_line(start.variant)}".rstrip()))
    terminal.write()
    show_board(terminal, start, puzzle.seat)
    terminal.write()
    terminal.write(f"{puzzle.task(terminal.language)} ({_say(terminal, 'difficulty', n=puzzle.difficulty)})")
    if solution:
        terminal.write(_say(terminal, "solution", moves=" ".join(puzzle.solution)))
