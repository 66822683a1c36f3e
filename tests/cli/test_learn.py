"""Courses at the terminal, with lines instead of a keyboard."""

import json
import os
import random
import signal

import pytest

from triskele.cli import save_files
from triskele.cli.formatting import options_line, seats_line
from triskele.cli.lesson_progress import FORMAT, progress_path
from triskele.core import lessons as judge_module
from triskele.core.contract.lessons import FirstGame, Task, read_course
from triskele.core.game import game, games
from triskele.core.lessons import judge, lessons
from triskele.core.words import LANGUAGES, catalogue, say

COURSES = [declared.name for declared in games() if lessons(declared.name)]
JUMP = ("learn", "yinsh", "--step", "jump")
"""A step that f6-f9 solves: two markers are to be jumped."""


def said(step, key, language="en"):
    return say(step.words(key), language)


def flat(out):
    """What was written, without its line breaks: texts are wrapped."""
    return out.replace("\n", " ").replace("  ", " ")


def step_of(name, step_id):
    return next(step for step in lessons(name) if step.id == step_id)


def solved(name="yinsh"):
    return json.loads(progress_path().read_text())["solved"][name]


# --- steps ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COURSES)
def test_the_solutions_lead_through_a_whole_course_to_the_first_game(run, name):
    tasks = [step for step in lessons(name) if isinstance(step.content, Task)]
    done = run("learn", name, typed=[decision for step in tasks for decision in step.content.solution])
    assert done.code == 0
    for number, step in enumerate(lessons(name), 1):
        assert f"Step {number} of {len(lessons(name))}: {said(step, 'name')}" in done.out
    for step in tasks:
        assert said(step, "say") in flat(done.out)
        assert said(step, "success") in flat(done.out)
    assert "Press Enter to start the game:" not in done.out, "the script ends before the question is answered"
    assert "What to watch for:" in done.out
    assert solved(name) == [step.id for step in tasks]


def test_a_solution_can_be_typed_token_by_token(run):
    done = run(*JUMP, typed=["f6", "f9"])
    assert "Next: " in done.out
    assert said(step_of("yinsh", "jump"), "success") in flat(done.out)
    assert solved() == ["jump"]


def test_a_wrong_try_is_shown_with_its_reason_and_taken_back(run):
    done = run(*JUMP, "--no-board", typed=["f6-g6", "f6-f9"])
    wrong = said(step_of("yinsh", "jump"), "wrong.no-jump")
    shown = done.out.index("white ring: c3 d8 g6 h4 i9")
    assert shown < done.out.index(wrong) < done.out.index("Taken back: f6-g6")
    assert done.out.count("white ring: c3 d8 f6 h4 i9") >= 2, "before the try and after it"
    assert solved() == ["jump"]


def test_what_others_do_after_a_wrong_try_is_told(run):
    step = step_of("tryad", "no-match")
    out = flat(run("learn", "tryad", "--step", step.id, typed=["-b1+c2"]).out)
    assert out.index("> -b1+c2") < out.index("Die: 2") < out.index(said(step, "wrong.breaks-the-pair"))


def test_where_a_whole_turn_is_judged_the_whole_turn_is_taken_back(run):
    step = step_of("trypsylon", "win-along-the-edge")
    assert isinstance(step.content, Task)
    assert step.content.goal == "win"
    done = run("learn", "trypsylon", "--step", step.id, typed=["a3", "Sa/NE", *step.content.solution])
    assert "Taken back: a3 Sa/NE" in done.out
    assert solved("trypsylon") == [step.id]


def test_moves_that_lead_to_a_step_and_answers_of_others_are_told(run):
    done = run("learn", "yinsh", "--step", "a-present")
    assert done.out.index("Black: e4-e6") < done.out.index("Step 9 of 12")
    done = run("learn", "tryad", "--step", "tryad", typed=["-b3"])
    assert done.out.index("> -b3") < done.out.index("Die: 2")


@pytest.mark.parametrize("line", ["f6-f10", "f6 f10"])
def test_an_illegal_move_gets_the_words_of_the_step(run, line):
    assert said(step_of("yinsh", "jump"), "wrong.too-far") in flat(run(*JUMP, typed=[line]).out)


def test_an_illegal_move_that_no_step_expects_gets_the_reason_of_the_rules(run):
    out = run(*JUMP, typed=["f6-g8", "nonsense", ":nonsense"]).out
    assert "f6-g8 is not a legal move here: f6 and g8 are not on one line" in out
    assert "nonsense is not a legal move here" in out
    assert "Unknown command" in out


