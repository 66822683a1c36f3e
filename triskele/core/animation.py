"""Animations of moves as APNG, which browsers and chat programs play: one picture after each move.

An APNG is a PNG whose further pictures stand in chunks of their own (https://www.w3.org/TR/png-3/), so
pictures that were drawn as PNG are put together without being decoded.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence

from triskele.core.board_marks import Marks
from triskele.core.draw import Theme, png
from triskele.core.errors import TriskeleError
from triskele.core.position import Position
from triskele.core.scene import Scene
from triskele.core.words import text

FRAMES_LIMIT = 40
"""No animation has more pictures."""
WIDTH_LIMIT = 800
"""No animation is wider, in pixels."""
USUAL_FRAMES, USUAL_WIDTH = 11, 480
MOVE_MS, LAST_MS = 900, 2_500
"""How long the picture after a move is seen, and the last one."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def last_scenes(position: Position, moves: int, language: str = "en", *, unhidden: bool = False) -> list[Scene]:
    """Return what a spectator sees before and after each of the last ``moves`` moves, the last position at the end.

    With ``unhidden`` nothing is hidden, and each position is seen by the seat to act.
    """
    made = len(position.moves)
    earlier = [position.copy(at) for at in range(max(0, made - moves), made)]
    return [each.scene(_viewer(each, unhidden), language, unhidden=unhidden) for each in (*earlier, position)]


def _viewer(position: Position, unhidden: bool) -> int | None:
    turn = position.turn
    return turn if unhidden and turn is not None and turn >= 0 else None


def apng(
    scenes: Sequence[Scene], theme: Theme = "light", width: int = USUAL_WIDTH, *, marks: Sequence[Marks] = ()
) -> bytes:
    """Return scenes as an animation that repeats, ``width`` pixels wide. Takes about as long as as many pictures.

    ``marks`` are those of each scene, as in :func:`triskele.core.draw.svg`, or none.
    ``TriskeleError`` beyond :data:`FRAMES_LIMIT` and :data:`WIDTH_LIMIT`, and where the package that draws is missing.
    """
    if not 1 <= len(scenes) <= FRAMES_LIMIT or not 1 <= width <= WIDTH_LIMIT:
        raise TriskeleError(text("core.animation-limit", frames=FRAMES_LIMIT, width=WIDTH_LIMIT))
    marked = marks or [()] * len(scenes)
    return joined([png(scene, theme, width, marks=each) for scene, each in zip(scenes, marked, strict=True)])


def joined(pictures: Sequence[bytes]) -> bytes:
    """Return PNG pictures of one size and kind as one animation."""
    parts = [_grouped(picture) for picture in pictures]
    header = parts[0][b"IHDR"][0]
    size = header[:8]
    written = [_SIGNATURE, _chunk(b"IHDR", header)]
    written.append(_chunk(b"acTL", struct.pack(">II", len(pictures), 0)))
    number = 0
    for index, part in enumerate(parts):
        if part[b"IHDR"][0][8:] != header[8:]:
            raise ValueError("pictures of different kinds cannot be one animation")
        shown_ms = LAST_MS if index == len(parts) - 1 else MOVE_MS
        # Each picture replaces the one before as a whole: no offset, nothing disposed, nothing blended.
        control = struct.pack(">I8sIIHHBB", number, _fitting(part[b"IHDR"][0][:8], size), 0, 0, shown_ms, 1000, 0, 0)
        written.append(_chunk(b"fcTL", control))
        number += 1
        for data in part[b"IDAT"]:
            if index == 0:
                written.append(_chunk(b"IDAT", data))
            else:
                written.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
    written.append(_chunk(b"IEND", b""))
    return b"".join(written)


def _fitting(size: bytes, first: bytes) -> bytes:
    """Return a picture's size, which must not be larger than the first one's."""
    if any(mine > theirs for mine, theirs in zip(struct.unpack(">II", size), struct.unpack(">II", first), strict=True)):
        raise ValueError("a later picture is larger than the first")
    return size


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        yield picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        at += 12 + length


def _grouped(picture: bytes) -> dict[bytes, list[bytes]]:
    """Return the data of a picture's chunks by their kind."""
    found: dict[bytes, list[bytes]] = {}
    for kind, data in _chunks(picture):
        found.setdefault(kind, []).append(data)
    return found
