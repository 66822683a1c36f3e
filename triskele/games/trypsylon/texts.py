"""Texts of TRYPSYLON as bytes, written by functions that are compiled too: see :mod:`triskele.core.contract.texts`."""

from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, names, put, put_name
from triskele.games.trypsylon.position_reader import read_position
from triskele.games.trypsylon.rules import BACK, PUSHES

__all__ = ["read_position", "write_cell", "write_entrance", "write_move"]

SIDES = "SWNE"
DIRECTIONS = ("NE", "SE", "SW", "NW")
PUT_BACK = "back"

_SIDE_NAMES = names(tuple(SIDES))
_DIRECTION_NAMES = names(DIRECTIONS)
_BACK_NAME = names((PUT_BACK,))
_A, _ONE, _SLASH = ord("a"), ord("1"), ord("/")


def write_cell(text: TextBuffer, at: int, code: int) -> int:
    """Write the name of a lift's cell, such as ``b3``; return where the text goes on."""
    return put(text, put(text, at, _A + code % 6), _ONE + code // 6)


def write_entrance(text: TextBuffer, at: int, entrance: int) -> int:
    """Write the name of an entrance, such as ``Nc`` or ``W3``; return where the text goes on."""
    side = entrance // 6
    first = _A if side % 2 == 0 else _ONE
    return put(text, put_name(text, at, _SIDE_NAMES, side), first + entrance % 6)


def write_move(state: State, code: int, text: TextBuffer) -> int:
    """Write ``b3`` for a lift, ``Nc/SW`` for a push, ``back``; return its length."""
    if code < PUSHES:
        return write_cell(text, 0, code)
    if code == BACK:
        return put_name(text, 0, _BACK_NAME, 0)
    at = put(text, write_entrance(text, 0, (code - PUSHES) // 4), _SLASH)
    return put_name(text, at, _DIRECTION_NAMES, (code - PUSHES) % 4)
