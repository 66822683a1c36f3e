"""The protocols of connections: HTTP and WebSocket with limits, so that one connection cannot hold up the others.

Everything here runs before the application and for every byte that arrives, so it only counts, and disconnects what is
over a limit. It relies on attributes of uvicorn's protocols, so ``pyproject.toml`` bounds uvicorn's version.
"""

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.protocol import OPEN

from triskele.server.addresses import TrustedProxies, address_key
from triskele.server.live.outbox import LAG, POLICY_VIOLATION, WRITE
from triskele.server.rate_limits import ConcurrencyLimiter, TokenBucket
from triskele.server.refusal import drop_tracebacks
from triskele.server.settings import Limits, Settings

_HEAD_BYTES = 32 * 1024
_SLICE = 4096
"""What is parsed before the limits are checked again: 680 empty frames or 220 short requests, 5 ms of CPU. A read of
uvloop is up to 256 kB; parsed at once, one of empty frames held everybody up for 0.4 s."""
_PIPELINED = 16
"""Requests that may wait for the answer to an earlier one on the same connection; browsers send none."""
_FRAGMENTS = 256
"""Frames of one message; browsers send messages of our size in one."""
_FIRST_PING_SECONDS = 1.0
"""When a live connection is pinged first."""
_GRACE_SECONDS = 5.0
"""How long a connection that is being closed may take what was written before, and the answer ``slow`` to go out."""


