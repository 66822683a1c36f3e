"""Rest times: spans in which no clock runs, such as outages of a server, weekends and vacations.

A span is a pair of milliseconds since 1970, from the first to before the second. Lists of spans are sorted and apart
from each other, as :func:`union` returns them.
"""

from collections.abc import Iterable, Sequence

from triskele.core.time_control import DAY

Span = tuple[int, int]
_WEEK = 7 * DAY
_FIRST_SATURDAY = 2 * DAY
"""1 January 1970 was a Thursday."""


def union(*several: Iterable[Span]) -> list[Span]:
    """Return spans that may overlap as sorted ones that do not touch; empty ones are left out."""
    joined: list[Span] = []
    for since, until in sorted(span for spans in several for span in spans if span[0] < span[1]):
        if joined and since <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(until, joined[-1][1]))
        else:
            joined.append((since, until))
    return joined


def weekends(since: int, until: int) -> list[Span]:
    """Return the weekends (Saturday and Sunday, UTC) that have a part between two times."""
    first = (since - _FIRST_SATURDAY) // _WEEK
    last = (until - _FIRST_SATURDAY) // _WEEK
    begins = (_FIRST_SATURDAY + week * _WEEK for week in range(first, last + 1))
    return [(begin, begin + 2 * DAY) for begin in begins if begin < until and begin + 2 * DAY > since]


def used(since: int, until: int, rests: Sequence[Span] = ()) -> int:
    """Return how many milliseconds between two times are not rest; 0 if the second is not later."""
    if until <= since:
        return 0
    resting = sum(max(0, min(end, until) - max(begin, since)) for begin, end in rests)
    return until - since - resting


def due(since: int, ms: int, rests: Sequence[Span] = ()) -> int:
    """Return when so many milliseconds after a time are used up: the first time at which :func:`used` says so."""
    at, left = since, ms
    for begin, end in rests:
        if end <= at:
            continue
        if left <= begin - at:
            break
        left -= max(0, begin - at)
        at = end
    return at + left
