"""The sixth game: it lives outside the package, and is everywhere once it is installed, without a change of ours."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

LIMIT = 240
"""Seconds after which a process counts as hanging."""


def run(
    environment: Mapping[str, str], *arguments: str, typed: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**environment, "TRISKELE_PLAIN": "1", "TRISKELE_LANGUAGE": "en", **more},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr
    return done


CHECK = """
from triskele.core.game import game
from triskele.testing import check_game
for options in game("chomp").option_sets:
    check_game("chomp", **options)
print(game("chomp").package)
"""


def test_it_passes_the_conformance_suite(chomp_installed: dict[str, str]) -> None:
    assert run(chomp_installed, "-c", CHECK).stdout == "board_games_of_others.chomp\n"


COMPILED = """
import numpy as np, triskele
from triskele.core.bits import seed
from triskele.core.game import game
from triskele.core.playout import PLAYOUTS
linker, variant = game("chomp").linker, game("chomp").variant()
found = []
for program in (linker.best(PLAYOUTS), linker.program(PLAYOUTS)):
    first, moves, rng = variant.first_state(), np.zeros(variant.moves_limit, dtype=np.int64), seed(3)
    found.append((int(program(first, first.copy(), moves, rng, 50, 1000)), int(rng[0])))
assert found[0] == found[1] and linker.ready(PLAYOUTS), found
"""


def test_it_is_compiled_under_a_name_of_its_own(chomp_installed: dict[str, str], tmp_path: Path) -> None:
    run(chomp_installed, "-c", COMPILED, TRISKELE_PLAIN="0", TRISKELE_CACHE=str(tmp_path))
    assert list(tmp_path.glob("board_games_of_others.chomp.playouts.*.ready"))


def test_it_is_listed_in_words_of_its_own_in_english(chomp_installed: dict[str, str]) -> None:
    listed = json.loads(run(chomp_installed, "-m", "triskele", "games", "--json", "--language", "de").stdout)
    (found,) = [game for game in listed if game["name"] == "chomp"]
    assert "Eat the chocolate" in json.dumps(found)
    assert "Eat the chocolate" in run(chomp_installed, "-m", "triskele", "games").stdout


OPENSPIEL = """
import pyspiel, triskele.adapters.openspiel
game = pyspiel.load_game("triskele_chomp", {"rows": 3})
pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
print(game.get_type().long_name, game.num_players())
"""
PETTINGZOO = """
from triskele.adapters import pettingzoo
env = pettingzoo.env("chomp")
env.reset(seed=4)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))
    if reward:
        print(agent, reward)
"""


def test_it_is_in_openspiel(chomp_installed: dict[str, str]) -> None:
    assert "Chomp 2" in run(chomp_installed, "-c", OPENSPIEL).stdout


def test_it_is_in_pettingzoo(chomp_installed: dict[str, str]) -> None:
    lines = run(chomp_installed, "-c", PETTINGZOO).stdout.split("\n")
    assert sorted(line.split()[-1] for line in lines if line) == ["-1.0", "1.0"]


def test_an_arena_plays_it_in_two_worker_processes(chomp_installed: dict[str, str]) -> None:
    match = ("match", "mcts", "random", "chomp", "--games", "4", "--nodes", "60", "--workers", "2", "--json")
    found = json.loads(run(chomp_installed, "-m", "triskele", *match).stdout)
    assert found["games"] == 4
    assert not any(sum(failures.values()) for failures in found["failures"].values())


CLUSTER = """
import logging, sys, warnings
warnings.simplefilter("ignore")
import distributed
from triskele.cli import main

if __name__ == "__main__":
    kind = dict(processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=logging.CRITICAL)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **kind) as cluster:
        sys.exit(main([*sys.argv[1:], "--cluster", cluster.scheduler_address]))
"""


def test_a_dask_cluster_plays_it(chomp_installed: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    match = ("match", "mcts", "random", "chomp", "--games", "4", "--nodes", "30", "--json")
    assert json.loads(run(chomp_installed, str(script), *match).stdout)["games"] == 4


PROTOCOL = "triskele 1\nposition chomp: 44444 1\ngo nodes 50\nquit\n"


def test_the_engine_protocol_knows_it(chomp_installed: dict[str, str]) -> None:
    answers = run(chomp_installed, "-m", "triskele", "engine", typed=PROTOCOL).stdout.splitlines()
    assert any(line.startswith("games ") and "chomp" in line.split() for line in answers)
    assert any(line.startswith("bestmove ") for line in answers), answers


@pytest.mark.parametrize("language", ["en", "pl"])
def test_help_is_in_english_where_there_is_no_other(chomp_installed: dict[str, str], language: str) -> None:
    typed = run(chomp_installed, "-m", "triskele", "play", "chomp", "--language", language, typed="help\n")
    assert "The corner a1 is poisoned" in typed.stdout
