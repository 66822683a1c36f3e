"""Texts of TRYPTIC as bytes, written by functions that are compiled too: see :mod:`triskele.core.contract.texts`."""

from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, names, put, put_name, put_number
from triskele.games.tryptic.position_reader import COLOUR_LETTERS, PATTERN_TEXTS, read_position
from triskele.games.tryptic.rules import ANNOUNCE, CHALLENGE, END, GIVE_UP, HEXES, PLACE, ROWS
from triskele.games.tryptic.rules import PATTERNS as PATTERN_COUNT

__all__ = ["COLOURS", "NAMES", "PATTERNS", "read_position", "write_move"]

COLOURS = COLOUR_LETTERS
NAMES = tuple(
    f"{chr(ord('a') + row)}{number}" for row, (low, high) in enumerate(ROWS) for number in range(low, high + 1)
)
"""The name of each hex, by its index."""
PATTERNS = PATTERN_TEXTS

_COLOUR_NAMES = names(tuple(COLOURS))
_HEX_NAMES = names(NAMES)
_PATTERN_NAMES = names(PATTERNS)
_EQUALS, _ASKS, _ENDS, _ANNOUNCES, _GIVES_UP = (ord(sign) for sign in "=?.!x")


def write_move(state: State, code: int, text: TextBuffer) -> int:
    """Write the text of a move; return its length."""
    if code < PLACE:
        return put_name(text, put(text, 0, _EQUALS), _PATTERN_NAMES, code)
    if code < CHALLENGE:
        at = put_name(text, 0, _COLOUR_NAMES, (code - PLACE) // HEXES)
        return put_name(text, at, _HEX_NAMES, (code - PLACE) % HEXES)
    if code < END:
        at = put_number(text, put(text, 0, _ASKS), (code - CHALLENGE) // PATTERN_COUNT + 1)
        return put_name(text, put(text, at, _EQUALS), _PATTERN_NAMES, (code - CHALLENGE) % PATTERN_COUNT)
    if code == END:
        return put(text, 0, _ENDS)
    if code < GIVE_UP:
        return put_number(text, put(text, 0, _ANNOUNCES), code - ANNOUNCE + 1)
    return put_number(text, put(text, 0, _GIVES_UP), code - GIVE_UP + 1)
