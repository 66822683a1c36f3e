"""What people write: names and chat. One line, and nothing in it that turns the page around it upside down."""

from triskele.core.document import is_line
from triskele.server.refusal import Refusal

NAME_LIMIT = 40
CHAT_LIMIT = 500
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of what stands around them."""


def _line(written: str, most: int, code: str) -> str:
    trimmed = written.strip()
    if len(trimmed) > most or not is_line(trimmed) or not _TURNING.isdisjoint(trimmed):
        raise Refusal(code)
    return trimmed


def name(written: str) -> str:
    """Return a name without blanks around it, possibly empty; refuses what cannot be one."""
    return _line(written, NAME_LIMIT, "name")


def chat(written: str) -> str:
    """Return a line of chat without blanks around it; refuses what cannot be one."""
    said = _line(written, CHAT_LIMIT, "chat")
    if not said:
        raise Refusal("chat")
    return said
