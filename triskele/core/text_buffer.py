"""Texts as arrays of bytes, for functions that are compiled: write names and numbers, and use them from Python."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

TextBuffer = NDArray[np.uint8]
"""A text in ASCII, and room behind it."""
Names = NDArray[np.uint8]
"""A row for each of some short texts: its length, then its bytes."""


_SPACE = ord(" ")


def names(texts: Sequence[str]) -> Names:
    """Return some texts as a table for :func:`put_name`."""
    table = np.zeros((len(texts), 1 + max(map(len, texts))), dtype=np.uint8)
    for row, text in zip(table, texts, strict=True):
        row[: 1 + len(text)] = (len(text), *text.encode("ascii"))
    return table


def put(text: TextBuffer, at: int, byte: int) -> int:
    """Write one byte; return where the text goes on."""
    text[at] = byte
    return at + 1


def put_name(text: TextBuffer, at: int, table: Names, index: int) -> int:
    """Write a text of a table; return where the text goes on."""
    length = int(table[index, 0])
    for i in range(length):
        text[at + i] = table[index, 1 + i]
    return at + length


def name_at(text: TextBuffer, begin: int, end: int, table: Names) -> int:
    """Return which text of a table stands from ``begin`` to ``end``, -1 for none."""
    for index in range(len(table)):
        same = int(table[index, 0]) == end - begin
        i = begin
        while same and i < end:
            same = bool(text[i] == table[index, 1 + i - begin])
            i += 1
        if same:
            return index
    return -1


def word_end(text: TextBuffer, begin: int, length: int) -> int:
    """Return where the word that begins at ``begin`` ends: at a space, or with the text."""
    end = begin
    while end < length and text[end] != _SPACE:
        end += 1
    return end


def put_number(text: TextBuffer, at: int, number: int) -> int:
    """Write a number from 0 to 9999; return where the text goes on."""
    scale = 1
    while scale * 10 <= number:
        scale *= 10
    while scale > 0:
        text[at] = 48 + number // scale % 10
        at += 1
        scale //= 10
    return at


def written(write: Callable[[Any], int], longest: int) -> str:
    """Return the text that a plain function writes into a buffer and whose length it returns."""
    buffer = bytearray(longest)  # which plain code fills several times as fast as an array
    return buffer[: write(buffer)].decode("ascii")


def buffer_of(text: str) -> TextBuffer:
    """Return a text as bytes; what is not ASCII is a question mark."""
    return np.frombuffer(text.encode("ascii", "replace"), dtype=np.uint8)
