"""Puzzles at the terminal: one after the other, as hard as the solver can take; a wrong try is refuted on the board."""

from collections.abc import Sequence

from triskele.cli.exercise_session import ExerciseSession, Leave
from triskele.cli.formatting import pair
from triskele.cli.lesson_progress import Progress
from triskele.cli.terminal import Terminal
from triskele.core.game import Game
from triskele.core.position import Position
from triskele.core.puzzles import Puzzle
from triskele.puzzle.attempt import Verdict, judge

EASIER, HARDER = 1.0, 0.5
"""How much easier the next puzzle is after a wrong try, and harder after a right one; the page does the same."""


class PuzzleSession(ExerciseSession):
    """The puzzles of a game, the terminal, and what was solved at it."""

    def __init__(
        self, game: Game, puzzles: Sequence[Puzzle], terminal: Terminal, progress: Progress, drawn: bool = True
    ) -> None:
        """Ask for these puzzles; ``drawn``: boards are drawn, not told."""
        super().__init__(game, terminal, progress, drawn)
        self.puzzles = puzzles
        self._difficulty = float(min(puzzle.difficulty for puzzle in puzzles))
        self._asked: set[str] = set()  # ids of those that were asked before others
        self._puzzle = self._next()
        self._counts = True
        self._left = False  # to another puzzle
        self._commands = {
            "help": self._help,
            "moves": self._moves,
            "board": self._board,
            "show": self._show_solution,
            "skip": self._skip,
            "quit": self._quit,
        }

    def _next(self) -> Puzzle:
        """Return the puzzle that is nearest to the difficulty wanted, of those that are not solved if there are any.

        What was asked already comes again when all others were.
        """
        solved = self.progress.solved(self.game.name)
        pool = [puzzle for puzzle in self.puzzles if puzzle.id not in solved] or list(self.puzzles)
        if all(puzzle.id in self._asked for puzzle in pool):
            self._asked.clear()
        others = [puzzle for puzzle in pool if puzzle.id not in self._asked]
        found = min(others, key=lambda puzzle: abs(puzzle.difficulty - self._difficulty))
        self._asked.add(found.id)
        return found

    def run(self) -> None:
        """Ask for puzzles until the solver leaves. What is solved is kept at once."""
        self.terminal.write(self.terminal.strong(self.game.title))
        try:
            while True:
                self._play()
                self._puzzle = self._next()
        except (Leave, EOFError):
            self._tell_count()
        except KeyboardInterrupt:
            self._tell_count()
            raise

    def _play(self) -> None:
        self._made, self._counts, self._left = (), True, False
        self._tell_puzzle()
        self._read_lines(lambda: not self._left)

    @property
    def _seat(self) -> int:
        return self._puzzle.seat

    def _refused(self, line: str, pending: tuple[str, ...], reason: str) -> None:
        self.terminal.write_wrapped(reason)

    def _try(self, decision: str, tell: bool) -> None:
        known = len(self._position().moves)
        verdict = judge(self._puzzle, (*self._made, decision))
        if verdict.status != "refused":
            self._tell_moves(verdict.position, known if tell else known + 1)
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
        self._say(verdict.text)
        if self._counts:
            self._difficulty = max(1.0, min(self._difficulty, self._puzzle.difficulty - EASIER))
            self._counts = False
        self.terminal.tell("puzzle-again")

    # --- what is written -----------------------------------------------------------------------

    def _position(self) -> Position:
        return judge(self._puzzle, self._made).position

    def _tell_puzzle(self) -> None:
        terminal, puzzle = self.terminal, self._puzzle
        self._draw(self._position())
        terminal.write(terminal.strong(terminal.words("puzzle-heading", id=puzzle.id, n=puzzle.difficulty)))
        task = pair(self._name(puzzle.seat), puzzle.task(terminal.language), terminal.language)
        terminal.write_wrapped(task)
        self._tell_commands()

    def _tell_count(self) -> None:
        solved = self.progress.solved(self.game.name) & {puzzle.id for puzzle in self.puzzles}
        self.terminal.tell("puzzle-count", n=len(solved), count=len(self.puzzles))

    # --- commands ------------------------------------------------------------------------------

    def _help(self, argument: str) -> None:
        self.terminal.page(self.terminal.words("puzzle-commands").split("\n"))

    def _board(self, argument: str) -> None:
        self._tell_puzzle()

    def _show_solution(self, argument: str) -> None:
        """Write the solution; the puzzle then counts as not solved."""
        self._counts = False
        self.terminal.tell("learn-solution", moves=" ".join(self._puzzle.solution))

    def _skip(self, argument: str) -> None:
        self._left = True
