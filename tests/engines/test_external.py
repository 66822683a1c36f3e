"""Programs that speak the protocol, and all the ways in which they may not."""

import threading
import time
from pathlib import Path

import pytest

import triskele
from tests.support.processes import Program, alive, gone
from triskele.core.contract.engine import Limits
from triskele.core.game import Game
from triskele.engines.external import EngineFailure, External

pytestmark = pytest.mark.usefixtures("plain", "no_process_left")

GOOD = """
for word, rest in heard():
    if word == "legal":
        moves = rest.split()
    elif word == "go":
        say("info depth 3 nodes 9 scores 0.5 -0.5 line", moves[0])
        say("bestmove", moves[-1])
"""


def rolled() -> triskele.Position:
    pos = triskele.new("tryad")
    pos.push("4")
    return pos


def failure(
    game: Game, command: tuple[str, ...], position: triskele.Position | None = None, start_seconds: float = 15
) -> EngineFailure:
    """Return how a program fails that is asked for a move, having checked that it is ended."""
    with External(game, command, patience=0.4, start_seconds=start_seconds) as engine:
        began = time.monotonic()
        with pytest.raises(EngineFailure) as raised:
            engine.choose(position or rolled(), Limits(seconds=0.1))
        assert time.monotonic() - began < 15
        assert engine.pid is None
    return raised.value


def test_it_plays_what_the_program_says(tryad: Game, program: Program) -> None:
    pos = rolled()
    legal = [move.text for move in pos.legal_moves]
    with External(tryad, program(GOOD), options={"depth": "3"}) as engine:
        infos = list(engine.analyse(pos, Limits(seconds=1)))
        assert engine.title == "Tester"
        pid = engine.pid
    assert [info.move for info in infos] == [legal[0], legal[-1]]
    assert infos[-1].scores == (0.5, -0.5)
    assert infos[-1].depth == 3
    assert pid is not None
    assert gone(pid)


def test_our_own_engines_speak_it(tryad: Game) -> None:
    import sys

    pos = rolled()
    command = (sys.executable, "-m", "triskele.engines.protocol", "uct")
    with External(tryad, command, seed=5) as engine:
        engine.get_ready()
        first = engine.choose(pos, Limits(nodes=20))
        assert first in pos.legal_moves
        engine.forget()
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        began = time.monotonic()
        assert engine.choose(pos, Limits(seconds=60), stop) in pos.legal_moves
        assert time.monotonic() - began < 10


def test_a_crash_is_told_with_its_last_words(tryad: Game, program: Program) -> None:
    error = failure(tryad, program("for word, _ in heard():\n    if word == 'go': raise RuntimeError('out of luck')\n"))
    assert error.kind == "crash"
    assert "out of luck" in str(error)


@pytest.mark.parametrize(
    "body",
    [
        "for word, _ in heard():\n    if word == 'go': time.sleep(60)\n",
        "for word, _ in heard():\n    while word == 'go': say('info depth 1')\n",
        "say('ok 1')\ntime.sleep(60)\n",
    ],
    ids=["silent", "flood", "never reads"],
)
def test_a_hang_is_found_out(body: str, tryad: Game, program: Program) -> None:
    assert failure(tryad, program(body)).kind == "hang"


def test_a_program_must_say_hello(tryad: Game, program: Program) -> None:
    assert failure(tryad, program("time.sleep(60)\n"), start_seconds=0.5).kind == "hang"


def test_a_program_that_never_reads_cannot_block_us(program: Program) -> None:
    pos = triskele.new("tryptic", players=5)
    with External(pos.variant.game, program("say('ok 1')\ntime.sleep(60)\n"), patience=0.3) as engine:
        for _ in range(200):  # more than any pipe holds
            engine.forget()
            engine._tell(engine._started(), pos.seen_by(0), ["=***"] * 300)
        with pytest.raises(EngineFailure) as raised:
            engine.choose(pos, Limits(seconds=0.05))
    assert raised.value.kind == "hang"


@pytest.mark.parametrize("move", ["-a1", "4", "nonsense", ""])
def test_an_illegal_move_is_found_out(move: str, tryad: Game, program: Program) -> None:
    pos = rolled()
    pos.push("-a1")
    pos.push("1")
    error = failure(tryad, program(f"for word, _ in heard():\n    if word == 'go': say('bestmove {move}')\n"), pos)
    assert error.kind == "illegal"


