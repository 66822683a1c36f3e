"""The commands that do not play: listing, showing, proving, counting, measuring; and all kinds of bad input."""

import json
import os
from pathlib import Path

import pytest

import triskele
from triskele.cli import save_files
from triskele.core.draw import svg
from triskele.core.game import games
from triskele.core.record_parts import Ended
from triskele.core.records import Record, save
from triskele.core.time_control import TimeControl
from triskele.core.variations import GameTree
from triskele.core.words import LANGUAGES


def test_version(run):
    done = run("--version")
    assert done.code == 0
    assert done.out == f"triskele {triskele.__version__}\n"


def test_games_lists_everything_there_is(run):
    done = run("games")
    assert done.code == 0
    for declared in games():
        assert declared.name in done.out
        for option in declared.options:
            assert f"{option.name}={option.write(option.default)}" in done.out.replace("\n", " ")


def test_games_as_json(run):
    listed = json.loads(run("games", "--json").out)
    assert [item["name"] for item in listed] == [declared.name for declared in games()]
    yinsh = next(item for item in listed if item["name"] == "yinsh")
    assert yinsh["seats"] == [2]
    assert yinsh["options"] == [
        {
            "name": "blitz",
            "default": False,
            "meaning": yinsh["options"][0]["meaning"],
            "allowed": "it must be true or false",
            "values": [False, True],
        }
    ]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_other_languages_are_spoken(run, language: str):
    english, other = run("games"), run("games", "--language", language)
    assert other.code == 0
    assert other.out != english.out
    refused = run("--language", language, "play", "chess")
    assert refused.code == 1
    assert refused.err != run("play", "chess").err
    assert "cli." not in run("--help", "--language", language).out


# --- show ---------------------------------------------------------------------------------------


@pytest.fixture
def record(moves, tmp_path: Path) -> Path:
    """A finished game of YINSH in a file."""
    path = tmp_path / "game.json"
    position = triskele.new("yinsh", blitz=True)
    for move in moves("yinsh", blitz=True):
        position.push(move)
    save(Record.of(position), path)
    return path


def test_show_text(run, record: Path, moves):
    done = run("show", record)
    assert done.code == 0
    assert "blitz=true" in done.out
    for number, move in enumerate(moves("yinsh", blitz=True), 1):
        assert f"{number} " in done.out
        assert move in done.out
    assert "win" in done.out


def test_show_the_clocks_of_a_record(run, tmp_path: Path):
    position = triskele.new("yinsh")
    for move in ("e5", "f6", "d4"):
        position.push(move)
    clock, path = TimeControl.parse("5+3"), tmp_path / "timed.json"
    record = Record.of(position, seats=["Ann", "Bob"], clock=clock, charged=[0, 0, 20_000], ended=Ended("time", 1))
    save(record, path)
    done = run("show", path)
    assert "Time 5+3; left at the end: Ann 4:46, Bob 0:00" in done.out
    assert "ran out of time" in done.out


def test_show_a_move_in_the_middle(run, record: Path, moves):
    position = triskele.new("yinsh", blitz=True)
    for move in moves("yinsh", blitz=True)[:12]:
        position.push(move)
    shown = run("show", record, "--move", "12", "--svg", "-").out
    assert shown == svg(position.scene())
    start = run("show", record, "--move", "0", "--svg", "-").out
    assert start == svg(triskele.new("yinsh", blitz=True).scene())


def test_show_pictures_in_files(run, record: Path, tmp_path: Path):
    drawn, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert run("show", record, "--svg", drawn, "--png", png, "--theme", "dark").code == 0
    assert drawn.read_text().startswith("<svg")
    assert 'data-theme="dark"' in drawn.read_text()
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def annotated(tmp_path: Path) -> Path:
    """Return the file of a record with a comment, marks and a variation."""
    tree = GameTree(triskele.new("yinsh"))
    path = tree.push((), "e5")
    tree.mark(path, [["e5"]])
    tree.mark(tree.push(path, "c4"), [["e5", "c4"]])
    beside = tree.push(path, "g7")
    tree.comment(beside, "far\naway")
    tree.push(tree.push(beside, "e6"), "f6")
    save(Record.of_tree(tree), tmp_path / "annotated.json")
    return tmp_path / "annotated.json"


