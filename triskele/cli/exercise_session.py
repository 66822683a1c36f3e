"""A position in which something is to be found, at the terminal: steps of courses and puzzles are such."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NoReturn

from triskele.cli.command_input import command_completions, find_command
from triskele.cli.formatting import mover_name, natural_sorted, pair, show_board, write_moves
from triskele.cli.lesson_progress import Progress
from triskele.cli.move_input import completions, read_move_input
from triskele.cli.terminal import Terminal
from triskele.core.game import Game
from triskele.core.position import Position
from triskele.core.words import Text, say


class Leave(Exception):
    """Raised when the person at the terminal leaves."""


class ExerciseSession(ABC):
    """The terminal, what was solved at it, and the lines that are typed: moves, tokens of moves and commands.

    A subclass says what the position and the seat are, judges whole moves and fills ``_commands``.
    """

    def __init__(self, game: Game, terminal: Terminal, progress: Progress, drawn: bool) -> None:
        """Ask at a terminal. ``drawn``: boards are drawn, not told."""
        self.game = game
        self.terminal = terminal
        self.progress = progress
        self.drawn = drawn
        self._made: tuple[str, ...] = ()
        self._commands: dict[str, Callable[[str], None]] = {}

    # --- what a subclass says ------------------------------------------------------------------

    @property
    @abstractmethod
    def _seat(self) -> int:
        """The seat that is asked."""

    @abstractmethod
    def _position(self) -> Position:
        """Return the position after the right decisions so far."""

    @abstractmethod
    def _try(self, decision: str, tell: bool) -> None:
        """Judge a legal move and say what has become of it; ``tell``: the line did not say its text."""

    @abstractmethod
    def _refused(self, line: str, pending: tuple[str, ...], reason: str) -> None:
        """Say why what was typed is no move; ``reason`` is that of the rules."""

    # --- lines ---------------------------------------------------------------------------------

    def _read_lines(self, going: Callable[[], bool]) -> None:
        """Read lines and handle them, as long as ``going`` says so."""
        pending: tuple[str, ...] = ()
        while going():
            line = self._ask(pending)
            pending = self._handle_line(line, pending) if line.strip() else ()

    def _handle_line(self, line: str, pending: tuple[str, ...]) -> tuple[str, ...]:
        """Try the move or run the command in a line, in this order; return the tokens that are still pending."""
        terminal = self.terminal
        command = find_command(self._commands, line)
        if not line.lstrip().startswith(":"):
            typed = read_move_input(self._position(), pending, line, terminal.language)
            if typed.move is not None:
                self._try(typed.move.text, tell=line.strip() != typed.move.text)
                return ()
            if typed.tokens:
                terminal.tell("can-follow", tokens=" ".join(natural_sorted(typed.next)))
                return typed.tokens
            if command is None:
                self._refused(line, pending, typed.reason)
                return ()
        if command is None:
            terminal.tell("no-command", commands=", ".join(f":{name}" for name in self._commands))
            return pending
        self._commands[command[0]](command[1])
        return ()

    def _ask(self, pending: tuple[str, ...]) -> str:
        position = self._position()

        def completer(before: str, word: str) -> list[str]:
            found = completions(position, pending, before, word)
            if word and not before and not pending:
                found += command_completions(self._commands, word)
            return found

        return self.terminal.ask(" ".join((self._name(self._seat), *pending)) + "> ", completer)

    # --- what is written -----------------------------------------------------------------------

    def _name(self, seat: int) -> str:
        return mover_name(self._position().variant, seat, self.terminal.language)

    def _draw(self, position: Position) -> None:
        self.terminal.write()
        show_board(self.terminal, position, self._seat, self.drawn)
        self.terminal.write()

    def _say(self, words: Text | None) -> None:
        if words is not None:
            self.terminal.write_wrapped(say(words, self.terminal.language))

    def _tell_moves(self, position: Position, known: int) -> None:
        """Write who made which moves, after the first ``known``."""
        texts = position.moves_seen_by(self._seat)
        for mover, written in list(zip(position.movers, texts, strict=True))[known:]:
            self.terminal.write(pair(self._name(mover), written, self.terminal.language))

    def _tell_commands(self) -> None:
        terminal = self.terminal
        terminal.write(terminal.faint(terminal.words("footer", commands=" · ".join(self._commands))))

    # --- commands ------------------------------------------------------------------------------

    def _moves(self, argument: str) -> None:
        position = self._position()
        write_moves(self.terminal, position, position.moves_of(self._seat), argument)

    def _quit(self, argument: str) -> NoReturn:
        raise Leave
