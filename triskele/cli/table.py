"""A table at one terminal: the position, who sits where, the dice and the record."""

import hashlib
import random
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from triskele.cli.move_input import find_move
from triskele.cli.seats import PERSON, RANDOM, EngineSeats
from triskele.core.contract import CHANCE
from triskele.core.dice import DiceBox, random_seed
from triskele.core.errors import TriskeleError
from triskele.core.game import Variant
from triskele.core.moves import Move, Outcome
from triskele.core.position import Position
from triskele.core.record_parts import RESIGN, Ended, Resigned, final_outcome
from triskele.core.records import SPECTATOR, Record
from triskele.core.variations import Annotation, Line, annotations_along
from triskele.core.words import text

STAND_IN_LEVEL = 5
"""The level of the engine that plays on for a seat that gave up."""


class Refused(TriskeleError):
    """Raised when something cannot be done at this table now; nothing has changed."""


class Table:
    """A game between people at one terminal, engines and random movers.

    ``occupants`` has one entry a seat, as :func:`~triskele.cli.seats.parse_seats` returns them. Moves go through
    :meth:`push`, which notes the time that each took. Games with chance need ``dice``.
    """

    def __init__(
        self,
        position: Position,
        occupants: Sequence[str],
        dice: DiceBox | None = None,
        times: Sequence[int | None] = (),
        date: str | None = "now",
        resigned: Sequence[Resigned] = (),
        line: Line | None = None,
    ) -> None:
        """Begin at a position that was reached from the start of the game; some seats may have given up before.

        ``line`` are its moves with what is said about them, which the record keeps as far as they stand.
        """
        self.position = position
        self.occupants = tuple(occupants)
        self.engines = EngineSeats(position.variant.game, self.occupants)
        self.dice = dice
        self._times = list(times) or [None] * len(position.moves)
        self._date = date
        self._clock = time.monotonic()
        self.resigned = list(resigned)
        self._line = line or Line()
        self.ended: Ended | None = None

    @property
    def variant(self) -> Variant:
        """The game and its options."""
        return self.position.variant

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, kind in enumerate(self.occupants) if kind == PERSON]

    @property
    def over(self) -> bool:
        """Whether the game is over, by its rules or otherwise."""
        return self.ended is not None or self.position.turn is None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or otherwise; those who gave up count as last."""
        reached = self.position.outcome() if self.ended is None else self.ended.outcome(self.variant.seats)
        return final_outcome(reached, self.ended, self.resigned)

    @property
    def has_private_views(self) -> bool:
        """Whether people share the screen and may not see each other's secrets."""
        return self.variant.game.hidden and len(self.people) > 1

    def push(self, move: Move | str) -> None:
        """Make a move. ``IllegalMove`` says why not."""
        now = time.monotonic()
        self.position.push(move)
        self._times.append(round(1000 * (now - self._clock)))
        self._clock = now

    def last_move(self, seat: int | None) -> tuple[int, str]:
        """Return who made the last move, and its text as a seat (``None``: a spectator) may see it."""
        return self.position.movers[-1], self.position.moves_seen_by(seat)[-1]

    # --- moves that nobody enters --------------------------------------------------------------

    def automatic_move(self, rng: random.Random) -> Move | None:
        """Return the move that chance, an engine or a random mover makes now; ``None`` when a person is to act.

        ``EngineFailure`` when an engine's program crashes, hangs or plays an illegal move.
        """
        position = self.position
        turn = position.turn
        if turn is None or self.ended is not None:
            return None
        for seat in self._clockwise_from(turn) if position.interrupts else ():
            engine = seat in self.engines.seats
            interrupt = (self.engines.interrupt if engine else random_interrupt)(position, seat, rng)
            if interrupt is not None:
                return interrupt
        if turn == CHANCE:
            assert self.dice is not None  # a table of a game with chance has them
            return position.find(self.dice.roll(position))
        if turn in self.engines.seats:
            return self.engines.move(position, turn, rng)
        return random_move(position, turn, rng) if self.occupants[turn] == RANDOM else None

    def _clockwise_from(self, turn: int) -> list[int]:
        """Return the seats without a person in the order in which they may interrupt: after the seat to act."""
        seats = len(self.occupants)
        order = [(max(turn, 0) + step) % seats for step in range(seats)]
        return [seat for seat in order if seat != turn and self.occupants[seat] != PERSON]

    # --- giving up -------------------------------------------------------------------------------

    def resign(self, seat: int) -> None:
        """Let a person give up: with two the other wins; with more the game goes on while several have not given up.

        By the rules the seat is out then, or an engine plays on for it and it counts as last.
        """
        if self.over:
            raise Refused(text("cli.resign-over"))
        move = self.position.resignation(seat)
        if move is not None:
            self.push(move)
            return
        gone = {each.seat for each in self.resigned}
        staying = [other for other in range(self.variant.seats) if other != seat and other not in gone]
        if self.variant.seats > 2 and len(staying) > 1:
            self.resigned.append(Resigned(seat, len(self.position.moves), STAND_IN_LEVEL))
            stand_in = f"triskele:level={STAND_IN_LEVEL}"
            self.occupants = tuple(stand_in if n == seat else kind for n, kind in enumerate(self.occupants))
            self.engines.close()
            self.engines = EngineSeats(self.variant.game, self.occupants)
            return
        self.ended = Ended(RESIGN, seat)
        self.position.disclose()

    # --- undo ----------------------------------------------------------------------------------

    def undo(self) -> list[Move]:
        """Undo to the last decision of a person, and return the moves taken back, last first.

        ``Refused`` when there is none, when it could reveal a secret, or when the dice are disclosed. Rolls stay
        the same when they are made again: they are fixed for the whole game.
        """
        if self.variant.game.hidden:
            # What a challenge or a claim revealed cannot be taken back.
            raise Refused(text("cli.undo-secrets"))
        if self.over and self.dice is not None:
            raise Refused(text("cli.undo-disclosed"))
        if self.ended is not None:
            raise Refused(text("cli.resign-over"))
        made = self.position.movers
        last = max((number for number, mover in enumerate(made) if mover in self.people), default=None)
        if last is None:
            raise Refused(text("cli.undo-nothing"))
        taken = [self.position.pop() for _ in made[last:]]
        del self._times[last:]
        self.resigned = [replace(each, at=min(each.at, last)) for each in self.resigned]
        return taken

    # --- the record ----------------------------------------------------------------------------

    def record(self) -> Record:
        """Return the record as a spectator may see it: without secrets while the game goes on, with them after."""
        record = Record.of(
            self.position,
            seats=self.occupants,
            date=self._date,
            times=self._times,
            dice=None if self.dice is None else self.dice.block(),
            viewer=SPECTATOR,
            ended=self.ended,
            resigned=self.resigned,
            # While a game with secrets is on, a variation may tell them.
            annotations=() if self.variant.game.hidden and not self.over else self.annotations,
        )
        self._date = record.date
        return self.dice.disclose(record) if self.dice is not None and self.over else record

    @property
    def annotations(self) -> tuple[Annotation, ...]:
        """What is said about the moves that still stand."""
        return annotations_along(self._line, [move.text for move in self.position.moves])


