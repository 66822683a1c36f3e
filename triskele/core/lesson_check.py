"""Check a game's course: what :func:`triskele.testing.check_game` promises of lessons."""

import random
from collections.abc import Iterator

from triskele.core.contract.lessons import FirstGame, Line, Step, Task, begins, words_owner
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.game import Game
from triskele.core.lessons import Verdict, judge, lessons
from triskele.core.words import catalogue

WORDS_LIMIT = 60
"""A text of a step has at most this many words: nobody reads more between two touches."""
RANDOM_TRIES = 300
LUCK_LIMIT = 1 / 3
"""At most this share of random tries may pass a step: who passes it has understood something."""


def check_course(declared: Game) -> None:
    """Check every step of a game's course, if it has one; ``AssertionError`` says what is wrong.

    The solution solves the step, every accepted line has a legal instance, every wrong try is refused or wrong with its
    own words, random decisions pass a step in at most a third of tries, marks are places, and all words are there.
    """
    steps = lessons(declared.name)
    if not steps:
        return
    assert isinstance(steps[-1].content, FirstGame), "a course ends with a game"
    for step in steps:
        _check_words(step)
        if isinstance(step.content, FirstGame):
            assert step is steps[-1], f"{step.id}: only the last step is a game"
            assert step.seat < declared.variant(step.content.options).seats, f"{step.id}: no such seat"
        else:
            _check_task(step, step.content)


def _check_words(step: Step) -> None:
    content = step.content
    keys = ["name", "say"]
    if isinstance(content, FirstGame):
        keys.append("watch.1")
    else:
        keys += ["success", *(f"wrong.{known.id}" for known in content.wrong)]
    english = catalogue(words_owner(step.game), "en")
    for key in keys:
        words = english.get(f"{step.id}.{key}")
        assert isinstance(words, str), f"{step.id}: no English words for {key}"
        assert len(words.split()) <= WORDS_LIMIT, f"{step.id}: {key} has more than {WORDS_LIMIT} words"


def _check_task(step: Step, task: Task) -> None:
    try:
        _check_tries(step, task)
    except (IllegalMove, RecordError) as error:
        raise AssertionError(f"{step.id}: {error}") from error


def _check_tries(step: Step, task: Task) -> None:
    asked = judge(step, ())
    places = {place.token for place in asked.position.scene(step.seat).places}
    assert set(task.marks) <= places, f"{step.id}: marks that are no places: {set(task.marks) - places}"
    assert judge(step, task.solution).status == "solved", f"{step.id}: the solution does not solve it"
    for line in task.accept:
        found = next(_instances(step, line), None)
        assert found is not None, f"{step.id}: {' '.join(line)} cannot be played"
    for known in task.wrong:
        for line in known.lines:
            _check_wrong(step, known.id, line, known.then)
    rng = random.Random(step.id)
    lucky = sum(_random_try(step, rng) for _ in range(RANDOM_TRIES)) / RANDOM_TRIES
    assert lucky <= LUCK_LIMIT, f"{step.id}: {lucky:.0%} of random tries pass"


def _decisions(step: Step, verdict: Verdict) -> list[str]:
    """Return what the learner may decide now."""
    now = verdict.position
    return [move.text for move in (*now.moves_of(step.seat), *now.interrupts_of(step.seat))]


def _instances(step: Step, line: Line, made: tuple[str, ...] = ()) -> Iterator[Line]:
    """Yield the legal decisions that a line stands for, as far as they are judged to be right."""
    verdict = judge(step, made)
    if verdict.status == "solved":
        yield made
    elif verdict.status == "going":
        for decision in _decisions(step, verdict):
            longer = (*made, decision)
            if begins(line, longer):
                yield from _instances(step, line, longer)


def _check_wrong(step: Step, name: str, line: Line, then: Line) -> None:
    if any("%" in decision for decision in line):
        return  # a try in general; those that can be named are checked
    verdict = judge(step, line)
    assert verdict.status in ("wrong", "refused"), f"{step.id}: {' '.join(line)} is {verdict.status}"
    assert verdict.text == step.words(f"wrong.{name}"), f"{step.id}: {' '.join(line)} is answered otherwise"
    shown = [move.text for move in verdict.position.moves][-len(then) :] if then else []
    assert verdict.status == "refused" or shown == list(then), f"{step.id}: after {' '.join(line)} {then} is not legal"


def _random_try(step: Step, rng: random.Random) -> bool:
    made: tuple[str, ...] = ()
    while (verdict := judge(step, made)).status == "going":
        decisions = _decisions(step, verdict)
        assert decisions, f"{step.id}: nothing to decide after {' '.join(made)}"
        made = (*made, rng.choice(decisions))
    return verdict.status == "solved"
