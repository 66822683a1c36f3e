"""The web client: posts to addresses that people have named, and to nothing inside the host's own network.

The name is resolved once, each address is looked at, and the connection goes to the very address that was allowed:
a name that points elsewhere a moment later (DNS rebinding) gains nothing. Redirects are not followed, and of the answer
only the head is read.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import h11

from triskele import __version__

LONGEST_URL = 1000
_READ_BYTES = 4096
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9a-f:.]{2,45}")
_SECONDS = re.compile(r"\d{1,6}")


class Unreachable(Exception):
    """Nothing was sent, or no answer came; ``why`` is one word for the log."""

    def __init__(self, why: str) -> None:
        """Say why."""
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Answer:
    """The status of an answer, and after how many seconds one should try again, if it says so."""

    status: int
    retry_after: float | None = None


def is_public(written: str) -> bool:
    """Whether an address is one of the public internet."""
    address = ipaddress.ip_address(written.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(str(address.ipv4_mapped))
        if address in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.sixtofour is not None or address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


class WebClient:
    """Sends requests that end within some seconds, whatever the other side does."""

    def __init__(self, seconds: float, private: bool) -> None:
        """Give each request ``seconds`` in all; ``private``: addresses of the host's network are allowed, and HTTP."""
        self._seconds = seconds
        self._private = private
        self._tls = ssl.create_default_context()

    def allows(self, url: str) -> bool:
        """Whether a URL is one that can be posted to; where its name leads is looked at when it is."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return False
        schemes = ("https", "http") if self._private else ("https",)
        sound = parts.scheme in schemes and parts.username is None and not parts.fragment and port != 0
        if not sound or len(url) > LONGEST_URL or not _HOST.fullmatch(parts.hostname or ""):
            return False
        if not url.isascii() or not url.isprintable() or " " in url:
            return False
        try:
            return self._private or is_public(parts.hostname or "")
        except ValueError:  # a name
            return True

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Post something and return the answer; ``Unreachable`` if there is none in time."""
        if not self.allows(url):
            raise Unreachable("address")
        try:
            async with asyncio.timeout(self._seconds):
                return await self._post(url, headers, body)
        except TimeoutError:
            raise Unreachable("time") from None
        except ssl.SSLError:
            raise Unreachable("certificate") from None
        except (OSError, UnicodeError):
            raise Unreachable("connection") from None
        except (h11.RemoteProtocolError, h11.LocalProtocolError):
            raise Unreachable("protocol") from None

    async def _post(self, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        name, port = parts.hostname or "", parts.port or (443 if secure else 80)
        address = await self._address(name, port)
        tls = self._tls if secure else None
        reader, writer = await asyncio.open_connection(address, port, ssl=tls, server_hostname=name if secure else None)
        try:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            sent = {
                "Host": parts.netloc,
                "User-Agent": f"Triskele/{__version__}",
                "Content-Length": str(len(body)),
                "Connection": "close",
                **headers,
            }
            protocol = h11.Connection(h11.CLIENT)
            request = h11.Request(method="POST", target=target, headers=list(sent.items()))
            for event in (request, h11.Data(data=body), h11.EndOfMessage()):
                writer.write(protocol.send(event) or b"")
            await writer.drain()
            return await _answer(protocol, reader)
        finally:
            writer.close()

    async def _address(self, name: str, port: int) -> str:
        """Return an address of a name that may be connected to."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise Unreachable("name") from None
        for *_, place in found:
            if self._private or is_public(str(place[0])):
                return str(place[0])
        raise Unreachable("address")


async def _answer(protocol: h11.Connection, reader: asyncio.StreamReader) -> Answer:
    while True:
        event = protocol.next_event()
        if event is h11.NEED_DATA:
            protocol.receive_data(await reader.read(_READ_BYTES))
        elif isinstance(event, h11.Response):
            after = dict(event.headers).get(b"retry-after", b"").decode("latin-1")
            return Answer(event.status_code, float(after) if _SECONDS.fullmatch(after) else None)
        elif not isinstance(event, h11.InformationalResponse):
            raise Unreachable("protocol")
