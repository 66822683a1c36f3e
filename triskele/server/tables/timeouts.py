"""Running out of time, leaving a live game, and coming back: what happens to the seat and to the game."""

from collections.abc import Iterator

from triskele.core.record_parts import CALLED_OFF, LEFT, TIME
from triskele.server.refusal import Refusal
from triskele.server.tables import entries
from triskele.server.tables.entries import Entry
from triskele.server.tables.moves import check_on, check_plays, rolls
from triskele.server.tables.offers import STAND_IN_LEVEL
from triskele.server.tables.service import Change, now
from triskele.server.tables.table import Table

MOST_RETURNS = 3
"""How often a player may take over again: each time they get some time, which must not become a way to gain it."""


def flag(table: Table, lag: int = 0) -> Change:
    """Decide on the clock that runs: when its time is up it falls, else nothing happens.

    Any process may try at any time: that a flag falls once, the log decides. ``lag`` is that of the player in
    milliseconds: a move that is on its way still counts.
    """
    seat, at = table.running, now()
    if seat is None or table.clock is None:
        return Change(iter(()))
    allowed = table.clock.lag_allowed(seat, lag, table.timekeeper.limits)
    # A clock that rests was told so late; the moment is tried again when it runs.
    if table.resting(seat, at) or table.spent(seat, at) < _left_until_flag(table, seat) + allowed:
        return Change(iter(()))
    if calls_off(table, seat):
        return Change(iter([table.entry(entries.END, None, CALLED_OFF, at)]))
    return _out(table, seat, TIME, at, lag)


def calls_off(table: Table, seat: int) -> bool:
    """Whether the game is called off if a seat does not make its first move in time.

    So it is in a live game of two persons: nobody has to win or lose what one of them did not begin.
    """
    if table.clock_control.pace != "live" or len(table.seats) != 2 or table.begun(seat):
        return False
    first, second = table.seats
    return first.person and second.person and first.holders.isdisjoint(second.holders)


def _left_until_flag(table: Table, seat: int) -> int:
    assert table.clock is not None
    return 0 if calls_off(table, seat) else table.clock.clock.left(seat)


def due(table: Table, horizon: int) -> int | None:
    """Return when the clock that runs will be out of time, as far as it is known; ``None`` if none runs."""
    seat = table.running
    if seat is None or table.clock is None:
        return None
    at = table.due(seat, horizon)
    return at - table.clock.clock.left(seat) if calls_off(table, seat) else at


def _out(table: Table, seat: int, why: str, at: int, lag: int = 0) -> Change:
    """Take a seat out of the game: with two seats it loses; else it is out by the rules, or an engine plays on."""
    kind = entries.TIMEOUT if why == TIME else entries.LEFT
    staying = [number for number, there in enumerate(table.seats) if number != seat and not there.gone]
    if len(table.seats) <= 2 or len(staying) <= 1:
        return Change(iter([table.entry(entries.END, seat, why, at, lag)]))
    if table.clock_control.out:
        move = table.position.resignation(seat)
        if move is not None:
            return Change(_then_rolls(table, table.entry(entries.MOVE, seat, move.text, at, lag)))
    return Change(_then_rolls(table, table.entry(kind, seat, str(STAND_IN_LEVEL), at, lag)))


def _then_rolls(table: Table, entry: Entry) -> Iterator[Entry]:
    yield entry
    yield from rolls(table)


def check_claim(table: Table, seat: int, absent: int | None) -> int:
    """Return the seat that a claim of another one is against: the one to act, in a live game, whose player left.

    ``absent`` says for how many milliseconds its player has not been connected; ``None`` if they are.
    """
    check_on(table)
    check_plays(table, seat)
    against = table.running
    if table.clock_control.pace != "live" or against is None or against == seat:
        raise Refusal("no-claim")
    if table.seats[against].holders & table.seats[seat].holders:
        raise Refusal("no-claim")
    if absent is None or absent < table.timekeeper.limits.claim:
        raise Refusal("claim-early")
    return against


def claim(table: Table, seat: int, engine: bool, absent: int | None) -> Change:
    """Decide on the claim of a seat that the player to act has left.

    With two seats it wins, unless it wants an ``engine`` to play on; with more the other seat is treated as one that
    ran out of time. Who has not made a first move yet has lost nothing: the game is called off.
    """
    against = check_claim(table, seat, absent)
    if calls_off(table, against):
        return Change(iter([table.entry(entries.END, None, CALLED_OFF, now())]))
    if engine:
        return Change(_then_rolls(table, table.entry(entries.LEFT, against, str(STAND_IN_LEVEL), now())))
    return _out(table, against, LEFT, now())


def come_back(table: Table, seat: int) -> Change:
    """Decide that the player of a seat that is played on takes it over again."""
    check_on(table)
    if table.seats[seat].resigned:
        raise Refusal("gave-up")
    if not table.seats[seat].away:
        raise Refusal("not-away")
    if table.seats[seat].returns >= MOST_RETURNS:
        raise Refusal("away-often")
    return Change(iter([table.entry(entries.BACK, seat, "", now())]))
