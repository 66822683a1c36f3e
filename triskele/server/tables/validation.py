"""Validation of what people write: names and chat are one line, without characters that turn the text direction."""

from triskele.core.document import is_line
from triskele.core.words import text
from triskele.server.refusal import Refusal

NAME_LIMIT = 40
CHAT_LIMIT = 500
_BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the writing direction of the text around them."""


def _valid_line(written: str, limit: int, code: str) -> str:
    trimmed = written.strip()
    if len(trimmed) > limit or not is_line(trimmed) or not _BIDI_CONTROLS.isdisjoint(trimmed):
        raise Refusal(code)
    return trimmed


def valid_name(written: str) -> str:
    """Return a name without blanks around it, possibly empty; ``Refusal`` if it is not one line of a name's length."""
    return _valid_line(written, NAME_LIMIT, "name")


def valid_chat(written: str) -> str:
    """Return a line of chat without blanks around it; ``Refusal`` if it is empty, too long or not one line."""
    line = _valid_line(written, CHAT_LIMIT, "chat")
    if not line:
        raise Refusal("chat")
    return line


def valid_text(written: str) -> str:
    """Return a text of several lines without blanks around it; ``Refusal`` if it has characters that are none."""
    lines = written.strip().replace("\r\n", "\n").split("\n")
    if any(not is_line(line) or not _BIDI_CONTROLS.isdisjoint(line) for line in lines if line):
        raise Refusal("chat")
    return "\n".join(lines)


_OTHER_VALUES = 1000
"""JSON values of a record besides its moves: options, seats, dice."""
_VALUES_OF_A_MOVE = 6


def check_record_length(data: bytes, moves: int) -> None:
    """Refuse a record of more moves than are allowed before it is parsed, which takes 1.8 kB a move."""
    objects = data.count(b"{")
    values = objects + data.count(b"[") + data.count(b",")
    if objects > moves + _OTHER_VALUES or values > _VALUES_OF_A_MOVE * moves + _OTHER_VALUES:
        raise Refusal("long-record", text("server.long-record", n=moves))
