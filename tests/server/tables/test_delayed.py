"""Spectators see a table later than its players, if the host wants it so."""

import time

DELAY = 1.5


def test_spectators_see_moves_later_whichever_way_they_look(start, visitor, kit):
    server = start("--watch-delay", str(DELAY))
    ann, bob, watcher = (visitor(server) for _ in range(3))
    opened = ann.open("yinsh", "me", "link", private=False)
    table = opened["table"]
    bob.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"])
    games = [kit.Game(each.live(), table) for each in (ann, bob)]
    seen = kit.Game(watcher.live(), table)
    moves = ("a2", "b5", "c5")
    for at, move in enumerate(moves):
        made = time.monotonic()
        games[at % 2].move(move)
        games[1 - at % 2].until(lambda message: message["type"] == "moved")
        if time.monotonic() - made < DELAY:  # a busy machine may be later than the delay
            assert len(watcher.get(f"/tables/{table}")["moves"]) <= at
        seen.until(lambda message: message["type"] == "moved")
        assert time.monotonic() - made >= DELAY
    assert seen.moves == list(moves)
    assert [move["move"] for move in watcher.get(f"/tables/{table}")["moves"]] == list(moves)
    games[0].live.ask("resign", table=table, seat=0)
    seen.until(lambda message: message["type"] == "ended")
    assert watcher.get(f"/tables/{table}")["outcome"] is not None


def test_a_table_of_nobody_else_is_refused_to_a_spectator_as_before(start, visitor, refused):
    server = start("--watch-delay", str(DELAY))
    ann, watcher = visitor(server), visitor(server)
    table = ann.open("yinsh", "me", "here")["table"]
    assert refused(watcher.get, f"/tables/{table}") == "unknown"
    assert ann.get(f"/tables/{table}")["moves"] == []
