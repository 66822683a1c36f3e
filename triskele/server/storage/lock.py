"""The lock of a SQLite database: two servers that do not know of each other never share one."""

import os
import sys
import weakref

from sqlalchemy import make_url

from triskele.core.errors import TriskeleError
from triskele.core.words import text

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int, shared: bool) -> None:
        if not shared:  # Windows has no shared locks of this kind
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int, shared: bool) -> None:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


class DatabaseLock:
    """A lock of the operating system, on a file beside the database: it ends with the process, however that ends."""

    def __init__(self, url: str, shared: bool) -> None:
        """Lock the database at a URL; ``TriskeleError`` if another server uses it.

        Servers that inform each other over a bus share it (``shared``). Databases other than a SQLite file need none.
        """
        parsed = make_url(url)
        self._close: weakref.finalize[[int], DatabaseLock] | None = None
        if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
            return
        descriptor = os.open(f"{parsed.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._close = weakref.finalize(self, os.close, descriptor)
        try:
            _take(descriptor, shared)
        except OSError:
            self.release()
            raise TriskeleError(text("server.database-in-use", database=parsed.database)) from None

    def release(self) -> None:
        """Let other servers use the database."""
        if self._close is not None:
            self._close()
