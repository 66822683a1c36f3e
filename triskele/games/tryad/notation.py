"""Texts of Tryad: moves, positions, and reasons.

A position is the cards, then what is asked. A card is its layout with a dot for every field that is
no longer covered, and an ``x`` behind it when its player is out. What is asked, with seats from 1::

    roll 2        seat 2 rolls (in bingo style just "roll": it counts for everyone)
    take 2 4      seat 2 takes fields that add up to 4
    off 3 1       roll-off: seat 3 rolls, seat 1 has rolled a 4 in this round of it ("-": nobody yet)
    end 1+3       over: seats 1 and 3 share ("-": nobody won, in practice)
"""

import re
from itertools import permutations

import numpy as np

from triskele.core.contract import State
from triskele.core.contract.texts import MOVE_TEXT
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.text_buffer import buffer_of, written
from triskele.core.words import Text, text
from triskele.games.tryad.card import FIELDS, field_names, read_layout, split_rows
from triskele.games.tryad.position_reader import REFUSALS, SEAT_SHIFT, read_position
from triskele.games.tryad.rules import (
    BINGO,
    CARDS,
    FACES,
    FOURS,
    IN,
    MODE,
    PHASE,
    PLAYERS,
    PRACTICE,
    REASONS,
    ROLL,
    ROLL_OFF,
    ROLLING,
    SEAT,
    TAKEN,
    TAKING,
    WINNERS,
    cleared,
    fewest,
    reason,
)
from triskele.games.tryad.texts import write_move

ROLLS = tuple(map(str, range(1, FACES + 1)))
_TAKE = re.compile(r"-[a-z]\d(?:\+[a-z]\d)*")
_NO_STATE = np.zeros(0, dtype=np.int64)
_TAKE_LIMIT = 60
"""Longer texts are no takes, however they go on."""


# --- moves ----------------------------------------------------------------------------------------


def move_text(options: Options, code: int) -> str:
    """Return ``1`` to ``4`` for a roll, ``-b1+c2`` for a take."""
    return written(lambda into: write_move(_NO_STATE, code, into), MOVE_TEXT)


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    """Return the roll, or the fields of a take in every order."""
    if code < FACES:
        return ((ROLLS[code],),)
    return tuple(permutations(field_names(int(TAKEN[code]))))


# --- positions ------------------------------------------------------------------------------------


def _seats(seats: int) -> str:
    return "+".join(str(seat + 1) for seat in range(seats.bit_length()) if seats >> seat & 1) or "-"


def _asked(state: State) -> str:
    seat = int(state[SEAT]) + 1
    if state[PHASE] == ROLLING:
        return "roll" if state[MODE] == BINGO else f"roll {seat}"
    if state[PHASE] == TAKING:
        return f"take {seat} {state[ROLL]}"
    if state[PHASE] == ROLL_OFF:
        return f"off {seat} {_seats(int(state[FOURS]))}"
    return f"end {_seats(int(state[WINNERS]))}"


def write(options: Options, state: State) -> str:
    """Return the position as one line."""
    digits = str(options["layout"]).replace("/", "")
    words = []
    for seat in range(int(state[PLAYERS])):
        covered = int(state[CARDS + seat])
        card = split_rows("".join(digit if covered >> bit & 1 else "." for bit, digit in enumerate(digits)))
        out = covered and not state[IN] >> seat & 1
        words.append(f"{card}x" if out else card)
    return " ".join([*words, _asked(state)])


