"""Searches give exactly the results on file: the same scores, nodes and lines for the same seed and budget of nodes.

A change of a search that is meant to keep its results is checked against ``golden_searches.json``; a change that is
meant to alter them regenerates the file, and its diff shows what changed:

    python tests/engines/test_golden_searches.py
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import triskele
from triskele.core.game import Game
from triskele.engines import Engine, Limits, engine, engine_names
from triskele.engines.protocol import seeded

FILE = Path(__file__).with_suffix("").with_name("golden_searches.json")
NODES = {"alphabeta": 6000, "mcts": 16, "triskele": 300, "uct": 16}
PLAIN = frozenset({"mcts", "uct"})
"""Searches with plain rules, which give the same results: too few nodes to be worth compiling for every game."""
OPTION_SETS = 3
OPENINGS = (0, 9, 31)
SEARCHES = 3
LEVELS = (None, 2)


def frozen_clock() -> Any:
    """Stop the clock, so that budgets of nodes are cut into the same slices on every machine."""
    return mock.patch.object(time, "perf_counter", return_value=0.0)


def opening(game: Game, options: dict[str, Any], moves: int) -> triskele.Position:
    """Return a position after some random moves, with a choice to make."""
    rng = random.Random(f"{game.name} {moves}")
    position = triskele.new(game.name, **options)
    while (len(position.moves) < moves or position.turn == triskele.CHANCE) and position.turn is not None:
        position.push(rng.choice(position.legal_moves))
    while position.turn in (None, triskele.CHANCE) or len(position.legal_moves) < 2:
        position.pop()
    return position


def searches(player: Engine, position: triskele.Position, nodes: int, level: int | None) -> Iterator[list[Any]]:
    """Yield the results of some searches along a game: depth, nodes, scores, best line and proven end of each info."""
    rng = random.Random(str(position))
    for _ in range(SEARCHES):
        with frozen_clock():
            infos = list(player.analyse(position, Limits(nodes=nodes, level=level, seed=5)))
        yield [[i.depth, i.nodes, [round(s, 12) for s in i.scores], " ".join(i.lines[0]), i.proven] for i in infos]
        position.push(infos[-1].move)
        while position.turn == triskele.CHANCE or (position.turn is not None and len(position.legal_moves) == 1):
            position.push(rng.choice(position.legal_moves))
        if position.turn is None:
            return


def cases(factor: int = 1) -> Iterator[dict[str, Any]]:
    """Yield what is on file without the results: searches of all games, by ``factor`` times the usual nodes."""
    for game in triskele.games():
        names = NODES.keys() & set(engine_names(game))
        for name in sorted(names - {"triskele"} if "alphabeta" in names else names):
            for options in game.option_sets[: 1 if name in PLAIN else OPTION_SETS]:
                for moves in OPENINGS[1:] if name in PLAIN else OPENINGS:
                    for level in LEVELS:
                        yield {
                            "game": game.name,
                            "options": dict(options),
                            "engine": name,
                            "position": str(opening(game, dict(options), moves)),
                            "nodes": NODES[name] * factor,
                            "level": level,
                        }


def results(case: dict[str, Any]) -> list[Any]:
    """Run the searches of a case."""
    plain = {"TRISKELE_PLAIN": "1"} if case["nodes"] == NODES[case["engine"]] and case["engine"] in PLAIN else {}
    with mock.patch.dict(os.environ, plain):
        player = seeded(engine(case["engine"], case["game"]), 1)
        player.get_ready()
        return list(searches(player, triskele.position(case["position"]), case["nodes"], case["level"]))


def name_of(case: dict[str, Any]) -> str:
    options = ",".join(f"{name}={value}" for name, value in case["options"].items())
    return f"{case['game']}-{options}-{case['engine']}-{case['level']}-{len(case['position'])}"


def on_file() -> list[dict[str, Any]]:
    return list(json.loads(FILE.read_text())) if FILE.exists() else []


@pytest.mark.parametrize("case", on_file(), ids=name_of)
def test_a_search_gives_the_results_on_file(case: dict[str, Any]) -> None:
    assert json.loads(json.dumps(results(case))) == case["searches"]


def main() -> int:
    parser = argparse.ArgumentParser(description="Regenerate the results on file.")
    parser.add_argument("--factor", type=int, default=1, help="search by so many times the usual nodes")
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--only", default="", help="games and engines to search, as GAME-ENGINE parts of a name")
    arguments = parser.parse_args()
    wanted = [case for case in cases(arguments.factor) if arguments.only in f"{case['game']}-{case['engine']}"]
    found = [{**case, "searches": results(case)} for case in wanted]
    arguments.file.write_text("[\n" + ",\n".join(json.dumps(case) for case in found) + "\n]\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
