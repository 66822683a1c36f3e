"""Decode a PNG to an array of pixels: just enough for our own drawings, so that no imaging package is needed."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}
"""The colour types that are supported, with their channels: RGB and RGBA."""
_SUB, _UP, _AVERAGE, _PAETH = 1, 2, 3, 4


def pixels(png: bytes) -> Pixels:
    """Return the picture as an array ``(height, width, 3)``, without its alpha channel.

    Supports PNGs of 8 bits a channel, in colour, not interlaced; ``ValueError`` on others.
    """
    if not png.startswith(_SIGNATURE):
        raise ValueError("not a PNG")
    header, packed = b"", b""
    place = len(_SIGNATURE)
    while place < len(png):
        length, kind = struct.unpack_from(">I4s", png, place)
        content = png[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            header = content
        elif kind == b"IDAT":
            packed += content
        place += 12 + length
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if depth != 8 or colour not in _CHANNELS or interlaced:
        raise ValueError("only PNGs with 8 bits a channel, in colour and not interlaced are read")
    channels = _CHANNELS[colour]
    rows = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(height, 1 + width * channels)
    return _unfiltered(rows[:, 0], rows[:, 1:].reshape(height, width, channels))[:, :, :3]


def _unfiltered(filters: Pixels, filtered: Pixels) -> Pixels:
    """Undo the filters of the rows.

    A pixel may depend on its left, upper and upper left neighbours, so all pixels on an anti-diagonal can be computed
    at once: ``slanted[d, r]`` is the pixel of row ``r`` in column ``d - r``, with a margin of zeros around the picture.
    """
    height, width, channels = filtered.shape
    slanted = np.zeros((height + width + 1, height + 1, channels), dtype=np.int16)
    kinds = filters.astype(np.int16)[:, None]
    for diagonal in range(height + width - 1):
        rows = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        raw = filtered[rows, diagonal - rows].astype(np.int16)
        # Row r of the picture is row r + 1 of the slanted array, diagonal d its diagonal d + 2.
        left = slanted[diagonal + 1, rows + 1]
        left[rows == diagonal] = 0
        above, corner = slanted[diagonal + 1, rows], slanted[diagonal, rows]
        corner[rows == diagonal] = 0
        kind = kinds[rows]
        guess = np.where(kind == _SUB, left, 0)
        guess = np.where(kind == _UP, above, guess)
        guess = np.where(kind == _AVERAGE, (left + above) // 2, guess)
        guess = np.where(kind == _PAETH, _paeth(left, above, corner), guess)
        slanted[diagonal + 2, rows + 1] = (raw + guess) & 0xFF
    row, column = np.indices((height, width))
    upright: Pixels = slanted[row + column + 2, row + 1].astype(np.uint8)
    return upright


def _paeth(left: NDArray[np.int16], above: NDArray[np.int16], corner: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the one of the three that is nearest to left + above - corner; ties go to the first of them."""
    to_left, to_above, to_corner = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
    nearest = np.where(to_above <= to_corner, above, corner)
    return np.where((to_left <= to_above) & (to_left <= to_corner), left, nearest)
