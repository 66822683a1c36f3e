"""The engine interface.

An engine plays one game: it is given positions and :class:`Limits`, and streams :class:`Info`. It keeps what a search
found (transposition tables, trees) for the next one, so an engine object runs one search at a time; make as many
objects as there are searches to run at once.

A new engine is a subclass of :class:`Engine` that defines :meth:`Engine.think`. Views, clocks, levels and stopping are
handled here.
"""

import collections
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from triskele.core.compile import Program
from triskele.core.contract.levels import FULL, TOP, Level
from triskele.core.contract.rules import CHANCE
from triskele.core.contract.search_program import SearchProgram
from triskele.core.errors import IllegalMove, OptionError
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import text

Outcome = tuple[Move, int]
"""An outcome of chance and its weight."""
MOST_OUTCOMES = 6
"""How many outcomes of a roll or draw are searched when a move is appraised that leads to one."""
DEFAULT_SECONDS = 1.0
"""How long an engine thinks when no limit is given."""


@dataclass(frozen=True)
class Limits:
    """How much an engine may use for one answer; ``None`` is no limit.

    Without any limit it thinks for ``DEFAULT_SECONDS``. A ``level`` below 10 has its own limits and weaknesses, and
    ``seconds`` beside it is a ceiling; level 10 has none. ``seed``, instead of the engine's own, decides what a weak
    level gets wrong, and what is drawn in rollouts. ``lines`` is how many principal variations are wanted, up to 5;
    engines that find several at no cost give theirs whatever it says.
    """

    seconds: float | None = None
    nodes: int | None = None
    level: int | None = None
    memory_mb: int = 256
    threads: int = 1
    seed: int | None = None
    lines: int = 1


@dataclass(frozen=True)
class Info:
    """The state of a search. The last one of a search is its answer.

    ``scores`` has one number for each seat, from -1 (lost) to 1 (won). ``lines`` are the principal variations, the best
    first, each a sequence of move texts that begins with a legal move. ``proven`` is the number of moves to the end of
    the game when the result is proven, else ``None``; the scores say who wins.
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


@dataclass(frozen=True)
class Appraisal:
    """What a decision was worth, by what the seat that made it could know.

    ``line`` is the best line. ``best`` are the scores of each seat after it, ``played`` those after the move that was
    made, both as in :class:`Info`; ``best`` is at least as good for the seat.
    """

    line: tuple[str, ...]
    best: tuple[float, ...]
    played: tuple[float, ...]


@dataclass
class Task:
    """One search to do, as :meth:`Engine.think` gets it.

    ``position`` is what ``seat`` may know, ``moves`` the texts of the moves so far as that seat saw them. ``level`` is
    the level that ``limits`` names. The clock runs since ``began``.
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
        return allowed_seconds(self.limits, self.level)

    @property
    def nodes(self) -> int | None:
        """How many nodes may be searched in all, ``None`` for any number."""
        return _least(self.limits.nodes, self.level.nodes)

    @property
    def elapsed(self) -> float:
        """Seconds since the search was asked for."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float:
        """Seconds until the answer is due; negative when it is late."""
        return self.seconds - self.elapsed

    @property
    def stopped(self) -> bool:
        """Whether to answer now: the caller said stop, or the time is over."""
        return self.stop.is_set() or self.left <= 0


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


def allowed_seconds(limits: Limits, level: Level) -> float:
    """Return how long an answer may take under these limits at a level; infinite when only nodes are limited."""
    given = [limit for limit in (limits.seconds, level.seconds) if limit is not None]
    if given:
        return min(given)
    return DEFAULT_SECONDS if _least(limits.nodes, level.nodes) is None else float("inf")


def level_of(game: Game, number: int) -> Level:
    """Return a level of a game by its number, or raise ``OptionError``."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= TOP:
        raise OptionError(text("core.level-unknown", level=str(number)[:20], top=TOP))
    return game.evaluation.levels[number - 1]


def shares(value: float, task: Task) -> tuple[float, ...]:
    """Return a score for each seat from the value for the seat to act: the others share the opposite."""
    seats = task.position.variant.seats
    value = max(-1.0, min(1.0, value))
    turn = task.position.turn
    return tuple(value if seat == turn else -value / (seats - 1) for seat in range(seats))


def result_scores(winners: Sequence[int], seats: int) -> tuple[float, ...]:
    """Return the scores of a result as engines give them: the winners share 1, the others -1; 0 for all in a draw."""
    if seats == 1:
        return (1.0,) if winners else (-1.0,)
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)] if winners else [1 / seats] * seats
    return tuple((seats * share - 1) / (seats - 1) for share in shares)


