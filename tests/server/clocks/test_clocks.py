"""Clocks at a real server: what is charged, how flags fall, leaving and coming back, outages."""

import sqlite3
import time

import pytest

from triskele.core.record_clocks import clocks
from triskele.core.records import Record
from triskele.core.time_control import HOUR

PATIENCE = 60.0


@pytest.fixture(scope="module")
def quick(tmp_path_factory, kit):
    """A server on which a game can be claimed soon."""
    running = kit.Server(tmp_path_factory.mktemp("clocks") / "data", "--limit", "claim_seconds=0.5")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory, kit):
    """A server on which nobody has time for a first move."""
    running = kit.Server(tmp_path_factory.mktemp("hasty") / "data", "--limit", "first_turn_seconds=0.3")
    yield running
    running.stop()


@pytest.fixture
def seated(visitor, kit):
    """Let several visitors sit down at a table with a clock."""

    def sit(server, clock, name="yinsh", players=2, **more):
        people = [visitor(server) for _ in range(players)]
        opened = people[0].open(name, "me", *["link"] * (players - 1), clock=clock, **more)
        for person, seat in zip(people[1:], opened["seats"][1:], strict=True):
            person.post(f"/tables/{opened['table']}/seats", key=seat["key"], name=f"Guest {seat['seat']}")
        return [kit.Game(person.live(), opened["table"]) for person in people]

    return sit


def both_move(games, moves):
    for at, text in enumerate(moves):
        game = games[at % 2]
        while game.to_act() is None:
            game.listen()
        game.move(text)


def record_of(game):
    return Record.from_json(game.live.visitor.http.get(f"/tables/{game.table}/record").content)


def test_a_bad_clock_is_refused_with_what_is_allowed(visitor, kit):
    for wrong, said in (("-5+3", "negative"), ("5+999", "increment"), ("soon", "byo-yomi"), ("31d", "30 days")):
        with pytest.raises(kit.Refused, match=said) as refused:
            visitor().open("yinsh", "me", "here", clock=wrong)
        assert refused.value.code == "option"


def test_a_table_without_a_clock_tells_none(pair):
    ann, _ = pair()
    assert ann.state["clock"] is None
    assert record_of(ann).clock.pace == "none"


def test_what_was_charged_is_in_the_record_and_gives_the_same_clocks(quick, seated):
    games = seated(quick, "5+3")
    ann = games[0]
    assert ann.state["clock"]["seats"] == [[300_000, 0, 0]] * 2
    both_move(games, ("e5", "f6"))
    time.sleep(0.4)
    both_move(games, ("d4", "g7"))
    shown = ann.until(lambda message: message["type"] == "moved" and message["at"] == 3)["clock"]
    record = record_of(ann)
    assert [move.charged for move in record.moves[:2]] == [0, 0], "the first decision of a seat has its own time"
    assert record.moves[2].charged >= 400 - 50
    last = list(clocks(record))[-1]
    assert [[one.main, one.periods, one.used] for one in last.seats] == shown["seats"]
    assert last.left(0) == 300_000 + 2 * 3000 - record.moves[2].charged
    assert Record.from_json(record.to_json()) == record
    assert (shown["running"], shown["control"]) == (0, "5+3")


def test_after_an_undo_the_clocks_are_as_they_were(quick, visitor, kit):
    ann = visitor(quick)
    game = kit.Game(ann.live(), ann.open("yinsh", "me", "here", clock="5+3")["table"])
    for text in ("e5", "f6", "d4"):
        game.move(text)
    before = ann.get(f"/tables/{game.table}")["clock"]["seats"]
    game.move("g7")
    game.live.ask("undo", table=game.table, seat=1)
    assert ann.get(f"/tables/{game.table}")["clock"]["seats"] == before


def test_with_two_seats_who_runs_out_of_time_loses(quick, seated):
    games = seated(quick, "0+0 1x1")
    both_move(games, ("e5", "f6"))
    for game in games:
        ended = game.until(lambda message: message["type"] == "ended")
        assert ended["ended"] == {"kind": "time", "seat": 0}
        assert ended["outcome"]["winners"] == [1]
        assert ended["clock"]["seats"][0] == [0, 0, 0]
    record = record_of(games[0])
    assert (record.ended.kind, record.ended.seat) == ("time", 0)
    assert record.replay() is not None


def test_a_flag_falls_when_nobody_is_there(quick, seated, visitor):
    games = seated(quick, "0+0 1x1")
    both_move(games, ("e5", "f6"))
    table, token = games[0].table, games[0].live.visitor.token
    for game in games:
        game.live.close()
    ann = visitor(quick, token)
    deadline = time.monotonic() + PATIENCE
    while (shown := ann.get(f"/tables/{table}"))["ended"] is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert shown["ended"] == {"kind": "time", "seat": 0}


