"""The outbox of a connection: order, backpressure, and servers that cannot write without waiting."""

import asyncio

from tests.support import event_loop
from triskele.server.live.outbox import POLICY_VIOLATION, WRITE, ConnectionOutbox


def run(work):
    return event_loop.run(work())


def test_messages_are_sent_in_order_without_waiting():
    async def work():
        sent = []

        async def send(event):
            sent.append(event)

        outbox = ConnectionOutbox({}, send, limit=100)
        for number in range(3):
            outbox.send(b"%d" % number)
        assert sent == []
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return [event["text"] for event in sent]

    assert run(work) == ["0", "1", "2"]


def test_a_slow_reader_is_disconnected():
    async def work():
        sent, gate = [], asyncio.Event()

        async def send(event):
            await gate.wait()
            sent.append(event)

        outbox = ConnectionOutbox({}, send, limit=10)
        outbox.send(b"12345")
        await asyncio.sleep(0)
        outbox.send(b"123456")
        assert not outbox.closed, "the first message is on its way and does not count"
        outbox.send(b"123456")
        assert outbox.closed
        outbox.send(b"never sent")
        gate.set()
        await asyncio.sleep(0.01)
        return sent

    assert run(work) == [
        {"type": "websocket.send", "text": "12345"},
        {"type": "websocket.close", "code": POLICY_VIOLATION},
    ]


def test_a_connection_that_fails_is_closed():
    async def work():
        async def send(event):
            raise OSError("gone")

        outbox = ConnectionOutbox({}, send, limit=10)
        outbox.send(b"1")
        await asyncio.sleep(0.01)
        return outbox.closed

    assert run(work)


def test_a_server_that_can_write_without_waiting_does():
    written = []
    outbox = ConnectionOutbox({"extensions": {WRITE: written.append}}, None, limit=1)
    outbox.send(b"a long message")
    assert written == [b"a long message"]
