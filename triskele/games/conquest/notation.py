"""Texts of Conquest Tryad. Moves are here; positions are in ``line``, what to say about moves in ``advice``."""

import itertools

from triskele.core.game import Options
from triskele.games.conquest import rules as r
from triskele.games.conquest.advice import ask, note, why_no_token, why_not
from triskele.games.conquest.line import read, write
from triskele.games.conquest.moves import advantage_of, attack_of, follower_of, steps_text, triple_of
from triskele.games.conquest.table import NAMES, setup_of

__all__ = ["ask", "move_text", "move_tokens", "note", "read", "why_no_token", "why_not", "write"]


def move_text(options: Options, code: int) -> str:
    """Return the text of a move."""
    setup = setup_of(options)
    if code < r.DONE:
        return str(code + 1)
    if code < r.DEFENCES:
        return "done" if code == r.DONE else "stay"
    if code < r.HOME_TOKEN:
        return f"d{code - r.DEFENCES + 1}"
    if code < r.ATTACKS:
        return f"h{NAMES[code - r.HOME_TOKEN]}"
    if code < r.TRIPLE_TOKENS:
        target, sources = attack_of(setup, code)
        return f"{NAMES[target]}<{steps_text(sources)}"
    if code < r.FOLLOWING:
        fields, field, tokens = triple_of(setup, code)
        return f"t{'+'.join(NAMES[f] for f in fields)}>{NAMES[field]}*{tokens}"
    if code < r.ADVANTAGES:
        return f"+{steps_text([follower_of(code)])}"
    source, goal, tokens = advantage_of(setup, code)
    return f"v{NAMES[source]}>{NAMES[goal]}*{tokens}"


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    """Return the ways to point at a move.

    A home token is ``h`` and a field; a triple ``t``, its fields in any order, one of them again and a
    number; an attack its target, for each token the field it comes from, in any order, and ``go``;
    tokens that follow their field and number; an advantage move ``v``, two fields and a number.
    """
    setup = setup_of(options)
    if code < r.HOME_TOKEN:
        return ((move_text(options, code),),)
    if code < r.ATTACKS:
        return (("h", NAMES[code - r.HOME_TOKEN]),)
    if code < r.TRIPLE_TOKENS:
        target, sources = attack_of(setup, code)
        each = [NAMES[field] for field, tokens in sources for _ in range(tokens)]
        orders = sorted(set(itertools.permutations(each)))
        return tuple((NAMES[target], *order, "go") for order in orders)
    if code < r.FOLLOWING:
        fields, field, tokens = triple_of(setup, code)
        ways = itertools.permutations(NAMES[f] for f in fields)
        return tuple(("t", *way, NAMES[field], str(tokens)) for way in ways)
    if code < r.ADVANTAGES:
        field, tokens = follower_of(code)
        return ((NAMES[field], str(tokens)),)
    source, goal, tokens = advantage_of(setup, code)
    return (("v", NAMES[source], NAMES[goal], str(tokens)),)
