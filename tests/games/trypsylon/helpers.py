"""Positions, moves and helpers that the tests of this game share."""

import triskele


def at(rows: str, rest: str, options: str = "") -> triskele.Position:
    """Return a position; ``rows`` may be written over several lines, with spaces between cells."""
    body = "/".join("".join(row.split()) for row in rows.strip().splitlines())
    return triskele.position(f"trypsylon{' ' + options if options else ''}: {body} {rest}")


def texts(position: triskele.Position) -> set[str]:
    return {move.text for move in position.legal_moves}


def play(position: triskele.Position, moves: str) -> triskele.Position:
    for move in moves.split():
        position.push(move)
    return position


ALL_NE = "\n".join(5 * [5 * "NE "])
"""Nothing joins anything here, and a push of another NE changes nothing to see."""


SHUFFLE = "b3 W3/NE c3 Nc/NE"
"""On ALL_NE with c5 barred: an open move each, and the same position again."""
