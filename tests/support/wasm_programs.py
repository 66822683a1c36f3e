"""Programs for tests of WebAssembly modules: arguments of all kinds, and mathematics."""

import math

import numpy as np
from numpy.typing import NDArray

from triskele.core import mathematics
from triskele.core.link import Program

Arrays = tuple[NDArray[np.int64], NDArray[np.float64]]


def weigh(arrays: Arrays, factor: float, least: int, twice: bool) -> float:
    words, parts = arrays
    total = 0.0
    for i in range(parts.shape[0]):
        for j in range(parts.shape[1]):
            total += parts[i, j] * words[j]
    return (2.0 if twice else 1.0) * max(total * factor, float(least))


def is_above(small: int, narrow: float, limit: int) -> bool:
    return small + narrow > limit


def library_log(x: float) -> float:
    return math.log(x)


def library_exp(x: float) -> float:
    return math.exp(x)


def own_log(x: float) -> float:
    return mathematics_log(x)


def own_exp(x: float) -> float:
    return mathematics_exp(x)


def remainder(a: int, b: int) -> int:
    return a % b


def power(x: float) -> float:
    return math.pow(x, x)


mathematics_log = mathematics.log
mathematics_exp = mathematics.exp

WEIGH = Program(weigh, "float64(Tuple((int64[::1], float64[:,::1])), float64, int64, boolean)")
IS_ABOVE = Program(is_above, "boolean(int8, float32, int64)")
LIBRARY_LOG = Program(library_log, "float64(float64)")
LIBRARY_EXP = Program(library_exp, "float64(float64)")
OWN_LOG = Program(own_log, "float64(float64)")
OWN_EXP = Program(own_exp, "float64(float64)")
POWER = Program(power, "float64(float64)")
REMAINDER = Program(remainder, "int64(int64, int64)")
