"""The outbox of a connection: messages are sent without waiting for it, and a slow reader is disconnected."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]

WRITE = "triskele.write"
"""The extension of the ASGI scope with which our own WebSocket protocol writes without waiting."""
LAG = "triskele.lag"
"""The extension with which it tells how many milliseconds the last ping took to be answered."""
POLICY_VIOLATION = 1008
"""The WebSocket close code for a connection that is over a limit."""
TRY_AGAIN_LATER = 1013
"""The WebSocket close code for a connection whose client is to connect anew."""


class ConnectionOutbox:
    """Sends messages over one WebSocket connection; at most ``limit`` bytes wait, then it is closed (backpressure)."""

    def __init__(self, scope: Scope, send: Send, limit: int) -> None:
        """Write through the extension :data:`WRITE` where the server has it, else through a queue of its own."""
        self._write: Callable[[bytes], None] | None = scope.get("extensions", {}).get(WRITE)
        self._measured_lag: Callable[[], int] | None = scope.get("extensions", {}).get(LAG)
        self._send = send
        self._limit = limit
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._task: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self.closed = False

    @property
    def lag(self) -> int:
        """How many milliseconds a message to the client and back takes, as measured last; 0 if that is not known."""
        return 0 if self._measured_lag is None else self._measured_lag()

    def send(self, message: bytes) -> None:
        """Send a message as soon as the connection takes it; never waits, never raises."""
        if self.closed:
            return
        if self._write is not None:
            self._write(message)
            return
        self._queue.append(message)
        self._queued_bytes += len(message)
        if self._queued_bytes > self._limit:
            self.closed = True
            self._queue.clear()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._queue:
                message = self._queue.popleft()
                self._queued_bytes -= len(message)
                await self._send({"type": "websocket.send", "text": message.decode()})
            if self.closed:
                await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})
        except Exception:  # whatever the ASGI server raises, the connection is gone
            self.closed = True

    async def close(self, code: int) -> None:
        """Close the connection."""
        if not self.closed:
            self.closed = True
            await self._send({"type": "websocket.close", "code": code})

    def disconnect(self) -> None:
        """Close the connection after what was sent, so that the client connects anew; never waits, never raises."""
        self._closing = asyncio.create_task(self._disconnect())

    async def _disconnect(self) -> None:
        if self._task is not None:
            await asyncio.wait([self._task])
        with contextlib.suppress(Exception):  # whatever the ASGI server raises, the connection is gone
            await self.close(TRY_AGAIN_LATER)
