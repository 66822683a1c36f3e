"""``triskele learn``: the courses, and a course played step by step."""

import argparse

from triskele.cli.formatting import pair
from triskele.cli.lesson_progress import Progress
from triskele.cli.lesson_session import LessonSession
from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.contract.lessons import step_by_id
from triskele.core.errors import OptionError, TriskeleError
from triskele.core.game import game, games
from triskele.core.lessons import lessons
from triskele.core.words import say, text


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of the command, with their help in one language."""
    parser.add_argument("game", metavar="GAME", nargs="?", help=help_text("cli.help.learn-game", language))
    parser.add_argument("--step", metavar="ID", help=help_text("cli.help.learn-step", language))
    parser.add_argument("--no-board", action="store_true", help=help_text("cli.help.no-board", language))


def run(chosen: argparse.Namespace) -> int:
    """List the courses; with a game, play its course."""
    terminal = Terminal(chosen.language)
    if chosen.game is None:
        if chosen.step is not None:
            raise OptionError(text("cli.learn-which"))
        _list_courses(terminal, Progress(terminal))
        return 0
    declared = game(chosen.game)
    steps = lessons(declared.name)
    if not steps:
        raise OptionError(text("cli.learn-no-course", game=declared.title, name=declared.name))
    first = None if chosen.step is None else step_by_id(steps, chosen.step)
    LessonSession(declared, steps, terminal, Progress(terminal), first, drawn=not chosen.no_board).run()
    return 0


def _list_courses(terminal: Terminal, progress: Progress) -> None:
    terminal.tell("learn-list")
    terminal.write()
    for declared in games():
        state = pair(declared.title, _state(terminal, declared.name, progress), terminal.language)
        terminal.write(f"{terminal.strong(declared.name.ljust(10))} {state}")


def _state(terminal: Terminal, name: str, progress: Progress) -> str:
    """Return how much of a game's course is solved, or why it cannot be played."""
    try:
        ids = {step.id for step in lessons(name)}
    except TriskeleError as error:  # of another package; the other courses are fine
        return say(error.text, terminal.language)
    if not ids:
        return terminal.words("learn-none")
    return terminal.words("learn-count", solved=len(ids & progress.solved(name)), n=len(ids))
