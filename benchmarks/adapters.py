"""Many games at once beside the same loop in OpenSpiel and PettingZoo.

    python benchmarks/adapters.py
    python benchmarks/adapters.py --games yinsh --seconds 3

The loop, everywhere the same: look at what the seat that decides may know, get the mask of its legal actions, draw one
of them at random, step, begin anew at the end. Rows: our games in ``triskele.batch``, through our adapters
in OpenSpiel and in PettingZoo; below, the games that these two bring along written in Python.

Figures, not assertions: decisions a second on one core. They depend on the machine and on what else it does.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401 (registers itself)

from triskele.adapters import openspiel, pettingzoo
from triskele.core.batch import batch
from triskele.core.decisions import OBSERVE
from triskele.core.game import Game, game, games

BATCH = 256
WIDEST = 20_000
"""A mask of more actions than this is as wide as all the rest: the batch is smaller then."""
WANTED = 50
"""So many times as fast as either loop in Python a batch should be."""


def in_batch(declared: Game, seconds: float) -> float:
    """Decisions a second in a batch."""
    wide = declared.rules_module.ACTIONS > WIDEST
    several = batch(declared.name, BATCH // 16 if wide else BATCH)
    masks, words = several.masks(), several.observations()

    def step() -> int:
        several.masks(out=masks)
        several.observations(out=words)
        several.step(several.sample())
        return several.n

    return per_second(step, seconds)


def in_openspiel(name: str, seconds: float) -> float:
    """Decisions a second in OpenSpiel."""
    loaded = pyspiel.load_game(name)
    rng = np.random.default_rng(1)
    state = loaded.new_initial_state()

    def step() -> int:
        nonlocal state
        while state.is_chance_node() or state.is_terminal():
            if state.is_terminal():
                state.returns()
                state = loaded.new_initial_state()
            else:
                state.apply_action(int(rng.choice([face for face, _ in state.chance_outcomes()])))
        np.asarray(state.observation_tensor())
        mask = np.asarray(state.legal_actions_mask())
        state.apply_action(int(rng.choice(np.flatnonzero(mask))))
        return 1

    return per_second(step, seconds)


def in_pettingzoo(env: object, seconds: float) -> float:
    """Decisions a second in PettingZoo."""
    rng = np.random.default_rng(1)
    env.reset(seed=1)

    def step() -> int:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            return 0
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        return 1

    return per_second(step, seconds)


def per_second(step: Callable[[], int], seconds: float) -> float:
    """Repeat a step for a while, in processor time, after some that do not count."""
    for _ in range(20):
        step()
    made = 0
    began = time.process_time()
    while (taken := time.process_time() - began) < seconds:
        made += step()
    return made / taken


def rows(found: list[Game], seconds: float) -> Iterator[tuple[str, float, float, float]]:
    for declared in found:
        declared.linker.compile_rules()
        declared.linker.program(OBSERVE)
        yield (
            declared.name,
            in_batch(declared, seconds),
            in_openspiel(openspiel.PREFIX + declared.name, seconds),
            in_pettingzoo(pettingzoo.env(declared.name), seconds),
        )


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--games", nargs="*", metavar="GAME", help="only these")
    arguments.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    chosen = arguments.parse_args()
    found = [game(name) for name in chosen.games] if chosen.games else list(games())
    print(f"{'decisions/s':<24}{'batch':>14}{'OpenSpiel':>14}{'PettingZoo':>14}{'at least':>12}")
    slowest = float("inf")
    for name, ours, spiel, zoo in rows(found, chosen.seconds):
        times = ours / max(spiel, zoo)
        slowest = min(slowest, times)
        print(f"{name:<24}{ours:>14,.0f}{spiel:>14,.0f}{zoo:>14,.0f}{times:>10,.0f} x", flush=True)
    print(f"\n{'Python games of theirs':<24}")
    print(f"{'python_tic_tac_toe':<24}{'':>14}{in_openspiel('python_tic_tac_toe', chosen.seconds):>14,.0f}")
    print(f"\nslowest batch: {slowest:,.0f} times the quicker of the two loops; wanted: {WANTED}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
