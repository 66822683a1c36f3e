"""The clocks of a recorded game: computed again from what the record says was charged."""

from collections import deque
from collections.abc import Iterator

from triskele.core.clock import Clock
from triskele.core.game_clock import GameClock
from triskele.core.record_parts import TIME
from triskele.core.records import Record


def clocks(record: Record) -> Iterator[Clock]:
    """Yield the clocks at the start of a game and after each move; nothing for a record without a clock.

    ``RecordError`` if the moves cannot be replayed.
    """
    if not record.clock:
        return
    following: GameClock | None = None
    decider: int | None = None
    for number, position in enumerate(record.positions()):
        if following is None:
            following = GameClock(record.clock, position)
        else:
            following.begin_move(decider, record.moves[number - 1].charged)
            following.follow(position)
        _step_aside(following, record, number)
        decider = position.turn
        yield following.clock


def final_clock(record: Record) -> Clock | None:
    """Return the clocks at the end of a record; ``None`` without any, or if it tells only what a viewer saw."""
    if not record.clock or record.viewer is not None:
        return None
    last = deque(clocks(record), maxlen=1)[0]
    ended = record.ended
    if ended is not None and ended.kind == TIME and ended.seat is not None:
        return last.charge(ended.seat, last.left(ended.seat))
    return last


def _step_aside(following: GameClock, record: Record, moves: int) -> None:
    """Let seats run out of time or come back that did so when so many moves were made."""
    for each in record.resigned:
        if each.at == moves and each.why == TIME:
            following.run_out(each.seat)
        if each.until == moves:
            following.come_back(each.seat)
