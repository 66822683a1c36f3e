"""Drawing what chance brings, each outcome as likely as its weight says: compiled, and in Python."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import Rng, below
from triskele.core.contract import WEIGHTED_CHANCE, State, chance_weight

Codes = NDArray[np.int32] | NDArray[np.int64]


def draw(state: State, outcomes: Codes, number: int, rng: Rng) -> int:
    """Return which of the ``number`` codes in ``outcomes`` chance brings, as an index. Takes one random number.

    A part of programs that are linked to games. The codes are those that ``legal`` lists, in its order.
    """
    if not WEIGHTED_CHANCE:
        return below(rng, number)
    total = 0
    for i in range(number):
        total += chance_weight(state, int(outcomes[i]))
    left = below(rng, total)
    for i in range(number):
        left -= chance_weight(state, int(outcomes[i]))
        if left < 0:
            return i
    return number - 1


def pick(weights: Sequence[int], below: Callable[[int], int]) -> int:
    """Return an index, each as likely as its weight; ``below(n)`` gives a uniform number from 0 to ``n - 1``."""
    left = int(below(sum(weights)))
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise ValueError("the random number was not below the sum of the weights")
