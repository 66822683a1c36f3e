"""The command in a terminal: the prompt, the Tab key, entry that nobody sees, and Ctrl-C."""

import codecs
import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from triskele.cli import save_files
from triskele.cli.lesson_progress import progress_path
from triskele.core.records import load
from triskele.core.words import say, text

RINGS = ("e5", "b2", "f6", "c3", "g7", "d6", "h8", "e8", "i9", "j7")
CLEARED = "\x1b[2J\x1b[3J\x1b[H"


class Screen:
    """A terminal with the command in it."""

    def __init__(self, *arguments: object) -> None:
        self.seen = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a character may come in two pieces
        self.child, self.screen = pty.fork()
        if self.child == 0:
            command = [sys.executable, "-m", "triskele", *map(str, arguments)]
            os.execve(sys.executable, command, {**os.environ, "TERM": "xterm", "LANG": "C.UTF-8"})

    def type(self, keys: str) -> None:
        self.seen = ""
        os.write(self.screen, keys.encode())

    def interrupt(self) -> None:
        """Type Ctrl-C as a person would: Python misses one that comes between a prompt and waiting for keys."""
        time.sleep(0.3)
        self.type("\x03")

    def wait(self, wanted: str, limit: float = 30.0) -> str:
        """Return what has come since the last typing, when ``wanted`` is in it."""
        end = time.monotonic() + limit
        while wanted not in self.seen:
            ready, _, _ = select.select([self.screen], [], [], max(0.0, end - time.monotonic()))
            assert ready, self.seen
            self.seen += self.decoder.decode(os.read(self.screen, 65536))
        return self.seen

    def leave(self) -> int:
        """Return the exit code of the command, which is about to end."""
        try:
            while piece := os.read(self.screen, 65536):
                self.seen += self.decoder.decode(piece)
        except OSError:  # Linux's way to say that the other side is closed
            pass
        _, status = os.waitpid(self.child, 0)
        self.child = 0
        os.close(self.screen)
        assert "Traceback" not in self.seen
        return os.waitstatus_to_exitcode(status)

    def end(self) -> None:
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            self.leave()


@pytest.fixture
def screens(home) -> Iterator[list[Screen]]:
    opened: list[Screen] = []
    yield opened
    for screen in opened:
        screen.end()


def start(screens: list[Screen], *arguments: object) -> Screen:
    screens.append(Screen(*arguments))
    return screens[-1]


def test_prompt_completion_and_leaving(screens: list[Screen]):
    screen = start(screens, "play", "yinsh")
    screen.wait("White> ")
    for number, ring in enumerate(RINGS):
        screen.type(f"{ring}\r")
        screen.wait("Black> " if number % 2 == 0 else "White> ")
    screen.type("f\t")
    screen.wait("f6 ")  # completed, with the space that says that something follows
    screen.type("\t\t")
    listed = screen.wait("White> f6 ")
    assert {"f9", "f10", "g6"} <= set(listed.split())
    assert "b2" not in listed.split()
    screen.type("f1\t\r")
    screen.wait("Black> ")
    screen.type("\x04")  # Ctrl-D
    screen.wait("to discard it")
    screen.type("\r")
    assert screen.leave() == 0
    assert load(next(save_files.unfinished_paths())).moves[-1].text == "f6-f10"


def test_commands_complete(screens: list[Screen]):
    screen = start(screens, "play", "yinsh")
    screen.wait("White> ")
    screen.type("rec\t\r")
    screen.wait("record")
    screen.type(":hel\t\r")
    screen.wait("-- Enter: more, q: back --")  # help is longer than the screen
    screen.type("q\r")
    screen.wait("White> ")
    screen.type("quit\r")
    assert screen.leave() == 0  # nothing to keep, nothing asked
    assert list(save_files.unfinished_paths()) == []


def test_ctrl_c_at_the_prompt_asks_and_is_130(screens: list[Screen], tmp_path: Path):
    screen = start(screens, "play", "yinsh")
    screen.wait("White> ")
    screen.type("e5\r")
    screen.wait("Black> ")
    screen.interrupt()
    screen.wait("to discard it")
    screen.type(f"{tmp_path / 'copy.json'}\r")
    assert screen.leave() == 130
    assert load(tmp_path / "copy.json") == load(next(save_files.unfinished_paths()))


def test_a_game_can_be_thrown_away(screens: list[Screen]):
    screen = start(screens, "play", "yinsh")
    screen.wait("White> ")
    screen.type("e5\r")
    screen.wait("Black> ")
    screen.type("quit\r")
    screen.wait("to discard it")
    screen.type("no\r")
    assert screen.leave() == 0
    assert list(save_files.unfinished_paths()) == []


@pytest.mark.parametrize(
    ("language", "answer", "saved"),
    [("de", "nein", 0), ("fr", "non", 0), ("nl", "nee", 0), ("pl", "nie", 0), ("es", "sí", 1), ("it", "sì", 1)],
)
def test_yes_and_no_are_understood_in_the_reader_s_language(screens, tmp_path, monkeypatch, language, answer, saved):
    monkeypatch.chdir(tmp_path)
    screen = start(screens, "play", "yinsh", "--language", language)
    screen.wait("> ")
    screen.type("e5\r")
    screen.wait("e5")
    screen.wait("> ")
    screen.type("quit\r")
    screen.wait(say(text("cli.leave-kept"), language)[-10:])
    screen.type(f"{answer}\r")
    assert screen.leave() == 0
    assert len(list(save_files.unfinished_paths())) == saved
    assert not (tmp_path / answer).exists()


