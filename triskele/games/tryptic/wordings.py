"""Moves of TRYPTIC in words, for lists of moves."""

from triskele.core.wordings import Wording

_COLOURS = {
    "B": "tryptic.blue",
    "G": "tryptic.green",
    "R": "tryptic.red",
    "W": "tryptic.white",
    "Y": "tryptic.yellow",
}
_PATTERN = "(?P<first>[BGRWY])(?P<second>[BGRWY])(?P<third>[BGRWY])"

WORDINGS = (
    Wording(f"={_PATTERN}", "tryptic.move.pattern", _COLOURS),
    Wording(r"=\*\*\*", "tryptic.move.hidden"),
    Wording("(?P<colour>[BGRWY])(?P<hex>[a-i][1-9])", "tryptic.move.tile", _COLOURS),
    Wording(rf"\?(?P<player>[1-5])={_PATTERN}", "tryptic.move.challenge", _COLOURS),
    Wording(r"\.", "tryptic.move.end"),
    Wording("![1-5]", "tryptic.move.announce"),
    Wording("x[1-5]", "tryptic.move.gave-up"),
)
