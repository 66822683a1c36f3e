"""One game at one screen: the position, who sits where, the dice, and how it is kept."""

import hashlib
import random
import time
from collections.abc import Sequence

import numpy as np

from triskele.cli.entry import find
from triskele.cli.opponents import PERSON, RANDOM, Opponents
from triskele.core.contract import CHANCE
from triskele.core.dice import DiceBox, random_seed
from triskele.core.errors import TriskeleError
from triskele.core.game import Variant
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.records import SPECTATOR, Record
from triskele.core.words import text


class Refused(TriskeleError):
    """Something cannot be done at this table now; nothing has changed."""


class Table:
    """A game between people at one screen, engines and random movers.

    ``sitting`` has for each seat who sits there, as :func:`~triskele.cli.opponents.seat_people` reads it. Moves go
    through :meth:`push`, which keeps the time that each took. Chance games need ``dice``.
    """

    def __init__(
        self,
        position: Position,
        sitting: Sequence[str],
        dice: DiceBox | None = None,
        times: Sequence[int | None] = (),
        date: str | None = "now",
    ) -> None:
        """Sit down at a position that was reached from the start of the game."""
        self.position = position
        self.sitting = tuple(sitting)
        self.opponents = Opponents(position.variant.game, self.sitting)
        self.dice = dice
        self._times = list(times) or [None] * len(position.moves)
        self._date = date
        self._clock = time.monotonic()

    @property
    def variant(self) -> Variant:
        """The game and its options."""
        return self.position.variant

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, kind in enumerate(self.sitting) if kind == PERSON]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.position.turn is None

    @property
    def curtained(self) -> bool:
        """Whether people at this screen must not see what others see."""
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

        ``EngineFailure`` when an engine's program does not play as it must.
        """
        position = self.position
        turn = position.turn
        if turn is None:
            return None
        for seat in self._clockwise_from(turn) if position.interrupts else ():
            engine = seat in self.opponents.seats
            interrupt = (self.opponents.interrupt if engine else random_interrupt)(position, seat, rng)
            if interrupt is not None:
                return interrupt
        if turn == CHANCE:
            assert self.dice is not None  # a table of a chance game has them
            return position.find(self.dice.roll(position))
        if turn in self.opponents.seats:
            return self.opponents.move(position, turn, rng)
        return random_move(position, turn, rng) if self.sitting[turn] == RANDOM else None

    def _clockwise_from(self, turn: int) -> list[int]:
        """Return the seats that no person has, in the order in which they may interrupt: after the one to act."""
        seats = len(self.sitting)
        order = [(max(turn, 0) + step) % seats for step in range(seats)]
        return [seat for seat in order if seat != turn and self.sitting[seat] != PERSON]

    # --- taking back ---------------------------------------------------------------------------

    def undo(self) -> list[Move]:
        """Go back to the last decision of a person, and return the moves taken back, last first.

        ``Refused`` when there is none, when it could tell a secret, or when the dice lie open. Rolls
        come again as they were: they are fixed for the whole game.
        """
        if self.variant.game.hidden:
            # What a challenge or a claim brought to light cannot be forgotten again.
            raise Refused(text("cli.undo-secrets"))
        if self.over and self.dice is not None:
            raise Refused(text("cli.undo-disclosed"))
        made = self.position.movers
        last = max((number for number, mover in enumerate(made) if mover in self.people), default=None)
        if last is None:
            raise Refused(text("cli.undo-nothing"))
        taken = [self.position.pop() for _ in made[last:]]
        del self._times[last:]
        return taken

    # --- the record ----------------------------------------------------------------------------

    def record(self) -> Record:
        """Return the game as everyone may know it: without secrets while it goes on, with all of them after."""
        record = Record.of(
            self.position,
            seats=self.sitting,
            date=self._date,
            times=self._times,
            dice=None if self.dice is None else self.dice.block(),
            viewer=SPECTATOR,
        )
        self._date = record.date
        return self.dice.disclose(record) if self.dice is not None and self.over else record


def new_table(variant: Variant, sitting: Sequence[str], rng: random.Random, repeatable: bool) -> Table:
    """Return a table at the start of a game. ``repeatable`` dice follow from ``rng`` and prove nothing."""
    dice = None
    if variant.game.chance:
        secret = hashlib.sha256(rng.randbytes(32)).digest() if repeatable else None
        dice = DiceBox(variant.seats, secret=secret, id=rng.randbytes(8).hex() if repeatable else None)
    return Table(Position(variant), sitting, dice)


def contribution(rng: random.Random, repeatable: bool) -> str:
    """Return a seed for the dice, for a player who does not enter one."""
    return rng.randbytes(16).hex() if repeatable else random_seed()


# --- random movers ----------------------------------------------------------------------------------


def _policy(position: Position, seat: int, rng: random.Random) -> tuple[Move | None, int]:
    """Return a move of random play by what a seat knows, and among how many it was chosen."""
    rules = position.variant.rules
    state = position.seen_by(seat).state
    moves = np.zeros(position.variant.moves_limit, dtype=np.int64)
    choices = int(rules.rollout_count(state, moves))
    if choices == 0:
        return None, 0
    move = position.variant.move(int(rules.rollout_nth(state, moves, rng.randrange(choices))))
    # By what a seat knows, a move may seem possible that is not, or be a claim in the name of another.
    possible = find(position, move.text) is not None and position.mover(move) == seat
    return (move if possible else None), choices


def random_move(position: Position, seat: int, rng: random.Random) -> Move:
    """Return a random move of the seat to act; it uses nothing that the seat does not know."""
    move, _ = _policy(position, seat, rng)
    return rng.choice(position.legal_moves) if move is None else move


def random_interrupt(position: Position, seat: int, rng: random.Random) -> Move | None:
    """Return an interrupt that random play would not miss (it is the only choice) for a seat not to act."""
    if not any(position.mover(move) == seat for move in position.interrupts):
        return None
    move, choices = _policy(position, seat, rng)
    return move if choices == 1 else None
