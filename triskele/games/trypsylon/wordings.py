"""Moves of TRYPSYLON in words, for lists of moves."""

from triskele.core.wordings import Wording
from triskele.games.trypsylon.texts import DIRECTIONS, PUT_BACK, SIDES

_DIRECTIONS = {direction: f"trypsylon.direction.{direction}" for direction in DIRECTIONS}

WORDINGS = (
    Wording("(?P<cell>[a-f][1-6])", "trypsylon.move.lift"),
    Wording(PUT_BACK, "trypsylon.move.back"),
    *(
        Wording(f"{side}(?P<line>[a-f1-6])/(?P<direction>[NS][EW])", f"trypsylon.move.push.{side}", _DIRECTIONS)
        for side in SIDES
    ),
)
