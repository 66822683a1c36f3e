"""One connection, whatever it sends or leaves unread, holds nobody else up and keeps no memory."""

import contextlib
import json
import random
import socket
import threading
import time
from pathlib import Path

import pytest

HANDSHAKE = (
    b"GET /api/v1/live HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)
MASK = b"\0\0\0\0"
EMPTY_BEGINNING = b"\x01\x80" + MASK
EMPTY_FRAGMENT = b"\x00\x80" + MASK
PONG = b"\x8a\x80" + MASK
PING = b"\x89\xfd" + MASK + b"x" * 125
SHORT_MESSAGE = b"\x81\x81" + MASK + b"x"


def frame(data):
    """Return a text message as a frame."""
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data)]) + MASK + data


def connected(server, buffer=None):
    """Return a socket that is connected to a server; it takes ``buffer`` bytes without being read."""
    connection = socket.socket()
    if buffer is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(30)
    connection.connect(("127.0.0.1", server.port))
    return connection


@contextlib.contextmanager
def websocket(server, token=None, buffer=None):
    """Open a WebSocket of which the test writes every byte itself."""
    with connected(server, buffer) as connection:
        bearer = b"" if token is None else b"Authorization: Bearer " + token.encode() + b"\r\n"
        connection.sendall(HANDSHAKE + bearer + b"\r\n")
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += connection.recv(1)
        assert answer.startswith(b"HTTP/1.1 101"), answer
        yield connection


def send_until_closed(connection, data, most):
    """Send data again and again; return how many bytes were taken, all of them if the connection stays open."""
    sent = 0
    with contextlib.suppress(OSError):
        while sent < most:
            sent += connection.send(data)
    return sent


