"""The geometry of the boards: borders and contacts follow from the coordinates of the fields' corners.

Corners are points of the triangular lattice, written as whole numbers (x, y) over two unit steps at
60 degrees to each other, so that corners which coincide are equal and nothing is ever rounded. A
board is four steps long on each side. Seen with its apex up, its rows run from the apex down and
left to right (A1); it is turned by multiples of 60 degrees and shifted, never mirrored (C17).

A field is a number ``seat * 16 + index``, with the card's order a1, b1 to b3, c1 to c5, d1 to d7. This
is also the alphabetical order of the fields' names.
"""

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from triskele.games.conquest.card import CARD, ROWS

Point = tuple[int, int]
Corners = tuple[Point, Point, Point]

BOARD = len(CARD)
"""Fields of a board."""
HOME = CARD.index("c3")
"""The place of the home on every board (C2)."""
SETUPS = (("fan", 2), ("fan", 3), ("fan", 4), ("fan", 6), ("pyramid", 4))
"""The ways to lay the boards, each with its number of players (C1)."""
FIELDS = BOARD * max(players for _, players in SETUPS)
HALF = FIELDS // 2
"""A set of fields is two words: fields below ``HALF`` in the first, the others in the second."""

_LEFT: Point = (0, -1)
_RIGHT: Point = (1, -1)


def turned(point: Point, sixths: int) -> Point:
    """Return a point rotated around (0, 0) by ``sixths`` times 60 degrees, counterclockwise."""
    x, y = point
    for _ in range(sixths % 6):
        x, y = -y, x + y
    return x, y


def flat(point: Point) -> tuple[float, float]:
    """Return the Cartesian coordinates of a point, with the side of a field as unit and y upwards."""
    x, y = point
    return x + y / 2, y * math.sqrt(3) / 2


def _board(apex: Point, sixths: int) -> list[Corners]:
    """Return the corners of a board's fields; with ``sixths`` 0 its apex points up."""
    left, right = turned(_LEFT, sixths), turned(_RIGHT, sixths)

    def corner(row: int, step: int) -> Point:
        down = row - step
        return apex[0] + down * left[0] + step * right[0], apex[1] + down * left[1] + step * right[1]

    fields: list[Corners] = []
    for row in range(ROWS):
        for index in range(2 * row + 1):
            step = index // 2
            third = corner(row + 1, step) if index % 2 == 0 else corner(row, step + 1)
            fields.append((corner(row, step), third, corner(row + 1, step + 1)))
    return fields


def _board_on(left: Point, right: Point) -> list[Corners]:
    """Return the board whose base has its left and right corner at these points."""
    for sixths in range(6):
        step_left, step_right = turned(_LEFT, sixths), turned(_RIGHT, sixths)
        apex = left[0] - ROWS * step_left[0], left[1] - ROWS * step_left[1]
        if (apex[0] + ROWS * step_right[0], apex[1] + ROWS * step_right[1]) == right:
            return _board(apex, sixths)
    raise ValueError("no board has such a base")


def corners(kind: str, players: int) -> list[Corners]:
    """Return the corners of all fields of a setup, by field number (C1, C17)."""
    if kind == "fan":
        return [field for seat in range(players) for field in _board((0, 0), seat)]
    # The middle board, apex up: each of its sides, walked against the clock, is another board's base
    # walked from right to left, because that board lies on the other side of it.
    apex: Point = (0, 0)
    left: Point = (ROWS * _LEFT[0], ROWS * _LEFT[1])
    right: Point = (ROWS * _RIGHT[0], ROWS * _RIGHT[1])
    outer = [_board_on(left, apex), _board_on(apex, right), _board_on(right, left)]
    return [field for board in outer for field in board] + _board(apex, 0)


def shared(fields: list[Corners]) -> list[Counter[int]]:
    """Return for each field how many corners it shares with every other field that it meets.

    Two fields border when they share two corners, and touch when they share at least one (C1).
    """
    meeting: dict[Point, list[int]] = {}
    for field, its_corners in enumerate(fields):
        for corner in its_corners:
            meeting.setdefault(corner, []).append(field)
    answer = [Counter(other for corner in its_corners for other in meeting[corner]) for its_corners in fields]
    for field, others in enumerate(answer):
        del others[field]
    return answer


def field_set(fields: Iterable[int]) -> tuple[int, int]:
    """Return a set of fields as two words."""
    words = [0, 0]
    for field in fields:
        words[field // HALF] |= 1 << field % HALF
    return words[0], words[1]


def _count_joined(near: list[Counter[int]]) -> int:
    """Return how many sets of three fields that all touch one another do not lie on one board."""
    return sum(
        third in near[second] and third // BOARD != first // BOARD
        for first in range(len(near))
        for second in near[first]
        for third in near[first]
        if first < second < third
    )


def _tables() -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    border = np.full((len(SETUPS), FIELDS, 3), -1, dtype=np.int64)
    later = np.zeros((len(SETUPS), FIELDS, 2), dtype=np.int64)
    joined = 0
    for setup, (kind, players) in enumerate(SETUPS):
        near = shared(corners(kind, players))
        for field, others in enumerate(near):
            across = sorted(other for other, common in others.items() if common == 2)
            border[setup, field, : len(across)] = across
            later[setup, field] = field_set(other for other in others if other > field)
        joined = max(joined, _count_joined(near))
    return border, later, joined


BORDER, LATER, JOINED = _tables()
"""``BORDER[setup, field]``: the up to three fields across its sides, ascending; -1 for none.
``LATER[setup, field]``: the fields of higher number that it touches, as two words.
``JOINED``: no setup has more sets of three touching fields that do not lie on one board."""