def test_show_draws_the_marks_of_a_record(run, annotated: Path):
    for move, mark in ((0, None), (1, "<circle "), (2, "<polyline ")):
        shown = run("show", annotated, "--move", move, "--svg", "-").out.split("</g>")[-2] if mark else ""
        assert (mark or "") in shown
    start = triskele.new("yinsh")
    assert run("show", annotated, "--move", 0, "--svg", "-").out == svg(start.scene())


def test_show_tells_comments_and_variations(run, annotated: Path):
    done = run("show", annotated)
    assert "Instead of move 2: g7 e6 f6" in done.out
    assert "  After move 2: far away" in done.out


def test_show_animates_the_last_moves(run, annotated: Path, record: Path, tmp_path: Path):
    target = tmp_path / "moves.png"
    done = run("show", annotated, "--animation", target)
    assert done.code == 0
    assert str(target) in done.out
    moving = target.read_bytes()
    assert moving.startswith(b"\x89PNG")
    assert moving.count(b"fcTL") == 3
    assert run("show", record, "--animation", target, "--move", 30, "--theme", "dark").code == 0
    assert target.read_bytes().count(b"fcTL") == 11
    failed = run("show", annotated, "--animation", tmp_path / "nowhere" / "moves.png")
    assert failed.code == 1
    assert "nowhere" in failed.err


def test_show_a_position_text(run):
    line = str(triskele.new("tryptic", players=3))
    done = run("show", line)
    assert done.code == 0
    assert "TRYPTIC" in done.out
    assert run("show", line, "--svg", "-", "--seat", "3").out.startswith("<svg")


def test_show_tells_no_secret_of_a_game_that_is_on(run, tmp_path: Path):
    path = tmp_path / "game.json"
    run("play", "tryptic", "--save", path, typed=["=BGR", "=WWY", "Re5"])
    done = run("show", path)
    assert done.code == 0
    assert "=***" in done.out
    assert "BGR" not in done.out
    assert "WWY" not in done.out
    refused = run("show", path, "--seat", "1")
    assert refused.code == 1
    assert "spectator" in refused.err


def test_show_a_seat_of_a_finished_game(run, tmp_path: Path):
    path = tmp_path / "game.json"
    run("play", "tryptic", "--seats", "random", "--seed", "1", "--save", path)
    assert "***" not in run("show", path).out
    assert run("show", path, "--move", "5", "--seat", "2", "--svg", "-").out.startswith("<svg")


def test_show_what_one_seat_has_seen(run, tmp_path: Path):
    position = triskele.new("tryptic")
    for move in ("=BGR", "=WWY", "Re5"):
        position.push(move)
    path = tmp_path / "seen.json"
    save(Record.of(position, viewer=1), path)
    done = run("show", path)
    assert done.code == 0
    assert "=***" in done.out
    assert "=WWY" in done.out
    assert "cannot be drawn" in run("show", path, "--svg", "-").err
    assert "cannot be replayed" in run("resume", path).err


# --- verify ---------------------------------------------------------------------------------------


@pytest.fixture
def rolled(run, tmp_path: Path) -> Path:
    """A finished game of Tryad in a file."""
    path = tmp_path / "rolled.json"
    assert run("play", "tryad", "--seats", "random", "--seed", "5", "--save", path).code == 0
    return path


def test_verify_proves_a_game(run, rolled: Path):
    done = run("verify", rolled)
    assert done.code == 0
    assert "Dice verified" in done.out
    assert json.loads(rolled.read_text())["dice"]["commitment"] in done.out


def test_verify_names_a_changed_roll(run, rolled: Path):
    document = json.loads(rolled.read_text())
    first = next(move for move in document["moves"] if move["seat"] == "chance")
    first["text"] = str(int(first["text"]) % 4 + 1)
    rolled.write_text(json.dumps(document))
    done = run("verify", rolled)
    assert done.code == 1
    assert "roll 1" in done.out


