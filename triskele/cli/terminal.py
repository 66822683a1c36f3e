"""Input and output of the terminal.

A pipe can take the place of the keyboard, so that scripts can play: lines are read one by one, questions that
a script cannot expect are not asked, and the screen is not cleared.
"""

import contextlib
import os
import shutil
import signal
import sys
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator, Sequence

from triskele.core.errors import TriskeleError
from triskele.core.words import Text, say, text

Completer = Callable[[str, str], list[str]]
"""Takes the line before the word at the cursor and that word; returns the completions of the word."""

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def _readline() -> types.ModuleType | None:
    try:
        import readline
    except ImportError:  # Windows, and some builds
        return None
    return readline


class Terminal:
    """Writes to the screen and reads from the keyboard, in one language."""

    def __init__(self, language: str = "en") -> None:
        """Use the process's own input and output. Characters that cannot be read or shown become ``?``."""
        self.language = language
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        self.interactive = _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
        self.screen = _is_terminal(sys.stdout) and os.environ.get("TERM", "") not in ("", "dumb")
        self.ink = self.screen and "NO_COLOR" not in os.environ
        self._lines = _readline() if self.interactive else None
        self._completer: Completer | None = None
        if self._lines is not None:
            self._set_up_completion(self._lines)

    # --- writing -----------------------------------------------------------------------------

    def words(self, key: str, **values: "str | int | float | Text") -> str:
        """Return a text of this package (``cli.KEY``) in the reader's language."""
        return say(text(f"cli.{key}", **values), self.language)

    def write(self, line: str = "") -> None:
        """Write a line."""
        print(line, flush=True)

    def note(self, line: str) -> None:
        """Write a line to standard error at once: what is not a result of the command."""
        print(line, file=sys.stderr, flush=True)

    def wrapped(self, line: str, hanging: str = "") -> list[str]:
        """Wrap a line to the screen's width, never within a word such as a path or a move."""
        return textwrap.wrap(
            line, self.width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
        ) or [""]

    def write_wrapped(self, lines: str) -> None:
        """Write lines of text, each wrapped to the screen's width."""
        for line in lines.split("\n"):
            self.write("\n".join(self.wrapped(line)))

    def tell(self, key: str, **values: "str | int | float | Text") -> None:
        """Write a text of this package, wrapped to the screen's width."""
        self.write_wrapped(self.words(key, **values))

    def refuse(self, error: TriskeleError) -> None:
        """Write the reason of an error."""
        self.write_wrapped(say(error.text, self.language))

    def strong(self, line: str) -> str:
        """Return a text in bold where the terminal has colours."""
        return f"{_BOLD}{line}{_PLAIN}" if self.ink else line

    def faint(self, line: str) -> str:
        """Return a line in grey where the terminal has colours."""
        return f"{_DIM}{line}{_PLAIN}" if self.ink else line

    @property
    def width(self) -> int:
        """The width of running text in characters: that of the screen, but at most 99, which is comfortable to read."""
        return max(20, min(shutil.get_terminal_size((100, 24)).columns, 100) - 1)

    def clear(self) -> None:
        """Clear the screen and its scroll-back buffer; with a pipe, do nothing."""
        if self.screen:
            sys.stdout.write(_CLEAR)
            sys.stdout.flush()

    def columns(self, items: Sequence[str]) -> list[str]:
        """Return short texts in columns, to be read downwards."""
        if not items:
            return []
        wide = max(map(len, items)) + 2
        across = max(1, self.width // wide)
        down = -(-len(items) // across)
        return ["".join(item.ljust(wide) for item in items[row::down]).rstrip() for row in range(down)]

    def page(self, lines: Iterable[str]) -> None:
        """Write many lines, one screen at a time where a person reads them."""
        shown = list(lines)
        step = max(5, shutil.get_terminal_size((100, 24)).lines - 2)
        for first in range(0, len(shown), step):
            self.write("\n".join(shown[first : first + step]))
            if self.interactive and first + step < len(shown):
                answer = self.ask(self.words("more"), remember=False)
                if answer.strip().lower().startswith("q"):
                    return

    # --- reading -----------------------------------------------------------------------------

    def ask(self, prompt: str, completer: Completer | None = None, remember: bool = True) -> str:
        """Return the line that is entered. ``EOFError`` at the end of the input (Ctrl-D).

        ``completer`` serves the Tab key; ``remember`` adds the line to the history of the arrow keys.
        """
        if not self.interactive:
            return self._ask_pipe(prompt, echo=True)
        self._completer = completer
        try:
            line = input(prompt)
        except (EOFError, KeyboardInterrupt):
            self.write()
            raise
        finally:
            self._completer = None
        if remember and line.strip() and self._lines is not None:
            self._lines.add_history(line)
        return line

    def ask_hidden(self, prompt: str) -> str:
        """Return a line that is not echoed while it is typed and not added to the history."""
        if not self.interactive:
            return self._ask_pipe(prompt, echo=False)
        # Echo goes off before the prompt is written: somebody may type as soon as the prompt is seen.
        with self.unseen():
            sys.stdout.write(prompt)
            sys.stdout.flush()
            try:
                line = sys.stdin.readline()
            finally:
                self.write()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    def unseen(self) -> contextlib.AbstractContextManager[None]:
        """Turn the echo off within a ``with`` statement, also between prompts."""
        return _no_echo() if self.interactive else contextlib.nullcontext()

    def _ask_pipe(self, prompt: str, echo: bool) -> str:
        line = sys.stdin.readline() if sys.stdin is not None else ""  # a process may be started without input
        if not line:
            raise EOFError
        # The input is written after the prompt, as a keyboard would echo it: transcripts stay readable.
        self.write(f"{prompt}{line.rstrip()}" if echo else prompt)
        return line.rstrip("\r\n")

    def choose(self, prompt: str, choices: Sequence[str], default: str) -> str:
        """Ask until the answer is one of ``choices`` or the beginning of exactly one; Enter is ``default``."""
        while True:
            answer = self.ask(f"{prompt} [{default}] ", _completer_of(choices), remember=False).strip().lower()
            matches = [c for c in choices if c == answer] or [c for c in choices if c.startswith(answer)]
            if not answer:
                return default
            if len(matches) == 1:
                return matches[0]
            self.tell("choose-one-of", choices=", ".join(choices))

    # --- completion --------------------------------------------------------------------------

    def _set_up_completion(self, lines: types.ModuleType) -> None:
        libedit = "libedit" in (lines.__doc__ or "")
        lines.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
        lines.set_completer_delims(" ")  # move texts have punctuation of their own: f6-f9, Nc/SW
        lines.set_auto_history(False)  # secrets stay out of it
        found: list[str] = []

        def complete(word: str, number: int) -> str | None:
            if number == 0:
                found.clear()
                if self._completer is not None:
                    before = lines.get_line_buffer()[: lines.get_begidx()]
                    found.extend(self._completer(before, word))
            return found[number] if number < len(found) else None

        lines.set_completer(complete)


def _completer_of(choices: Sequence[str]) -> Completer:
    return lambda before, word: [c for c in choices if c.startswith(word.lower())] if not before else []


def _is_terminal(stream: object) -> bool:
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):  # closed, or missing
        return False


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Postpone Ctrl-C to the end of the ``with`` statement, for a few lines that must not be interrupted."""
    pressed = False

    def remember(number: int, frame: types.FrameType | None) -> None:
        nonlocal pressed
        pressed = True

    try:
        before = signal.signal(signal.SIGINT, remember)
    except ValueError:  # not the main thread, the only one that Ctrl-C interrupts
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


@contextlib.contextmanager
def _no_echo() -> Iterator[None]:
    """Turn the terminal's echo off."""
    try:
        import termios
    except ImportError:
        # Not available on this system: clearing the screen right after has to do.
        yield
        return
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    quiet = termios.tcgetattr(number)
    quiet[3] = quiet[3] & ~termios.ECHO | termios.ICANON
    termios.tcsetattr(number, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
