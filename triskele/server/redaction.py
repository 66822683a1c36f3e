"""What of an error's message may go into a log: its words and numbers, but no value, which might be secret.

Messages quote values (``KeyError: 'key'``, ``invalid literal for int(): 'secret'``), databases append the rows they
refuse, and our own reasons carry moves, which are hidden in some games. So quoted texts (but names that the program
itself has), long tokens and passwords in addresses are left out; of our own reasons the words stay, and of databases
and the system what they say without values.
"""

import builtins
import re

from triskele.core.errors import TriskeleError
from triskele.core.words import Text, say

_LENGTH = 300
_LEFT_OUT = "\u2026"
_NAMES_ONLY = (AttributeError, TypeError, NameError, ImportError)
"""Errors that quote names of the program."""
_TYPES = frozenset((*dir(builtins), "NoneType", "function", "method", "module", "coroutine"))
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\u201c[^\u201d]*\u201d", re.DOTALL)
_PASSWORD = re.compile(r"(\w+://)[^\s/@]*@")
_TOKEN = re.compile(r"[A-Za-z0-9_+/=.-]{16,}")
_UNCLOSED = re.compile(r"['\"`\u201c].*", re.DOTALL)


def safe_message(error: BaseException) -> str:
    """Return what an error says, in one line and without any value; empty if nothing is left of it."""
    if isinstance(error, TriskeleError):
        return _words(error.text)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:_LENGTH]
    cause = getattr(error, "orig", None) or error  # of SQLAlchemy: without the statement and its parameters
    primary = getattr(getattr(cause, "diag", None), "message_primary", None)  # of PostgreSQL: without the row
    return _redacted(str(primary or cause), _known_names(cause))


def _words(reason: Text) -> str:
    values = {name: value if isinstance(value, int | float) else _LEFT_OUT for name, value in reason.values.items()}
    return say(Text(reason.key, values))[:_LENGTH]


def _known_names(error: BaseException) -> set[str] | frozenset[str]:
    """Return the names that an error may quote: those in the code that raised it, and types. None for other errors."""
    if not isinstance(error, _NAMES_ONLY):
        return frozenset()
    names = set(_TYPES)
    if isinstance(error, AttributeError):
        names.add(type(error.obj).__name__)
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is not None:
        names.update(place.tb_frame.f_code.co_names)
    return names


def _redacted(message: str, names: set[str] | frozenset[str]) -> str:
    """Return a message without quoted texts (but ``names``), passwords and long tokens."""

    def quoted(found: re.Match[str]) -> str:
        name = found[0][1:-1]
        return f"\0{name}\0" if name in names else _LEFT_OUT

    kept = _PASSWORD.sub(rf"\1{_LEFT_OUT}@", message.replace("\0", " "))
    kept = _UNCLOSED.sub(_LEFT_OUT, _QUOTED.sub(quoted, kept))
    kept = _TOKEN.sub(_LEFT_OUT, kept).replace("\0", "'")
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in kept).split())
    return line[:_LENGTH]
