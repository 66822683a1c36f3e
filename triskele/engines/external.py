"""Programs that speak the engine protocol, as an :class:`~triskele.core.contract.engine.Engine`.

The program is a child process that is trusted with nothing: it may fall silent, flood its output,
never read its input, crash, or answer nonsense, and each of these is an :class:`EngineFailure` within
the time that was given plus ``patience``. After a failure the child is ended, and the next question
starts a new one. ``docs/protocol.md`` describes what is said.
"""

import atexit
import collections
import contextlib
import dataclasses
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, ClassVar

from triskele.core.contract.engine import DEFAULT_SECONDS, Engine, Info, Limits, Task, level_of
from triskele.core.contract.levels import FULL
from triskele.core.errors import TriskeleError
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import Text, text
from triskele.engines.protocol import NO_MOVE, VERSION, ProtocolError, read_info

CRASH, HANG, ILLEGAL = "crash", "hang", "illegal"

START_SECONDS = 30.0
"""How long a program may take to answer the handshake."""
LOAD_SECONDS = 300.0
"""How long it may then take to load a game, which may include compiling."""
PATIENCE = 10.0
"""How long an answer may be overdue before the program counts as hanging."""
UNTIMED_SECONDS = 60.0
"""The time allowed when only nodes are limited."""
STOP_AFTER = 0.05
"""Seconds after the end of its time when a program is sent ``stop``."""

WORDS_LIMIT = 4000
"""The characters of an engine's last words that are kept."""

_LINE_BYTES = 1 << 20
_WORDS_LINES = 20
_LINES_WAITING = 10_000
_TICK = 0.05
_QUIT_SECONDS = 0.5


class EngineFailure(TriskeleError):
    """An engine broke the protocol. ``kind`` is ``"crash"``, ``"hang"`` or ``"illegal"``.

    ``last_words`` are the last lines of its standard error, or of its traceback; at most ``WORDS_LIMIT`` characters.
    """

    def __init__(self, kind: str, why: Text, last_words: str = "") -> None:
        """Keep the kind and the last words beside the text."""
        super().__init__(why)
        self.kind = kind
        self.last_words = last_words[-WORDS_LIMIT:]

    def __reduce__(self) -> tuple[type["EngineFailure"], tuple[str, Text, str]]:
        """Support pickling, so that it can be raised in another process."""
        return type(self), (self.kind, self.text, self.last_words)


