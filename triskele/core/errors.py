"""The errors that reach people. Each is a ``ValueError`` with a reason a person can read."""

from triskele.core.words import Text


class TriskeleError(ValueError):
    """Something was asked for that cannot be; nothing has changed.

    ``text`` is the reason, to be said in any language; ``str(error)`` says it in English.
    """

    def __init__(self, text: Text) -> None:
        """Carry the reason."""
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        """Return the reason in English."""
        return str(self.text)


class IllegalMove(TriskeleError):
    """A text or code is not a legal move in this position."""


class OptionError(TriskeleError):
    """A game was asked for that does not exist, or with options that it does not have."""


class RecordError(TriskeleError):
    """A record or a position text cannot be read: the reason names the place."""
