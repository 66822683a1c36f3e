"""Games from records, as the log of a new table needs them. Reading one takes long: workers do it."""

import json
from dataclasses import dataclass

from triskele.core.contract.record_format import read_records
from triskele.core.dice import Proof, verify
from triskele.core.errors import RecordError
from triskele.core.game import Variant, game
from triskele.core.moves import Outcome
from triskele.core.options import Value
from triskele.core.record_parts import Ended, Resigned
from triskele.core.variations import check_variations
from triskele.core.words import text

RecordedMove = tuple[int, str, int, int | None]
"""Who made a move, its text, the milliseconds it took, and the one to act after it.

A plain tuple: the server unpickles thousands of them at once, and nothing else goes on meanwhile.
"""

ANNOTATED_LIMIT = 200_000
"""Characters of moves, comments and variations that a table keeps: tables are in memory."""


@dataclass(frozen=True)
class RecordedGame:
    """A game that was read from a record and checked; ``proof`` says what checking its dice gave, if it has any."""

    game: str
    options: dict[str, Value]
    seats: tuple[str, ...]
    moves: tuple[RecordedMove, ...]
    ended: Ended | None
    outcome: Outcome | None
    proof: Proof | None
    resigned: tuple[Resigned, ...] = ()
    annotated: str = ""
    """The moves with what is said about them, as JSON, if something is."""

    @property
    def variant(self) -> Variant:
        """The game with the record's options."""
        return game(self.game).variant(self.options)


def read_record(data: bytes) -> RecordedGame:
    """Read a record, replay it and check its dice; ``RecordError`` says what is wrong. Takes long for a long game.

    A record that begins in the middle of a game is refused: a table's log begins at the start.
    """
    records = read_records(data)
    if len(records) != 1:
        raise RecordError(text("server.several-games", n=len(records)))
    record = records[0]
    if record.start is not None:
        raise RecordError(text("core.record-started"))
    turns = [position.turn for position in record.positions()]
    check_variations(record.first_position(), record.line())
    annotated = json.dumps(record.line().document(), ensure_ascii=False) if record.annotations else ""
    if len(annotated) > ANNOTATED_LIMIT:
        raise RecordError(text("server.annotated-too-long", limit=ANNOTATED_LIMIT))
    pairs = zip(record.moves, turns[1:], strict=True)
    moves = tuple((made.seat, made.text, made.ms or 0, turn) for made, turn in pairs)
    proof = verify(record) if record.dice and record.dice.secret else None
    return RecordedGame(
        record.game,
        dict(record.options),
        record.seats,
        moves,
        record.ended,
        record.outcome,
        proof,
        record.resigned,
        annotated,
    )
