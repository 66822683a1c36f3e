"""Moves, outcomes and completions: the immutable values of the interface."""

from dataclasses import dataclass, field
from functools import total_ordering


@total_ordering
@dataclass(frozen=True, slots=True)
class Move:
    """One decision: its text, the tokens a person points at, and the code inside the rules.

    Moves of one game are equal when their texts are, and sort by text.
    """

    text: str
    code: int = field(compare=False)
    spellings: tuple[tuple[str, ...], ...] = field(compare=False, repr=False)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The usual way to enter the move, token by token."""
        return self.spellings[0]

    def __str__(self) -> str:
        """Return the text of the move."""
        return self.text

    def __lt__(self, other: "Move") -> bool:
        """Order by text."""
        return self.text < other.text


@dataclass(frozen=True)
class Outcome:
    """How a game ended. A draw has no winners. The scores of all seats add up to zero."""

    winners: tuple[int, ...]
    scores: tuple[float, ...]
    reason: str


@dataclass(frozen=True)
class Completion:
    """What a half-entered move can become: exactly one of the three is set.

    ``move``: the tokens are a whole move. ``next``: the tokens that can follow, sorted. ``reason``: why no legal move
    begins with these tokens;
    ``why`` is the part of it that is the game's own words, where it has some: enough for somebody who sees the board.
    """

    move: Move | None = None
    next: tuple[str, ...] = ()
    reason: str = ""
    why: str = ""