def new_table(variant: Variant, occupants: Sequence[str], rng: random.Random, repeatable: bool) -> Table:
    """Return a table at the start of a game. ``repeatable`` dice are drawn from ``rng``, so they prove nothing."""
    dice = None
    if variant.game.chance:
        secret = hashlib.sha256(rng.randbytes(32)).digest() if repeatable else None
        name = rng.randbytes(8).hex() if repeatable else None
        dice = DiceBox(variant.seats, faces=variant.game.die, secret=secret, id=name)
    return Table(Position(variant), occupants, dice)


def contribution(rng: random.Random, repeatable: bool) -> str:
    """Return a seed for the dice, for a player who does not enter one."""
    return rng.randbytes(16).hex() if repeatable else random_seed()


# --- random movers ----------------------------------------------------------------------------------


def _policy(position: Position, seat: int, rng: random.Random) -> tuple[Move | None, int]:
    """Return a rollout move drawn from what a seat knows (``None`` if it is not legal), and the number of choices."""
    rules = position.variant.rules
    state = position.seen_by(seat).state
    moves = np.zeros(position.variant.moves_limit, dtype=np.int64)
    choices = int(rules.rollout_count(state, moves))
    if choices == 0:
        return None, 0
    move = position.variant.move(int(rules.rollout_nth(state, moves, rng.randrange(choices))))
    # A move that a seat believes in may be illegal in truth, or a claim of another seat.
    possible = find_move(position, move.text) is not None and position.mover(move) == seat
    return (move if possible else None), choices


def random_move(position: Position, seat: int, rng: random.Random) -> Move:
    """Return a random move of the seat to act, drawn from what that seat knows."""
    move, _ = _policy(position, seat, rng)
    return rng.choice(position.legal_moves) if move is None else move


def random_interrupt(position: Position, seat: int, rng: random.Random) -> Move | None:
    """Return the interrupt of a seat not to act where it is the only rollout move, else ``None``."""
    if not any(position.mover(move) == seat for move in position.interrupts):
        return None
    move, choices = _policy(position, seat, rng)
    return move if choices == 1 else None
