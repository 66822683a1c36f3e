"""What tests of parsers share: whatever is read is either refused with a reason for people, or read."""

from collections.abc import Callable
from typing import TypeVar

from triskele.core.errors import TriskeleError

Written = TypeVar("Written")
Read = TypeVar("Read")


def read_or_refuse(read: Callable[[Written], Read], written: Written) -> Read | None:
    """Return what ``read`` makes of a text, ``None`` if it refuses it; then its reason must be fit to be shown.

    A test that uses this says what must be refused and what the rest is read as: neither answer alone proves anything.
    """
    try:
        return read(written)
    except TriskeleError as error:
        reason = str(error)
    assert reason.strip(), f"refused without a reason: {written!r}"
    assert len(reason) < 1000, f"an endless reason: {reason[:200]}"
    reason.encode()  # it can be sent: nothing half a character is quoted
    return None
