"""What a server tells systemd (``sd_notify``): that it serves, that it stops, and that its event loop still turns.

Nothing is sent unless the unit has ``Type=notify``, and so sets ``NOTIFY_SOCKET``.
"""

import contextlib
import os
import socket
import time


class ServiceManager:
    """Tell the service manager that started this process about it; without one, do nothing."""

    def __init__(self) -> None:
        """Read where to tell it, and how often it wants to hear of us, from the environment."""
        self._address = os.environ.pop("NOTIFY_SOCKET", None)  # not for engines and jobs, which inherit the rest
        for_us = os.environ.pop("WATCHDOG_PID", None) in (None, str(os.getpid()))
        microseconds = os.environ.pop("WATCHDOG_USEC", "")
        self._seconds = int(microseconds) / 2e6 if for_us and microseconds.isdigit() else 0.0
        """Half of what systemd waits: one message may be late."""
        self._next = 0.0

    def ready(self) -> None:
        """Say that connections are accepted."""
        self._send("READY=1")

    def stopping(self) -> None:
        """Say that the server shuts down, as it was asked to."""
        self._send("STOPPING=1")

    def alive(self) -> None:
        """Say that the event loop turns, as often as the watchdog wants it; call it as often as you like."""
        if self._seconds and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._seconds
            self._send("WATCHDOG=1")

    def _send(self, state: str) -> None:
        if not self._address:
            return
        # An address that begins with @ is in the abstract namespace. A message that nobody takes must not stop us.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.setblocking(False)
            manager.sendto(state.encode(), address)
