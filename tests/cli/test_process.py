"""The command as a process of its own: pipes, signals, crashes, and how soon it is there."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import triskele
from triskele.cli import save_files
from triskele.core.records import load

Started = Callable[..., "subprocess.Popen[bytes]"]


def read_until(child: "subprocess.Popen[bytes]", wanted: bytes, limit: float = 30.0) -> bytes:
    """Return what a process has written up to and with ``wanted``."""
    assert child.stdout is not None
    seen = b""
    end = time.monotonic() + limit
    while wanted not in seen:
        assert time.monotonic() < end, seen
        piece = os.read(child.stdout.fileno(), 65536)
        assert piece, (seen, child.stderr.read() if child.stderr else b"")
        seen += piece
    return seen


def type_in(child: "subprocess.Popen[bytes]", line: str) -> None:
    assert child.stdin is not None
    child.stdin.write(f"{line}\n".encode())
    child.stdin.flush()


def end(child: "subprocess.Popen[bytes]") -> bytes:
    """Wait for a process and return its standard error."""
    _, errors = child.communicate(timeout=30)
    assert b"Traceback" not in errors
    return errors


def test_a_game_by_pipe_to_its_end_and_its_record(process, moves, tmp_path: Path):
    path = tmp_path / "game.json"
    made = moves("yinsh", blitz=True)
    done = process("play", "yinsh", "--option", "blitz=true", "--save", path, typed=made)
    assert done.code == 0
    assert done.err == ""
    assert "\x1b" not in done.out
    assert [move.text for move in load(path).moves] == made
    shown = process("show", path)
    assert shown.code == 0
    assert made[-1] in shown.out


def test_random_movers_to_the_end(process):
    done = process("play", "tryptic", "--seats", "random", "--seed", "4")
    assert done.code == 0
    assert "Player 1: =" in done.out
    assert "Draw: " in done.out


def test_binary_noise_at_the_prompt(process):
    noise = bytes(range(256)) * 8 + b"\ne5\n" + b"\xff\xfe\x00\n" + b"f6"
    done = process("play", "yinsh", typed=noise)
    assert done.code == 0
    _, table = save_files.last_unfinished()
    assert [move.text for move in table.position.moves] == ["e5", "f6"]


def test_the_installed_command(home):
    command = Path(sys.executable).parent / "triskele"
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"triskele {triskele.__version__}\n"


def test_refusals_reach_the_shell(process, tmp_path: Path):
    done = process("play", "yinsh", "--option", "blitz=maybe")
    assert (done.code, done.out) == (1, "")
    assert done.err == "triskele: blitz cannot be maybe: it must be true or false\n"
    assert process("show", tmp_path).code == 1
    assert process("frobnicate").code == 2


def test_ctrl_c_is_130_and_the_game_is_kept(home, started: Started):
    child = started("play", "yinsh")
    read_until(child, b"Commands: ")
    type_in(child, "e5")
    type_in(child, "f6")
    while not (found := save_files.last_unfinished()) or len(found[1].position.moves) < 2:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    end(child)
    assert child.returncode == 130
    _, table = save_files.last_unfinished()
    assert [move.text for move in table.position.moves] == ["e5", "f6"]


def test_ctrl_c_stops_counting_and_measuring(home, started: Started):
    for arguments in (("perft", "yinsh", "9"), ("bench", "playouts", "yinsh", "--seconds", "600")):
        child = started(*arguments)
        assert child.stderr is not None
        child.stderr.readline()  # the work has begun
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        end(child)
        assert child.returncode == 130


def test_a_killed_process_loses_nothing(home, started: Started):
    child = started("play", "tryad", "--seats", "person,random", "--seed", "2")
    read_until(child, b"Commands: ")
    _, table = save_files.last_unfinished()  # the roll is kept already
    move = table.position.legal_moves[0].text
    type_in(child, move)
    read_until(child, b"Commands: ")
    child.kill()
    child.wait()
    _, table = save_files.last_unfinished()
    assert move in [made.text for made in table.position.moves]
    assert table.dice is not None


def test_a_reader_that_has_enough_causes_no_noise(home):
    command = f"{sys.executable} -m triskele games --json | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, check=False, timeout=60)
    assert done.stdout == b"["
    assert done.stderr == b""


def test_nothing_to_write_to(home):
    done = subprocess.run(
        f"{sys.executable} -m triskele games > /dev/full", shell=True, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stderr.startswith(b"triskele: ")


def test_no_compiler_is_loaded_before_the_first_prompt(home):
    program = (
        "import sys; from triskele.cli import main; code = main(['play', 'yinsh']);"
        "sys.exit(code or 'numba' in sys.modules)"
    )
    environment = {name: value for name, value in os.environ.items() if name != "TRISKELE_PLAIN"}
    done = subprocess.run([sys.executable, "-c", program], stdin=subprocess.DEVNULL, env=environment, check=False)
    assert done.returncode == 0


def test_a_process_without_input_or_output(home):
    for command, code in (("play yinsh <&-", 0), ("games >&-", 0), ("play chess >&- 2>&-", 1)):
        line = f"{sys.executable} -m triskele {command}"
        done = subprocess.run(line, shell=True, capture_output=True, check=False, timeout=60)
        assert done.returncode == code
        assert done.stderr == b""
