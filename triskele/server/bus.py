"""The bus: publish/subscribe between server processes that share a database.

A message names a table that has changed, and mostly carries the entries that its log has got; otherwise the change is
read from the database. What waits to be sent goes out together, as one batch: a commit of the database has the moves of
many tables. Batches are signed with the server's secret: memory never holds what the log does not, so a message of
anybody else is dropped. One process needs no bus.
"""

import asyncio
import contextlib
import hmac
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import orjson

from triskele.server.refusal import log_failure

CHANNEL = "triskele:tables"
_RETRY_SECONDS = 1.0
_SILENT_SECONDS = 5.0
"""How long the bus may be silent until it is asked whether it is there, and how long it may take to answer."""
_START_SECONDS = 1.0
"""How long a start waits for a bus that does not answer at all; until it does the server is not ready."""
_SENDING, _LISTENING = "sending", "listening"
_SIGNATURE_BYTES = 32
_BATCH_MESSAGES = 200
"""The messages that are sent together at most."""
_GATHER_SECONDS = 0.003
"""When many messages are sent, a batch waits this long for more of them."""
_BATCH_SLICE = 4
"""The messages that are acted on before others get their turn: a move takes a third of a millisecond."""

log = logging.getLogger("triskele.server")

OnMessage = Callable[[dict[str, Any]], Awaitable[None]]


class Bus(Protocol):
    """Informs other processes of this server about tables."""

    process: str
    on_process_lost: Callable[[int], None]
    """Called when another process has left the bus, with when it was there for sure, in milliseconds since 1970."""

    @property
    def connected(self) -> bool:
        """Whether other processes can be heard and informed now."""

    def publish(self, table: str, **more: Any) -> None:
        """Publish that a table has changed; never waits, never raises."""

    async def start(self, on_message: OnMessage) -> None:
        """Begin to listen; ``on_message`` is called with each message of another process."""

    async def stop(self) -> None:
        """Stop listening."""


def _nothing(since: int) -> None:
    """Do nothing."""


class NoBus:
    """The bus of a server with one process: it does nothing."""

    process = ""
    connected = True

    def __init__(self) -> None:
        """Begin."""
        self.on_process_lost: Callable[[int], None] = _nothing

    def publish(self, table: str, **more: Any) -> None:
        """Do nothing."""

    async def start(self, on_message: OnMessage) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""


