"""A course at the terminal: what is asked, the prompt and its commands, and the first game at the end."""

import random
import secrets
import threading
from collections.abc import Sequence

from triskele.cli.command_input import command_completions, find_command
from triskele.cli.exercise_session import ExerciseSession, Leave
from triskele.cli.formatting import natural_sorted, pair
from triskele.cli.help_page import help_lines
from triskele.cli.lesson_progress import Progress
from triskele.cli.move_input import token_words
from triskele.cli.play import PREPARE_SECONDS, Session
from triskele.cli.seats import PERSON, parse_seats
from triskele.cli.table import new_table
from triskele.cli.terminal import Terminal
from triskele.core.contract.lessons import FirstGame, Step, Task
from triskele.core.game import Game
from triskele.core.lessons import Verdict, explain_refusal, judge, next_decision, set_up, watch_texts
from triskele.core.position import Position
from triskele.core.words import say

HINT_AFTER, SHOW_AFTER = 2, 3
"""After so many wrong tries a hint is given, and a solution can be shown."""


class LessonSession(ExerciseSession):
    """A course, the terminal it is played at, and the learner's progress."""

    def __init__(
        self,
        game: Game,
        steps: Sequence[Step],
        terminal: Terminal,
        progress: Progress,
        first: Step | None = None,
        drawn: bool = True,
    ) -> None:
        """Begin with ``first``, or with the first step that is not solved. ``drawn``: boards are drawn, not told."""
        super().__init__(game, terminal, progress, drawn)
        self.steps = steps
        solved = progress.solved(game.name)
        self._all_solved = all(step.id in solved for step in steps)
        unsolved = next((number for number, step in enumerate(steps) if step.id not in solved), 0)
        self._number = unsolved if first is None else list(steps).index(first)
        self._moved = True  # to another step, or to the beginning of this one
        self._tries = 0
        self._commands = {
            "help": self._help,
            "moves": self._moves,
            "hint": self._hint,
            "show": self._show_solution,
            "board": self._board,
            "again": self._again,
            "skip": self._skip,
            "back": self._back,
            "steps": self._list_steps,
            "quit": self._quit,
        }
        # In front of the first game there is no position.
        self._game_commands = ("help", "back", "steps", "quit", "skip")

    @property
    def _step(self) -> Step:
        return self.steps[self._number]

    @property
    def _seat(self) -> int:
        return self._step.seat

    # --- the course ----------------------------------------------------------------------------

    def run(self) -> None:
        """Play steps until the learner leaves or has played the first game. Solved steps are kept at once."""
        terminal = self.terminal
        terminal.write(terminal.strong(self.game.title))
        terminal.tell("introduction")
        if self._all_solved:
            terminal.tell("learn-all-solved")
        if terminal.interactive:
            compiling = threading.Timer(PREPARE_SECONDS, self.game.linker.prepare)
            compiling.daemon = True
            compiling.start()
        try:
            while self._number < len(self.steps):
                content = self._step.content
                if not isinstance(content, FirstGame):
                    self._play_step(self._step)
                elif self._first_game(self._step, content):
                    return
            terminal.tell("learn-completed", game=self.game.title)  # a course of others may end without a game
        except (Leave, EOFError):
            terminal.tell("learn-left", name=self.game.name)
        except KeyboardInterrupt:
            terminal.tell("learn-left", name=self.game.name)
            raise

    def _go_to(self, number: int) -> None:
        self._number, self._moved = number, True

    def _play_step(self, step: Step) -> None:
        """Ask for a step, and read lines until it is solved or left."""
        self._moved, self._made, self._tries = False, (), 0
        self._tell_moves(judge(step, ()).position, len(set_up(step).moves))
        self._tell_step()
        self._read_lines(lambda: not self._moved)

    def _refused(self, line: str, pending: tuple[str, ...], reason: str) -> None:
        self.terminal.write_wrapped(self._refusal(self._step, line, pending, reason))
        self._count_try()

    def _refusal(self, step: Step, line: str, pending: tuple[str, ...], reason: str) -> str:
        """Return why what was typed is no move: in the words of the step if it has some for it, else the reason."""
        language = self.terminal.language
        tokens = (*pending, *line.split())
        if len(tokens) == 1:
            whole = judge(step, (*self._made, tokens[0])).text
            if whole is not None and whole.key.startswith(step.words("").key):
                return say(whole, language)
        return explain_refusal(step, self._made, tokens, language) if len(tokens) > 1 else reason

    def _try(self, decision: str, tell: bool) -> None:
        step = self._step
        known = len(self._position().moves)
        verdict = judge(step, (*self._made, decision))
        if verdict.status != "refused":
            self._tell_moves(verdict.position, known if tell else known + 1)
        if verdict.status == "going":
            self._made = (*self._made, decision)
            self._show_now()
        elif verdict.status == "solved":
            self._solved(step, verdict)
        else:
            self._wrong(step, verdict, decision)

    def _solved(self, step: Step, verdict: Verdict) -> None:
        terminal = self.terminal
        self.progress.add(self.game.name, step.id)
        self._draw(verdict.position)
        self._say(verdict.text)
        self._go_to(self._number + 1)
        if terminal.interactive:  # a script does not know of this question
            command = find_command(self._commands, terminal.ask(terminal.words("learn-next") + " ", remember=False))
            if command is not None and command[0] in ("back", "steps", "quit"):
                self._commands[command[0]](command[1])

    def _wrong(self, step: Step, verdict: Verdict, decision: str) -> None:
        """Show what a wrong try leads to, and take it back."""
        task = step.content
        assert isinstance(task, Task)
        if verdict.status == "wrong":
            self._draw(verdict.position)
        self._say(verdict.text)
        if verdict.status == "wrong":
            # Where a whole turn is judged, an earlier decision of it may have been the wrong one.
            whole = task.whole_turn or task.goal is not None
            self.terminal.tell("undone", moves=" ".join((*self._made, decision) if whole else (decision,)))
            self._made = () if whole else self._made
        self._count_try()
        if verdict.status == "wrong":
            self._show_now()

    def _count_try(self) -> None:
        self._tries += 1
        if self._tries == HINT_AFTER:
            self._hint("")
        elif self._tries == SHOW_AFTER:
            self.terminal.tell("learn-show-offered")

    # --- the first game ------------------------------------------------------------------------

    def _first_game(self, step: Step, first: FirstGame) -> bool:
        """Offer the first game; return whether it was begun, and with it the course left."""
        terminal, language = self.terminal, self.terminal.language
        self._moved = False
        terminal.write()
        self._tell_heading()
        terminal.tell("learn-watch")
        for words in watch_texts(step):
            terminal.write("\n".join(terminal.wrapped(f"- {say(words, language)}", hanging="  ")))
        variant = self.game.variant(first.options)
        seats = ",".join(PERSON if seat == step.seat else str(first.level) for seat in range(variant.seats))
        options = [f"--option {name}={self.game.option(name).write(value)}" for name, value in first.options.items()]
        command = " ".join(("triskele play", self.game.name, "--seats", seats, *options))
        terminal.tell("learn-same-game", command=command)
        while not self._moved:
            line = terminal.ask(terminal.words("learn-start") + " ", self._complete_game_command, remember=False)
            if not line.strip():
                break
            found = find_command(self._game_commands, line)
            if found is None:
                terminal.tell("no-command", commands=", ".join(f":{name}" for name in self._game_commands))
            else:
                self._commands[found[0]](found[1])
        if self._moved:
            return False
        rng = random.Random(secrets.randbits(128))
        table = new_table(variant, parse_seats(seats, self.game, variant.seats), rng, repeatable=False)
        terminal.write()
        Session(table, terminal, rng, drawn=self.drawn).run()
        if table.over:
            self.progress.add(self.game.name, step.id)
            terminal.tell("learn-completed", game=self.game.title)
        return True

    def _complete_game_command(self, before: str, word: str) -> list[str]:
        return command_completions(self._game_commands, word) if word and not before else []

    # --- what is written -----------------------------------------------------------------------

    def _position(self) -> Position:
        return judge(self._step, self._made).position

    def _tell_heading(self) -> None:
        terminal, step = self.terminal, self._step
        name = say(step.words("name"), terminal.language)
        heading = terminal.words("learn-step", number=self._number + 1, n=len(self.steps), name=name)
        terminal.write(terminal.strong(heading))
        terminal.write_wrapped(say(step.words("say"), terminal.language))

    def _tell_step(self) -> None:
        """Draw the position, and say what is asked."""
        terminal, task = self.terminal, self._step.content
        assert isinstance(task, Task)
        self._draw(self._position())
        self._tell_heading()
        if task.marks:
            terminal.tell("learn-marks", places=" ".join(task.marks))
        self._tell_asked()

    def _show_now(self) -> None:
        """Draw the position within a step, and say what is asked of the one to act."""
        self._draw(self._position())
        self._tell_asked()

    def _tell_asked(self) -> None:
        terminal, position = self.terminal, self._position()
        asked = terminal.words("to-act", seat=self._name(self._step.seat), asked=position.ask(terminal.language))
        terminal.write(terminal.strong("\n".join(terminal.wrapped(asked))))
        named = token_words(position, terminal.language)
        if named:
            terminal.write_wrapped(" · ".join(pair(token, words, terminal.language) for token, words in named.items()))
        self._tell_commands()

    # --- commands ------------------------------------------------------------------------------

    def _help(self, argument: str) -> None:
        terminal = self.terminal
        terminal.page([*terminal.words("learn-commands").split("\n"), "", *help_lines(terminal, self.game)])

    def _hint(self, argument: str) -> None:
        """Say how a right move begins; where a move is a single token, name it together with another."""
        decision = next_decision(self._step, self._made)
        if decision is None:
            self.terminal.tell("learn-hint-again")
            return
        position = self._position()
        tokens = position.find(decision).tokens
        others = sorted({move.tokens[0] for move in position.moves_of(self._step.seat)} - {tokens[0]})
        if len(tokens) > 1 or not others:
            self.terminal.tell("learn-hint-begin", token=tokens[0])
        else:
            other = random.Random(self._step.id).choice(others)
            self.terminal.tell("learn-hint-among", tokens=" ".join(natural_sorted((tokens[0], other))))

    def _show_solution(self, argument: str) -> None:
        """Play the solution, then ask for it again; refused before some tries."""
        terminal, step, task = self.terminal, self._step, self._step.content
        assert isinstance(task, Task)
        if self._tries < SHOW_AFTER:
            terminal.tell("learn-show-later", n=SHOW_AFTER - self._tries)
            return
        self._made = ()
        known = len(self._position().moves)
        verdict = judge(step, task.solution)
        terminal.tell("learn-solution", moves=" ".join(task.solution))
        self._tell_moves(verdict.position, known)
        self._draw(verdict.position)
        self._say(verdict.text)
        terminal.tell("learn-now-you")
        self._show_now()

    def _board(self, argument: str) -> None:
        self._tell_step()

    def _again(self, argument: str) -> None:
        self._made = ()
        self._tell_step()

    def _skip(self, argument: str) -> None:
        if self._number + 1 == len(self.steps):
            self.terminal.tell("learn-last")
        else:
            self._go_to(self._number + 1)

    def _back(self, argument: str) -> None:
        if self._number == 0:
            self.terminal.tell("learn-first")
        else:
            self._go_to(self._number - 1)

    def _list_steps(self, argument: str) -> None:
        """List the steps; with a number, go to that one."""
        terminal, solved = self.terminal, self.progress.solved(self.game.name)
        if argument:
            if argument.isascii() and argument.isdecimal() and 1 <= int(argument[:9]) <= len(self.steps):
                self._go_to(int(argument) - 1)
            else:
                terminal.tell("learn-steps-form", n=len(self.steps))
            return
        for number, step in enumerate(self.steps):
            states = [terminal.words("learn-solved")] if step.id in solved else []
            states += [terminal.words("learn-here")] if number == self._number else []
            state = f" ({', '.join(states)})" if states else ""
            terminal.write(f"{number + 1:2} {say(step.words('name'), terminal.language)}{state}")
        terminal.tell("learn-steps-go")
