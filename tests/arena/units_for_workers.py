"""Units of work for :mod:`test_work`: a module of their own, because workers must be able to import it."""

import os
import signal
import time

from triskele.arena import referee
from triskele.core.errors import OptionError
from triskele.core.words import text


def square(number: int, isolated: bool) -> int:
    return number * number


def refuse(number: int, isolated: bool) -> int:
    raise OptionError(text("arena.needs-two-contestants"))


def stumble(number: int, isolated: bool) -> int:
    raise ZeroDivisionError("by zero")


def die_once(number: int, isolated: bool) -> tuple[int, bool]:
    if number == 3 and not isolated:
        os.kill(os.getpid(), signal.SIGKILL)
    return number, isolated


def die(number: int, isolated: bool) -> int:
    os._exit(1)


def linger(number: int, isolated: bool) -> int:
    time.sleep(60)
    return number


def spoil(number: int, isolated: bool) -> int:
    """Give up an engine, as it were, in the process of the first unit; return the process."""
    referee._abandoned_thread = number == 0
    return os.getpid()
