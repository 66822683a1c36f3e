"""Subscribers: connections that follow a table, which of them get the same bytes, and who is present."""

import time
import weakref

from triskele.server.live.payloads import PayloadCache
from triskele.server.tables.outgoing import Outbox
from triskele.server.tables.table import Table, Viewer

PRESENCE_SECONDS = 60.0
"""How long the report of another process holds about who is present there."""


class Subscriber:
    """A connection that follows a table, for a visitor with their seats and language."""

    __slots__ = (
        "computes",
        "language",
        "looks",
        "outbox",
        "scene_seq",
        "scenes",
        "seats",
        "table",
        "version",
        "visitor",
    )

    def __init__(self, table: Table, outbox: Outbox, visitor: str | None, language: str, scenes: bool) -> None:
        """Describe a subscriber; :class:`Presence` adds it to the audience of its table."""
        self.table = table
        self.outbox = outbox
        self.visitor = visitor
        self.language = language
        self.scenes = scenes
        self.seats = table.seats_of(visitor)
        self.computes = False
        """Whether its page computes the moves of the engines at the table."""
        self.looks = True
        """Whether its visitor looks at the table, and does not only have it open somewhere."""
        self.version = -1
        """The version of the position that was sent last."""
        self.scene_seq = 0
        """The ``seq`` of the message that brought the last scene: differences are relative to it."""

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Whose views are sent: those of the visitor's seats, or a spectator's."""
        return self.seats or (None,)

    @property
    def viewer(self) -> Viewer:
        """Whose view of the move list is sent: the only seat's, else (none, or several at one screen) a spectator's."""
        return self.seats[0] if len(self.seats) == 1 else None

    @property
    def message_key(self) -> tuple[object, ...]:
        """All that the bytes of a ``moved`` message depend on: subscribers with equal keys get the same bytes."""
        return self.seats, self.language, self.scenes, self.version, self.scene_seq


class Audience:
    """The subscribers of one table at this process, the seats present at others, and the payloads they share."""

    __slots__ = ("_elsewhere", "_seen", "payloads", "subscribers")

    def __init__(self, table: Table) -> None:
        """Begin without subscribers."""
        self.subscribers: set[Subscriber] = set()
        self.payloads = PayloadCache(table)
        self._elsewhere: dict[str, tuple[float, frozenset[int]]] = {}
        self._seen: dict[int, float] = {}
        """When (monotonic) each seat was present last; for those that never were, when it was first looked for."""

    def seats_here(self) -> set[int]:
        """Return the seats whose holders are connected to this process."""
        return {seat for subscriber in self.subscribers for seat in subscriber.seats}

    def page_computes(self) -> bool:
        """Whether a page that is connected to this process computes the moves of the engines."""
        return any(subscriber.computes for subscriber in self.subscribers)

    def set_elsewhere(self, process: str, seats: frozenset[int]) -> None:
        """Note the seats whose holders are connected to another process."""
        self._elsewhere[process] = (time.monotonic(), seats)

    def present(self, table: Table) -> set[int]:
        """Return the seats whose holders are connected to any process; engines always are present."""
        if table.delayed:  # who is here now does not concern who watches later
            return set(range(len(table.seats)))
        seats = self.seats_here()
        since = time.monotonic() - PRESENCE_SECONDS
        for reported, elsewhere in self._elsewhere.values():
            if reported >= since:
                seats |= elsewhere
        now = time.monotonic()
        for seat in seats:
            self._seen[seat] = now
        return seats | {number for number, seat in enumerate(table.seats) if seat.automatic}

    def absent(self, seat: int) -> int:
        """Return for how many milliseconds a seat has not been present, as far as this process has seen."""
        now = time.monotonic()
        return round(1000 * (now - self._seen.setdefault(seat, now)))

    def absence(self, table: Table) -> int | None:
        """Return for how many milliseconds the player to act has not been present; ``None`` if they are."""
        seat = table.running
        return None if seat is None or seat in self.present(table) else self.absent(seat)


class Audiences:
    """The audience of each table in memory; it goes when its table goes."""

    def __init__(self) -> None:
        """Begin without tables."""
        self._audiences: weakref.WeakKeyDictionary[Table, Audience] = weakref.WeakKeyDictionary()

    def of(self, table: Table) -> Audience:
        """Return the audience of a table."""
        found = self._audiences.get(table)
        if found is None:
            found = self._audiences[table] = Audience(table)
        return found

    def has_subscribers(self, table: Table) -> bool:
        """Whether a connection of this process follows a table."""
        found = self._audiences.get(table)
        return found is not None and bool(found.subscribers)
