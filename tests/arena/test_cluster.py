"""The same work on a real Dask cluster of two worker processes, one of which is killed in the middle."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.dask_cluster import local_cluster
from triskele.arena import selfplay
from triskele.arena.dataset import Dataset
from triskele.arena.journal import Journal
from triskele.arena.match import Match, Plan
from triskele.arena.referee import Terms
from triskele.arena.tournament import Tournament
from triskele.arena.worker_pool import WorkerPool
from triskele.core.contract.engine import Limits
from triskele.core.errors import TriskeleError
from triskele.core.game import game

# Dask warns of its own affairs (a worker that was killed, sockets it closes later).
pytestmark = pytest.mark.filterwarnings("ignore")

PLAN = Plan("tryad", {}, ("uct", "random"), Terms(Limits(nodes=25)), openings=2)


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A cluster of two processes."""
    with local_cluster() as made:
        yield made


def kill_one_when(ready: Callable[[], bool], cluster: Any) -> tuple[threading.Thread, list[int]]:
    """Kill a worker process as soon as it is time; return the thread that does, and whom."""
    killed: list[int] = []

    def run() -> None:
        until = time.monotonic() + 60
        while not ready() and time.monotonic() < until:
            time.sleep(0.01)
        pid = next(iter(cluster.workers.values())).pid  # the process that its nanny keeps
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, killed


def test_a_lost_worker_costs_no_game(cluster: Any, tmp_path: Path) -> None:
    address = cluster.scheduler_address
    match = Match(PLAN, 16)
    with Journal(tmp_path / "match.jsonl", match.header()) as journal, WorkerPool(cluster=address) as pool:
        thread, killed = kill_one_when(lambda: len(journal.results) >= 3, cluster)
        document = match.play(journal, pool).document()
        thread.join()
        results = dict(journal.results)
    assert len(killed) == 1
    assert document["games"] == 16
    assert sorted(results) == list(range(16))
    assert not any(document["failures"]["A"].values())
    # As if nothing had happened, game by game.
    with Journal(None, match.header()) as journal, WorkerPool(0) as pool:
        Match(PLAN, 4).play(journal, pool)
        for number, result in journal.results.items():
            assert result["moves"] == results[number]["moves"]

    folder = tmp_path / "data"
    header = selfplay.plan(game("tryad").variant(), 24, engine="uct", limits=Limits(nodes=25), shard=2)
    dataset = selfplay.create(folder, header)
    thread, killed = kill_one_when(lambda: len(list(folder.glob("shard-*"))) >= 2, cluster)
    with WorkerPool(cluster=address) as pool:
        assert selfplay.complete(dataset, pool) == 24
    thread.join()
    assert len(killed) == 1
    assert len(Dataset(folder)) == 24
    assert [found.number for found in Dataset(folder).games()] == list(range(24))
    assert selfplay.make_shard(header, 5) == dataset.path(5).read_bytes()

    plan = Plan("tryad", {}, ("uct", "random", "random:nodes=1"), Terms(Limits(nodes=5)), openings=2)
    tournament = Tournament(plan, 2)
    with Journal(None, tournament.header()) as journal, WorkerPool(cluster=address) as pool:
        tournament.play(journal, pool)
        assert tournament.document(journal)["games"] == 6


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triskele.arena.executors.CONNECT_SECONDS", 1)
    with pytest.raises(TriskeleError, match="no Dask scheduler"), WorkerPool(cluster="tcp://127.0.0.1:9"):
        pass
