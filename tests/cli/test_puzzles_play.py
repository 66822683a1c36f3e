"""Puzzles at the terminal, with lines instead of a keyboard."""

import json
import re

import pytest

import triskele
from triskele.cli.lesson_progress import PUZZLES, progress_path
from triskele.cli.move_input import read_move_input
from triskele.core.game import games
from triskele.core.words import LANGUAGES, say, text
from triskele.puzzle.attempt import judge

NAMES = [declared.name for declared in games()]


def easiest(name):
    """Return the puzzle that somebody without progress is asked first."""
    return min(triskele.puzzles(name), key=lambda puzzle: puzzle.difficulty)


def decisions(puzzle):
    """Return the solver's moves of the solution."""
    position, made = puzzle.start(), []
    for move in puzzle.solution:
        if position.turn == puzzle.seat:
            made.append(move)
            if judge(puzzle, made).status == "solved":
                break
        position.push(move)
    return made


def solved(name):
    return json.loads(progress_path(PUZZLES).read_text())["solved"][name]


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_of_every_game_is_solved_and_another_follows(run, name):
    puzzle = easiest(name)
    done = run("puzzles", "play", name, typed=decisions(puzzle))
    assert done.code == 0
    assert puzzle.task("en") in done.out.replace("\n", " ")
    assert f"Puzzle {puzzle.id}" in done.out
    assert done.out.count("Puzzle ") == 2, "another follows"
    assert solved(name) == [puzzle.id]
    assert f"1 of {len(triskele.puzzles(name))} puzzles solved" in done.out
    again = run("puzzles", "play", name, typed=[":quit"])
    assert puzzle.id not in again.out


def test_a_wrong_try_is_refuted_on_the_board_and_taken_back(run):
    puzzle = next(p for p in triskele.puzzles("yinsh", kind="save") if p.turns == 1)
    wrong = next(move.text for move in puzzle.start().legal_moves if move.text != puzzle.solution[0])
    refutation = judge(puzzle, [wrong])
    others = list(triskele.puzzles("yinsh", kind="save", difficulty=puzzle.difficulty))
    skips = [":skip"] * others.index(puzzle)
    done = run("puzzles", "play", "yinsh", "--kind", "save", "--difficulty", puzzle.difficulty, typed=[*skips, wrong])
    assert say(refutation.text, "en") in done.out.replace("\n", " ")
    answer = refutation.position.moves[-1].text
    assert answer in done.out
    assert not progress_path(PUZZLES).exists()


def test_puzzles_that_were_skipped_come_again_only_after_all_others(run):
    few = triskele.puzzles("yinsh", kind="save", difficulty=2)
    done = run("puzzles", "play", "yinsh", "--kind", "save", "--difficulty", 2, typed=[":skip"] * len(few))
    asked = re.findall(r"Puzzle (\w+)", done.out)
    assert sorted(asked[:-1]) == sorted(puzzle.id for puzzle in few)
    assert asked[-1] == asked[0]


def test_a_move_can_be_typed_token_by_token_and_a_wrong_one_gets_the_reason(run):
    puzzle = easiest("yinsh")
    tokens = puzzle.start().find(puzzle.solution[0]).tokens
    done = run("puzzles", "play", "yinsh", typed=["a1", *tokens])
    assert read_move_input(puzzle.start(), (), "a1").reason in done.out.replace("\n", " ")
    if len(tokens) > 1:
        assert f"{tokens[0]}> " in done.out


def test_commands_help_and_show_the_solution_which_then_does_not_count_as_found(run):
    puzzle = easiest("trypsylon")
    typed = [":help", ":moves", ":board", ":show", ":nonsense", "", ":quit"]
    done = run("puzzles", "play", "trypsylon", "--no-board", typed=typed)
    assert done.code == 0
    assert " ".join(puzzle.solution) in done.out
    assert say(text("cli.puzzle-commands"), "en").split("\n")[0] in done.out
    assert ":skip" in done.out
    assert not progress_path(PUZZLES).exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles_speak_the_readers_language(run, language):
    puzzle = easiest("tryad")
    done = run("puzzles", "play", "tryad", "--language", language, typed=[":quit"])
    assert puzzle.task(language) in done.out.replace("\n", " ")


def test_what_there_is_not_is_refused(run):
    for wrong in (("chess",), ("yinsh", "--kind", "nothing"), ("yinsh", "--difficulty", 11)):
        done = run("puzzles", "play", *wrong)
        assert done.code != 0
        assert done.err
