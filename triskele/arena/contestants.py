r"""Contestants: a built-in engine by its name, or any program that speaks the engine protocol.

As people write them::

    triskele                       by name, under the limits of the match
    triskele:level=3               with a level
    uct:seconds=1,memory=64        with limits of its own
    cmd:./my_engine --fast         a program and its arguments
    cmd@seconds=1,depth=4:./mine   the same with limits, and an option of the program's own
    cmd:"C:\My engines\mine.exe"   a path with spaces, on Windows
"""

import dataclasses
import hashlib
import math
import shutil
import sys
from dataclasses import dataclass, field

from triskele.core.contract.engine import Engine, Limits, allowed_seconds, level_of
from triskele.core.contract.levels import FULL, TOP
from triskele.core.errors import OptionError
from triskele.core.game import Game
from triskele.core.words import text
from triskele.engines.external import PATIENCE, External, split_command
from triskele.engines.protocol import seeded
from triskele.engines.registry import engine as new_engine
from triskele.engines.registry import engine_names

COMMAND = "cmd"
_WHOLE = {"level": (1, TOP), "nodes": (1, 1 << 50), "memory": (8, 1 << 20), "threads": (1, 256)}


@dataclass(frozen=True)
class Contestant:
    """A parsed contestant. Plain data: it can be sent to other machines."""

    written: str
    engine: str = ""
    command: tuple[str, ...] = ()
    level: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    memory: int = Limits.memory_mb
    threads: int = Limits.threads
    options: tuple[tuple[str, str], ...] = field(default=())

    @staticmethod
    def parse(written: str) -> "Contestant":
        """Parse what a person wrote; ``OptionError`` says what is wrong with it."""
        head, colon, rest = written.partition(":")
        if head == COMMAND or head.startswith(COMMAND + "@"):
            return _program(written, head[len(COMMAND) + 1 :], rest)
        settings = _settings(written, rest) if colon else {}
        contestant, others = _apply_settings(Contestant(written, engine=head), settings)
        if others or not head:
            raise OptionError(text("arena.contestant-setting", written=written, setting=next(iter(others), "")))
        return contestant

    def check(self, game: Game) -> None:
        """Raise ``OptionError`` if this machine has no such engine or program for the game."""
        if self.command:
            if shutil.which(self.command[0]) is None:
                raise OptionError(text("arena.no-program", program=self.command[0][:200]))
        elif self.engine not in engine_names(game):
            new_engine(self.engine, game)  # raises, and says which there are

    def limits(self, given: Limits) -> Limits:
        """Return the limits it plays under: its own if it has any, else those of the match."""
        own = self.seconds is not None or self.nodes is not None or self.level is not None
        return dataclasses.replace(
            given,
            seconds=self.seconds if own else given.seconds,
            nodes=self.nodes if own else given.nodes,
            level=self.level if own else given.level,
            memory_mb=self.memory,
            threads=self.threads,
        )

    def create_engine(self, game: Game, seed: int, *, isolated: bool = False, patience: float = PATIENCE) -> Engine:
        """Return a new engine for one game. ``isolated`` runs a built-in engine in a process of its own."""
        if self.command:
            return External(game, self.command, options=dict(self.options), seed=seed, patience=patience)
        if isolated:
            command = (sys.executable, "-m", "triskele.engines.protocol", self.engine)
            options = {"memory": str(self.memory), "threads": str(self.threads)}
            return External(game, command, options=options, seed=seed, patience=patience)
        return seeded(new_engine(self.engine, game), seed)


def seconds_allowed(game: Game, limits: Limits) -> float:
    """Return the seconds that an answer may take under these limits; infinite when only nodes count."""
    return allowed_seconds(limits, FULL if limits.level is None else level_of(game, limits.level))


def seed_of(*parts: object) -> int:
    """Return an engine's seed: a hash of the parts, the same on every machine."""
    digest = hashlib.sha256(" ".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def _program(written: str, settings: str, command_line: str) -> Contestant:
    try:
        command = split_command(command_line)
    except ValueError:
        command = ()
    if not command:
        raise OptionError(text("arena.contestant-command", written=written[:200]))
    program, others = _apply_settings(Contestant(written, command=command), _settings(written, settings))
    return dataclasses.replace(program, options=tuple(others.items()))


def _settings(written: str, settings: str) -> dict[str, str]:
    found = {}
    for item in filter(None, settings.split(",")):
        name, equals, value = item.partition("=")
        if not equals or not name or not value or any(c.isspace() for c in name):
            raise OptionError(text("arena.contestant-setting", written=written[:200], setting=item[:60]))
        found[name] = value
    return found


def _apply_settings(contestant: Contestant, settings: dict[str, str]) -> tuple[Contestant, dict[str, str]]:
    """Return the contestant with the settings that every engine has, and the other settings."""
    others = dict(settings)
    for name, (low, high) in _WHOLE.items():
        if (value := others.pop(name, None)) is not None:
            if not (value.isascii() and value.isdigit() and len(value) < 18 and low <= int(value) <= high):
                raise OptionError(text("arena.setting-range", setting=name, low=low, high=high))
            contestant = dataclasses.replace(contestant, **{name: int(value)})  # type: ignore[arg-type]
    if (value := others.pop("seconds", None)) is not None:
        contestant = dataclasses.replace(contestant, seconds=read_seconds(value))
    return contestant, others


def read_seconds(written: str) -> float:
    """Parse a number of seconds above 0 and up to a day."""
    try:
        seconds = float(written)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 86_400:
        raise OptionError(text("arena.setting-seconds", written=written[:30]))
    return seconds
