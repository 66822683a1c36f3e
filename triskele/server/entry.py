"""Entries of a table's log: what happened, in order. A table is what its entries make of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TAKEN = "taken"
"""A seat was taken; the body is the name of whoever took it."""
MOVE = "move"
"""A move was made; seat -1 for a roll; the body is its text."""
UNDO = "undo"
"""Moves were taken back; the body is how many stay."""
OFFER = "offer"
"""A seat offers something; the body is what, and after a colon how."""
ANSWER = "answer"
"""A seat answers an offer; the body is what, and after a colon ``yes`` or ``no``."""
END = "end"
"""The game ended outside the rules; the body is the kind."""
SEED = "seed"
"""A seat gave a seed for the dice; the body is the seed."""
NEXT = "next"
"""A rematch was opened; the body is its table."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened at a table."""

    seq: int
    kind: str
    seat: int | None
    body: str
    time: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Entry":
        """Return the entry in a row of the log."""
        return cls(row["seq"], row["kind"], row["seat"], row["body"], row["time"])

    def row(self, table: str, turn: int | None, moves: int) -> dict[str, Any]:
        """Return the entry as a row of the log; ``turn`` and ``moves`` are those after it."""
        return {
            "table_id": table,
            "seq": self.seq,
            "kind": self.kind,
            "seat": self.seat,
            "body": self.body,
            "time": self.time,
            "turn": turn,
            "moves": moves,
        }
