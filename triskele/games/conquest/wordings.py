"""Moves of Conquest Tryad in words, for lists of moves. A roll is its number."""

from triskele.core.wordings import Wording
from triskele.games.conquest.moves import FIELD

_N = r"(?P<n>\d{1,4})"

WORDINGS = (
    Wording(f"h(?P<field>{FIELD})", "conquest.move.token"),
    Wording(rf"t(?P<fields>{FIELD}\+{FIELD}\+{FIELD})>(?P<field>{FIELD})\*{_N}", "conquest.move.triple"),
    Wording(rf"(?P<field>{FIELD})<(?P<source>{FIELD})\*{_N}", "conquest.move.attack"),
    Wording(
        rf"(?P<field>{FIELD})<(?P<source>{FIELD})\*{_N}\+(?P<second>{FIELD})\*(?P<more>\d)", "conquest.move.attack-two"
    ),
    Wording(
        rf"(?P<field>{FIELD})<(?P<source>{FIELD})\*1\+(?P<second>{FIELD})\*1\+(?P<third>{FIELD})\*1",
        "conquest.move.attack-three",
    ),
    Wording(f"d{_N}", "conquest.move.defence"),
    Wording(rf"\+(?P<field>{FIELD})\*{_N}", "conquest.move.follow"),
    Wording(rf"v(?P<source>{FIELD})>(?P<field>{FIELD})\*{_N}", "conquest.move.advantage"),
    Wording("done", "conquest.move.done"),
    Wording("stay", "conquest.move.stay"),
)
