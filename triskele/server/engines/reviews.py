"""Reviews of tables: worked out by workers in short parts, and kept within a number of bytes.

Whoever asks gets what is known so far, after one more part: asking again and again brings a review to its end. So no
review holds up the pictures and records of others, and one that nobody asks for any more costs nothing.
"""

import asyncio
from collections import OrderedDict

from triskele.server.engines import table_jobs
from triskele.server.engines.scheduler import Scheduler
from triskele.server.review_study import ReviewPart
from triskele.server.tables.history import RecordSource

Key = tuple[str, int]
_LOADING_SECONDS = 60.0
"""How long the first part may take: a worker may have to compile the engine for it."""
_VALUE_BYTES = 200
"""About what the value of a position takes in memory, beside the document."""


class Reviews:
    """Reviews games, and keeps what was asked for last."""

    def __init__(self, scheduler: Scheduler, cache_bytes: int) -> None:
        """Review on the workers of ``scheduler``; keep at most ``cache_bytes``."""
        self._scheduler = scheduler
        self._cache_bytes = cache_bytes
        self._kept: OrderedDict[Key, ReviewPart] = OrderedDict()
        self._locks: dict[Key, asyncio.Lock] = {}
        self.kept_bytes = 0
        """The size of all that is kept."""

    async def advance(self, visitor: str, key: Key, source: RecordSource) -> bytes:
        """Work out one more part of the review of a table, ``key`` being its id and moves, and return all of it."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        try:
            async with lock:  # several who ask at once get the same part
                known = self._kept.get(key)
                if known is not None:
                    self._kept.move_to_end(key)
                    if len(known.values) > key[1]:
                        return known.document
                values = () if known is None else known.values
                part = await self._scheduler.run(
                    visitor, table_jobs.review_part, source, values, seconds=_LOADING_SECONDS
                )
                self._keep(key, part)
                return part.document
        finally:
            if not lock.locked():
                self._locks.pop(key, None)

    def _keep(self, key: Key, part: ReviewPart) -> None:
        if key in self._kept:
            self.kept_bytes -= _size(self._kept.pop(key))
        self._kept[key] = part
        self.kept_bytes += _size(part)
        while self.kept_bytes > self._cache_bytes and self._kept:
            self.kept_bytes -= _size(self._kept.popitem(last=False)[1])


def _size(part: ReviewPart) -> int:
    return len(part.document) + _VALUE_BYTES * len(part.values)
