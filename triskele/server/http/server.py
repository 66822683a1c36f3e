"""The server: uvicorn, with protocols that keep slow and greedy connections away from the application."""

import contextlib
import errno
import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

import uvicorn

from triskele.core.errors import TriskeleError
from triskele.core.words import Text, text
from triskele.server.http.protocols import limited_http, limited_websocket
from triskele.server.http.service_manager import ServiceManager
from triskele.server.logs import configure
from triskele.server.settings import Settings

_TICKS_BETWEEN_COLLECTIONS = 6000
"""Ten minutes (uvicorn ticks ten times a second): there are hardly any cycles to collect."""
_NEW_OBJECTS = 20_000
"""So many more objects than after the last collection are looked through at once, which takes about 10 ms: if something
does make cycles, a flood of it is collected while it comes. The objects that were there before are not visited."""


OnReady = Callable[[str], None]
"""Called once, with the address of the page, when the server accepts connections."""


def _page(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Server(uvicorn.Server):
    """Uvicorn that says when it is ready, and to systemd that it lives, and collects garbage rarely."""

    on_ready: OnReady | None = None

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._manager = ServiceManager()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            gc.collect()
            gc.freeze()
            gc.disable()  # a full collection visits all scenes of all tables and holds everybody up: see on_tick
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            print(f"Triskele is served at {_page(host, port)}", flush=True)
            self._manager.ready()
            if self.on_ready is not None:
                # No browser can open the address that stands for all addresses.
                self.on_ready(_page({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._manager.stopping()
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        self._manager.alive()
        if counter % _TICKS_BETWEEN_COLLECTIONS == 0 and counter > 0:
            gc.collect()
        elif gc.get_count()[0] > _NEW_OBJECTS:
            gc.collect(0)
        return await super().on_tick(counter)


def listen(host: str, port: int) -> list[socket.socket]:
    """Return sockets bound to every address of a host; ``TriskeleError`` says why there are none."""
    bound: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, number, _, address in dict.fromkeys(found):
            made = socket.socket(family, kind, number)
            bound.append(made)
            if os.name == "posix":  # elsewhere it would let two servers have one port
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            shared = bound[0].getsockname()[1] if len(bound) > 1 else port  # one for all of them, also if it is any
            made.bind((address[0], shared, *address[2:]))
    except (OSError, UnicodeError) as error:
        for each in bound:
            each.close()
        raise TriskeleError(_why_not_bound(host, port, error)) from None
    return bound


def _why_not_bound(host: str, port: int, error: Exception) -> Text:
    code = None if isinstance(error, socket.gaierror) else getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        return text("server.port-in-use", host=host, port=str(port))
    if code in (errno.EACCES, errno.EPERM):
        return text("server.port-forbidden", port=str(port))
    return text("server.bad-host", host=host[:60], why=getattr(error, "strerror", None) or str(error))


def run(app: Any, settings: Settings) -> None:
    """Run an ASGI application until interrupted; prints the address when ready."""
    serve_on(listen(settings.host, settings.port), app, settings)


def serve_on(sockets: list[socket.socket], app: Any, settings: Settings, on_ready: OnReady | None = None) -> None:
    """Run an ASGI application on bound sockets until interrupted; prints the address when ready."""
    configure(settings.log_level, settings.log_format)
    _allow_many_connections()
    limits = settings.limits
    config = uvicorn.Config(
        app,
        http=limited_http(settings),
        ws=limited_websocket(limits),
        ws_max_size=limits.message_bytes,
        ws_ping_interval=limits.ping_seconds,
        ws_ping_timeout=limits.ping_seconds,
        ws_per_message_deflate=False,
        loop=_loop(),
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
        backlog=4096,
    )
    if threading.current_thread() is threading.main_thread():  # no other gets signals
        # Uvicorn shuts down and then raises the signal again: it must not kill the process before everything is closed.
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit())
    server = _Server(config)
    server.on_ready = on_ready
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets)


def _loop() -> Any:
    try:
        import uvloop  # noqa: F401
    except ImportError:
        return "asyncio"
    return "uvloop"


def _allow_many_connections() -> None:
    """Raise the limit of open files to what the system allows."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else 65_536
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
