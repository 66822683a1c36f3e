"""Puzzles over HTTP: the list without solutions, and tries that are judged without anything being stored."""

import json

import pytest

import triskele
from triskele.core.game import games
from triskele.puzzle.attempt import judge

NAMES = [declared.name for declared in games()]


def post(person, game, puzzle, *decisions):
    return person.post(f"/games/{game}/puzzles/{puzzle}", decisions=list(decisions))


@pytest.mark.parametrize("name", NAMES)
def test_puzzles_are_listed_in_the_language_that_is_asked_for_without_their_solutions(visitor, name):
    found = visitor().get(f"/games/{name}/puzzles", language="de")
    puzzles = triskele.puzzles(name)
    assert [each["id"] for each in found] == [puzzle.id for puzzle in puzzles]
    assert [each["task"] for each in found] == [puzzle.task("de") for puzzle in puzzles]
    assert all(each.keys() == {"id", "kind", "task", "seat", "turns", "difficulty"} for each in found)


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_is_shown_as_its_solver_knows_it_and_solved(visitor, kit, name):
    person = visitor()
    puzzle = triskele.puzzles(name)[0]
    start = puzzle.start()
    begun = post(person, name, puzzle.id)
    assert begun["status"] == "going"
    look = begun["frames"][-1]["look"]
    assert look["view"]["position"] == puzzle.position
    assert {move[0] for move in look["moves"]} == {move.text for move in start.legal_moves}
    assert kit.same_scene(look["scene"], json.loads(json.dumps(start.scene(puzzle.seat).data())))
    decisions = []
    for move in puzzle.solution:
        decisions.append(move)
        if judge(puzzle, decisions).status == "solved":
            break
    assert post(person, name, puzzle.id, *decisions)["status"] == "solved"


def test_a_wrong_try_is_answered_by_its_refutation(visitor):
    puzzle = next(p for p in triskele.puzzles("yinsh", kind="save") if p.turns == 1)
    wrong = next(move.text for move in puzzle.start().legal_moves if move.text != puzzle.solution[0])
    found = post(visitor(), "yinsh", puzzle.id, wrong)
    assert found["status"] == "wrong"
    assert found["text"]
    made = [frame["made"] for frame in found["frames"]]
    assert made[0] == {"move": wrong, "seat": puzzle.seat}
    assert made[1]["seat"] == 1 - puzzle.seat


def test_an_illegal_try_shows_the_position_as_it_was(visitor):
    person = visitor()
    puzzle = triskele.puzzles("trypsylon")[0]
    found = post(person, "trypsylon", puzzle.id, "nonsense")
    assert found["status"] == "refused"
    assert "nonsense" in found["text"]
    assert [frame["look"] for frame in found["frames"]] == [post(person, "trypsylon", puzzle.id)["frames"][-1]["look"]]


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/games/yinsh/puzzles/nothing", {"decisions": []}, "unknown"),
        ("/games/chess/puzzles/nothing", {"decisions": []}, "unknown"),
        ("/games/yinsh/puzzles/nothing", {}, "form"),
        ("/games/yinsh/puzzles/nothing", {"decisions": ["f6-g6"] * 65}, "form"),
        ("/games/yinsh/puzzles/nothing", {"decisions": [7]}, "form"),
    ],
)
def test_what_is_not_a_try_is_refused(visitor, refused, path, body, code):
    assert refused(visitor().post, path, **body) == code


def test_a_game_that_there_is_not_has_no_puzzles(visitor, refused):
    assert refused(visitor().get, "/games/chess/puzzles") == "unknown"


def test_why_tokens_do_not_fit_is_said_by_the_rules(visitor, refused):
    person = visitor()
    puzzle = triskele.puzzles("yinsh")[0]
    path = f"/games/yinsh/puzzles/{puzzle.id}/tokens"
    start = puzzle.start()
    found = person.post(path, decisions=[], tokens=["a1"])
    assert found["reason"] == start.complete(("a1",)).reason
    assert found["reason"]
    tokens = start.find(puzzle.solution[0]).tokens
    assert person.post(path, decisions=[], tokens=list(tokens[:1]))["reason"] == ""
    german = person.http.post(path, json={"decisions": [], "tokens": ["a1"]}, headers={"Accept-Language": "de"}).json()
    assert german["reason"] == start.complete(("a1",), "de").reason
    assert refused(person.post, "/games/yinsh/puzzles/nothing/tokens", decisions=[], tokens=[]) == "unknown"
    assert refused(person.post, path, decisions=[], tokens=["x"] * 100) == "form"


def test_the_odds_of_a_plan_are_told_while_it_is_entered(visitor):
    puzzle = triskele.puzzles("conquest")[0]
    start = puzzle.start()
    tokens = start.find(puzzle.solution[0]).tokens
    found = visitor().post(f"/games/conquest/puzzles/{puzzle.id}/tokens", decisions=[], tokens=list(tokens[:-1]))
    assert found["reason"] == ""
    assert tokens[-1] in found["notes"]
