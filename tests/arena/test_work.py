"""Work on processes: done once each, done again when a worker is lost, and nobody left behind."""

import importlib
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.processes import descendants, gone
from triskele.arena.progress import ProgressBar
from triskele.arena.worker_pool import WorkerPool, WorkItem
from triskele.core.errors import OptionError, TriskeleError


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def units(name: str, number: int = 8) -> list[WorkItem[Any]]:
    function = getattr(importlib.import_module("units_for_workers"), name)
    return [WorkItem(at, function, (at,)) for at in range(number)]


@pytest.mark.parametrize("workers", [0, 2])
def test_every_unit_is_done_once(workers: int) -> None:
    with WorkerPool(workers) as pool:
        results = list(pool.run(units("square", 20)))
    assert sorted(results) == [(number, number * number) for number in range(20)]


@pytest.mark.parametrize("workers", [0, 1])
def test_what_a_unit_raises_is_raised(workers: int) -> None:
    with WorkerPool(workers) as pool:
        with pytest.raises(OptionError, match="two contestants"):
            list(pool.run(units("refuse")))
        with pytest.raises((RuntimeError, ZeroDivisionError), match="by zero"):
            list(pool.run(units("stumble")))


def test_a_unit_whose_worker_dies_is_done_again_carefully() -> None:
    with WorkerPool(2) as pool:
        results = dict(pool.run(units("die_once")))
    assert sorted(number for number, _ in results.values()) == list(range(8))
    assert results[3] == (3, True)


def test_a_process_with_an_engine_that_was_given_up_is_replaced() -> None:
    with WorkerPool(1) as pool:
        results = dict(pool.run(units("spoil", 4)))
    assert results[0] not in {results[2], results[3]}


def test_work_that_kills_every_worker_is_given_up() -> None:
    with WorkerPool(1) as pool, pytest.raises(TriskeleError, match="lost its worker"):
        list(pool.run(units("die", 1)))


def test_leaving_early_ends_what_is_running() -> None:
    before = descendants()
    with WorkerPool(2) as pool:
        results = pool.run([*units("square", 1), *units("linger", 2)])
        assert next(results) == (0, 0)
        began = time.monotonic()
    assert time.monotonic() - began < 10
    assert descendants() <= before


SCRIPT = """
import sys, time
sys.path.insert(0, {folder!r})
from test_orphans import start
if __name__ == "__main__":
    start()
"""
MODULE = """
import os, subprocess, sys, time
from triskele.arena.worker_pool import WorkerPool, WorkItem
from triskele.core.game import game
from triskele.engines.external import External

def linger(number, isolated):
    body = "import time; print('ok 1', flush=True); time.sleep(60)"
    engine = External(game("tryad"), [sys.executable, "-S", "-c", body])
    engine._started()
    print("worker", os.getpid(), engine.pid, flush=True)
    time.sleep(60)

def start():
    with WorkerPool(2) as pool:
        list(pool.run([WorkItem(0, linger, (0,)), WorkItem(1, linger, (1,))]))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_when_it_is_killed_its_workers_and_their_engines_end_too(how: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "test_orphans.py").write_text(MODULE)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(folder=str(tmp_path)))
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        pids = [int(pid) for _ in range(2) for pid in process.stdout.readline().split()[1:]]
        assert len(pids) == 4
        assert all(psutil.pid_exists(pid) for pid in pids)
        process.send_signal(how)
        process.wait(20)
        assert all(gone(pid) for pid in pids)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def test_the_bar_shows_figures_and_the_time_that_is_left() -> None:
    bar = ProgressBar(10, done=2)
    bar.advance(4)
    line = bar.line(bar._began + 60, "55.0 %")
    assert line == "[" + "#" * 14 + "." * 10 + "] 6/10 -1:00 55.0 %"
    assert ProgressBar(0).line(0.0).startswith("[####")
