"""Clocks at two server processes that share a PostgreSQL and a Valkey."""

import time

from triskele.core.records import Record


def _sit(people, clock, kit):
    opened = people[0].open("yinsh", "me", "link", clock=clock)
    people[1].post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"], name="Bob")
    return [kit.Game(person.live(), opened["table"]) for person in people]


def _move(games, at, text):
    game = games[at % 2]
    while len(game.moves) < at or game.to_act() is None:
        game.listen()
    game.move(text)


def test_a_flag_falls_once_and_everybody_hears_of_it(both, visitor, kit):
    people = [visitor(server) for server in both]
    games = [_sit(people, "0+0 1x1", kit) for _ in range(4)]
    for pair in games:
        for at, text in enumerate(("e5", "f6")):
            _move(pair, at, text)
    for pair in games:
        # Who was second to write it reads the table again, and tells the whole of it.
        told = [game.until(lambda message: message["type"] in ("ended", "table") and message["ended"]) for game in pair]
        assert [message["ended"] for message in told] == [{"kind": "time", "seat": 0}] * 2
        assert told[0]["seq"] == told[1]["seq"]
    for pair in games:
        shown = [person.get(f"/tables/{pair[0].table}") for person in people]
        assert shown[0]["seq"] == shown[1]["seq"], "nothing came after the end"
        assert [each["clock"]["seats"][0] for each in shown] == [[0, 0, 0]] * 2


def test_a_process_that_dies_costs_its_players_nothing(both, one_more, visitor, kit):
    mortal = one_more()
    people = [visitor(mortal), visitor(both[0])]
    games = _sit(people, "5+0", kit)
    for at, text in enumerate(("e5", "f6")):
        _move(games, at, text)
    while len(games[0].moves) < 2:
        games[0].listen()
    began = time.time()
    mortal.kill()
    down = time.time()
    again = visitor(both[1], people[0].token)
    deadline = time.monotonic() + 60
    # The others notice within seconds; then the time since its last heartbeat is nobody's.
    while not again.get(f"/tables/{games[0].table}")["clock"]["resting"]:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    game = kit.Game(again.live(), games[0].table)
    game.move("d4")
    record = Record.from_json(again.http.get(f"/tables/{game.table}/record").content)
    assert record.moves[2].charged <= 1000 * (down - began) + 100


def test_who_comes_back_to_another_process_at_once_is_not_charged_for_the_way(both, one_more, visitor, kit):
    mortal = one_more()
    people = [visitor(mortal), visitor(both[0])]
    games = _sit(people, "5+0", kit)
    for at, text in enumerate(("e5", "f6")):
        _move(games, at, text)
    while len(games[0].moves) < 2:
        games[0].listen()
    began = time.time()
    mortal.kill()
    down = time.time()
    time.sleep(1.5)  # so long a page waits until it tries again
    again = visitor(both[1], people[0].token)
    game = kit.Game(again.live(), games[0].table)
    deadline = time.monotonic() + 60
    while not again.get(f"/tables/{games[0].table}")["clock"]["resting"]:
        assert time.monotonic() < deadline
    assert time.time() - down < 5, "it is known before a heartbeat is missed"
    game.move("d4")
    record = Record.from_json(again.http.get(f"/tables/{game.table}/record").content)
    assert record.moves[2].charged <= 1000 * (down - began) + 100
