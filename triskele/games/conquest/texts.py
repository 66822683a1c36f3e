"""Texts of Conquest as bytes, written by functions that are compiled too: see :mod:`triskele.core.contract.texts`."""

from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, names, put, put_name, put_number
from triskele.games.conquest.board_queries import NAMES
from triskele.games.conquest.geometry import BORDER, FIELDS
from triskele.games.conquest.position_reader import read_position
from triskele.games.conquest.rules import (
    ADVANTAGES,
    ATTACKS,
    DEFENCES,
    DONE,
    FACES,
    FOLLOWING,
    HOME_TOKEN,
    SETUP,
    SPLITS,
    TRIPLE_TOKENS,
    triple_field,
)

__all__ = ["read_position", "write_move"]

_FIELD_NAMES = names(NAMES)
_WORDS = names(("done", "stay"))
_DEFENDS, _HOME, _TRIPLE, _ADVANTAGE, _FROM, _TO, _TIMES, _AND = (ord(sign) for sign in "dhtv<>*+")
_WAYS = len(SPLITS)


def write_move(state: State, code: int, text: TextBuffer) -> int:
    """Write the text of a move; return its length."""
    if code < DONE:
        return put_number(text, 0, code + 1)
    if code < DEFENCES:
        return put_name(text, 0, _WORDS, 0 if code == DONE else 1)
    if code < HOME_TOKEN:
        return put_number(text, put(text, 0, _DEFENDS), code - DEFENCES + 1)
    if code < ATTACKS:
        return put_name(text, put(text, 0, _HOME), _FIELD_NAMES, code - HOME_TOKEN)
    if code < TRIPLE_TOKENS:
        return _write_attack(state, (code - ATTACKS) // _WAYS, (code - ATTACKS) % _WAYS, text)
    if code < FOLLOWING:
        return _write_triple(state, code - TRIPLE_TOKENS, text)
    if code < ADVANTAGES:
        return _write_step(text, put(text, 0, _AND), (code - FOLLOWING) % FIELDS, (code - FOLLOWING) // FIELDS + 1)
    field = (code - ADVANTAGES) // 3 % FIELDS
    at = put(text, put_name(text, put(text, 0, _ADVANTAGE), _FIELD_NAMES, field), _TO)
    goal = BORDER[state[SETUP], field, (code - ADVANTAGES) % 3]
    return _write_step(text, at, goal, (code - ADVANTAGES) // 3 // FIELDS + 1)


def _write_step(text: TextBuffer, at: int, field: int, tokens: int) -> int:
    """Write a field and a number of tokens; return where the text goes on."""
    return put_number(text, put(text, put_name(text, at, _FIELD_NAMES, field), _TIMES), tokens)


def _write_attack(state: State, target: int, split: int, text: TextBuffer) -> int:
    """Write the target of an attack and the fields it comes from; return its length."""
    at = put(text, put_name(text, 0, _FIELD_NAMES, target), _FROM)
    first = at
    for slot in range(3):
        if SPLITS[split, slot] > 0:
            if at > first:
                at = put(text, at, _AND)
            at = _write_step(text, at, BORDER[state[SETUP], target, slot], SPLITS[split, slot])
    return at


def _write_triple(state: State, choice: int, text: TextBuffer) -> int:
    """Write the fields of a triple, and which gets how many tokens; return its length."""
    triple = choice // (3 * FACES)
    at = 0
    for i in range(3):
        at = put(text, at, _TRIPLE if i == 0 else _AND)
        at = put_name(text, at, _FIELD_NAMES, triple_field(state[SETUP], triple, i))
    field = triple_field(state[SETUP], triple, choice // FACES % 3)
    return _write_step(text, put(text, at, _TO), field, choice % FACES + 1)
