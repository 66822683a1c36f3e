"""PNGs as pixels: every filter, against an encoder written from the format's description."""

import random
import struct
import zlib

import numpy as np
import pytest

import triskele
from triskele.adapters.pixels import pixels
from triskele.core.draw import png


def predicted(kind, left, above, corner):
    if kind == 4:
        guess = left + above - corner
        return min((left, above, corner), key=lambda value: abs(guess - value))
    return (0, left, above, (left + above) // 2)[kind]


def encoded(picture, filters, colour=6, depth=8, interlaced=0):
    height, width, channels = picture.shape
    rows = picture.reshape(height, width * channels).tolist()
    out = bytearray()
    for y, row in enumerate(rows):
        out.append(filters[y])
        for x, value in enumerate(row):
            left = row[x - channels] if x >= channels else 0
            above = rows[y - 1][x] if y else 0
            corner = rows[y - 1][x - channels] if y and x >= channels else 0
            out.append((value - predicted(filters[y], left, above, corner)) % 256)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    packed = zlib.compress(bytes(out))
    halves = chunk(b"IDAT", packed[:7]) + chunk(b"IDAT", packed[7:])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tEXt", b"a\0b") + halves + chunk(b"IEND", b"")


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (7, 5), (5, 12)])
def test_every_filter(shape, channels):
    rng = random.Random(f"{shape} {channels}")
    for kinds in ([0], [1], [2], [3], [4], [0, 1, 2, 3, 4]):
        picture = np.array([rng.randrange(256) for _ in range(shape[0] * shape[1] * channels)], dtype=np.uint8)
        picture = picture.reshape(*shape, channels)
        filters = [rng.choice(kinds) for _ in range(shape[0])]
        found = pixels(encoded(picture, filters, colour=2 if channels == 3 else 6))
        assert found.dtype == np.uint8
        assert np.array_equal(found, picture[:, :, :3])


def test_our_own_drawings():
    drawn = pixels(png(triskele.new("yinsh").scene(), width=120))
    assert drawn.shape[1] == 120
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 10
    assert drawn[0, 0].tolist() == [0xF5, 0xF0, 0xE6]  # the paper


def test_what_is_not_read():
    picture = np.zeros((2, 2, 4), dtype=np.uint8)
    for data in (b"GIF89a", encoded(picture, [0, 0], depth=16), encoded(picture, [0, 0], interlaced=1)):
        with pytest.raises(ValueError, match="PNG"):
            pixels(data)
