"""Messages about a table, as bytes: what each follower is told."""

import time
from typing import Any

import orjson

from triskele.core.moves import Outcome
from triskele.core.record_parts import outcome_document
from triskele.core.words import say, text
from triskele.server.entry import Entry
from triskele.server.followers import Follower
from triskele.server.keys import Keys
from triskele.server.looks import Looks, turn_name
from triskele.server.table import Table

PRESENCE_SECONDS = 60.0
"""What another process says about who is there holds for so long."""
CHAT_SHOWN = 200


def looks_of(table: Table) -> Looks:
    """Return the looks of a table, kept as long as the table is in memory."""
    if table.looks is None:
        table.looks = Looks(table)
    return table.looks


def present(table: Table) -> set[int]:
    """Return the seats whose holders are there, here or at another process; engines always are."""
    here = {seat for follower in table.followers for seat in follower.seats}
    since = time.monotonic() - PRESENCE_SECONDS
    for heard, seats in table.elsewhere.values():
        if heard >= since:
            here |= seats
    return here | {number for number, seat in enumerate(table.seats) if not seat.person}


def seats_document(table: Table, mine: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return the seats as somebody sees them who holds some of them."""
    there = present(table)
    return [
        {
            "seat": number,
            "kind": seat.kind,
            "name": seat.name,
            "level": seat.level,
            "present": number in there,
            "mine": number in mine,
            "taken": seat.taken,
        }
        for number, seat in enumerate(table.seats)
    ]


def _with_keys(table: Table, seats: list[dict[str, Any]], visitor: str | None, keys: Keys) -> list[dict[str, Any]]:
    for seat in seats:
        number = seat["seat"]
        if visitor is not None and seat["mine"]:
            seat["key"] = keys.own(table.id, number, visitor)
        elif visitor is not None and visitor == table.opener and not seat["taken"]:
            seat["key"] = keys.invitation(table.id, number)
    return seats


def offers_document(table: Table) -> list[dict[str, Any]]:
    """Return the open offers."""
    return [
        {"seat": offer.seat, "what": what, "accepted": sorted(offer.accepted)} for what, offer in table.offers.items()
    ]


def dice_document(table: Table) -> dict[str, Any] | None:
    """Return what everyone may know of the dice: after the end that is everything."""
    if table.dice is None:
        return None
    known = table.dice.block().document()
    return known if table.outcome is None else {**known, "secret": table.dice.dice.secret.hex()}


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    return None if outcome is None else outcome_document(outcome)


def end_text(table: Table, language: str) -> str:
    """Return in words how the game ended."""
    outcome = table.outcome
    assert outcome is not None, "only an end has a text"
    owner = "core" if table.ended is not None else table.variant.game.name
    return say(text(f"{owner}.reason.{outcome.reason}"), language)


def table_message(
    table: Table, visitor: str | None, language: str, scenes: bool, keys: Keys, *, wrapped: bool = True
) -> bytes:
    """Return everything about a table that a visitor may see."""
    seats = table.seats_of(visitor)
    looks = looks_of(table)
    mine = b",".join([looks.whole(viewer, language, scenes) for viewer in seats or (None,)])
    message: dict[str, Any] = {
        **({"type": "table"} if wrapped else {}),
        "table": table.id,
        "seq": table.seq,
        "game": table.variant.game.name,
        "title": table.variant.game.title,
        "options": dict(table.variant.options),
        "opened": table.opened,
        "private": table.private,
        "rated": table.rated,
        "series": table.series,
        "seats": _with_keys(table, seats_document(table, seats), visitor, keys),
        "moves": looks.moves(seats[0] if len(seats) == 1 else None),
        "turn": turn_name(table.turn),
        "outcome": _outcome(table.outcome),
        "ended": None if table.ended is None else table.ended.document(),
        "text": None if table.outcome is None else end_text(table, language),
        "offers": offers_document(table),
        "chat": chat_document(table) if seats else [],
        "dice": dice_document(table),
        "watch": keys.watch(table.id) if seats or (visitor is not None and visitor == table.opener) else None,
        "next_table": table.next_table,
        "mine": orjson.Fragment(b"[" + mine + b"]"),
    }
    return orjson.dumps(message)


def chat_document(table: Table) -> list[dict[str, Any]]:
    """Return the chat, for those who are seated."""
    return [
        {"seat": said.seat, "name": table.seats[said.seat].name, "text": said.text, "time": said.time}
        for said in table.chat[-CHAT_SHOWN:]
    ]


def moved_message(follower: Follower, entry: Entry) -> bytes:
    """Return the message about the move that was just made."""
    table = follower.table
    looks = looks_of(table)
    mine = []
    for viewer in follower.viewers:
        look = None
        if follower.scenes and follower.version == table.version - 1:
            look = looks.changed(viewer, follower.language, follower.base)
        mine.append(look or looks.whole(viewer, follower.language, follower.scenes))
    head = {
        "type": "moved",
        "table": table.id,
        "seq": entry.seq,
        "at": table.moves - 1,
        "seat": turn_name(entry.seat),
        "move": looks.last_move(follower.viewer),
        "ms": table.times[-1],
        "turn": turn_name(table.turn),
        "mine": orjson.Fragment(b"[" + b",".join(mine) + b"]"),
    }
    return orjson.dumps(head)


def seats_message(table: Table, seats: tuple[int, ...]) -> bytes:
    """Return the message about who sits where, for somebody who holds some seats."""
    message = {"type": "seats", "table": table.id, "seq": table.seq, "seats": seats_document(table, seats)}
    return orjson.dumps(message)


def offer_message(table: Table, entry: Entry) -> bytes:
    """Return the message about an offer, or an answer to one."""
    what, _, how = entry.body.partition(":")
    message = {
        "type": "offered" if entry.kind == "offer" else "answered",
        "table": table.id,
        "seq": entry.seq,
        "seat": entry.seat,
        "what": what,
        **({} if entry.kind == "offer" else {"accept": how == "yes"}),
        "offers": offers_document(table),
    }
    return orjson.dumps(message)


def next_message(table: Table, entry: Entry) -> bytes:
    """Return the message about a rematch that was opened."""
    message = {
        "type": "answered",
        "table": table.id,
        "seq": entry.seq,
        "seat": entry.seat,
        "what": "rematch",
        "accept": True,
        "next_table": entry.body,
        "offers": offers_document(table),
    }
    return orjson.dumps(message)


def ended_message(table: Table, language: str) -> bytes:
    """Return the message about the end."""
    message = {
        "type": "ended",
        "table": table.id,
        "seq": table.seq,
        "outcome": _outcome(table.outcome),
        "ended": None if table.ended is None else table.ended.document(),
        "text": end_text(table, language),
    }
    return orjson.dumps(message)


def dice_message(table: Table) -> bytes:
    """Return the message about the dice."""
    return orjson.dumps({"type": "dice", "table": table.id, "seq": table.seq, "dice": dice_document(table)})


def said_message(table: Table, number: int) -> bytes:
    """Return the message about a line of chat."""
    said = table.chat[number]
    message = {
        "type": "said",
        "table": table.id,
        "seq": table.seq,
        "seat": said.seat,
        "name": table.seats[said.seat].name,
        "text": said.text,
        "time": said.time,
    }
    return orjson.dumps(message)


def thinking_message(table: Table, seat: int) -> bytes:
    """Return the message that an engine is at work."""
    return orjson.dumps({"type": "thinking", "table": table.id, "seat": seat})
