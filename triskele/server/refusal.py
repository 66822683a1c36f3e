"""Refusals: why a request is not carried out, as a code for programs and words for people."""

import logging
import traceback

from triskele.core.errors import TriskeleError
from triskele.core.words import LANGUAGES, Text, say, text
from triskele.server.redaction import safe_message

log = logging.getLogger("triskele.server")

_STATUS = {
    "unknown": 404,
    "no-module": 404,
    "unknown-seek": 404,
    "no-person": 404,
    "form": 400,
    "characters": 400,
    "slow": 408,
    "host": 421,
    "limit": 429,
    "too-large": 413,
    "key": 403,
    "seat": 403,
    "visitor": 403,
    "origin": 403,
    "failed": 500,
    "busy": 503,
    "upgrade": 426,
    "banned": 403,
    "silenced": 403,
    "host-token": 403,
    "target": 400,
    "account-name": 400,
    "password-length": 400,
    "password-common": 400,
    "mail-address": 400,
    "sign-in": 403,
    "sign-in-limit": 429,
    "password": 403,
    "passkey": 403,
    "passkey-late": 403,
    "prove": 403,
    "token": 401,
    "scope": 403,
    "account-needed": 401,
    "session-needed": 403,
    "moderator": 403,
    "accounts-closed": 403,
    "invitation": 403,
    "link": 403,
    "leave-link": 403,
    "push-keys": 400,
    "hook-address": 400,
    "time-zone": 400,
    "blocked": 403,
    "chat-off": 403,
}


class Refusal(TriskeleError):
    """A request is refused and nothing has changed. ``code`` names the reason; it is a key of ``words/en.json``."""

    def __init__(self, code: str, reason: Text | None = None) -> None:
        """Refuse with the words of a reason, by default those of the code."""
        super().__init__(reason or text(f"server.{code}"))
        self.code = code

    @property
    def status(self) -> int:
        """The status of an HTTP answer that carries it."""
        return _STATUS.get(self.code, 409)

    def body(self, language: str) -> dict[str, str]:
        """Return the code, and the reason in a language, also if it repeats something that is no valid text."""
        return {"code": self.code, "text": say(self.text, language).encode(errors="replace").decode()}


def language_of(accepted: str | None) -> str:
    """Return the first of our languages that an ``Accept-Language`` header names; English without one."""
    for item in (accepted or "")[:200].split(","):
        code = item.split(";")[0].strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return "en"


def log_failure(error: BaseException, doing: str) -> None:
    """Log an unexpected error: its type, message and place, but no values, which might be secret."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    said = safe_message(error)
    log.error("%s failed: %s%s at %s", doing, type(error).__name__, f" ({said})" if said else "", where)


def drop_tracebacks(error: BaseException | None) -> None:
    """Drop the tracebacks of an error and of those that it came from.

    A traceback refers to frames, and a frame that keeps the error in a variable makes a reference cycle of all
    that it uses. Garbage is collected rarely, so whoever could cause many such errors would fill the memory.
    """
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__
