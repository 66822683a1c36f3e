"""Broadcast: prepares for every subscriber of a table the messages about a change, encoded once for equal ones."""

from collections.abc import Callable, Hashable

from msgspec import UNSET

from triskele.core.contract import CHANCE
from triskele.server.live import messages, protocol
from triskele.server.live.people import People, Strangers
from triskele.server.live.protocol import ServerMessage, encode
from triskele.server.live.subscribers import Audience, Audiences, Subscriber
from triskele.server.tables import entries
from triskele.server.tables.entries import Entry
from triskele.server.tables.keys import Keys
from triskele.server.tables.outgoing import Outgoing
from triskele.server.tables.table import Table


class LiveBroadcaster:
    """Prepares messages to subscribers; implements :class:`triskele.server.tables.outgoing.Broadcaster`."""

    def __init__(self, keys: Keys) -> None:
        """Add to what holders of seats get the keys that are theirs."""
        self._keys = keys
        self.people: People = Strangers()
        """Who the people at tables are, and who does not want to read whom."""
        self.audiences = Audiences()
        self.has_subscribers = self.audiences.has_subscribers

    def lag(self, table: Table, seat: int) -> int:
        """Return how many milliseconds a message to a seat's player and back takes, as measured last."""
        if not self.has_subscribers(table):
            return 0
        return max((s.outbox.lag for s in self.audiences.of(table).subscribers if seat in s.seats), default=0)

    def is_here(self, table: Table, seat: int) -> bool:
        """Whether the player of a seat is connected to this process."""
        return self.has_subscribers(table) and seat in self.audiences.of(table).seats_here()

    def looks(self, table: Table, visitor: str) -> bool:
        """Whether a visitor looks at a table, at this process."""
        if not self.has_subscribers(table):
            return False
        return any(each.looks and each.visitor == visitor for each in self.audiences.of(table).subscribers)

    def page_computes(self, table: Table) -> bool:
        """Whether a player's page computes the moves of the engines at a table."""
        return self.has_subscribers(table) and self.audiences.of(table).page_computes()

    def page_failed(self, table: Table) -> Outgoing:
        """Take the engines' moves away from the pages that compute them, and prepare messages about it."""
        for subscriber in self.audiences.of(table).subscribers:
            subscriber.computes = False
        return self.seats_changed(table)

    def entry_applied(self, table: Table, entry: Entry) -> Outgoing:
        """Prepare messages about the entry that was applied last."""
        if not self.has_subscribers(table):
            return []
        audience = self.audiences.of(table)
        outgoing = self._about(table, audience, entry)
        if table.turn is None and entry.kind in (entries.MOVE, entries.END):
            outgoing += self._game_over(table, audience)
        return outgoing

    def _about(self, table: Table, audience: Audience, entry: Entry) -> Outgoing:
        match entry.kind:
            case entries.MOVE:
                return self._moved(table, audience, entry)
            case entries.UNDO | entries.RESIGN | entries.TIMEOUT | entries.LEFT | entries.BACK:
                return self.whole_table(table)
            case entries.OFFER:
                return _to_all(audience, messages.offered(table, entry))
            case entries.ANSWER:
                return _to_all(audience, messages.answered(table, entry))
            case entries.NEXT:
                return _to_all(audience, messages.rematch_opened(table, entry))
            case entries.SEED:
                return _to_all(audience, messages.dice(table))
            case entries.TAKEN | entries.HINT | entries.FREED:
                return self.seats_changed(table)
            case entries.END:
                return self.whole_table(table) if table.hidden else []  # nothing is hidden any more
            case entries.HINTS | entries.ANNOTATE:
                return []
        raise AssertionError(f"no message for entries of the kind {entry.kind}")

    def _moved(self, table: Table, audience: Audience, entry: Entry) -> Outgoing:
        subscribers = audience.subscribers
        viewers = {viewer for subscriber in subscribers for viewer in (subscriber.viewer, *subscriber.viewers)}
        if audience.payloads.reveals_earlier_moves(viewers) or _gives_up(table, entry):
            return self.whole_table(table)
        clock = messages.clock(table) or UNSET
        outgoing = _to_each(audience, lambda s: s.message_key, lambda s: messages.moved(s, audience, entry, clock))
        for subscriber in subscribers:
            subscriber.version, subscriber.scene_seq = table.version, table.seq
        if entry.seat == CHANCE and table.rolls == 1:  # the seeds are closed
            outgoing += _to_all(audience, messages.dice(table))
        return outgoing

    def _game_over(self, table: Table, audience: Audience) -> Outgoing:
        outgoing = _to_each(audience, lambda s: s.language, lambda s: messages.ended(table, s.language))
        if table.dice is not None:  # the secret is told
            outgoing += _to_all(audience, messages.dice(table))
        return outgoing

    def whole_table(self, table: Table) -> Outgoing:
        """Prepare the whole table for every subscriber."""
        return [(s.outbox, self.table_message(s)) for s in self.audiences.of(table).subscribers]

    def table_message(self, subscriber: Subscriber) -> bytes:
        """Return the whole table for one subscriber, whose seats are looked up again."""
        table, visitor = subscriber.table, subscriber.visitor
        subscriber.seats = table.seats_of(visitor)
        message = self._table(protocol.Table, table, visitor, subscriber.language, subscriber.scenes)
        subscriber.version, subscriber.scene_seq = table.version, table.seq
        return message

    def table_document(self, table: Table, visitor: str | None, language: str) -> bytes:
        """Return the whole table for a visitor, as a plain JSON document."""
        return self._table(protocol.TableDocument, table, visitor, language, scenes=True)

    def _table(
        self, kind: type[protocol.TableDocument], table: Table, visitor: str | None, language: str, scenes: bool
    ) -> bytes:
        audience = self.audiences.of(table)
        return encode(
            messages.table_document(kind, table, audience, visitor, language, scenes, self._keys, self.people)
        )

    def seats_changed(self, table: Table, newcomer: Subscriber | None = None) -> Outgoing:
        """Prepare messages about the seats; a subscriber who holds other seats than before gets the whole table.

        ``newcomer`` gets nothing: the whole table follows.
        """
        audience = self.audiences.of(table)
        outgoing: Outgoing = []
        gone: list[Subscriber] = []
        encoded: dict[tuple[int, ...], bytes] = {}
        for subscriber in audience.subscribers:
            if subscriber is newcomer:
                continue
            if not table.visible_to(subscriber.visitor):  # the seat was freed
                outgoing.append((subscriber.outbox, encode(messages.gone(table, "removed", subscriber.language))))
                gone.append(subscriber)
                continue
            if table.seats_of(subscriber.visitor) != subscriber.seats:
                outgoing.append((subscriber.outbox, self.table_message(subscriber)))
                continue
            if subscriber.seats not in encoded:
                encoded[subscriber.seats] = encode(messages.seats(table, audience, subscriber.seats, self.people))
            outgoing.append((subscriber.outbox, encoded[subscriber.seats]))
        audience.subscribers.difference_update(gone)
        return outgoing

    def table_gone(self, table: Table) -> Outgoing:
        """Prepare messages that a table was deleted, and remove all its subscribers."""
        audience = self.audiences.of(table)
        outgoing = _to_each(audience, lambda s: s.language, lambda s: messages.gone(table, "deleted", s.language))
        audience.subscribers.clear()
        return outgoing

    def chat_added(self, table: Table, number: int) -> Outgoing:
        """Prepare a line of chat for the subscribers who are seated, and do not mute who wrote it."""
        message = encode(messages.said(table, number, self.people))
        writers = messages.writers(table.chat[number])
        seated = (s for s in self.audiences.of(table).subscribers if s.seats)
        return [(s.outbox, message) for s in seated if not self.people.muted(s.visitor, writers)]

    def engine_thinking(self, table: Table, seat: int) -> Outgoing:
        """Prepare messages that an engine is at work."""
        return _to_all(self.audiences.of(table), protocol.Thinking(table.id, seat))

    def disconnect(self, table: Table) -> None:
        """Remove all subscribers of a table and close their connections, so that they join anew."""
        subscribers = self.audiences.of(table).subscribers
        for outbox in {subscriber.outbox for subscriber in subscribers}:
            outbox.disconnect()
        subscribers.clear()


def _gives_up(table: Table, entry: Entry) -> bool:
    """Whether a move is that of giving up: a seat that has made it makes no other."""
    if entry.seat is None or entry.seat == CHANCE:
        return False
    seat = table.seats[entry.seat]
    return seat.resigned and not seat.automatic


def _to_all(audience: Audience, message: ServerMessage) -> Outgoing:
    encoded = encode(message)
    return [(subscriber.outbox, encoded) for subscriber in audience.subscribers]


def _to_each(
    audience: Audience, key: Callable[[Subscriber], Hashable], message: Callable[[Subscriber], ServerMessage]
) -> Outgoing:
    """Prepare a message for each subscriber, built and encoded once for those with equal keys."""
    encoded: dict[Hashable, bytes] = {}
    outgoing: Outgoing = []
    for subscriber in audience.subscribers:
        same = key(subscriber)
        if same not in encoded:
            encoded[same] = encode(message(subscriber))
        outgoing.append((subscriber.outbox, encoded[same]))
    return outgoing