class RedisBus:
    """Redis or Valkey pub/sub. After a lost connection, what was missed is read from the database."""

    def __init__(self, url: str, secret: bytes, *old: bytes) -> None:
        """Connect to ``url`` when started; messages that were signed with an old secret are read, too."""
        self._keys = [hmac.digest(each, b"triskele bus", "sha256") for each in (secret, *old)]
        self.process = secrets.token_hex(6)
        self._url = url
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(maxsize=10_000)
        self._unsent: list[bytes] = []
        """The batch that is being sent."""
        self._tasks: list[asyncio.Task[None]] = []
        self._lost = {_SENDING, _LISTENING}
        self._reported: set[str] = set()
        self._unreadable = 0
        self._receivers = 0
        """How many processes got the last batch, this one included."""
        self._counted = 0
        """When it was sent, in milliseconds since 1970."""
        self.on_process_lost: Callable[[int], None] = _nothing
        self._tried = asyncio.Event()
        """Set when the bus is listened to, or could not be."""

    @property
    def connected(self) -> bool:
        """Whether messages are sent and received."""
        return not self._lost

    def publish(self, table: str, **more: Any) -> None:
        """Queue a message; if the queue is full it is dropped, and other processes find the change later."""
        if not self._waiting.full():
            self._waiting.put_nowait(orjson.dumps({"process": self.process, "table": table, **more}))

    async def start(self, on_message: OnMessage) -> None:
        """Begin to send and to listen; returns when listening, or when the bus is not there: it may come later."""
        listening = self._tried
        self._tasks = [
            asyncio.create_task(self._forever(_SENDING, self._send)),
            asyncio.create_task(self._forever(_LISTENING, lambda client: self._listen(client, on_message, listening))),
        ]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_START_SECONDS):
                await listening.wait()

    async def _forever(self, doing: str, work: Callable[[Any], Awaitable[None]]) -> None:
        import redis.asyncio

        while True:
            client = redis.asyncio.from_url(
                self._url, socket_timeout=_SILENT_SECONDS, socket_connect_timeout=_SILENT_SECONDS
            )
            try:
                await work(client)
            except Exception as error:  # whatever it is, the connection comes back
                self._lost.add(doing)
                self._tried.set()
                if doing not in self._reported:  # once, and not at every try
                    self._reported.add(doing)
                    log_failure(error, f"{doing} on the bus")
            finally:
                with contextlib.suppress(Exception):
                    await client.aclose()
            await asyncio.sleep(_RETRY_SECONDS)

    def _works(self, doing: str) -> None:
        self._lost.discard(doing)
        if doing in self._reported:
            self._reported.discard(doing)
            log.warning("%s on the bus works again", doing)

    async def _send(self, client: Any) -> None:
        await client.ping()
        self._works(_SENDING)
        self._receivers = 0
        crowded = False
        while True:
            if not self._unsent:
                try:
                    async with asyncio.timeout(_SILENT_SECONDS):
                        self._unsent.append(await self._waiting.get())
                except TimeoutError:
                    pass  # nothing to say, but is everybody there?
                if crowded:
                    await asyncio.sleep(_GATHER_SECONDS)
                while len(self._unsent) < _BATCH_MESSAGES and not self._waiting.empty():
                    self._unsent.append(self._waiting.get_nowait())
                crowded = len(self._unsent) > 1
            at = time.time_ns() // 1_000_000
            receivers = await client.publish(CHANNEL, self._signed(self._unsent))
            self._unsent = []  # what could not be sent is sent after the connection is back
            if receivers < self._receivers:
                self.on_process_lost(self._counted)
            self._receivers, self._counted = receivers, at

    def _signed(self, messages: list[bytes]) -> bytes:
        """Return messages as one signed batch."""
        # The table is for a process of an earlier version: it finds none of that name, and the changes by itself.
        body = b'{"process":"%s","table":"","batch":[%s]}' % (self.process.encode(), b",".join(messages))
        return hmac.digest(self._keys[0], body, "sha256") + body

    async def _listen(self, client: Any, on_message: OnMessage, listening: asyncio.Event) -> None:
        async with client.pubsub() as channel:
            await channel.subscribe(CHANNEL)
            self._works(_LISTENING)
            listening.set()
            await on_message({"table": None})  # something may have been missed
            asked = False
            while True:
                message = await channel.get_message(timeout=_SILENT_SECONDS)
                if message is None and asked:
                    raise ConnectionError("the bus is silent")
                asked = message is None
                if message is None:
                    await channel.ping()
                elif message["type"] == "message":
                    received = self._readable(message["data"])
                    if received is not None and received["process"] != self.process:
                        for number, each in enumerate(received.get("batch", (received,)), 1):
                            await on_message(each)
                            if number % _BATCH_SLICE == 0:
                                await asyncio.sleep(0)

    def _readable(self, data: Any) -> dict[str, Any] | None:
        """Return a message if it is one of ours; others are dropped, and logged when they begin and by the thousand."""
        signature, body = data[:_SIGNATURE_BYTES], data[_SIGNATURE_BYTES:]
        if any(hmac.compare_digest(hmac.digest(key, body, "sha256"), signature) for key in self._keys):
            received: dict[str, Any] = orjson.loads(body)
            return received
        if self._unreadable % 1000 == 0:
            log.warning("a message on the channel %s of the bus cannot be read: is it used by others?", CHANNEL)
        self._unreadable += 1
        return None

    async def stop(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def bus_of(url: str | None, secret: bytes, *old: bytes) -> Bus:
    """Return the bus at a URL, or none; the secrets are the server's."""
    return NoBus() if url is None else RedisBus(url, secret, *old)
