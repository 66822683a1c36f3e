"""Courses: what is asked, how tries are judged, and which course files are refused."""

import json
from dataclasses import replace

import pytest

import triskele
from triskele.core import lesson_check
from triskele.core.contract.lessons import Step, Task, begins, read_course, step_by_id
from triskele.core.errors import RecordError
from triskele.core.game import game, games
from triskele.core.lesson_check import check_course
from triskele.core.lessons import judge, lessons, set_up, task_of
from triskele.core.words import LANGUAGES, say

COURSES = [declared.name for declared in games() if lessons(declared.name)]
STEPS = [step for name in COURSES for step in lessons(name) if isinstance(step.content, Task)]


def named(step):
    return f"{step.game}-{step.id}"


def altered(step, **changes):
    return replace(step, content=replace(step.content, **changes))


@pytest.mark.parametrize("name", COURSES)
def test_a_course_holds_what_check_game_promises(name):
    check_course(game(name))


def test_every_game_of_ours_has_a_course():
    assert {step.game for step in STEPS} == {declared.name for declared in games()}


@pytest.mark.parametrize("step", STEPS, ids=named)
def test_nothing_happens_to_the_position_of_a_step_when_it_is_asked_twice(step):
    assert judge(step, ()).position == judge(step, ()).position
    assert judge(step, ()).status == "going"
    assert len(judge(step, ()).position.moves) >= len(set_up(step).moves)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", COURSES)
def test_what_is_said_is_short_in_every_language(name, language):
    for step in lessons(name):
        for key in ("name", "say"):
            said = say(step.words(key), language)
            assert not said.startswith(name), key
            assert len(said.split()) <= 1.25 * lesson_check.WORDS_LIMIT, said


@pytest.fixture
def step():
    """A step that asks for one jump, with an answer to two wrong tries."""
    return step_by_id(lessons("yinsh"), "jump")


def test_the_right_move_solves_a_step_and_is_praised(step):
    verdict = judge(step, ["f6-f9"])
    assert (verdict.status, verdict.text) == ("solved", step.words("success"))
    assert [move.text for move in verdict.position.moves] == ["f6-f9"]


def test_a_legal_move_that_is_not_asked_for_is_wrong_with_the_words_for_it(step):
    verdict = judge(step, ["f6-g6"])
    assert (verdict.status, verdict.text) == ("wrong", step.words("wrong.no-jump"))
    assert [move.text for move in verdict.position.moves] == ["f6-g6"], "it is made, to be shown"


def test_an_illegal_move_changes_nothing_and_has_the_words_of_the_step(step):
    verdict = judge(step, ["f6-f10"])
    assert (verdict.status, verdict.text) == ("refused", step.words("wrong.too-far"))
    assert verdict.position == set_up(step)


def test_words_for_any_other_move_are_about_legal_ones(step):
    assert ("%",) in task_of(step).wrong[-1].lines
    assert judge(step, ["c3-c4"]).text == step.words("wrong.no-jump")
    refused = judge(step, ["f6-g8"])
    assert refused.status == "refused"
    assert "f6 and g8 are not on one line" in say(refused.text)


def test_an_illegal_move_that_no_step_expects_has_the_reason_of_the_rules(step):
    verdict = judge(altered(step, wrong=()), ["f6-f10"])
    assert verdict.status == "refused"
    assert verdict.text.key.startswith("core.move-illegal")


def test_a_wrong_move_that_no_step_expects_is_answered_in_general(step):
    assert say(judge(altered(step, wrong=()), ["f6-g6"]).text) == "Not this time. Try again."


def test_several_decisions_are_going_until_the_last():
    step = step_by_id(lessons("yinsh"), "take-it")
    decisions = ["f5-f7", "xd6-h6", "xe9"]
    assert [judge(step, decisions[:n]).status for n in range(4)] == ["going", "going", "going", "solved"]


def test_the_consequence_of_a_wrong_try_is_shown():
    step = step_by_id(lessons("yinsh"), "spoil-theirs")
    assert [move.text for move in judge(step, ["d9-d8"]).position.moves] == ["d9-d8", "g9-c5"]


def test_a_move_that_belongs_to_somebody_else_is_refused():
    step = Step("yinsh", "x", 1, replace(task_of(step_by_id(lessons("yinsh"), "jump")), wrong=()))
    verdict = judge(step, ["f6-f9"])
    assert (verdict.status, verdict.text.key) == ("refused", "core.lesson-not-yours")


def test_in_a_pattern_the_per_cent_sign_stands_for_anything_and_nothing_else_does():
    assert begins(("a*%", "b"), ("a*cd",))
    assert not begins(("a*%", "b"), ("abcd",))
    assert not begins(("a%",), ("a1", "b"))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"solution": ("f6-g6",)}, "does not solve"),
        ({"accept": (("f6-f9",), ("f6-f10",))}, "cannot be played"),
        ({"accept": (("%",),), "wrong": ()}, "of random tries pass"),
        ({"marks": ("z99",)}, "no places"),
        ({"before": ("f6-a1",)}, "jump: f6-a1 is not a legal move"),
        ({"position": "yinsh: none"}, "jump: .* not a valid YINSH position"),
    ],
)
def test_a_step_that_breaks_its_word_is_found(step, changes, why):
    with pytest.raises(AssertionError, match=why):
        lesson_check._check_task(altered(step, **changes), altered(step, **changes).content)


@pytest.mark.parametrize(
    ("course", "why"),
    [
        ("{}", "list"),
        ('[{"id": "a"}]', "solution is missing"),
        ('[{"id": "a", "solution": "f6"}]', "accepted moves or the goal"),
        ('[{"id": "a", "solution": "f6", "accept": ["f6"], "goal": "win"}]', "accepted moves or the goal"),
        ('[{"id": "A b", "solution": "f6", "accept": ["f6"]}]', "lower-case"),
        ('[{"id": "a", "level": 11}]', "from 1 to 10"),
        ('[{"id": "a", "level": 1}, {"id": "a", "level": 1}]', "two steps are called a"),
        ('[{"id": "a", "solution": "f6", "accept": ["f6"], "extra": 1}]', "extra does not belong"),
        ('[{"id": "a", ', "part is missing"),
        (json.dumps([{"id": f"a{n}", "level": 1} for n in range(50)]), "more than 40"),
    ],
)
def test_a_course_file_that_is_wrong_is_refused_with_the_reason(tmp_path, course, why):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "course.json").write_text(course)
    with pytest.raises(RecordError, match=why):
        read_course("yinsh", tmp_path)


def test_a_game_without_a_course_has_no_steps(tmp_path):
    assert read_course("yinsh", tmp_path) == ()


def test_an_unknown_step_is_refused_naming_those_there_are():
    with pytest.raises(RecordError, match="move-a-ring"):
        step_by_id(triskele.lessons("yinsh"), "fly")
