"""Offers: a draw, a takeback, a rematch. What everybody agrees to, happens."""

from collections.abc import Iterator

from triskele.core.contract import CHANCE
from triskele.core.record_parts import AGREED, RESIGN
from triskele.server import entry as kinds
from triskele.server import opening
from triskele.server.entry import Entry
from triskele.server.moving import check_on
from triskele.server.refusal import Refusal
from triskele.server.table import DRAW, REMATCH, UNDO, Table
from triskele.server.tables import Happening, now

WHAT = (DRAW, UNDO, REMATCH)


def offer(table: Table, visitor: str, seat: int, what: str, series: str | None = None) -> Happening:
    """Decide on an offer. Seats of the same visitor agree by themselves, engines to all but a draw."""
    how = _how(table, visitor, seat, what, series)
    if what in table.offers:
        if table.offers[what].seat == seat:
            raise Refusal("offered")
        return answer(table, visitor, seat, what, accept=True)
    agreeing = _agreeing(table, visitor, what)
    if agreeing >= set(table.persons()) - {seat} and not _declined(table, what):
        return _agreed(table, seat, what, how, [table.entry(kinds.OFFER, seat, f"{what}:{how}", now())])
    return Happening(_offered(table, seat, what, how, agreeing - {seat}))


def _how(table: Table, visitor: str, seat: int, what: str, series: str | None) -> str:
    """Return the details of an offer, or refuse it."""
    if what == REMATCH:
        if table.turn is not None:
            raise Refusal("on")
        if table.next_table is not None:
            raise Refusal("rematched")
        if series is not None and series not in opening.SERIES:
            raise Refusal("form")
        return series or table.series
    check_on(table)
    if what == UNDO:
        return str(undo_to(table, visitor, seat))
    return ""


def undo_to(table: Table, visitor: str, seat: int) -> int:
    """Return how many moves stay when a seat takes back its last decision; refuses where that cannot be."""
    if table.rated:
        raise Refusal("rated")
    if table.hidden and len({frozenset(table.seats[s].holders) for s in table.persons()}) < 2 and _has_engine(table):
        raise Refusal("no-undo")  # with secrets it takes another person's consent
    keep = table.last_decision(seat)
    if keep is None:
        raise Refusal("nothing")
    if any(mover == CHANCE for _, mover in table.made[keep:]):
        raise Refusal("rolled")
    return keep


def _has_engine(table: Table) -> bool:
    return len(table.persons()) < len(table.seats)


def _agreeing(table: Table, visitor: str, what: str) -> set[int]:
    return {seat for seat in table.persons() if visitor in table.seats[seat].holders}


def _declined(table: Table, what: str) -> bool:
    return what == DRAW and _has_engine(table)


def _offered(table: Table, seat: int, what: str, how: str, agreeing: set[int]) -> Iterator[Entry]:
    yield table.entry(kinds.OFFER, seat, f"{what}:{how}", now())
    if _declined(table, what):
        engine = next(number for number, there in enumerate(table.seats) if not there.person)
        yield table.entry(kinds.ANSWER, engine, f"{what}:no", now())
        return
    for other in sorted(agreeing):
        yield table.entry(kinds.ANSWER, other, f"{what}:yes", now())


def answer(table: Table, visitor: str, seat: int, what: str, accept: bool) -> Happening:
    """Decide on an answer to an offer: one no ends it, the last yes makes it happen."""
    offer = table.offers.get(what)
    if offer is None or (seat == offer.seat and accept):
        raise Refusal("no-offer")
    said = table.entry(kinds.ANSWER, seat, f"{what}:{'yes' if accept else 'no'}", now())
    agreed = offer.accepted | {seat} | _agreeing(table, visitor, what)
    if accept and agreed >= set(table.persons()):
        return _agreed(table, offer.seat, what, offer.how, [said])
    return Happening(iter([said]))


def _agreed(table: Table, seat: int, what: str, how: str, before: list[Entry]) -> Happening:
    if what == REMATCH:
        plan = opening.rematch(table, how)
        return Happening(_then(table, before, kinds.NEXT, seat, plan.id), plan.statements())
    if what == UNDO:
        return Happening(_then(table, before, kinds.UNDO, seat, how))
    return Happening(_then(table, before, kinds.END, None, AGREED))


def _then(table: Table, before: list[Entry], kind: str, seat: int | None, body: str) -> Iterator[Entry]:
    yield from before
    yield table.entry(kind, seat, body, now())


def undo(table: Table, visitor: str, seat: int) -> Happening:
    """Decide on taking back: at once where only engines and the visitor play, else as an offer."""
    check_on(table)
    keep = undo_to(table, visitor, seat)
    if table.alone(visitor):
        return Happening(iter([table.entry(kinds.UNDO, seat, str(keep), now())]))
    return offer(table, visitor, seat, UNDO)


def resign(table: Table, seat: int) -> Happening:
    """Decide on giving up."""
    check_on(table)
    return Happening(iter([table.entry(kinds.END, seat, RESIGN, now())]))
