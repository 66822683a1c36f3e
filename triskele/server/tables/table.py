"""A table in memory: the state that follows from its row in the database and the entries of its log."""

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from triskele.core.contract import CHANCE
from triskele.core.dice import DiceBox
from triskele.core.game import Variant, game
from triskele.core.moves import Move, Outcome
from triskele.core.position import Position
from triskele.core.record_parts import LEFT, RESIGN, TIME, Ended, Resigned, final_outcome
from triskele.core.rest_times import Span
from triskele.core.time_control import time_control
from triskele.server.tables.entries import END, MOVE, TIMEOUT, Entry
from triskele.server.tables.table_clock import NoRests, TableClock, Timekeeper

ENGINE = "engine"
LINK = "link"
HERE = "here"
ME = "me"
OfferKind = Literal["draw", "undo", "rematch"]
DRAW: OfferKind = "draw"
UNDO: OfferKind = "undo"
REMATCH: OfferKind = "rematch"
Series = Literal["swap", "same", "loser"]
"""Who begins the next game in a rematch: the next seat in order, the same seat, the seat that lost most."""
SERIES: tuple[str, ...] = get_args(Series)
_SLICE_SECONDS = 0.001
_PAUSE_SECONDS = 0.0002
"""A thread that never pauses delays the event loop by Python's switch interval (5 ms) whenever it wants to go on."""
SPECTATING = -1
"""The seat number under which the rows of ``holders`` name the visitors who may watch."""
OFF_LIST = -2
"""The seat number under which the rows of ``holders`` name the visitors who took the table off their list."""
_CHARGING = frozenset((MOVE, TIMEOUT, END))
"""The kinds of entries that charge the clock which runs."""
Viewer = int | None
"""Whose view of a position is meant: a seat's, or a spectator's (``None``)."""


@dataclass(slots=True)
class Seat:
    """A seat: ``kind`` is ``me``, ``here``, ``link`` or ``engine``, ``holders`` are the visitors who may play it.

    ``resigned``: its player has given up while the game goes on; ``away``: they ran out of time or left, and may come
    back (how often they did is ``returns``). ``stand_in`` is then the level of the engine that plays on for it, if one
    does. ``hints`` counts those that it was given in a game between people.
    """

    kind: str
    level: int | None
    name: str
    holders: set[str] = field(default_factory=set)
    resigned: bool = False
    away: bool = False
    returns: int = 0
    stand_in: int | None = None
    hints: int = 0
    freed: int = 0
    """How often a host has freed it."""

    @property
    def person(self) -> bool:
        """Whether it belongs to a person (or a bot over the network), and not to one of the server's engines."""
        return self.kind != ENGINE

    @property
    def gone(self) -> bool:
        """Whether its player does not play it now: they gave up, ran out of time or left."""
        return self.resigned or self.away

    @property
    def automatic(self) -> bool:
        """Whether one of the server's engines plays it now."""
        return self.kind == ENGINE or self.stand_in is not None

    @property
    def engine_level(self) -> int | None:
        """The level of the engine that plays it now."""
        return self.level if self.kind == ENGINE else self.stand_in

    @property
    def taken(self) -> bool:
        """Whether it has a player."""
        return not self.person or bool(self.holders)


@dataclass(slots=True)
class Offer:
    """An open offer of a seat, and the seats that have accepted it so far.

    ``detail`` is the number of moves that an undo keeps, or the series of a rematch.
    """

    seat: int
    detail: str
    accepted: set[int]


@dataclass(slots=True)
class ChatLine:
    """A line of chat; ``time`` in milliseconds since 1970.

    ``writer`` is the visitor who wrote it (``None``: not known), ``name`` what they called themselves then.
    """

    number: int
    seat: int
    text: str
    time: int
    writer: str | None
    name: str


