"""The opening explorer: how often each move was played in a position, and how often whoever made it won.

Counts are kept by position, as the seat to act knows it, and positions that a symmetry of the game makes equal are one.
A game's folder may have the counts of a set of games that engines played, ``explorer.json``, made by
``triskele explorer make``.
"""

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triskele.core.contract import CHANCE
from triskele.core.contract.symmetry import symmetries_of
from triskele.core.document import Item, read_json
from triskele.core.files import read_limited
from triskele.core.game import Game, Variant
from triskele.core.position import Position
from triskele.core.record_parts import TEXT_LIMIT
from triskele.core.words import text

FORMAT = "triskele-explorer/1"
FILE = "explorer.json"
PLIES = 16
"""Moves after this many are not counted: hardly two games are alike there."""
BYTES_LIMIT = 4 * 1024 * 1024
_KEY_BYTES = 6
_HALVES = 1000
"""Parts of a won game that are counted: shares of several winners are no whole ones."""


@dataclass(frozen=True)
class PlayedMove:
    """A move, the number of games in which it was made, and the part of them that whoever made it won."""

    move: str
    games: int
    won: float


@dataclass
class MoveCounts:
    """The moves made in positions of one variant: by position and move, the games and the thousandths won."""

    variant: Variant
    games: int = 0
    positions: dict[str, dict[str, list[int]]] = field(default_factory=dict)

    def add(self, moves: Sequence[str], shares: Sequence[float]) -> None:
        """Count the first moves of a game; ``shares`` are the seats' parts of the win. Moves must be legal."""
        position = Position(self.variant)
        self.games += 1
        for written in moves[:PLIES]:
            move = position.find(written)
            mover = position.mover(move)
            if mover != CHANCE and position.turn == mover:
                key, ways = _canonical(position)
                tally = self.positions.setdefault(key, {}).setdefault(_mapped(ways, written), [0, 0])
                tally[0] += 1
                tally[1] += round(_HALVES * shares[mover])
            position.push(move)

    def played(self, position: Position) -> list[PlayedMove]:
        """Return the moves that were made in a position, the most frequent first; one for all that a symmetry joins."""
        if position.turn is None or position.turn == CHANCE:
            return []
        key, ways = _canonical(position)
        counted = dict(self.positions.get(key, {}))
        found = []
        for move in position.legal_moves if counted else []:
            tally = counted.pop(_mapped(ways, move.text), None)
            if tally is not None:
                found.append(PlayedMove(move.text, tally[0], tally[1] / _HALVES / tally[0]))
        return sorted(found, key=lambda each: (-each.games, each.move))

    def pruned(self, least: int) -> "MoveCounts":
        """Return the counts of the positions that were reached in at least ``least`` games."""
        kept = {key: moves for key, moves in self.positions.items() if sum(n for n, _ in moves.values()) >= least}
        return MoveCounts(self.variant, self.games, kept)

    def to_json(self, made: Mapping[str, Any]) -> str:
        """Return the counts as a file; ``made`` says how the games were played."""
        head = {
            "format": FORMAT,
            "game": self.variant.game.name,
            "options": dict(self.variant.options),
            "rules": self.variant.game.rules_module.VERSION,
            "made": dict(made),
            "games": self.games,
        }
        keys = sorted(self.positions)
        lines = [f'"{key}":{json.dumps(self.positions[key], sort_keys=True, separators=(",", ":"))}' for key in keys]
        inner = ",\n".join(lines)
        return json.dumps(head, sort_keys=True)[:-1] + ', "positions": {\n' + inner + "\n}}\n"


def _canonical(position: Position) -> tuple[str, list[Any]]:
    """Return the key of a position as the one to act knows it, and the ways that bring it into its first form."""
    turn = position.turn
    known = position.seen_by(turn) if position.variant.game.hidden and turn is not None and turn >= 0 else position
    line = str(known).partition(": ")[2]
    forms = [(line, None), *((way.line(line), way) for way in symmetries_of(position.variant))]
    first = min(form for form, _ in forms)
    digest = hashlib.blake2b(first.encode(), digest_size=_KEY_BYTES).hexdigest()
    return digest, [way for form, way in forms if form == first]


def _mapped(ways: Sequence[Any], move: str) -> str:
    """Return the name of a move in the first form of its position: the smallest, where that form has symmetries."""
    return min(move if way is None else way.move(move) for way in ways)


def read_counts(data: bytes, declared: Game) -> tuple[MoveCounts, dict[str, Any]]:
    """Return the counts in a file, and how its games were played. ``RecordError`` says what is wrong with it."""
    root = read_json(data, BYTES_LIMIT, 10**6)
    items = root.fields(frozenset(("format", "game", "options", "rules", "made", "games", "positions")))
    if items["format"].value != FORMAT or items["game"].value != declared.name:
        raise items["format"].refused(text("core.record-foreign", format=FORMAT))
    known = declared.rules_module.VERSION
    stated = items["rules"].integer(0, 10**9)
    if stated != known:
        raise items["rules"].refused(text("core.record-version", game=declared.title, stated=stated, known=known))
    variant = declared.variant(items["options"].value)
    counts = MoveCounts(variant, items["games"].integer(0, 10**9))
    for key in items["positions"].value:
        moves = Item(items["positions"].value[key], f"positions.{key}")
        counts.positions[key] = {
            Item(move).string(TEXT_LIMIT): [item.integer(0, 10**12) for item in Item(tally, moves.place).items(2)]
            for move, tally in moves.value.items()
        }
    return counts, dict(items["made"].value)


@functools.lru_cache(maxsize=16)
def shipped(declared: Game) -> tuple[MoveCounts, dict[str, Any]] | None:
    """Return the counts that come with a game and how they were made; ``None`` for a game that has none."""
    path = shipped_file(declared)
    return read_counts(read_limited(path, BYTES_LIMIT), declared) if path.is_file() else None


def shipped_file(declared: Game) -> Path:
    """Return where the counts of a game are, or would be."""
    return declared.folder / FILE
