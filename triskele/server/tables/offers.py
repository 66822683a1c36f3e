"""Offers of a draw, a takeback or a rematch, and resigning. An offer that every person accepts is carried out."""

from collections.abc import Iterator

from triskele.core.contract import CHANCE
from triskele.core.record_parts import AGREED, RESIGN
from triskele.server.refusal import Refusal
from triskele.server.tables import entries, opening
from triskele.server.tables.entries import Entry
from triskele.server.tables.moves import check_on, check_plays, rolls
from triskele.server.tables.service import Change, now
from triskele.server.tables.table import DRAW, REMATCH, UNDO, OfferKind, Series, Table

STAND_IN_LEVEL = 5
"""The level of the engine that plays on for a seat that gave up: neither a gift to the others nor a punishment."""


def offer(table: Table, visitor: str, seat: int, what: OfferKind, series: Series | None = None) -> Change:
    """Decide on an offer. Other seats of the same visitor accept by themselves; engines accept all but a draw."""
    if what != REMATCH:
        check_plays(table, seat)
    detail = _detail(table, visitor, seat, what, series)
    if what in table.offers:
        if table.offers[what].seat == seat:
            raise Refusal("offered")
        return answer(table, visitor, seat, what, accept=True)
    accepting = _seats_held_by(table, visitor)
    if accepting >= _asked(table, what) - {seat} and not _engine_declines(table, what):
        return _carried_out(table, seat, what, detail, [table.entry(entries.OFFER, seat, f"{what}:{detail}", now())])
    return Change(_offered(table, seat, what, detail, accepting - {seat}))


def _detail(table: Table, visitor: str, seat: int, what: OfferKind, series: Series | None) -> str:
    """Return the detail of an offer (see :class:`Offer`), or refuse the offer."""
    if what == REMATCH:
        if table.turn is not None:
            raise Refusal("on")
        if table.next_table is not None:
            raise Refusal("rematched")
        return series or table.series
    check_on(table)
    if what == UNDO:
        return str(undo_to(table, visitor, seat))
    return ""


def undo_to(table: Table, visitor: str, seat: int) -> int:
    """Return how many moves stay when a seat takes back what it did last; ``Refusal`` where that is not allowed.

    That is its last turn, or the last decision of a turn that it has not ended yet. Rolls of dice and what a move has
    brought to light stay.
    """
    _check_undo(table)
    keep = table.last_decision(seat)
    if keep is None:
        raise Refusal("nothing")
    if any(mover == CHANCE for _, mover in table.made[keep:]):
        raise Refusal("rolled")
    if any(table.reveals(at) for at in range(keep, table.moves)):
        raise Refusal("revealed")
    while table.turn != seat and keep > 0 and table.made[keep - 1][1] == seat and not table.reveals(keep - 1):
        keep -= 1
    return keep


def _check_undo(table: Table) -> None:
    """Refuse where nothing is ever taken back: in rated games, and from an engine that has a secret.

    An engine consents to everything, and its secret could be found by guesses that are taken back one after the
    other. Consent of other visitors does not help: they may be devices of the same person.
    """
    if table.rated:
        raise Refusal("rated")
    if table.hidden and _has_engine(table):
        raise Refusal("no-undo")


def _has_engine(table: Table) -> bool:
    return any(seat.automatic for seat in table.seats)


def _asked(table: Table, what: OfferKind) -> set[int]:
    """Return the seats of the persons who must agree to an offer: to a rematch also those who gave up."""
    return set(table.seats_of_persons() if what == REMATCH else table.persons())


def _seats_held_by(table: Table, visitor: str) -> set[int]:
    return {seat for seat in table.seats_of_persons() if visitor in table.seats[seat].holders}


def _engine_declines(table: Table, what: OfferKind) -> bool:
    return what == DRAW and _has_engine(table)


def _offered(table: Table, seat: int, what: OfferKind, detail: str, accepting: set[int]) -> Iterator[Entry]:
    yield table.entry(entries.OFFER, seat, f"{what}:{detail}", now())
    if _engine_declines(table, what):
        engine = next(number for number, there in enumerate(table.seats) if there.automatic)
        yield table.entry(entries.ANSWER, engine, f"{what}:no", now())
        return
    for other in sorted(accepting):
        yield table.entry(entries.ANSWER, other, f"{what}:yes", now())


def answer(table: Table, visitor: str, seat: int, what: OfferKind, accept: bool) -> Change:
    """Decide on an answer to an offer: one no closes it, the last yes carries it out.

    A no to one's own offer withdraws it.
    """
    offer = table.offers.get(what)
    if offer is None or (seat == offer.seat and accept):
        raise Refusal("no-offer")
    if what != REMATCH:
        check_plays(table, seat)
    if accept and what == UNDO:
        _check_undo(table)
    answered = table.entry(entries.ANSWER, seat, f"{what}:{'yes' if accept else 'no'}", now())
    accepted = offer.accepted | {seat} | _seats_held_by(table, visitor)
    if accept and accepted >= _asked(table, what):
        return _carried_out(table, offer.seat, what, offer.detail, [answered])
    return Change(iter([answered]))


def _carried_out(table: Table, seat: int, what: OfferKind, detail: str, before: list[Entry]) -> Change:
    if what == REMATCH:
        plan = opening.rematch(table, detail)
        return Change(_then(table, before, entries.NEXT, seat, plan.id), plan.statements())
    if what == UNDO:
        return Change(_then(table, before, entries.UNDO, seat, detail))
    return Change(_then(table, before, entries.END, None, AGREED))


def _then(table: Table, before: list[Entry], kind: str, seat: int | None, body: str) -> Iterator[Entry]:
    yield from before
    yield table.entry(kind, seat, body, now())


def undo(table: Table, visitor: str, seat: int) -> Change:
    """Decide on a takeback: at once where only engines and the visitor play, else as an offer."""
    check_on(table)
    check_plays(table, seat)
    keep = undo_to(table, visitor, seat)
    if table.alone(visitor):
        return Change(iter([table.entry(entries.UNDO, seat, str(keep), now())]))
    return offer(table, visitor, seat, UNDO)


def resign(table: Table, seat: int) -> Change:
    """Decide on a resignation: it ends a game of two, and others as soon as a single seat has not given up.

    Otherwise the game goes on. Where the rules have a move for giving up, it is made; elsewhere an engine plays on for
    the seat, which counts as last.
    """
    check_on(table)
    check_plays(table, seat)
    if len(table.seats) > 2 and table.variant.game.notation.resignation is not None:
        move = table.position.resignation(seat)
        if move is None:
            raise Refusal("gave-up")
        return Change(_then_rolls(table, table.entry(entries.MOVE, seat, move.text, now())))
    staying = [number for number, there in enumerate(table.seats) if number != seat and not there.gone]
    if len(table.seats) > 2 and len(staying) > 1:
        return Change(_then_rolls(table, table.entry(entries.RESIGN, seat, str(STAND_IN_LEVEL), now())))
    return Change(iter([table.entry(entries.END, seat, RESIGN, now())]))


def _then_rolls(table: Table, entry: Entry) -> Iterator[Entry]:
    yield entry
    yield from rolls(table)