class Table:
    """A table, made from its row, its seats and its log. Only :meth:`apply` changes the game that is played at it."""

    def __init__(self, row: Mapping[str, Any], seats: Iterable[Mapping[str, Any]], *, delay: int = 0) -> None:
        """Set up the table as it was opened; ``delay``: so many ms later it is shown, if it is that of spectators."""
        self.delay = delay
        self.id: str = row["id"]
        self.opened: int = row["opened"]
        self.opener: str = row["opener"]
        self.private: bool = row["private"]
        self.rated: bool = row["rated"]
        self.series: str = row["series"]
        self.clock_control = time_control(row.get("clock"))
        self.variant: Variant = game(row["game"]).variant(json.loads(row["options"]))
        self.seats = [Seat(s["kind"], s["level"], s["name"]) for s in sorted(seats, key=lambda s: s["seat"])]
        self.spectators: set[str] = set()
        self.chat: list[ChatLine] = []
        self._dice_secret: str | None = row["dice_secret"]
        self.timekeeper: Timekeeper = NoRests()
        # State of this process, which is not in the log:
        self.lock = asyncio.Lock()
        self.last_used = time.monotonic()
        self.version = 0
        """Counts the positions: it grows whenever the position changes or the game ends."""
        self.clear()

    def clear(self) -> None:
        """Go back to the state before the first entry of the log."""
        self.position = Position(self.variant)
        self.seq = 0
        self.missing: int | None = None
        """The number of the first entry that is missing in the log, if later ones are there: nothing may follow."""
        self.made: list[tuple[Move, int]] = []
        self.times: list[int] = []
        self.charged: list[int | None] = []
        """What each move cost the clock that ran before it, in milliseconds."""
        self.rolls = 0
        self.last_time = self.opened
        self.ended: Ended | None = None
        self.over_at: int | None = None
        """When the game ended, in milliseconds since 1970."""
        self.resigned: list[Resigned] = []
        self.hints = True
        """Whether hints are allowed."""
        self.annotated = ""
        """What the record that the table was opened from said about its moves, as JSON; mostly nothing."""
        for seat in self.seats:
            seat.resigned, seat.stand_in, seat.hints, seat.freed = False, None, 0, 0
            seat.away, seat.returns = False, 0
        control = self.clock_control
        self.clock = TableClock(control, self.position, self.opened) if control else None
        self.offers: dict[str, Offer] = {}
        self.next_table: str | None = None
        self.dice = self._new_dice()
        self._position_changed()

    def _position_changed(self) -> None:
        self.version += 1
        self.turn = None if self.ended is not None else self.position.turn
        """The seat to act, ``CHANCE``, or ``None`` after the end, by the rules or outside them."""

    def _new_dice(self) -> DiceBox | None:
        if self._dice_secret is None:
            return None
        secret = bytes.fromhex(self._dice_secret)
        return DiceBox(self.variant.seats, faces=self.variant.game.die, secret=secret, id=self.id)

    # --- questions ----------------------------------------------------------------------------

    @property
    def delayed(self) -> bool:
        """Whether it is the table that spectators see, some time later."""
        return self.delay > 0

    @property
    def hidden(self) -> bool:
        """Whether the game has secrets."""
        return self.variant.game.hidden

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or otherwise."""
        if self.turn is not None:
            return None
        reached = self.position.outcome() if self.ended is None else self.ended.outcome(len(self.seats))
        return final_outcome(reached, self.ended, self.resigned)

    @property
    def moves(self) -> int:
        """The number of moves made."""
        return len(self.times)

    def moves_of(self, seat: Viewer) -> list[Move]:
        """Return the moves that a seat may make now because it is its turn; none after the end."""
        return [] if self.turn is None or self._is_gone(seat) else self.position.moves_of(seat)

    def interrupts_of(self, seat: Viewer) -> list[Move]:
        """Return the moves that a seat may make now out of turn; none after the end."""
        return [] if self.turn is None or self._is_gone(seat) else self.position.interrupts_of(seat)

    def _is_gone(self, seat: Viewer) -> bool:
        return seat is not None and self.seats[seat].gone

    def persons(self) -> list[int]:
        """Return the seats that persons play, without those that gave up or are away."""
        return [number for number, seat in enumerate(self.seats) if seat.person and not seat.gone]

    def seats_of_persons(self) -> list[int]:
        """Return the seats that belong to persons, with those that gave up or are away."""
        return [number for number, seat in enumerate(self.seats) if seat.person]

    def seats_of(self, visitor: str | None) -> tuple[int, ...]:
        """Return the seats that a visitor holds."""
        return tuple(number for number, seat in enumerate(self.seats) if visitor in seat.holders)

    def name_of(self, visitor: str) -> str:
        """Return the name of a visitor's first seat here, if it has one."""
        return next((self.seats[seat].name for seat in self.seats_of(visitor)), "")

    def visible_to(self, visitor: str | None) -> bool:
        """Whether a visitor may see the table at all."""
        if not self.private:
            return True
        return visitor is not None and (
            visitor == self.opener or visitor in self.spectators or any(visitor in s.holders for s in self.seats)
        )

    def alone(self, visitor: str | None) -> bool:
        """Whether a visitor holds all seats that persons play."""
        return visitor is not None and all(visitor in self.seats[seat].holders for seat in self.persons())

    def page_may_compute(self, visitor: str | None) -> bool:
        """Whether the page of a visitor may compute the moves of the engines here.

        Only the opener's, who plays alone, unrated, in a game without secrets and dice: nobody else is concerned.
        """
        game = self.variant.game
        open_game = not game.hidden and not game.chance
        return open_game and not self.rated and visitor == self.opener and bool(self.persons()) and self.alone(visitor)

    def last_decision(self, seat: int) -> int | None:
        """Return the number of moves before the last one of a seat; ``None`` if it made none."""
        return next((at for at in range(len(self.made) - 1, -1, -1) if self.made[at][1] == seat), None)

    def reveals(self, at: int) -> bool:
        """Whether move ``at`` brought something hidden to light, so that it stays made."""
        move, _ = self.made[at]
        return self.variant.game.notation.reveals(self.variant.options, move.code)

    # --- clocks ---------------------------------------------------------------------------------

    @property
    def running(self) -> int | None:
        """The seat whose clock runs: a person's that has to decide, when all seats are taken; else ``None``."""
        turn = self.turn
        if self.clock is None or turn is None or turn == CHANCE or self.seats[turn].automatic:
            return None
        return turn if all(seat.taken for seat in self.seats) else None

    def spent(self, seat: int, time: int) -> int:
        """Return what the seat whose clock runs has used since it began; below 0 while nothing is charged yet."""
        assert self.clock is not None
        return self.clock.spent(time, self._rests(seat, self.clock.since, time), self._free(seat))

    def spent_and_resting(self, seat: int, time: int) -> tuple[int, bool]:
        """Return :meth:`spent` and :meth:`resting` for the seat whose clock runs: together they cost half."""
        assert self.clock is not None
        rests = self._rests(seat, self.clock.since, time + 1)
        resting = any(since <= time < until for since, until in rests)
        return self.clock.spent(time, rests, self._free(seat)), resting

    def due(self, seat: int, horizon: int) -> int:
        """Return when the seat whose clock runs will be out of time, with the rests that are known up to a time."""
        assert self.clock is not None
        return self.clock.due(seat, self._rests(seat, self.clock.since, horizon), self._free(seat))

    def resting(self, seat: int, time: int) -> bool:
        """Whether the clock of a seat rests now: on vacation, at a weekend, after an outage."""
        return self.timekeeper.is_resting(self.clock_control, self.seats[seat].holders, time)

    def begun(self, seat: int) -> bool:
        """Whether a seat has made a decision."""
        return any(mover == seat for _, mover in self.made)

    def _free(self, seat: int) -> int:
        assert self.clock is not None
        return self.clock.free(self.begun(seat), self.timekeeper.limits)

    def _rests(self, seat: int, since: int, until: int) -> Sequence[Span]:
        return self.timekeeper.rests(self.clock_control, self.seats[seat].holders, since, until)

    def _charge(self, time: int, lag: int) -> tuple[int | None, int | None]:
        """Return what the clock that runs is charged now, and the lag that is given back."""
        seat = self.running
        if seat is None or self.clock is None:
            return None, None
        spent = max(0, self.spent(seat, time))
        given = min(spent, self.clock.lag_allowed(seat, lag, self.timekeeper.limits))
        return spent - given, given

    # --- the log ----------------------------------------------------------------------------

    def entry(self, kind: str, seat: int | None, body: str, time: int, lag: int = 0) -> Entry:
        """Return a new entry with the next number; it is neither stored nor applied.

        A move and an end charge the clock that runs, less the ``lag`` of the player in milliseconds.
        """
        time = max(time, self.last_time)
        charged, given = self._charge(time, lag) if kind in _CHARGING else (None, None)
        return Entry(self.seq + 1, kind, seat, body, time, charged, given)

    def apply(self, entry: Entry) -> None:
        """Change the state as the next entry of the log says."""
        assert entry.seq == self.seq + 1, "entries come in order"
        getattr(self, f"_on_{entry.kind}")(entry)
        self.seq = entry.seq
        if self.turn is None and self.over_at is None:
            self.over_at = entry.time

    def row(self, entry: Entry) -> dict[str, Any]:
        """Return the entry that was applied last as a row of the log."""
        return entry.row(self.id, self.turn, self.moves)

    def _on_move(self, entry: Entry) -> None:
        move = self.position.find(entry.body)
        assert entry.seat is not None
        if entry.seat != CHANCE and move == self.position.resignation(entry.seat):
            self.seats[entry.seat].resigned = True
        if self.clock is not None:
            self._charge_clock(self.clock, entry)
        self.position.push(move)
        self.position.pack()
        self.made.append((move, entry.seat))
        if entry.seat == CHANCE:
            self.rolls += 1
            if self.dice is not None:
                self.dice.close()
        self.times.append(entry.time - self.last_time)
        self.charged.append(entry.charged)
        self.last_time = entry.time
        if self.clock is not None:
            self.clock.follow(self.position)
            self.clock.restart(entry.seq, entry.time)
        self._close_offers(DRAW, UNDO)
        self._position_changed()

    def _charge_clock(self, clock: TableClock, entry: Entry) -> None:
        decider = self.position.turn
        clock.begin_move(decider, entry.charged)
        if decider is not None and decider != CHANCE:
            clock.lag_given[decider] += entry.lag or 0

    def _on_undo(self, entry: Entry) -> None:
        while self.moves > int(entry.body):
            self.position.pop()
            self.rolls -= self.made.pop()[1] == CHANCE
            self.times.pop()
            self.charged.pop()
        if self.clock is not None:
            self.clock.undo(self.moves)
            self.clock.restart(entry.seq, entry.time)
        self.resigned = [_within(each, self.moves) for each in self.resigned]
        self.last_time = entry.time
        self._close_offers(DRAW, UNDO)
        self._position_changed()

    def _on_taken(self, entry: Entry) -> None:
        assert entry.seat is not None
        self.seats[entry.seat].name = entry.body
        if self.clock is not None:
            self.clock.restart(entry.seq, entry.time)

    def _on_freed(self, entry: Entry) -> None:
        assert entry.seat is not None
        seat = self.seats[entry.seat]
        seat.name = entry.body
        seat.freed += 1

    def _on_offer(self, entry: Entry) -> None:
        assert entry.seat is not None
        what, _, detail = entry.body.partition(":")
        self.offers[what] = Offer(entry.seat, detail, {entry.seat})

    def _on_answer(self, entry: Entry) -> None:
        assert entry.seat is not None
        what, _, answer = entry.body.partition(":")
        if what in self.offers and answer == "yes":
            self.offers[what].accepted.add(entry.seat)
        else:
            self._close_offers(what)

    def _on_resign(self, entry: Entry) -> None:
        self._on_stand_in(entry, RESIGN)

    def _on_timeout(self, entry: Entry) -> None:
        assert entry.seat is not None
        if self.clock is not None:
            self.clock.run_out(entry.seat)
        self._on_stand_in(entry, TIME)

    def _on_left(self, entry: Entry) -> None:
        self._on_stand_in(entry, LEFT)

    def _on_stand_in(self, entry: Entry, why: str) -> None:
        assert entry.seat is not None
        seat, level = self.seats[entry.seat], int(entry.body)
        seat.stand_in = level
        seat.resigned, seat.away = why == RESIGN, why != RESIGN
        self.resigned = [each for each in self.resigned if each.seat != entry.seat or each.until is not None]
        self.resigned.append(Resigned(entry.seat, self.moves, level, why))
        self._close_offers(DRAW, UNDO)
        self._position_changed()

    def _on_back(self, entry: Entry) -> None:
        assert entry.seat is not None
        seat = self.seats[entry.seat]
        seat.stand_in, seat.away = None, False
        seat.returns += 1
        ours = [each.seat == entry.seat and each.until is None for each in self.resigned]
        self.resigned = [
            replace(each, until=self.moves) if is_ours else each
            for each, is_ours in zip(self.resigned, ours, strict=True)
        ]
        if self.clock is not None:
            self.clock.come_back(entry.seat)
            self.clock.restart(entry.seq, entry.time)
        self._position_changed()

    def _on_annotate(self, entry: Entry) -> None:
        self.annotated = entry.body

    def _on_hints(self, entry: Entry) -> None:
        self.hints = entry.body == "yes"

    def _on_hint(self, entry: Entry) -> None:
        assert entry.seat is not None
        self.seats[entry.seat].hints += 1

    def _on_end(self, entry: Entry) -> None:
        if self.clock is not None and entry.charged is not None and self.position.turn is not None:
            self.clock.clock = self.clock.clock.charge(self.position.turn, entry.charged)
        self.ended = Ended(entry.body, entry.seat)
        self.position.disclose()
        self._close_offers(DRAW, UNDO)
        self._position_changed()

    def _on_seed(self, entry: Entry) -> None:
        assert entry.seat is not None
        if self.dice is not None:
            self.dice.give(entry.seat, entry.body)

    def _on_next(self, entry: Entry) -> None:
        self.next_table = entry.body
        self._close_offers(REMATCH)

    def _close_offers(self, *offers: str) -> None:
        for what in offers:
            self.offers.pop(what, None)

    # --- from the database ------------------------------------------------------------------------

    def replay(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Apply the entries of the log that were not applied yet, up to the first that is missing.

        For a thread of its own: a long log takes seconds, in slices that leave the interpreter to the event loop.
        """
        until = time.perf_counter() + _SLICE_SECONDS
        for row in rows:
            if row["seq"] > self.seq + 1:
                self.missing = self.seq + 1
                return
            if row["seq"] > self.seq:
                self.apply(Entry.of(row))
            if time.perf_counter() > until:
                time.sleep(_PAUSE_SECONDS)
                until = time.perf_counter() + _SLICE_SECONDS

    def set_holders(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Set the visitors who hold seats and those who may watch."""
        for seat in self.seats:
            seat.holders = set()
        self.spectators = set()
        for row in rows:
            if row["seat"] == OFF_LIST:
                continue
            holders = self.spectators if row["seat"] == SPECTATING else self.seats[row["seat"]].holders
            holders.add(row["visitor"])

    def add_chat(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add lines of chat."""
        columns = ("number", "seat", "body", "time", "writer", "name")
        self.chat += [ChatLine(*(row[column] for column in columns)) for row in rows]


def _within(resigned: Resigned, moves: int) -> Resigned:
    """Return when a seat was played on, as far as it was within the moves that stay after an undo."""
    until = None if resigned.until is None else min(resigned.until, moves)
    return replace(resigned, at=min(resigned.at, moves), until=until)
