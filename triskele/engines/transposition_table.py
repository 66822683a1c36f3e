"""The transposition table of alpha-beta: results of positions searched before, found by their hash.

The table is an array of entries of two words, in buckets of two entries. The first word is the position's key XORed
with the second, the data, so that an entry torn by two threads that write it at once matches no key (the lockless
hashing of Hyatt and Mann). The data word holds, from the low bit up: the best move, the depth, the bound, the value
and the generation, that is the search in which it was stored.
"""

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.int64]

EXACT, LOWER_BOUND, UPPER_BOUND = 0, 1, 2
"""What the value of an entry is of the true value: equal, at most, at least."""

MOVE_BITS = 20
NO_MOVE = (1 << MOVE_BITS) - 1
"""The move of an entry without one."""

GENERATIONS = 1 << 9

_DEPTH_SHIFT = MOVE_BITS
_BOUND_SHIFT = 28
_VALUE_SHIFT = 30
_GENERATION_SHIFT = 53
_DEPTH_MASK = 0xFF
_VALUE_MASK = 0x7FFFFF
_VALUE_ZERO = 1 << 22


def new_table(entries: int) -> Table:
    """Return an empty table; ``entries`` is a power of two."""
    return np.zeros((entries, 2), dtype=np.int64)


def pack_entry(move: int, depth: int, bound: int, value: int, generation: int) -> int:
    """Return the data word of an entry."""
    return (
        move
        | depth << _DEPTH_SHIFT
        | bound << _BOUND_SHIFT
        | (value + _VALUE_ZERO) << _VALUE_SHIFT
        | generation << _GENERATION_SHIFT
    )


def entry_move(data: int) -> int:
    """Return the best move of an entry, ``NO_MOVE`` if it has none."""
    return data & NO_MOVE


def entry_depth(data: int) -> int:
    """Return how deep the position was searched."""
    return data >> _DEPTH_SHIFT & _DEPTH_MASK


def entry_bound(data: int) -> int:
    """Return whether the value is exact or a bound."""
    return data >> _BOUND_SHIFT & 3


def entry_value(data: int) -> int:
    """Return the value for the seat to act; that of a proven win counts from the entry's position."""
    return (data >> _VALUE_SHIFT & _VALUE_MASK) - _VALUE_ZERO


def entry_generation(data: int) -> int:
    """Return in which search the entry was stored."""
    return data >> _GENERATION_SHIFT


def probe(table: Table, key: int) -> int:
    """Return the data word stored for a key, 0 if there is none."""
    slot = 2 * (key & len(table) // 2 - 1)
    for i in range(2):
        data = table[slot + i, 1]
        if table[slot + i, 0] ^ data == key and data != 0:
            return int(data)
    return 0


def store(table: Table, key: int, data: int) -> None:
    """Store a data word in the bucket of its key.

    The first entry of a bucket is depth-preferred: another position's of this generation that was searched deeper
    stays, and the second, always replaced, takes the new one.
    """
    slot = 2 * (key & len(table) // 2 - 1)
    old = table[slot, 1]
    if (
        table[slot, 0] ^ old != key
        and entry_generation(old) == entry_generation(data)
        and entry_depth(old) > entry_depth(data)
    ):
        slot += 1
    table[slot, 0] = key ^ data
    table[slot, 1] = data
