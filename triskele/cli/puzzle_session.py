"""Puzzles at the terminal: one after the other, as hard as the solver can take; a wrong try is refuted on the board."""

from collections.abc import Callable, Sequence
from typing import NoReturn

from triskele.cli.command_input import command_completions, find_command
from triskele.cli.formatting import mover_name, natural_sorted, pair, show_board, write_moves
from triskele.cli.lesson_progress import Progress
from triskele.cli.move_input import completions, read_move_input
from triskele.cli.terminal import Terminal
from triskele.core.game import Game
from triskele.core.position import Position
from triskele.core.puzzles import Puzzle
from triskele.core.words import say
from triskele.puzzle.attempt import Verdict, judge

EASIER, HARDER = 1.0, 0.5
"""How much easier the next puzzle is after a wrong try, and harder after a right one; the page does the same."""


class _Leave(Exception):
    """Raised when the solver leaves."""


class PuzzleSession:
    """The puzzles of a game, the terminal, and what was solved at it."""

    def __init__(
        self, game: Game, puzzles: Sequence[Puzzle], terminal: Terminal, progress: Progress, drawn: bool = True
    ) -> None:
        """Ask for these puzzles; ``drawn``: boards are drawn, not told."""
        self.game = game
        self.puzzles = puzzles
        self.terminal = terminal
        self.progress = progress
        self.drawn = drawn
        self._difficulty = float(min(puzzle.difficulty for puzzle in puzzles))
        self._puzzle = self._next()
        self._made: tuple[str, ...] = ()
        self._counts = True
        self._left = False  # to another puzzle
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "moves": self._moves,
            "board": self._board,
            "show": self._show_solution,
            "skip": self._skip,
            "quit": self._quit,
        }

    def _next(self) -> Puzzle:
        """Return the puzzle that is nearest to the difficulty wanted, of those that are not solved if there are any."""
        solved = self.progress.solved(self.game.name)
        here = getattr(self, "_puzzle", None)
        others = [puzzle for puzzle in self.puzzles if puzzle is not here] or list(self.puzzles)
        open_ones = [puzzle for puzzle in others if puzzle.id not in solved]
        return min(open_ones or others, key=lambda puzzle: abs(puzzle.difficulty - self._difficulty))

    def run(self) -> None:
        """Ask for puzzles until the solver leaves. What is solved is kept at once."""
        self.terminal.write(self.terminal.strong(self.game.title))
        try:
            while True:
                self._play()
                self._puzzle = self._next()
        except (_Leave, EOFError):
            self._tell_count()

    def _play(self) -> None:
        self._made, self._counts, self._left = (), True, False
        self._tell_puzzle()
        pending: tuple[str, ...] = ()
        while not self._left:
            line = self._ask(pending)
            pending = self._handle_line(line, pending) if line.strip() else ()

    def _handle_line(self, line: str, pending: tuple[str, ...]) -> tuple[str, ...]:
        """Try the move or run the command in a line, in this order; return the tokens that are still pending."""
        terminal = self.terminal
        command = find_command(self._commands, line)
        if not line.lstrip().startswith(":"):
            typed = read_move_input(self._position(), pending, line, terminal.language)
            if typed.move is not None:
                self._try(typed.move.text)
                return ()
            if typed.tokens:
                terminal.tell("can-follow", tokens=" ".join(natural_sorted(typed.next)))
                return typed.tokens
            if command is None:
                terminal.write_wrapped(typed.reason)
                return ()
        if command is None:
            terminal.tell("no-command", commands=", ".join(f":{name}" for name in self._commands))
            return pending
        self._commands[command[0]](command[1])
        return ()

    def _try(self, decision: str) -> None:
        known = len(self._position().moves)
        verdict = judge(self._puzzle, (*self._made, decision))
        if verdict.status != "refused":
            self._tell_moves(verdict.position, known)
        if verdict.status == "going":
            self._made = (*self._made, decision)
            self._draw(verdict.position)
        elif verdict.status == "solved":
            self._solved(verdict)
        else:
            self._wrong(verdict)

    def _solved(self, verdict: Verdict) -> None:
        self._draw(verdict.position)
        self.progress.add(self.game.name, self._puzzle.id)
        if self._counts:
            self._difficulty = min(10.0, max(self._difficulty, self._puzzle.difficulty + HARDER))
        self.terminal.tell("puzzle-right")
        self._left = True

    def _wrong(self, verdict: Verdict) -> None:
        """Show the refutation, and begin again."""
        if verdict.status == "wrong":
            self._draw(verdict.position)
            self._made = ()
        if verdict.text is not None:
            self.terminal.write_wrapped(say(verdict.text, self.terminal.language))
        if self._counts:
            self._difficulty = max(1.0, min(self._difficulty, self._puzzle.difficulty - EASIER))
            self._counts = False
        self.terminal.tell("puzzle-again")

    # --- what is written -----------------------------------------------------------------------

    def _position(self) -> Position:
        return judge(self._puzzle, self._made).position

    def _name(self, seat: int) -> str:
        return mover_name(self._position().variant, seat, self.terminal.language)

    def _tell_puzzle(self) -> None:
        terminal, puzzle = self.terminal, self._puzzle
        self._draw(self._position())
        terminal.write(terminal.strong(terminal.words("puzzle-heading", id=puzzle.id, n=puzzle.difficulty)))
        task = pair(self._name(puzzle.seat), puzzle.task(terminal.language), terminal.language)
        terminal.write_wrapped(task)
        terminal.write(terminal.faint(terminal.words("footer", commands=" · ".join(self._commands))))

    def _draw(self, position: Position) -> None:
        self.terminal.write()
        show_board(self.terminal, position, self._puzzle.seat, self.drawn)
        self.terminal.write()

    def _tell_moves(self, position: Position, known: int) -> None:
        moves = list(zip(position.movers, position.moves, strict=True))
        for mover, move in moves[known:]:
            self.terminal.write(pair(self._name(mover), move.text, self.terminal.language))

    def _tell_count(self) -> None:
        solved = self.progress.solved(self.game.name) & {puzzle.id for puzzle in self.puzzles}
        self.terminal.tell("puzzle-count", n=len(solved), count=len(self.puzzles))

    def _ask(self, pending: tuple[str, ...]) -> str:
        position = self._position()

        def completer(before: str, word: str) -> list[str]:
            found = completions(position, pending, before, word)
            return found + (command_completions(self._commands, word) if word and not before and not pending else [])

        return self.terminal.ask(" ".join((self._name(self._puzzle.seat), *pending)) + "> ", completer)

    # --- commands ------------------------------------------------------------------------------

    def _help(self, argument: str) -> None:
        self.terminal.page(self.terminal.words("puzzle-commands").split("\n"))

    def _moves(self, argument: str) -> None:
        position = self._position()
        write_moves(self.terminal, position, position.legal_moves, argument)

    def _board(self, argument: str) -> None:
        self._tell_puzzle()

    def _show_solution(self, argument: str) -> None:
        """Write the solution; the puzzle then counts as not solved."""
        self._counts = False
        self.terminal.tell("learn-solution", moves=" ".join(self._puzzle.solution))

    def _skip(self, argument: str) -> None:
        self._left = True

    def _quit(self, argument: str) -> NoReturn:
        raise _Leave
