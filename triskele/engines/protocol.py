"""The engine protocol: lines of text on standard input and output, in the spirit of UCI.

``docs/protocol.md`` describes it for people who write engines. This module holds what both sides
share (how an :class:`Info` is written and read) and the engine's side, :func:`serve`; the other side
is :mod:`triskele.engines.external`. ``python -m triskele.engines.protocol [ENGINE]`` serves a process.
"""

import inspect
import io
import math
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from triskele.core.contract.engine import Engine, Info, Limits, Task, level_of
from triskele.core.contract.levels import FULL, TOP
from triskele.core.errors import TriskeleError
from triskele.core.game import Game, games
from triskele.core.position import LINE_LIMIT, Position
from triskele.core.position import position as read_position
from triskele.core.records import BYTES_LIMIT, Record
from triskele.core.version import __version__
from triskele.engines.registry import BEST
from triskele.engines.registry import engine as new_engine

VERSION = 1
"""The version of the protocol: the number in ``triskele 1``."""

NO_MOVE = "none"
"""What ``bestmove`` has where there is no move to make."""

LINE_BYTES = BYTES_LIMIT + LINE_LIMIT
"""Longer lines are refused; the longest valid one holds a whole record."""

MEMORY_LIMIT = 1 << 20
THREADS_LIMIT = 256
SEED_LIMIT = (1 << 31) - 1


class ProtocolError(ValueError):
    """A line that does not follow the protocol. The first argument is a word from ``docs/protocol.md``."""


# --- what both sides share ------------------------------------------------------------------------


def write_info(info: Info) -> str:
    """Return an info as one line."""
    words = [f"info depth {info.depth} nodes {info.nodes} seconds {info.seconds:.6g} scores"]
    words += [f"{score:.6g}" for score in info.scores]
    if info.proven is not None:
        words.append(f"proven {info.proven}")
    words += [" ".join(("line", *line)) for line in info.lines]
    return " ".join(words)


def read_info(line: str, seats: int) -> Info:
    """Return the info of a line; fields it leaves out are zero. Raises ``ProtocolError`` for any other line."""
    words = line.split()
    if not words or words[0] != "info":
        raise ProtocolError("info-form")
    head, lines = _split_lines(words[1:])
    fields = _Fields(head)
    scores = fields.numbers("scores", seats) if "scores" in head else (0.0,) * seats
    info = Info(
        depth=fields.whole("depth", 0),
        nodes=fields.whole("nodes", 0),
        seconds=fields.number("seconds", 0.0),
        scores=scores,
        lines=lines,
        proven=fields.whole("proven", None),
    )
    fields.finish()
    return info


def _split_lines(words: Sequence[str]) -> tuple[list[str], tuple[tuple[str, ...], ...]]:
    """Split the words at each ``line``: return the words before the first, and the lines of moves."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "line":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts[0], tuple(tuple(part) for part in parts[1:] if part)


class _Fields:
    """Parses ``name value name value …`` in any order; names that were not asked for are errors."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)

    def _take(self, name: str, number: int = 1) -> list[str] | None:
        if name not in self._words:
            return None
        at = self._words.index(name)
        values = self._words[at + 1 : at + 1 + number]
        if len(values) < number:
            raise ProtocolError(f"bad-number {name}")
        del self._words[at : at + 1 + number]
        return values

    def whole(self, name: str, default: int | None, low: int = 0, high: int = 1 << 60) -> int:
        values = self._take(name)
        if values is None:
            return default  # type: ignore[return-value]
        return whole(values[0], name, low, high)

    def number(self, name: str, default: float | None) -> float:
        values = self._take(name)
        return default if values is None else _number(values[0], name)  # type: ignore[return-value]

    def numbers(self, name: str, number: int) -> tuple[float, ...]:
        return tuple(_number(value, name) for value in self._take(name, number) or ())

    def flag(self, name: str) -> bool:
        return self._take(name, 0) is not None

    def finish(self) -> None:
        if self._words:
            raise ProtocolError(f"unknown-word {self._words[0][:60]}")


def whole(written: str, name: str, low: int, high: int) -> int:
    """Return a whole number from ``low`` to ``high``; ``ProtocolError`` with the field's name for anything else."""
    digits = written.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20 and low <= int(written) <= high):
        raise ProtocolError(f"bad-number {name}")
    return int(written)


