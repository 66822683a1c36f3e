"""The engine's side of the protocol: what is said to it and what it answers."""

import io
import os
import random
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triskele
from triskele.core.contract.engine import Engine, Info, Task
from triskele.core.records import Record
from triskele.engines import registry
from triskele.engines.protocol import ProtocolError, read_info, serve, write_info

pytestmark = pytest.mark.usefixtures("plain")


def talk(*lines: str, engine: str = "random") -> list[str]:
    """Return what the engine says to these lines. A ``go`` is answered before the next line is read."""
    answers = io.StringIO()

    class Patient(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            done = ("bestmove", "error")
            while asked.count("go") > sum(line.startswith(done) for line in answers.getvalue().splitlines()):
                pass
            line = super().readline(-1 if size is None else size)
            asked.append(line.split(" ")[0].strip())
            return line

    asked: list[str] = []
    serve(Patient("".join(f"{line}\n" for line in lines)), answers, engine)
    return answers.getvalue().splitlines()


def test_an_info_is_read_as_it_was_written() -> None:
    info = Info(7, 1200, 0.25, (0.5, -0.5), (("f6-f9", "g7"), ("a2",)), 5)
    assert read_info(write_info(info), 2) == info
    bare = Info(0, 0, 0.0, (0.0, 0.0, 0.0), ())
    assert read_info("info", 3) == bare


@pytest.mark.parametrize(
    "line", ["", "inform", "info depth", "info depth x", "info scores 1", "info seconds nan", "info colour 3"]
)
def test_an_info_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError):
        read_info(line, 2)


def test_it_says_who_it_is() -> None:
    answers = talk("triskele 1")
    assert answers[0].startswith("id name Triskele")
    assert f"games {' '.join(game.name for game in triskele.games())}" in answers
    assert answers[-1] == "ok 1"


def test_a_position_with_moves_is_answered_with_a_legal_move() -> None:
    pos = triskele.new("tryad")
    pos.push("4")
    answers = talk(f"position {triskele.new('tryad')}", "moves 4", "go nodes 5")
    assert answers[-1].removeprefix("bestmove ") in [move.text for move in pos.legal_moves]
    assert answers[-2].startswith("info ")


def test_a_record_is_a_position_too() -> None:
    pos = triskele.new("yinsh")
    for move in ("f6", "g7", "e5"):
        pos.push(move)
    line = " ".join(Record.of(pos).to_json().split("\n"))
    answers = talk(f"record {line}", "go", engine="random")
    assert answers[-1].removeprefix("bestmove ") in [move.text for move in pos.legal_moves]


def test_settings_are_obeyed() -> None:
    answers = talk("set engine uct", "set seed 7", "set memory 16", f"position {triskele.new('tryad')}", "moves 4",
                   "go nodes 12")  # fmt: skip
    assert " nodes 12 " in answers[-2]
    again = talk("set engine uct", "set seed 7", f"position {triskele.new('tryad')}", "moves 4", "go nodes 12")
    assert again[-1] == answers[-1]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("dance", "error unknown-command dance"),
        ("set colour blue", "error unknown-option colour"),
        ("set level 11", "error bad-number level"),
        ("go", "error no-position"),
        ("moves 4", "error no-position"),
        ("seen 4", "error no-position"),
        ("position tryad", "error refused "),
        ("position chess: 8/8", "error refused "),
        ("record {", "error refused "),
        ("record " + "[" * 5000, "error refused "),
        ("triskele 0", "error bad-number version"),
    ],
)
def test_what_cannot_be_is_refused_and_the_talk_goes_on(line: str, answer: str) -> None:
    answers = talk(line, "ping")
    assert answers[0].startswith(answer)
    assert answers[-1] == "pong"


def test_a_go_that_cannot_be_says_why() -> None:
    start = f"position {triskele.new('tryad')}"
    assert talk(start, "go")[-1].startswith("error refused")  # the die is to roll
    assert talk(start, "moves 4", "go seconds -1")[-1] == "error bad-number seconds"
    assert talk(start, "moves 4", "go sideways")[-1] == "error unknown-word sideways"
    assert talk(start, "moves 4", "go interrupt")[-1] == "error no-seat"


def test_an_illegal_move_changes_nothing() -> None:
    start = f"position {triskele.new('yinsh')}"
    answers = talk(start, "moves f6 f6", "moves f6", "go")
    assert answers[0].startswith("error refused")
    assert answers[-1].startswith("bestmove")


