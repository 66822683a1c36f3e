"""Play the steps of a course: set up a position, judge what a learner tries.

Nothing is stored: a step is judged from the learner's decisions so far, so that a page, a terminal and a test ask the
same question and get the same answer. What a course is made of says :mod:`triskele.core.contract.lessons`.
"""

import contextlib
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from triskele.core.contract.lessons import FirstGame, Step, Task, WrongTry, begins, read_course, words_owner
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.game import game
from triskele.core.position import Position, new, position
from triskele.core.words import Text, catalogue, say, text

_WORD = re.compile(r"\w+")
Status = Literal["going", "solved", "wrong", "refused"]


@dataclass(frozen=True)
class Verdict:
    """What has become of a try.

    ``status``    ``going``: right so far, more is asked; ``solved``; ``wrong``: legal, but not what is asked, to be
                  shown and taken back; ``refused``: the last decision is not legal and was not made
    ``text``      what to say: the praise, the reason, or ``None`` while it is going
    ``position``  the position now, with all moves since the step began: those before, the learner's, the script's
    """

    status: Status
    text: Text | None
    position: Position


@functools.cache
def lessons(name: str) -> tuple[Step, ...]:
    """Return the course of a game by its name; empty if the game has none."""
    declared = game(name)
    return read_course(name, declared.folder)


def first_game_of(steps: Sequence[Step]) -> tuple[Step, FirstGame] | None:
    """Return the last step of a course with its game, if it has one."""
    for step in reversed(steps):
        if isinstance(step.content, FirstGame):
            return step, step.content
    return None


def watch_texts(step: Step) -> list[Text]:
    """Return what to watch for in the first game: ``watch.1`` and so on, as far as there are any."""
    number = sum(key.startswith(f"{step.id}.watch.") for key in catalogue(words_owner(step.game), "en"))
    return [step.words(f"watch.{each}") for each in range(1, number + 1)]


def task_of(step: Step) -> Task:
    """Return what a step asks for. ``RecordError`` for a game, in which there is nothing to judge."""
    if not isinstance(step.content, Task):
        raise RecordError(text("core.lesson-is-game", name=step.id))
    return step.content


def set_up(step: Step) -> Position:
    """Return the position of a step before its first moves are shown. Raises what a bad position text raises."""
    task = task_of(step)
    return new(step.game, **task.options) if task.position is None else position(task.position)


def judge(step: Step, decisions: Sequence[str]) -> Verdict:
    """Judge the learner's decisions since the step was set up; with none, return what is asked.

    The moves that lead to it and the script are made here. All decisions but the last must have been ``going``.
    """
    task = task_of(step)
    now = set_up(step)
    for move in task.before:
        now.push(move)
    script = list(task.script)
    _follow(now, step.seat, script)
    for number, decision in enumerate(decisions, 1):
        made = decisions[:number]
        try:
            _check_own(now, step.seat, decision)
            now.push(decision)
        except IllegalMove as error:
            known = _wrong_try(task, made, legal=False)
            return Verdict("refused", error.text if known is None else step.words(f"wrong.{known.id}"), now)
        status = _status(task, step.seat, now, made)
        if status == "wrong":
            return _wrong(step, task, now, made)
        _follow(now, step.seat, script)
        if status == "solved":
            return Verdict("solved", step.words("success"), now)
    return Verdict("going", None, now)


def next_decision(step: Step, decisions: Sequence[str]) -> str | None:
    """Return a decision that leads on to a solution after these, ``None`` if none is known from there."""
    task = task_of(step)
    now = judge(step, decisions).position
    own = [move.text for move in (*now.moves_of(step.seat), *now.interrupts_of(step.seat))]
    for line in (task.solution, *task.accept):
        for decision in own:
            longer = (*decisions, decision)
            if begins(line, longer) and judge(step, longer).status in ("going", "solved"):
                return decision
    return None


def explain_refusal(step: Step, decisions: Sequence[str], tokens: Sequence[str], language: str = "en") -> str:
    """Return why a half-entered move cannot be, after these decisions: the words of the step, or those of the rules.

    A wrong try of the step fits if its letters and numbers begin with the tokens. Empty if the tokens can be entered.
    """
    task = task_of(step)
    found = judge(step, decisions).position.complete(tokens, language)
    if not found.reason:
        return ""
    for known in task.wrong:
        for line in known.lines:
            *before, last = line
            if list(decisions) == before and _WORD.findall(last)[: len(tokens)] == list(tokens):
                return say(step.words(f"wrong.{known.id}"), language)
    return found.why or found.reason


def _check_own(now: Position, seat: int, decision: str) -> None:
    """Raise ``IllegalMove`` for a move that is legal for somebody else only."""
    if now.mover(now.find(decision)) != seat:
        raise IllegalMove(text("core.lesson-not-yours"))


def _status(task: Task, seat: int, now: Position, made: Sequence[str]) -> Status:
    if task.goal == "win":
        outcome = now.outcome()
        if outcome is not None:
            return "solved" if seat in outcome.winners else "wrong"
        return "going" if now.turn == seat else "wrong"
    if any(tuple(made) in known.lines for known in task.wrong):
        return "wrong"
    fitting = [line for line in task.accept if begins(line, made)]
    if any(len(line) == len(made) for line in fitting):
        return "solved"
    return "going" if fitting or (task.whole_turn and now.turn == seat) else "wrong"


def _wrong_try(task: Task, made: Sequence[str], legal: bool = True) -> WrongTry | None:
    """Return the first known wrong try that these decisions are.

    A line for any move at all is about legal moves: to others the rules have more to say.
    """
    for known in task.wrong:
        lines = known.lines if legal else [line for line in known.lines if line[-1:] != ("%",)]
        if any(len(line) == len(made) and begins(line, made) for line in lines):
            return known
    return None


def _wrong(step: Step, task: Task, now: Position, made: Sequence[str]) -> Verdict:
    known = _wrong_try(task, made)
    if known is None:
        return Verdict("wrong", text("core.lesson-wrong"), now)
    with contextlib.suppress(IllegalMove):  # after some tries of a kind the consequence is another one
        for move in known.then:
            now.push(move)
    return Verdict("wrong", step.words(f"wrong.{known.id}"), now)


def _follow(now: Position, seat: int, script: list[str]) -> None:
    """Make the moves of others and of chance until the learner is to act, or the script ends."""
    while script and now.turn not in (seat, None):
        now.push(script.pop(0))