def test_secrets_at_one_screen(screens: list[Screen]):
    screen = start(screens, "play", "tryptic")
    screen.wait("Pass the keyboard to: Player 1")
    screen.wait("press Enter.")
    screen.type("\r")
    screen.wait("Player 1 (hidden)> ")
    screen.type("B G\r")
    typed = screen.wait("Player 1 (hidden) …> ")
    assert "B G" not in typed.split("Next:")[0]
    screen.type("R\r")
    handed = screen.wait("Pass the keyboard to: Player 2")
    assert handed.index(CLEARED) < handed.index("Pass the keyboard")
    screen.wait("press Enter.")
    screen.type("\r")
    second = screen.wait("Player 2 (hidden)> ")
    assert CLEARED in second
    assert "Player 1: =***" in second
    screen.type("\x1b[A\x10=WYY\r")  # the arrow key and Ctrl-P would bring back what was typed before
    refused = screen.wait("Player 2 (hidden)> ")
    assert "BGR" not in refused
    assert "WYY" not in refused
    screen.type("=WYY\r")
    chosen = screen.wait("Pass the keyboard to: Player 1")
    assert "WYY" not in chosen
    screen.wait("press Enter.")
    screen.type("\r")
    own = re.sub(r"\x1b\[[0-9;]*m", "", screen.wait("Player 1> "))
    assert "BGR" in own
    assert "WYY" not in own
    screen.type("\x1b[A\r")  # nothing in the history but what was entered openly
    screen.wait("Player 1> ")
    screen.type("R e5\r")
    screen.wait("Player 1> ")
    screen.type(".\r")
    screen.wait("Pass the keyboard to: Player 2")
    screen.wait("press Enter.")
    screen.interrupt()
    screen.wait("to discard it")
    screen.type("\r")
    assert screen.leave() == 130
    assert "BGR" not in next(save_files.unfinished_paths()).read_text()


def test_everyone_adds_to_the_dice(screens: list[Screen]):
    screen = start(screens, "play", "tryad", "--seats", "person,person")
    fixed = screen.wait("Player 1: type any word to mix into the dice")
    assert re.search(r"[0-9a-f]{64}", fixed)
    screen.type("abracadabra\r")
    screen.wait("Player 2: type any word to mix into the dice")
    screen.type("\r")
    screen.wait("Player 1> ")
    screen.type("quit\r")
    screen.wait("to discard it")
    screen.type("\r")
    assert screen.leave() == 0
    _, table = save_files.last_unfinished()
    first, second = table.dice.dice.seeds
    assert first == "abracadabra"
    assert len(second) >= 16


def test_the_chooser_with_the_tab_key(screens: list[Screen]):
    screen = start(screens)
    screen.wait("Number or name of the game: ")
    screen.type("yin\t\r")
    screen.wait("name=value: ")
    screen.type("bli\ttrue\r")
    screen.wait("[person] ")
    screen.type("\r")
    screen.wait("[3] ")
    screen.type("per\t\r")
    screen.wait("White> ")
    screen.type("\x04")
    assert screen.leave() == 0


def test_an_engine_that_thinks_for_long_can_be_interrupted(screens: list[Screen]):
    screen = start(screens, "play", "yinsh", "--seats", "person,triskele:seconds=300")
    screen.wait("White> ")
    screen.type("e5\r")
    screen.interrupt()
    screen.wait("to discard it")
    screen.type("\r")
    assert screen.leave() == 130
    assert [move.text for move in load(next(save_files.unfinished_paths())).moves] == ["e5"]


def test_a_course_by_keyboard_completes_tokens_and_waits_between_steps(screens: list[Screen]):
    screen = start(screens, "learn", "yinsh", "--step", "jump")
    screen.wait("White> ")
    screen.type("f6 f\t\t")
    assert "f9" in screen.wait("White> f6 f").split()  # among all that can follow
    screen.type("9\r")
    screen.wait("They flipped!")
    screen.wait("Press Enter for the next step:")
    screen.type("\r")
    screen.wait("Step 4 of 12")
    screen.wait("White> ")
    screen.type("ste\t\r")
    listed, _, screen.seen = screen.wait("goes to step 4.").partition("goes to step 4.")
    assert " 3 Jump (solved)" in listed
    screen.wait("White> ")  # only a prompt takes Ctrl-D
    screen.type("\x04")
    screen.wait("Your progress is kept.")
    assert screen.leave() == 0


def test_ctrl_c_leaves_a_course_between_two_steps_with_its_progress(screens: list[Screen]):
    screen = start(screens, "learn", "yinsh", "--step", "jump")
    screen.wait("White> ")
    screen.type("f6-f9\r")
    screen.wait("Press Enter for the next step:")
    screen.interrupt()
    screen.wait("Your progress is kept.")
    assert screen.leave() == 130
    assert "jump" in progress_path().read_text()
