"""Review: what can be looked back at, by whom, and how it may be seen."""

import datetime
from collections.abc import Callable

from triskele.core.dice import Proof, verify
from triskele.core.position import Position
from triskele.core.records import SPECTATOR, Record
from triskele.server.looks import Viewer
from triskele.server.refusal import Refusal
from triskele.server.table import Table


def viewer_of(table: Table, visitor: str | None, seat: int | None) -> Viewer:
    """Return as whom a visitor looks: as the seat he names, else as his only seat, else as a spectator."""
    seats = table.seats_of(visitor)
    if seat is None:
        return seats[0] if len(seats) == 1 else None
    if seat not in seats:
        raise Refusal("seat")
    return seat


def position_at(table: Table, at: int | None) -> Position:
    """Return a copy of the position after so many moves, with the moves before it."""
    if at is not None and at > table.moves:
        raise Refusal("unknown")
    position = table.position.copy()
    for _ in range(0 if at is None else table.moves - at):
        position.pop()
    return position


def record_of(table: Table, viewer: Viewer) -> Callable[[], Record]:
    """Return what makes the record of a table as a viewer may see it; it takes a while for a long game."""
    position = table.position.copy()
    names = [seat.name or "?" for seat in table.seats]
    times, ended, box = list(table.times), table.ended, table.dice
    over = table.outcome is not None
    date = datetime.datetime.fromtimestamp(table.opened // 1000, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def make() -> Record:
        seen = None if over else SPECTATOR if viewer is None else viewer
        block = None if box is None else box.block()
        record = Record.of(position, seats=names, date=date, times=times, ended=ended, dice=block, viewer=seen)
        return box.disclose(record) if box is not None and over else record

    return make


def proof_of(table: Table) -> Callable[[], Proof]:
    """Return what proves the dice of a finished game."""
    if table.dice is None:
        raise Refusal("no-dice")
    if table.outcome is None:
        raise Refusal("on")
    make = record_of(table, None)
    return lambda: verify(make())
