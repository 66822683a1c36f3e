"""Small programs that play well or badly, and a look at what they leave behind."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from triskele.core.game import Game, game

Program = Callable[[str], tuple[str, ...]]

HEAD = """
import os, subprocess, sys, time
def say(*words):
    print(*words, flush=True)
def heard():
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "triskele":
            say("id name Tester")
            say("want legal")
            say("option depth number 1 9 1")
            say("ok 1")
        elif word == "ping":
            say("pong")
        elif word == "quit":
            return
        else:
            yield word, rest
"""
"""What every test program begins with: it loops over ``heard()``, which has answered the formalities."""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled here, in this process or those it starts, unless a test says so."""
    monkeypatch.setenv("TRISKELE_PLAIN", "1")


@pytest.fixture
def tryad() -> Game:
    return game("tryad")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Return the command of a Python program with this body."""

    def write(body: str) -> tuple[str, ...]:
        path = tmp_path / f"program{len(list(tmp_path.glob('program*')))}.py"
        path.write_text(HEAD + body)
        return sys.executable, "-S", str(path)

    return write


def descendants() -> set[int]:
    """Return the living processes below this one, except those that Python itself keeps."""
    found = set()
    for child in psutil.Process().children(recursive=True):
        try:
            keeper = "resource_tracker" in " ".join(child.cmdline())
            if child.status() != psutil.STATUS_ZOMBIE and not keeper:
                found.add(child.pid)
        except psutil.NoSuchProcess:
            continue
    return found


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    """Every test leaves as many processes as it found."""
    before = descendants()
    yield
    left = descendants() - before
    until = time.monotonic() + 5
    while left and time.monotonic() < until:
        time.sleep(0.05)
        left = descendants() - before
    assert not left, f"still running: {[psutil.Process(pid).cmdline() for pid in left]}"


def alive(pid: int) -> bool:
    """Whether a process is there and not just waiting to be reaped."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def gone(pid: int, seconds: float = 5.0) -> bool:
    """Whether a process ends within so many seconds."""
    until = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pid)
