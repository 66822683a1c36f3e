"""Who sits where at the terminal: people, random movers, and engines by level, name or command."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from triskele.core.errors import OptionError
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import text

if TYPE_CHECKING:  # engines take a moment to import, and many games have none
    from triskele.core.contract.engine import Engine, Limits

PERSON, RANDOM = "person", "random"
KINDS = (PERSON, RANDOM)
"""Occupants of a seat that are not engines; these words are also written to records."""
LEVELS = tuple(str(level) for level in range(1, 11))
"""The engines' levels, as people write them."""


def parse_seats(written: str | None, game: Game, seats: int) -> tuple[str, ...]:
    """Parse who sits where, as in ``person,3``; the last one also takes all seats that are not named.

    An engine is named by its level, or as a contestant of a match is. Without a text, people take all seats.
    ``OptionError`` says what is wrong.
    """
    read = [parse_seat(word, game) for word in _parts(written or PERSON)]
    if len(read) > seats:
        raise OptionError(text("cli.seats-many", n=seats, stated=len(read)))
    return tuple(read + [read[-1]] * (seats - len(read)))


def _parts(written: str) -> list[str]:
    """Split at commas, except those between an engine's settings."""
    parts: list[str] = []
    for word in written.split(","):
        head, equals, _ = word.partition("=")
        if parts and equals and ":" not in head and "@" not in head:
            parts[-1] += f",{word}"
        else:
            parts.append(word.strip())
    return parts


def parse_seat(word: str, game: Game) -> str:
    """Parse one occupant and return it as records name it; ``OptionError`` lists what is allowed."""
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


def seat_from_record(name: str, game: Game) -> str | None:
    """Return the occupant that a record's name stands for: a built-in engine, else a person.

    ``None`` for an external program: a file must never start one.
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


class EngineSeats:
    """The engines at a table, each created when it is first needed."""

    def __init__(self, game: Game, occupants: Sequence[str]) -> None:
        """Find the seats of engines; creates none yet."""
        self.seats = [seat for seat, kind in enumerate(occupants) if kind not in KINDS]
        self._game = game
        self._occupants = occupants
        self._engines: dict[int, tuple[Engine, Limits]] = {}

    def get_ready(self, rng: random.Random) -> None:
        """Create the engines; they load what they need in the background."""
        for seat in self.seats:
            self._at(seat, rng)

    def _at(self, seat: int, rng: random.Random) -> "tuple[Engine, Limits]":
        if seat not in self._engines:
            from triskele.arena.contestants import Contestant
            from triskele.core.contract.engine import Limits

            contestant = Contestant.parse(self._occupants[seat])
            player = contestant.create_engine(self._game, rng.getrandbits(31))
            self._engines[seat] = player, contestant.limits(Limits())
        return self._engines[seat]

    def move(self, position: Position, seat: int, rng: random.Random) -> Move:
        """Return the move of the engine to act. ``EngineFailure`` when a program crashes, hangs or plays illegally."""
        player, limits = self._at(seat, rng)
        return player.choose(position, limits, seat=seat)

    def interrupt(self, position: Position, seat: int, rng: random.Random) -> Move | None:
        """Return the interrupt of an engine that is not to act, if it makes one."""
        player, limits = self._at(seat, rng)
        return player.interrupt(position, limits, seat)

    def close(self) -> None:
        """Close the engines and end their processes."""
        for player, _ in self._engines.values():
            player.close()
        self._engines = {}
