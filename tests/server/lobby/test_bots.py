"""Bots take games in the lobby under accounts of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.lobby import Follower
from tests.support.processes import HEAD

ROOT = Path(__file__).parents[3]
ENGINE = f"{sys.executable} -m triskele.engines.protocol novice"


@pytest.fixture
def bot(server, visitor, books, tmp_path):
    """Make a bot account with a name, and return the file with its token."""

    def make(name):
        person = visitor()
        books(server).enroll(person, name, bot=True)
        file = tmp_path / name
        file.write_text(person.token)
        return str(file)

    return make


@pytest.fixture
def opponent(server, visitor, books):
    """Return somebody with an account in the lobby."""

    def make(name):
        person = visitor()
        books(server).enroll(person, name)
        return Follower(person)

    return make


def play_on(kit, person, table):
    """Make some moves of a person at a table, then give up, unless the game is over already."""
    game = kit.Game(person.live(), table)
    for _ in range(4):
        while not game.over and game.to_act() is None:
            game.listen()
        if game.over:
            return game
        game.move(game.choices()[0])
    if game.over:
        return game
    game.live.ask("resign", table=table, seat=next(iter(game.looks)))
    return game


def test_an_engine_takes_a_rated_game_and_is_seen_as_a_bot(server, bot, opponent, kit):
    ada = opponent("Ada of the bots")
    command = ["bot", "--server", server.base, "--engine", ENGINE, "--token-file", bot("Marvin")]
    command += ["--game", "trypsylon", "--seconds", "0.1", "--wait", "0", "--games", "1"]
    running = subprocess.Popen([sys.executable, "-m", "triskele", *command], stdout=subprocess.PIPE, text=True)
    try:
        ada.until(lambda lobby: "Marvin" in lobby.people)
        assert ada.people["Marvin"]["bot"]
        ada.ask("seek", game="yinsh", clock="5+3")  # which it was not told to play
        ada.ask("seek", game="trypsylon", clock="5+3", rated=True)
        table = ada.begun()
        play_on(kit, ada.person, table)
        said = running.communicate(timeout=60)[0]
    finally:
        running.kill()
    assert running.returncode == 0
    assert f"/table/{table}" in said


ANNOUNCER = """
say('want interrupts')
legal = []
for word, rest in heard():
    if word == 'legal':
        legal = rest.split()
    elif word == 'go' and 'interrupt' in rest.split():
        say('bestmove', f"!{int(rest.split()[rest.split().index('seat') + 1]) + 1}")
    elif word == 'go':
        say('bestmove', legal[0])
"""
"""An engine that announces whenever it is asked out of turn, right or wrong."""


def test_P6_an_engine_that_wants_it_is_asked_out_of_turn(server, bot, opponent, kit, tmp_path):
    ada = opponent("Ada of the announcer")
    program = tmp_path / "announcer.py"
    program.write_text(HEAD + ANNOUNCER)
    command = ["bot", "--server", server.base, "--engine", f"{sys.executable} {program}"]
    command += ["--token-file", bot("Announcer"), "--game", "tryptic", "--seconds", "1", "--games", "1"]
    running = subprocess.Popen([sys.executable, "-m", "triskele", *command], stdout=subprocess.PIPE, text=True)
    try:
        ada.until(lambda lobby: "Announcer" in lobby.people)
        ada.ask("seek", game="tryptic", clock="5+3", to="Announcer")
        game = kit.Game(ada.person.live(), ada.begun())
        mine = next(iter(game.looks))
        while not game.over and not any(move.startswith("=") for move in game.choices()):
            game.listen()
        game.move(game.choices()[0])
        while not game.over:  # it announces when its opponent is to act
            game.listen()
        running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 0
    assert game.moves[-1] == f"!{2 - mine}"


def test_the_example_takes_a_game_in_the_lobby(server, bot, opponent, kit):
    ada = opponent("Ada of the example")
    command = [sys.executable, str(ROOT / "examples" / "bot.py"), server.base, bot("Example")]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        ada.until(lambda lobby: "Example" in lobby.people)
        ada.ask("seek", game="trypsylon", clock="5+3", to="Example")
        play_on(kit, ada.person, ada.begun())
        assert running.communicate(timeout=60)[0].strip()
    finally:
        running.kill()
    assert running.returncode == 0


def test_a_token_that_the_server_does_not_know_ends_the_bot(server, tmp_path):
    file = tmp_path / "token"
    file.write_text("trk_nothing")
    command = ["bot", "--server", server.base, "--engine", ENGINE, "--token-file", str(file)]
    ended = subprocess.run(
        [sys.executable, "-m", "triskele", *command], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode != 0
    assert "token" in ended.stderr
