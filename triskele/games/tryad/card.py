"""The Tryad card (A1): the names of its fields and layouts as people write them."""

from triskele.core.words import Text, text

ROWS = "abcd"
"""The rows from the apex; row number ``i`` has ``2 * i + 1`` fields."""

FIELDS = tuple(f"{row}{column}" for i, row in enumerate(ROWS) for column in range(1, 2 * i + 2))
"""The names of the 16 fields, in alphabetical order; a field's index here is its bit in the rules."""

STANDARD = "4/213/31412/4121314"
"""The standard card: the same from all three sides, with a 4 in the middle."""

FORM: Text = text("tryad.layout-form", example=STANDARD)
"""What a layout looks like, in words."""


def split_rows(marks: str) -> str:
    """Return 16 characters, one a field, in the form of a layout: rows from the apex, with slashes between."""
    return "/".join(marks[i * i : (i + 1) * (i + 1)] for i in range(len(ROWS)))


def read_layout(written: str) -> tuple[int, ...] | None:
    """Return the 16 numbers of a layout such as ``STANDARD``, or ``None`` if it is not in that form."""
    digits = written.replace("/", "")
    if len(digits) != len(FIELDS) or split_rows(digits) != written or not set(digits) <= set("1234"):
        return None
    return tuple(map(int, digits))


def field_names(fields: int) -> list[str]:
    """Return the names of a set of fields, in alphabetical order."""
    return [name for bit, name in enumerate(FIELDS) if fields >> bit & 1]
