"""``triskele bench``: how many complete random games a second the referee's own rules play."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from triskele.cli.progress import Progress
from triskele.core.bits import Rng, below, seed
from triskele.core.compile import Program
from triskele.core.contract import LOG, OVER, Moves, State, actor, apply, count, nth
from triskele.core.errors import TriskeleError
from triskele.core.game import Variant
from triskele.core.playout import PLAYOUTS
from triskele.core.words import text

CHUNK_SECONDS = 0.05
"""Games are played in portions of about this time, so that Ctrl-C is heard."""
MOVES_LIMIT = 1_000_000
"""A game of more moves counts as one that does not end."""
LOG_ROOM = 4096
"""Moves for whose log there is room, in games that keep one."""


def uniform_games(first: State, state: State, moves: Moves, rng: Rng, games: int, limit: int) -> int:
    """Play ``games`` games from ``first`` in the scratch ``state``, every legal move equally likely.

    Returns the moves made; negative when a game did not end within ``limit`` moves.
    """
    total = 0
    for _ in range(games):
        for i in range(first[0]):
            state[i] = first[i]
        made = 0
        while made < limit and actor(state) != OVER and state[0] + LOG <= len(state):
            choices = count(state, moves)
            apply(state, nth(state, moves, below(rng, choices)))
            made += 1
        total += made
        if actor(state) != OVER:
            return -total - 1
    return total


UNIFORM = Program(uniform_games, PLAYOUTS.signature)

POLICIES: Mapping[str, Program] = {"uniform": UNIFORM, "rollout": PLAYOUTS}
"""How a move is chosen: among all legal ones, or among those a game offers to random play."""


@dataclass(frozen=True)
class Speed:
    """What was measured."""

    variant: Variant
    policy: str
    games: int
    moves: int
    seconds: float

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "game": self.variant.game.name,
            "options": dict(self.variant.options),
            "policy": self.policy,
            "playouts": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "playouts_per_s": round(self.games / self.seconds, 1),
            "moves_per_s": round(self.moves / self.seconds, 1),
        }

    def line(self) -> str:
        """Return it as one line of JSON."""
        return json.dumps(self.document())


def measure(variant: Variant, seconds: float, policy: str = "uniform", start: int = 1) -> Speed:
    """Play complete random games on one thread for so many seconds. Compiles first, which is not counted.

    ``start`` is the seed of the random numbers. ``TriskeleError`` if a game does not end.
    """
    play = variant.game.linker.program(POLICIES[policy])
    first = variant.first_state()
    state = np.zeros(len(first) + LOG_ROOM * variant.log, dtype=np.int64)
    moves = np.zeros(variant.moves_limit, dtype=np.int64)
    rng = seed(start)

    def portion(games: int) -> tuple[int, float]:
        began = time.perf_counter()
        made = int(play(first, state, moves, rng, games, MOVES_LIMIT))
        taken = time.perf_counter() - began
        if made < 0:
            raise TriskeleError(text("cli.bench-endless", game=variant.game.title, limit=MOVES_LIMIT))
        return made, taken

    chunk = _warmed_up(portion)
    progress = Progress()
    games = made = 0
    taken = 0.0
    while taken < seconds:
        chunk_moves, chunk_seconds = portion(chunk)
        games, made, taken = games + chunk, made + chunk_moves, taken + chunk_seconds
        progress.show(f"{variant.game.title}  {taken:.1f} / {seconds:g} s  {games / taken:,.0f}/s")
    progress.clear()
    return Speed(variant, policy, games, made, taken)


def _warmed_up(portion: Callable[[int], tuple[int, float]]) -> int:
    """Return how many games make a portion of about the right length, having played some."""
    games = 1
    while True:
        _, taken = portion(games)
        if taken >= CHUNK_SECONDS / 4:
            return max(1, int(games * CHUNK_SECONDS / taken))
        games *= 2
