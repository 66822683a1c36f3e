"""Running the command: inside this process where that is enough, as a process of its own where it matters."""

import contextlib
import io
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import triskele
from triskele.cli import main

LIMIT = 60
"""Seconds after which a process counts as hanging."""


@dataclass
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of its own, plain rules (nothing is compiled here), English, and Ctrl-C that is heard."""
    places = tmp_path / "data"
    monkeypatch.setenv("TRISKELE_DATA", str(places))
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
    monkeypatch.setenv("TRISKELE_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("NO_COLOR", raising=False)
    # A test run in the background of a shell ignores Ctrl-C, and what it starts would too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield places
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process: ``run("show", path, typed="…")``."""

    def run(*arguments: object, typed: str | list[str] = "") -> Result:
        lines = typed if isinstance(typed, str) else "".join(f"{line}\n" for line in typed)
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture
def process(home: Path) -> Run:
    """Run the command as a process of its own."""

    def process(*arguments: object, typed: str | bytes | list[str] = "", **more: object) -> Result:
        lines = "".join(f"{line}\n" for line in typed) if isinstance(typed, list) else typed
        data = lines.encode() if isinstance(lines, str) else lines
        command = [sys.executable, "-m", "triskele", *map(str, arguments)]
        done = subprocess.run(command, input=data, capture_output=True, timeout=LIMIT, check=False, **more)  # type: ignore[call-overload]
        result = Result(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in result.err
        return result

    return process


@pytest.fixture
def started(home: Path) -> Iterator[Callable[..., "subprocess.Popen[bytes]"]]:
    """Start the command and leave it running, with pipes; it ends with the test."""
    children: list[subprocess.Popen[bytes]] = []

    def started(*arguments: object) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-u", "-m", "triskele", *map(str, arguments)]
        pipe = subprocess.PIPE
        children.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=os.environ.copy()))
        return children[-1]

    yield started
    for child in children:
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def random_game(name: str, seed: int = 1, limit: int = 10_000, **options: object) -> list[str]:
    """Return the moves of a random game, to its end or for so many moves."""
    rng = random.Random(seed)
    position = triskele.new(name, **options)
    while position.outcome() is None and len(position.moves) < limit:
        position.push(rng.choice(position.legal_moves))
    return [move.text for move in position.moves]


@pytest.fixture
def moves() -> Callable[..., list[str]]:
    """The moves of a random game."""
    return random_game
