"""What cannot be done, said to whoever asked: a code for programs, words for people."""

import logging
import traceback

from triskele.core.errors import TriskeleError
from triskele.core.words import LANGUAGES, Text, say, text

log = logging.getLogger("triskele.server")

_STATUS = {
    "unknown": 404,
    "form": 400,
    "limit": 429,
    "too-large": 413,
    "key": 403,
    "seat": 403,
    "visitor": 403,
    "origin": 403,
    "failed": 500,
    "busy": 503,
}


class Refusal(TriskeleError):
    """Something asked for is refused; nothing has changed. ``code`` is one of a small set of words."""

    def __init__(self, code: str, reason: Text | None = None) -> None:
        """Refuse with the words of a reason, by default those of the code."""
        super().__init__(reason or text(f"server.{code}"))
        self.code = code

    @property
    def status(self) -> int:
        """The status of an HTTP answer that carries it."""
        return _STATUS.get(self.code, 409)

    def body(self, language: str) -> dict[str, str]:
        """Return the code, and the reason in a language."""
        return {"code": self.code, "text": say(self.text, language)}


def language_of(accepted: str | None) -> str:
    """Return the first of our languages that an ``Accept-Language`` header names; English without one."""
    for item in (accepted or "")[:200].split(","):
        code = item.split(";")[0].strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return "en"


def log_failure(error: BaseException, doing: str) -> None:
    """Log an error that should not be: where it happened and its kind, but no value, which might be secret."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    log.error("%s failed: %s at %s", doing, type(error).__name__, where)
