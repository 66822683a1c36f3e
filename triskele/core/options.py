"""The options of a game: what can be chosen before it starts, and which values are allowed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from triskele.core.errors import OptionError
from triskele.core.words import Text, text

Value = bool | int | str
Options = Mapping[str, Value]
"""The options of a game by their names."""

_ANY_FORM = Text("core.allowed-form")
_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")


@dataclass(frozen=True)
class Option(ABC):
    """One option: its name in code, its default, and how its values are checked.

    The game's catalogue explains the option under the key ``option.NAME``.
    """

    name: str
    default: Value

    @abstractmethod
    def allowed(self) -> Text:
        """Return a text that says which values are allowed."""

    @abstractmethod
    def check(self, value: object) -> Value:
        """Return ``value`` if it is allowed, else raise ``OptionError`` that says what is."""

    @abstractmethod
    def parse(self, written: str) -> Value:
        """Parse a value that a person wrote; ``OptionError`` says what is allowed."""

    @abstractmethod
    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the value as the numbers that are passed to the rules."""

    def write(self, value: Value) -> str:
        """Return the value as a person writes it; ``parse`` reads it back."""
        return str(value)

    def refuse(self, value: object) -> OptionError:
        """Return the error that says ``value`` is not allowed, and what is."""
        shown = str(value)[:60]
        return OptionError(text("core.option-value", option=self.name, value=shown, allowed=self.allowed()))


@dataclass(frozen=True)
class Flag(Option):
    """Yes or no."""

    default: bool

    def allowed(self) -> Text:
        """Return a text that says which values are allowed."""
        return text("core.allowed-flag")

    def check(self, value: object) -> bool:
        """Return ``value`` if it is a ``bool``."""
        if not isinstance(value, bool):
            raise self.refuse(value)
        return value

    def parse(self, written: str) -> bool:
        """Parse ``true`` or ``false``, or a few other common words for them."""
        if written.lower() not in _YES + _NO:
            raise self.refuse(written)
        return written.lower() in _YES

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return 1 or 0."""
        return (int(value),)

    def write(self, value: Value) -> str:
        """Return ``true`` or ``false``."""
        return "true" if value else "false"


@dataclass(frozen=True)
class Number(Option):
    """A whole number from ``low`` to ``high``, or one of ``only`` if that is given."""

    default: int
    low: int = 0
    high: int = 0
    only: tuple[int, ...] = ()

    def allowed(self) -> Text:
        """Return a text that says which values are allowed."""
        if self.only:
            return text("core.allowed-numbers", numbers=", ".join(map(str, self.only)))
        return text("core.allowed-range", low=self.low, high=self.high)

    def check(self, value: object) -> int:
        """Return ``value`` if it is a whole number in the range."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.refuse(value)
        if value not in self.only if self.only else not self.low <= value <= self.high:
            raise self.refuse(value)
        return value

    def parse(self, written: str) -> int:
        """Parse a whole number."""
        digits = written.removeprefix("-")
        if not digits.isascii() or not digits.isdigit() or len(digits) > 9:
            raise self.refuse(written)
        return self.check(int(written))

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the number."""
        return (int(value),)


@dataclass(frozen=True)
class Choice(Option):
    """One of several words."""

    default: str
    choices: tuple[str, ...] = ()

    def allowed(self) -> Text:
        """Return a text that says which values are allowed."""
        return text("core.allowed-choices", choices=", ".join(self.choices))

    def check(self, value: object) -> str:
        """Return ``value`` if it is one of the words."""
        if not isinstance(value, str) or value not in self.choices:
            raise self.refuse(value)
        return value

    def parse(self, written: str) -> str:
        """Parse one of the words."""
        return self.check(written)

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the index of the word."""
        return (self.choices.index(str(value)),)


@dataclass(frozen=True)
class Pattern(Option):
    """A short text in a format of the game's own, such as a card layout.

    ``read`` returns the numbers for the rules, or ``None`` when the text is not in that format; ``form`` is the text
    that explains the format. Where the text is rows of digits from 1 to ``high`` with strokes between them, and the
    digits are the numbers, ``rows`` are the rows' lengths: then other programs can read it, too.
    """

    default: str
    read: Callable[[str], tuple[int, ...] | None] = lambda written: None
    form: Text = _ANY_FORM
    rows: tuple[int, ...] = ()
    high: int = 9

    def allowed(self) -> Text:
        """Return a text that says which values are allowed."""
        return self.form

    def check(self, value: object) -> str:
        """Return ``value`` if it has the form."""
        if not isinstance(value, str) or len(value) > 200 or self.read(value) is None:
            raise self.refuse(value)
        return value

    def parse(self, written: str) -> str:
        """Parse a text of the form."""
        return self.check(written)

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the numbers that ``read`` makes of the text."""
        numbers = self.read(str(value))
        if numbers is None:
            raise self.refuse(value)
        return numbers
