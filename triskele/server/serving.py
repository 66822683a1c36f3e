"""Serving: uvicorn, with protocols that keep slow and greedy connections away from the application."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import sys
import threading
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from triskele.server.limits import Counts
from triskele.server.live import WRITE
from triskele.server.settings import Limits, Settings

_LOOPBACK = ("127.0.0.1", "::1")
_HEAD_BYTES = 32 * 1024


def _doorkeeper(limits: Limits) -> type[HttpToolsProtocol]:
    """Return the protocol for HTTP: a head comes soon and is short, and no address has too many connections."""
    counts = Counts(limits.connections_per_address)

    class Doorkeeper(HttpToolsProtocol):
        """HTTP, guarded."""

        _timer: asyncio.TimerHandle | None = None
        _counted: str | None = None
        _head = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            # Behind a proxy on this machine all come from here: then the proxy counts.
            if address not in _LOOPBACK:
                if not counts.enter(address):
                    transport.abort()
                    return
                self._counted = address
            self._wait_for_head()

        def _wait_for_head(self) -> None:
            if self._timer is None:
                self._timer = self.loop.call_later(limits.head_seconds, self._too_slow)

        def _too_slow(self) -> None:
            self._timer = None
            if not self.transport.is_closing():
                self.transport.abort()

        def _head_is_there(self) -> None:
            self._head = 0
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._timer is not None:
                self._head += len(data)
                if self._head > _HEAD_BYTES and not self.transport.is_closing():
                    self.transport.abort()

        def on_message_begin(self) -> None:
            self._wait_for_head()
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self._head_is_there()
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._leave()
            super().connection_lost(exc)

        def handle_websocket_upgrade(self) -> None:
            self._head_is_there()
            super().handle_websocket_upgrade()
            upgraded = self.transport.get_protocol()
            if isinstance(upgraded, LiveProtocol):
                upgraded.on_lost = self._leave

        def _leave(self) -> None:
            self._head_is_there()
            if self._counted is not None:
                counts.leave(self._counted)
                self._counted = None

    return Doorkeeper


def _text_frame(message: bytes) -> bytes:
    """Return a WebSocket frame; without extensions, those of a server are this simple."""
    size = len(message)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + message
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + message
    return b"\x81\x7f" + size.to_bytes(8, "big") + message


class LiveProtocol(WebSocketsSansIOProtocol):
    """WebSocket with a way to send without waiting; who lets too much pile up is cut off."""

    most = Limits.send_buffer_bytes
    on_lost: Any = None

    def handle_connect(self, event: Any) -> None:
        """Offer :meth:`write_now` to the application."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions = cast(dict[str, Any], self.scope["extensions"])
            extensions[WRITE] = self.write_now

    def write_now(self, message: bytes) -> None:
        """Send a text message now; what the connection does not take yet waits in its buffer."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > self.most:
            self.transport.abort()
            return
        self.transport.write(_text_frame(message))

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the doorkeeper."""
        if self.on_lost is not None:
            self.on_lost()
        super().connection_lost(exc)


_TICKS_BETWEEN_COLLECTIONS = 6000
"""Ten minutes: there are hardly any cycles to collect."""


class _Server(uvicorn.Server):
    """Uvicorn that says where it is when it is ready."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            gc.collect()
            gc.freeze()
            gc.disable()  # it would look at all scenes of all tables each time, and hold everybody up: see on_tick
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            print(f"Triskele is served at http://{shown}:{port}/", flush=True)

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS_BETWEEN_COLLECTIONS == 0 and counter > 0:
            gc.collect()
        return await super().on_tick(counter)


def serve(settings: Settings) -> None:
    """Serve until interrupted; prints the address when ready."""
    from triskele.server.app import create_app

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    _allow_many_connections()
    limits = settings.limits
    LiveProtocol.most = limits.send_buffer_bytes
    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        http=_doorkeeper(limits),
        ws=LiveProtocol,
        ws_max_size=limits.message_bytes,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        ws_per_message_deflate=False,
        loop=_loop(),
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        proxy_headers=True,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
        backlog=4096,
    )
    if threading.current_thread() is threading.main_thread():  # no other gets signals
        # Uvicorn shuts down in order and then lets the signal do what it did before: which must not cut the end short.
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit())
    with contextlib.suppress(KeyboardInterrupt):
        _Server(config).run()


def _loop() -> Any:
    try:
        import uvloop  # noqa: F401
    except ImportError:
        return "asyncio"
    return "uvloop"


def _allow_many_connections() -> None:
    """Let the process have as many connections as the system allows."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else 65_536
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
