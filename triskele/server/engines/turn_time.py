"""Time for a turn: an engine divides it among the decisions of the turn."""

from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Limits, allowed_seconds, level_of
from triskele.server.tables.table import Table

LEAST = 0.002
"""Seconds that a decision gets even when the time of its turn is used up: enough for a first answer."""
_FEWEST = 5
"""A decision never gets more than this part of what is left: there may always be some more to come."""

_THINKING = 0.9
"""The part of a turn's time for thinking. Asking a worker, refereeing and keeping its decisions take the rest: about
4 ms each, and a turn has had up to 26 of them (``benchmarks/turn_time.py conquest --level 10 --turns 40``)."""


def decision_seconds(table: Table, seat: int, seconds: float) -> float:
    """Return how long the engine at ``seat`` may think about its next decision; ``seconds`` are for a whole turn.

    In a game whose turns are of one decision or a few, each has all the time. Where they have many
    (``Game.turn_decisions``), those made in this turn have used some of it.
    """
    game = table.variant.game
    if game.turn_decisions <= 1:
        return seconds
    level = table.seats[seat].engine_level
    limits = Limits(seconds=seconds)
    whole = seconds if level is None else allowed_seconds(limits, level_of(game, level))
    used, made = _in_this_turn(table, seat)
    return max(LEAST, (_THINKING * whole - used) / max(_FEWEST, game.turn_decisions - made))


def _in_this_turn(table: Table, seat: int) -> tuple[float, int]:
    """Return the seconds and the number of the decisions that a seat has made in its turn so far.

    A single decision of another seat in between is a reply (a defence), and does not end the turn.
    """
    used, made, replies = 0.0, 0, 0
    for (_, mover), ms in zip(reversed(table.made), reversed(table.times), strict=True):
        if mover == CHANCE:
            continue
        if mover == seat:
            used, made, replies = used + ms / 1000, made + 1, 0
            continue
        replies += 1
        if replies > 1:
            break
    return used, made