def close_code(connection):
    """Return the code of the last frame if it is a close frame; 1006 if the connection just ended."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65536):
            received = (received + chunk)[-200:]
    at = received.rfind(b"\x88")
    return 1006 if at < 0 else int.from_bytes(received[at + 2 : at + 4], "big")


def resident_mb(server):
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


@pytest.fixture(scope="module")
def usual(kit, tmp_path_factory):
    """One server with the limits that a host gets."""
    running = kit.Server(tmp_path_factory.mktemp("usual") / "data", generous=False)
    yield running
    running.stop()


@pytest.mark.parametrize(
    ("first", "repeated"),
    [
        (EMPTY_BEGINNING, EMPTY_FRAGMENT),
        (b"", PONG),
        (b"", PING),
        (b"", SHORT_MESSAGE),
        (b"", b"\x82\x80" + MASK),
        (b"", frame(b'{"type": "ping", "id": "1"}')),
    ],
    ids=["fragments", "pongs", "pings", "messages", "binary", "requests"],
)
def test_a_flood_of_frames_is_closed_and_others_play_on(usual, visitor, kit, first, repeated):
    person = visitor(usual)
    game = kit.Game(person.live(), person.open("yinsh", "me", "here")["table"])
    game.move(random.choice(game.choices()))
    taken = []

    def attack():
        for _ in range(5):
            with websocket(usual) as connection:
                connection.sendall(first)
                taken.append(send_until_closed(connection, repeated * 40_000, 8_000_000))

    attacker = threading.Thread(target=attack)
    attacker.start()
    slowest = 0.0
    while attacker.is_alive():
        began = time.monotonic()
        game.move(random.choice(game.choices()))
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.1)
    attacker.join()
    assert len(taken) == 5
    assert max(taken) < 8_000_000, "it was never closed"
    assert slowest < 1.0


def test_frames_over_the_limit_are_closed_with_a_reason(usual):
    with websocket(usual) as connection:
        connection.sendall(PONG * 700)
        assert close_code(connection) == 1008


def test_slow_fragments_of_one_message_are_bounded(start):
    server = start("--limit", "frames_burst=100000")
    with websocket(server) as connection:
        connection.sendall(EMPTY_BEGINNING + EMPTY_FRAGMENT * 255)
        connection.sendall(PING)
        assert connection.recv(2) == b"\x8a\x7d", "still open"
        connection.sendall(EMPTY_FRAGMENT * 10)
        assert close_code(connection) == 1008


def test_bytes_over_the_limit_are_closed(start):
    server = start("--limit", "received_bytes_burst=100000", "--limit", "received_bytes_per_second=1")
    with websocket(server) as connection:
        big = b"\x82\xfe" + (10_000).to_bytes(2, "big") + MASK + b"x" * 10_000
        assert send_until_closed(connection, big, 8_000_000) < 8_000_000
        assert close_code(connection) in (1008, 1006)


def test_unread_pongs_are_cut_off_at_the_limit_of_the_send_buffer(start):
    server = start("--limit", "frames_burst=100000000", "--limit", "received_bytes_burst=1000000000")
    before = resident_mb(server)
    with websocket(server, buffer=4096) as connection:
        sent = send_until_closed(connection, PING * 1000, 60_000_000)
        assert sent < 60_000_000
        assert resident_mb(server) - before < 40


def sockets(server):
    """Return the number of open sockets of a server."""
    links = []
    for descriptor in Path(f"/proc/{server.process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            links.append(str(descriptor.readlink()))
    return sum(link.startswith("socket:") for link in links)


def eventually(condition, seconds=20.0):
    """Wait until a condition holds; return whether it did in time."""
    until = time.monotonic() + seconds
    while not (held := condition()) and time.monotonic() < until:
        time.sleep(0.1)
    return held


@pytest.fixture(scope="module")
def hasty(kit, tmp_path_factory):
    """One server that waits for nobody, and would buffer much."""
    limits = ("ping_seconds=1", "body_seconds=1", "answer_seconds=1", "send_buffer_bytes=100000000")
    options = [part for limit in limits for part in ("--limit", limit)]
    running = kit.Server(tmp_path_factory.mktemp("hasty") / "data", *options)
    yield running
    running.stop()


def test_who_answers_no_ping_is_disconnected_with_all_that_waits(hasty, visitor):
    person = visitor(hasty)
    table = person.open("yinsh", "me", "here")["table"]
    before = sockets(hasty)
    with websocket(hasty, person.token, buffer=4096) as connection:
        for number in range(300):  # 5 MB of answers
            message = json.dumps({"type": "join", "id": str(number), "table": table}).encode()
            connection.sendall(frame(message))
        assert eventually(lambda: sockets(hasty) <= before)


def test_an_answer_that_nobody_reads_has_a_deadline(hasty):
    before = sockets(hasty)
    with connected(hasty, buffer=4096) as connection:
        for _ in range(200):  # more than the system buffers
            connection.sendall(b"GET /api/v1/words/en HTTP/1.1\r\nHost: h\r\n\r\n")
            time.sleep(0.005)
        assert eventually(lambda: sockets(hasty) <= before)


def test_a_body_that_trickles_has_a_deadline_in_total(hasty):
    with connected(hasty) as connection:
        connection.sendall(b"POST /api/v1/tables HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n")
        connection.sendall(b"Content-Length: 1000\r\n\r\n")
        connection.settimeout(0.3)
        for _ in range(40):
            connection.send(b" ")
            with contextlib.suppress(TimeoutError):
                answer = connection.recv(65536)
                break
        else:
            pytest.fail("it trickled for 12 s")
        connection.settimeout(30)
        while chunk := connection.recv(65536):  # head and body may come apart
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 408")
    assert b'"slow"' in answer


def test_a_body_that_trickles_after_the_answer_has_a_deadline(hasty):
    with connected(hasty) as connection:
        connection.sendall(b"POST /nothing HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 4")
        with contextlib.suppress(OSError):
            for _ in range(60):
                connection.send(b" ")
                time.sleep(0.3)
            pytest.fail("it trickled for 18 s")


def test_many_requests_at_once_on_a_connection_are_cut_off(usual, visitor, kit):
    person = visitor(usual)
    game = kit.Game(person.live(), person.open("yinsh", "me", "here")["table"])
    with connected(usual) as connection:
        flood = b"GET /x HTTP/1.1\r\n\r\n" * 30_000
        assert send_until_closed(connection, flood, 20_000_000) < 20_000_000
        began = time.monotonic()
        game.move(random.choice(game.choices()))
        assert time.monotonic() - began < 1.0
