"""What notices say: which game, with whom, and what it is about. Nothing of any position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from triskele.core.words import say, text
from triskele.server.tables import listing
from triskele.server.tables.matters import ENDED, OFFER, TIME, TURN
from triskele.server.tables.table import ENGINE

_HOUR = 3_600_000


@dataclass(frozen=True)
class Notice:
    """A notice with what is said about its table, all of which everybody at the table knows.

    ``others`` are the names of the other people, ``guests`` which of them have no account, whose names may look like
    somebody's; ``result`` is ``win``, ``loss`` or empty, ``due`` when the clock of a game over days may be out of time.
    """

    id: str
    kind: str
    detail: str
    table: str
    seat: int
    at: int
    game: str
    title: str
    others: tuple[str, ...]
    guests: tuple[bool, ...]
    engines: int
    due: int | None
    result: str

    def heading(self, language: str) -> str:
        """Return the game and the others: ``YINSH · Ann, Bob``."""
        guest = {name: say(text("server.notice-guest", name=name), language) for name in self.others}
        named = zip(self.others, self.guests, strict=True)
        names = [guest[name] if is_guest else name for name, is_guest in named if name]
        if self.engines:
            names.append(say(text("server.notice-computers", n=self.engines), language))
        return f"{self.title} · {', '.join(names)}" if names else self.title

    def body(self, language: str, now: int) -> str:
        """Return what the notice is about, as one sentence."""
        if self.kind == TIME and self.due is not None:
            hours = max(1, -(-(self.due - now) // _HOUR))
            return say(text("server.notice-time", n=hours), language)
        keys: dict[str, str] = {OFFER: self.detail, ENDED: f"ended{self.result}", TIME: TURN}
        return say(text(f"server.notice-{keys.get(self.kind, self.kind)}"), language)

    def document(self, language: str, now: int) -> dict[str, Any]:
        """Return the notice as plain data, for the page and for web hooks."""
        return {
            "id": self.id,
            "kind": self.kind,
            "detail": self.detail,
            "table": self.table,
            "seat": self.seat,
            "at": self.at,
            "game": self.game,
            "title": self.heading(language),
            "text": self.body(language, now),
        }


def notices_of(connection: Connection, rows: Sequence[Any], visitor: str) -> list[Notice]:
    """Return the notices in rows of a visitor's, in their order; those at tables that are gone are left out."""
    tables = {each["table"]: each for each in listing.some(connection, {row.table_id for row in rows}, visitor)}
    return [_notice(row, tables[row.table_id]) for row in rows if row.table_id in tables]


def _notice(row: Any, table: dict[str, Any]) -> Notice:
    others = [seat for seat in table["seats"] if seat["seat"] != row.seat]
    people = [seat for seat in others if seat["kind"] != ENGINE]
    winners = table["winners"]
    result = "" if not winners else "-win" if row.seat in winners else "-loss"
    return Notice(
        row.id,
        row.kind,
        row.detail,
        row.table_id,
        row.seat,
        row.at,
        table["game"],
        table["title"],
        tuple(seat["account"] if "account" in seat else seat["name"] for seat in people),
        tuple("account" not in seat for seat in people),
        len(others) - len(people),
        table["due"],
        result,
    )
