"""What a server process keeps in memory beside its tables."""

import time
from pathlib import Path


def test_the_server_process_loads_no_compiler(start, visitor, kit):
    server = start(TRISKELE_PLAIN="0")
    person = visitor(server)
    game = kit.Game(person.live(), person.open("yinsh", "me", "here")["table"])
    for _ in range(110):  # after 100 moves any other process would begin to load it
        game.move(game.choices()[0])
        game.live.ask("undo", table=game.table, seat=0)
        game.until(lambda message: message["type"] == "table")
    time.sleep(0.5)
    assert "llvmlite" not in Path(f"/proc/{server.process.pid}/maps").read_text()
