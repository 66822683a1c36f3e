"""One compilation at a time on a host: processes that compile into the same cache wait for each other.

A compiler takes some hundred megabytes, and what one process has compiled the others load from the cache.
"""

import contextlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

LOCK_FILE = "compiling.lock"

_in_this_process = threading.Lock()
_held = threading.local()

if sys.platform == "win32":

    def _wait_for(descriptor: int) -> None:
        """Do not wait: there, processes compile beside each other."""

else:
    import fcntl

    def _wait_for(descriptor: int) -> None:
        """Lock a file until it is closed, by whichever way the process ends; wait for those who have it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextlib.contextmanager
def compiler_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of a cache folder, waiting for other processes; a thread that holds it may take it again.

    Without a folder that can be written there is no lock: nothing is shared then.
    """
    if getattr(_held, "by_this_thread", False):
        yield
        return
    with _in_this_process, contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context((folder / LOCK_FILE).open("ab"))
            _wait_for(file.fileno())
        _held.by_this_thread = True
        stack.callback(setattr, _held, "by_this_thread", False)
        yield
