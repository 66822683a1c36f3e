"""Telling: when something happened at a table, each follower gets his messages, built once for all who get the same."""

from collections.abc import Callable, Hashable

from triskele.core.contract import CHANCE
from triskele.server import entry as kinds
from triskele.server import messages
from triskele.server.entry import Entry
from triskele.server.followers import Follower
from triskele.server.keys import Keys
from triskele.server.table import Table

Letters = list[tuple[Follower, bytes]]
"""Messages that are written but not sent: they go out when what they tell is on the disk."""


class Teller:
    """Writes what followers of a table are told."""

    def __init__(self, keys: Keys) -> None:
        """Write keys into what holders of seats get."""
        self.keys = keys

    def about(self, table: Table, entry: Entry) -> Letters:
        """Write to all followers of a table about the entry that was applied last."""
        if not table.followers:
            return []
        if entry.kind == kinds.MOVE:
            letters = self._about_move(table, entry)
        elif entry.kind == kinds.UNDO:
            letters = self.everything(table)
        elif entry.kind in (kinds.OFFER, kinds.ANSWER):
            letters = _each(table, lambda f: 0, lambda f: messages.offer_message(table, entry))
        elif entry.kind == kinds.NEXT:
            letters = _each(table, lambda f: 0, lambda f: messages.next_message(table, entry))
        elif entry.kind == kinds.SEED:
            letters = _each(table, lambda f: 0, lambda f: messages.dice_message(table))
        elif entry.kind == kinds.TAKEN:
            letters = self.seats(table)
        else:
            letters = []
        if table.turn is None and entry.kind in (kinds.MOVE, kinds.END):
            letters += self._about_end(table)
        return letters

    def _about_move(self, table: Table, entry: Entry) -> Letters:
        viewers = {viewer for follower in table.followers for viewer in (follower.viewer, *follower.viewers)}
        if messages.looks_of(table).told_more(viewers):
            return self.everything(table)
        letters = _each(table, lambda f: f.audience, lambda f: messages.moved_message(f, entry))
        _mark(table)
        if entry.seat == CHANCE and table.rolls == 1:
            letters += _each(table, lambda f: 0, lambda f: messages.dice_message(table))
        return letters

    def _about_end(self, table: Table) -> Letters:
        letters = _each(table, lambda f: f.language, lambda f: messages.ended_message(table, f.language))
        if table.dice is not None:  # the secret is told
            letters += _each(table, lambda f: 0, lambda f: messages.dice_message(table))
        return letters

    def everything(self, table: Table) -> Letters:
        """Write the whole table to all followers."""
        return [(follower, self.whole(follower)) for follower in table.followers]

    def whole(self, follower: Follower) -> bytes:
        """Write the whole table to one follower."""
        table = follower.table
        follower.seats = table.seats_of(follower.visitor)
        message = messages.table_message(table, follower.visitor, follower.language, follower.scenes, self.keys)
        follower.version, follower.base = table.version, table.seq
        return message

    def seats(self, table: Table) -> Letters:
        """Write to all followers who sits where; whoever holds other seats than before gets the whole table."""
        letters: Letters = []
        shared: dict[tuple[int, ...], bytes] = {}
        for follower in table.followers:
            if table.seats_of(follower.visitor) != follower.seats:
                letters.append((follower, self.whole(follower)))
                continue
            if follower.seats not in shared:
                shared[follower.seats] = messages.seats_message(table, follower.seats)
            letters.append((follower, shared[follower.seats]))
        return letters

    def said(self, table: Table, number: int) -> Letters:
        """Write a line of chat to those who are seated."""
        message = messages.said_message(table, number)
        return [(follower, message) for follower in table.followers if follower.seats]

    def thinking(self, table: Table, seat: int) -> Letters:
        """Write that an engine is at work."""
        return _each(table, lambda f: 0, lambda f: messages.thinking_message(table, seat))


def _each(table: Table, same: Callable[[Follower], Hashable], write: Callable[[Follower], bytes]) -> Letters:
    written: dict[Hashable, bytes] = {}
    letters: Letters = []
    for follower in table.followers:
        key = same(follower)
        if key not in written:
            written[key] = write(follower)
        letters.append((follower, written[key]))
    return letters


def _mark(table: Table) -> None:
    for follower in table.followers:
        follower.version, follower.base = table.version, table.seq


def post(letters: Letters) -> None:
    """Send what was written."""
    for follower, message in letters:
        follower.outlet.send(message)
