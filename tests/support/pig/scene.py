"""Pig as a picture: two pigs, as far along as they have points."""

from triskele.core.scene import Fact, Glyph, Look, Piece, Place, Scene

GLYPHS = {"pig-pig": Glyph(("@",))}


def scene(look: Look) -> Scene:
    totals = look.state[7:9].tolist()
    pigs = [Piece(f"pig-{seat}", "pig-pig", 10.0 + 5 * total, 20.0 + 20 * seat) for seat, total in enumerate(totals)]
    places = [Place(word, 20.0 + 60 * at, 70.0, word, radius=10.0) for at, word in enumerate(("roll", "hold"))]
    return Scene("pig", 600.0, 90.0, tuple(pigs), tuple(places), (Fact(str(look.state[5])),))
