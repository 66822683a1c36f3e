"""Puzzles in a real browser: solved, tried in vain, chosen, and remembered."""

import pytest

import triskele
from triskele.puzzle.attempt import judge

NUMBERS = "document.querySelector('.lesson .actions .amount')?.dataset.numbers.split(' ') ?? []"


def play(person, puzzle, decisions):
    """Make decisions in a puzzle by touching their tokens."""
    put = person.button("Place it")
    for number, decision in enumerate(decisions):
        asked = person.page.locator(f'.lesson[data-state="asked"][data-decisions="{number}"]')
        asked.wait_for()
        tokens = judge(puzzle, decisions[:number]).position.find(decision).tokens
        for token, following in zip(tokens, [*tokens[1:], ""], strict=True):

            def made_by_itself(asked=asked, following=following):
                """Whether the whole move was made, or the token was chosen as the only one that there was."""
                return not asked.count() or following in person.page.evaluate(NUMBERS)

            person.touch(token, unless=made_by_itself)
        if put.count():
            put.click()


def solver_decisions(puzzle):
    """Return the solver's part of a solution of one turn."""
    position, decisions = puzzle.start(), []
    for move in puzzle.solution:
        if position.turn == puzzle.seat:
            decisions.append(move)
        position.push(move)
    return decisions


@pytest.mark.parametrize("name", [game.name for game in triskele.games()])
def test_a_puzzle_of_every_game_is_solved_and_another_follows(visit, name):
    person = visit()
    puzzle = next(each for each in triskele.puzzles(name) if each.turns == 1)
    person.go(f"/puzzles/{name}#{puzzle.id}")
    play(person, puzzle, solver_decisions(puzzle))
    person.page.locator(".feedback.good").wait_for()
    person.page.get_by_text(f"1 of {len(triskele.puzzles(name))} solved").wait_for()
    person.button("Next puzzle").click()
    person.page.locator(f'.lesson[data-state="asked"]:not([data-puzzle="{puzzle.id}"])').wait_for()


def test_a_wrong_try_is_answered_on_the_board_and_taken_back(visit):
    person = visit()
    puzzle = next(each for each in triskele.puzzles("yinsh") if each.kind == "save" and each.turns == 1)
    person.go(f"/puzzles/yinsh#{puzzle.id}")
    wrong = next(move.text for move in puzzle.start().legal_moves if move.text not in puzzle.solution)
    play(person, puzzle, [wrong])
    person.page.locator(".feedback.bad").wait_for()
    play(person, puzzle, solver_decisions(puzzle))
    person.page.locator(".feedback.good").wait_for()
    person.page.get_by_text("0 of 300 solved").wait_for()


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_changes_with_the_day(visit):
    person = visit()
    person.go("/learn")
    script = """async puzzles => {
      const { puzzleOfTheDay } = await import("/learn/puzzles.js");
      return [0, 1, 86400001].map(now => puzzleOfTheDay(puzzles, now).id);
    }"""
    today, later, tomorrow = person.page.evaluate(script, [{"id": "b"}, {"id": "a"}, {"id": "c"}])
    assert (today, later, tomorrow) == ("a", "a", "b")


def test_the_next_puzzle_follows_the_solver(visit):
    person = visit()
    person.go("/learn")
    script = """async given => {
      const { nextPuzzle } = await import("/learn/puzzles.js");
      const { puzzleProgress, recordPuzzle } = await import("/lib/progress.js");
      const puzzles = [1, 2, 3, 8].map(difficulty => ({id: `p${difficulty}`, difficulty}));
      const wanted = [];
      for (const right of [true, true, true, false]) {
        const { solved, difficulty } = puzzleProgress("any");
        const puzzle = nextPuzzle(puzzles, solved, difficulty);
        wanted.push(puzzle.id);
        recordPuzzle("any", puzzle, right);
      }
      return [wanted, puzzleProgress("any")];
    }"""
    wanted, kept = person.page.evaluate(script)
    assert wanted == ["p1", "p2", "p3", "p8"]
    assert kept == {"solved": ["p1", "p2", "p3"], "difficulty": 3.5}


def test_a_puzzle_is_solved_by_keyboard_alone(visit):
    person = visit(reduced_motion="reduce")
    puzzle = next(each for each in triskele.puzzles("yinsh") if each.kind == "save" and each.turns == 1)
    person.go(f"/puzzles/yinsh#{puzzle.id}")
    person.page.locator('.lesson[data-state="asked"]').wait_for()
    for token in puzzle.start().find(puzzle.solution[0]).tokens:
        person.page.locator(f'.lesson [data-token="{token}"]').focus()
        person.page.keyboard.press("Enter")
    person.page.locator('.lesson[data-state="solved"]').wait_for()
    assert person.page.evaluate("document.activeElement.textContent") == "Next puzzle"
    assert person.page.locator(".lesson-text").get_attribute("aria-live") == "polite"


def test_another_puzzle_is_none_that_was_just_seen(visit):
    person = visit()
    person.go("/puzzles/tryad")
    seen = []
    for _ in range(5):
        person.page.locator('.lesson[data-state="asked"]').wait_for()
        seen.append(person.page.locator(".lesson").get_attribute("data-puzzle"))
        person.button("Another puzzle").click()
        person.page.locator(f'.lesson:not([data-puzzle="{seen[-1]}"])').wait_for()
    assert len(set(seen)) == len(seen)
