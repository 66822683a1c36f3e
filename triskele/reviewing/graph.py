"""The graph of winning chances as SVG, without a script. Colours come from the style sheet of the page around it.

With two seats it is one line, the chance of the first; with more, or where each seat is judged by what it knew, a
line for each seat. Grades differ by their shapes, lines by their dashes: colour is never the only sign.
"""

from collections.abc import Sequence
from html import escape

from triskele.core.numbers import percent
from triskele.core.words import say, text
from triskele.reviewing.formulas import BLUNDER, MISTAKE
from triskele.reviewing.review import Review

WIDTH, HEIGHT = 760.0, 240.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 12.0, 10.0, 24.0
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2")


class _Plane:
    """Where moves and chances are in the drawing."""

    def __init__(self, moves: int) -> None:
        self.moves = max(1, moves)

    def x(self, at: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * at / self.moves

    @staticmethod
    def y(chance: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - chance)

    def points(self, chances: Sequence[float]) -> str:
        return " ".join(f"{self.x(at):.1f},{self.y(chance):.1f}" for at, chance in enumerate(chances))


def shown_seats(review: Review) -> tuple[int, ...]:
    """Return the seats whose chances are drawn."""
    variant = review.record.variant
    return (0,) if variant.seats <= 2 and not variant.game.hidden else tuple(range(variant.seats))


def chances_graph(review: Review, names: Sequence[str], language: str = "en") -> str:
    """Return the graph as an SVG element that says in its title what it shows."""
    chances = review.found.chances
    plane = _Plane(len(chances) - 1)
    seats = shown_seats(review)
    body = []
    for tick in range(5):
        y = plane.y(tick / 4)
        body.append(f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        body.append(
            f'<text class="tick" x="{_LEFT - 6}" y="{y + 4:.1f}">{escape(say(percent(tick / 4, 0), language))}</text>'
        )
    if review.turning_point is not None:
        x = plane.x(review.turning_point)
        body.append(f'<line class="turn" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{HEIGHT - _BOTTOM}"/>')
    for seat in seats:
        line = plane.points([each[seat] for each in chances])
        if len(seats) == 1:
            low, ends = plane.y(0), f"{plane.x(len(chances) - 1):.1f}"
            body.append(f'<polygon class="area" points="{_LEFT},{low:.1f} {line} {ends},{low:.1f}"/>')
        dash = f' stroke-dasharray="{_DASHES[seat % len(_DASHES)]}"' if seat else ""
        body.append(f'<polyline class="line seat-{seat}"{dash} points="{line}"/>')
    for move in review.moves:
        if move.grade is not None:
            seat = move.seat if move.seat in seats else seats[0]
            x, y = plane.x(move.number), plane.y(chances[move.number][seat])
            body.append(
                f'<path class="{move.grade}" d="{_shape(move.grade, x, y)}"><title>{escape(move.move)}</title></path>'
            )
    title = escape(say(text("reviewing.chart"), language))
    who = escape(", ".join(names[seat] for seat in seats))
    last = len(chances) - 1
    body.append(f'<text class="end" x="{WIDTH - _RIGHT}" y="{HEIGHT - 6}">{last}</text>')
    return (
        f'<svg class="chances" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{title}: {who}">'
        f"<title>{title}: {who}</title>{''.join(body)}</svg>"
    )


def _shape(grade: str, x: float, y: float) -> str:
    """Return the path of a grade's mark: a triangle for a blunder, a square for a mistake, a circle otherwise."""
    if grade == BLUNDER:
        return f"M{x:.1f} {y - 6:.1f}l6 11h-12z"
    if grade == MISTAKE:
        return f"M{x - 4.5:.1f} {y - 4.5:.1f}h9v9h-9z"
    return f"M{x - 4:.1f} {y:.1f}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"
