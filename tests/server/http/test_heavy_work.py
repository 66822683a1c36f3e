"""Pictures are drawn in other processes: nobody else notices them, and nobody can ask for too many."""

import contextlib
import select
import socket
import time

import httpx

AT_ONCE = 1.0
"""Within this time another visitor's move is made, whatever else goes on; also on a busy machine."""


class Pictures:
    """Requests for pictures of different widths, each on a connection of its own."""

    def __init__(self, person, table, widths):
        address = httpx.URL(person.base)
        self.connections = []
        for width in widths:
            connection = socket.create_connection((address.host, address.port), timeout=60)
            connection.sendall(
                f"GET /api/v1/tables/{table}/picture.png?width={width} HTTP/1.1\r\nHost: {address.host}\r\n"
                f"Authorization: Bearer {person.token}\r\nConnection: close\r\n\r\n".encode()
            )
            self.connections.append(connection)

    def waiting(self):
        """Return how many are not answered yet."""
        return len(self.connections) - len(select.select(self.connections, [], [], 0)[0])

    def statuses(self):
        """Wait for all answers, and return their statuses."""
        return [int(connection.recv(12)[9:]) for connection in self.connections]

    def close(self):
        for connection in self.connections:
            connection.close()


def slowest_move(game, number):
    """Make moves of two seats at one screen, and return the seconds that the slowest one took."""
    slowest = 0.0
    for _ in range(number):
        begun = time.monotonic()
        game.move(game.choices()[0])
        slowest = max(slowest, time.monotonic() - begun)
        time.sleep(0.05)
    return slowest


def test_moves_are_made_while_pictures_are_drawn(start, visitor, kit):
    server = start()
    greedy, person = visitor(server), visitor(server)
    table = greedy.open("yinsh", "me", "here")["table"]
    game = kit.Game(person.live(), person.open("yinsh", "me", "here")["table"])
    assert greedy.http.get(f"/tables/{table}/picture.png", params={"width": 100}).status_code == 200
    asked = Pictures(greedy, table, range(1000, 1024))
    time.sleep(0.3)
    assert slowest_move(game, 10) < AT_ONCE
    assert asked.waiting() > 12, "they are still being drawn"
    # Another visitor's picture comes before the rest of these.
    assert person.http.get(f"/tables/{game.table}/picture.png", params={"width": 100}).status_code == 200
    assert asked.waiting() > 12
    asked.close()


def test_too_many_pictures_are_refused_and_the_same_one_is_drawn_once(start, visitor):
    server = start("--limit", "jobs_waiting=3")
    person = visitor(server)
    table = person.open("yinsh", "me", "here")["table"]
    same = Pictures(person, table, [400] * 12)
    assert same.statuses() == [200] * 12
    different = Pictures(person, table, range(401, 413))
    statuses = different.statuses()
    assert set(statuses) == {200, 503}
    assert statuses.count(200) >= 4
    again = person.http.get(f"/tables/{table}/picture.png", params={"width": 400})
    assert again.content.startswith(b"\x89PNG")
    same.close()
    different.close()


def test_pictures_for_clients_that_have_gone_are_not_drawn(start, visitor):
    server = start()
    gone = visitor(server)
    table = gone.open("yinsh", "me", "here")["table"]
    asked = Pictures(gone, table, range(1900, 1920))  # each takes seconds
    time.sleep(0.2)
    asked.close()
    begun = time.monotonic()
    with contextlib.closing(httpx.Client(timeout=60, headers=gone.http.headers)) as client:
        assert client.get(f"{server.base}/api/v1/tables/{table}/picture.png?width=100").status_code == 200
    assert time.monotonic() - begun < 30
