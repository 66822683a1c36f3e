"""Making puzzles: the same from the same seed, resumable at any moment, stopped by Ctrl-C without a loss."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.dask_cluster import local_cluster
from triskele.arena.journal import Journal
from triskele.arena.worker_pool import WorkerPool
from triskele.core.contract.puzzles import ForcedKind, Puzzles
from triskele.core.game import game
from triskele.core.puzzles import Puzzle, read_puzzles
from triskele.puzzle.making import RATINGS, Collection, Plan, collect, make, quotas
from triskele.puzzle.mining import mine
from triskele.puzzle.proof import prove

GAME = "tryad"
"""The quickest to make puzzles of."""


def plan(count: int = 4, games: int = 200) -> Plan:
    return Plan(game(GAME), count, seed=5, games=games)


def made(path: Path | None, of: Plan, pool: Any = None) -> Collection:
    with Journal(path, of.header()) as journal, WorkerPool(0) as own:
        return make(of, journal, pool or own)


@pytest.fixture(scope="module")
def whole() -> Collection:
    """Return what an uninterrupted run makes."""
    return made(None, plan())


def test_what_is_made_is_rated_proved_and_tells_its_cost(whole: Collection) -> None:
    assert len(whole.puzzles) == 4
    assert whole.positions > whole.games > 0
    for puzzle in whole.puzzles:
        assert 1 <= puzzle.difficulty <= 10
        assert prove(puzzle) > 0


class _Stopped:
    """A pool in which Ctrl-C is pressed after some results."""

    def __init__(self, after: int) -> None:
        self.after = after

    def run(self, items: Any) -> Iterator[tuple[Any, Any]]:
        with WorkerPool(0) as pool:
            for number, result in enumerate(pool.run(items)):
                if number == self.after:
                    raise KeyboardInterrupt
                yield result


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_run_stopped_at_any_moment_goes_on_to_the_same_puzzles(after: int, whole: Collection, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with pytest.raises(KeyboardInterrupt):
        made(path, plan(), _Stopped(after))
    kept = path.read_bytes()
    again = made(path, plan())
    assert path.read_bytes().startswith(kept)
    assert again.puzzles == whole.puzzles
    assert (again.games, again.positions) == (whole.games, whole.positions)


def test_ratings_are_resumed_as_well(whole: Collection, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    made(path, plan())
    lines = path.read_text().splitlines(keepends=True)
    ratings = [line for line in lines[1:] if json.loads(line)["number"] >= RATINGS]
    assert len(ratings) == 4
    path.write_text("".join(line for line in lines if line not in ratings[1:]))
    assert made(path, plan()).puzzles == whole.puzzles


def test_puzzles_do_not_depend_on_which_game_is_finished_first(whole: Collection) -> None:
    class Shuffled:
        def run(self, items: Any) -> Iterator[tuple[Any, Any]]:
            with WorkerPool(0) as pool:
                waiting: list[tuple[Any, Any]] = []
                for result in pool.run(items):
                    waiting.append(result)
                    if len(waiting) == 5:
                        yield from reversed(waiting)
                        waiting = []
                yield from reversed(waiting)

    assert made(None, plan(), Shuffled()).puzzles == whole.puzzles


def test_games_run_out(whole: Collection) -> None:
    found = made(None, plan(count=1000, games=3))
    assert found.games == 3
    assert len(found.puzzles) < 1000


def test_a_puzzle_is_taken_once() -> None:
    puzzle = next(p for number in range(100) for p in mine(GAME, 5, number)["puzzles"])
    results = {number: {"puzzles": [puzzle], "positions": 1, "nodes": 0} for number in range(3)}
    assert collect(plan(count=4, games=3), results).puzzles == [Puzzle.of_document(puzzle)]


def test_shares_are_kept_to_the_last_puzzle() -> None:
    kinds = (ForcedKind("a", (1, 2), share=(10, 20)), ForcedKind("b", (1,), share=(70,)))
    assert quotas(Puzzles(kinds), 10) == {("a", 1): 1, ("a", 2): 2, ("b", 1): 7}
    assert sum(quotas(Puzzles(kinds), 7).values()) == 7


@pytest.fixture(params=["a process", "a cluster"])
def workers(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Return the arguments that say where puzzles are made."""
    if request.param == "a process":
        yield ["--workers", "1"]
    else:
        with local_cluster() as cluster:
            yield ["--cluster", cluster.scheduler_address]


@pytest.mark.filterwarnings("ignore")  # Dask warns of its own affairs
def test_ctrl_c_ends_the_command_and_the_same_command_goes_on(
    workers: list[str], whole: Collection, tmp_path: Path
) -> None:
    out = tmp_path / "made.jsonl"
    journal = tmp_path / "made.jsonl.journal"
    command = [sys.executable, "-m", "triskele", "puzzles", "make", GAME, "--count", "4", "--out", str(out)]
    command += [*workers, "--seed", "5"]
    environment = {**os.environ, "TRISKELE_LANGUAGE": "en"}
    first = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment, text=True)
    until = time.monotonic() + 120
    while time.monotonic() < until and first.poll() is None:
        if journal.exists() and journal.read_bytes().count(b"\n") >= 3:
            break
        time.sleep(0.02)
    first.send_signal(signal.SIGINT)
    _, said = first.communicate(timeout=60)
    if first.returncode != 0:  # unless it was done before the signal came
        assert first.returncode == 130
        assert "the same command continues" in said
        assert not out.exists()
        assert journal.exists()
        assert subprocess.run(command, capture_output=True, timeout=300, env=environment, check=False).returncode == 0
    assert not journal.exists()
    assert read_puzzles(out)[1] == whole.puzzles


def test_a_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, plan().header()):
        pass
    with pytest.raises(ValueError, match="count"):
        made(path, plan(count=5))
