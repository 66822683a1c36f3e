"""What a person wants to be told by which way, and when: quiet hours, a digest, in the time zone of their own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from triskele.server.tables.matters import KINDS, TIME, Kind

Way = Literal["page", "push", "mail", "hook"]
WAYS: tuple[Way, ...] = get_args(Way)
"""In the page and its title; by Web Push to browsers; by mail; to a web hook."""
PAGE, PUSH, MAIL, HOOK = WAYS
SENDING: tuple[Way, ...] = (PUSH, MAIL, HOOK)
"""The ways by which notices leave the server."""
ZONE_LIMIT = 64
_SOON = timedelta(minutes=1)
"""A digest that is due sooner than this is the next one."""


def _usual() -> dict[Kind, frozenset[Way]]:
    # Whoever subscribes a browser or names a hook wants notices there; mail is sent to those who ask for it.
    return {kind: frozenset((PAGE, PUSH, HOOK)) for kind in KINDS}


@dataclass(frozen=True)
class Preferences:
    """The choices of a person. ``quiet`` are the hours from and to which nothing is sent.

    ``digest`` are the ways by which notices come together once a day, at ``hour``; that time runs short is told at
    once in any case. ``language`` is that of the page when they chose.
    """

    ways: Mapping[Kind, frozenset[Way]] = field(default_factory=_usual)
    quiet: tuple[int, int] | None = None
    zone: str = "UTC"
    digest: frozenset[Way] = frozenset()
    hour: int = 8
    language: str | None = None

    @classmethod
    def of(cls, written: str | None) -> "Preferences":
        """Return the choices in a row of the database; without one, what everybody gets."""
        if written is None:
            return cls()
        read = json.loads(written)
        return cls(
            {kind: frozenset(read["ways"].get(kind, ())) for kind in KINDS},
            None if read["quiet"] is None else (read["quiet"][0], read["quiet"][1]),
            read["zone"],
            frozenset(read["digest"]),
            read["hour"],
            read["language"],
        )

    def document(self) -> dict[str, Any]:
        """Return the choices as plain data."""
        return {
            "ways": {kind: [way for way in WAYS if way in self.ways[kind]] for kind in KINDS},
            "quiet": None if self.quiet is None else list(self.quiet),
            "zone": self.zone,
            "digest": [way for way in WAYS if way in self.digest],
            "hour": self.hour,
            "language": self.language,
        }

    def without(self, way: Way) -> "Preferences":
        """Return the same choices, but nothing by a way."""
        ways = {kind: chosen - {way} for kind, chosen in self.ways.items()}
        return Preferences(ways, self.quiet, self.zone, self.digest, self.hour, self.language)

    def wants(self, kind: str, way: Way) -> bool:
        """Whether the person wants notices of a kind by a way."""
        return any(way in chosen for known, chosen in self.ways.items() if known == kind)

    def in_digest(self, kind: str, way: Way) -> bool:
        """Whether notices of a kind wait for the digest of a way."""
        return way in self.digest and kind != TIME

    def digest_at(self, at: int) -> int:
        """Return when the next digest is sent; times are in milliseconds since 1970."""
        now = self._local(at)
        due = now.replace(hour=self.hour, minute=0, second=0, microsecond=0)
        return _ms(due if due > now + _SOON else due + timedelta(days=1))

    def at_once(self, at: int) -> int:
        """Return when something is sent that needs not wait for a digest: now, or after the quiet hours."""
        if self.quiet is None or self.quiet[0] == self.quiet[1]:
            return at
        since, until = self.quiet
        now = self._local(at)
        is_quiet = since <= now.hour < until if since < until else now.hour >= since or now.hour < until
        if not is_quiet:
            return at
        end = now.replace(hour=until, minute=0, second=0, microsecond=0)
        return _ms(end if end > now else end + timedelta(days=1))

    def _local(self, at: int) -> datetime:
        return datetime.fromtimestamp(at / 1000, zone_of(self.zone) or ZoneInfo("UTC"))


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def zone_of(name: str) -> ZoneInfo | None:
    """Return the time zone of a name such as ``Europe/Paris``; ``None`` if there is none."""
    try:
        return ZoneInfo(name) if 0 < len(name) <= ZONE_LIMIT and name.isascii() else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
