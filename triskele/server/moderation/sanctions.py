"""Sanctions: visitors, addresses and networks that are silenced (no chat) or banned (nothing at all), for a time."""

import datetime
import ipaddress
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sqlalchemy import Connection, Executable, delete, insert, select

from triskele.core.words import text
from triskele.server.addresses import address_key
from triskele.server.bus import Bus
from triskele.server.moderation.audit import audited
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Storage
from triskele.server.tables.service import now

Kind = Literal["silence", "ban"]
SILENCE: Kind = "silence"
BAN: Kind = "ban"
KINDS: tuple[Kind, ...] = get_args(Kind)
_CODES: dict[Kind, str] = {SILENCE: "silenced", BAN: "banned"}
_VISITOR = re.compile(r"[A-Za-z0-9_-]{22}")


@dataclass(frozen=True)
class Sanction:
    """A sanction against a visitor (by id), an address or a network; times in milliseconds since 1970."""

    kind: Kind
    target: str
    since: int
    until: int | None
    reason: str

    @property
    def holds(self) -> bool:
        """Whether it has not ended."""
        return self.until is None or now() < self.until

    def refusal(self) -> Refusal:
        """Return what the person is told: that it is so, and how long."""
        code = _CODES[self.kind]
        if self.until is None:
            return Refusal(code)
        ends = datetime.datetime.fromtimestamp(self.until / 1000, datetime.UTC)
        return Refusal(code, text(f"server.{code}-until", until=f"{ends:%Y-%m-%d %H:%M} UTC"))


def parse_target(written: str) -> str:
    """Return whom a sanction is against, in the form in which it is kept; ``Refusal`` says what is allowed.

    An IPv6 address becomes its network of 64 bits: a visitor has all of it.
    """
    written = written.strip()
    try:
        network = ipaddress.ip_network(written, strict=False)
    except ValueError:
        if _VISITOR.fullmatch(written):
            return written
        raise _bad_target(written) from None
    if network.is_loopback:
        raise _bad_target(written)
    if network.num_addresses > 1:
        return str(network)
    return address_key(str(network.network_address)) or written


def _bad_target(written: str) -> Refusal:
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in written[:60])
    return Refusal("target", text("server.target", target=shown))


class Sanctions:
    """The sanctions of a server: kept in the database, and in the memory of every process."""

    def __init__(self, storage: Storage, bus: Bus) -> None:
        """Begin without any; :meth:`load` reads them."""
        self._storage = storage
        self._bus = bus
        self._by_target: dict[tuple[Kind, str], Sanction] = {}
        self._networks: list[tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, Sanction]] = []
        self.listeners: list[Callable[[], None]] = []
        """Called when there are other sanctions than before; live connections of banned visitors are closed then."""

    async def load(self) -> None:
        """Read all sanctions: at the start, and when another process may have changed them."""
        found = await self._storage.read(_all)
        if {(each.kind, each.target): each for each in found} != self._by_target:
            self._set(found)

    def _set(self, found: Sequence[Sanction]) -> None:
        self._by_target = {(each.kind, each.target): each for each in found}
        self._networks = [(ipaddress.ip_network(each.target), each) for each in found if "/" in each.target]
        for listener in self.listeners:
            listener()

    def all(self) -> list[Sanction]:
        """Return the sanctions that hold."""
        return [each for each in self._by_target.values() if each.holds]

    def find(self, kind: Kind, visitor: str | None, address: str | None) -> Sanction | None:
        """Return a sanction that holds for a visitor or for the address that they come from."""
        if not self._by_target:
            return None
        key = None if address is None else address_key(address)
        for target in (visitor, key):
            found = None if target is None else self._by_target.get((kind, target))
            if found is not None and found.holds:
                return found
        if key is None or address is None or not self._networks:
            return None
        parsed = _parsed(address)
        for network, each in self._networks:
            if each.kind == kind and parsed is not None and parsed in network and each.holds:
                return each
        return None

    def check(self, kind: Kind, visitor: str | None, address: str | None) -> None:
        """Refuse if a visitor or the address that they come from is sanctioned; a ban is also a silence."""
        found = self.find(BAN, visitor, address) or (self.find(kind, visitor, address) if kind != BAN else None)
        if found is not None:
            raise found.refusal()

    async def add(self, kind: Kind, target: str, until: int | None, actor: str, reason: str) -> Sanction:
        """Sanction a visitor, an address or a network, instead of the same sanction against it that may be there."""
        made = Sanction(kind, parse_target(target), now(), until, reason)
        row = {"kind": kind, "target": made.target, "since": made.since, "until": until, "reason": reason}
        detail = {"until": until, "reason": reason}
        await self._storage.write(
            statements=[
                (_one(kind, made.target), ()),
                (insert(schema.sanctions), [row]),
                audited(actor, kind, made.target, **detail),
            ]
        )
        await self._changed()
        return made

    async def lift(self, target: str, actor: str, reason: str) -> list[Sanction]:
        """End all sanctions against a visitor, an address or a network; return them, ``Refusal`` if there is none."""
        kept = parse_target(target)
        await self.load()
        lifted = [each for each in self._by_target.values() if each.target == kept]
        if not lifted:
            raise Refusal("unknown")
        statements = [(_one(each.kind, kept), ()) for each in lifted]
        await self._storage.write(statements=[*statements, audited(actor, "lift", kept, reason=reason)])
        await self._changed()
        return lifted

    async def _changed(self) -> None:
        await self.load()
        self._bus.publish("", sanctions=True)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found


def _all(connection: Connection) -> list[Sanction]:
    rows = connection.execute(select(schema.sanctions)).mappings()
    return [Sanction(row["kind"], row["target"], row["since"], row["until"], row["reason"]) for row in rows]


def _one(kind: str, target: str) -> Executable:
    sanctions = schema.sanctions.c
    return delete(schema.sanctions).where(sanctions.kind == kind, sanctions.target == target)
