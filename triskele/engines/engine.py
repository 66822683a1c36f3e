"""What an engine is: the interface that all engines have and all users of engines rely on.

An engine is made for one game, is given positions and :class:`Limits`, and streams :class:`Info`.
It keeps what it learned (tables, trees) between calls, so one engine object serves one search at a
time; make as many objects as there are searches to run side by side.

A new engine is a subclass of :class:`Engine` that defines :meth:`Engine.think`. Everything around
it (whose view it gets, clocks, levels, stopping) is done here once.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from triskele.core.compile import Program
from triskele.core.contract import CHANCE
from triskele.core.errors import IllegalMove
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import text
from triskele.engines.levels import FULL, TOP, Level, level_of

DEFAULT_SECONDS = 1.0
"""How long an engine thinks when nothing at all is said about it."""


@dataclass(frozen=True)
class Limits:
    """How much an engine may use for one answer; what is ``None`` is no limit.

    With nothing given, it thinks for a second. A ``level`` below 10 brings its own limits and
    weaknesses, and ``seconds`` beside it is a ceiling; level 10 is all that can be done in the time.
    ``seed``, instead of the engine's own, decides what alpha-beta gets wrong at a weak level.
    """

    seconds: float | None = None
    nodes: int | None = None
    level: int | None = None
    memory_mb: int = 256
    threads: int = 1
    seed: int | None = None


@dataclass(frozen=True)
class Info:
    """What an engine thinks at a moment. The last one of a search is its answer.

    ``scores`` has one number a seat, from -1 (lost) to 1 (won). ``lines`` are the best lines, the
    best one first, each a run of move texts that begins with a legal move. ``proven`` is how many moves
    it is to an end of the game that nobody can avoid without doing worse, ``None`` when that is
    open; who wins is in the scores.
    """

    depth: int
    nodes: int
    seconds: float
    scores: tuple[float, ...]
    lines: tuple[tuple[str, ...], ...]
    proven: int | None = None

    @property
    def move(self) -> str:
        """The text of the best move."""
        return self.lines[0][0]


@dataclass
class Task:
    """One question to an engine, as :meth:`Engine.think` gets it.

    ``position`` is what ``seat`` may know, ``moves`` the texts of the moves so far as it saw them.
    ``level`` holds what :class:`Limits` asked for; the clock has been running since the call.
    """

    position: Position
    seat: int
    limits: Limits
    level: Level
    moves: list[str]
    stop: threading.Event
    began: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """How long the answer may take in all; infinite when only nodes are limited."""
        asked, own = self.limits.seconds, self.level.seconds
        if asked is None and own is None:
            return DEFAULT_SECONDS if self.nodes is None else float("inf")
        return min(limit for limit in (asked, own) if limit is not None)

    @property
    def nodes(self) -> int | None:
        """How many nodes may be searched in all, ``None`` for any number."""
        given = [limit for limit in (self.limits.nodes, self.level.nodes) if limit is not None]
        return min(given) if given else None

    @property
    def elapsed(self) -> float:
        """Seconds since the question was asked."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float:
        """Seconds until the answer is due; negative when it is late."""
        return self.seconds - self.elapsed

    @property
    def stopped(self) -> bool:
        """Whether to answer now: someone said stop, or the time is over."""
        return self.stop.is_set() or self.left <= 0


def shares(value: float, task: Task) -> tuple[float, ...]:
    """Return a score for each seat from the value for the one to act: the others share the opposite."""
    seats = task.position.variant.seats
    value = max(-1.0, min(1.0, value))
    turn = task.position.turn
    return tuple(value if seat == turn else -value / (seats - 1) for seat in range(seats))


class Engine(ABC):
    """A player and analyst of one game."""

    name: ClassVar[str]
    programs: ClassVar[tuple[Program, ...]] = ()
    """What is linked to the game's rules: compiled in the background, plain until then."""

    def __init__(self, game: Game) -> None:
        """Get ready to play ``game``; begins to load or compile what it needs, in the background."""
        self.game = game
        game.linker.prepare(self.programs)

    def get_ready(self) -> None:
        """Load or compile all that it needs now, so that the first answer is as good as any other."""
        for program in self.programs:
            self.game.linker.program(program)

    @abstractmethod
    def think(self, task: Task) -> Iterator[Info]:
        """Search, and say what comes out, getting better. At least one info, however short the time.

        ``task.position`` has a legal move and ``task.seat`` is the seat to ask for (the one to act,
        unless somebody else analyses). Ends by itself when ``task.stopped``, or earlier.
        """

    def analyse(
        self, position: Position, limits: Limits, stop: threading.Event | None = None, seat: int | None = None
    ) -> Iterator[Info]:
        """Stream what the engine thinks of a position until the limits are reached or ``stop`` is set.

        In a game with secrets it sees what ``seat`` (by default the one to act) may know and no
        more. ``IllegalMove`` when the game is over or the die is to roll.
        """
        began = time.perf_counter()
        turn = position.turn
        if turn is None:
            raise IllegalMove(text("engines.over"))
        if turn == CHANCE:
            raise IllegalMove(text("engines.die"))
        asking = turn if seat is None else seat
        hidden = self.game.hidden
        task = Task(
            position=position.seen_by(asking) if hidden else position,
            seat=asking,
            limits=limits,
            level=FULL if limits.level is None else level_of(self.game, limits.level),
            moves=position.moves_seen_by(asking) if hidden else [],
            stop=stop or threading.Event(),
            began=began,
        )
        yield from self.think(task)

    def choose(
        self, position: Position, limits: Limits, stop: threading.Event | None = None, seat: int | None = None
    ) -> Move:
        """Return the move to make, within the limits; at once when there is only one."""
        turn = position.turn
        if seat is not None and turn is not None and seat != turn:
            raise IllegalMove(text("engines.not-to-act", seat=seat))
        legal = position.legal_moves
        if len(legal) == 1 and turn != CHANCE:
            return legal[0]
        for info in self.analyse(position, limits, stop, seat):  # noqa: B007 (the last one counts)
            pass
        return position.find(info.move)

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Return what a seat that is not to act wants to do now, out of turn; mostly nothing.

        The seat to act may be asked as well, before the others: what they may do out of turn it may do first.
        """
        return None

    def forget(self) -> None:  # noqa: B027 (most have nothing to forget)
        """Drop what was learned from earlier searches, as before another game."""

    def close(self) -> None:  # noqa: B027 (most have started nothing)
        """End what it has started outside this process."""


__all__ = ["DEFAULT_SECONDS", "TOP", "Engine", "Info", "Limits", "Task", "shares"]
