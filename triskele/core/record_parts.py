"""The parts of a record: moves, ends outside the rules, outcomes, dice. Each knows its form as plain data."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from triskele.core.contract import CHANCE
from triskele.core.document import Item
from triskele.core.moves import Outcome
from triskele.core.words import text

MOVES_LIMIT = 200_000
TEXT_LIMIT = 200
"""Longest text of a move or an option."""
NAME_LIMIT = 100
"""Longest name of a seat."""
SEED_LIMIT = 64
"""Longest seed that a player gives for the dice."""
MILLISECONDS_LIMIT = 10**12
RESIGNED_LIMIT = 1000
"""Most times that seats gave up, ran out of time or left in one game."""
TAG_DIGITS = 8
HASH_DIGITS = 64
SEALED_IF_PRESENT = ("clock", "resigned")
"""The parts that have a seal only in records that have them: earlier records know nothing of them."""
SEALED = ("game", "options", "rules", "house_rules", "seats", "date", "moves", "ended", "outcome")
"""The parts of a record that the dice block's seals stand for."""

RESIGN, TIME, LEFT, AGREED, STOPPED, CALLED_OFF = "resign", "time", "left", "agreed", "stopped", "called-off"
"""The kinds of ends outside the rules."""
LOSING = (RESIGN, TIME, LEFT)
"""Those that a seat causes, and loses by."""
_NOBODYS = (AGREED, STOPPED, CALLED_OFF)

_SEALED = frozenset(SEALED)
_SEALED_IF_PRESENT = frozenset(SEALED_IF_PRESENT)
_MOVE_REQUIRED = frozenset(("text", "seat"))
_MOVE_OPTIONAL = frozenset(("ms", "charged", "tag"))
_DICE_REQUIRED = frozenset(("id", "faces", "commitment", "seed_hashes", "seeds"))
_DICE_OPTIONAL = frozenset(("secret", "seals"))


def actor_document(actor: int | None) -> int | str | None:
    """Return a seat, ``CHANCE`` or nobody as JSON says it: a number, ``"chance"`` or null."""
    return "chance" if actor == CHANCE else actor


def for_each_seat(values: Item, seats: int) -> list[Item]:
    """Return the members of a list that has one for each seat."""
    items = values.items(MOVES_LIMIT)
    if len(items) != seats:
        raise values.refused(text("core.record-seats", seats=seats, stated=len(items)))
    return items


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move that was made: by which seat (``CHANCE``: a roll), and how long it took, if known.

    ``charged`` are the milliseconds that it cost the clock which ran before it. ``tag`` belongs to the dice: it tells
    a changed move (:func:`triskele.core.dice.verify`).
    """

    text: str
    seat: int
    ms: int | None = None
    tag: str = ""
    charged: int | None = None

    def document(self) -> dict[str, Any]:
        """Return the move as plain data, without its tag."""
        timed = {} if self.ms is None else {"ms": self.ms}
        charged = {} if self.charged is None else {"charged": self.charged}
        return {"text": self.text, "seat": actor_document(self.seat), **timed, **charged}

    @classmethod
    def read(cls, move: Item, seats: int) -> Self:
        """Return the move in a document, with its tag if it has one."""
        items = move.fields(_MOVE_REQUIRED, _MOVE_OPTIONAL)
        seat = CHANCE if items["seat"].value == "chance" else items["seat"].integer(0, seats - 1)
        ms = items["ms"].integer(0, MILLISECONDS_LIMIT) if "ms" in items else None
        tag = items["tag"].hexadecimal(TAG_DIGITS) if "tag" in items else ""
        charged = items["charged"].integer(0, MILLISECONDS_LIMIT) if "charged" in items else None
        return cls(items["text"].string(TEXT_LIMIT), seat, ms, tag, charged)


@dataclass(frozen=True)
class Ended:
    """An end outside the rules.

    A seat resigned, ran out of time or left: it loses 1.0; all other seats win and share it equally. Or all agreed to a
    draw, a host stopped the game, or it was called off since somebody did not begin: then, and for a player alone, all
    scores are 0. The outcome's reason is the kind.
    """

    kind: str
    seat: int | None = None

    def outcome(self, seats: int) -> Outcome:
        """Return the outcome in a game of ``seats`` seats."""
        others = tuple(seat for seat in range(seats) if seat != self.seat)
        if self.seat is None or not others:
            return Outcome((), (0.0,) * seats, self.kind)
        scores = tuple(-1.0 if seat == self.seat else 1.0 / len(others) for seat in range(seats))
        return Outcome(others, scores, self.kind)

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"kind": self.kind} if self.seat is None else {"kind": self.kind, "seat": self.seat}

    @classmethod
    def read(cls, ended: Item, seats: int) -> Self:
        """Return the end in a document."""
        items = ended.fields(frozenset(("kind",)), frozenset(("seat",)))
        kind = items["kind"].value
        if kind not in (*LOSING, *_NOBODYS):
            kinds = ", ".join((*LOSING, *_NOBODYS))
            raise items["kind"].refused(text("core.record-ended-kind", kinds=kinds))
        if kind in _NOBODYS:
            ended.fields(frozenset(("kind",)))
            return cls(kind)
        items = ended.fields(frozenset(("kind", "seat")))
        return cls(kind, items["seat"].integer(0, seats - 1))


@dataclass(frozen=True)
class Resigned:
    """A seat that gave up after ``at`` moves in a game that went on; then an engine of ``level`` played for it.

    ``why`` is ``resign``, or ``time`` or ``left`` when its player ran out of time or was away: they may come back, and
    play again from ``until`` on.
    """

    seat: int
    at: int
    level: int
    why: str = RESIGN
    until: int | None = None

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        why = {} if self.why == RESIGN else {"why": self.why}
        until = {} if self.until is None else {"until": self.until}
        return {"seat": self.seat, "at": self.at, "level": self.level, **why, **until}

    @classmethod
    def read(cls, resigned: Item, seats: int) -> Self:
        """Return the resignation in a document."""
        items = resigned.fields(frozenset(("seat", "at", "level")), frozenset(("why", "until")))
        why = items["why"].value if "why" in items else RESIGN
        if why not in LOSING:
            raise items["why"].refused(text("core.record-ended-kind", kinds=", ".join(LOSING)))
        at = items["at"].integer(0, MOVES_LIMIT)
        until = items["until"].integer(at, MOVES_LIMIT) if "until" in items and why != RESIGN else None
        return cls(items["seat"].integer(0, seats - 1), at, items["level"].integer(1, 10), why, until)


def given_up(outcome: Outcome, seats: Collection[int]) -> Outcome:
    """Return an outcome in which the seats that gave up count as last, whatever was played on for them.

    The best of the others win, and share what the winners have won. Of the losses the smallest go to the others, in the
    order of their own scores, and the largest to those who gave up. What was a draw stays one between the others, and
    those who gave up have lost it.
    """
    every = range(len(outcome.scores))
    others = [seat for seat in every if seat not in seats]
    if not seats or not others:
        return outcome
    if not outcome.winners:
        scores = tuple(-1.0 / len(seats) if seat in seats else 1.0 / len(others) for seat in every)
        return Outcome((), scores, outcome.reason)
    best = max(outcome.scores[seat] for seat in others)
    winners = tuple(seat for seat in outcome.winners if seat in others)
    winners = winners or tuple(seat for seat in others if outcome.scores[seat] == best)
    losers = [seat for seat in every if seat not in winners]
    won = sum(outcome.scores[seat] for seat in outcome.winners)
    losses = [0.0] * max(0, len(outcome.winners) - len(winners))
    losses += sorted((outcome.scores[seat] for seat in every if seat not in outcome.winners), reverse=True)
    while len(losses) > len(losers):
        won += losses.pop(0)
    dealt = dict.fromkeys(winners, won / len(winners))
    dealt |= zip(sorted(losers, key=lambda seat: (seat in seats, -outcome.scores[seat])), losses, strict=True)
    return Outcome(winners, tuple(dealt[seat] for seat in every), outcome.reason)


def final_outcome(reached: Outcome | None, ended: Ended | None, resigned: Collection[Resigned]) -> Outcome | None:
    """Return the outcome of a game in which seats gave up, from the one that was reached by the rules or otherwise.

    Who has come back has not given up.
    """
    seats = {each.seat for each in resigned if each.until is None}
    if reached is None or not seats:
        return reached
    if ended is not None and ended.kind in LOSING and ended.seat is not None:
        seats.add(ended.seat)
    return given_up(reached, seats)


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data."""
    return {"winners": list(outcome.winners), "scores": list(outcome.scores), "reason": outcome.reason}