def test_a_hint_comes_after_two_wrong_tries_and_the_solution_can_be_shown_after_three(run):
    out = run(*JUMP, "--no-board", typed=["show", "f6-g6", "show", "f6-g6", "f6-g6", "show", "f6-f9"]).out
    first, second, third = out.split("Taken back")[1:4]
    assert "“show” works after 3 more wrong tries" in out.split("Taken back")[0]
    assert "Hint" not in first
    assert "“show” works after 2 more wrong tries" in first
    assert "Hint: begin with f6" in second
    assert third.index("“show” shows a solution") < third.index("A solution: f6-f9") < third.index("Now you.")
    assert solved() == ["jump"]


def test_a_hint_does_not_give_away_a_move_of_one_token(run):
    out = run("learn", "tryad", "--step", "small-change", typed=["hint"]).out
    (line,) = [line for line in out.splitlines() if line.startswith("Hint: one of these is right:")]
    assert len(line.split(":")[2].split()) == 2
    assert "b3" in line


def test_every_step_has_a_hint(run):
    for name in COURSES:
        tasks = [step for step in lessons(name) if isinstance(step.content, Task)]
        out = run("learn", name, "--no-board", "--step", tasks[0].id, typed=["hint", "skip"] * len(tasks)).out
        assert out.count("Hint: ") == len(tasks)


def test_next_decision_goes_on_from_where_the_learner_is():
    step = step_of("tryad", "tryad")
    assert judge_module.next_decision(step, ()) == "-b3"
    assert judge_module.next_decision(step, ("-b3", "-c5")) == "-b1+c2+d6", "by another accepted line"
    step = step_of("trypsylon", "win-along-the-edge")
    assert judge(step, ("a3",)).status == "going"
    assert judge_module.next_decision(step, ("a3",)) is None


# --- commands ---------------------------------------------------------------------------------------


def test_commands_go_from_step_to_step(run):
    out = run("learn", "yinsh", typed=["back", "skip", ":sk", "back", "steps 12", "skip", "steps", "steps 99"]).out
    order = ["This is the first step.", "Step 2 of 12", "Step 3 of 12", "Step 2 of 12", "Step 12 of 12"]
    place = 0
    for wanted in order:
        place = out.index(wanted, place) + 1
    assert "This is the last step." in out[place:]
    assert "12 Your first game (you are here)" in out
    assert "a number from 1 to 12" in out
    assert not progress_path().exists(), "nothing was solved"


def test_help_moves_board_and_again_work_in_a_step(run):
    out = run("learn", "yinsh", "--step", "take-it", typed=["help", "moves f5", "f5-f7", "again", "board", "quit"]).out
    assert "start this step over" in out
    assert "f5-f7" in out
    assert out.count("Step 6 of 12") == 3
    assert out.rstrip().endswith("Your progress is kept. Continue with: triskele learn yinsh")


def test_an_unknown_step_or_game_is_refused_with_those_there_are(run):
    done = run("learn", "yinsh", "--step", "castling")
    assert done.code == 1
    assert "castling" in done.err
    assert "jump" in done.err
    done = run("learn", "chess")
    assert done.code == 1
    assert "yinsh" in done.err
    done = run("learn", "--step", "jump")
    assert done.code == 1
    assert "triskele learn GAME" in done.err


def test_a_game_without_a_course_is_refused_in_words(run, monkeypatch):
    monkeypatch.setattr("triskele.cli.learn.lessons", lambda name: ())
    done = run("learn", "yinsh")
    assert done.code == 1
    assert "YINSH has no course" in done.err
    assert "no course" in run("learn").out


def test_a_course_that_cannot_be_read_is_listed_with_the_reason_among_the_others(run, monkeypatch, tmp_path):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "course.json").write_text('[{"id": "Not An Id", "solution": "f6", "accept": ["f6"]}]')

    def one_damaged(name):
        return read_course(name, tmp_path) if name == "tryad" else lessons(name)

    monkeypatch.setattr("triskele.cli.learn.lessons", one_damaged)
    done = run("learn")
    assert done.code == 0
    assert "a step’s id consists of lower-case letters" in done.out
    assert "conquest   Conquest Tryad: 0 of 14 solved" in done.out
    refused = run("learn", "tryad")
    assert refused.code == 1
    assert "a step’s id consists of" in refused.err


# --- progress ---------------------------------------------------------------------------------------


def test_a_course_resumes_at_the_first_step_that_is_not_solved(run):
    run("learn", "yinsh", typed=["f6-g6", "skip", "f6-f9"])
    assert solved() == ["move-a-ring", "jump"]
    assert "Step 2 of 12" in run("learn", "yinsh").out
    assert "yinsh      YINSH: 2 of 12 solved" in run("learn").out


def test_a_course_that_is_solved_begins_anew(run, home):
    home.mkdir()
    ids = [step.id for step in lessons("yinsh")]
    progress_path().write_text(json.dumps({"format": FORMAT, "solved": {"yinsh": ids, "other": ["kept"]}}))
    out = run("learn", "yinsh", typed=["f6-g6"]).out
    assert "You have solved every step" in out
    assert "Step 1 of 12" in out
    assert solved("other") == ["kept"]


