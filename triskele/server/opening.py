"""Opening tables: from a visitor's choice, as a rematch, from a record."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import insert

from triskele.core.contract import CHANCE
from triskele.core.game import Variant, game
from triskele.core.moves import Outcome
from triskele.core.options import Value
from triskele.core.position import Position
from triskele.core.records import Record
from triskele.core.words import text
from triskele.server import schema, texts
from triskele.server.entry import END, MOVE, Entry
from triskele.server.refusal import Refusal
from triskele.server.storage import Conflict, StorageFailed
from triskele.server.table import ENGINE, LINK, Table
from triskele.server.tables import Statements, Tables, now

SERIES = ("swap", "same", "loser")
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass
class Chair:
    """A seat to be: what it is and who has it already."""

    kind: str
    name: str = ""
    level: int | None = None
    holders: set[str] = field(default_factory=set)


@dataclass
class Plan:
    """A table to be."""

    variant: Variant
    chairs: list[Chair]
    opener: str
    private: bool = True
    rated: bool = False
    series: str = "swap"
    dice: bool = True
    outcome: Outcome | None = None
    id: str = field(default_factory=lambda: "".join(secrets.choice(_LETTERS) for _ in range(12)))

    def statements(self) -> Statements:
        """Return what makes the table in the database."""
        secret = secrets.token_hex(32) if self.dice and self.variant.game.chance else None
        row: dict[str, Any] = {
            "id": self.id,
            "game": self.variant.game.name,
            "options": json.dumps(dict(self.variant.options)),
            "opened": now(),
            "opener": self.opener,
            "private": self.private,
            "rated": self.rated,
            "series": self.series,
            "dice_secret": secret,
            "first_turn": Position(self.variant).turn,
            "over": self.outcome is not None,
            "winners": None if self.outcome is None else schema.seat_bits(self.outcome.winners),
        }
        seats = [
            {"table_id": self.id, "seat": number, "kind": chair.kind, "level": chair.level, "name": chair.name}
            for number, chair in enumerate(self.chairs)
        ]
        held = [
            {"table_id": self.id, "seat": number, "visitor": visitor}
            for number, chair in enumerate(self.chairs)
            for visitor in sorted(chair.holders)
        ]
        made = [(insert(schema.tables), [row]), (insert(schema.seats), seats)]
        return [*made, (insert(schema.holders), held)] if held else made


def plan(
    visitor: str,
    name: str,
    options: dict[str, Value],
    chairs: list[Chair],
    first: int | str,
    series: str | None,
    private: bool,
    rated: bool,
) -> Plan:
    """Return the table that a visitor asks for; refuses what cannot be."""
    declared = game(name)
    if not declared.seats and "players" not in options:
        options = {**options, "players": len(chairs)}
    variant = declared.variant(options)
    if len(chairs) != variant.seats:
        raise Refusal("seats", text("server.seats", n=variant.seats, game=declared.title))
    for chair in chairs:
        chair.name = texts.name(chair.name)
        if chair.kind == ENGINE:
            chair.name = f"Triskele {chair.level}"
        else:
            chair.level = None
            chair.holders = set() if chair.kind == LINK else {visitor}
    if series is None:
        series = declared.series(variant.options)
    turned = _turned(chairs, _first(first, len(chairs)), variant) if first != "order" else chairs
    return Plan(variant, turned, visitor, private, rated, series)


def _first(first: int | str, seats: int) -> int:
    if first == "lots":
        return secrets.randbelow(seats)
    if not isinstance(first, int) or not 0 <= first < seats:
        raise Refusal("form")
    return first


def _turned(chairs: Sequence[Chair], first: int, variant: Variant) -> list[Chair]:
    """Turn the chairs, keeping their order, so that ``chairs[first]`` begins."""
    turn = Position(variant).turn
    begins = 0 if turn is None or turn == CHANCE else turn
    return [chairs[(number + first - begins) % len(chairs)] for number in range(len(chairs))]


def rematch(table: Table, series: str) -> Plan:
    """Return the table for the next game of the same players."""
    chairs = [Chair(seat.kind, seat.name, seat.level, set(seat.holders)) for seat in table.seats]
    turn = Position(table.variant).turn
    began = 0 if turn is None or turn == CHANCE else turn
    first = (began + 1) % len(chairs)
    if series == "same":
        first = began
    elif series == "loser" and table.outcome is not None and table.outcome.winners:
        first = _loser(table.outcome, began)
    turned = _turned(chairs, first, table.variant)
    return Plan(table.variant, turned, table.opener, table.private, table.rated, table.series)


def _loser(outcome: Outcome, began: int) -> int:
    """Return the seat that lost most; of several the first after the one that began."""
    seats = len(outcome.scores)
    order = [(began + 1 + step) % seats for step in range(seats)]
    return min(order, key=lambda seat: outcome.scores[seat])


class Opening:
    """Opens tables."""

    def __init__(self, tables: Tables) -> None:
        """Open them in the database of ``tables``."""
        self._tables = tables

    async def open(self, plan: Plan, rows: Sequence[dict[str, Any]] = ()) -> Table:
        """Open a table, with a log if it has one already, and return it when it is kept."""
        try:
            await self._tables.storage.write(rows, plan.statements())
        except (Conflict, StorageFailed):
            raise Refusal("busy") from None
        table = await self._tables.find(plan.id)
        assert table is not None, "what was written is there"
        self._tables.happened(table)
        return table

    async def open_record(self, visitor: str, data: bytes) -> tuple[Table, Record]:
        """Open a table from a record: finished for review, or for the visitor to go on with at one screen."""
        record = Record.from_json(data)
        chairs = [Chair("here", name if name != "?" else "", None, {visitor}) for name in record.seats]
        plan = Plan(record.variant, chairs, visitor, dice=False, outcome=record.outcome)
        rows = await self._tables.storage.run(lambda: _rows(plan, record))
        return await self.open(plan, rows), record


def _rows(plan: Plan, record: Record) -> list[dict[str, Any]]:
    record.replay()  # refuses what is not a game to the end
    rows = []
    position = Position(plan.variant)
    time = now()
    for number, made in enumerate(record.moves, 1):
        position.push(made.text)
        time += made.ms or 0
        rows.append(Entry(number, MOVE, made.seat, made.text, time).row(plan.id, position.turn, number))
    if record.ended is not None:
        end = Entry(len(rows) + 1, END, record.ended.seat, record.ended.kind, time)
        rows.append(end.row(plan.id, None, len(record.moves)))
    return rows