class _Timer:
    """A timer that is started once at a time."""

    __slots__ = ("_handle",)

    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None

    @property
    def running(self) -> bool:
        return self._handle is not None

    def start(self, loop: asyncio.AbstractEventLoop, seconds: float, callback: Callable[[], None]) -> None:
        """Call ``callback`` after a time, unless the timer runs already."""
        if self._handle is None:
            self._handle = loop.call_later(seconds, callback)

    def stop(self) -> None:
        """Stop the timer, or note that it has called."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class LimitedHttpProtocol(HttpToolsProtocol):
    """HTTP that limits the time and size of a request, the time to read an answer, and an address's connections."""

    limits: ClassVar[Limits]
    counted: ClassVar[ConcurrencyLimiter]
    proxies: ClassVar[TrustedProxies]

    _address: str | None = None
    _head = 0
    _in_body = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Begin with all timers off."""
        super().__init__(*arguments, **named)
        self._head_timer, self._body_timer, self._answer_timer = _Timer(), _Timer(), _Timer()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and wait for the head of a request."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        # A proxy's connections are of many visitors: they are counted when it has said whose they are.
        key = None if address in self.proxies else address_key(address)
        if key is not None:
            if not self.counted.acquire(key):
                transport.abort()
                return
            self._address = key
        self._wait_for_head()

    def _abort(self) -> None:
        if not self.transport.is_closing() or self.transport.get_write_buffer_size():
            self.transport.abort()

    # --- what arrives --------------------------------------------------------------------------

    def _wait_for_head(self) -> None:
        self._head_timer.start(self.loop, self.limits.head_seconds, self._abort)

    def _head_complete(self) -> None:
        self._head = 0
        self._head_timer.stop()

    def data_received(self, data: bytes) -> None:
        """Parse what arrived in slices, and disconnect when it is over a limit."""
        for start in range(0, len(data), _SLICE):
            part = data[start : start + _SLICE] if len(data) > _SLICE else data
            super().data_received(part)
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            if self._head_timer.running:
                self._head += len(part)
            if self._head > _HEAD_BYTES or len(self.pipeline) > _PIPELINED:
                self.transport.abort()
                return
        if self._in_body:
            # The middleware answers a slow body; this one is for what comes after an answer, and goes nowhere.
            self._body_timer.start(self.loop, self.limits.body_seconds + _GRACE_SECONDS, self._abort)

    def on_message_begin(self) -> None:
        """Wait for the rest of the head."""
        self._wait_for_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Wait for the body, and no more for an answer that was read."""
        self._head_complete()
        self._in_body = True
        if self._answer_timer.running and not self.transport.get_write_buffer_size():
            self._answer_timer.stop()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait no more for the body."""
        self._in_body = False
        self._body_timer.stop()
        super().on_message_complete()

    # --- what is sent --------------------------------------------------------------------------

    def _wait_for_reader(self) -> None:
        """Begin the time in which everything that is written must be read, unless it runs already."""
        self._answer_timer.start(self.loop, self.limits.answer_seconds, self._answer_timeout)

    def _answer_timeout(self) -> None:
        self._answer_timer.stop()
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def pause_writing(self) -> None:
        """Begin the time of an answer that is not read as fast as it is written."""
        self._wait_for_reader()
        super().pause_writing()

    def on_response_complete(self) -> None:
        """Begin the time of an answer that is written, and not read yet."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._wait_for_reader()

    # --- the end ---------------------------------------------------------------------------------

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the address's place in the limit of connections."""
        self._release()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to :class:`LiveProtocol`."""
        self._head_complete()
        super().handle_websocket_upgrade()
        upgraded = self.transport.get_protocol()
        if isinstance(upgraded, LiveProtocol):
            upgraded.on_lost = self._release
            del self.parser  # it refers to this protocol: see LiveProtocol.connection_lost

    def _release(self) -> None:
        self._head_complete()
        self._body_timer.stop()
        self._answer_timer.stop()
        if self._address is not None:
            self.counted.release(self._address)
            self._address = None


def limited_http(settings: Settings) -> type[LimitedHttpProtocol]:
    """Return the HTTP protocol with the limits of a server; its connections are counted together."""
    parts = {
        "limits": settings.limits,
        "counted": ConcurrencyLimiter(settings.limits.connections_per_address),
        "proxies": TrustedProxies(settings.trusted_proxies),
    }
    return type("LimitedHttp", (LimitedHttpProtocol,), parts)


def _text_frame(message: bytes) -> bytes:
    """Return a text message as one WebSocket frame (RFC 6455, 5.2: final, not masked, no extensions)."""
    size = len(message)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + message
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + message
    return b"\x81\x7f" + size.to_bytes(8, "big") + message


class LiveProtocol(WebSocketsSansIOProtocol):
    """WebSocket that counts frames and bytes of every kind, and can write without waiting.

    A client that sends too many is closed (1008); one that leaves more than ``send_buffer_bytes`` unread, of
    messages, pongs or anything else, is disconnected.
    """

    limits: ClassVar[Limits] = Limits()
    on_lost: Callable[[], None] | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Begin with full buckets."""
        super().__init__(*arguments, **named)
        self._abort_timer = _Timer()
        limits = self.limits
        # Messages have a bucket of their own (see LiveConnection); frames are counted besides.
        frames = limits.messages_per_second + limits.frames_per_second
        self._frames_left = TokenBucket(frames, limits.messages_burst + limits.frames_burst)
        self._bytes_left = TokenBucket(limits.received_bytes_per_second, limits.received_bytes_burst)

    # --- what arrives --------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse what arrived in slices, count it, and close the connection when it is over a limit."""
        for start in range(0, len(data), _SLICE):
            part = data[start : start + _SLICE] if len(data) > _SLICE else data
            self.conn.receive_data(part)
            # A read without a whole frame counts like one: it costs as much.
            if not self._frames_left.take(len(self.conn.events) or 1) or not self._bytes_left.take(len(part)):
                self._refuse_more()
                return
            if self.conn.parser_exc is not None:
                self._end_by_error()
                return
            self.handle_events()
            if self.conn.handshake_exc is not None and not self.handshake_initiated:  # too many or too long headers
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()
            if self.transport.is_closing():
                return
            if len(self.frames) > _FRAGMENTS:
                self._refuse_more()
                return
            if self.transport.get_write_buffer_size() > self.limits.send_buffer_bytes:
                self.transport.abort()
                return

    def _refuse_more(self) -> None:
        if self.conn.parser_exc is None and self.conn.state is OPEN:
            self.conn.fail(POLICY_VIOLATION)
        self._end_by_error()

    def _end_by_error(self) -> None:
        if self.conn.close_sent is None or self.close_sent:  # before the handshake, or closed already
            self.transport.abort()
        else:
            self.handle_parser_exception()

    def handle_connect(self, event: Any) -> None:
        """Offer :meth:`write_now` to the application."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions = cast(dict[str, Any], self.scope["extensions"])
            extensions[WRITE] = self.write_now
            extensions[LAG] = self.lag

    def start_keepalive(self) -> None:
        """Ping soon, so that the lag of a player is known; then at intervals."""
        if self.ping_interval:
            self.ping_timer = self.loop.call_later(
                min(_FIRST_PING_SECONDS, self.ping_interval), self.send_keepalive_ping
            )

    def lag(self) -> int:
        """Return how many milliseconds the last ping took to be answered."""
        return round(self.last_ping_rtt * 1000)

    def send_receive_event_to_app(self) -> None:
        """Hand a message to the application; a text that is not UTF-8 closes the connection (1007)."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
            try:
                str(data, "utf-8")
            except UnicodeDecodeError:
                self.frames = []
                self.conn.fail(CloseCode.INVALID_DATA, "not UTF-8")
                self._end_by_error()
                return
        super().send_receive_event_to_app()

    # --- what is sent --------------------------------------------------------------------------

    def write_now(self, message: bytes) -> None:
        """Send a text message now; what the connection does not take yet waits in its buffer.

        This goes past uvicorn's ``send``: it takes 8 instead of 12 microseconds of CPU for a message of 3 kB, and can
        abort the connection of a slow reader, for whom ``send`` would only wait.
        """
        if self.close_sent or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > self.limits.send_buffer_bytes:
            self.transport.abort()
            return
        self.transport.write(_text_frame(message))

    # --- the end ---------------------------------------------------------------------------------

    def keepalive_timeout(self) -> None:
        """Disconnect a client that answers no ping: it would not read what waits for it either."""
        super().keepalive_timeout()
        self.transport.abort()

    async def run_asgi(self) -> None:
        """Run the application; when it has ended, the client has a while to read the rest."""
        await super().run_asgi()
        for extension in (WRITE, LAG):  # they refer to this protocol
            cast(dict[str, Any], self.scope["extensions"]).pop(extension, None)
        if not self.disconnected:
            self._abort_timer.start(self.loop, self.close_timeout + _GRACE_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the address's place in the limit of connections, and everything that refers to itself.

        Garbage is collected rarely, so a connection must leave no reference cycles: they were 96 objects and 21 kB
        for each.
        """
        self._abort_timer.stop()
        if self.on_lost is not None:
            self.on_lost()
            self.on_lost = None
        super().connection_lost(exc)
        self.conn.parser.close()
        for error in (self.conn.parser_exc, self.conn.handshake_exc):
            drop_tracebacks(error)


def limited_websocket(limits: Limits) -> type[LiveProtocol]:
    """Return the WebSocket protocol with these limits."""
    return type("LimitedWebSocket", (LiveProtocol,), {"limits": limits})
