"""A table in memory: exactly what its row and its log say, and who is looking."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from triskele.core.contract import CHANCE
from triskele.core.dice import DiceBox
from triskele.core.game import Variant, game
from triskele.core.moves import Move, Outcome
from triskele.core.position import Position
from triskele.core.record_parts import Ended
from triskele.server.entry import Entry

if TYPE_CHECKING:
    from triskele.server.followers import Follower
    from triskele.server.looks import Looks

ENGINE = "engine"
LINK = "link"
DRAW, UNDO, REMATCH = "draw", "undo", "rematch"
WATCHING = -1
"""The seat under which the rows of ``holders`` name those who may watch."""


@dataclass(slots=True)
class Seat:
    """A seat: ``kind`` is ``me``, ``here``, ``link`` or ``engine``, ``holders`` the visitors whose it is."""

    kind: str
    level: int | None
    name: str
    holders: set[str] = field(default_factory=set)

    @property
    def person(self) -> bool:
        """Whether a person (or a bot of somebody's) plays it."""
        return self.kind != ENGINE

    @property
    def taken(self) -> bool:
        """Whether somebody plays it."""
        return not self.person or bool(self.holders)


@dataclass(slots=True)
class Offer:
    """An open offer: by which seat, who has agreed so far; ``how`` is what an undo keeps, or a rematch's series."""

    seat: int
    how: str
    accepted: set[int]


@dataclass(slots=True)
class Said:
    """A line of chat."""

    number: int
    seat: int
    text: str
    time: int


class Table:
    """A table, from its row, its seats and its log. Only entries change the game that is on it."""

    def __init__(self, row: Mapping[str, Any], seats: Iterable[Mapping[str, Any]]) -> None:
        """Set up the table as it was opened."""
        self.id: str = row["id"]
        self.opened: int = row["opened"]
        self.opener: str = row["opener"]
        self.private: bool = row["private"]
        self.rated: bool = row["rated"]
        self.series: str = row["series"]
        self.variant: Variant = game(row["game"]).variant(json.loads(row["options"]))
        self.seats = [Seat(s["kind"], s["level"], s["name"]) for s in sorted(seats, key=lambda s: s["seat"])]
        self.watchers: set[str] = set()
        self.chat: list[Said] = []
        self._dice_secret: str | None = row["dice_secret"]
        # --- of this process, not of the log
        self.lock = asyncio.Lock()
        self.followers: set[Follower] = set()
        self.looks: Looks | None = None
        self.elsewhere: dict[str, tuple[float, frozenset[int]]] = {}
        self.used = 0.0
        self.version = 0
        self.clear()

    def clear(self) -> None:
        """Go back to the empty log."""
        self.position = Position(self.variant)
        self.seq = 0
        self.made: list[tuple[Move, int]] = []
        self.times: list[int] = []
        self.rolls = 0
        self.clock = self.opened
        self.ended: Ended | None = None
        self.offers: dict[str, Offer] = {}
        self.next_table: str | None = None
        self.dice = self._new_dice()
        self._look_again()

    def _look_again(self) -> None:
        """Note that the position is another one, or that the game has ended."""
        self.version += 1
        self.rules_turn = self.position.turn
        """Who is to act by the rules: a seat, ``CHANCE``, or ``None`` after the end."""
        self.turn = None if self.ended is not None else self.rules_turn
        """Who is to act; ``None`` also after an end outside the rules."""

    def _new_dice(self) -> DiceBox | None:
        if self._dice_secret is None:
            return None
        faces = len(self.position.legal_moves) if self.position.turn == CHANCE else 4
        return DiceBox(self.variant.seats, faces=faces, secret=bytes.fromhex(self._dice_secret), id=self.id)

    # --- what it is ----------------------------------------------------------------------------

    @property
    def hidden(self) -> bool:
        """Whether the game has secrets."""
        return self.variant.game.hidden

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or otherwise."""
        if self.turn is not None:
            return None
        return self.position.outcome() if self.ended is None else self.ended.outcome(len(self.seats))

    @property
    def moves(self) -> int:
        """How many moves have been made."""
        return len(self.times)

    def persons(self) -> list[int]:
        """Return the seats that persons play."""
        return [number for number, seat in enumerate(self.seats) if seat.person]

    def seats_of(self, visitor: str | None) -> tuple[int, ...]:
        """Return the seats that a visitor holds."""
        return tuple(number for number, seat in enumerate(self.seats) if visitor in seat.holders)

    def visible_to(self, visitor: str | None) -> bool:
        """Whether a visitor may see the table at all."""
        if not self.private:
            return True
        return visitor is not None and (
            visitor == self.opener or visitor in self.watchers or any(visitor in s.holders for s in self.seats)
        )

    def alone(self, visitor: str | None) -> bool:
        """Whether no other person plays here."""
        return visitor is not None and all(visitor in self.seats[seat].holders for seat in self.persons())

    def last_decision(self, seat: int) -> int | None:
        """Return how many moves there were before the last one of a seat; ``None`` if it made none."""
        return next((at for at in range(len(self.made) - 1, -1, -1) if self.made[at][1] == seat), None)

    # --- what happens ----------------------------------------------------------------------------

    def entry(self, kind: str, seat: int | None, body: str, time: int) -> Entry:
        """Return a new entry that comes next; it is neither kept nor applied yet."""
        return Entry(self.seq + 1, kind, seat, body, max(time, self.clock))

    def apply(self, entry: Entry) -> None:
        """Let the next entry happen."""
        assert entry.seq == self.seq + 1, "entries come in order"
        getattr(self, f"_on_{entry.kind}")(entry)
        self.seq = entry.seq

    def row(self, entry: Entry) -> dict[str, Any]:
        """Return the row of the entry that was applied last."""
        return entry.row(self.id, self.turn, self.moves)

    def _on_move(self, entry: Entry) -> None:
        move = self.position.find(entry.body)
        self.position.push(move)
        assert entry.seat is not None
        self.made.append((move, entry.seat))
        if entry.seat == CHANCE:
            self.rolls += 1
            if self.dice is not None:
                self.dice.close()
        self.times.append(entry.time - self.clock)
        self.clock = entry.time
        self._settle(DRAW, UNDO)
        self._look_again()

    def _on_undo(self, entry: Entry) -> None:
        while self.moves > int(entry.body):
            self.position.pop()
            self.rolls -= self.made.pop()[1] == CHANCE
            self.times.pop()
        self.clock = entry.time
        self._settle(DRAW, UNDO)
        self._look_again()

    def _on_taken(self, entry: Entry) -> None:
        assert entry.seat is not None
        self.seats[entry.seat].name = entry.body

    def _on_offer(self, entry: Entry) -> None:
        assert entry.seat is not None
        what, _, how = entry.body.partition(":")
        self.offers[what] = Offer(entry.seat, how, {entry.seat})

    def _on_answer(self, entry: Entry) -> None:
        assert entry.seat is not None
        what, _, answer = entry.body.partition(":")
        if what in self.offers and answer == "yes":
            self.offers[what].accepted.add(entry.seat)
        else:
            self._settle(what)

    def _on_end(self, entry: Entry) -> None:
        self.ended = Ended(entry.body, entry.seat)
        self._settle(DRAW, UNDO)
        self._look_again()

    def _on_seed(self, entry: Entry) -> None:
        assert entry.seat is not None
        if self.dice is not None:
            self.dice.give(entry.seat, entry.body)

    def _on_next(self, entry: Entry) -> None:
        self.next_table = entry.body
        self._settle(REMATCH)

    def _settle(self, *offers: str) -> None:
        for what in offers:
            self.offers.pop(what, None)

    # --- from the database ------------------------------------------------------------------------

    def replay(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Let the entries of the log happen that have not yet."""
        for row in rows:
            if row["seq"] > self.seq:
                self.apply(Entry.of(row))

    def set_holders(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take over who holds which seat, and who may watch."""
        for seat in self.seats:
            seat.holders = set()
        self.watchers = set()
        for row in rows:
            holders = self.watchers if row["seat"] == WATCHING else self.seats[row["seat"]].holders
            holders.add(row["visitor"])

    def set_chat(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take over the chat."""
        self.chat = [Said(row["number"], row["seat"], row["body"], row["time"]) for row in rows]
