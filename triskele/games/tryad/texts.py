"""Texts of Tryad as bytes, written by functions that are compiled too: see :mod:`triskele.core.contract.texts`."""

from triskele.core.bits import ctz
from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, names, put, put_name, put_number
from triskele.games.tryad import card
from triskele.games.tryad.position_reader import read_position
from triskele.games.tryad.rules import FACES, TAKEN

__all__ = ["read_position", "write_move"]

_FIELD_NAMES = names(card.FIELDS)
_TAKES, _AND = ord("-"), ord("+")


def write_move(state: State, code: int, text: TextBuffer) -> int:
    """Write ``1`` to ``4`` for a roll, ``-b1+c2`` for a take; return its length."""
    if code < FACES:
        return put_number(text, 0, code + 1)
    at = 0
    fields = TAKEN[code]
    while fields != 0:
        at = put(text, at, _TAKES if at == 0 else _AND)
        at = put_name(text, at, _FIELD_NAMES, ctz(fields))
        fields &= fields - 1
    return at
