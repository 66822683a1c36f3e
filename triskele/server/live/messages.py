"""Builds the messages about a table that subscribers get."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, UnsetType

from triskele.core.moves import Outcome
from triskele.core.record_parts import actor_document, outcome_document
from triskele.core.words import say, text
from triskele.server.live import protocol
from triskele.server.live.people import People
from triskele.server.live.protocol import ChatShown, ClockShown, OfferShown, SeatShown, TableDocument
from triskele.server.live.subscribers import Audience, Subscriber
from triskele.server.tables import timeouts
from triskele.server.tables.entries import Entry
from triskele.server.tables.keys import Keys
from triskele.server.tables.service import now
from triskele.server.tables.table import HERE, REMATCH, ChatLine, Seat, Table

CHAT_SHOWN = 200
"""The number of lines of chat in a ``table`` message."""


# --- parts --------------------------------------------------------------------------------------------


def _seats(table: Table, audience: Audience, mine: tuple[int, ...], people: People) -> list[SeatShown]:
    """Return the seats for a visitor who holds those in ``mine``."""
    present, computed = audience.present(table), audience.page_computes()
    claims = table.clock_control.pace == "live"  # elsewhere nobody needs to know for how long somebody is away
    return [
        SeatShown(
            seat=number,
            kind=seat.kind,
            name=seat.name,
            level=seat.level,
            present=number in present,
            mine=number in mine,
            taken=seat.taken,
            page=computed and not seat.person,
            resigned=seat.resigned,
            away=seat.away,
            absent=audience.absent(number) if claims and number not in present else None,
            stand_in=seat.stand_in,
            hints=seat.hints,
            **_person(table, seat, people),
        )
        for number, seat in enumerate(table.seats)
    ]


def _person(table: Table, seat: Seat, people: People) -> dict[str, Any]:
    """Return whose account a seat is; not of one that somebody else plays at the same screen."""
    return _account(seat.holders, people) if seat.person and seat.kind != HERE else {}


def _account(visitors: Iterable[str], people: People) -> dict[str, Any]:
    """Return whose account some visitors are, as messages say it."""
    account = people.account(visitors)
    if account is not None:
        return {"account": account.name, **({"bot": True} if account.bot else {})}
    return {"deleted": True} if people.deleted(visitors) else {}


def _add_keys(table: Table, seats: list[SeatShown], visitor: str | None, keys: Keys) -> list[SeatShown]:
    """Add the keys that a visitor may know: of their own seats, and of free seats at a table that they opened."""
    if visitor is not None:
        for shown in seats:
            if shown.mine:
                shown.key = keys.own(table.id, shown.seat, visitor)
            elif visitor == table.opener and not shown.taken:
                shown.key = keys.invitation(table.id, shown.seat, table.seats[shown.seat].freed)
    return seats


def _offers(table: Table) -> list[OfferShown]:
    return [OfferShown(offer.seat, what, sorted(offer.accepted)) for what, offer in table.offers.items()]


def _dice(table: Table) -> dict[str, Any] | None:
    """Return what everyone may know of the dice: after the end that is everything.

    Of one fair die it also says what each face is called, in the order of the numbers that decide: all that a page
    needs to compute the rolls again.
    """
    if table.dice is None:
        return None
    known = table.dice.block().document()
    faces = known["faces"]
    if faces:
        known["outcomes"] = [(table.variant.move(code).text, 1) for code in range(faces)]
    return known if table.outcome is None else {**known, "secret": table.dice.dice.secret.hex()}


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    return None if outcome is None else outcome_document(outcome)


def _ended(table: Table) -> dict[str, Any] | None:
    return None if table.ended is None else table.ended.document()


def _end_text(table: Table, language: str) -> str:
    outcome = table.outcome
    assert outcome is not None, "the game is over"
    if table.ended is None:
        return table.position.ending(language)
    return say(text(f"core.reason.{outcome.reason}"), language)


def clock(table: Table) -> ClockShown | None:
    """Return the clocks of a table as they are now; ``None`` without any.

    At a delayed table they are as they stood when what is shown was so: what the player to act has used since then
    would tell that the move is still to come.
    """
    if table.clock is None:
        return None
    seat, at = table.running, max(table.clock.since, now() - table.delay)
    spent, resting = (0, False) if seat is None else table.spent_and_resting(seat, at)
    return ClockShown(
        control=str(table.clock_control),
        pace=table.clock_control.pace,
        period=table.clock_control.period,
        claim=table.timekeeper.limits.claim,
        seats=[(one.main, one.periods, one.used) for one in table.clock.clock.seats],
        running=seat,
        spent=spent,
        resting=resting,
        calls_off=seat is not None and timeouts.calls_off(table, seat),
    )


def _chat(table: Table, visitor: str | None, people: People) -> list[ChatShown]:
    """Return the last lines of chat, without those of people whom the visitor mutes."""
    return [
        ChatShown(line.seat, line.name, line.text, line.time, **_writer(table, line, people))
        for line in table.chat[-CHAT_SHOWN:]
        if not people.muted(visitor, writers(line))
    ]


def writers(line: ChatLine) -> tuple[str, ...]:
    """Return who wrote a line of chat, if that is known."""
    return () if line.writer is None else (line.writer,)


def _writer(table: Table, line: ChatLine, people: People) -> dict[str, Any]:
    """Return whose account a line of chat was written from."""
    return {} if table.seats[line.seat].kind == HERE else _account(writers(line), people)


# --- messages -----------------------------------------------------------------------------------------


def table_document(
    kind: type[TableDocument],
    table: Table,
    audience: Audience,
    visitor: str | None,
    language: str,
    scenes: bool,
    keys: Keys,
    people: People,
) -> TableDocument:
    """Return everything about a table that a visitor may see, as a message (``protocol.Table``) or a plain document."""
    seats = table.seats_of(visitor)
    outcome = table.outcome
    return kind(
        table=table.id,
        seq=table.seq,
        game=table.variant.game.name,
        title=table.variant.game.title,
        options=dict(table.variant.options),
        opened=table.opened,
        private=table.private,
        rated=table.rated,
        series=table.series,
        hints=table.hints,
        seats=_add_keys(table, _seats(table, audience, seats, people), visitor, keys),
        moves=audience.payloads.moves(seats[0] if len(seats) == 1 else None),
        turn=actor_document(table.turn),
        outcome=_outcome(outcome),
        ended=_ended(table),
        text=None if outcome is None else _end_text(table, language),
        offers=_offers(table),
        chat=_chat(table, visitor, people) if seats else [],
        dice=_dice(table),
        clock=clock(table),
        watch=keys.watch(table.id) if seats or (visitor is not None and visitor == table.opener) else None,
        next_table=table.next_table,
        mine=[audience.payloads.look(viewer, language, scenes) for viewer in seats or (None,)],
    )


def moved(
    subscriber: Subscriber, audience: Audience, entry: Entry, shown: ClockShown | UnsetType = UNSET
) -> protocol.Moved:
    """Return the message about the move that was just made; ``shown`` are the clocks now, if there are any."""
    table, payloads = subscriber.table, audience.payloads
    looks = []
    for viewer in subscriber.viewers:
        look = None
        if subscriber.scenes and subscriber.version == table.version - 1:
            look = payloads.look_since(viewer, subscriber.language, subscriber.scene_seq)
        looks.append(look or payloads.look(viewer, subscriber.language, subscriber.scenes))
    return protocol.Moved(
        table=table.id,
        seq=entry.seq,
        at=table.moves - 1,
        seat=actor_document(entry.seat),
        move=payloads.last_move(subscriber.viewer),
        ms=table.times[-1],
        turn=actor_document(table.turn),
        mine=looks,
        clock=shown,
    )


def seats(table: Table, audience: Audience, mine: tuple[int, ...], people: People) -> protocol.Seats:
    """Return the message about the seats, for a subscriber who holds those in ``mine``."""
    return protocol.Seats(table.id, table.seq, _seats(table, audience, mine, people))


def offered(table: Table, entry: Entry) -> protocol.Offered:
    """Return the message about an offer."""
    what = entry.body.partition(":")[0]
    return protocol.Offered(table.id, entry.seq, entry.seat, what, _offers(table))


def answered(table: Table, entry: Entry) -> protocol.Answered:
    """Return the message about an answer to an offer."""
    what, _, answer = entry.body.partition(":")
    return protocol.Answered(table.id, entry.seq, entry.seat, what, answer == "yes", _offers(table))


def rematch_opened(table: Table, entry: Entry) -> protocol.Answered:
    """Return the message about a rematch that was opened."""
    return protocol.Answered(table.id, entry.seq, entry.seat, REMATCH, True, _offers(table), next_table=entry.body)


def ended(table: Table, language: str) -> protocol.Ended:
    """Return the message about the end."""
    shown = clock(table) or UNSET
    return protocol.Ended(
        table.id, table.seq, _outcome(table.outcome), _ended(table), _end_text(table, language), shown
    )


def dice(table: Table) -> protocol.Dice:
    """Return the message about the dice."""
    return protocol.Dice(table.id, table.seq, _dice(table))


def said(table: Table, number: int, people: People) -> protocol.Said:
    """Return the message about a line of chat."""
    line = table.chat[number]
    person = _writer(table, line, people)
    return protocol.Said(table.id, table.seq, line.seat, line.name, line.text, line.time, **person)


def gone(table: Table, code: str, language: str) -> protocol.Gone:
    """Return the message that a table can be followed no longer; ``code`` says why."""
    return protocol.Gone(table.id, code, say(text(f"server.{code}"), language))
