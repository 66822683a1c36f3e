"""Referee one game between engines, from the first move to the end, whatever the engines do.

An engine that crashes, hangs or plays an illegal move loses the game: it gets nothing, and the others share the win.
Built-in engines think in a thread that is abandoned when it does not answer. Such a thread may still run, so the worker
pool replaces a process that has one (:func:`has_abandoned_thread`).
"""

import contextlib
import ctypes
import math
import queue
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from triskele.arena.contestants import Contestant, seconds_allowed, seed_of
from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Engine, Info, Limits, last_info
from triskele.core.game import Variant
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import say, text
from triskele.engines.external import (
    CRASH,
    HANG,
    ILLEGAL,
    LOAD_SECONDS,
    PATIENCE,
    UNTIMED_SECONDS,
    EngineFailure,
    External,
)

CUT_OFF = "limit"
"""The reason of a game that was cut off at the limit of plies; it counts as a draw."""

LATE_PART, LATE_SECONDS = 0.05, 0.05
"""An answer is late when it takes longer than its time, plus this part of it, plus these seconds."""


@dataclass(frozen=True)
class Terms:
    """The terms of a game: engines' limits, seconds of patience until an engine counts as hung, limit of plies."""

    limits: Limits = field(default_factory=Limits)
    patience: float = PATIENCE
    plies: int = 5000


@dataclass(frozen=True)
class Failure:
    """An engine failure that lost the game for its seat. ``why`` is for developers, in English.

    ``last_words`` are the last lines that a program wrote to standard error, or a traceback.
    """

    seat: int
    kind: str
    why: str
    last_words: str = ""


@dataclass(frozen=True)
class Step:
    """One move of a game: ``info`` is what its engine said about it, ``drawn`` whether it was random."""

    position: Position
    seat: int
    move: Move
    info: Info | None
    drawn: bool


Watch = Callable[[Step], None]
"""Called before each move, with the position that it is made in."""


@dataclass(frozen=True)
class Played:
    """A finished game. ``shares`` is the part of the win of each seat: they add up to 1."""

    moves: tuple[str, ...]
    winners: tuple[int, ...]
    scores: tuple[float, ...]
    shares: tuple[float, ...]
    reason: str
    seconds: tuple[float, ...]
    late: tuple[int, ...]
    failure: Failure | None = None


def shares_of(winners: Sequence[int], seats: int) -> tuple[float, ...]:
    """Return each seat's share of the win: winners share 1, in a draw all seats do."""
    sharing = winners or range(seats)
    return tuple(1.0 / len(sharing) if seat in sharing else 0.0 for seat in range(seats))


# --- one engine -----------------------------------------------------------------------------------

_abandoned_thread = False


def has_abandoned_thread() -> bool:
    """Return whether an engine's thread was abandoned in this process and may still be using its time."""
    return _abandoned_thread


