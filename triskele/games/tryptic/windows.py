"""Windows: every three neighbouring hexes on a line, where patterns stand or can come to stand.

A window's *configuration* is what its three cells hold, as a number. :class:`Board` computes with NumPy, for all
placements and all 75 patterns at once, what each placement changes in the windows.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.weights import Reals

Codes = NDArray[np.int64]

CONFIGURATIONS = 6**3
"""The number of configurations: each of three cells is empty or holds one of five colours."""
STEPS = np.array([36, 6, 1], dtype=np.int64)
"""The factor of a cell in the number of a configuration, by its place in the window."""


def _windows() -> Codes:
    """Return the three hexes of every window."""
    after = r.NEAR.reshape(r.HEXES, 3, 4)[:, :, 2:]
    found = [(i, *after[i, line]) for line in range(3) for i in range(r.HEXES) if after[i, line, 1] < r.HEXES]
    return np.array(found, dtype=np.int64)


def _fullness() -> Codes:
    """Return for each configuration and pattern how many of its tiles are there, -1 if it cannot come to stand."""
    table = np.full((CONFIGURATIONS, r.PATTERNS), -1, dtype=np.int64)
    for configuration in range(CONFIGURATIONS):
        cells = (configuration // 36, configuration // 6 % 6, configuration % 6)
        for pattern, colours in enumerate((r.PATTERN_COLOURS + 1).tolist()):
            for way in (colours, colours[::-1]):
                if all(cell in (0, colour) for cell, colour in zip(cells, way, strict=True)):
                    table[configuration, pattern] = sum(cell > 0 for cell in cells)
    return table


WINDOWS = _windows()
FULLNESS = _fullness()

WORTH = np.array([1 / 16, 5 / 16, 1.0], dtype=np.float32)
"""The value in points of a window with one, two or all three tiles of a pattern, for the greedy and plain models."""
READY = (FULLNESS == 2).astype(np.int64)

_BITS = 10
_PACKED = np.where(FULLNESS > 0, 1 << _BITS * np.maximum(FULLNESS - 1, 0), 0).astype(np.int32)
"""Three counters in one number, ten bits each: windows with one, two and three tiles."""


def _lacking() -> Codes:
    """Return the place of the only empty cell for each configuration with one, -1 for the others."""
    cells = np.stack([np.arange(CONFIGURATIONS) // step % 6 for step in STEPS])
    return np.where((cells == 0).sum(axis=0) == 1, (cells == 0).argmax(axis=0), -1)


LACKING = _lacking()

# Every pair of a window and a place in it, in the order of the hexes.
_PAIRS = sorted((int(target), window, place) for window, row in enumerate(WINDOWS) for place, target in enumerate(row))
_PAIR_HEX = np.array([target for target, _, _ in _PAIRS])
_PAIR_WINDOW = np.array([window for _, window, _ in _PAIRS])
_PAIR_STEP = STEPS[[place for _, _, place in _PAIRS]]

# The same by hex, the windows through each, filled up with window -1 and step 0.
_PLACEMENTS = r.COLOURS * r.HEXES
_THROUGH = np.full((r.HEXES, 9), -1)
_THROUGH_STEP = np.zeros((r.HEXES, 9), dtype=np.int64)
for _target in range(r.HEXES):
    _mine = np.flatnonzero(np.equal(_PAIR_HEX, _target))
    _THROUGH[_target, : len(_mine)] = _PAIR_WINDOW[_mine]
    _THROUGH_STEP[_target, : len(_mine)] = _PAIR_STEP[_mine]


PLAIN_BETA = 3.2
"""The inverse temperature of the plain model, for gains in points."""


def softmax(logits: Reals) -> Reals:
    """Return the softmax over placements (rows), for each pattern (column)."""
    weights = np.exp(logits - logits.max(axis=0))
    chances: Reals = weights / weights.sum(axis=0)
    return chances


class Board:
    """The windows of a position, and what each placement would change in them.

    ``codes`` are the move codes of the possible placements; all tables have a row for each, in the same order.
    Tables are computed when they are first asked for.
    """

    def __init__(self, state: State) -> None:
        """Compute the configurations of all windows of a position."""
        cells = state[r.CELL : r.CELL + r.HEXES]
        self.windows = cells[WINDOWS] @ STEPS
        empty = np.flatnonzero(cells == 0)
        self._colours = colours = np.flatnonzero([not state[r.GONE] >> colour & 1 for colour in range(r.COLOURS)])
        self.codes: Codes = (r.PLACE + colours[:, None] * r.HEXES + empty).ravel()
        pairs = np.flatnonzero(cells[_PAIR_HEX] == 0)
        self._starts = np.searchsorted(_PAIR_HEX[pairs], empty)
        self._before = self.windows[_PAIR_WINDOW[pairs]]
        self._after = self._before + (colours[:, None] + 1) * _PAIR_STEP[pairs]

    @functools.cached_property
    def changes(self) -> Reals:
        """How many more windows have one, two and three tiles: an array by (tiles - 1, placement, pattern)."""
        if len(self.codes) == 0:
            return np.zeros((3, 0, r.PATTERNS), dtype=np.float32)
        packed = np.add.reduceat(_PACKED[self._after] - _PACKED[self._before], self._starts, axis=1)
        packed = packed.reshape(-1, r.PATTERNS)
        half = 1 << _BITS - 1
        one = (packed + half & (1 << _BITS) - 1) - half
        packed = packed - one >> _BITS
        two = (packed + half & (1 << _BITS) - 1) - half
        three = packed - two >> _BITS
        return np.stack([one, two, three]).astype(np.float32)

    @functools.cached_property
    def gains(self) -> Reals:
        """What each placement (row) gains for each pattern (column), in points by ``WORTH``."""
        gains: Reals = np.tensordot(WORTH, self.changes, axes=1)
        return gains

    @functools.cached_property
    def plain(self) -> Reals:
        """The plain model: the probability of each placement (row) given each pattern (column)."""
        return softmax(np.float32(PLAIN_BETA) * self.gains)

    @functools.cached_property
    def greedy(self) -> Reals:
        """The greedy model: the probability of each placement (row) given each pattern (column)."""
        best = (self.gains >= self.gains.max(axis=0) - np.float32(1e-6)).astype(np.float32)
        likely: Reals = best / best.sum(axis=0)
        return likely

    @functools.cached_property
    def points(self) -> Codes:
        """How many points each placement (row) makes at once, for each pattern (column)."""
        return self._points[self.codes - r.PLACE]

    @functools.cached_property
    def _points(self) -> Codes:
        """The same for every placement of the game, possible or not; 0 for colours that are gone."""
        lacking = LACKING[self.windows]
        almost = np.flatnonzero(lacking >= 0)
        before, place = self.windows[almost], lacking[almost]
        colours = self._colours[:, None]
        shown = r.PATTERN_OF[before + (colours + 1) * STEPS[place]] - 1
        placement = colours * r.HEXES + WINDOWS[almost, place]
        counted = np.bincount((placement * r.PATTERNS + shown).ravel(), minlength=_PLACEMENTS * r.PATTERNS)
        return counted.reshape(_PLACEMENTS, r.PATTERNS)

    @functools.cached_property
    def ready(self) -> Codes:
        """How many windows lack one tile of each pattern."""
        counted: Codes = READY[self.windows].sum(axis=0)
        return counted

    @property
    def at_once(self) -> Codes:
        """The most points that one placement makes, for each pattern."""
        most: Codes = self.points.max(axis=0, initial=0)
        return most

    def at_once_after(self, rows: Codes) -> Codes:
        """Return the most points that the next placement could make after each of ``rows``, for each pattern.

        Ignores that a colour may run out with the first of the two placements.
        """
        colour, target = np.divmod(self.codes[rows] - r.PLACE, r.HEXES)
        by_hex = self._points.reshape(r.COLOURS, r.HEXES, r.PATTERNS).max(axis=0)
        best_hex = by_hex.argmax(axis=0)
        best = by_hex[best_hex, np.arange(r.PATTERNS)]
        by_hex[best_hex, np.arange(r.PATTERNS)] = -1
        # What there is elsewhere: the hex itself is no longer empty.
        most: Codes = np.where(best_hex == target[:, None], by_hex.max(axis=0), best)
        # What is new: windows that lacked two tiles and now lack one.
        through = _THROUGH[target]
        changed = self.windows[through] + (colour[:, None] + 1) * _THROUGH_STEP[target]
        row, way = np.nonzero((through >= 0) & (LACKING[changed] >= 0))
        after = changed[row, way]
        place = LACKING[after]
        nexts = self._colours[:, None]
        shown = r.PATTERN_OF[after + (nexts + 1) * STEPS[place]] - 1
        placement = nexts * r.HEXES + WINDOWS[through[row, way], place]
        key, times = np.unique((row * _PLACEMENTS + placement) * r.PATTERNS + shown, return_counts=True)
        situation, pattern = key // (_PLACEMENTS * r.PATTERNS), key % r.PATTERNS
        made = self._points[key // r.PATTERNS % _PLACEMENTS, pattern] + times
        np.maximum.at(most, (situation, pattern), made)
        return most
