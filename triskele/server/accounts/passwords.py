"""Passwords: which are allowed, and how they are kept (argon2id), off the event loop and a few at a time."""

import asyncio
import functools
import importlib.util
import runpy
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from triskele.core.words import text
from triskele.server.accounts.names import folded
from triskele.server.rate_limits import RefusalLog
from triskele.server.refusal import Refusal

T = TypeVar("T")
SHORTEST, LONGEST = 8, 256
"""Letters of a password; ASVS 6.2.1 and 6.2.9."""
_MEMORY_KIB, _PASSES, _LANES = 19_456, 2, 1
"""OWASP's parameters for argon2id: 19 MiB, two passes, one lane."""
_PARTS_AT_LEAST = 4
"""A name of fewer letters may be part of a password by chance."""


def check_new_password(password: str, name: str) -> None:
    """Refuse a password that is short, long, known to everybody, or the person's name with something added.

    There are no rules about kinds of signs, as ASVS 6.2.5 asks.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refusal("password-length", text("server.password-length", low=SHORTEST, high=LONGEST))
    plain = folded(password)
    known = folded(name)
    contains_name = len(known) >= _PARTS_AT_LEAST and known in plain and len(plain) - len(known) < SHORTEST
    if plain in common_passwords() or plain == known or contains_name or len(set(plain)) < 3 or "triskele" in plain:
        raise Refusal("password-common")


@functools.cache
def common_passwords() -> frozenset[str]:
    """Return the passwords that leaked most often, of a password's length.

    They are in a module of the package ``zxcvbn``, which is run and not imported: its other lists take 12 MB.
    """
    package = importlib.util.find_spec("zxcvbn")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("zxcvbn", name="zxcvbn")
    lists = runpy.run_path(str(Path(package.submodule_search_locations[0]) / "frequency_lists.py"))
    return frozenset(each for each in lists["FREQUENCY_LISTS"]["passwords"] if len(each) >= SHORTEST)


class Passwords:
    """Hashes and verifies passwords on threads of its own.

    At most ``waiting`` wait for a thread: who comes then is refused with ``busy``. So many sign-ups at once take one
    processor and not the server.
    """

    def __init__(self, threads: int = 1, waiting: int = 64) -> None:
        """Use as many threads, each of which takes 19 MiB while it works."""
        self._hasher = PasswordHasher(time_cost=_PASSES, memory_cost=_MEMORY_KIB, parallelism=_LANES)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="triskele-argon2")
        self._waiting = 0
        self._limit = waiting
        self._refusals = RefusalLog()
        self._nobodys = self._hasher.hash(secrets.token_urlsafe())
        """Verified for names that nobody has, so that the time does not tell who exists."""

    async def hash(self, password: str) -> str:
        """Return what is kept of a password."""
        return await self._run(lambda: self._hasher.hash(password))

    async def verify(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one that was kept; without one it takes as long, and is not."""
        given = password[: LONGEST + 1]
        return await self._run(lambda: self._verify(kept or self._nobodys, given)) and kept is not None

    def outdated(self, kept: str) -> bool:
        """Whether a password should be hashed anew, since the parameters have changed."""
        return self._hasher.check_needs_rehash(kept)

    def stop(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= self._limit:
            self._refusals.note("passwords that wait to be hashed or verified")
            raise Refusal("busy")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1
