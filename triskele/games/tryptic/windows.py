"""Windows: every three neighbouring hexes on a line, where patterns stand or can come to stand.

A window's *configuration* is what its three cells hold, as a number. :func:`list_placements` computes, for all
placements and all 75 patterns, what each placement changes in the windows.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import ctz
from triskele.core.contract import State
from triskele.core.mathematics import exp
from triskele.games.tryptic.reader_workspace import C_ROWS, MOST_ROWS, ReaderWorkspace
from triskele.games.tryptic.rules import (
    CELL,
    COLOURS,
    EMPTY,
    GONE,
    HEXES,
    NEAR,
    PATTERN_COLOURS,
    PATTERN_OF,
    PATTERNS,
    PLACE,
)

CONFIGURATIONS = 6**3
"""The number of configurations: each of three cells is empty or holds one of five colours."""
STEPS = np.array([36, 6, 1], dtype=np.int64)
"""The factor of a cell in the number of a configuration, by its place in the window."""
MOST_THROUGH = 9
"""How many windows go through a hex at most."""


def _windows() -> NDArray[np.int64]:
    """Return the three hexes of every window."""
    after = NEAR.reshape(HEXES, 3, 4)[:, :, 2:]
    found = [(i, *after[i, line]) for line in range(3) for i in range(HEXES) if after[i, line, 1] < HEXES]
    return np.array(found, dtype=np.int64)


def _fullness() -> NDArray[np.int64]:
    """Return for each configuration and pattern how many of its tiles are there, -1 if it cannot come to stand."""
    table = np.full((CONFIGURATIONS, PATTERNS), -1, dtype=np.int64)
    for configuration in range(CONFIGURATIONS):
        cells = (configuration // 36, configuration // 6 % 6, configuration % 6)
        for pattern, colours in enumerate((PATTERN_COLOURS + 1).tolist()):
            for way in (colours, colours[::-1]):
                if all(cell in (0, colour) for cell, colour in zip(cells, way, strict=True)):
                    table[configuration, pattern] = sum(cell > 0 for cell in cells)
    return table


def _lacking() -> NDArray[np.int64]:
    """Return the place of the only empty cell for each configuration with one, -1 for the others."""
    cells = np.stack([np.arange(CONFIGURATIONS) // step % 6 for step in STEPS])
    return np.where((cells == 0).sum(axis=0) == 1, (cells == 0).argmax(axis=0), -1)


WINDOWS = _windows()
FULLNESS = _fullness()
LACKING = _lacking()


def _through() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the windows through each hex, filled up with -1, and the factor that the hex has in each."""
    windows = np.full((HEXES, MOST_THROUGH), -1, dtype=np.int64)
    steps = np.zeros((HEXES, MOST_THROUGH), dtype=np.int64)
    for target in range(HEXES):
        pairs = [(window, place) for window, row in enumerate(WINDOWS) for place in range(3) if row[place] == target]
        for slot, (window, place) in enumerate(pairs):
            windows[target, slot], steps[target, slot] = window, STEPS[place]
    return windows, steps


THROUGH, THROUGH_STEP = _through()

_BITS = 10
_HALF = 1 << _BITS - 1
_MASK = (1 << _BITS) - 1
PACKED = np.where(FULLNESS > 0, 1 << _BITS * np.maximum(FULLNESS - 1, 0), 0).astype(np.int32)
"""Three counters in one number, ten bits each: windows with one, two and three tiles."""

WORTH = (1, 5, 16)
"""The value of a window with one, two or all three tiles of a pattern, for the greedy and plain models: in sixteenths
of a point."""
POINT = 16
PLAIN_BETA = 3.2
"""The inverse temperature of the plain model, for gains in points."""

LEAST_GAIN = -MOST_THROUGH * (WORTH[0] + WORTH[1])
_MOST_GAIN = MOST_THROUGH * sum(WORTH)
PLAIN_WEIGHTS = np.array([exp(PLAIN_BETA * gain / POINT) for gain in range(LEAST_GAIN, _MOST_GAIN + 1)])
"""What the plain model weighs a gain with, from ``LEAST_GAIN`` sixteenths of a point on."""


def gain_of(one: int, two: int, three: int) -> int:
    """Return the gain in sixteenths of a point from how many more windows have one, two and three tiles."""
    return one * WORTH[0] + two * WORTH[1] + three * WORTH[2]


def unpacked_one(packed: int) -> int:
    """Return the first of three packed counters."""
    return ((packed + _HALF) & _MASK) - _HALF


def unpacked_two(packed: int) -> int:
    """Return the second of three packed counters."""
    return unpacked_one((packed - unpacked_one(packed)) >> _BITS)


def unpacked_three(packed: int) -> int:
    """Return the third of three packed counters."""
    rest = (packed - unpacked_one(packed)) >> _BITS
    return (rest - unpacked_one(rest)) >> _BITS


def window_of(state: State, window: int) -> int:
    """Return the configuration of a window."""
    return int(
        state[CELL + WINDOWS[window, 0]] * STEPS[0]
        + state[CELL + WINDOWS[window, 1]] * STEPS[1]
        + state[CELL + WINDOWS[window, 2]]
    )


