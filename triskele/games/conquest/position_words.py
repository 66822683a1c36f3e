"""How Conquest's positions are written, and the reader's words: numbers, fields, reasons for refusing.

The functions are compiled, too.
"""

from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, names
from triskele.games.conquest.geometry import BOARD, BORDER
from triskele.games.conquest.rules import ON, PLAYERS, REASONS, SEATS, SETUP

PHASES = ("initiative", "reinforce", "conquer", "advantage", "over")
"""How the phases are written."""
WORDS = ("turn", "first", "home", "used", "repulsed", "attack", "taken", "followed", "defence", "dice")
"""What can be said about a turn, in this order, each before its value; the first is not written."""
PHASE_INITIATIVE, PHASE_REINFORCE, PHASE_CONQUER, PHASE_ADVANTAGE, PHASE_OVER = range(len(PHASES))
W_TURN, W_FIRST, W_HOME, W_USED, W_REPULSED, W_ATTACK, W_TAKEN, W_FOLLOWED, W_DEFENCE, W_DICE = range(len(WORDS))
PHASE_NAMES = names(PHASES)
WORD_NAMES = names(WORDS)
END_NAMES = names(REASONS)
COUNTER_NAMES = names(("pot", "round", "out"))
POT_NAME, ROUND_NAME, OUT_NAME = range(3)
SPACE, SLASH, TIMES, AND, FROM, TO, IS, UNKNOWN, ZERO = (ord(sign) for sign in " /*+<>=?0")


REFUSALS = (
    "order", "parts", "seat", "number", "part", "field", "no-tokens", "field-twice", "chits", "home", "round",
    "nobody", "phase", "last", "rounds", "ending", "roll", "rollers", "pairs", "word", "turn", "given", "used",
    "triples", "border", "attack", "no-attack", "followed", "taken", "defence", "dice",
)  # fmt: skip
"""The reasons for refusing a text, numbered from 1."""
WHOLE = 255
"""Stands for the whole text instead of one of its parts."""
LONGEST = 8192
"""No position has a text as long as this."""

(
    R_ORDER, R_PARTS, R_NO_SEAT, R_NUMBER, R_PART, R_FIELD, R_NO_TOKENS, R_FIELD_TWICE, R_CHITS, R_HOME, R_ROUND,
    R_NOBODY, R_NO_PHASE, R_LAST, R_ROUNDS, R_ENDING, R_ROLL, R_ROLLERS, R_PAIRS, R_WORD, R_TURN, R_GIVEN, R_USED,
    R_TRIPLES, R_BORDER, R_ATTACK, R_NO_ATTACK, R_FOLLOWED, R_TAKEN, R_DEFENCE, R_DICE,
) = range(1, len(REFUSALS) + 1)  # fmt: skip

_NINE, _A = ord("9"), ord("a")
_FIELD_LENGTH = 3
_CARD_ROWS = 4
_COLUMNS = 7
_DIGITS = 4
"""No number has more."""


def unpack(refusal: int) -> tuple[str, int, int, int, int]:
    """Return what a refusal says: its reason, the part (or ``WHOLE``), where a word begins and ends, a seat."""
    begin = refusal >> 16 & 0xFFFF
    return REFUSALS[(refusal & 0xFF) - 1], refusal >> 8 & 0xFF, begin, begin + (refusal >> 32 & 0xFFFF), refusal >> 48


def refuse(reason: int, begin: int, end: int) -> int:
    """Return the refusal of a word."""
    return reason | begin << 16 | (end - begin) << 32


def number_at(text: TextBuffer, begin: int, end: int) -> int:
    """Return a number of one to four digits, -1 if there is none."""
    if end <= begin or end - begin > _DIGITS:
        return -1
    number = 0
    for i in range(begin, end):
        if text[i] < ZERO or text[i] > _NINE:
            return -1
        number = 10 * number + int(text[i]) - ZERO
    return number


def end_of(text: TextBuffer, begin: int, end: int, sign: int) -> int:
    """Return where a sign first stands from ``begin`` on, ``end`` if it does not."""
    at = begin
    while at < end and text[at] != sign:
        at += 1
    return at


def has_field_form(text: TextBuffer, begin: int, end: int) -> bool:
    """Return whether a word looks like a field: a board, a row and a column."""
    if end - begin != _FIELD_LENGTH:
        return False
    board = int(text[begin]) - ZERO
    row = int(text[begin + 1]) - _A
    column = int(text[begin + 2]) - ZERO
    return 1 <= board <= SEATS and 0 <= row < _CARD_ROWS and 1 <= column <= _COLUMNS


def field_at(text: TextBuffer, begin: int, end: int, state: State) -> int:
    """Return the field on the boards in play that a word names, -1 if it names none."""
    if not has_field_form(text, begin, end):
        return -1
    board = int(text[begin]) - ZERO - 1
    row = int(text[begin + 1]) - _A
    column = int(text[begin + 2]) - ZERO - 1
    if board >= state[PLAYERS] or column > 2 * row:
        return -1
    return board * BOARD + row * row + column


def slot_of(state: State, target: int, source: int) -> int:
    """Return across which border of ``target`` another field lies, -1 if it does not."""
    for slot in range(3):
        if BORDER[state[SETUP], target, slot] == source:
            return slot
    return -1


def tokens_at(state: State, field: int) -> int:
    """Return the number of tokens on a field."""
    return int(state[ON + field] >> 3)


def owner_on(state: State, field: int) -> int:
    """Return the seat that holds a field, -1 for nobody."""
    return int(state[ON + field] & 7) - 1
