"""A player's board is a Tryad card (A1): its fields' names, and its numbers as people write them."""

from triskele.core.words import Text, text

ROWS = 4
CARD = tuple(f"{'abcd'[row]}{index + 1}" for row in range(ROWS) for index in range(2 * row + 1))
"""The names of a card's fields from the apex on, left to right: also in alphabetical order."""
STANDARD = "4/213/31412/4121314"
"""The numbers of the standard card, row by row."""
FORM: Text = text("conquest.layout-form", example=STANDARD)
"""What a layout looks like, in words."""


def read_layout(written: str) -> tuple[int, ...] | None:
    """Return the 16 numbers of a layout, or ``None`` unless it has rows of 1, 3, 5 and 7 digits 1 to 4."""
    rows = written.split("/")
    if [len(row) for row in rows] != [2 * row + 1 for row in range(ROWS)] or set("".join(rows)) - set("1234"):
        return None
    return tuple(int(digit) for row in rows for digit in row)