def test_verify_has_nothing_to_prove(run, record: Path, tmp_path: Path):
    assert "no dice" in run("verify", record).err
    on = tmp_path / "on.json"
    run("play", "tryad", "--save", on, typed=["board"])  # the first roll comes by itself
    done = run("verify", on)
    assert done.code == 1
    assert "in progress" in done.err


def test_verify_compares_with_what_a_player_noted(run, rolled: Path):
    dice = json.loads(rolled.read_text())["dice"]
    assert dice["seeds"] == [None, None]
    good = run("verify", rolled, "--commitment", dice["commitment"])
    assert good.code == 0
    assert "the one that you noted" in good.out
    bad = run("verify", rolled, "--commitment", "0" * 64, "--seed", "2=mine")
    assert bad.code == 1
    assert "commitment is not the one that you noted" in bad.out
    assert "the seed of seat 2 is not the one that you noted" in bad.out
    assert run("verify", rolled, "--seed", "1=mine").code == 1


@pytest.mark.parametrize(
    ("noted", "why"),
    [
        (("--commitment", "12ab"), "64 hexadecimal digits"),
        (("--seed", "mine"), "SEAT=TEXT"),
        (("--seed", "0=mine"), "SEAT=TEXT"),
        (("--seed", "3=mine"), "no seat 3"),
    ],
)
def test_verify_says_what_a_note_must_look_like(run, rolled: Path, noted: tuple[str, str], why: str):
    done = run("verify", rolled, *noted)
    assert done.code != 0
    assert why in done.err


# --- perft and bench ----------------------------------------------------------------------------


def test_perft_counts_the_known_leaves(run):
    done = run("perft", "yinsh", "2")
    assert done.code == 0
    assert done.out == "1 85\n2 7140\n"
    assert "depth 2" in done.err


def test_perft_walks_the_same_leaves_move_by_move(run, monkeypatch: pytest.MonkeyPatch):
    direct = run("perft", "tryptic", "2").out
    monkeypatch.setattr("triskele.cli.perft.LEAP", 1)
    assert run("perft", "tryptic", "2").out == direct


def test_bench_prints_one_json_line(run):
    done = run("bench", "playouts", "yinsh", "--option", "blitz=true", "--seconds", "0.05", "--json")
    assert done.code == 0
    assert done.out.count("\n") == 1
    measured = json.loads(done.out)
    assert measured["game"] == "yinsh"
    assert measured["options"] == {"blitz": True}
    assert measured["playouts_per_s"] > 0
    # A game has at least ten moves: the rings.
    assert measured["moves_per_s"] > 10 * measured["playouts_per_s"]


def test_bench_for_people(run):
    done = run("bench", "playouts", "tryad", "--seconds", "0.05", "--policy", "rollout")
    assert done.code == 0
    assert "Tryad" in done.out


def test_bench_reports_a_game_that_does_not_end(run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("triskele.cli.bench.MOVES_LIMIT", 20)
    done = run("bench", "playouts", "yinsh", "--seconds", "0.05", "--json")
    assert done.code == 1
    assert done.out == ""
    assert "did not end" in done.err


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["perft", "yinsh", "0"],
        ["perft", "yinsh", "many"],
        ["perft", "yinsh", "99999999999999999999"],
        ["perft", "yinsh"],
        ["bench"],
        ["bench", "playouts"],
        ["bench", "playouts", "yinsh", "--seconds", "0"],
        ["bench", "playouts", "yinsh", "--seconds", "nan"],
        ["bench", "playouts", "yinsh", "--seconds", "-1"],
        ["show"],
        ["show", "x", "--seat", "0"],
        ["show", "x", "--theme", "pink"],
        ["play", "yinsh", "--seed", "x"],
        ["games", "--language", "xx"],
    ],
)
def test_wrong_usage_is_2(run, arguments: list[str]):
    done = run(*arguments)
    assert done.code == 2
    assert "usage" in done.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["play", "chess"], "there is no game chess"),
        (["play", "yinsh", "--option", "blitz=maybe"], "true or false"),
        (["play", "yinsh", "--option", "blitz"], "name=value"),
        (["play", "yinsh", "--option", "speed=1"], "no option speed"),
        (["play", "tryptic", "--option", "players=9"], "from 2 to 5"),
        (["play", "yinsh", "--seats", "cat"], "cat cannot take a seat"),
        (["play", "yinsh", "--seats", "person,person,person"], "2 seats"),
        (["play", "--seats", "person"], "need the game"),
        (["play", "--option", "blitz=true"], "need the game"),
        (["play", "yinsh", "--resume", "x.json"], "leave those out"),
        (["play", "--resume"], "no game to resume"),
        (["resume"], "no game to resume"),
        (["play"], "no game was chosen"),
        ([], "no game was chosen"),
        (["perft", "chess", "3"], "there is no game chess"),
        (["bench", "playouts", "tryad", "--option", "mode=solo"], "mode cannot be solo"),
        (["show", "yinsh: rubbish"], "YINSH"),
        (["show", "chess: e4"], "there is no game chess"),
        (["show", "yinsh blitz=2: x"], "blitz cannot be 2"),
        (["show", ": "], "position text"),
        (["show", "x" * 5000], "cannot be read"),
        (["show", "a\0b"], "cannot be read"),
    ],
)
def test_refusals_are_1_and_say_why(run, arguments: list[str], reason: str):
    done = run(*arguments)
    assert done.code == 1
    assert done.err.startswith("triskele: ")
    assert reason in done.err