def test_what_it_complains_of_is_told(tryad: Game, program: Program) -> None:
    error = failure(tryad, program("for word, _ in heard():\n    if word == 'go': say('error no idea')\n"))
    assert error.kind == "crash"
    assert "no idea" in str(error)


def test_a_program_that_is_not_there(tryad: Game, tmp_path: Path) -> None:
    assert failure(tryad, (str(tmp_path / "nothing"),)).kind == "crash"
    assert failure(tryad, ()).kind == "crash"


def test_a_program_for_other_games(tryad: Game, program: Program) -> None:
    error = failure(tryad, program("say('games yinsh')\nsay('ok 1')\ntime.sleep(60)\n"))
    assert "does not play" in str(error)


def test_an_option_that_it_does_not_have(tryad: Game, program: Program) -> None:
    with External(tryad, program(GOOD), options={"width": "3"}) as engine, pytest.raises(EngineFailure, match="width"):
        engine.get_ready()


def test_it_ends_with_everything_that_it_started(tryad: Game, program: Program) -> None:
    body = """
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
for word, _ in heard():
    if word == "go":
        say("info line", child.pid)
        time.sleep(60)
"""
    with External(tryad, program(body), patience=0.3) as engine:
        infos = engine.analyse(rolled(), Limits(seconds=0.2))
        grandchild = int(next(infos).move)
        assert alive(grandchild)
        with pytest.raises(EngineFailure):
            next(infos)
    assert gone(grandchild)


def test_an_answer_that_nobody_waits_for(tryad: Game, program: Program) -> None:
    body = """
for word, rest in heard():
    if word == "legal":
        moves = rest.split()
    elif word == "go":
        say("info line", moves[0])
    elif word == "stop":
        say("bestmove", moves[0])
"""
    with External(tryad, program(body)) as engine:
        infos = engine.analyse(rolled(), Limits(seconds=60))
        next(infos)
        infos.close()  # type: ignore[attr-defined]
        pid = engine.pid
        assert engine.choose(rolled(), Limits(seconds=0.05)) == rolled().legal_moves[0]
        assert engine.pid == pid


def test_the_next_question_starts_it_again(tryad: Game, program: Program, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    body = GOOD.replace("elif word", f"elif word == 'go' and not os.path.exists({str(mark)!r}):\n"
                        f"        open({str(mark)!r}, 'w').close(); os._exit(3)\n    elif word", 1)  # fmt: skip
    with External(tryad, program(body)) as engine:
        with pytest.raises(EngineFailure, match="3"):
            engine.choose(rolled(), Limits(seconds=1))
        assert engine.choose(rolled(), Limits(seconds=1)) in rolled().legal_moves


def test_secrets_do_not_leave(program: Program, tmp_path: Path) -> None:
    log = tmp_path / "log"
    body = f"""
log = open({str(log)!r}, "w")
for word, rest in heard():
    print(word, rest, file=log, flush=True)
    if word == "legal":
        moves = rest.split()
    elif word == "go":
        say("bestmove", moves[0])
"""
    pos = triskele.new("tryptic")
    for move in ("=GGR", "=BWY", "Re5", "."):
        pos.push(move)
    with External(pos.variant.game, program(body)) as engine:
        engine.choose(pos, Limits(seconds=1))
    said = log.read_text()
    assert "seen =*** =BWY Re5 ." in said
    assert "GGR" not in "".join(line for line in said.splitlines() if not line.startswith("legal"))


def test_out_of_turn_it_is_asked_only_if_it_wants(program: Program) -> None:
    pos = triskele.new("tryptic", goal=1)
    for move in ("=GGR", "=BWY", "Re5"):
        pos.push(move)
    game = pos.variant.game
    wants = "say('want interrupts')\n"
    body = "for word, rest in heard():\n    if word == 'go': say('bestmove', {!r})\n"
    with External(game, program(body.format("!2"))) as engine:
        assert engine.interrupt(pos, Limits(seconds=1), 1) is None
    with External(game, program(wants + body.format("!2"))) as engine:
        assert str(engine.interrupt(pos, Limits(seconds=1), 1)) == "!2"
    with External(game, program(wants + body.format("none"))) as engine:
        assert engine.interrupt(pos, Limits(seconds=1), 1) is None
    with External(game, program(wants + body.format("!1"))) as engine, pytest.raises(EngineFailure) as raised:
        engine.interrupt(pos, Limits(seconds=1), 1)
    assert raised.value.kind == "illegal"