def spread(outcomes: Sequence[Outcome], most: int) -> Sequence[Outcome]:
    """Return at most so many of the outcomes of chance, evenly spread over them."""
    step = max(1, -(-len(outcomes) // most))
    return outcomes[::step]


def last_info(infos: Iterable[Info]) -> Info | None:
    """Run a search to its end and return its last info; ``None`` from an engine that breaks its word to yield one."""
    last = collections.deque(infos, maxlen=1)
    return last[0] if last else None


class Engine(ABC):
    """A player and analyst of one game."""

    name: ClassVar[str]
    programs: ClassVar[tuple[Program, ...]] = ()
    """The programs it links to the game's rules: compiled in the background, plain until then."""
    search_program: SearchProgram | None = None
    """Its search, if that can run outside Python too: WebAssembly modules contain the one of the best engine."""

    def __init__(self, game: Game) -> None:
        """Play ``game``; starts to load or compile the programs in the background."""
        self.game = game
        game.linker.prepare(self.programs)

    def get_ready(self) -> None:
        """Load or compile the programs now, so that the first answer is as good as any other."""
        for program in self.programs:
            self.game.linker.program(program)

    @abstractmethod
    def think(self, task: Task) -> Iterator[Info]:
        """Search and yield better and better infos: at least one, however short the time.

        ``task.position`` has a legal move. ``task.seat`` is the seat that asks: the one to act, unless another seat
        analyses. The stream ends when ``task.stopped``, or earlier.
        """

    def analyse(
        self, position: Position, limits: Limits, stop: threading.Event | None = None, seat: int | None = None
    ) -> Iterator[Info]:
        """Stream the infos of a search until the limits are reached or ``stop`` is set.

        In a game with secrets the engine sees what ``seat`` (by default the one to act) may know and no more. Raises
        ``IllegalMove`` when the game is over or a die is to roll.
        """
        yield from self.think(self._task(position, limits, stop, seat))

    def _task(self, position: Position, limits: Limits, stop: threading.Event | None, seat: int | None) -> Task:
        """Return a question as a task, with nothing but what the seat may know; raises as :meth:`analyse` does."""
        began = time.perf_counter()
        turn = position.turn
        if turn is None:
            raise IllegalMove(text("core.analyse-over"))
        if turn == CHANCE:
            raise IllegalMove(text("core.analyse-die"))
        asking = turn if seat is None else seat
        hidden = self.game.hidden
        return Task(
            position=position.seen_by(asking) if hidden else position,
            seat=asking,
            limits=limits,
            level=FULL if limits.level is None else level_of(self.game, limits.level),
            moves=position.moves_seen_by(asking) if hidden else [],
            stop=stop or threading.Event(),
            began=began,
        )

    def search(
        self, position: Position, limits: Limits, stop: threading.Event | None = None, seat: int | None = None
    ) -> Info:
        """Return the answer: the last info of :meth:`analyse`."""
        found = last_info(self.analyse(position, limits, stop, seat))
        if found is None:
            raise ValueError(f"the engine {self.name} yields no info")
        return found

    def choose(
        self, position: Position, limits: Limits, stop: threading.Event | None = None, seat: int | None = None
    ) -> Move:
        """Return the move to make, within the limits; at once when there is only one."""
        turn = position.turn
        if seat is not None and turn is not None and seat != turn:
            raise IllegalMove(text("core.analyse-not-to-act", seat=seat))
        legal = position.legal_moves
        if len(legal) == 1 and turn != CHANCE:
            return legal[0]
        return position.find(self.search(position, limits, stop, seat).move)

    def interrupt(self, position: Position, limits: Limits, seat: int) -> Move | None:
        """Return the move that a seat makes out of turn now, ``None`` if it makes none, as nearly always.

        The seat to act is asked as well, before the others: what they may do out of turn it may do first.
        """
        return None

    def appraise(
        self, position: Position, move: Move, limits: Limits, stop: threading.Event | None = None
    ) -> Appraisal:
        """Compare a move that a seat makes, in turn or out of it, with the best one, by what the seat may know.

        ``limits`` are for each search. An engine that values all moves at once does this better than the default, which
        searches the position and what follows after the move.
        """
        seat = position.mover(move)
        info = self.search(position, limits, stop, seat)
        line = info.lines[0]
        if info.move == move.text:
            return Appraisal(line, info.scores, info.scores)
        after = position.copy()
        after.push(move)
        played = self._expected(after, limits, stop, seat)
        if played[seat] < info.scores[seat]:
            return Appraisal(line, info.scores, played)
        return Appraisal((move.text,), played, played)

    def _expected(
        self, position: Position, limits: Limits, stop: threading.Event | None, seat: int
    ) -> tuple[float, ...]:
        """Return the scores of a position, the mean over some outcomes where chance is to act."""
        outcome = position.outcome()
        if outcome is not None:
            return result_scores(outcome.winners, position.variant.seats)
        if position.turn != CHANCE:
            return self.search(position, limits, stop, seat).scores
        totals, weights = [0.0] * position.variant.seats, 0
        for move, weight in spread(position.chance_outcomes(), MOST_OUTCOMES):
            after = position.copy()
            after.push(move)
            scores = self._expected(after, limits, stop, seat)
            totals = [total + weight * score for total, score in zip(totals, scores, strict=True)]
            weights += weight
        return tuple(total / weights for total in totals)

    def forget(self) -> None:  # noqa: B027 (most have nothing to forget)
        """Drop what earlier searches found, as before another game."""

    def close(self) -> None:  # noqa: B027 (most have started nothing)
        """End the processes that it has started."""
