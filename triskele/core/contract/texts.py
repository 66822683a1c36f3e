"""The contract for texts that compiled code and WebAssembly modules write and read: part of a game's ``notation.py``.

Texts here are arrays of bytes (ASCII). The functions are linked like rules and keep to the same restrictions
(:mod:`triskele.core.contract.rules`). A game's ``move_text`` and ``read`` call its own functions, so that there is one
notation; :mod:`triskele.core.text_buffer` helps on both sides.
"""

from triskele.core.contract.rules import State
from triskele.core.text_buffer import TextBuffer

MOVE_TEXT = 96
"""No text of a move is longer than this."""


def write_move(state: State, code: int, text: TextBuffer) -> int:
    """Write the text of a move into ``text``, which has ``MOVE_TEXT`` bytes; return its length.

    Of ``state`` only what the options say may be used: a move has the same text in every position.
    """
    return 0


def read_position(text: TextBuffer, length: int, state: State) -> int:
    """Read a position as ``write`` of the notation writes it into ``state``, a fresh start; return 0.

    On a text that is none, return the number of the reason, which the notation knows in words; ``state`` is then void.
    """
    return -1