def split_command(written: str, windows: bool | None = None) -> tuple[str, ...]:
    """Return the words of a command as the system's shell splits them; ``ValueError`` for an unclosed quote.

    On Windows (by default, if this is one) a backslash is a part of a path, and only double quotes keep words with
    spaces together.
    """
    if not (os.name == "nt" if windows is None else windows):
        return tuple(shlex.split(written))
    lexer = shlex.shlex(written, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = lexer.escape = ""
    lexer.quotes = '"'
    return tuple(lexer)


class _Child:
    """One run of the program: lines in and out through threads, so that nothing here ever blocks."""

    def __init__(self, command: Sequence[str]) -> None:
        # A session of its own: Ctrl-C is for the user of the engine, and ending the group ends grandchildren too.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.lines: queue.Queue[str | None] = queue.Queue(_LINES_WAITING)
        self.last_words: collections.deque[str] = collections.deque(maxlen=_WORDS_LINES)
        self._outbox: queue.Queue[bytes | None] = queue.Queue()
        self._closing = threading.Event()
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._threads = [
            threading.Thread(target=self._write, args=(process.stdin,), daemon=True),
            threading.Thread(target=self._read, args=(process.stdout,), daemon=True),
            threading.Thread(target=self._listen, args=(process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        _children.add(self)

    def send(self, line: str) -> None:
        self._outbox.put(line.encode() + b"\n")

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (data := self._outbox.get()) is not None:
                stream.write(data)
                stream.flush()
        with contextlib.suppress(OSError, ValueError):
            stream.close()

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while data := stream.readline(_LINE_BYTES):
                self._put(data.decode(errors="replace").strip())
        self._put(None)

    def _put(self, line: str | None) -> None:
        # Backpressure: while nobody reads, the queue and the pipe fill up and the program waits; but not forever.
        while not self._closing.is_set():
            with contextlib.suppress(queue.Full):
                self.lines.put(line, timeout=0.2)
                return

    def _listen(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while data := stream.readline(_LINE_BYTES):
                if line := data.decode(errors="replace").rstrip():
                    self.last_words.append(line[:300])

    def end(self, polite: bool) -> int:
        """End the program and everything it started; return its exit code."""
        self._closing.set()
        if polite:
            self.send("quit")
        self._outbox.put(None)
        until = time.monotonic() + (_QUIT_SECONDS if polite else 0.0)
        while not self._exited() and time.monotonic() < until:
            time.sleep(0.005)
        self.kill()
        code = self.process.wait()
        for thread in self._threads:
            thread.join(1.0)
        _children.discard(self)
        return code

    def _exited(self) -> bool:
        # Without reaping it: as long as it is not, nobody else can have its process group's number.
        if not hasattr(os, "waitid"):
            return self.process.poll() is not None
        with contextlib.suppress(ChildProcessError):
            return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        return True

    def kill(self) -> None:
        """Kill the program with everything in its group, at once."""
        if self.process.returncode is not None:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()


_children: weakref.WeakSet[_Child] = weakref.WeakSet()


@atexit.register
def end_all() -> None:
    """Kill all programs that this process has started. Safe in a signal handler."""
    for child in list(_children):
        child.kill()


class External(Engine):
    """A program that speaks the protocol. Close it, or use it in a ``with`` statement."""

    name: ClassVar[str] = "external"

    def __init__(
        self,
        game: Game,
        command: Sequence[str] | str,
        *,
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        patience: float = PATIENCE,
        start_seconds: float = START_SECONDS,
        load_seconds: float = LOAD_SECONDS,
    ) -> None:
        """Play ``game`` with the program that ``command`` starts (a text is split as a shell would).

        ``options`` are set by their names after the hello. Nothing is started yet.
        """
        super().__init__(game)
        self.command = split_command(command) if isinstance(command, str) else tuple(command)
        self.title = self.command[0] if self.command else ""
        self.options = dict(options or {})
        self.seed = seed
        self.patience = patience
        self.start_seconds = start_seconds
        self.load_seconds = load_seconds
        self.known_options: tuple[str, ...] = ()
        self.wants: frozenset[str] = frozenset()
        self._child: _Child | None = None

    def __enter__(self) -> "External":
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the program."""
        self.close()

    def __del__(self) -> None:
        """End the program of an engine that was garbage-collected."""
        child = getattr(self, "_child", None)
        if child is not None:
            child.end(polite=False)

    # --- the child -----------------------------------------------------------------------------

    def close(self) -> None:
        """Send ``quit``, then kill the program. The next search starts it again."""
        child, self._child = self._child, None
        if child is not None:
            child.end(polite=True)

    @property
    def pid(self) -> int | None:
        """The process id of the program, ``None`` while it does not run."""
        return None if self._child is None else self._child.process.pid

    def _fail(self, kind: str, key: str, **values: str | int | float) -> EngineFailure:
        """Kill the program and return the error to raise: after a failure its output cannot be relied on."""
        child, self._child = self._child, None
        code = 0
        lines: list[str] = []
        if child is not None:
            code = child.end(polite=False)
            lines = list(child.last_words)
        said = lines[-1].strip() if lines else ""
        why = text(f"arena.{key}", engine=self.title, code=code, said=said, **values)
        return EngineFailure(kind, why, "\n".join(lines))

    def _started(self) -> _Child:
        if self._child is not None:
            return self._child
        try:
            self._child = _Child(self.command)
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise self._fail(CRASH, "engine-no-start", why=why) from None
        self._child.send(f"triskele {VERSION}")
        known: list[str] = []
        wants: set[str] = set()
        games: set[str] = set()
        until = time.monotonic() + self.start_seconds
        while (line := self._next(until))[:1] != ["ok"]:
            if line[:1] == ["option"]:
                known += line[1:2]
            elif line[:1] == ["want"]:
                wants.update(line[1:])
            elif line[:1] == ["games"]:
                games.update(line[1:])
            elif line[:2] == ["id", "name"]:
                self.title = " ".join(line[2:])[:80] or self.title
        self.known_options, self.wants = tuple(known), frozenset(wants)
        if games and self.game.name not in games:
            raise self._fail(CRASH, "engine-other-games", game=self.game.title)
        self._set_options()
        return self._child

    def _set_options(self) -> None:
        assert self._child is not None
        for name, value in self.options.items():
            if name not in self.known_options:
                raise self._fail(CRASH, "engine-no-option", option=name)
            self._child.send(f"set {name} {value}")
        if self.seed is not None and "seed" in self.known_options:
            self._child.send(f"set seed {self.seed}")

    def _next(self, until: float) -> list[str]:
        """Return the words of the next line; ``EngineFailure`` if it is late or an error."""
        words = self._poll(max(0.0, until - time.monotonic()))
        if words is None:
            raise self._fail(HANG, "engine-hangs")
        return words

    def _poll(self, seconds: float) -> list[str] | None:
        assert self._child is not None
        try:
            line = self._child.lines.get(timeout=seconds) if seconds > 0 else self._child.lines.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            raise self._fail(CRASH, "engine-crashed")
        if line.startswith("error"):
            raise self._fail(CRASH, "engine-complains", complaint=line[5:].strip()[:300])
        return line.split()

    # --- an engine -----------------------------------------------------------------------------

    def get_ready(self) -> None:
        """Start the program and wait until it has loaded the game."""
        child = self._started()
        child.send("new")
        child.send(f"position {Position(self.game.variant())}")
        child.send("ping")
        until = time.monotonic() + self.load_seconds
        while self._next(until) != ["pong"]:
            pass

    def forget(self) -> None:
        """Tell the program that another game begins."""
        if self._child is not None:
            self._child.send("new")

    def think(self, task: Task) -> Iterator[Info]:
        """Start a search in the program and pass on its infos."""
        child = self._started()
        self._tell(child, task.position, task.moves if self.game.hidden else None)
        child.send(self._question(task.limits, task.seat))
        allowed = task.seconds if task.seconds != float("inf") or task.nodes is None else UNTIMED_SECONDS
        answered = False
        try:
            last: Info | None = None
            for words in self._answers(task, allowed):
                if words[0] == "bestmove":
                    answered = True
                    yield self._verdict(task, words[1] if len(words) > 1 else "", last)
                elif (info := _info(words, task.position.variant.seats)) is not None:
                    last = info
                    yield info
        except EngineFailure:
            answered = True
            raise
        finally:
            if not answered:
                self._abandon()

    def _answers(self, task: Task, allowed: float) -> Iterator[list[str]]:
        """Yield the ``info`` lines and then the ``bestmove``; send ``stop`` when the time is over."""
        assert self._child is not None
        told = False
        overdue = allowed + self.patience
        while True:
            if not told and (task.stop.is_set() or task.elapsed > allowed + STOP_AFTER):
                self._child.send("stop")
                told = True
                overdue = min(overdue, task.elapsed + self.patience)
            left = overdue - task.elapsed
            if left <= 0:
                raise self._fail(HANG, "engine-hangs")
            words = self._poll(min(_TICK, left))
            if words and words[0] in {"info", "bestmove"}:
                yield words
                if words[0] == "bestmove":
                    return

    def _verdict(self, task: Task, move: str, last: Info | None) -> Info:
        position = task.position
        legal = [found.text for found in position.legal_moves]
        if task.seat == position.turn and move not in legal:
            raise self._fail(ILLEGAL, "engine-illegal", move=move[:60])
        if last is not None and last.move == move:
            return dataclasses.replace(last, seconds=task.elapsed)
        if last is None:
            last = Info(0, 0, task.elapsed, (0.0,) * position.variant.seats, ())
        return dataclasses.replace(last, seconds=task.elapsed, lines=((move,), *last.lines))

    def _abandon(self) -> None:
        """Stop a search whose answer is no longer wanted; kill the program if it does not stop."""
        if self._child is None:
            return
        self._child.send("stop")
        until = time.monotonic() + self.patience
        with contextlib.suppress(EngineFailure):
            while self._next(until)[:1] != ["bestmove"]:
                pass

    def _tell(self, child: _Child, position: Position, seen: Sequence[str] | None) -> None:
        if seen is None:
            first = position.copy()
            for _ in position.moves:
                first.pop()
            child.send(f"position {first}")
            if position.moves:
                child.send("moves " + " ".join(move.text for move in position.moves))
        else:
            child.send(f"position {position}")
            child.send(" ".join(("seen", *seen)))
        if "legal" in self.wants:
            child.send("legal " + " ".join(move.text for move in position.legal_moves))

    def _question(self, limits: Limits, seat: int) -> str:
        words = ["go", f"seat {seat}"]
        seconds, nodes = limits.seconds, limits.nodes
        if limits.level is not None:
            words.append(f"level {limits.level}")
        elif seconds is None and nodes is None:
            seconds = DEFAULT_SECONDS
        if seconds is not None:
            words.append("infinite" if seconds == float("inf") else f"seconds {seconds:g}")
        if nodes is not None:
            words.append(f"nodes {nodes}")
        return " ".join(words)

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Ask the program for a move out of turn, if it declared that it makes them."""
        child = self._started()
        if "interrupts" not in self.wants:
            return None
        view = position.seen_by(seat) if self.game.hidden else position
        self._tell(child, view, position.moves_seen_by(seat) if self.game.hidden else None)
        child.send(self._question(limits, seat) + " interrupt")
        level = FULL if limits.level is None else level_of(self.game, limits.level)
        task = Task(view, seat, limits, level, [], threading.Event())
        allowed = UNTIMED_SECONDS if task.seconds == float("inf") else task.seconds
        for words in self._answers(task, allowed):
            written = words[1] if len(words) > 1 else NO_MOVE
            if words[0] == "bestmove" and written != NO_MOVE:
                return self._out_of_turn(position, written, seat)
        return None

    def _out_of_turn(self, position: Position, written: str, seat: int) -> Move:
        for move in position.interrupts:
            if move.text == written and position.interrupt_owner(move) == seat:
                return move
        raise self._fail(ILLEGAL, "engine-illegal", move=written[:60])


def _info(words: list[str], seats: int) -> Info | None:
    """Return the info of a line if it names a move. A malformed info line is ignored."""
    try:
        info = read_info(" ".join(words), seats)
    except ProtocolError:
        return None
    return info if info.lines else None
