"""What random play and dice gave before chance had weights: equal seeds must give equal games for ever.

``draws.json`` was written by this script, ``tryad.json`` and ``conquest.json`` by :func:`sealed`, with the code of
commit 2284c14, which knew only fair four-sided dice. Writing them again would prove nothing.
"""

import hashlib
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

import triskele
from triskele.adapters import pettingzoo
from triskele.arena.contestants import Contestant
from triskele.arena.openings import dice, opening
from triskele.arena.recorder import random_games
from triskele.arena.referee import Terms
from triskele.arena.referee import play as referee_play
from triskele.core.bits import seed
from triskele.core.dice import DiceBox
from triskele.core.game import game
from triskele.core.playout import PLAYOUTS
from triskele.core.position import Position
from triskele.core.records import Record
from triskele.engines import Limits, engine
from triskele.testing import random_move

HERE = Path(__file__).parent
OPTIONS: dict[str, dict[str, object]] = {"tryad": {"players": 3}, "conquest": {"rounds": 2, "purse": 12}}


def digest(*values: object) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]


def played_by_playout(name: str) -> list[int]:
    variant = game(name).variant(OPTIONS[name])
    first, moves = variant.first_state(), np.zeros(variant.moves_limit, dtype=np.int64)
    rng = seed(7)
    made = variant.game.linker.program(PLAYOUTS)(first, first.copy(), moves, rng, 5, 100_000)
    return [int(made), int(rng[0])]


def played_in_a_batch(name: str) -> str:
    batch = triskele.batch(name, 6, seed=3, **OPTIONS[name])
    played = batch.play(40)
    return digest(played.ended.tolist(), played.scores.tolist(), batch.turns.tolist(), batch.observations().tolist())


def recorded(name: str) -> str:
    seeds = np.array([1, 2, 3], dtype=np.uint64)
    columns = random_games(game(name).variant(OPTIONS[name]), seeds, 5000, with_states=False, with_legal=True)
    return digest({key: column.tolist() for key, column in sorted(columns.items())})


def refereed(name: str) -> str:
    seated = [Contestant.parse("random")] * game(name).variant(OPTIONS[name]).seats
    variant = game(name).variant(OPTIONS[name])
    return digest(referee_play(variant, seated, Terms(Limits(nodes=1)), dice=dice(5, 1), seed=9).moves)


def opened(name: str) -> list[str]:
    return list(opening(game(name).variant(OPTIONS[name]), 4, 11, 2))


def moved(name: str) -> str:
    position, rng = Position(game(name).variant(OPTIONS[name])), random.Random(4)
    while position.turn is not None and len(position.moves) < 60:
        position.push(random_move(position, rng))
    return digest([move.text for move in position.moves])


def stepped(name: str) -> str:
    env = pettingzoo.raw_env(name, **OPTIONS[name])
    env.reset(seed=5)
    for number in range(25):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        if len(legal) == 0:
            break
        env.step(int(legal[number % len(legal)]))
    return digest(str(env.position))


def searched(name: str, searcher: str) -> list[Any]:
    position = Position(game(name).variant(OPTIONS[name]))
    while position.turn == triskele.CHANCE:
        position.push(str(4 - len(position.moves) % 4))
    info = list(engine(searcher, name).analyse(position, Limits(nodes=60)))[-1]
    return [list(info.lines[0]), [round(score, 6) for score in info.scores]]


def sealed(name: str) -> Record:
    """Return a game with fixed dice and random moves, its dice disclosed."""
    position, rng = Position(game(name).variant(OPTIONS[name])), random.Random(8)
    seats = position.variant.seats
    box = DiceBox(seats, faces=4, secret=bytes(range(32)), id=f"old-{name}")
    for seat in range(seats):
        box.give(seat, f"seed of seat {seat}")
    while position.turn is not None:
        position.push(box.roll(position) if position.turn == triskele.CHANCE else rng.choice(position.legal_moves))
    times = list(range(len(position.moves)))
    return box.disclose(Record.of(position, date="2026-03-13", times=times, dice=box.block()))


def draws() -> dict[str, Any]:
    """Return all that is compared, for each game."""
    found: dict[str, Any] = {}
    for name in OPTIONS:
        found[name] = {
            "playouts": played_by_playout(name),
            "batch": played_in_a_batch(name),
            "recorder": recorded(name),
            "referee": refereed(name),
            "opening": opened(name),
            "random moves": moved(name),
            "pettingzoo": stepped(name),
            "mcts": searched(name, "mcts"),
            "uct": searched(name, "uct"),
        }
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "draws.json").write_text(json.dumps(draws(), indent=1) + "\n")
    for each in OPTIONS:
        (folder / f"{each}.json").write_text(sealed(each).to_json())