@pytest.mark.parametrize("command", ["show", "verify", "resume"])
def test_files_that_are_no_records(run, tmp_path: Path, command: str):
    files = {
        "empty.json": b"",
        "noise.json": os.urandom(3000),
        "zeros.json": bytes(3000),
        "foreign.json": b'{"name": "package", "version": 1}',
        "list.json": b"[1, 2, 3]",
        "number.json": b"7",
        "deep.json": b"[" * 100_000,
        "format.json": b'{"format": "triskele-save/1"}',
        "save.json": b'{"format": "triskele-save/1", "record": 3, "sealed": "AAAA"}',
        "saved.json": b'{"format": "triskele-save/1", "record": {}, "sealed": "AAAA"}',
        "record.json": b'{"format": "triskele-record/1", "game": "chess"}',
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(100),
    }
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        done = run(command, path)
        assert done.code == 1, name
        assert done.err.startswith("triskele: "), name
        assert name in done.err
        assert path.read_bytes() == content
    for path in (tmp_path / "missing.json", tmp_path, tmp_path / "empty.json" / "below"):
        done = run(command, path)
        assert done.code == 1
        assert str(path) in done.err


def test_every_truncation_of_a_record_is_refused(run, record: Path, tmp_path: Path):
    whole = record.read_bytes().rstrip()
    path = tmp_path / "cut.json"
    for length in range(0, len(whole), 211):
        path.write_bytes(whole[:length])
        assert run("show", path).code == 1


def test_a_record_with_an_illegal_move_names_it(run, record: Path):
    document = json.loads(record.read_text())
    document["moves"][4]["text"] = "z9"
    record.write_text(json.dumps(document))
    done = run("show", record)
    assert done.code == 1
    assert "moves[4]" in done.err


@pytest.mark.parametrize("number", ["-1", "999999"])
def test_moves_that_a_record_does_not_have(run, record: Path, number: str):
    done = run("show", record, f"--move={number}")
    assert done.code == 1
    assert "there is no move" in done.err


def test_seats_that_a_game_does_not_have(run, record: Path):
    assert "there is no seat 3" in run("show", record, "--seat", "3").err
    assert "no moves" in run("show", str(triskele.new("yinsh")), "--move", "1").err


def test_targets_that_cannot_be_written(run, record: Path, tmp_path: Path):
    before = record.read_bytes()
    for target in (record / "below.svg", tmp_path / "missing" / "a.svg", tmp_path):
        done = run("show", record, "--svg", target)
        assert done.code == 1
        assert str(target) in done.err
    assert record.read_bytes() == before


def test_a_finished_game_is_not_resumed(run, record: Path):
    done = run("resume", record)
    assert done.code == 1
    assert "is over" in done.err


def test_the_data_folder_keeps_games(run, moves):
    run("play", "yinsh", typed=moves("yinsh", limit=3))
    assert [path.suffix for path in save_files.folder().iterdir()] == [".json"]