class _EngineThread:
    """A thread that runs one call at a time and can be abandoned."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="engine", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                result, error = call(), None
            except BaseException as caught:
                result, error = None, caught
            self._results.put((result, error))

    def run(self, call: Callable[[], Any], ask_to_stop: threading.Event, seconds: float, patience: float) -> Any:
        """Return what the call returns; ``TimeoutError`` if it neither ends in time nor when asked to stop."""
        self._calls.put(call)
        for wait in (seconds, patience):
            with contextlib.suppress(queue.Empty):
                result, error = self._results.get(timeout=wait)
                if error is not None:
                    raise error
                return result
            ask_to_stop.set()
        raise TimeoutError

    def close(self) -> None:
        self._calls.put(None)

    def abandon(self) -> None:
        """Raise ``SystemExit`` in the thread and wait a second. A loop in compiled code does not notice."""
        global _abandoned_thread  # noqa: PLW0603 (it is about the process)
        self._calls.put(None)
        number = self._thread.ident
        if number is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(number), ctypes.py_object(SystemExit))
        self._thread.join(1.0)
        _abandoned_thread = _abandoned_thread or self._thread.is_alive()


class Player:
    """A contestant's engine at one seat of one game, with the time it took."""

    def __init__(self, contestant: Contestant, variant: Variant, seat: int, terms: Terms) -> None:
        """Take the seat; :meth:`start` creates the engine."""
        self.contestant = contestant
        self.seat = seat
        self.seconds = 0.0
        self.late = 0
        self._variant = variant
        self._terms = terms
        self._limits = contestant.limits(terms.limits)
        self._allowed = seconds_allowed(variant.game, self._limits)
        self._engine: Engine | None = None
        self._thread: _EngineThread | None = None

    def start(self, seed: int, isolated: bool) -> None:
        """Create the engine and let it load what it needs; this time does not count."""
        game, patience = self._variant.game, self._terms.patience
        self._engine = self.contestant.create_engine(game, seed, isolated=isolated, patience=patience)
        if not isinstance(self._engine, External):
            self._thread = _EngineThread()
        self._call_engine(self._engine.get_ready, allowed=LOAD_SECONDS)

    def close(self) -> None:
        """End the engine, its process and its thread."""
        if self._engine is not None:
            self._engine.close()
        if self._thread is not None:
            self._thread.close()
        self._engine = None

    def choose(self, position: Position) -> tuple[Move, Info | None]:
        """Return the move to make and the engine's last info on it. ``EngineFailure`` if there is no legal one."""
        stop = threading.Event()
        engine, seat = self._engine, self.seat
        assert engine is not None
        asked = position.copy()
        legal = asked.legal_moves
        if len(legal) == 1:
            return legal[0], None

        def think() -> Info | None:
            return last_info(engine.analyse(asked, self._limits, stop, seat))

        began = time.perf_counter()
        info = self._call_engine(think, stop)
        taken = time.perf_counter() - began
        self.seconds += taken
        self.late += taken > self._allowed * (1 + LATE_PART) + LATE_SECONDS
        if info is None or not info.lines:
            raise EngineFailure(ILLEGAL, text("arena.engine-silent", engine=self.contestant.written))
        written = info.move
        move = next((found for found in legal if found.text == written), None)
        if move is None:
            shown = str(written)[:60]
            raise EngineFailure(ILLEGAL, text("arena.engine-illegal", engine=self.contestant.written, move=shown))
        return move, info

    def interrupt(self, position: Position) -> Move | None:
        """Return the interrupt that this player makes now, if it makes one."""
        engine, seat = self._engine, self.seat
        assert engine is not None
        asked = position.copy()
        move: Move | None = self._call_engine(lambda: engine.interrupt(asked, self._limits, seat))
        if move is None:
            return None
        for found in position.interrupts:
            if found.text == getattr(move, "text", None) and position.interrupt_owner(found) == seat:
                return found
        shown = str(move)[:60]
        raise EngineFailure(ILLEGAL, text("arena.engine-illegal", engine=self.contestant.written, move=shown))

    def _call_engine(
        self, call: Callable[[], Any], stop: threading.Event | None = None, allowed: float | None = None
    ) -> Any:
        """Return what an engine's call returns; anything it raises, and a timeout, becomes an ``EngineFailure``."""
        if allowed is None:
            allowed = UNTIMED_SECONDS if math.isinf(self._allowed) else self._allowed
        name = self.contestant.written
        try:
            if self._thread is None:
                return call()
            slack = allowed * LATE_PART + LATE_SECONDS
            return self._thread.run(call, stop or threading.Event(), allowed + slack, self._terms.patience)
        except EngineFailure:
            raise
        except TimeoutError:
            assert self._thread is not None
            self._thread.abandon()
            raise EngineFailure(HANG, text("arena.engine-hangs", engine=name)) from None
        except (Exception, SystemExit) as error:
            why = f"{type(error).__name__}: {error}"[:300]
            words = "".join(traceback.format_exception(error)).rstrip()
            raise EngineFailure(CRASH, text("arena.engine-raised", engine=name, why=why), words) from error


# --- the game -------------------------------------------------------------------------------------