def test_a_live_game_of_two_that_is_not_begun_is_called_off(hasty, seated):
    ann, bob = seated(hasty, "5+3")
    for game in (ann, bob):
        told = game.until(lambda message: message["type"] == "ended")
        assert told["ended"] == {"kind": "called-off"}
        assert told["outcome"]["winners"] == []
    assert record_of(ann).ended.kind == "called-off"


def test_with_more_seats_an_engine_plays_on_and_its_owner_comes_back(hasty, seated, refused):
    games = seated(hasty, "0+0 1x8", "tryad", players=3, options={"players": 3})
    late = games[0].until(lambda message: message["type"] == "table" and any(s["away"] for s in message["seats"]))
    seat = next(s["seat"] for s in late["seats"] if s["away"])
    assert late["seats"][seat]["stand_in"] == 5
    assert late["outcome"] is None
    owner, other = games[seat], games[(seat + 1) % 3]
    assert refused(owner.live.ask, "move", table=owner.table, seat=seat, move="x", at=0) in ("away", "over")
    assert refused(other.live.ask, "back", table=owner.table, seat=(seat + 1) % 3) in ("not-away", "over")
    owner.live.ask("back", table=owner.table, seat=seat)
    back = owner.until(lambda message: message["type"] == "table" and not message["seats"][seat]["away"])
    assert back["seats"][seat]["stand_in"] is None
    assert back["clock"]["seats"][seat][1] == 1, "a period to go on with"


def test_where_the_rules_know_it_the_seat_is_out(hasty, seated):
    games = seated(hasty, "0+0 1x1 out", "tryptic", players=3, options={"players": 3})
    told = games[1].until(lambda message: message["type"] == "table" and message["seats"][0]["resigned"])
    assert (told["seats"][0]["away"], told["seats"][0]["stand_in"]) == (False, None)
    assert told["moves"][-1]["move"] == "x1"


def test_who_leaves_a_live_game_can_be_claimed_against(quick, seated, refused):
    ann, bob = seated(quick, "5+3")
    both_move((ann, bob), ("e5", "f6", "d4"))
    assert refused(bob.live.ask, "claim", table=bob.table, seat=1) == "no-claim"
    assert refused(ann.live.ask, "claim", table=ann.table, seat=0) == "claim-early"
    bob.live.close()
    deadline = time.monotonic() + PATIENCE
    while refused_code(ann, "claim") == "claim-early":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    ended = ann.until(lambda message: message["type"] == "ended")
    assert ended["ended"] == {"kind": "left", "seat": 1}
    assert ended["outcome"]["winners"] == [0]


def refused_code(game, kind):
    """Ask for something of seat 0, and return why it was refused, if it was."""
    try:
        game.live.ask(kind, table=game.table, seat=0)
    except Exception as refusal:
        return refusal.code
    return None


def test_a_killed_server_charges_nobody(start, seated, visitor, kit):
    server = start()
    games = seated(server, "5+0")
    both_move(games, ("e5", "f6"))
    began = time.time()
    games[0].live.visitor.get("/health")
    table, token = games[0].table, games[0].live.visitor.token
    time.sleep(0.5)
    server.kill()
    down = time.time()
    time.sleep(2)
    server = start(port=server.port)
    again = visitor(server, token)
    game = kit.Game(again.live(), table)
    assert game.state["clock"]["resting"], "until everybody is connected again"
    game.move("d4")
    assert record_of(game).moves[2].charged <= 1000 * (down - began) + 100


def test_a_deadline_over_days_is_kept_without_the_table_in_memory(start, seated, visitor):
    server = start()
    games = seated(server, "1h")
    both_move(games, ("e5", "f6"))
    table, token = games[0].table, games[0].live.visitor.token
    server.stop()
    with sqlite3.connect(server.data / "tables.sqlite3") as database:
        ((due,),) = database.execute("SELECT due FROM deadlines WHERE table_id = ?", (table,)).fetchall()
        ((last,),) = database.execute("SELECT MAX(time) FROM log WHERE table_id = ?", (table,)).fetchall()
        assert due == last + HOUR
        # All that happened was hours ago, and the server was never down.
        database.execute("UPDATE log SET time = time - ?", (2 * HOUR,))
        database.execute("UPDATE tables SET opened = opened - ?", (2 * HOUR,))
        database.execute("UPDATE deadlines SET due = due - ?", (2 * HOUR,))
        database.execute("DELETE FROM heartbeats")
    database.close()
    server = start()
    ann = visitor(server, token)
    deadline = time.monotonic() + PATIENCE
    while (shown := ann.get(f"/tables/{table}"))["ended"] is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert shown["ended"] == {"kind": "time", "seat": 0}
