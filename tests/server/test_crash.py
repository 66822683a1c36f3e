"""``kill -9`` at random moments under load: whatever was acknowledged is there, and every table goes on."""

import random
import threading
import time
from pathlib import Path

import httpx

import triskele

TABLES = 6
KILLS = 4
PATIENCE = 60.0
"""How long a test waits for something that must come: long, since the machine may be busy."""


def test_every_acknowledged_move_survives(start, visitor, kit):
    server = start()
    stop = threading.Event()
    names = [game.name for game in triskele.games() if not game.chance]
    players = [kit.Player(visitor(server), names[number % len(names)], stop) for number in range(TABLES)]
    for player in players:
        player.start()
    rng = random.Random()
    for _ in range(KILLS):
        time.sleep(rng.uniform(0.2, 1.0))
        server.kill()
        before = [player.comebacks for player in players]
        server = start(port=server.port)
    deadline = time.monotonic() + PATIENCE
    while not all(player.over or player.comebacks > come for player, come in zip(players, before, strict=True)):
        assert time.monotonic() < deadline, [player.problem for player in players]
        time.sleep(0.05)
    stop.set()
    for player in players:
        player.join(30)
        assert not player.is_alive()
    assert sum(len(player.acknowledged) for player in players) > 20
    for player in players:
        assert player.problem is None
        assert player.lost == []
        with httpx.Client(base_url=server.base + "/api/v1", timeout=30) as client:
            client.headers["Authorization"] = f"Bearer {player.person.token}"
            made = [move["move"] for move in client.get(f"/tables/{player.table}").json()["moves"]]
        for at, move in player.acknowledged:
            assert made[at] in (move, "=***")


def test_a_killed_server_leaves_no_processes_behind(start, visitor, kit):
    server = start("--engines", "1")
    person = visitor(server)
    game = kit.Game(person.live(), person.open("trypsylon", "me", "engine1")["table"])
    kit.play([game], random.Random(1), most=3)
    children = workers(server.process.pid)
    assert children
    server.kill()
    deadline = time.monotonic() + 20
    while any(alive(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(alive(child) for child in children)


def workers(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