def test_a_line_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triskele.engines.protocol.LINE_BYTES", 100)
    assert talk("position " + "x" * 1000, "ping") == ["error line-too-long", "pong"]


def _pipes() -> tuple[io.TextIOWrapper, io.TextIOWrapper, threading.Thread]:
    """Return where to speak and to listen, and the thread that serves."""
    from_us, to_it = os.pipe()
    from_it, to_us = os.pipe()
    there = (os.fdopen(from_us, "r"), os.fdopen(to_us, "w"))

    def run() -> None:
        with there[0], there[1]:
            serve(*there, "uct")

    thread = threading.Thread(target=run)
    thread.start()
    return os.fdopen(to_it, "w"), os.fdopen(from_it, "r"), thread


def test_stop_is_heard_while_it_thinks() -> None:
    speak, listen, thread = _pipes()
    with speak, listen:
        print(f"position {triskele.new('tryad')}", "moves 4", "go infinite", "ping", sep="\n", file=speak, flush=True)
        assert listen.readline() == "pong\n"
        print("position tryad: nothing", file=speak, flush=True)
        while (line := listen.readline()).startswith("info"):
            pass
        assert line == "error busy\n"
        print("stop", "ping", sep="\n", file=speak, flush=True)
        lines = [listen.readline()]
        while lines[-1] != "pong\n":
            lines.append(listen.readline())
        assert [line.split()[0] for line in lines if not line.startswith("info")] == ["bestmove", "pong"]
        print("go infinite", "quit", sep="\n", file=speak, flush=True)
        thread.join(10)
    assert not thread.is_alive()


class Spy(Engine):
    """Keeps what it is given."""

    name = "spy"
    tasks: list[Task] = []  # noqa: RUF012 (one list for all of them is the point)

    def think(self, task: Task) -> Iterator[Info]:
        self.tasks.append(task)
        move = task.position.legal_moves[0].text
        yield Info(0, 0, 0.0, (0.0,) * task.position.variant.seats, ((move,),))


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> type[Spy]:
    monkeypatch.setitem(registry._factories, "spy", Spy)
    monkeypatch.setattr(Spy, "tasks", [])
    return Spy


def test_a_view_comes_with_what_its_seat_saw(spy: type[Spy]) -> None:
    pos = triskele.new("tryptic")
    for move in ("=GGR", "=BWY", "Re5", "."):
        pos.push(move)
    seen = pos.moves_seen_by(1)
    talk(f"position {pos.seen_by(1)}", "seen " + " ".join(seen), "go seat 1", engine="spy")
    assert Spy.tasks[0].moves == ["=***", "=BWY", "Re5", "."]
    assert Spy.tasks[0].seat == 1
    assert Spy.tasks[0].position == pos.seen_by(1)


def test_whatever_it_is_told_the_engine_sees_no_secret(spy: type[Spy]) -> None:
    pos = triskele.new("tryptic")
    for move in ("=GGR", "=BWY", "Re5", "."):
        pos.push(move)
    talk(f"position {triskele.new('tryptic')}", "moves =GGR =BWY Re5 .", "go", engine="spy")
    talk(f"position {pos}", "seen", "go seat 1", engine="spy")
    assert [task.position for task in Spy.tasks] == [pos.seen_by(1)] * 2


WORDS = st.sampled_from(
    ["triskele", "set", "new", "position", "moves", "seen", "record", "go", "stop", "ping", "level", "seat",
     "interrupt", "nodes", "1", "-1", "3", "tryad:", "4", "{}", "seed", "engine", "random", "\x00", "é", "9" * 30]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), max_size=8), st.integers())
def test_nothing_that_is_said_breaks_it(lines: list[str], seed: int) -> None:
    rng = random.Random(seed)
    start = f"position {triskele.new('tryad')}"
    mixed = [*lines, start, "moves 4"]
    rng.shuffle(mixed)
    answers = io.StringIO()
    serve(io.StringIO("".join(f"{line}\n" for line in [*mixed, "stop", "ping"])), answers, "random")
    said = answers.getvalue().splitlines()
    assert said[-1] == "pong"
    assert {line.split()[0] for line in said} <= {
        "id",
        "games",
        "want",
        "option",
        "ok",
        "info",
        "bestmove",
        "pong",
        "error",
    }
    assert not any(line.startswith("error failed") for line in said)
