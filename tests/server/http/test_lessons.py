"""Courses over HTTP: the steps, and tries that are judged without anything being stored."""

import json

import pytest

import triskele
from triskele.core.contract.lessons import Task
from triskele.core.game import games
from triskele.core.lessons import judge
from triskele.core.words import say

NAMES = [declared.name for declared in games()]


def post(person, game, step, *decisions):
    return person.post(f"/games/{game}/lessons/{step}", decisions=list(decisions))


@pytest.mark.parametrize("name", NAMES)
def test_a_course_is_shown_in_the_language_that_is_asked_for(visitor, name):
    found = visitor().get(f"/games/{name}/lessons", language="de")
    steps = triskele.lessons(name)
    assert [step["id"] for step in found] == [step.id for step in steps]
    assert [step["say"] for step in found] == [say(step.words("say"), "de") for step in steps]
    assert len(found[-1]["watch"]) == 3
    assert found[-1]["level"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_step_can_be_solved_and_shows_what_the_learner_may_know(visitor, kit, name):
    person = visitor()
    for step in triskele.lessons(name):
        if not isinstance(step.content, Task):
            continue
        begun = post(person, name, step.id)
        asked = judge(step, ()).position
        assert begun["status"] == "going"
        assert begun["frames"][-1]["look"]["view"] == json.loads(json.dumps(asked.view_without_moves(step.seat)))
        expected = {move.text for move in (*asked.moves_of(step.seat), *asked.interrupts_of(step.seat))}
        offered = begun["frames"][-1]["look"]
        assert {move[0] for move in (*offered["moves"], *offered["interrupts"])} == expected
        assert kit.same_scene(offered["scene"], json.loads(json.dumps(asked.scene(step.seat).data())))
        solved = post(person, name, step.id, *step.content.solution)
        assert (solved["status"], solved["text"]) == ("solved", say(step.words("success")))
        assert solved["frames"]


def test_the_moves_since_the_last_decision_are_shown_one_by_one(visitor):
    found = post(visitor(), "yinsh", "spoil-theirs", "d9-d8")
    assert found["status"] == "wrong"
    assert [frame["made"] for frame in found["frames"]] == [
        {"move": "d9-d8", "seat": 0},
        {"move": "g9-c5", "seat": 1},
    ]
    assert found["text"].startswith("Black")


def test_an_illegal_try_shows_the_position_as_it_was(visitor):
    person = visitor()
    found = post(person, "yinsh", "jump", "f6-f10")
    assert found["status"] == "refused"
    assert [frame["look"] for frame in found["frames"]] == [post(person, "yinsh", "jump")["frames"][-1]["look"]]


def test_what_a_secret_pattern_is_does_not_leave_with_a_step(visitor):
    frames = post(visitor(), "tryptic", "read-my-tiles")["frames"]
    shown = json.dumps([[frame["made"], frame["look"]["view"], frame["look"]["scene"]] for frame in frames])
    assert "BGR" in shown, "the learner's own"
    assert "GYY" not in shown
    assert "RWW" not in shown


@pytest.mark.parametrize(
    ("step", "body", "code"),
    [
        ("fly", {"decisions": []}, "unknown"),
        ("first-game", {"decisions": []}, "unknown"),
        ("jump", {}, "form"),
        ("jump", {"decisions": ["f6-g6"] * 65}, "form"),
        ("jump", {"decisions": ["x" * 201]}, "form"),
        ("jump", {"decisions": [7]}, "form"),
        ("jump", {"decisions": [], "more": 1}, "form"),
    ],
)
def test_what_is_not_a_try_is_refused(visitor, refused, step, body, code):
    assert refused(visitor().post, f"/games/yinsh/lessons/{step}", **body) == code


def test_a_game_that_there_is_not_has_no_course(visitor, refused):
    assert refused(visitor().get, "/games/chess/lessons") == "unknown"
    assert refused(visitor().post, "/games/chess/lessons/jump", decisions=[]) == "unknown"


def test_why_tokens_do_not_fit_is_said_in_the_words_of_the_step_or_of_the_rules(visitor):
    person = visitor()

    def reason(*tokens):
        return person.post("/games/yinsh/lessons/jump/tokens", decisions=[], tokens=list(tokens))["reason"]

    assert reason("f6", "f10").startswith("After a jump you land on the very next point")
    assert reason("f6", "g8") == "f6 and g8 are not on one line"
    assert reason("f6") == ""


def test_the_odds_of_each_number_are_told_while_it_is_chosen(visitor):
    step = next(step for step in triskele.lessons("conquest") if step.id == "step-outside")
    tokens = judge(step, ()).position.find(step.content.solution[0]).tokens
    path = "/games/conquest/lessons/step-outside/tokens"
    notes = visitor().post(path, decisions=[], tokens=tokens[:-1])["notes"]
    assert set(notes) == {"1", "2", "3"}
    assert "94" in notes["3"]
