"""Engines are fair, on a real server: nobody waits for all the games of another, and killed workers are replaced."""

import os
import signal
import threading
import time
from pathlib import Path

LONG = 25.0
"""Far more than two questions take on a busy machine, and far less than the questions of sixty tables."""


def worker_processes(pid):
    """Return the ids of a server's living worker processes."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if is_worker(child)]


def is_worker(child):
    try:
        state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z" and b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    except OSError:
        return False


class Watcher(threading.Thread):
    """Follows tables and counts the moves that are made there."""

    def __init__(self, live, tables):
        super().__init__(daemon=True)
        for table in tables:
            live.join(table, scene=False)
        self.live, self.moves, self.stopped = live, 0, False
        self.start()

    def run(self):
        try:
            while not self.stopped:
                self.moves += self.live.receive(timeout=60)["type"] == "moved"
        except Exception:
            return  # closed; the test notices moves that do not come


def watch_engines(person, number, level=10):
    """Open tables at which only engines play, by default of the highest level, and watch them all."""
    tables = [person.open("trypsylon", f"engine{level}", f"engine{level}")["table"] for _ in range(number)]
    return [Watcher(person.live(), tables[begin : begin + 40]) for begin in range(0, number, 40)]


def stop(watchers):
    for watcher in watchers:
        watcher.stopped = True


def wait_until(true, seconds=LONG):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


def test_another_visitors_engine_answers_while_sixty_tables_of_engines_run(start, visitor, kit):
    server = start("--engines", "1")
    watchers = watch_engines(visitor(server), 60)
    wait_until(lambda: sum(watcher.moves for watcher in watchers) >= 1)
    person = visitor(server)
    game = kit.Game(person.live(), person.open("yinsh", "me", "engine1")["table"])
    for _ in range(2):
        before = sum(watcher.moves for watcher in watchers)
        begun = time.monotonic()
        game.move(game.choices()[0])
        made = len(game.moves)
        while len(game.moves) == made:
            game.listen()
        assert time.monotonic() - begun < LONG
        # At most the question at work, and one more that ended as this one began.
        assert sum(watcher.moves for watcher in watchers) - before <= 4
    stop(watchers)


def test_tables_of_engines_pause_when_nobody_watches_and_go_on_when_somebody_comes(start, visitor, kit):
    server = start("--engines", "1")
    person = visitor(server)
    table = person.open("trypsylon", "engine1", "engine1")["table"]
    live = person.live()
    live.join(table)
    live.wait("moved")
    live.ask("leave", table=table)

    def moves():
        return len(person.get(f"/tables/{table}")["moves"])

    counts = [moves()]
    wait_until(lambda: counts.append(moves()) or counts[-3:] == [counts[-1]] * 3)
    time.sleep(0.5)
    paused = moves()
    assert paused <= counts[0] + 2
    live.join(table)
    live.wait("moved")
    assert moves() > paused


def test_a_killed_worker_is_replaced_by_one_while_forty_questions_wait(start, visitor, kit):
    server = start("--engines", "2")
    watchers = [watcher for _ in range(2) for watcher in watch_engines(visitor(server), 21, level=5)]

    def moves():
        return sum(watcher.moves for watcher in watchers)

    wait_until(lambda: moves() >= 2 and len(worker_processes(server.process.pid)) == 2)
    seen, over = [], threading.Event()

    def count():
        while not over.is_set():
            seen.append(worker_processes(server.process.pid))
            time.sleep(0.01)

    counter = threading.Thread(target=count)
    counter.start()
    killed = []
    for _ in range(2):
        before = moves()
        killed.append(worker_processes(server.process.pid)[0])
        os.kill(killed[-1], signal.SIGKILL)
        wait_until(lambda before=before: moves() >= before + 3, seconds=40)
    wait_until(lambda: len(seen[-1]) == 2)
    over.set()
    counter.join()
    assert max(map(len, seen)) == 2
    assert not set(killed) & set(seen[-1])
    stop(watchers)


def from_address(person, kit, address):
    """Let a visitor come from an address, as a trusted proxy says it."""
    person.http.headers["X-Forwarded-For"] = address
    live = kit.Live(person, **{"X-Forwarded-For": address})
    person.lives.append(live)
    return live


def test_many_new_visitors_of_one_address_do_not_hold_up_another_address(start, visitor, kit):
    server = start("--engines", "1", "--engine-seconds", "0.5")
    watchers = []
    for _ in range(16):
        person = visitor(server)
        live = from_address(person, kit, "203.0.113.9")
        watchers.append(Watcher(live, [person.open("trypsylon", "engine10", "engine10")["table"]]))
    ann = visitor(server)
    live = from_address(ann, kit, "203.0.113.77")
    game = kit.Game(live, ann.open("yinsh", "me", "engine1")["table"])
    wait_until(lambda: sum(watcher.moves > 0 for watcher in watchers) > 8)  # the queue is full
    for _ in range(3):
        before = sum(watcher.moves for watcher in watchers)
        game.move(game.choices()[0])
        at = len(game.moves)
        while len(game.moves) == at:
            game.listen()
        # One job is at work when hers comes, and one may be next; visitor by visitor it would be sixteen.
        assert sum(watcher.moves for watcher in watchers) - before <= 6
    stop(watchers)
