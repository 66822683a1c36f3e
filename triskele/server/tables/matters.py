"""Matters: what at a table concerns a person who does not look at it, so that there is a notice about it.

The rows of ``notices`` are written in the same commit as the entries that cause them, and deleted with those that end
the matter: nothing is lost by a crash, and nothing is told that is over. They hold which matter it is, and nothing of
the position.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

from sqlalchemy import Executable, and_, delete, insert, not_, or_
from sqlalchemy import Table as Relation

from triskele.core.contract import CHANCE
from triskele.server.storage import schema
from triskele.server.storage.database import Rows
from triskele.server.tables.entries import TAKEN, Entry
from triskele.server.tables.table import REMATCH, Table

Kind = Literal["turn", "time", "offer", "begun", "ended"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""My turn; my time runs short; somebody offers a draw, an undo or a rematch (all these in games over days); a game of
mine has begun; a game of mine is over."""
TURN, TIME, OFFER, BEGUN, ENDED = KINDS
_STANDING = (TURN, TIME, OFFER)
"""The kinds that last as long as the table says so."""
Looks = Callable[[Table, str], bool]
"""Whether a visitor looks at a table now."""


class Matter(NamedTuple):
    """Whom something concerns, and what: ``detail`` is what is offered, ``seat`` the visitor's."""

    visitor: str
    kind: Kind
    detail: str
    seat: int

    def row(self, table_id: str, at: int) -> dict[str, Any]:
        """Return the row of ``notices`` about it."""
        return {"id": secrets.token_hex(8), "table_id": table_id, "at": at, **self._asdict()}


def _holders(table: Table, seat: int) -> list[str]:
    """Return the visitors whose only seat this is: who plays several at one screen needs no notice."""
    return sorted(visitor for visitor in table.seats[seat].holders if len(table.seats_of(visitor)) == 1)


def to_act(table: Table) -> list[Matter]:
    """Return whose turn it is, if it is a person's in a game that has begun."""
    turn = table.turn
    if turn is None or turn == CHANCE or table.seats[turn].automatic or not all(seat.taken for seat in table.seats):
        return []
    return [Matter(visitor, TURN, "", turn) for visitor in _holders(table, turn)]


def _offered(table: Table) -> Iterator[Matter]:
    for what, offer in table.offers.items():
        asked = table.seats_of_persons() if what == REMATCH else table.persons()
        for seat in asked:
            if seat not in offer.accepted:
                yield from (Matter(visitor, OFFER, what, seat) for visitor in _holders(table, seat))


def _everybody(table: Table, kind: Kind) -> list[Matter]:
    """Return a matter of all persons at a table, if there is more than one."""
    found = [Matter(v, kind, "", seat) for seat in table.seats_of_persons() for v in _holders(table, seat)]
    return found if len({each.visitor for each in found}) > 1 else []


def concern(table: Table, entries: Sequence[Entry]) -> bool:
    """Whether some entries of a table's log, now the last ones, may have changed matters."""
    if table.clock_control.pace == "days" or table.turn is None:
        return bool(entries)
    return any(entry.kind == TAKEN for entry in entries)


def statements(
    table: Table, entries: Sequence[Entry], ended: bool, looks: Looks, insert_once: Callable[[Relation], Executable]
) -> list[tuple[Executable, Rows]]:
    """Return what is written about matters with some entries of a table's log; ``ended``: they ended the game."""
    if not concern(table, entries):
        return []
    days = table.clock_control.pace == "days"
    taken = {entry.seat for entry in entries if entry.kind == TAKEN}
    made: list[tuple[Executable, Rows]] = []
    matters = [*to_act(table), *_offered(table)] if days else []
    acting = {each.visitor for each in matters if each.kind == TURN}
    if days:
        made.append((_over(table, matters), ()))
    if ended:
        matters += _everybody(table, ENDED)
        notices = schema.notices.c
        made.append((delete(schema.notices).where(notices.table_id == table.id, notices.kind == BEGUN), ()))
    elif taken and all(seat.taken for seat in table.seats):
        # Who just sat down knows; whose turn it is hears of that.
        begun = _everybody(table, BEGUN)
        matters += [each for each in begun if each.seat not in taken and each.visitor not in acting]
    at = entries[-1].time
    rows = [each.row(table.id, at) for each in matters if not looks(table, each.visitor)]
    return [*made, (insert_once(schema.notices), rows)] if rows else made


def _over(table: Table, matters: Sequence[Matter]) -> Executable:
    """Return the statement that deletes the notices about what is over."""
    notices = schema.notices.c
    going_on = [
        and_(notices.visitor == each.visitor, notices.kind.in_((TURN, TIME)))
        if each.kind == TURN
        else and_(notices.visitor == each.visitor, notices.kind == each.kind, notices.detail == each.detail)
        for each in matters
    ]
    over = [not_(or_(*going_on))] if going_on else []
    return delete(schema.notices).where(notices.table_id == table.id, notices.kind.in_(_STANDING), *over)


def opening_statements(
    table_id: str, holders: Sequence[set[str]], full: bool, turn: int | None, days: bool, at: int
) -> list[tuple[Executable, Rows]]:
    """Return what is written about matters when a table is opened for several persons at once.

    ``holders`` are those of each seat; ``full``: no seat is free; ``turn`` is the seat that begins.
    """
    seats = [(visitor, seat) for seat, held in enumerate(holders) for visitor in sorted(held)]
    visitors = [visitor for visitor, _ in seats]
    if not full or len(set(visitors)) < 2:
        return []
    single = [each for each in seats if visitors.count(each[0]) == 1]
    kinds: list[tuple[str, int, Kind]] = [(v, seat, TURN if days and seat == turn else BEGUN) for v, seat in single]
    rows = [Matter(visitor, kind, "", seat).row(table_id, at) for visitor, seat, kind in kinds]
    return [(insert(schema.notices), rows)] if rows else []
