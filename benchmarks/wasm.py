"""Speed of WebAssembly modules against native code: the same work on both sides, in turns, by CPU time.

    python benchmarks/wasm.py [GAME ...] [--rounds N]

Needs node. Random games: ``playouts`` with the same seed. Alpha-beta, in games that it plays: calls of
``resume_search`` with the same arrays, taken from searches of positions of random games; afterwards all arrays must be
equal, byte by byte.
"""

import argparse
import copy
import json
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import triskele
from triskele.cli.wasm import write
from triskele.core import bits
from triskele.core.compile import Linker
from triskele.core.contract.engine import Limits
from triskele.core.game import Game, game
from triskele.core.playout import PLAYOUTS
from triskele.core.position import Position
from triskele.core.wasm.build import Module
from triskele.engines import engine
from triskele.engines.alphabeta_deepening import RESUME_SEARCH
from triskele.engines.modules import engine_module, engine_search

GAMES_A_ROUND = 1.0
"""Seconds of random games in a round, on each side."""
LIMIT = 1_000_000
POSITIONS = 8
"""Positions that are searched."""
BEFORE = 20_000
"""Nodes that are searched before the arrays are taken."""
BUDGET = 60_000
"""Nodes of a call that is measured."""


def cpu(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """Return a function's result and the CPU seconds that it took."""
    began = time.process_time()
    result = function(*arguments)
    return result, time.process_time() - began


# --- random games -------------------------------------------------------------------------------------


class NativeGames:
    """Random games in native code."""

    def __init__(self, declared: Game) -> None:
        variant = declared.variant()
        self.play = declared.linker.program(PLAYOUTS)
        self.first = variant.first_state()
        self.state = np.zeros(len(self.first) + 4096 * variant.log, dtype=np.int64)
        self.moves = np.zeros(variant.moves_limit, dtype=np.int64)

    def run(self, games: int, seed: int) -> tuple[int, float]:
        """Play so many games; return the moves made and the CPU seconds."""
        return cpu(self.play, self.first, self.state, self.moves, bits.seed(seed), games, LIMIT)


def random_games(declared: Game, folder: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Return the games a second of each round: native and WebAssembly."""
    native = NativeGames(declared)
    games = 16
    while (seconds := native.run(games, 1)[1]) < GAMES_A_ROUND / 4:
        games *= 2
    games = int(games * GAMES_A_ROUND / seconds)
    fast, slow = [], []
    for seed in range(rounds):
        moves, seconds = native.run(games, seed)
        found = node(folder, "games", str(games), str(seed))
        assert found["moves"] == moves, "not the same games"
        fast.append(games / seconds)
        slow.append(games / found["seconds"])
    return fast, slow


# --- alpha-beta ---------------------------------------------------------------------------------------


def positions(declared: Game) -> Iterator[Position]:
    """Yield positions of random games, ever the same."""
    chooser = random.Random(1)
    while True:
        position = Position(declared.variant())
        for _ in range(chooser.randrange(8, 40)):
            if position.turn is None:
                break
            position.push(chooser.choice(position.legal_moves))
        if position.turn is not None:
            yield position


def taken_calls(declared: Game, number: int) -> list[tuple[Any, ...]]:
    """Return arguments of ``resume_search`` in the middle of a search that goes on for the whole budget."""
    native = declared.linker.program(RESUME_SEARCH)
    taken: list[tuple[Any, ...]] = []
    last: list[tuple[Any, ...]] = []

    def recorded(*arguments: Any) -> Any:
        last[:] = [copy.deepcopy(arguments)]
        return native(*arguments)

    best, Linker.best = (
        Linker.best,
        lambda linker, program: recorded if program == RESUME_SEARCH else best(linker, program),
    )
    try:
        for position in positions(declared):
            list(engine("alphabeta", declared).analyse(position, Limits(nodes=BEFORE, threads=1)))
            call = (*last[0][:-1], BUDGET)
            if native(*copy.deepcopy(call)) == 0:
                taken.append(call)
            if len(taken) == number:
                return taken
    finally:
        Linker.best = best
    raise AssertionError("unreachable")


def flat(value: Any) -> Iterator[Any]:
    """Yield the arrays and numbers of an argument."""
    if isinstance(value, tuple):
        for part in value:
            yield from flat(part)
    else:
        yield value


def alpha_beta(declared: Game, folder: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Return the nodes a second of each round: native and WebAssembly."""
    native = declared.linker.program(RESUME_SEARCH)
    calls = taken_calls(declared, POSITIONS)
    after = []
    for number, call in enumerate(calls):
        data = b"".join(part.tobytes() for part in flat(call) if isinstance(part, np.ndarray))
        (folder / f"call{number}.bin").write_bytes(data)
        done = copy.deepcopy(call)
        native(*done)
        after.append(b"".join(part.tobytes() for part in flat(done) if isinstance(part, np.ndarray)))
    (folder / "calls.json").write_text(
        json.dumps(
            {"name": RESUME_SEARCH.function.__name__, "number": len(calls), "parts": [shape_of(c) for c in calls]}
        )
    )
    fast, slow = [], []
    for _ in range(rounds):
        spent = 0.0
        for call in calls:
            spent += cpu(native, *copy.deepcopy(call))[1]
        found = node(folder, "calls")
        for number, expected in enumerate(after):
            assert (folder / f"call{number}.out").read_bytes() == expected, "not the same search"
        fast.append(BUDGET * len(calls) / spent)
        slow.append(BUDGET * len(calls) / found["seconds"])
    return fast, slow


def shape_of(call: tuple[Any, ...]) -> list[Any]:
    """Return the lengths of each array and the value of each number in a call."""
    return [list(part.shape) if isinstance(part, np.ndarray) else int(part) for part in flat(call)]


# --- the other side -----------------------------------------------------------------------------------


def node(folder: Path, *words: str) -> Any:
    """Run ``wasm.mjs`` on the module in a folder; return what it says."""
    script = Path(__file__).with_suffix(".mjs")
    done = subprocess.run(["node", str(script), str(folder), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def line(what: str, unit: str, speeds: tuple[list[float], list[float]]) -> str:
    native, module = (statistics.median(speed) for speed in speeds)
    ratios = sorted(b / a for a, b in zip(*speeds, strict=True))
    spread = f"({ratios[0]:.2f} to {ratios[-1]:.2f})"
    return f"{what:34} {native:12,.0f} {module:12,.0f} {unit}  {module / native:5.2f}  {spread}"


def measure(declared: Game, rounds: int, module: Module | None = None) -> None:
    """Measure one game and print a line for each kind of work."""
    module = module or engine_module(declared)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(declared, module, folder)
        print(line(f"{declared.name} random games", "games/s", random_games(declared, folder, rounds)), flush=True)
        search = engine_search(declared)
        if search is not None and search.resume == RESUME_SEARCH:
            print(line(f"{declared.name} alpha-beta", "nodes/s", alpha_beta(declared, folder, rounds)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", default=[declared.name for declared in triskele.games()])
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    print(f"{'CPU time, one thread':34} {'native':>12} {'module':>12}          ratio (least to greatest)")
    for name in chosen.games:
        measure(game(name), chosen.rounds)


if __name__ == "__main__":
    main()
