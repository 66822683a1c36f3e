"""Marks on a drawn board as SVG: a ring around a place, an arrow from one place to another. Nothing here knows a game.

The page draws the same (``web/engine/arrows.js``, ``web/board/geometry.js``).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from triskele.core.scene import Place, Scene

Marks = Sequence[Sequence[str]]
"""What is marked in a position: each mark is the token of a place, or those of two for an arrow."""

_INK = {"light": "#1f6f78", "dark": "#62b6be"}
_SHAFT = 6.5  # units of the scene
_HEAD = 2.4  # the head's breadth, in shafts
_SHORT = 14.0  # units that an arrow ends before the middle of its last place
_LEAST = 0.3  # the part of the way that an arrow keeps, however short

_Point = tuple[float, float]


def marks_svg(scene: Scene, marks: Marks, theme: Literal["light", "dark"]) -> str:
    """Return marks as elements of SVG, to be drawn over the pieces, as far as the scene has their places."""
    places: Mapping[str, Place] = {place.token: place for place in scene.places}
    known = [[places[token] for token in mark] for mark in marks if all(token in places for token in mark)]
    drawn = "".join(_ring(mark[0]) if len(mark) == 1 else _arrow(_middle(mark[0]), _middle(mark[1])) for mark in known)
    if not drawn:
        return ""
    ink = _INK[theme]
    return f'<g opacity=".9" fill="{ink}" stroke="{ink}">{drawn}</g>'


def _middle(place: Place) -> _Point:
    """Return the middle of a place's outline: a triangle's is not that of its box."""
    if not place.points:
        return place.x, place.y
    xs, ys = zip(*place.points, strict=True)
    return place.x + sum(xs) / len(xs), place.y + sum(ys) / len(ys)


def _radius(place: Place) -> float:
    """Return the radius of the circle that fits into a place, around its middle."""
    if not place.points:
        return place.radius
    x, y = _middle(place)
    corners = [(place.x + dx - x, place.y + dy - y) for dx, dy in place.points]
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return min(abs((bx - ax) * ay - (by - ay) * ax) / math.dist((ax, ay), (bx, by)) for (ax, ay), (bx, by) in sides)


def _ring(place: Place) -> str:
    x, y = _middle(place)
    radius = _radius(place) * (0.8 if place.points else 1.12)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none" stroke-width="{_SHAFT * 0.7:.2f}"/>'


def _shortened(start: _Point, end: _Point, by: float) -> _Point:
    length = math.dist(start, end) or 1.0
    share = max(_LEAST, (length - by) / length)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _arrow(start: _Point, end: _Point) -> str:
    tip = _shortened(start, end, _SHORT)
    neck = _shortened(start, tip, _SHAFT * _HEAD * 0.8)
    length = math.dist(start, tip) or 1.0
    dx, dy = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
    back, side = _SHAFT * _HEAD * 0.9, _SHAFT * _HEAD / 2
    base = (tip[0] - dx * back, tip[1] - dy * back)
    head = (
        (tip[0] + dx * _SHAFT * 0.6, tip[1] + dy * _SHAFT * 0.6),
        (base[0] - dy * side, base[1] + dx * side),
        (base[0] + dy * side, base[1] - dx * side),
    )
    shaft = f'<polyline points="{_points((start, neck))}" fill="none" stroke-width="{_SHAFT}" stroke-linecap="round"/>'
    return f'{shaft}<polygon points="{_points(head)}" stroke="none"/>'


def _points(points: Sequence[_Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
