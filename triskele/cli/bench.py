"""``triskele bench``: measure how many complete random games a second the rules play."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from triskele.arena.progress import ProgressLine
from triskele.core.bits import Rng, below, seed
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, LOG, OVER, WEIGHTED_CHANCE, Moves, State, actor, apply, count, nth
from triskele.core.errors import TriskeleError
from triskele.core.game import Variant
from triskele.core.playout import PLAYOUTS, rollout_move
from triskele.core.words import text

CHUNK_SECONDS = 0.05
"""Games are played in chunks of about this time, so that Ctrl-C is heard between them."""
MOVES_LIMIT = 1_000_000
"""A game of more moves counts as endless."""
LOG_MOVES = 4096
"""The moves that fit into a state's log, in games that keep one."""


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
            if WEIGHTED_CHANCE and actor(state) == CHANCE:
                apply(state, rollout_move(state, moves, rng))
            else:
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
    """A measured speed."""

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
    """Play complete random games on one thread for ``seconds``. Compiling comes first and is not counted.

    ``start`` is the seed of the random numbers. ``TriskeleError`` if a game does not end.
    """
    play = variant.game.linker.program(POLICIES[policy])
    first = variant.first_state()
    state = np.zeros(len(first) + LOG_MOVES * variant.log, dtype=np.int64)
    moves = np.zeros(variant.moves_limit, dtype=np.int64)
    rng = seed(start)

    def play_chunk(games: int) -> tuple[int, float]:
        began = time.perf_counter()
        made = int(play(first, state, moves, rng, games, MOVES_LIMIT))
        taken = time.perf_counter() - began
        if made < 0:
            raise TriskeleError(text("cli.bench-endless", game=variant.game.title, limit=MOVES_LIMIT))
        return made, taken

    chunk = _chunk_size(play_chunk)
    progress = ProgressLine()
    games = made = 0
    taken = 0.0
    while taken < seconds:
        chunk_moves, chunk_seconds = play_chunk(chunk)
        games, made, taken = games + chunk, made + chunk_moves, taken + chunk_seconds
        progress.show(f"{variant.game.title}  {taken:.1f} / {seconds:g} s  {games / taken:,.0f}/s")
    progress.clear()
    return Speed(variant, policy, games, made, taken)


def _chunk_size(play_chunk: Callable[[int], tuple[int, float]]) -> int:
    """Return how many games take about ``CHUNK_SECONDS``, by playing more and more of them."""
    games = 1
    while True:
        _, taken = play_chunk(games)
        if taken >= CHUNK_SECONDS / 4:
            return max(1, int(games * CHUNK_SECONDS / taken))
        games *= 2
