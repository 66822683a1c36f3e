"""A short game of every kind in the registry: how to set it up, and what to play so that it ends soon."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import triskele

Json = dict[str, Any]


class Player(Protocol):
    """A player to act, as a test sees one."""

    table: Json

    def moves(self) -> dict[str, list[list[str]]]:
        """Return the moves that can be made, with their spellings."""


YINSH = """
e1 j5 b1 k7 a2 j10 a5 i11 b7 h3
e1-e2 j5-j6 e2-e3 j6-j7 e3-e4 j7-j8 e4-e5 j8-j9 e5-e6 xe1-e5 xe6
"""
_TRYPSYLON = """
a2 E2/SE e1 Ne/SE d4 E4/NE d2 Sd/NE d4 Nd/NW e4 Ne/NE c2 d2 Sd/NW Nc/NW b3 Sb/SE e2 W2/SE b2 Nb/SE e3 Ne/SE
"""
_TRYPTIC = "=BGR =WWY Be5 . Wa1 . Ge6 . Wi9 . Re7 !1"


def scripted(text: str) -> Callable[[], Callable[[Player], str]]:
    """Play the moves of a text, one after the other."""
    moves = text.split()
    return lambda: lambda player: moves[player.table["made"]]


def any_move() -> Callable[[], Callable[[Player], str]]:
    """Play at random."""

    def new() -> Callable[[Player], str]:
        chance = random.Random(5)
        return lambda player: chance.choice(sorted(player.moves()))

    return new


def toward(text: str, instead: str = "") -> Callable[[], Callable[[Player], str]]:
    """Play the moves of a text as far as they are possible, in order; else at random, among those that begin so."""

    def new() -> Callable[[Player], str]:
        chance = random.Random(5)
        wanted = text.split()

        def choose(player: Player) -> str:
            moves = sorted(player.moves())
            possible = [move for move in wanted if move in moves]
            if possible:
                wanted.remove(possible[0])
                return possible[0]
            return chance.choice([move for move in moves if move[0] in instead] or moves)

        return choose

    return new


def attack_once() -> Callable[[], Callable[[Player], str]]:
    """Attack when an attack is first possible, and from then on do as little as can be."""

    def new() -> Callable[[Player], str]:
        attacked: list[str] = []

        def choose(player: Player) -> str:
            moves = sorted(player.moves())
            attacks = [] if attacked else [move for move in moves if "<" in move]
            attacked.extend(attacks[:1])
            homes = [move for move in moves if move.startswith("h") and not attacked]
            quiet = [move for move in moves if move in ("done", "stay")]
            return (attacks or homes[:1] or quiet or moves)[0]

        return choose

    return new


@dataclass(frozen=True)
class Short:
    """A game that ends soon: among persons by ``chooser``, against an engine by ``against``."""

    game: str
    chooser: Callable[[], Callable[[Player], str]] = field(default_factory=any_move)
    against: Callable[[], Callable[[Player], str]] = field(default_factory=any_move)
    options: Json = field(default_factory=dict)


_PLANNED = (
    Short("yinsh", scripted(YINSH), toward("e1 b1 a2 a5 b7 e1-e2 e2-e3 e3-e4 e4-e5 e5-e6", "x"), {"blitz": True}),
    Short("trypsylon", scripted(_TRYPSYLON)),
    # Three tiles in a row of the player's own colour, then an announcement: right or wrong, that is the end.
    Short("tryptic", scripted(_TRYPTIC), toward("=BBB Be5 . Be6 . Be7 !1", "BGRWY."), {"goal": 1}),
    Short("conquest", attack_once(), attack_once(), {"rounds": 1}),
)
"""How to play some games so that they end soon. Of any other game a random play is short enough."""

_BY_NAME = {short.game: short for short in _PLANNED}
SHORT = tuple(_BY_NAME.get(game.name, Short(game.name)) for game in triskele.games())
"""A short game of every kind there is."""