class _Referee:
    """Plays one game: asks the engines, rolls the dice, and attributes failures to seats."""

    def __init__(
        self, variant: Variant, seated: Sequence[Contestant], terms: Terms, dice: Random, watch: Watch | None
    ) -> None:
        self.position = Position(variant)
        self.players = [Player(contestant, variant, seat, terms) for seat, contestant in enumerate(seated)]
        self._terms = terms
        self._dice = dice
        self._watch = watch
        self._owner = variant.game.notation.interrupt_owner
        self._asking = 0

    def start_players(self, seed: object, isolated: bool) -> None:
        for player in self.players:
            self._asking = player.seat
            player.start(seed_of(seed, player.seat), isolated)

    def open_with(self, moves: Sequence[str]) -> None:
        for written in moves:
            move = self.position.find(written)
            self._make(move, self.position.mover(move), None, drawn=True)

    def play_on(self) -> None:
        position = self.position
        while (turn := position.turn) is not None and len(position.moves) < self._terms.plies:
            if turn == CHANCE:
                self._make(position.draw(self._dice.randrange), CHANCE, None, drawn=True)
                continue
            self._asking = turn
            move, info = self.players[turn].choose(position)
            before = self._interruption(turn, move)
            if before is None:
                self._make(move, turn, info, drawn=False)
            else:
                self._make(before, position.interrupt_owner(before), None, drawn=False)

    def _interruption(self, turn: int, move: Move) -> Move | None:
        """Ask the other seats clockwise for an interrupt; where ``move`` itself is one, the seat to act comes first."""
        position = self.position
        if not position.interrupts or self._owner is None:
            return None
        if self._owner(position.variant.options, move.code) is not None:
            return None
        seats = len(self.players)
        for step in range(1, seats):
            self._asking = (turn + step) % seats
            if any(position.interrupt_owner(found) == self._asking for found in position.interrupts):
                interrupt = self.players[self._asking].interrupt(position)
                if interrupt is not None:
                    return interrupt
        return None

    def _make(self, move: Move, seat: int, info: Info | None, *, drawn: bool) -> None:
        if self._watch is not None:
            self._watch(Step(self.position, seat, move, info, drawn))
        self.position.push(move)

    def failed(self, error: EngineFailure) -> Failure:
        return Failure(self._asking, error.kind, say(error.text)[:500], error.last_words)

    def result(self, failure: Failure | None) -> Played:
        position, seats = self.position, len(self.players)
        outcome = position.outcome()
        winners: tuple[int, ...] = ()
        scores = (0.0,) * seats
        reason = CUT_OFF
        shares = shares_of((), seats)
        if failure is not None:
            reason = failure.kind
            winners = tuple(seat for seat in range(seats) if seat != failure.seat)
            shares = shares_of(winners, seats) if winners else (0.0,)
        elif outcome is not None:
            winners, scores, reason = outcome.winners, outcome.scores, outcome.reason
            shares = shares_of(winners, seats)
        return Played(
            moves=tuple(move.text for move in position.moves),
            winners=winners,
            scores=scores,
            shares=shares,
            reason=reason,
            seconds=tuple(round(player.seconds, 4) for player in self.players),
            late=tuple(player.late for player in self.players),
            failure=failure,
        )


def play(
    variant: Variant,
    seated: Sequence[Contestant],
    terms: Terms,
    *,
    opening: Sequence[str] = (),
    dice: Random | None = None,
    seed: object = 0,
    isolated: bool = False,
    watch: Watch | None = None,
) -> Played:
    """Play one game. Never raises because of an engine, and leaves no process behind.

    ``seed`` goes into the engines' own seeds; ``isolated`` gives each engine a process of its own; ``watch`` is called
    before each move.
    """
    referee = _Referee(variant, seated, terms, dice or Random(0), watch)
    failure = None
    try:
        referee.open_with(opening)
        referee.start_players(seed, isolated)
        referee.play_on()
    except EngineFailure as error:
        failure = referee.failed(error)
    finally:
        for player in referee.players:
            player.close()
    return referee.result(failure)