def read(options: Options, line: str, state: State) -> State:
    """Return the state that ``write`` wrote as ``line``; ``RecordError`` says what cannot be in a position."""
    refused = read_position(buffer_of(line), len(line), state)
    if refused == 0:
        return state
    key, seat, words = REFUSALS[(refused & (1 << SEAT_SHIFT) - 1) - 1], refused >> SEAT_SHIFT, line.split(" ")
    players = int(state[PLAYERS])
    if key == "line":
        raise RecordError(text("tryad.bad-line", n=players))
    if key == "card":
        layout = str(options["layout"])
        raise RecordError(text("tryad.bad-card", seat=seat + 1, card=words[seat][:30], layout=layout))
    if key == "out":
        raise RecordError(text("tryad.cannot-be-out", seat=seat + 1, card=words[seat][:30]))
    raise RecordError(text("tryad.bad-asked", asked=" ".join(words[players:])[:40]))


# --- words ----------------------------------------------------------------------------------------


def ask(options: Options, state: State) -> Text:
    """Say what is asked of the one to act."""
    seat = int(state[SEAT]) + 1
    if state[PHASE] == TAKING:
        return text("tryad.ask-take", roll=int(state[ROLL]))
    if state[PHASE] == ROLL_OFF:
        return text("tryad.ask-roll-off", seat=seat)
    if state[MODE] == BINGO:
        return text("tryad.ask-roll-for-all")
    return text("tryad.ask-roll-alone" if state[MODE] == PRACTICE else "tryad.ask-roll", seat=seat)


def ask_after(options: Options, state: State, tokens: tuple[str, ...]) -> Text | None:
    """Say how much is still missing to the roll."""
    missing = int(state[ROLL]) - sum(_number_on(options, token) for token in tokens if token in FIELDS)
    return text("tryad.ask-more", n=missing) if state[PHASE] == TAKING and missing > 0 else None


def why_not(options: Options, state: State, written: str) -> Text | None:
    """Say why a text is not a legal move."""
    if state[PHASE] != TAKING:
        return text("tryad.die-is-to-roll")
    roll = int(state[ROLL])
    if written in ROLLS:
        return text("tryad.already-rolled", roll=roll)
    if len(written) > _TAKE_LIMIT or not _TAKE.fullmatch(written):
        return text("tryad.bad-take")
    names = written[1:].split("+")
    for name in names:
        problem = _why_not_field(options, state, name)
        if problem is not None:
            return problem
    for name in names:
        if names.count(name) > 1:
            return text("tryad.field-twice", field=name)
    total = sum(_number_on(options, name) for name in names)
    if total != roll:
        return text("tryad.wrong-sum", total=total, roll=roll)
    return text("tryad.not-sorted", take="-" + "+".join(sorted(names)))


def _number_on(options: Options, name: str) -> int:
    numbers = read_layout(str(options["layout"]))
    assert numbers is not None  # the options are checked
    return numbers[FIELDS.index(name)]


def _why_not_field(options: Options, state: State, name: str) -> Text | None:
    if name not in FIELDS:
        return text("tryad.no-field", field=name[:20])
    if not state[CARDS + state[SEAT]] >> FIELDS.index(name) & 1:
        return text("tryad.field-empty", field=name)
    return None


def why_no_token(options: Options, state: State, tokens: tuple[str, ...]) -> Text | None:
    """Say why the last of these tokens cannot be."""
    if state[PHASE] != TAKING:
        return text("tryad.die-is-to-roll")
    *before, last = tokens
    roll = int(state[ROLL])
    if last in ROLLS:
        return text("tryad.already-rolled", roll=roll)
    problem = _why_not_field(options, state, last)
    if problem is not None:
        return problem
    if last in before:
        return text("tryad.field-twice", field=last)
    total = sum(_number_on(options, name) for name in tokens)
    if total > roll:
        return text("tryad.too-much", total=total, roll=roll)
    return text("tryad.nothing-fits", total=total, roll=roll)


def ending(options: Options, state: State) -> Text | None:
    """Return that a roll-off decided, where it did: whenever several were tied (A7)."""
    tied = cleared(state) or (0 if state[MODE] == PRACTICE else fewest(state))
    return text(f"tryad.reason.{REASONS[reason(state)]}-roll-off") if tied & (tied - 1) else None
