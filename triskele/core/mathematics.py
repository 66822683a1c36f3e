"""Logarithm and exponential of our own: the same bits in Python, compiled, and in WebAssembly.

The functions of the C library and of JavaScript differ from machine to machine in the last bit, and a search that
uses them may then choose another move. These use additions, multiplications and divisions only, which IEEE 754 fixes
to the bit. The algorithms are those of FreeBSD's msun (``e_log.c``, ``e_exp.c``); errors are below one unit in the
last place.
"""

_LN2_HIGH = 6.93147180369123816490e-01
"""The upper bits of ln 2: multiplied by a small whole number it is exact."""
_LN2_LOW = 1.90821492927058770002e-10
_INVERSE_LN2 = 1.44269504088896338700

_SQRT2 = 1.4142135623730951
_TWO_64 = 18446744073709551616.0
_INFINITE = float("inf")
_NO_NUMBER = float("nan")

LARGEST_EXPONENT = 709.782712893384
"""Above this the exponential is infinite."""
SMALLEST_EXPONENT = -745.1332191019411
"""Below this the exponential is 0."""


def log(x: float) -> float:
    """Return the natural logarithm of ``x``; minus infinity for 0, not a number below."""
    if not x < _INFINITE:  # infinite, or not a number
        return x
    if x < 0.0:
        return _NO_NUMBER
    if x == 0.0:
        return -_INFINITE
    # x = 2**exponent * (1 + f), with 1 + f between sqrt(1/2) and sqrt(2). Products with powers of 2 are exact.
    exponent = 0
    while x >= _TWO_64:
        x *= 1.0 / _TWO_64
        exponent += 64
    while x < 1.0 / _TWO_64:
        x *= _TWO_64
        exponent -= 64
    while x >= 256.0:
        x *= 1.0 / 256.0
        exponent += 8
    while x < 1.0 / 256.0:
        x *= 256.0
        exponent -= 8
    while x >= _SQRT2:
        x *= 0.5
        exponent += 1
    while x < _SQRT2 / 2.0:
        x *= 2.0
        exponent -= 1
    f = x - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    odd = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    even = z * (
        6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    half = 0.5 * f * f
    k = float(exponent)
    return k * _LN2_HIGH - ((half - (s * (half + (odd + even)) + k * _LN2_LOW)) - f)


def exp(x: float) -> float:
    """Return e to the power of ``x``."""
    if not x <= LARGEST_EXPONENT:  # too large, or not a number
        return x + _INFINITE
    if x < SMALLEST_EXPONENT:
        return 0.0
    # x = k * ln 2 + r, with r at most half of ln 2 away from 0.
    scaled = _INVERSE_LN2 * x
    k = int(scaled + 0.5) if scaled >= 0.0 else int(scaled - 0.5)
    high = x - k * _LN2_HIGH
    low = k * _LN2_LOW
    r = high - low
    t = r * r
    c = r - t * (
        1.66666666666666019037e-01
        + t
        * (
            -2.77777777770155933842e-03
            + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))
        )
    )
    result = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    # The power of 2 is exact; it comes in two factors where one would be out of range, the last of which may round.
    if k < -1000:
        return result * power_of_two(k + 128) * power_of_two(-128)
    return result * 2.0 * power_of_two(k - 1)


def power_of_two(k: int) -> float:
    """Return 2 to the power of ``k``, from -1022 to 1023, exactly."""
    base = 2.0 if k >= 0 else 0.5
    left = k if k >= 0 else -k
    power = 1.0
    while left > 0:
        if left & 1 == 1:
            power *= base
        base *= base
        left >>= 1
    return power
