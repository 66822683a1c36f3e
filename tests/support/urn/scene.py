"""Urn as a picture: the balls that are left, and what each seat has."""

from triskele.core.scene import Fact, Glyph, Look, Piece, Place, Scene

GLYPHS = {"urn-red": Glyph(("o",), "red"), "urn-black": Glyph(("x",))}


def scene(look: Look) -> Scene:
    red, black, *_ = look.state[1:8].tolist()
    balls = [Piece(f"red-{n}", "urn-red", 10.0 + 10 * n, 20.0) for n in range(red)]
    balls += [Piece(f"black-{n}", "urn-black", 10.0 + 10 * n, 40.0) for n in range(black)]
    places = [Place(word, 20.0 + 60 * at, 70.0, word, radius=10.0) for at, word in enumerate(("draw", "pass"))]
    facts = [Fact(str(look.state[6 + seat]), seat) for seat in range(2)]
    return Scene("urn", 520.0, 90.0, tuple(balls), tuple(places), tuple(facts))
