"""Race as a picture: a runner for each seat, as far along as it has points."""

from triskele.core.scene import Glyph, Look, Piece, Scene

GLYPHS = {"race-runner": Glyph(("o",))}


def scene(look: Look) -> Scene:
    points = look.state[9 : 9 + int(look.state[1])].tolist()
    runners = [Piece(f"runner-{seat}", "race-runner", 10.0 + 10 * n, 20.0 + 20 * seat) for seat, n in enumerate(points)]
    return Scene("race", 20.0 + 10 * (int(look.state[2]) + 8), 100.0, tuple(runners))
