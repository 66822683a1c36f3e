"""The checksum CRC-32 over words: plain, compiled and in WebAssembly the same as ``zlib.crc32`` of their bytes."""

import numpy as np
from numpy.typing import NDArray

_POLYNOMIAL = 0xEDB88320


def _table() -> NDArray[np.int64]:
    found = np.arange(256, dtype=np.int64)
    for _ in range(8):
        found = (found >> 1) ^ (found & 1) * _POLYNOMIAL
    return found


_TABLE = _table()
"""The checksum of each byte alone."""


def crc32(words: NDArray[np.int64], length: int, before: int) -> int:
    """Return the CRC-32 of the bytes (little-endian) of the first ``length`` words, continuing a checksum."""
    crc = before ^ 0xFFFFFFFF
    for i in range(length):
        word = words[i]
        for _ in range(8):
            crc = _TABLE[(crc ^ word) & 0xFF] ^ crc >> 8
            word >>= 8
    return int(crc ^ 0xFFFFFFFF)
