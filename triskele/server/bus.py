"""The bus: several server processes tell each other at which table something happened.

What happened is in the database; the bus only says where to look. Without a bus there is one process.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import orjson

from triskele.server.refusal import log_failure

CHANNEL = "triskele:tables"
_RETRY_SECONDS = 1.0

Heard = Callable[[dict[str, Any]], Awaitable[None]]


class Bus(Protocol):
    """Tells other processes of this server about tables."""

    process: str

    def publish(self, table: str, **more: Any) -> None:
        """Tell that something happened at a table; never waits, never raises."""

    async def start(self, heard: Heard) -> None:
        """Begin to listen; ``heard`` is called with each message of another process."""

    async def stop(self) -> None:
        """Listen no more."""


class NoBus:
    """For a server of one process: nobody to tell."""

    process = ""

    def publish(self, table: str, **more: Any) -> None:
        """Tell nobody."""

    async def start(self, heard: Heard) -> None:
        """Hear nothing."""

    async def stop(self) -> None:
        """Nothing to stop."""


class RedisBus:
    """Redis or Valkey pub/sub. A lost connection is made again; what was missed is looked up in the database."""

    def __init__(self, url: str) -> None:
        """Connect to ``url`` when started."""
        self.process = secrets.token_hex(6)
        self._url = url
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(maxsize=10_000)
        self._tasks: list[asyncio.Task[None]] = []

    def publish(self, table: str, **more: Any) -> None:
        """Queue a message; when the bus is far behind, others find out by themselves later."""
        message = orjson.dumps({"process": self.process, "table": table, **more})
        if not self._waiting.full():
            self._waiting.put_nowait(message)

    async def start(self, heard: Heard) -> None:
        """Begin to send and to listen; returns when listening."""
        listening = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._forever(self._send)),
            asyncio.create_task(self._forever(lambda client: self._listen(client, heard, listening))),
        ]
        await asyncio.wait_for(listening.wait(), timeout=10)

    async def _forever(self, work: Callable[[Any], Awaitable[None]]) -> None:
        import redis.asyncio
        import redis.exceptions

        while True:
            client = redis.asyncio.from_url(self._url)
            try:
                await work(client)
            except (redis.exceptions.RedisError, OSError) as error:
                log_failure(error, "the bus")
            finally:
                await client.aclose()
            await asyncio.sleep(_RETRY_SECONDS)

    async def _send(self, client: Any) -> None:
        while True:
            await client.publish(CHANNEL, await self._waiting.get())

    async def _listen(self, client: Any, heard: Heard, listening: asyncio.Event) -> None:
        async with client.pubsub() as channel:
            await channel.subscribe(CHANNEL)
            listening.set()
            await heard({"table": None})  # something may have been missed
            async for message in channel.listen():
                if message["type"] != "message":
                    continue
                said = orjson.loads(message["data"])
                if said["process"] != self.process:
                    await heard(said)

    async def stop(self) -> None:
        """Listen no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def bus_of(url: str | None) -> Bus:
    """Return the bus at a URL, or none."""
    return NoBus() if url is None else RedisBus(url)
