"""Numbers as each language writes them: decimal sign, thousands, per cent. The only place that formats them for people.

The functions return texts, to be used as values of other texts: they become words in the reader's language with them.
"""

from triskele.core.words import Text, text

GROUPED_FROM = 10_000
"""Smaller whole numbers are written without a separator, as Spanish and Polish want it and no language forbids."""


def whole(value: float, *, signed: bool = False) -> Text:
    """Return a number rounded to a whole one, its thousands separated; ``signed`` writes a plus, too."""
    number = round(value)
    return text("core.number", sign=_sign(number, signed), digits=_grouped(abs(number)))


def decimal(value: float, places: int, *, signed: bool = False) -> Text:
    """Return a number with so many decimal places, at least one; ``signed`` writes a plus, too."""
    digits, _, part = f"{abs(value):.{places}f}".partition(".")
    shown = text("core.decimal", whole=_grouped(int(digits)), part=part)
    zero = not digits.strip("0") and not part.strip("0")
    return text("core.number", sign=_sign(0 if zero else value, signed), digits=shown)


def percent(share: float, places: int = 1) -> Text:
    """Return a share of 1 in per cent."""
    return text("core.percent", number=decimal(100 * share, places) if places else whole(100 * share))


def _sign(value: float, signed: bool) -> str:
    return "−" if value < 0 else "+" if signed and value > 0 else ""


def _grouped(number: int, least: int = GROUPED_FROM) -> str | Text:
    if number < least:
        return str(number)
    head, tail = divmod(number, 1000)
    return text("core.thousands", head=_grouped(head, 1000), tail=f"{tail:03}")
