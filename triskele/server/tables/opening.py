"""Opening tables: from a visitor's choice, as a rematch, from a record."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Executable, insert

from triskele.core import record_parts
from triskele.core.contract import CHANCE
from triskele.core.game import Variant, game
from triskele.core.moves import Outcome
from triskele.core.options import Value
from triskele.core.position import Position
from triskele.core.time_control import NO_CLOCK, TimeControl, time_control
from triskele.core.words import text
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, Rows, StorageFailed
from triskele.server.tables.entries import ANNOTATE, BACK, END, HINTS, LEFT, MOVE, RESIGN, TIMEOUT, Entry
from triskele.server.tables.matters import opening_statements
from triskele.server.tables.recorded import RecordedGame
from triskele.server.tables.service import Statements, TableService, now
from triskele.server.tables.table import ENGINE, LINK, Table
from triskele.server.tables.validation import valid_name

_STAND_INS = {record_parts.RESIGN: RESIGN, record_parts.TIME: TIMEOUT, record_parts.LEFT: LEFT}
"""The kind of entry by which an engine begins to play on for a seat, by why it does."""
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass
class SeatPlan:
    """A seat of a table that is not opened yet; see :class:`Seat`."""

    kind: str
    name: str = ""
    level: int | None = None
    holders: set[str] = field(default_factory=set)


@dataclass
class TablePlan:
    """A table that is not opened yet."""

    variant: Variant
    seats: list[SeatPlan]
    opener: str
    private: bool = True
    rated: bool = False
    series: str = "swap"
    dice: bool = True
    hints: bool = True
    clock: TimeControl = NO_CLOCK
    outcome: Outcome | None = None
    opened: int = field(default_factory=now)
    id: str = field(default_factory=lambda: "".join(secrets.choice(_ID_LETTERS) for _ in range(12)))

    def statements(self) -> Statements:
        """Return the statements that create the table in the database."""
        secret = secrets.token_hex(32) if self.dice and self.variant.game.chance else None
        row: dict[str, Any] = {
            "id": self.id,
            "game": self.variant.game.name,
            "options": json.dumps(dict(self.variant.options)),
            "opened": self.opened,
            "opener": self.opener,
            "private": self.private,
            "rated": self.rated,
            "series": self.series,
            "dice_secret": secret,
            "first_turn": Position(self.variant).turn,
            "over": self.outcome is not None,
            "winners": None if self.outcome is None else schema.seat_bits(self.outcome.winners),
            "clock": str(self.clock) if self.clock else None,
        }
        seats = [
            {"table_id": self.id, "seat": number, "kind": seat.kind, "level": seat.level, "name": seat.name}
            for number, seat in enumerate(self.seats)
        ]
        held = [
            {"table_id": self.id, "seat": number, "visitor": visitor}
            for number, seat in enumerate(self.seats)
            for visitor in sorted(seat.holders)
        ]
        made: list[tuple[Executable, Rows]] = [(insert(schema.tables), [row]), (insert(schema.seats), seats)]
        if held:
            made.append((insert(schema.holders), held))
        if self.clock.pace == "days":  # not earlier; it is looked at then
            made.append((insert(schema.deadlines), [{"table_id": self.id, "due": self.opened + self.clock.whole}]))
        if self.outcome is None:
            full = all(seat.kind == ENGINE or seat.holders for seat in self.seats)
            holders = [seat.holders for seat in self.seats]
            days = self.clock.pace == "days"
            made += opening_statements(self.id, holders, full, row["first_turn"], days, self.opened)
        if not self.hints:
            entry = Entry(1, HINTS, None, "no", self.opened)
            made.append((insert(schema.log), [entry.row(self.id, row["first_turn"], 0)]))
        return made


def plan(
    visitor: str,
    name: str,
    options: dict[str, Value],
    seats: list[SeatPlan],
    first: int | str,
    series: str | None,
    private: bool,
    rated: bool,
    hints: bool | None = None,
    clock: str | None = None,
) -> TablePlan:
    """Return the table that a visitor asks for; ``Refusal`` or ``OptionError`` say what is not allowed.

    ``hints`` says whether hints are allowed; by default they are unless somebody is invited by a link. ``clock`` is
    the text of a time control.
    """
    control = time_control(clock)
    declared = game(name)
    if not declared.seats and "players" not in options:
        options = {**options, "players": len(seats)}
    variant = declared.variant(options)
    if len(seats) != variant.seats:
        raise Refusal("seats", text("server.seats", n=variant.seats, game=declared.title))
    for seat in seats:
        seat.name = valid_name(seat.name)
        if seat.kind == ENGINE:
            seat.name = engine_name(seat.level)
        else:
            seat.level = None
            seat.holders = set() if seat.kind == LINK else {visitor}
    if series is None:
        series = declared.series(variant.options)
    turned = _turned(seats, _first(first, len(seats)), variant) if first != "order" else seats
    if hints is None:
        hints = all(seat.kind != LINK for seat in seats)
    return TablePlan(variant, turned, visitor, private, rated, series, hints=hints, clock=control)


def _first(first: int | str, seats: int) -> int:
    if first == "lots":
        return secrets.randbelow(seats)
    if not isinstance(first, int) or not 0 <= first < seats:
        raise Refusal("form")
    return first


def _turned(seats: Sequence[SeatPlan], first: int, variant: Variant) -> list[SeatPlan]:
    """Rotate the seats so that ``seats[first]`` is the seat that begins."""
    turn = Position(variant).turn
    begins = 0 if turn is None or turn == CHANCE else turn
    return [seats[(number + first - begins) % len(seats)] for number in range(len(seats))]


def rematch(table: Table, series: str) -> TablePlan:
    """Return the plan of the next game between the same players."""
    seats = [SeatPlan(seat.kind, seat.name, seat.level, set(seat.holders)) for seat in table.seats]
    turn = Position(table.variant).turn
    began = 0 if turn is None or turn == CHANCE else turn
    first = (began + 1) % len(seats)
    if series == "same":
        first = began
    elif series == "loser" and table.outcome is not None and table.outcome.winners:
        first = _loser(table.outcome, began)
    turned = _turned(seats, first, table.variant)
    return TablePlan(
        table.variant,
        turned,
        table.opener,
        table.private,
        table.rated,
        table.series,
        hints=table.hints,
        clock=table.clock_control,
    )


def _loser(outcome: Outcome, began: int) -> int:
    """Return the seat with the lowest score; of several the first after the one that began."""
    seats = len(outcome.scores)
    order = [(began + 1 + step) % seats for step in range(seats)]
    return min(order, key=lambda seat: outcome.scores[seat])


class TableOpener:
    """Opens tables."""

    def __init__(self, tables: TableService) -> None:
        """Open them in the database of ``tables``."""
        self._tables = tables

    async def open(self, plan: TablePlan, rows: Sequence[dict[str, Any]] = ()) -> Table:
        """Open a table, with the rows of its log if it has one already, and return it when it is stored."""
        try:
            await self._tables.storage.write(rows, plan.statements())
        except (Conflict, StorageFailed):
            raise Refusal("busy") from None
        table = await self._tables.find(plan.id)
        assert table is not None, "it was written"
        self._tables.changed(table)
        if len(set().union(*(seat.holders for seat in table.seats))) > 1:
            self._tables.noticed(table)
        return table

    async def open_record(
        self, visitor: str, recorded: RecordedGame, chosen: Sequence[SeatPlan] | None = None
    ) -> Table:
        """Open a table from a record: finished for review, or for the visitor to go on with.

        Without ``chosen`` the visitor goes on at one screen, at all seats; with it, some may be engines'.
        """
        names = [name if name != "?" else "" for name in recorded.seats]
        if chosen is None or recorded.outcome is not None:
            chosen = [SeatPlan("here") for _ in names]
        elif len(chosen) != len(names):
            title = recorded.variant.game.title
            raise Refusal("seats", text("server.seats", n=len(names), game=title))
        seats = [_seat_going_on(seat, name, visitor) for seat, name in zip(chosen, names, strict=True)]
        plan = TablePlan(recorded.variant, seats, visitor, dice=False, outcome=recorded.outcome)
        return await self.open(plan, await self._tables.storage.run(lambda: _rows(plan, recorded)))


def _seat_going_on(seat: SeatPlan, name: str, visitor: str) -> SeatPlan:
    """Return a seat of a game that goes on from a record: an engine's, or the visitor's under the recorded name."""
    if seat.kind == ENGINE:
        return SeatPlan(ENGINE, engine_name(seat.level), seat.level)
    return SeatPlan(seat.kind, seat.name or name, None, {visitor})


def engine_name(level: int | None) -> str:
    """Return what records call an engine of a level: as the terminal and matches do."""
    return f"triskele:level={level}"


def _rows(plan: TablePlan, recorded: RecordedGame) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    time = plan.opened  # not later than the first move, however long this takes
    turn = Position(recorded.variant).turn
    resigned = list(recorded.resigned)
    returning: list[tuple[int, int]] = []

    def add(kind: str, seat: int | None, body: str, moves: int) -> None:
        rows.append(Entry(len(rows) + 1, kind, seat, body, time).row(plan.id, turn, moves))

    def add_resigned(moves: int) -> None:
        while resigned and resigned[0].at <= moves:
            given = resigned.pop(0)
            add(_STAND_INS[given.why], given.seat, str(given.level), moves)
            if given.until is not None:
                returning.append((given.until, given.seat))
        for until, seat in [each for each in returning if each[0] <= moves]:
            returning.remove((until, seat))
            add(BACK, seat, "", moves)

    if recorded.annotated:
        add(ANNOTATE, None, recorded.annotated, 0)
    add_resigned(0)
    for number, (seat, written, ms, following) in enumerate(recorded.moves, 1):
        time += ms
        turn = following
        add(MOVE, seat, written, number)
        add_resigned(number)
    if recorded.ended is not None:
        turn = None
        add(END, recorded.ended.seat, recorded.ended.kind, len(recorded.moves))
    return rows
