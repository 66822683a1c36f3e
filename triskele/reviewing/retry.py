"""Try again: a decision that was a mistake becomes a puzzle at once. A try is right if it is good enough."""

from dataclasses import dataclass

from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Limits
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.moves import Move
from triskele.core.numbers import percent
from triskele.core.position import Position
from triskele.core.records import Record
from triskele.core.words import Text, text
from triskele.reviewing.formulas import GRADES, INACCURACY
from triskele.reviewing.review import check_reviewable
from triskele.reviewing.valuation import valuer_of


@dataclass(frozen=True)
class Retry:
    """What has become of a try: ``solved``, ``wrong`` or ``refused`` (not legal), and what is said to it.

    ``position`` is the one before the try, ``seat`` whose decision it is, ``shown`` the moves from there on: the try,
    and what the other side answers to a wrong one.
    """

    status: str
    position: Position
    seat: int
    shown: tuple[Move, ...] = ()
    text: Text | None = None


def decision_at(record: Record, number: int) -> tuple[Position, int]:
    """Return the position before move ``number`` (from 1), and the seat that decided; ``RecordError`` for a roll."""
    check_reviewable(record)
    if not 1 <= number <= len(record.moves) or record.moves[number - 1].seat == CHANCE:
        raise RecordError(text("reviewing.no-decision", number=number))
    position = Position(record.variant)
    for move in record.moves[: number - 1]:
        position.push(move.text)
    return position, record.moves[number - 1].seat


def judge_retry(record: Record, number: int, written: str | None, limits: Limits | None = None) -> Retry:
    """Judge a try at the decision of move ``number``; without a try, return the position to decide in.

    It is judged as a review judges it: right is what loses less of the winning chance than an inaccuracy.
    """
    position, seat = decision_at(record, number)
    if written is None:
        return Retry("going", position, seat)
    try:
        move = position.find(written)
    except IllegalMove as error:
        return Retry("refused", position, seat, text=error.text)
    if position.mover(move) != seat:
        return Retry("refused", position, seat, text=text("core.move-unknown", move=written[:60], legal=""))
    valuer = valuer_of(record.variant, limits)
    valuer.get_ready()
    value = valuer.value(position, move)
    after = position.copy()
    after.push(move)
    if value is None:  # there is no other move
        return Retry("solved", position, seat, (move,))
    reply = None
    if value.played is not None:
        kept = value.played[seat]
    else:
        reply = valuer.value(after, None)
        kept = value.chances[seat] if reply is None else reply.chances[seat]
    before = value.chances[seat]
    is_best = bool(value.line) and value.line[0] == move.text
    if is_best or before - kept < GRADES[INACCURACY]:
        words = text("reviewing.try-right", move=move.text, after=percent(kept, 0))
        return Retry("solved", position, seat, (move,), words)
    answer = (after.find(reply.line[0]),) if reply is not None and reply.line else ()
    words = text("reviewing.try-wrong", move=move.text, before=percent(before, 0), after=percent(kept, 0))
    return Retry("wrong", position, seat, (move, *answer), words)
