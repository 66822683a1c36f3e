"""Spectators see a table later than its players, if the host wants it so."""

import time

from triskele.server.live import messages
from triskele.server.tables.entries import MOVE
from triskele.server.tables.table import Table

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


def test_spectators_see_clocks_as_they_stood_at_what_they_are_shown(monkeypatch):
    opened = 1_763_942_400_000
    row = {"id": "t", "opened": opened, "opener": "ann", "private": False, "rated": False, "series": "swap"}
    row |= {"clock": "5+0", "game": "yinsh", "options": "{}", "dice_secret": None}
    seats = [{"seat": number, "kind": "link", "level": None, "name": ""} for number in range(2)]
    real, shown = Table(row, seats), Table(row, seats, delay=60_000)
    for each in (real, shown):
        each.set_holders([{"seat": 0, "visitor": "ann"}, {"seat": 1, "visitor": "bob"}])
    entries = []
    for seconds, text in ((1, "e5"), (2, "f6"), (12, "d4")):
        entries.append(real.entry(MOVE, real.turn, text, opened + 1000 * seconds))
        real.apply(entries[-1])
    monkeypatch.setattr(messages, "now", lambda: opened + 70_000)
    for entry in entries[:2]:  # the third will be shown in two seconds
        shown.apply(entry)
    players, spectators = messages.clock(real), messages.clock(shown)
    assert (players.running, spectators.running) == (1, 0)
    assert spectators.spent == 8_000, "not the 68 seconds that passed since, nor the 10 that the move took"
    assert spectators.seats == [(300_000, 0, 0)] * 2
    shown.apply(entries[2])
    assert messages.clock(shown).spent == 0
