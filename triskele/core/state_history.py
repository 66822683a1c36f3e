"""The states that a position came through, packed: a table keeps one for each move made, and a server many tables."""

import zlib
from collections.abc import Iterable

import numpy as np

from triskele.core.contract import State

_LEVEL = 1
"""The quickest compression."""
_GROUP = 8
"""Of so many states one is packed by itself, the others as what differs from it: about 90 bytes for a state of 1,000."""


class StateHistory:
    """A stack of states of one size, packed so that each can be read quickly."""

    __slots__ = ("_base", "_packed")

    def __init__(self, packed: Iterable[bytes] = ()) -> None:
        """Begin with states that another history has packed."""
        self._packed = list(packed)
        self._base: tuple[int, State] | None = None
        """The state from which others of its group differ that was used last, and its number."""

    def __len__(self) -> int:
        """Return how many states there are."""
        return len(self._packed)

    def __getitem__(self, number: int) -> State:
        """Return a copy of a state; -1 is the last one."""
        number = range(len(self._packed))[number]
        read = _unpacked(self._packed[number])
        if number % _GROUP:
            read ^= self._base_of(number)
        return read

    def _base_of(self, number: int) -> State:
        """Return the first state of the group that a state belongs to."""
        first = number - number % _GROUP
        if self._base is None or self._base[0] != first:
            self._base = first, _unpacked(self._packed[first])
        return self._base[1]

    def push(self, state: State) -> None:
        """Add a copy of a state at the end."""
        number = len(self._packed)
        if number % _GROUP:
            packed = _packed(state ^ self._base_of(number))
        else:
            self._base = number, state.copy()
            packed = _packed(state)
        self._packed.append(packed)

    def pop(self) -> State:
        """Remove the last state and return it."""
        last = self[-1]
        del self._packed[-1]
        return last

    def first(self, number: int) -> "StateHistory":
        """Return a history of the first ``number`` states."""
        return StateHistory(self._packed[:number])

    def copy(self) -> "StateHistory":
        """Return an independent history of the same states."""
        return StateHistory(self._packed)


def _packed(state: State) -> bytes:
    return zlib.compress(state.tobytes(), _LEVEL)


def _unpacked(packed: bytes) -> State:
    return np.frombuffer(bytearray(zlib.decompress(packed)), dtype=np.int64)
