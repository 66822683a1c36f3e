"""Moves in words: what a list of moves says where the text of a move is a code to people."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from triskele.core.words import Text

PLAYER = "player"
"""The group of a pattern that is a seat, from 1: a client says the name of its player instead."""


@dataclass(frozen=True)
class Wording:
    """How moves of one kind read in words.

    A game declares its wordings in ``Game.wordings``. They are sent to the page with the declaration, so that it can
    say any move without a request. ``pattern`` is a regular expression that the whole text of such a move matches,
    in the syntax that Python and JavaScript share. Its named groups are the values of the words ``key``: digits are
    numbers, :data:`PLAYER` is a seat from 1, and a sign in ``signs`` stands for the words of a key. The words have no
    finite verb: they follow "You" as well as a name.
    """

    pattern: str
    key: str
    signs: Mapping[str, str] = field(default_factory=dict)

    def words(self, move: str) -> Text | None:
        """Return the words of a move, or ``None`` if it is of another kind."""
        found = re.fullmatch(self.pattern, move, re.ASCII)
        return None if found is None else Text(self.key, {k: self._value(v) for k, v in found.groupdict().items()})

    def _value(self, written: str) -> str | int | Text:
        if written in self.signs:
            return Text(self.signs[written])
        return int(written) if written.isdecimal() else written


def move_words(wordings: Sequence[Wording], move: str) -> Text | None:
    """Return the words of a move by the first wording that fits its text; ``None``: the text says it itself."""
    return next((words for wording in wordings if (words := wording.words(move)) is not None), None)
