"""The contract for a game's course: ``lessons/course.json``, and its words in ``lessons/words/en.json`` and so on.

A course is a list of steps, played on the real board. All but the last set up a position and ask for something; the
last is a first game against an engine. Moves are written one after the other, with a space between: a *line*. A step
is an object with

``id``         the step's name in keys and addresses: lower-case letters, digits and hyphens
``position``   a position text; or ``options``, for a position at the start of a game
``before``     moves that lead from there to what is asked, shown one by one; none by default
``seat``       the learner's seat; 0 by default
``accept``     what solves the step: a list of lines, each the learner's decisions. In a decision ``%`` stands for any
               characters. The decisions of others are not in it: they are ``script``
``whole_turn`` true: a try is judged when the turn is over, not after every decision of it
``goal``       instead of ``accept``: ``"win"``, that is any decisions of one turn by which the learner wins
``script``     the moves of others and of chance, in their order, made as soon as the learner is not to act
``wrong``      what to say to a wrong try, the first that fits: objects with ``id``, ``lines`` as in ``accept`` (of
               moves that need not be legal), and ``then``: moves that show the consequence, as far as they are legal.
               A line without ``%`` is wrong even where ``accept`` would take it
``solution``   one solution, the learner's decisions, for who gives up
``marks``      tokens of places to be marked on the board

and the last one with ``id``, ``seat``, ``options`` and ``level``, the engine's.

Its words are ``ID.name``, ``ID.say`` (what is asked), ``ID.success``, and ``ID.wrong.WRONG`` for each wrong try. The
last step has ``ID.name`` and ``ID.say``, and ``ID.watch.1`` and so on: what to watch for. ``check_game`` checks all of
it (:mod:`triskele.core.lesson_check`).
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from triskele.core.document import Item, read_json
from triskele.core.errors import RecordError
from triskele.core.files import read_limited
from triskele.core.options import Value
from triskele.core.words import Text, text

BYTES_LIMIT = 200_000
STEPS_LIMIT, LINES_LIMIT, TEXT_LIMIT = 40, 400, 2_000
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TASK_KEYS = frozenset(
    ("position", "options", "before", "seat", "accept", "whole_turn", "goal", "script", "wrong", "solution", "marks")
)  # fmt: skip

Line = tuple[str, ...]
"""The decisions of one seat, in their order; ``%`` in one stands for any characters."""


@functools.lru_cache(maxsize=1000)
def _pattern(decision: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, decision.split("%"))))


def begins(line: Line, decisions: Sequence[str]) -> bool:
    """Return whether a line begins with these decisions."""
    return len(decisions) <= len(line) and all(
        _pattern(wanted).fullmatch(made) for wanted, made in zip(line, decisions, strict=False)
    )


@dataclass(frozen=True)
class WrongTry:
    """A wrong try that somebody is likely to make, and the moves that show its consequence."""

    id: str
    lines: tuple[Line, ...]
    then: tuple[str, ...] = ()


@dataclass(frozen=True)
class Task:
    """What a step asks for: a position, and what solves it. See the module for the fields."""

    position: str | None
    options: dict[str, Value]
    before: tuple[str, ...]
    accept: tuple[Line, ...]
    whole_turn: bool
    goal: Literal["win"] | None
    script: tuple[str, ...]
    wrong: tuple[WrongTry, ...]
    solution: Line
    marks: tuple[str, ...]


@dataclass(frozen=True)
class FirstGame:
    """The end of a course: a game against an engine."""

    options: dict[str, Value]
    level: int


@dataclass(frozen=True)
class Step:
    """A step of a course; ``game`` is the name of the game, ``seat`` the learner's."""

    game: str
    id: str
    seat: int
    content: Task | FirstGame

    def words(self, key: str) -> Text:
        """Return a text of the step by the last part of its key."""
        return text(f"{words_owner(self.game)}.{self.id}.{key}")


def words_owner(game: str) -> str:
    """Return whose words those of a game's course are, as in the keys of texts."""
    return f"{game}/lessons"


def read_course(game: str, folder: Path) -> tuple[Step, ...]:
    """Return the steps in a game's folder, none if it has no course. ``RecordError`` names what is wrong and where."""
    path = folder / "lessons" / "course.json"
    if not path.is_file():
        return ()
    root = read_json(read_limited(path, BYTES_LIMIT), BYTES_LIMIT, BYTES_LIMIT)
    items = root.items(STEPS_LIMIT)
    steps = tuple(_step(game, item) for item in items)
    seen: set[str] = set()
    for step, item in zip(steps, items, strict=True):
        if step.id in seen:
            raise item.refused(text("core.lesson-double", name=step.id))
        seen.add(step.id)
    return steps


def _step(game: str, item: Item) -> Step:
    first_game = isinstance(item.value, dict) and "level" in item.value
    if first_game:
        parts = item.fields(frozenset(("id", "level")), frozenset(("options", "seat")))
        content: Task | FirstGame = FirstGame(_options(parts), parts["level"].integer(1, 10))
    else:
        parts = item.fields(frozenset(("id", "solution")), _TASK_KEYS)
        content = _task(item, parts)
    name = parts["id"].string(TEXT_LIMIT)
    if not _ID.fullmatch(name):
        raise parts["id"].refused(text("core.lesson-id"))
    return Step(game, name, parts["seat"].integer(0, 100) if "seat" in parts else 0, content)


def _task(item: Item, parts: dict[str, Item]) -> Task:
    goal = parts["goal"].string(TEXT_LIMIT) if "goal" in parts else None
    if ("accept" in parts) == (goal == "win"):
        raise item.refused(text("core.lesson-aim"))
    return Task(
        position=parts["position"].string(TEXT_LIMIT) if "position" in parts else None,
        options=_options(parts),
        before=_line(parts.get("before")),
        accept=_lines(parts.get("accept")),
        whole_turn="whole_turn" in parts and parts["whole_turn"].value is True,
        goal="win" if goal else None,
        script=_line(parts.get("script")),
        wrong=_wrong_tries(parts.get("wrong")),
        solution=_line(parts["solution"]),
        marks=_line(parts.get("marks")),
    )


def _options(parts: dict[str, Item]) -> dict[str, Value]:
    """Return the options of a step; the game checks their names and values when a position is set up."""
    if "options" not in parts:
        return {}
    if not isinstance(parts["options"].value, dict):
        raise parts["options"].refused(text("core.json-not-object"))
    return dict(parts["options"].value)


def _line(item: Item | None) -> Line:
    return () if item is None else tuple(item.string(TEXT_LIMIT).split())


def _lines(item: Item | None) -> tuple[Line, ...]:
    return () if item is None else tuple(_line(each) for each in item.items(LINES_LIMIT))


def _wrong_tries(item: Item | None) -> tuple[WrongTry, ...]:
    found = []
    for each in [] if item is None else item.items(LINES_LIMIT):
        parts = each.fields(frozenset(("id", "lines")), frozenset(("then",)))
        found.append(WrongTry(parts["id"].string(TEXT_LIMIT), _lines(parts["lines"]), _line(parts.get("then"))))
    return tuple(found)


def step_by_id(steps: Sequence[Step], name: str) -> Step:
    """Return the step with an id. ``RecordError`` names those there are."""
    for step in steps:
        if step.id == name:
            return step
    known = ", ".join(step.id for step in steps)
    raise RecordError(text("core.lesson-unknown", name=name[:60], steps=known))
