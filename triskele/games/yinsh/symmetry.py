"""The symmetries of YINSH: the board turned by sixths and mirrored, twelve ways in all."""

import functools
import re
from collections.abc import Sequence

from triskele.core.contract.symmetry import Symmetry
from triskele.core.game import Options
from triskele.games.yinsh import rules as r
from triskele.games.yinsh.texts import NAMES

_POINT = re.compile(r"[a-k]\d+")
_MIDDLE = 5, 6
"""The letter, from 0, and the number of the point in the middle."""


def _turned(letter: int, number: int) -> tuple[int, int]:
    """Return where a sixth of a turn around the middle brings a point."""
    across, up = letter - _MIDDLE[0], number - _MIDDLE[1]
    return _MIDDLE[0] + up, _MIDDLE[1] + up - across


def _mirrored(letter: int, number: int) -> tuple[int, int]:
    """Return where a mirror brings a point that exchanges the two axes."""
    across, up = letter - _MIDDLE[0], number - _MIDDLE[1]
    return _MIDDLE[0] + up, _MIDDLE[1] + across


def _maps() -> list[tuple[int, ...]]:
    """Return for each way but the first, by the index of a point, the index of the one where it comes to lie."""
    index = {point: number for number, point in enumerate(r.COORDINATES)}
    found = []
    for mirror in (False, True):
        points = [_mirrored(*point) if mirror else point for point in r.COORDINATES]
        for _ in range(6):
            found.append(tuple(index[point] for point in points))
            points = [_turned(*point) for point in points]
    return found[1:]


def _line(order: Sequence[int], line: str) -> str:
    columns, space, rest = line.partition(" ")
    signs = columns.replace("/", "")
    moved = [""] * len(signs)
    for point, target in enumerate(order):
        moved[target] = signs[point]
    written, begin = [], 0
    for low, high in r.COLUMNS:
        written.append("".join(moved[begin : begin + high - low + 1]))
        begin += high - low + 1
    return f"{'/'.join(written)}{space}{rest}"


def _move(names: dict[str, str], move: str) -> str:
    points = [names[point] for point in _POINT.findall(move)]
    if move.startswith("x"):  # a row is named by its ends, the one with the smaller letter (then number) first
        points.sort(key=lambda point: (point[0], int(point[1:])))
        return f"x{'-'.join(points)}"
    return "-".join(points) if points else move


@functools.cache
def _all() -> tuple[Symmetry, ...]:
    found = []
    for order in _maps():
        names = {NAMES[point]: NAMES[target] for point, target in enumerate(order)}
        found.append(Symmetry(functools.partial(_line, order), functools.partial(_move, names)))
    return tuple(found)


def symmetries(options: Options) -> tuple[Symmetry, ...]:
    """Return the eleven ways to turn and mirror the board that do not leave it as it is."""
    return _all()
