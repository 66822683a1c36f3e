"""Moves at a table: checked by seat, number of moves and rules; the server rolls the dice."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from triskele.core.completion import completed
from triskele.core.contract import CHANCE
from triskele.core.errors import IllegalMove
from triskele.core.moves import Completion, Move
from triskele.core.position import Position
from triskele.core.scene import Scene
from triskele.server.refusal import Refusal
from triskele.server.tables.entries import HINT, MOVE, SEED, Entry
from triskele.server.tables.service import Change, now
from triskele.server.tables.table import Table


def check_seat(table: Table, visitor: str | None, seat: int) -> None:
    """Refuse unless a visitor holds a seat."""
    if not 0 <= seat < len(table.seats) or visitor is None or visitor not in table.seats[seat].holders:
        raise Refusal("seat")


def check_plays(table: Table, seat: int) -> None:
    """Refuse unless the player of a seat is still in the game: somebody who gave up or is away only watches."""
    if table.seats[seat].resigned:
        raise Refusal("gave-up")
    if table.seats[seat].away:
        raise Refusal("away")


def check_on(table: Table) -> None:
    """Refuse unless the game is on."""
    if table.turn is None:
        raise Refusal("over")


def move(table: Table, seat: int, written: str, at: int, lag: int = 0) -> Change:
    """Decide on a move of a seat, given as its text; ``at`` is the number of moves that the player had seen.

    ``lag`` is how many milliseconds a message to the player and back takes.
    """
    check_on(table)
    if any(move.text == written for move in table.interrupts_of(seat)):
        if at > table.moves:
            raise Refusal("stale")
    elif at != table.moves:
        raise Refusal("stale")
    elif table.turn != seat:
        raise Refusal("turn")  # without a reason about the move: reasons are for the seat to act
    else:
        _check_legal(table, written)
    return Change(_move_and_rolls(table, seat, written, lag if seat == table.turn else 0))


def move_of_person(table: Table, seat: int, written: str, at: int, lag: int = 0) -> Change:
    """Decide on a move of a seat, unless its player has given up or is away."""
    check_plays(table, seat)
    return move(table, seat, written, at, lag)


def _check_legal(table: Table, written: str) -> None:
    try:
        found = table.position.find(written)
    except IllegalMove as error:
        raise Refusal("illegal", error.text) from None
    if table.position.mover(found) != table.turn:
        raise Refusal("turn")


def _move_and_rolls(table: Table, seat: int, written: str, lag: int) -> Iterator[Entry]:
    yield table.entry(MOVE, seat, written, now(), lag)
    yield from rolls(table)


# --- dice -----------------------------------------------------------------------------------------


def rolls(table: Table) -> Iterator[Entry]:
    """Roll as long as a die is to roll. The first roll of a game waits for seeds: see :func:`seeded`."""
    while table.turn == CHANCE and (table.rolls > 0 or seeded(table)):
        yield _roll(table)


def _roll(table: Table) -> Entry:
    if table.dice is not None:
        return table.entry(MOVE, CHANCE, table.dice.roll(table.position), now())
    # The game began elsewhere, from a record: its dice cannot be proved here.
    return table.entry(MOVE, CHANCE, table.position.draw(secrets.randbelow).text, now())


def seeded(table: Table) -> bool:
    """Whether every person has given a seed for the dice."""
    if table.dice is None:
        return True
    return all(table.dice.dice.seeds[seat] is not None for seat in table.persons())


def first_roll(table: Table) -> Change:
    """Decide on the first roll, with the seeds that were given."""
    if table.turn != CHANCE:
        return Change(iter(()))
    return Change(_first_roll(table))


def _first_roll(table: Table) -> Iterator[Entry]:
    yield _roll(table)
    yield from rolls(table)


def seed(table: Table, seat: int, given: str) -> Change:
    """Decide on a seat's seed for the dice."""
    check_on(table)
    check_plays(table, seat)
    if table.dice is None:
        raise Refusal("no-dice")
    trial = type(table.dice)(len(table.seats), seeds=table.dice.dice.seeds, closed=table.dice.closed)
    trial.give(seat, given)  # raises for a seed that is too late or not valid
    return Change(_seed_and_rolls(table, seat, given))


def _seed_and_rolls(table: Table, seat: int, given: str) -> Iterator[Entry]:
    yield table.entry(SEED, seat, given, now())
    yield from rolls(table)


def hinted(table: Table, seat: int) -> Change:
    """Decide on telling the others that a seat was given a hint."""
    return Change(iter([table.entry(HINT, seat, "", now())]))


# --- half-entered moves ---------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatCompletion:
    """What a half-entered move of a seat can become; for a whole move with a note, and the scene after it if asked.

    ``notes`` are those of the moves that one more token completes, by that token; ``ask`` is what is asked now.
    """

    completion: Completion
    note: str = ""
    scene: Scene | None = None
    notes: dict[str, str] = field(default_factory=dict)
    ask: str = ""


_MOST_NOTES = 12
"""With more tokens that can follow, their notes are not told ahead: it is one small answer."""


def complete(table: Table, seat: int, tokens: Sequence[str], language: str, preview: bool = False) -> SeatCompletion:
    """Complete a half-entered move of a seat, as :meth:`Position.complete` does for the seat to act.

    With ``preview`` a whole move comes with the scene after it, but not in a game with secrets: what a move
    reveals is told only when it is made.
    """
    check_on(table)
    check_plays(table, seat)
    position, entered = table.position, tuple(tokens)
    found = completed([*table.moves_of(seat), *table.interrupts_of(seat)], entered)
    if found is None:
        if table.turn != seat:
            raise Refusal("turn")
        # No reason: the tokens are another seat's interrupt.
        refused = position.complete(entered, language)
        return SeatCompletion(Completion(reason=refused.reason or str(Refusal("turn")), why=refused.why))
    if found.move is None:
        ask = position.ask_after(entered, language) if table.turn == seat and entered else ""
        notes = next_notes(position, table.moves_of(seat), entered, found.next, language) if table.turn == seat else {}
        return SeatCompletion(found, notes=notes, ask=ask)
    note = position.note(found.move, language) if table.turn == seat else ""
    scene = _scene_after(table, found.move, seat, language) if preview and not table.hidden else None
    return SeatCompletion(found, note, scene)


def next_notes(
    position: Position, moves: Sequence[Move], entered: tuple[str, ...], following: Sequence[str], language: str
) -> dict[str, str]:
    """Return the notes of the moves that one more token completes, by token: what to know while choosing how many.

    ``moves`` are those of the seat to act, ``following`` the tokens that can follow those entered.
    """
    if len(following) > _MOST_NOTES:
        return {}
    whole = {token: completed(moves, (*entered, token)) for token in following}
    found = {token: one.move for token, one in whole.items() if one is not None and one.move is not None}
    notes = {token: position.note(move, language) for token, move in found.items()}
    return {token: note for token, note in notes.items() if note}


def _scene_after(table: Table, move: Move, seat: int, language: str) -> Scene:
    position = table.position.copy()
    position.push(move)
    return position.scene(seat, language)
