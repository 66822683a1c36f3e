"""Make a file of puzzles: games are mined and puzzles rated by a worker pool, with a journal to go on from.

Everything follows from the seed: the games are taken in the order of their numbers, whichever of them finishes first.
"""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from triskele.arena.journal import Journal
from triskele.arena.progress import ProgressBar
from triskele.arena.worker_pool import WorkerPool, WorkItem
from triskele.core.contract.puzzles import Puzzles
from triskele.core.game import Game
from triskele.core.puzzles import Puzzle
from triskele.puzzle.mining import declared_puzzles, mine
from triskele.puzzle.rating import rate

RATINGS = 1 << 40
"""Results with numbers from here on are difficulties, by the puzzle's place in the file."""
VERSION = 1


@dataclass(frozen=True)
class Plan:
    """What to make: how many puzzles of a game, from which seed, in how many games at the most."""

    game: Game
    count: int
    seed: int = 1
    games: int = 100_000

    def header(self) -> dict[str, Any]:
        """Return the header of the journal."""
        return {
            "format": "triskele-puzzle-journal",
            "version": VERSION,
            "game": self.game.name,
            "rules": self.game.rules_module.VERSION,
            "count": self.count,
            "seed": self.seed,
        }


@dataclass
class Collection:
    """The puzzles taken so far, and what they cost."""

    puzzles: list[Puzzle]
    games: int = 0
    positions: int = 0
    nodes: int = 0


def quotas(declared: Puzzles, count: int) -> dict[tuple[str, int], int]:
    """Return how many puzzles of each kind and horizon make ``count``, by their shares (largest remainder)."""
    shares = {
        (kind.name, turns): share
        for kind in declared.kinds
        for turns, share in zip(kind.turns, kind.share, strict=True)
    }
    total = sum(shares.values())
    exact = {key: count * share / total for key, share in shares.items()}
    found = {key: int(value) for key, value in exact.items()}
    for key in sorted(exact, key=lambda key: found[key] - exact[key])[: count - sum(found.values())]:
        found[key] += 1
    return found


def collect(plan: Plan, results: dict[int, dict[str, Any]]) -> Collection:
    """Return the puzzles of the games that are done, in the order of the games, up to the quotas and without repeats.

    Stops with the game that fills the last quota. When all games are done and a quota is still open, puzzles of other
    kinds fill the rest.
    """
    wanted = quotas(declared_puzzles(plan.game), plan.count)
    found = Collection([])
    seen: set[str] = set()
    spare: list[Puzzle] = []
    for number in range(plan.games):
        if number not in results or not any(wanted.values()):
            break
        found.games += 1
        found.positions += results[number]["positions"]
        found.nodes += results[number]["nodes"]
        for document in results[number]["puzzles"]:
            puzzle = Puzzle.of_document(document)
            if puzzle.id in seen:
                continue
            seen.add(puzzle.id)
            if wanted.get((puzzle.kind, puzzle.turns), 0):
                wanted[puzzle.kind, puzzle.turns] -= 1
                found.puzzles.append(puzzle)
            else:
                spare.append(puzzle)
    if found.games == plan.games:
        found.puzzles += spare[: plan.count - len(found.puzzles)]
    return found


def is_complete(plan: Plan, found: Collection) -> bool:
    """Return whether no more games are to be mined."""
    return len(found.puzzles) == plan.count or found.games >= plan.games


def make(plan: Plan, journal: Journal, pool: WorkerPool) -> Collection:
    """Mine and rate what the journal does not have yet; return the rated puzzles, the easiest first.

    When stopped at any moment, calling it again with the same journal goes on from there.
    """
    found = collect(plan, journal.results)
    if not is_complete(plan, found):
        found = _mine(plan, journal, pool, found)
    _rate(found, journal, pool)
    rated = [puzzle.rated(journal.results[RATINGS + place]["difficulty"]) for place, puzzle in enumerate(found.puzzles)]
    found.puzzles = sorted(rated, key=lambda puzzle: (puzzle.difficulty, puzzle.turns, puzzle.id))
    return found


def _mine(plan: Plan, journal: Journal, pool: WorkerPool, found: Collection) -> Collection:
    def items() -> Iterator[WorkItem[dict[str, Any]]]:
        for number in range(plan.games):
            if number not in journal.results:
                yield WorkItem(number, mine, (plan.game.name, plan.seed, number))

    with ProgressBar(plan.count, len(found.puzzles)) as bar, contextlib.closing(pool.run(items())) as results:
        for number, result in results:
            journal.add(number, result)
            before = len(found.puzzles)
            found = collect(plan, journal.results)
            bar.advance(len(found.puzzles) - before, f"{found.games} / {found.positions}")
            if is_complete(plan, found):
                break
    return found


def _rate(found: Collection, journal: Journal, pool: WorkerPool) -> None:
    missing = [place for place in range(len(found.puzzles)) if RATINGS + place not in journal.results]
    items = (WorkItem(place, rate, (found.puzzles[place].document(),)) for place in missing)
    total = len(found.puzzles)
    with ProgressBar(total, total - len(missing)) as bar, contextlib.closing(pool.run(items)) as results:
        for place, difficulty in results:
            journal.add(RATINGS + place, {"difficulty": difficulty})
            bar.advance()


def journal_path(out: str | os.PathLike[str]) -> str:
    """Return where the journal of a file in the making is."""
    return os.fspath(out) + ".journal"
