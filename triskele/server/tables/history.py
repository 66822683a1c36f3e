"""The past of a table: earlier positions, its record, the proof of its dice, each as a viewer may see it."""

import base64
import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from triskele.core.contract import CHANCE
from triskele.core.dice import DiceBox
from triskele.core.document import read_json
from triskele.core.position import Position
from triskele.core.record_parts import Ended, Resigned, actor_document
from triskele.core.records import BYTES_LIMIT, SPECTATOR, Record
from triskele.core.time_control import TimeControl
from triskele.core.variations import Annotation, annotations_along, read_line
from triskele.server.refusal import Refusal
from triskele.server.tables.table import Table, Viewer


def viewer_of(table: Table, visitor: str | None, seat: int | None) -> Viewer:
    """Return whose view a visitor gets: that of the named seat of theirs, of their only seat, or a spectator's.

    When the game is over there are no secrets any more, and it may be any seat's.
    """
    seats = table.seats_of(visitor)
    if seat is None:
        return seats[0] if len(seats) == 1 else None
    if seat not in seats and (table.outcome is None or seat >= len(table.seats)):
        raise Refusal("seat")
    return seat


def position_at(table: Table, at: int | None) -> Position:
    """Return a copy of the position after ``at`` moves (``None``: now), with the moves before it."""
    if at is not None and at > table.moves:
        raise Refusal("unknown")
    return table.position.copy(at)


LINE_LIMIT = 64
"""The number of moves of a line that can be tried out."""


def position_after(table: Table, at: int | None, line: Sequence[str]) -> Position:
    """Return the position after ``at`` moves and those of a line that is tried out; ``IllegalMove`` if it is not legal.

    Not while a game with secrets is on: what a move reveals is told only when it is made.
    """
    position = position_at(table, at)
    if line and table.hidden and table.outcome is None:
        raise Refusal("secret")
    for written in line:
        position.push(written)
    return position


def position_to_explain(table: Table, viewer: Viewer, at: int, line: Sequence[str]) -> Position:
    """Return the position before a line as a viewer may know it; ``IllegalMove`` if the line is not legal there.

    In a game with secrets the line is tried out on what the viewer knows, so that nothing depends on the rest.
    """
    position = position_at(table, at)
    if table.hidden:
        position = position.seen_by(viewer)
    after = position.copy()
    for written in line:
        after.push(written)
    return position


@dataclass(frozen=True)
class KnownState:
    """What an engine in the page of a viewer gets: the words of a position as the viewer may know it, and its moves."""

    at: int
    turn: int | str | None
    seat: Viewer
    state: str
    moves: list[tuple[str, tuple[tuple[str, ...], ...]]]
    history: list[int]


def known_state(table: Table, viewer: Viewer, at: int | None) -> KnownState:
    """Return the position after ``at`` moves (``None``: now) for an engine in the page of a viewer.

    The words are 64-bit integers, little-endian, in base64: as numbers of JSON some would be rounded. ``moves`` are
    those of the seat to act with their spellings; in a game with secrets only for that seat. ``history`` are the codes
    of the moves made, -1 for those that the viewer has not seen, in a game with secrets, whose engines read them.
    """
    position = position_at(table, at)
    turn = position.turn
    known = position.seen_by(viewer)
    mine = position.moves_of(viewer) if table.hidden else position.legal_moves
    return KnownState(
        at=table.moves if at is None else at,
        turn=actor_document(turn),
        seat=viewer,
        state=base64.b64encode(known.state.astype("<i8").tobytes()).decode("ascii"),
        moves=[] if turn is None else [(move.text, move.spellings) for move in mine],
        history=position.codes_seen_by(viewer) if table.hidden else [],
    )


def last_decision(table: Table) -> int:
    """Return how many moves the last position has in which a seat decides: this one, or the one before its move."""
    turn = table.position.turn  # after an end outside the rules it is still somebody's
    if turn is not None and turn != CHANCE:
        return table.moves
    return next((at for at in range(table.moves - 1, -1, -1) if table.made[at][1] != CHANCE), 0)


@dataclass(frozen=True)
class RecordSource:
    """All that the record of a table is made from, at one moment; workers make the record from it."""

    position: Position
    names: Sequence[str]
    date: str
    times: Sequence[int]
    ended: Ended | None
    resigned: Sequence[Resigned]
    clock: TimeControl
    charged: Sequence[int | None]
    dice: DiceBox | None
    over: bool
    viewer: Viewer
    annotated: str = ""

    def record(self) -> Record:
        """Return the record as the viewer may see it; takes long for a long game."""
        seen = None if self.over else SPECTATOR if self.viewer is None else self.viewer
        block = None if self.dice is None else self.dice.block()
        record = Record.of(
            self.position,
            seats=self.names,
            date=self.date,
            times=self.times,
            ended=self.ended,
            dice=block,
            viewer=seen,
            resigned=self.resigned,
            clock=self.clock,
            charged=self.charged if self.clock else None,
            annotations=self._annotations(),
        )
        return self.dice.disclose(record) if self.dice is not None and self.over else record

    def _annotations(self) -> tuple[Annotation, ...]:
        """Return what the record that the table was opened from said about the moves that still stand.

        Nothing while a game with secrets is on: a variation may tell them.
        """
        if not self.annotated or (self.position.variant.game.hidden and not self.over):
            return ()
        line = read_line(read_json(self.annotated.encode(), BYTES_LIMIT, BYTES_LIMIT))
        return annotations_along(line, [move.text for move in self.position.moves])


def record_source(table: Table, viewer: Viewer, names: Sequence[str]) -> RecordSource:
    """Return what the record of a table is made from, for a viewer; ``names`` are those of the seats."""
    return RecordSource(
        position=table.position.copy(),
        names=names,
        date=datetime.datetime.fromtimestamp(table.opened // 1000, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        times=list(table.times),
        ended=table.ended,
        resigned=tuple(table.resigned),
        clock=table.clock_control,
        charged=list(table.charged),
        dice=table.dice,
        over=table.outcome is not None,
        viewer=viewer,
        annotated=table.annotated,
    )


def proof_source(table: Table, names: Sequence[str]) -> RecordSource:
    """Return what the proof of a table's dice is made from; ``Refusal`` unless it is a finished game with dice."""
    if table.dice is None:
        raise Refusal("no-dice")
    if table.outcome is None:
        raise Refusal("on")
    return record_source(table, None, names)
