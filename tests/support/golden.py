"""Golden games: ``python -m tests.support.golden`` writes ``tests/games/data/golden/`` anew.

For every option set of every game one random game from a fixed seed, as it was played: moves, who made them, how many
legal moves and interrupts there were, positions, a digest of what every seat is shown, and the outcome. A change of the
rules, the texts or the views shows as a difference in these files. If the change is meant, run the command and read the
difference before you commit it.
"""

import hashlib
import json
import random
from typing import Any

from tests.support.data import regenerate
from triskele.core.game import Game, Variant
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.testing import random_move

SEEDS = 6
"""Of the games from this many seeds the shortest is kept: the files stay small."""
ROW = 20
"""Moves in one line of a file."""
SHOWN = 8
"""Positions that are kept of a game, and the last one."""
SEATS = "-0123456789abcdef"
"""Who made a move, one character each: ``-`` is chance."""


def entries_of(game: Game) -> list[dict[str, Any]]:
    game.linker.compile_rules()
    entries = []
    for options in game.option_sets:
        variant = game.variant(options)
        played = [_played(variant, f"golden {game.name} {dict(options)} {seed}") for seed in range(SEEDS)]
        moves = [move.text for move in min(played, key=lambda pos: len(pos.moves)).moves]
        entries.append({"options": dict(options), **told(variant, moves)})
    return entries


def told(variant: Variant, moves: list[str]) -> dict[str, Any]:
    """Return everything a file says of a game with these moves, by playing it."""
    pos = Position(variant)
    choices, positions = [], []
    every = max(1, len(moves) // SHOWN)
    for number, move in enumerate(moves):
        if number % every == 0:
            positions.append(_shown(pos))
        choices.append(f"{len(pos.legal_moves)}+{len(pos.interrupts)}" if pos.interrupts else str(len(pos.legal_moves)))
        pos.push(move)
    positions.append(_shown(pos))
    outcome = pos.outcome()
    assert outcome is not None
    return {
        "moves": _rows(moves, " "),
        "movers": _rows([SEATS[mover + 1] for mover in pos.movers], ""),
        "choices": _rows(choices, " "),
        "positions": positions,
        "winners": list(outcome.winners),
        "scores": list(outcome.scores),
        "reason": outcome.reason,
    }


def _played(variant: Variant, seed: str) -> Position:
    rng, pos = random.Random(seed), Position(variant)
    while pos.turn is not None:
        pos.push(_some_move(pos, rng))
    return pos


def _some_move(pos: Position, rng: random.Random) -> Move:
    """Return mostly a move that means something, now and then any move or interrupt, so that all kinds come up."""
    return random_move(pos, rng) if rng.random() < 0.97 else rng.choice([*pos.legal_moves, *pos.interrupts])


def _shown(pos: Position) -> dict[str, Any]:
    views = [pos.view(seat) for seat in (*range(pos.variant.seats), None)]
    texts = [json.dumps(view, sort_keys=True, ensure_ascii=True) for view in views]
    return {
        "move": len(pos.moves),
        "text": str(pos),
        "views": " ".join(hashlib.sha256(text.encode()).hexdigest()[:12] for text in texts),
    }


def _rows(words: list[str], between: str) -> list[str]:
    return [between.join(words[i : i + ROW]) for i in range(0, len(words), ROW)]


if __name__ == "__main__":
    regenerate("golden", entries_of)
