"""Parse and validate untrusted JSON within limits; errors name the place in the document.

Whatever the input is, the result is plain data or a ``RecordError``, in bounded time and memory.
"""

import json
import math
import re
import unicodedata
from collections.abc import Set
from dataclasses import dataclass
from typing import Any, NoReturn

from triskele.core.errors import RecordError
from triskele.core.words import Text, text

_INTEGER_DIGITS = 18
_BEGUN = re.compile(r"[a-z0-9.+-]*", re.ASCII | re.IGNORECASE)
_NO_TEXT = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Unicode categories that are not allowed in a line of text: controls, lone surrogates, line ends."""


def is_line(written: str) -> bool:
    """Return whether a text is one line of characters that can be shown and stored."""
    return written.isprintable() or not any(unicodedata.category(c) in _NO_TEXT for c in written)


def shown(written: str) -> str:
    """Return an untrusted text shortened and without control characters, safe to show in an error."""
    short = written if len(written) <= 60 else written[:59] + "…"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in short)


def refused_at(place: str, why: Text) -> RecordError:
    """Return the error that names a place in a document (empty for the whole) and the reason."""
    return RecordError(text("core.json-at", place=place or text("core.json-whole"), why=why))


@dataclass(frozen=True, slots=True)
class Item:
    """A value of a JSON document and its place there, such as ``moves[12].text``."""

    value: Any
    place: str = ""

    def refused(self, why: Text) -> RecordError:
        """Return the error that names the place and the reason."""
        return refused_at(self.place, why)

    def fields(self, required: Set[str], optional: Set[str] = frozenset()) -> dict[str, "Item"]:
        """Return the members of an object; it must have all required keys, and no others but optional ones."""
        if not isinstance(self.value, dict):
            raise self.refused(text("core.json-not-object"))
        for key in self.value:
            if key not in required and key not in optional:
                raise self.refused(text("core.json-unknown-key", name=shown(key)))
        for key in sorted(required):
            if key not in self.value:
                raise self.refused(text("core.json-missing-key", name=key))
        prefix = f"{self.place}." if self.place else ""
        return {key: Item(value, f"{prefix}{key}") for key, value in self.value.items()}

    def items(self, limit: int) -> list["Item"]:
        """Return the members of a list, at most ``limit``."""
        if not isinstance(self.value, list):
            raise self.refused(text("core.json-not-list"))
        if len(self.value) > limit:
            raise self.refused(text("core.json-too-many-items", limit=limit))
        return [Item(value, f"{self.place}[{i}]") for i, value in enumerate(self.value)]

    def string(self, limit: int) -> str:
        """Return a text of one line, 1 to ``limit`` characters long."""
        written = self.prose(limit)
        if "\n" in written:
            raise self.refused(text("core.json-text-characters"))
        return written

    def prose(self, limit: int) -> str:
        """Return a text that may have several lines, 1 to ``limit`` characters long."""
        if not isinstance(self.value, str):
            raise self.refused(text("core.json-not-text"))
        if not 1 <= len(self.value) <= limit:
            raise self.refused(text("core.json-text-length", limit=limit))
        if not all(map(is_line, self.value.split("\n"))):
            raise self.refused(text("core.json-text-characters"))
        return self.value

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not low <= self.value <= high:
            raise self.refused(text("core.json-not-integer", low=low, high=high))
        return self.value

    def number(self) -> float:
        """Return a finite number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or not math.isfinite(self.value):
            raise self.refused(text("core.json-not-number"))
        return float(self.value)

    def hexadecimal(self, digits: int) -> str:
        """Return a text of exactly ``digits`` hexadecimal digits in lower case."""
        if not isinstance(self.value, str) or len(self.value) != digits or set(self.value) - set("0123456789abcdef"):
            raise self.refused(text("core.json-not-hex", digits=digits))
        return self.value


def read_json(data: bytes | str, limit: int, most_values: int) -> Item:
    """Return the JSON value in ``data``, of at most ``limit`` bytes and ``most_values`` values.

    Raises ``RecordError`` on anything else, and on what JSON parsers disagree about: duplicate keys, ``NaN``,
    numbers of more than 18 digits, a byte order mark.
    """
    written = _decoded(data, limit)
    # A megabyte of "[]," would grow to twenty times its size in memory; counting first is cheap.
    if sum(map(written.count, ",[{")) > most_values:
        raise refused_at("", text("core.json-too-many-items", limit=most_values))
    try:
        value = json.loads(
            written,
            object_pairs_hook=_object_of,
            parse_int=_integer_of,
            parse_float=_float_of,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        key = "core.json-cut" if _is_cut(error) else "core.json-broken"
        raise RecordError(text(key, line=error.lineno, column=error.colno)) from None
    except RecursionError:
        raise RecordError(text("core.json-too-deep")) from None
    return Item(value)


def _is_cut(error: json.JSONDecodeError) -> bool:
    """Return whether the text may be truncated: it stops within a string, a number or a word, or between two."""
    begun = error.doc[error.pos :].strip()
    within = error.msg.startswith("Unterminated string") or (error.pos > 0 and _BEGUN.fullmatch(begun) is not None)
    return within or not begun


def _decoded(data: bytes | str, limit: int) -> str:
    if len(data) > limit:
        raise RecordError(text("core.json-too-large", limit=limit))
    if isinstance(data, str):
        written = data
    else:
        try:
            written = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(text("core.json-not-utf8", byte=error.start)) from None
    if written.startswith("\N{ZERO WIDTH NO-BREAK SPACE}"):
        raise RecordError(text("core.json-mark"))
    return written


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RecordError(text("core.json-double-key", name=shown(key)))
            seen.add(key)
    return members


def _no_number(digits: str) -> NoReturn:
    raise RecordError(text("core.json-number", number=shown(digits)))


def _integer_of(digits: str) -> int:
    return int(digits) if len(digits) <= _INTEGER_DIGITS else _no_number(digits)


def _float_of(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _no_number(digits)
