"""Engines at a table of the terminal: ours by their level or name, or any program that speaks the protocol."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from triskele.core.errors import OptionError
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import text

if TYPE_CHECKING:  # engines take a moment to import, and mostly people play with people
    from triskele.engines.engine import Engine, Limits

PERSON, RANDOM = "person", "random"
KINDS = (PERSON, RANDOM)
"""Who can sit on a seat beside engines; these words also stand in records."""
LEVELS = tuple(str(level) for level in range(1, 11))
"""The engines' levels, as people write them."""


def seat_people(written: str | None, game: Game, seats: int) -> tuple[str, ...]:
    """Read who sits where, as in ``person,3``; the last one stands for all seats that are not named.

    An engine is named by its level, or as a contestant of a match is. ``OptionError`` says what is wrong.
    Nothing written: people on all seats.
    """
    read = [seated(word, game) for word in _parts(written or PERSON)]
    if len(read) > seats:
        raise OptionError(text("cli.seats-many", n=seats, stated=len(read)))
    return tuple(read + [read[-1]] * (seats - len(read)))


def _parts(written: str) -> list[str]:
    """Return what stands between commas, except those between an engine's settings."""
    parts: list[str] = []
    for word in written.split(","):
        head, equals, _ = word.partition("=")
        if parts and equals and ":" not in head and "@" not in head:
            parts[-1] += f",{word}"
        else:
            parts.append(word.strip())
    return parts


def seated(word: str, game: Game) -> str:
    """Return who is meant by a word, as it stands in records; ``OptionError`` names who there is."""
    matches = [kind for kind in KINDS if word and kind.startswith(word.lower())]
    if matches:
        return matches[0]
    if word in LEVELS:
        return f"triskele:level={word}"
    from triskele.arena.contestants import Contestant
    from triskele.engines.registry import engine_names

    names = engine_names(game)
    if ":" not in word and word not in names:
        kinds = (*KINDS, f"{LEVELS[0]} … {LEVELS[-1]}", *(name for name in names if name not in KINDS), "cmd:…")
        raise OptionError(text("cli.seats-form", written=word[:60], kinds=", ".join(kinds)))
    Contestant.parse(word).check(game)
    return word


def seated_before(name: str, game: Game) -> str | None:
    """Return who sat on a seat by a record's name for it: an engine of ours plays on, anybody else was a person.

    ``None`` for a program: no file shall start one.
    """
    if name in KINDS:
        return name
    from triskele.arena.contestants import Contestant

    try:
        contestant = Contestant.parse(name)
        if contestant.command:
            return None
        contestant.check(game)
    except OptionError:
        return PERSON
    return name


class Opponents:
    """The engines at a table, each made when it is first asked."""

    def __init__(self, game: Game, sitting: Sequence[str]) -> None:
        """Look after the seats that are neither a person's nor a random mover's."""
        self.seats = [seat for seat, kind in enumerate(sitting) if kind not in KINDS]
        self._game = game
        self._sitting = sitting
        self._engines: dict[int, tuple[Engine, Limits]] = {}

    def get_ready(self, rng: random.Random) -> None:
        """Begin to load what they need, in the background."""
        for seat in self.seats:
            self._at(seat, rng)

    def _at(self, seat: int, rng: random.Random) -> "tuple[Engine, Limits]":
        if seat not in self._engines:
            from triskele.arena.contestants import Contestant
            from triskele.engines.engine import Limits

            contestant = Contestant.parse(self._sitting[seat])
            player = contestant.sit_down(self._game, rng.getrandbits(31))
            self._engines[seat] = player, contestant.limits(Limits())
        return self._engines[seat]

    def move(self, position: Position, seat: int, rng: random.Random) -> Move:
        """Return the move of the engine to act. ``EngineFailure`` when a program does not play as it must."""
        player, limits = self._at(seat, rng)
        return player.choose(position, limits, seat=seat)

    def interrupt(self, position: Position, seat: int, rng: random.Random) -> Move | None:
        """Return what an engine that is not to act does now, if anything."""
        player, limits = self._at(seat, rng)
        return player.interrupt(position, limits, seat)

    def close(self) -> None:
        """End the programs."""
        for player, _ in self._engines.values():
            player.close()
        self._engines = {}
