"""The states that a position came through. A server, which keeps one for each move at many tables, can pack them."""

import zlib

import numpy as np

from triskele.core.contract import State

_LEVEL = 1
"""The quickest compression."""
_GROUP = 8
"""So many states are packed together, since they differ little."""


class StateHistory:
    """A stack of states of one size; the older ones packed, if that was asked for."""

    __slots__ = ("_packed", "_recent")

    def __init__(self) -> None:
        """Begin without states."""
        self._packed: list[bytes] = []
        """Groups of states."""
        self._recent: list[State] = []
        """The states after those."""

    def __len__(self) -> int:
        """Return how many states there are."""
        return _GROUP * len(self._packed) + len(self._recent)

    def __getitem__(self, number: int) -> State:
        """Return a copy of a state; -1 is the last one."""
        number = range(len(self))[number]
        group, at = divmod(number, _GROUP)
        if group < len(self._packed):
            return _unpacked(self._packed[group])[at]
        return self._recent[number - _GROUP * len(self._packed)].copy()

    def push(self, state: State) -> None:
        """Add a copy of a state at the end."""
        self._recent.append(state.copy())

    def pop(self) -> State:
        """Remove the last state and return it."""
        if not self._recent and self._packed:
            self._recent = _unpacked(self._packed.pop())
        return self._recent.pop()

    def pack(self) -> None:
        """Pack the older states; the last ones, which are asked for most, stay as they are."""
        while len(self._recent) > _GROUP:
            self._packed.append(_packed(self._recent[:_GROUP]))
            del self._recent[:_GROUP]

    def first(self, number: int) -> "StateHistory":
        """Return a history of the first ``number`` states."""
        part = StateHistory()
        part._packed = self._packed[: number // _GROUP]
        begun = _GROUP * len(part._packed)
        if len(part._packed) < len(self._packed):
            part._recent = _unpacked(self._packed[len(part._packed)])[: number - begun]
        else:
            part._recent = self._recent[: number - begun]
        return part

    def copy(self) -> "StateHistory":
        """Return an independent history of the same states."""
        return self.first(len(self))


def _packed(states: list[State]) -> bytes:
    return zlib.compress(b"".join(state.tobytes() for state in states), _LEVEL)


def _unpacked(group: bytes) -> list[State]:
    whole = np.frombuffer(zlib.decompress(group), dtype=np.int64)
    return [state.copy() for state in np.split(whole, _GROUP)]
