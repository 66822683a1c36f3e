"""Bit and random-number primitives for rules and searches.

These are plain Python; :mod:`triskele.core.compile` replaces each of them by a machine instruction or two. Words are
non-negative and below ``2**63``.
"""

import numpy as np
from numpy.typing import NDArray

Rng = NDArray[np.uint64]
"""The state of a random generator: one word. Created by :func:`seed`."""

_WORD = (1 << 64) - 1


def seed(value: int) -> Rng:
    """Return a new generator. Equal seeds give equal numbers, plain and compiled."""
    return np.array([value & _WORD], dtype=np.uint64)


def ctz(word: int) -> int:
    """Return the index of the lowest set bit. ``word`` must not be 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def msb(word: int) -> int:
    """Return the index of the highest set bit. ``word`` must not be 0."""
    return int(word).bit_length() - 1


def popcount(word: int) -> int:
    """Return the number of set bits."""
    return int(word).bit_count()


def select(word: int, k: int) -> int:
    """Return the index of set bit number ``k``, counted from 0 at the low end. There must be one."""
    word = int(word)
    for _ in range(k):
        word &= word - 1
    return (word & -word).bit_length() - 1


def below(rng: Rng, n: int) -> int:
    """Return a random number ``0 <= r < n`` and step the generator (SplitMix64).

    For play and search: each number's probability is off by less than ``2**-32``, so ``n`` should stay below a
    million. Dice that people trust come from :mod:`triskele.core.dice`.
    """
    value = (int(rng[0]) + 0x9E3779B97F4A7C15) & _WORD
    rng[0] = value
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
    return ((value >> 32) * int(n)) >> 32
