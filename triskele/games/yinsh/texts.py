"""Texts of YINSH as bytes, written by functions that are compiled too: see :mod:`triskele.core.contract.texts`."""

from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, names, put, put_name
from triskele.games.yinsh.position_reader import read_position
from triskele.games.yinsh.rules import (
    COORDINATES,
    MOVE,
    PASS,
    POINT,
    POINTS,
    ROW_BIT,
    ROW_LINE,
    TAKE_RING,
    TAKE_ROW,
)

__all__ = ["NAMES", "read_position", "write_move"]

NAMES = tuple(f"{chr(ord('a') + letter)}{number}" for letter, number in COORDINATES)
"""The name of each point, by its index."""

_POINT_NAMES = names(NAMES)
_PASS_NAME = names(("pass",))
_HYPHEN, _TAKES = ord("-"), ord("x")


def write_move(state: State, code: int, text: TextBuffer) -> int:
    """Write the text of a move; return its length."""
    if code < MOVE:
        return put_name(text, 0, _POINT_NAMES, code)
    if code < TAKE_ROW:
        return _write_pair(text, 0, (code - MOVE) // POINTS, (code - MOVE) % POINTS)
    if code == PASS:
        return put_name(text, 0, _PASS_NAME, 0)
    at = put(text, 0, _TAKES)
    if code >= TAKE_RING:
        return put_name(text, at, _POINT_NAMES, code - TAKE_RING)
    # A row is named by its ends, the one with the smaller letter (then number) first.
    row = code - TAKE_ROW
    return _write_pair(text, at, POINT[ROW_LINE[row], ROW_BIT[row]], POINT[ROW_LINE[row], ROW_BIT[row] + 4])


def _write_pair(text: TextBuffer, at: int, first: int, second: int) -> int:
    """Write two points with a hyphen between them; return where the text goes on."""
    at = put(text, put_name(text, at, _POINT_NAMES, first), _HYPHEN)
    return put_name(text, at, _POINT_NAMES, second)
