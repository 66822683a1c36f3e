"""Hostile input: refused, logged without secrets, and nobody else notices."""

import contextlib
import json
import socket
import time

import httpx
import pytest
from websockets.exceptions import ConnectionClosed


def raw(server, data, wait=20.0):
    """Send bytes and return what comes back until the connection is closed."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as connection:
        connection.sendall(data)
        received = b""
        with contextlib.suppress(ConnectionResetError):  # it does not read what it does not want
            while chunk := connection.recv(65536):
                received += chunk
        return received


def no_trace(server):
    log = server.log.read_text()
    assert "Traceback" not in log, log
    return log


BODIES = [
    b"",
    b"nonsense",
    b"[" * 60_000,
    b'{"game":' * 5000,
    b'{"game": "yinsh", "seats": 7}',
    b'{"game": null, "seats": [null]}',
    b"\xff\xfe\x00",
    b'{"game": "yinsh", "seats": [{"kind": "me", "level": 1e999}]}',
    json.dumps({"game": "yinsh", "seats": [{"kind": "me"}, {"kind": "engine", "level": 11}]}).encode(),
    json.dumps({"game": "yinsh", "seats": [{"kind": "me"}] * 13}).encode(),
    json.dumps({"game": "yinsh", "options": {"blitz": "x" * 50_000}, "seats": [{"kind": "me"}] * 2}).encode(),
    json.dumps({"game": "../../etc", "seats": [{"kind": "me"}]}).encode(),
    json.dumps({"game": "yinsh", "seats": [{"kind": "me"}] * 2, "extra": 1}).encode(),
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
@pytest.mark.parametrize("path", ["/tables", "/records", "/tables/abc/seats", "/tables/abc/hint"])
def test_bad_bodies_are_refused_in_words(server, visitor, path, body):
    answer = httpx.post(
        f"{server.base}/api/v1{path}",
        content=body,
        headers={"Content-Type": "application/json", "Accept-Language": "en"},
        timeout=30,
    )
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["text"]
    no_trace(server)


def test_large_bodies_are_refused_before_they_are_read(server):
    head = (
        b"POST /api/v1/tables HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n"
    )
    assert raw(server, head + b"x" * 100).startswith(b"HTTP/1.1 413")
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    endless = b"POST /api/v1/tables HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 3
    assert raw(server, endless)[:12] in (b"HTTP/1.1 413", b"")


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET /api/v1/live HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /" + b"a" * 70_000,
        b"GET /%00%ff%fe HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
        b"GET /..%2f..%2fsecret.txt HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
        b"POST /api/v1/tables HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
    ],
)
def test_malformed_requests(server, data):
    received = raw(server, data)
    assert received == b"" or received.startswith(b"HTTP/1.1 4")
    no_trace(server)


@pytest.mark.parametrize(
    "path", ["/nothing", "/api/v1/nothing", "/api/v2/games", "/.git/config", "/words/../../secret", "/index.php"]
)
def test_what_is_not_there(server, path):
    assert httpx.get(server.base + path).json()["error"]["code"] == "unknown"


MESSAGES = [
    "",
    "null",
    "[]",
    "7",
    '"text"',
    "{}",
    '{"type": 3, "id": "x"}',
    '{"type": "move", "id": "x"}',
    '{"type": "nonsense", "id": "x"}',
    '{"type": "join", "id": "x", "table": {"a": 1}}',
    '{"type": "join", "id": "x", "table": "\\u0000"}',
    '{"type": "join", "id": "x", "table": "nowhere", "language": "xx"}',
    '{"type": "move", "id": "x", "table": "t", "seat": true, "move": "a", "at": 0}',
    '{"type": "move", "id": "x", "table": "t", "seat": 0, "move": "a", "at": 1e3}',
    '{"type": "_leave", "id": "x", "table": "t"}',
    '{"type": "ping", "id": 4}',
    '{"type": "ping", "id": "' + "x" * 65 + '"}',
    "[" * 15_000,
    '{"type": "ping", "id": "x"',
    '{"type": "offer", "id": "x", "table": "t", "seat": 0, "what": "everything"}',
    '{"type": "complete", "id": "x", "table": "t", "seat": 0, "tokens": [1]}',
]


def test_bad_messages_are_refused_one_by_one(visitor, server):
    live = visitor().live()
    for number, message in enumerate(MESSAGES):
        live.socket.send(message.replace('"x"', f'"x{number}"'))
        assert live.receive()["type"] == "refused", message
    live.socket.send(b"\x00\xff")
    assert live.receive()["code"] == "form"
    assert live.ask("ping")["type"] == "done"
    no_trace(server)


BAD_TEXTS = [b'"\\u0000"', b'"\\ud800"', b'"\\udfff\\ud800"', b'"\xff"', b'"\x00"', b'"\xed\xa0\x80"']
BAD_BODIES = {
    "/tables": [
        b'{"game":BAD,"seats":[{"kind":"me"},{"kind":"here"}]}',
        b'{"game":"yinsh","seats":[{"kind":"me","name":BAD},{"kind":"here"}]}',
        b'{"game":"yinsh","options":{BAD:1},"seats":[{"kind":"me"},{"kind":"here"}]}',
        b'{"game":"yinsh","options":{"blitz":BAD},"seats":[{"kind":"me"},{"kind":"here"}]}',
    ],
    "/tables/abc/seats": [b'{"key":BAD}', b'{"key":"x","name":BAD}'],
    "/records": [b'{"format":BAD}', b"{BAD:1}", b"BAD"],
}


@pytest.mark.parametrize("bad", BAD_TEXTS, ids=range(len(BAD_TEXTS)))
def test_bodies_with_characters_that_are_no_text_are_refused(server, bad):
    for path, bodies in BAD_BODIES.items():
        for body in bodies:
            answer = httpx.post(
                f"{server.base}/api/v1{path}",
                content=body.replace(b"BAD", bad),
                headers={"Content-Type": "application/json"},
                timeout=30,
            )
            assert 400 <= answer.status_code < 500, (path, body)
            assert answer.json()["error"]["text"]
    assert "failed" not in no_trace(server)


@pytest.mark.parametrize(
    "path",
    ["/%00", "/%ff", "/api/v1/tables/%00", "/api/v1/words/%C0%80", "/api/v1/games?language=%00", "/?x=%ED%A0%80"],
)
def test_paths_and_queries_that_are_no_text_are_refused(server, path):
    answer = httpx.get(server.base + path)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "characters"


UPGRADE = (
    b"GET /api/v1/live HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)


@pytest.mark.parametrize(
    "data",
    [
        b"GET /\xff HTTP/1.1\r\nHost: h\r\n\r\n",
        b"GET /?q=\xff HTTP/1.1\r\nHost: h\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: h\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: h\x00\r\n\r\n",
        UPGRADE.replace(b"live", b"l\xffve") + b"\r\n",
        UPGRADE.replace(b"live", b"live%00") + b"\r\n",
        UPGRADE.replace(b"dGhl", b"\xff\xff") + b"\r\n",
        UPGRADE + b"Sec-WebSocket-Protocol: \xff\r\n\r\n",
        UPGRADE + b"X: " + b"a" * 20_000 + b"\r\n\r\n",
        UPGRADE + b"X: a\r\n" * 400 + b"\r\n",
    ],
)
def test_heads_that_are_no_text_are_refused(server, data):
    assert raw(server, data).startswith(b"HTTP/1.1 4")
    no_trace(server)


def test_a_message_that_is_not_utf8_ends_the_connection(visitor, server):
    live = visitor().live()
    live.socket.send(b"\xff", text=True)
    assert live.closed_with() == 1007
    no_trace(server)


def test_a_message_that_is_too_long_ends_the_connection(visitor):
    live = visitor().live()
    live.socket.send("x" * 20_000)
    assert live.closed_with() == 1009


def test_what_goes_over_the_limits(start, visitor, kit):
    slow = ("messages_per_second=1", "requests_per_second=0.1", "requests_burst=150")
    server = start(*[part for limit in slow for part in ("--limit", limit)], generous=False)
    person = visitor(server)
    live = person.live()
    with contextlib.suppress(ConnectionClosed):  # it may be before the last of them
        for number in range(200):
            live.socket.send(json.dumps({"type": "ping", "id": str(number)}))
    assert live.closed_with() == 1008
    opened = [person.http.post("/tables", json={"game": "yinsh", "seats": [{"kind": "me"}] * 2}) for _ in range(70)]
    assert sum(answer.status_code == 200 for answer in opened) == 60
    assert opened[-1].json()["error"]["code"] == "limit"
    for _ in range(200):
        if (last := person.http.get("/tables")).status_code == 429:
            break
    assert last.json()["error"]["code"] == "limit"
    assert httpx.get(f"{server.base}/api/v1/health").status_code == 200


STRICT = ("head_seconds=1.5", "body_seconds=0.5", "send_buffer_bytes=200000", "connections_per_visitor=3")


@pytest.fixture(scope="module")
def strict(kit, tmp_path_factory):
    """One server with small limits for several tests."""
    options = [part for limit in STRICT for part in ("--limit", limit)]
    running = kit.Server(tmp_path_factory.mktemp("strict") / "data", *options)
    yield running
    running.stop()


def test_half_open_connections_are_dropped_and_hurt_nobody(strict, visitor, kit):
    person = visitor(strict)
    game = kit.Game(person.live(), person.open("yinsh", "me", "here")["table"])
    beginnings = [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: h\r\nX-Slow: "]
    hanging = []
    for number in range(600):
        connection = socket.create_connection(("127.0.0.1", strict.port), timeout=20)
        connection.sendall(beginnings[number % 3])
        hanging.append(connection)
    game.move("a2")
    game.move("b1")
    for connection in hanging:
        with connection, contextlib.suppress(ConnectionResetError):
            assert connection.recv(10) == b""
    game.move("b2")
    no_trace(strict)


def test_a_body_that_never_comes(strict):
    head = b"POST /api/v1/tables HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
    assert b'"slow"' in raw(strict, head)


def test_who_does_not_listen_is_cut_off(strict, visitor, kit):
    ann, deaf = visitor(strict), visitor(strict)
    opened = ann.open("yinsh", "me", "link")
    table = opened["table"]
    deaf.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"])
    game = kit.Game(ann.live(), table)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(20)
        connection.connect(("127.0.0.1", strict.port))
        connection.sendall(
            b"GET /api/v1/live HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            b"Authorization: Bearer " + deaf.token.encode() + b"\r\n\r\n"
        )
        for number in range(1000):  # asks for the whole table again and again, and reads nothing
            message = json.dumps({"type": "join", "id": str(number), "table": table}).encode()
            try:
                connection.sendall(bytes([0x81, 0x80 | len(message)]) + b"\0\0\0\0" + message)
            except OSError:
                break
        assert game.live.wait(lambda m: m["type"] == "seats" and not m["seats"][1]["present"])
    game.move("a2")


def test_connections_of_a_visitor_are_counted(strict, visitor):
    person = visitor(strict)
    lives = [person.live() for _ in range(3)]
    with pytest.raises(Exception, match="403"):
        person.live()
    lives[0].close()
    for _ in range(100):
        try:
            person.live().ask("ping")
            break
        except Exception:
            time.sleep(0.05)
    else:
        pytest.fail("a place that was given back cannot be taken again")


def test_nothing_secret_is_logged(server, visitor, kit):
    person = visitor()
    opened = person.open("tryptic", "me", "link")
    live = person.live()
    live.join(opened["table"])
    with pytest.raises(kit.Refused):
        live.ask("move", table=opened["table"], seat=0, move="=XYZ", at=0)
    log = no_trace(server)
    for secret in (person.token, opened["seats"][1]["key"], opened["watch"], "=XYZ"):
        assert secret not in log
