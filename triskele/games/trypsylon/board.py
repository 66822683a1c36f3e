"""TRYPSYLON's board as Python objects: cells, grid points, arms and paths, for scenes and texts.

The rules work on bitboards; this module is slower and made to be read.
"""

import functools
import itertools
from collections import deque
from collections.abc import Iterator

from triskele.core.contract import State
from triskele.games.trypsylon import rules as r
from triskele.games.trypsylon.notation import lying
from triskele.games.trypsylon.texts import DIRECTIONS

Cell = tuple[int, int]
"""Column and row, from 0, from west and south on. A grid point has the numbers of the cell northeast of it."""
Node = tuple[str, Cell]
"""A node of the graph of paths: ``("card", cell)`` or ``("point", grid point)``."""

STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
ARMS = {"NE": "WS", "SE": "NW", "SW": "NE", "NW": "ES"}  # T2: the straight arms of a card, by its direction
CORNERS = {"NE": (1, 1), "SE": (1, 0), "SW": (0, 0), "NW": (0, 1)}  # where a diagonal ends, from its cell
NAMED = dict(zip("1234", DIRECTIONS, strict=True))  # a card that is up, by its digit in ``lying``
DOWN, VACANT = "05"


class Board:
    """The cards of a position by cell, its live grid points and its paths."""

    def __init__(self, state: State) -> None:
        """Read the cards of a position."""
        words = state[: r.SIZE].tolist()
        self.columns, self.rows = words[r.COLUMNS], words[r.ROWS]
        self.cells = cells_of(self.columns, self.rows)
        shown = tuple(zip(self.cells, lying(words), strict=True))
        self.cards = {cell: NAMED[card] for cell, card in shown if card in NAMED}
        self.holes = {cell for cell, card in shown if card == VACANT}
        points = itertools.product(range(self.columns + 1), range(self.rows + 1))
        self.live = {point for point in points if all(cell in self.cards for cell in self.around(point))}

    def around(self, point: Cell) -> list[Cell]:
        """Return the cells around a grid point, fewer at the frame."""
        return sorted(corners(self.columns, self.rows)[point])

    def end(self, cell: Cell) -> Cell:
        """Return the grid point that a card's diagonal arm runs into."""
        return end_of(cell, self.cards[cell])

    def landings(self) -> set[Cell]:
        """Return the live points in which a diagonal arm ends."""
        return {self.end(cell) for cell in self.cards} & self.live

    def path(self, sides: str) -> list[Node]:
        """Return a shortest path between two sides of the frame (T10 to T12), empty if they are not joined."""
        before: dict[Node, Node | None] = dict.fromkeys(self._at_side(sides[0]))
        goals = set(self._at_side(sides[1]))
        waiting = deque(before)
        while waiting:
            node = waiting.popleft()
            if node in goals:
                way = [node]
                while (step := before[way[-1]]) is not None:
                    way.append(step)
                return way[::-1]
            for other in self._joined_to(node):
                if other not in before:
                    before[other] = node
                    waiting.append(other)
        return []

    def _at_side(self, side: str) -> list[Node]:
        """Return the cards whose straight arm reaches a side, and the landings on it."""
        axis, place = {"W": (0, 0), "E": (0, self.columns), "S": (1, 0), "N": (1, self.rows)}[side]
        edge = min(place, (self.columns, self.rows)[axis] - 1)
        cards = [("card", cell) for cell in self.cells if cell[axis] == edge and side in self.arms(cell)]
        return cards + [("point", point) for point in sorted(self.landings()) if point[axis] == place]

    def _joined_to(self, node: Node) -> Iterator[Node]:
        kind, at = node
        if kind == "point":
            yield from (("card", cell) for cell in self.around(at) if self.end(cell) == at)
            return
        if self.end(at) in self.live:
            yield "point", self.end(at)
        for side in self.arms(at):
            other = (at[0] + STEPS[side][0], at[1] + STEPS[side][1])
            if opposite(side) in self.arms(other):
                yield "card", other

    def arms(self, cell: Cell) -> str:
        """Return the sides that the straight arms on a cell run to."""
        return ARMS.get(self.cards.get(cell, ""), "")


@functools.cache
def corners(columns: int, rows: int) -> dict[Cell, frozenset[Cell]]:
    """Return the cells around each grid point, fewer at the frame."""
    cells = set(itertools.product(range(columns), range(rows)))
    points = itertools.product(range(columns + 1), range(rows + 1))
    return {(x, y): frozenset({(x - i, y - j) for i in (0, 1) for j in (0, 1)} & cells) for x, y in points}


@functools.cache
def cells_of(columns: int, rows: int) -> tuple[Cell, ...]:
    """Return the cells of a frame, row by row from the south."""
    return tuple((column, row) for row in range(rows) for column in range(columns))


@functools.cache
def codes_of(columns: int, rows: int) -> tuple[int, ...]:
    """Return the codes of the lifts from the cells of a frame, in the order of :func:`cells_of`."""
    return tuple(map(code_of, cells_of(columns, rows)))


@functools.cache
def ends_of(columns: int, rows: int) -> tuple[dict[str, tuple[Cell, int]], ...]:
    """Return for each cell of a frame, by the digit of the card on it, the grid point where its diagonal arm ends.

    Beside the point stands the bitboard of the cells that must all have cards for it to be live (T11).
    """
    needed = {point: sum(map(BITS.__getitem__, cells)) for point, cells in corners(columns, rows).items()}
    ends = []
    for cell in cells_of(columns, rows):
        points = {card: end_of(cell, direction) for card, direction in NAMED.items()}
        ends.append({card: (point, needed[point]) for card, point in points.items()})
    return tuple(ends)


def end_of(cell: Cell, direction: str) -> Cell:
    """Return the grid point that the diagonal arm of a card runs into."""
    i, j = CORNERS[direction]
    return cell[0] + i, cell[1] + j


def opposite(side: str) -> str:
    """Return the opposite side."""
    return "SWNE"["NESW".index(side)]


def code_of(cell: Cell) -> int:
    """Return the code of the lift from a cell."""
    return 6 * cell[1] + cell[0]


def cell_of(code: int) -> Cell:
    """Return the cell that a lift is from."""
    return code % 6, code // 6


BITS: dict[Cell, int] = {cell_of(code): bit for code, bit in enumerate(r.CELLS.tolist())}
"""The bit of each cell in a bitboard."""


@functools.cache
def lane_of(entrance: int, columns: int, rows: int) -> tuple[Cell, ...]:
    """Return the cells of an entrance's line, from the edge where the entrance is."""
    side, line = divmod(entrance, 6)
    if side % 2 == 0:
        cells = tuple((line, row) for row in range(rows))
    else:
        cells = tuple((column, line) for column in range(columns))
    return cells if side < 2 else cells[::-1]


@functools.cache
def lane_codes(entrance: int, columns: int, rows: int) -> tuple[int, ...]:
    """Return the codes of the lifts from the cells of an entrance's line."""
    return tuple(map(code_of, lane_of(entrance, columns, rows)))
