"""Entries of a table's log: what happened, in order. The state of a table follows from its entries alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TAKEN = "taken"
"""A seat was taken; the body is the name of the player."""
MOVE = "move"
"""A move was made; seat -1 for a roll; the body is its text."""
UNDO = "undo"
"""Moves were taken back; the body is the number of moves that stay."""
OFFER = "offer"
"""A seat offers something; the body is ``WHAT:DETAIL``."""
ANSWER = "answer"
"""A seat answers an offer; the body is ``WHAT:yes`` or ``WHAT:no``."""
RESIGN = "resign"
"""A seat gave up and the game goes on; the body is the level of the engine that plays on for it. Where the rules have
a move for giving up, it is a move instead."""
TIMEOUT = "timeout"
"""A seat ran out of time and the game goes on; the body is the level of the engine that plays on for it."""
LEFT = "left"
"""Another player claims that a seat's player has left, and the game goes on; the body is as in ``timeout``."""
BACK = "back"
"""The player of a seat that ran out of time or had left plays it again."""
HINTS = "hints"
"""Whether hints are allowed at the table, as its first entry; the body is ``yes`` or ``no``. Without it they are."""
ANNOTATE = "annotate"
"""What the record that the table was opened from said about its moves, as its first entry; the body is that line with
its comments, marks and variations, as JSON."""
HINT = "hint"
"""A seat was given a hint in a game between people."""
END = "end"
"""The game ended outside the rules; the body is the kind of end."""
SEED = "seed"
"""A seat gave a seed for the dice; the body is the seed."""
FREED = "freed"
"""A host has freed a seat; the body is empty, and with it the names go that the seat had until then."""
NEXT = "next"
"""A rematch was opened; the body is the id of its table."""

HOLDERS_CHANGE = frozenset({TAKEN, FREED})
"""The kinds of entries with which the holders of seats change, who are not in the log."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table's log; ``time`` in milliseconds since 1970.

    ``charged`` are the milliseconds by which it charged the clock that ran until then, ``lag`` what of the time that
    passed was given back as lag; both are ``None`` if no clock ran.
    """

    seq: int
    kind: str
    seat: int | None
    body: str
    time: int
    charged: int | None = None
    lag: int | None = None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Entry":
        """Return the entry in a row of the log."""
        return cls(row["seq"], row["kind"], row["seat"], row["body"], row["time"], row.get("charged"), row.get("lag"))

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
            "charged": self.charged,
            "lag": self.lag,
        }
