"""The errors that are shown to people. Each is a ``ValueError`` with a reason a person can read."""

from triskele.core.words import Text


class TriskeleError(ValueError):
    """A request cannot be fulfilled; nothing has changed.

    ``text`` is the reason, which ``say`` translates; ``str(error)`` is the reason in English.
    """

    def __init__(self, text: Text) -> None:
        """Store the reason."""
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        """Return the reason in English."""
        return str(self.text)


class IllegalMove(TriskeleError):
    """A text or code is not a legal move in this position."""


class OptionError(TriskeleError):
    """A game does not exist, or does not have these options."""


class RecordError(TriskeleError):
    """A record or a position text is invalid: the reason names the place."""