def read_outcome(outcome: Item, seats: int) -> Outcome:
    """Return the outcome in a document."""
    items = outcome.fields(frozenset(("winners", "scores", "reason")))
    winners = tuple(item.integer(0, seats - 1) for item in items["winners"].items(seats))
    if list(winners) != sorted(set(winners)):
        raise items["winners"].refused(text("core.record-winners"))
    scores = tuple(item.number() for item in for_each_seat(items["scores"], seats))
    return Outcome(winners, scores, items["reason"].string(TEXT_LIMIT))


def _read_faces(faces: Item) -> int:
    is_zero = type(faces.value) is int and faces.value == 0
    return 0 if is_zero else faces.integer(2, 1_000_000)


@dataclass(frozen=True)
class DiceBlock:
    """What a record tells about its dice; :mod:`triskele.core.dice` says what each part is for.

    All but ``secret`` and ``seals`` is public from the first roll on. These two come at the end. ``faces`` is 0 where
    the rules say at each roll what can come.
    """

    id: str
    faces: int
    commitment: str
    seed_hashes: tuple[str | None, ...]
    seeds: tuple[str | None, ...]
    secret: str = ""
    seals: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        disclosed = {"secret": self.secret, "seals": dict(self.seals)} if self.secret else {}
        return {
            "id": self.id,
            "faces": self.faces,
            "commitment": self.commitment,
            "seed_hashes": list(self.seed_hashes),
            "seeds": list(self.seeds),
            **disclosed,
        }

    @classmethod
    def read(cls, dice: Item, seats: int) -> Self:
        """Return the dice block in a document."""
        items = dice.fields(_DICE_REQUIRED, _DICE_OPTIONAL)
        if "secret" in items or "seals" in items:
            items = dice.fields(_DICE_REQUIRED | _DICE_OPTIONAL)
        hashes = for_each_seat(items["seed_hashes"], seats)
        seeds = for_each_seat(items["seeds"], seats)
        seals = items["seals"].fields(_SEALED, _SEALED_IF_PRESENT) if "seals" in items else {}
        return cls(
            id=items["id"].string(SEED_LIMIT),
            faces=_read_faces(items["faces"]),
            commitment=items["commitment"].hexadecimal(HASH_DIGITS),
            seed_hashes=tuple(None if item.value is None else item.hexadecimal(HASH_DIGITS) for item in hashes),
            seeds=tuple(None if item.value is None else item.string(SEED_LIMIT) for item in seeds),
            secret=items["secret"].hexadecimal(HASH_DIGITS) if "secret" in items else "",
            seals={key: item.hexadecimal(TAG_DIGITS) for key, item in seals.items()},
        )