def unwrapped(out):
    """Return what was written as one line: where it is wrapped depends on the length of the path in it."""
    return " ".join(out.split())


@pytest.mark.parametrize(
    "damaged",
    ['{"format": "triskele-lessons/1", "solv', "[]", '{"format": "other/7", "solved": {}}', "\0",
     '{"format": "triskele-lessons/1", "solved": {"yinsh": [7]}}'],
)  # fmt: skip
def test_a_damaged_file_is_said_once_and_nothing_in_it_is_lost(run, home, damaged):
    home.mkdir()
    progress_path().write_text(damaged)
    done = run(*JUMP, typed=["f6-f9"])
    assert done.code == 0
    assert unwrapped(done.out).count("is damaged") == 1
    assert (home / "lessons-damaged-1.json").read_text() == damaged
    assert solved() == ["jump"]
    assert "is damaged" not in unwrapped(run("learn").out)


def test_a_folder_that_cannot_be_written_is_said_once_and_the_course_goes_on(run, home):
    home.write_text("not a folder")
    done = run("learn", "yinsh", typed=["f6-g6", "f6-j10"])
    assert done.code == 0
    assert unwrapped(done.out).count("Your progress is not kept") == 1
    assert "Step 3 of 12" in done.out


def test_two_terminals_keep_the_progress_of_both(run, started):
    other = started("learn", "yinsh")
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(b"f6-g6\n")
    other.stdin.flush()
    while b"Step 2 of 12" not in (line := other.stdout.readline()):
        assert line
    run(*JUMP, typed=["f6-f9"])
    other.stdin.write(b"f6-j10\n")
    other.stdin.close()
    assert other.wait(60) == 0
    assert set(solved()) == {"move-a-ring", "jump", "along-the-lines"}


def test_ctrl_c_leaves_with_the_progress_kept(started):
    other = started("learn", "yinsh")
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(b"f6-g6\n")
    other.stdin.flush()
    while b"Commands: " not in (line := other.stdout.readline()) or not progress_path().exists():
        assert line
    os.kill(other.pid, signal.SIGINT)
    other.stdin.close()  # Python misses a Ctrl-C that comes just before it waits for input, until some comes
    assert other.wait(60) == 130
    assert b"Your progress is kept" in other.stdout.read()
    assert solved() == ["move-a-ring"]


# --- the first game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COURSES)
def test_the_first_game_is_the_one_that_the_course_says(run, name):
    step = lessons(name)[-1]
    first = step.content
    assert isinstance(first, FirstGame)
    done = run("learn", name, "--step", step.id, typed=["", "quit"])
    assert done.code == 0
    assert said(step, "watch.1") in flat(done.out)
    variant = game(name).variant(first.options)
    occupants = ["person" if seat == step.seat else f"triskele:level={first.level}" for seat in range(variant.seats)]
    assert seats_line(variant, occupants, "en") in done.out
    assert options_line(variant) in done.out
    for option, value in first.options.items():
        assert f"--option {option}={game(name).option(option).write(value)}" in done.out
    assert not progress_path().exists(), "it is not over"


def test_a_first_game_that_is_over_completes_the_course(run, monkeypatch):
    monkeypatch.setattr("triskele.cli.lesson_session.Session.run", lambda session: play_at_random(session.table))
    assert "You have completed the course of YINSH." in run("learn", "yinsh", "--step", "first-game", typed=[""]).out
    assert solved() == ["first-game"]


def play_at_random(table):
    rng = random.Random(5)
    while not table.over:
        table.push(rng.choice(table.position.legal_moves))


def test_the_first_game_can_be_put_off(run):
    out = run("learn", "yinsh", "--step", "first-game", typed=["nonsense", "back"]).out
    assert "Unknown command" in out
    assert "Step 11 of 12" in out
    assert not list(save_files.unfinished_paths())


# --- words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_course_speaks_the_readers_language(run, language):
    out = run("learn", "yinsh", "--language", language, typed=["f6-g6", "steps", "help"]).out
    step = lessons("yinsh")[0]
    for key in ("name", "say", "success"):
        assert said(step, key, language) in flat(out)
    assert str(catalogue("cli", language)["learn-here"]) in out


@pytest.mark.parametrize("name", COURSES)
def test_positions_can_be_told_in_words_instead_of_drawn(run, name):
    drawn, told = run("learn", name).out, run("learn", name, "--no-board").out
    assert " places: " in told
    assert " places: " not in drawn
    assert not any(line.startswith("   ") for line in told.splitlines())


def test_a_game_can_be_played_without_drawings(run):
    out = run("play", "yinsh", "--no-board", typed=["e5", "b2"]).out
    assert "white ring: e5" in out
    assert "black ring: b2" in out
    assert "all other places: empty" in out