def _number(written: str, name: str) -> float:
    try:
        value = float(written)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ProtocolError(f"bad-number {name}")
    return value


# --- the engine's side ----------------------------------------------------------------------------


@dataclass
class _Asked:
    """The arguments of one ``go``."""

    limits: Limits
    seat: int | None
    interrupt: bool


class _Server:
    """One session of the protocol. The search runs in a thread, so that ``stop`` is read meanwhile."""

    def __init__(self, write: Callable[[str], None], engine: str) -> None:
        self._write = write
        self._engine_name = engine
        self._level: int | None = None
        self._memory = Limits.memory_mb
        self._threads = Limits.threads
        self._seed: int | None = None
        self._engine: Engine | None = None
        self._made_for: tuple[Game, str, int | None] | None = None
        self._position: Position | None = None
        self._seen: list[str] | None = None
        self._stop = threading.Event()
        self._answered = threading.Event()
        self._search: threading.Thread | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "triskele": self._hello,
            "set": self._set,
            "new": self._new,
            "position": self._set_position,
            "record": self._set_record,
            "moves": self._push,
            "seen": self._set_seen,
            "legal": lambda rest: None,
            "go": self._go,
        }

    def hear(self, line: str) -> bool:
        """Execute a line; return whether the session goes on."""
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            return False
        if word == "stop":
            self.end_search()
        elif word == "ping":
            self._write("pong")
        elif word and not word.startswith("#"):
            self._obey(word, rest.strip())
        return True

    def end_search(self) -> None:
        """Stop the search that runs, if any, and wait for its answer."""
        self._stop.set()
        if self._search is not None:
            self._search.join()
            self._search = None

    def _obey(self, word: str, rest: str) -> None:
        command = self._commands.get(word)
        try:
            if command is None:
                raise ProtocolError(f"unknown-command {word[:60]}")
            if self._search is not None and not self._answered.is_set():
                raise ProtocolError("busy")
            command(rest)
        except ProtocolError as error:
            self._write(f"error {error}")
        except TriskeleError as error:
            self._write(f"error refused {_one_line(error)}")

    # --- before the game -----------------------------------------------------------------------

    def _hello(self, rest: str) -> None:
        whole(rest or str(VERSION), "version", VERSION, 1 << 30)
        self._write(f"id name Triskele {__version__} {self._engine_name}")
        self._write("id author the Triskele project")
        self._write("games " + " ".join(game.name for game in games()))
        self._write("want interrupts")
        self._write(f"option engine text {BEST}")
        self._write(f"option level number 1 {TOP} {TOP}")
        self._write(f"option memory number 8 {MEMORY_LIMIT} {Limits.memory_mb}")
        self._write(f"option threads number 1 {THREADS_LIMIT} {Limits.threads}")
        self._write(f"option seed number 0 {SEED_LIMIT} 1")
        self._write(f"ok {VERSION}")

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name == "engine":
            self._engine_name = value
        elif name == "level":
            self._level = whole(value, name, 1, TOP)
        elif name == "memory":
            self._memory = whole(value, name, 8, MEMORY_LIMIT)
        elif name == "threads":
            self._threads = whole(value, name, 1, THREADS_LIMIT)
        elif name == "seed":
            self._seed = whole(value, name, 0, SEED_LIMIT)
        else:
            raise ProtocolError(f"unknown-option {name[:60]}")

    def _new(self, rest: str) -> None:
        self._position = self._seen = None
        if self._engine is not None:
            self._engine.forget()

    # --- the position --------------------------------------------------------------------------

    def _set_position(self, rest: str) -> None:
        self._take_up(read_position(rest))

    def _set_record(self, rest: str) -> None:
        self._take_up(Record.from_json(rest).replay())

    def _take_up(self, position: Position) -> None:
        self._position, self._seen = position, None
        self._ready_engine(position.variant.game)

    def _push(self, rest: str) -> None:
        position = self._standing().copy()
        for move in rest.split():
            position.push(move)
        self._position, self._seen = position, None

    def _set_seen(self, rest: str) -> None:
        self._standing()
        self._seen = rest.split()

    def _standing(self) -> Position:
        if self._position is None:
            raise ProtocolError("no-position")
        return self._position

    def _ready_engine(self, game: Game) -> Engine:
        wanted = (game, self._engine_name, self._seed)
        if self._engine is None or self._made_for != wanted:
            self._engine = seeded(new_engine(self._engine_name, game), self._seed)
            self._engine.get_ready()
            self._made_for = wanted
        return self._engine

    # --- searching -----------------------------------------------------------------------------

    def _go(self, rest: str) -> None:
        position = self._standing()
        engine = self._ready_engine(position.variant.game)
        asked = self._asked(rest)
        self._stop, self._answered = threading.Event(), threading.Event()
        arguments = (engine, position, asked, self._stop, self._answered)
        self._search = threading.Thread(target=self._run, args=arguments, name="search", daemon=True)
        self._search.start()

    def _asked(self, rest: str) -> _Asked:
        fields = _Fields(rest.split())
        seconds = fields.number("seconds", None)
        if seconds is not None and seconds < 0:
            raise ProtocolError("bad-number seconds")
        if fields.flag("infinite"):
            seconds = math.inf
        limits = Limits(
            seconds=seconds,
            nodes=fields.whole("nodes", None, low=1),
            level=fields.whole("level", self._level, 1, TOP),
            memory_mb=self._memory,
            threads=self._threads,
        )
        asked = _Asked(limits, fields.whole("seat", None, 0, 1000), fields.flag("interrupt"))
        fields.finish()
        return asked

    def _run(
        self, engine: Engine, position: Position, asked: _Asked, stop: threading.Event, answered: threading.Event
    ) -> None:
        try:
            last = f"bestmove {self._answer(engine, position, asked, stop)}"
        except ProtocolError as error:
            last = f"error {error}"
        except TriskeleError as error:
            last = f"error refused {_one_line(error)}"
        except Exception as error:  # the client must be told, whatever it is
            last = f"error failed {type(error).__name__}: {_one_line(error)}"
        answered.set()  # before it is written: the client may send the next command at once
        self._write(last)

    def _answer(self, engine: Engine, position: Position, asked: _Asked, stop: threading.Event) -> str:
        if asked.interrupt:
            if asked.seat is None:
                raise ProtocolError("no-seat")
            move = engine.interrupt(position, asked.limits, asked.seat)
            return NO_MOVE if move is None else move.text
        for info in self._think(engine, position, asked, stop):
            self._write(write_info(info))
        return info.move

    def _think(self, engine: Engine, position: Position, asked: _Asked, stop: threading.Event) -> Iterator[Info]:
        if self._seen is None:
            return engine.analyse(position, asked.limits, stop, asked.seat)
        # The position is a view already, and only the client knows the moves that led to it.
        turn = position.turn
        seat = asked.seat if asked.seat is not None else turn
        if seat is None or seat < 0 or turn is None or turn < 0:
            raise ProtocolError("nothing-to-ask")
        level = FULL if asked.limits.level is None else level_of(engine.game, asked.limits.level)
        task = Task(position.seen_by(seat), seat, asked.limits, level, self._seen, stop)
        return engine.think(task)