def change_of(state: State, colour: int, target: int, pattern: int) -> int:
    """Return what one placement changes for one pattern: three packed counters."""
    packed = 0
    for slot in range(MOST_THROUGH):
        window = THROUGH[target, slot]
        if window >= 0:
            before = window_of(state, window)
            packed += int(PACKED[before + (colour + 1) * THROUGH_STEP[target, slot], pattern]) - int(
                PACKED[before, pattern]
            )
    return packed


def list_placements(ws: ReaderWorkspace) -> None:
    """List the possible placements of the followed state, what each changes, and what the simple models need.

    Colour by colour, hex by hex: the order of the rules.
    """
    state = ws.state
    for window in range(len(WINDOWS)):
        ws.windows[window] = window_of(state, window)
    for placement in range(MOST_ROWS):
        ws.rows[placement] = -1
    for p in range(PATTERNS):
        ws.plain_sums[p] = 0.0
        ws.best_gains[p] = LEAST_GAIN
        ws.best_counts[p] = 0
    row = 0
    for colour in range(COLOURS):
        if state[GONE] >> colour & 1:
            continue
        rest = state[EMPTY]
        while rest:
            target = ctz(rest)
            rest &= rest - 1
            ws.codes[row] = PLACE + colour * HEXES + target
            ws.rows[colour * HEXES + target] = row
            list_changes(ws, row, colour, target)
            row += 1
    ws.control[C_ROWS] = row
    list_points(ws)


def list_changes(ws: ReaderWorkspace, row: int, colour: int, target: int) -> None:
    """Fill in a row: how many more windows have one, two and three tiles of each pattern."""
    sums = ws.sums
    for p in range(PATTERNS):
        sums[p] = 0
    for slot in range(MOST_THROUGH):
        window = THROUGH[target, slot]
        if window >= 0:
            before = ws.windows[window]
            after = before + (colour + 1) * THROUGH_STEP[target, slot]
            for p in range(PATTERNS):
                sums[p] += ws.packed[after, p] - ws.packed[before, p]
    for p in range(PATTERNS):
        packed = int(sums[p])
        one = unpacked_one(packed)
        two = unpacked_two(packed)
        three = unpacked_three(packed)
        ws.ones[row, p] = one
        ws.twos[row, p] = two
        ws.threes[row, p] = three
        gain = gain_of(one, two, three)
        ws.plain_sums[p] += PLAIN_WEIGHTS[gain - LEAST_GAIN]
        if gain > ws.best_gains[p] or ws.best_counts[p] == 0:
            ws.best_gains[p] = gain
            ws.best_counts[p] = 1
        elif gain == ws.best_gains[p]:
            ws.best_counts[p] += 1


def list_points(ws: ReaderWorkspace) -> None:
    """Find for each pattern the most points of one placement, on which hex, and the most on another hex."""
    for p in range(PATTERNS):
        best = 0
        best_hex = -1
        second = 0
        for row in range(ws.control[C_ROWS]):
            made = int(ws.threes[row, p])
            if made > second:
                target = (ws.codes[row] - PLACE) % HEXES
                if target == best_hex:
                    best = max(best, made)
                elif made > best:
                    second = best
                    best = made
                    best_hex = target
                else:
                    second = made
        ws.points[0, p] = best
        ws.points[1, p] = best_hex
        ws.points[2, p] = second


def list_points_after(ws: ReaderWorkspace, row: int) -> None:
    """Find for each pattern the most points that the next placement could make after a placement.

    Ignores that a colour may run out with the first of the two placements.
    """
    placement = ws.codes[row] - PLACE
    colour = placement // HEXES
    target = placement - colour * HEXES
    # What there is elsewhere: the hex itself is no longer empty.
    for p in range(PATTERNS):
        ws.at_once[p] = ws.points[2, p] if ws.points[1, p] == target else ws.points[0, p]
    # What is new: windows that lacked two tiles and now lack one.
    for slot in range(MOST_THROUGH):
        window = THROUGH[target, slot]
        ws.changed[slot] = -1
        if window >= 0:
            after = ws.windows[window] + (colour + 1) * THROUGH_STEP[target, slot]
            if LACKING[after] >= 0:
                ws.changed[slot] = after
                ws.changed_hex[slot] = WINDOWS[window, LACKING[after]]
    for slot in range(MOST_THROUGH):
        if ws.changed[slot] < 0:
            continue
        for second in range(COLOURS):
            row_after = ws.rows[second * HEXES + ws.changed_hex[slot]]
            if row_after < 0:
                continue
            shown = completed(ws, slot, second)
            times = 0
            for other in range(MOST_THROUGH):
                if (
                    ws.changed[other] >= 0
                    and ws.changed_hex[other] == ws.changed_hex[slot]
                    and completed(ws, other, second) == shown
                ):
                    times += 1
            ws.at_once[shown] = max(ws.at_once[shown], ws.threes[row_after, shown] + times)


def completed(ws: ReaderWorkspace, slot: int, colour: int) -> int:
    """Return the pattern that a colour completes in a changed window that lacks one tile."""
    after = ws.changed[slot]
    return int(PATTERN_OF[after + (colour + 1) * STEPS[LACKING[after]]] - 1)
