"""Addresses of visitors: who may say them (trusted proxies), and by which part they are limited."""

import ipaddress
import re
from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache

from triskele.core.errors import TriskeleError
from triskele.core.words import text

Headers = Iterable[tuple[bytes, bytes]]
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_FORWARDED_FOR = re.compile(r'(?:^|[;,\s])for="?(\[[0-9a-f:.]+\]|[0-9.]+|[^";,\s]+)', re.IGNORECASE)
_PORT = re.compile(r"(\d+\.\d+\.\d+\.\d+|\[[^\]]*\]):\d+")
_ADDRESSES_READ = 32
"""Addresses of a header that are read, from its end: no visitor comes by as many proxies."""


def parse_network(written: str) -> _Network:
    """Return the network of a proxy's address or network; ``TriskeleError`` if it is neither."""
    try:
        return ipaddress.ip_network(written.strip(), strict=False)
    except ValueError:
        raise TriskeleError(text("server.bad-proxy", proxy=written[:60])) from None


@lru_cache(maxsize=4096)
def _parse(written: str) -> _Address | None:
    """Return an address with or without a port; ``None`` if it is none, such as ``unknown``."""
    with_port = _PORT.fullmatch(written)
    bare = (with_port[1] if with_port else written).strip("[]")
    try:
        address = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


class TrustedProxies:
    """The proxies whose ``X-Forwarded-For`` or ``Forwarded`` is believed; all others may write what they like."""

    def __init__(self, written: Iterable[str]) -> None:
        """Trust addresses and networks, as ``--trusted-proxy`` names them."""
        self._networks = [parse_network(each) for each in written]

    def __contains__(self, address: str) -> bool:
        """Whether an address is a trusted proxy's."""
        return self._trusts(_parse(address))

    def _trusts(self, address: _Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)

    def scheme(self, peer: str, headers: Headers) -> str | None:
        """Return ``http`` or ``https`` if a trusted peer says by which one it was asked."""
        if peer in self:
            for name, value in headers:
                if name == b"x-forwarded-proto" and value in (b"http", b"https"):
                    return value.decode()
        return None

    def client(self, peer: str, headers: Headers) -> str:
        """Return the address of the visitor: that of the peer, or what a trusted peer says it is.

        Each proxy appends the address that it was asked from, so the last one that is not a trusted proxy counts;
        what a visitor wrote into the header itself comes before it. ``Forwarded`` counts if there is no
        ``X-Forwarded-For``.
        """
        if peer not in self:
            return peer
        found = peer
        for written in reversed(_forwarded(headers)[-_ADDRESSES_READ:]):
            address = _parse(written)
            if address is None:
                break
            found = str(address)
            if not self._trusts(address):
                break
        return found


def _forwarded(headers: Headers) -> list[str]:
    lines: dict[bytes, list[str]] = {b"x-forwarded-for": [], b"forwarded": []}
    for name, value in headers:
        if name in lines:
            lines[name].append(value.decode("latin-1"))
    if lines[b"x-forwarded-for"]:
        return [part.strip() for part in ",".join(lines[b"x-forwarded-for"]).split(",")]
    return _FORWARDED_FOR.findall(",".join(lines[b"forwarded"]))


class AddressBook:
    """Remembers from which address a visitor came last, to share workers fairly: new visitors cost nothing."""

    def __init__(self, capacity: int = 50_000) -> None:
        """Remember at most ``capacity`` visitors, those that came last."""
        self._capacity = capacity
        self._keys: OrderedDict[str, str] = OrderedDict()

    def note(self, visitor: str | None, address: str) -> None:
        """Note that a visitor comes from an address; this machine's own is not noted, since it may be a proxy's."""
        key = address_key(address)
        if visitor is None or key is None:
            return
        self._keys[visitor] = key
        self._keys.move_to_end(visitor)
        if len(self._keys) > self._capacity:
            self._keys.popitem(last=False)

    def group(self, visitor: str) -> str:
        """Return what all visitors of an address have in common; for one whose address is not known, the visitor."""
        key = self._keys.get(visitor)
        return visitor if key is None else f"address {key}"


def address_key(address: str) -> str | None:
    """Return what an address is limited by: itself, or of IPv6 its first 64 bits, since a visitor has all the others.

    ``None`` for this machine, which is not limited: it is a proxy that does not say whom it asks for, and the proxy
    must limit them.
    """
    parsed = _parse(address)
    if parsed is None:
        return address
    if parsed.is_loopback:
        return None
    return str(parsed) if parsed.version == 4 else str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
