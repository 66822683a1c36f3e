"""The clocks of one game as it is played: they follow its moves, and what was charged for each decision.

A server's table and the replay of a record use the same steps, so that both have the same clocks.
"""

from triskele.core.clock import Clock
from triskele.core.contract import CHANCE
from triskele.core.position import Position
from triskele.core.time_control import DAY, SECOND, TimeControl

_BACK_LIVE = 10 * SECOND
_BACK_DAYS = DAY


class GameClock:
    """The clocks of a game. A seat's turn lasts until it is another seat's; replies within it do not end it.

    A period is whole again as soon as another seat has to decide; the increment comes when the turn is over.
    """

    def __init__(self, control: TimeControl, position: Position) -> None:
        """Begin at the start of a game."""
        self.control = control
        self.clock = Clock.start(control, position.variant.seats)
        self._before: list[tuple[Clock, int | None, int | None]] = []
        self._decider: int | None = None
        self._owner: int | None = None
        self.follow(position)

    def begin_move(self, decider: int | None, charged: int | None) -> None:
        """Charge the seat that had to decide until now, before a move is made (by it, or as an interrupt)."""
        self._before.append((self.clock, self._decider, self._owner))
        if charged is not None and decider is not None and decider != CHANCE:
            self.clock = self.clock.charge(decider, charged)

    def follow(self, position: Position) -> None:
        """Take over who has to decide now, after a move was made. Dice are nobody's turn."""
        turn = position.turn
        if turn is None or turn == CHANCE:
            return
        owner = position.turn_owner
        if self._owner is not None and self._owner != owner:
            self.clock = self.clock.end_turn(self._owner)
        if self._decider is not None and self._decider != turn:
            self.clock = self.clock.renew(self._decider)
        self._decider, self._owner = turn, owner

    def undo(self, moves: int) -> None:
        """Go back to the clocks as they were when so many moves were made."""
        if moves < len(self._before):
            self.clock, self._decider, self._owner = self._before[moves]
            del self._before[moves:]

    def run_out(self, seat: int) -> None:
        """Leave a seat without any time."""
        self.clock = self.clock.charge(seat, self.clock.left(seat))

    def come_back(self, seat: int) -> None:
        """Give a seat whose player comes back enough time to go on: a tenth of the main time, or a period.

        Who has more keeps it.
        """
        control = self.control
        least = _BACK_LIVE if control.pace == "live" else _BACK_DAYS
        again = self.clock.restore(seat, max(control.main // 10, control.increment, least))
        if again.left(seat) > self.clock.left(seat):
            self.clock = again
