"""Moving: a move is checked by seat, time and rules, then made; dice roll by themselves."""

import secrets
from collections.abc import Iterator, Sequence

from triskele.core.contract import CHANCE
from triskele.core.errors import IllegalMove
from triskele.core.moves import Move
from triskele.core.scene import Scene
from triskele.server.entry import MOVE, SEED, Entry
from triskele.server.refusal import Refusal
from triskele.server.table import Table
from triskele.server.tables import Happening, now


def check_seat(table: Table, visitor: str | None, seat: int) -> None:
    """Refuse unless a visitor holds a seat."""
    if not 0 <= seat < len(table.seats) or visitor is None or visitor not in table.seats[seat].holders:
        raise Refusal("seat")


def check_on(table: Table) -> None:
    """Refuse unless the game is on."""
    if table.turn is None:
        raise Refusal("over")


def own_interrupts(table: Table, seat: int) -> list[Move]:
    """Return what a seat may do out of turn."""
    position = table.position
    return [move for move in position.interrupts if position.interrupt_owner(move) == seat]


def move(table: Table, seat: int, written: str, at: int) -> Happening:
    """Decide on a move of a seat, given as its text; ``at`` is how many moves its maker knew of."""
    check_on(table)
    if any(move.text == written for move in own_interrupts(table, seat)):
        if at > table.moves:
            raise Refusal("stale")
    elif at != table.moves:
        raise Refusal("stale")
    elif table.turn != seat:
        raise Refusal("turn")  # and not a word about the move: reasons are for the one to act
    else:
        _check_legal(table, written)
    return Happening(_moved(table, seat, written))


def _check_legal(table: Table, written: str) -> None:
    try:
        found = table.position.find(written)
    except IllegalMove as error:
        raise Refusal("illegal", error.text) from None
    if table.position.mover(found) != table.turn:
        raise Refusal("turn")


def _moved(table: Table, seat: int, written: str) -> Iterator[Entry]:
    yield table.entry(MOVE, seat, written, now())
    yield from rolls(table)


# --- dice -----------------------------------------------------------------------------------------


def rolls(table: Table) -> Iterator[Entry]:
    """Roll as long as a die is to roll. The first roll of a game waits for seeds: see :func:`seeded`."""
    while table.turn == CHANCE and (table.rolls > 0 or seeded(table)):
        yield roll(table)


def roll(table: Table) -> Entry:
    """Return the roll that is due."""
    if table.dice is None:  # a game that was begun elsewhere: its dice are not ours to prove
        text = secrets.choice(table.position.legal_moves).text
    else:
        text = str(table.dice.dice.roll(table.rolls))
    return table.entry(MOVE, CHANCE, text, now())


def seeded(table: Table) -> bool:
    """Whether every person has given a seed for the dice."""
    if table.dice is None:
        return True
    return all(table.dice.dice.seeds[seat] is not None for seat in table.persons())


def first_roll(table: Table) -> Happening:
    """Decide on the first roll, with the seeds there are."""
    if table.turn != CHANCE:
        return Happening(iter(()))
    return Happening(_first_roll(table))


def _first_roll(table: Table) -> Iterator[Entry]:
    yield roll(table)
    yield from rolls(table)


def seed(table: Table, seat: int, given: str) -> Happening:
    """Decide on a seat's seed for the dice."""
    check_on(table)
    if table.dice is None:
        raise Refusal("no-dice")
    trial = type(table.dice)(len(table.seats), seeds=table.dice.dice.seeds, closed=table.dice.closed)
    trial.give(seat, given)  # refuses what cannot be
    return Happening(_seeded(table, seat, given))


def _seeded(table: Table, seat: int, given: str) -> Iterator[Entry]:
    yield table.entry(SEED, seat, given, now())
    yield from rolls(table)


# --- half-entered moves ---------------------------------------------------------------------------


def complete(table: Table, seat: int, tokens: Sequence[str], language: str, foresee: bool = False) -> dict[str, object]:
    """Say what a half-entered move of a seat can become: see :meth:`Position.complete`.

    With ``foresee`` a whole move comes with the scene after it, but not in a game with secrets: what a move
    brings to light is known only when it is made.
    """
    check_on(table)
    position, entered = table.position, tuple(tokens)
    moves = [*(position.legal_moves if table.turn == seat else []), *own_interrupts(table, seat)]
    following: set[str] = set()
    for candidate in moves:
        for spelling in candidate.spellings:
            if spelling == entered:
                note = position.note(candidate, language) if table.turn == seat else ""
                ahead = {"scene": _after(table, candidate, seat, language)} if foresee and not table.hidden else {}
                return {"move": candidate.text, "note": note, **ahead}
            if spelling[: len(entered)] == entered:
                following.add(spelling[len(entered)])
    if following:
        return {"next": sorted(following)}
    if table.turn != seat:
        raise Refusal("turn")
    return {"reason": position.complete(entered, language).reason or str(Refusal("turn"))}


def _after(table: Table, candidate: Move, seat: int, language: str) -> Scene:
    """Return how a seat would see the position after a move."""
    position = table.position.copy()
    position.push(candidate)
    return position.scene(seat, language)
