"""The parts of a record: moves, ends outside the rules, outcomes, dice. Each knows its form as plain data."""

from collections.abc import Mapping
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
TAG_DIGITS = 8
HASH_DIGITS = 64
SEALED = ("game", "options", "rules", "house_rules", "seats", "date", "moves", "ended", "outcome")
"""The parts of a record that the dice block's seals stand for."""

RESIGN, TIME, AGREED = "resign", "time", "agreed"
"""The kinds of ends outside the rules."""

_SEALED = frozenset(SEALED)
_MOVE_REQUIRED = frozenset(("text", "seat"))
_MOVE_OPTIONAL = frozenset(("ms", "tag"))
_DICE_REQUIRED = frozenset(("id", "faces", "commitment", "seed_hashes", "seeds"))
_DICE_OPTIONAL = frozenset(("secret", "seals"))


def for_each_seat(values: Item, seats: int) -> list[Item]:
    """Return the members of a list that has one for each seat."""
    items = values.items(MOVES_LIMIT)
    if len(items) != seats:
        raise values.refused(text("core.record-seats", seats=seats, stated=len(items)))
    return items


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move that was made: by which seat (``CHANCE``: a roll), and how long it took, if known.

    ``tag`` belongs to the dice: it tells a changed move (:func:`triskele.core.dice.verify`).
    """

    text: str
    seat: int
    ms: int | None = None
    tag: str = ""

    def document(self) -> dict[str, Any]:
        """Return the move as plain data, without its tag."""
        timed = {} if self.ms is None else {"ms": self.ms}
        return {"text": self.text, "seat": "chance" if self.seat == CHANCE else self.seat, **timed}

    @classmethod
    def read(cls, move: Item, seats: int) -> Self:
        """Return the move in a document, with its tag if it has one."""
        items = move.fields(_MOVE_REQUIRED, _MOVE_OPTIONAL)
        seat = CHANCE if items["seat"].value == "chance" else items["seat"].integer(0, seats - 1)
        ms = items["ms"].integer(0, MILLISECONDS_LIMIT) if "ms" in items else None
        tag = items["tag"].hexadecimal(TAG_DIGITS) if "tag" in items else ""
        return cls(items["text"].string(TEXT_LIMIT), seat, ms, tag)


@dataclass(frozen=True)
class Ended:
    """An end outside the rules: a seat resigned or ran out of time, or all agreed to a draw.

    Whoever resigns or runs out of time loses 1.0; all other seats win and share it equally. After a
    draw, and for a player alone, all scores are 0. The outcome's reason is the kind.
    """

    kind: str
    seat: int | None = None

    def outcome(self, seats: int) -> Outcome:
        """Return the outcome in a game of so many seats."""
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
        if kind not in (RESIGN, TIME, AGREED):
            raise items["kind"].refused(text("core.record-ended-kind", kinds=f"{RESIGN}, {TIME}, {AGREED}"))
        if kind == AGREED:
            ended.fields(frozenset(("kind",)))
            return cls(AGREED)
        items = ended.fields(frozenset(("kind", "seat")))
        return cls(kind, items["seat"].integer(0, seats - 1))


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


@dataclass(frozen=True)
class DiceBlock:
    """What a record tells about its dice; :mod:`triskele.core.dice` says what each part is for.

    All but ``secret`` and ``seals`` is public from the first roll on. These two come at the end.
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
        seals = items["seals"].fields(_SEALED) if "seals" in items else {}
        return cls(
            id=items["id"].string(SEED_LIMIT),
            faces=items["faces"].integer(2, 1_000_000),
            commitment=items["commitment"].hexadecimal(HASH_DIGITS),
            seed_hashes=tuple(None if item.value is None else item.hexadecimal(HASH_DIGITS) for item in hashes),
            seeds=tuple(None if item.value is None else item.string(SEED_LIMIT) for item in seeds),
            secret=items["secret"].hexadecimal(HASH_DIGITS) if "secret" in items else "",
            seals={key: item.hexadecimal(TAG_DIGITS) for key, item in seals.items()},
        )
