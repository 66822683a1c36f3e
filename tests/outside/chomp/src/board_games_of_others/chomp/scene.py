"""Chomp as a picture: the squares that are left, each a place to click."""

from triskele.core.scene import Glyph, Look, Piece, Place, Scene

from .notation import move_text
from .rules import COLUMNS, HEIGHT, ROWS, SIDE

GLYPHS = {"chomp-square": Glyph(("#",)), "chomp-poison": Glyph(("!",), "bold")}
SPACE = 20.0


def scene(look: Look) -> Scene:
    columns, rows = int(look.state[COLUMNS]), int(look.state[ROWS])
    pieces, places = [], []
    for column in range(columns):
        for row in range(int(look.state[HEIGHT + column])):
            code = SIDE * column + row
            square = move_text(look.options, code)
            x, y = SPACE * (column + 1), SPACE * (rows - row)
            pieces.append(Piece(square, "chomp-square" if code else "chomp-poison", x, y))
            places.append(Place(square, x, y, look.say("chomp.square", square=square), radius=9.0))
    return Scene("chomp", SPACE * (columns + 1), SPACE * (rows + 1), tuple(pieces), tuple(places))
