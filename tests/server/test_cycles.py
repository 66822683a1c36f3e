"""Closed connections leave no reference cycles: garbage is collected rarely, so cycles would fill the memory."""

import gc
import socket
import threading
import time

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from tests.support import event_loop
from triskele.server.app import create_app
from triskele.server.http import server as http_server
from triskele.server.http.protocols import LimitedHttpProtocol, LiveProtocol, limited_http, limited_websocket
from triskele.server.settings import Limits, Settings

CONNECTIONS = 10
WEBSOCKET = (
    b"GET /api/v1/live HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MASK = b"\0\0\0\0"
PING = b"\x81\x9c" + MASK + b'{"type": "ping", "id": "12"}'
POST = b"POST /api/v1/tables HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"

WAYS = {
    "nothing": [],
    "half a head": [b"GET / HTTP/1.1\r\nHo"],
    "nonsense": [b"nonsense\r\n\r\n"],
    "the page": [b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"],
    "not there": [b"GET /api/v1/nothing HTTP/1.1\r\nHost: h\r\n\r\n"],
    "a new visitor": [b"POST /api/v1/visitors HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"],
    "half a body": [POST],
    "bad body": [POST.replace(b"1000", b"1")],
    "live": [WEBSOCKET],
    "live and a message": [WEBSOCKET, PING],
    "live and closed": [WEBSOCKET, b"\x88\x82" + MASK + b"\x03\xe8"],
    "live and not masked": [WEBSOCKET, b"\x81\x01x"],
    "live and too large": [WEBSOCKET, b"\x81\xfe\xff\xff" + MASK],
    "live and not UTF-8": [WEBSOCKET, b"\x81\x81" + MASK + b"\xff"],
    "live and a flood": [WEBSOCKET, (b"\x8a\x80" + MASK) * 700],
    "live from another site": [WEBSOCKET[:-2] + b"Origin: http://elsewhere\r\n\r\n"],
    "live without a key": [WEBSOCKET.replace(b"Sec-WebSocket-Key", b"X-Key")],
    "live not there": [WEBSOCKET.replace(b"/live", b"/dead")],
}


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """Run the server in this process, so that its objects can be counted."""
    limits = Limits()
    settings = Settings(data=tmp_path_factory.mktemp("cycles"), engine_processes=1)
    protocols = {"http": limited_http(settings), "ws": limited_websocket(limits), "ws_max_size": limits.message_bytes}
    config = uvicorn.Config(create_app(settings), port=0, log_config=None, access_log=False, **protocols)
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        time.sleep(0.05)
    yield running.servers[0].sockets[0].getsockname()[1]
    running.should_exit = True
    thread.join()


def alive():
    """Return the number of objects of connections that are still there."""
    kinds = (LimitedHttpProtocol, LiveProtocol, RequestResponseCycle)
    return sum(issubclass(type(thing), kinds) for thing in gc.get_objects())  # a dead proxy has no other class


@pytest.mark.parametrize("parts", WAYS.values(), ids=WAYS.keys())
def test_a_closed_connection_leaves_no_cycles(port, parts):
    gc.collect()
    gc.disable()
    try:
        before = alive()
        for _ in range(CONNECTIONS):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                for part in parts:
                    connection.sendall(part)
                    if part is not POST and not part.endswith(b"Ho"):
                        connection.recv(65536)
        until = time.monotonic() + 20
        while alive() > before and time.monotonic() < until:
            time.sleep(0.05)
        assert alive() <= before
    finally:
        gc.enable()


def test_a_flood_of_garbage_is_collected_before_its_time(monkeypatch):
    monkeypatch.setattr(http_server, "_NEW_OBJECTS", 1000)
    server = http_server._Server(uvicorn.Config(lambda: None))
    gc.collect()
    gc.disable()
    try:
        for _ in range(2000):
            a: list[object] = []
            a.append(a)
        assert gc.get_count()[0] > 1000
        event_loop.run(server.on_tick(1))
        assert gc.get_count()[0] < 1000
    finally:
        gc.enable()
