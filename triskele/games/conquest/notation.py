"""Notation of Conquest Tryad: the texts and tokens of moves.

Positions are in ``position_codec``, prompts and odds in ``prompts``, reasons for refusing in ``error_reasons``.
"""

import functools
import itertools

import numpy as np

from triskele.core.contract import State
from triskele.core.contract.texts import MOVE_TEXT
from triskele.core.game import Options
from triskele.core.text_buffer import written
from triskele.core.workspace import Matrix
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import NAMES, setup_of
from triskele.games.conquest.error_reasons import why_no_token, why_not
from triskele.games.conquest.geometry import SETUPS
from triskele.games.conquest.moves import advantage_of, attack_of, follower_of, triple_of
from triskele.games.conquest.position_codec import read, write
from triskele.games.conquest.prompts import ask, ask_after, note
from triskele.games.conquest.texts import write_move

__all__ = ["ask", "ask_after", "move_text", "move_tokens", "note", "read", "why_no_token", "why_not", "write"]


def move_text(options: Options, code: int) -> str:
    """Return the text of a move."""
    state = _states()[setup_of(options)]
    return written(lambda into: write_move(state, code, into), MOVE_TEXT)


@functools.cache
def _states() -> Matrix:
    """Return a state for each setup, of which the texts of moves use nothing else."""
    states = np.zeros((len(SETUPS), r.SIZE), dtype=np.int64)
    states[:, r.SETUP] = range(len(SETUPS))
    return states


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    """Return the ways to point at a move.

    A home token is its field; a triple ``t``, the field that gets the tokens, the other two in any order and a
    number; an attack from one field that field, the target and a number; any attack its target, for each token the
    field it comes from, in any order, and ``go``; tokens that follow their field and number; an advantage move two
    fields and a number.
    """
    setup = setup_of(options)
    if code < r.HOME_TOKEN:
        return ((move_text(options, code),),)
    if code < r.ATTACKS:
        return ((NAMES[code - r.HOME_TOKEN],),)
    if code < r.TRIPLE_TOKENS:
        target, sources = attack_of(setup, code)
        each = [NAMES[field] for field, tokens in sources for _ in range(tokens)]
        orders = sorted(set(itertools.permutations(each)))
        joint = tuple((NAMES[target], *order, "go") for order in orders)
        return joint if len(sources) > 1 else ((each[0], NAMES[target], str(len(each))), *joint)
    if code < r.FOLLOWING:
        fields, field, tokens = triple_of(setup, code)
        ways = itertools.permutations(NAMES[other] for other in fields if other != field)
        return tuple(("t", NAMES[field], *way, str(tokens)) for way in ways)
    if code < r.ADVANTAGES:
        field, tokens = follower_of(code)
        return ((NAMES[field], str(tokens)),)
    source, goal, tokens = advantage_of(setup, code)
    return ((NAMES[source], NAMES[goal], str(tokens)),)


def turn_owner(options: Options, state: State) -> int:
    """Return whose turn it is: a defender only replies within the attacker's turn (C8)."""
    return int(state[r.SEAT])