def seeded(engine: Engine, seed: int | None) -> Engine:
    """Return the same engine made with a seed, if it uses random numbers."""
    if seed is None or "seed" not in inspect.signature(type(engine)).parameters:
        return engine
    return type(engine)(engine.game, seed=seed)  # type: ignore[call-arg]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:500]


def serve(stdin: TextIO | None = None, stdout: TextIO | None = None, engine: str = BEST) -> None:
    """Serve the protocol until ``quit`` or the end of the input: what ``triskele engine`` does.

    ``engine`` is the name of the one that answers at first; ``set engine`` changes it.
    """
    source = _standard(sys.stdin) if stdin is None else stdin
    target = _standard(sys.stdout) if stdout is None else stdout
    lock = threading.Lock()

    def write(line: str) -> None:
        with lock:
            target.write(line + "\n")
            target.flush()

    server = _Server(write, engine)
    try:
        while line := source.readline(LINE_BYTES):
            if len(line) == LINE_BYTES and not line.endswith("\n"):
                write("error line-too-long")
                while line and not line.endswith("\n"):
                    line = source.readline(LINE_BYTES)
            elif not server.hear(line):
                break
    finally:
        server.end_search()


def _standard(stream: TextIO) -> TextIO:
    """Return a standard stream with the protocol's encoding and line ends on every platform."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return stream


def main(arguments: Sequence[str]) -> int:
    """Serve standard input and output with the engine named in the arguments, the best one by default."""
    try:
        serve(engine=arguments[0] if arguments else BEST)
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
