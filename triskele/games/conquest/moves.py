"""The move codec: what the codes of moves mean, and patterns of their texts."""

import re
from collections.abc import Sequence

from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import NAMES, sources_of
from triskele.games.conquest.geometry import BORDER, FIELDS

FIELD = r"[1-6][a-d][1-7]"
_STEP = rf"{FIELD}\*\d{{1,4}}"
_STEPS = rf"{_STEP}(?:\+{_STEP}){{0,2}}"
DIE = re.compile(r"[1-4]")
HOME_TOKEN = re.compile(rf"h({FIELD})")
TRIPLE = re.compile(rf"t({FIELD})\+({FIELD})\+({FIELD})>({FIELD})\*(\d{{1,4}})")
ATTACK = re.compile(rf"({FIELD})<({_STEPS})")
DEFENCE = re.compile(r"d(\d{1,4})")
FOLLOW = re.compile(rf"\+({FIELD})\*(\d{{1,4}})")
ADVANTAGE = re.compile(rf"v({FIELD})>({FIELD})\*(\d{{1,4}})")


def steps_text(fields: Sequence[tuple[int, int]]) -> str:
    """Return fields with their tokens as they stand in the text of a move."""
    return "+".join(f"{NAMES[field]}*{tokens}" for field, tokens in fields)


def attack_of(setup: int, code: int) -> tuple[int, list[tuple[int, int]]]:
    """Return the target of an attack, and the fields it comes from with the tokens that each commits."""
    target, split = divmod(code - r.ATTACKS, len(r.SPLITS))
    return target, sources_of(setup, target, split)


def triple_of(setup: int, code: int) -> tuple[tuple[int, ...], int, int]:
    """Return the fields of a triple, the one that is reinforced, and by how many tokens."""
    choice, tokens = divmod(code - r.TRIPLE_TOKENS, r.FACES)
    triple, index = divmod(choice, 3)
    fields = tuple(int(r.triple_field(setup, triple, i)) for i in range(3))
    return fields, fields[index], tokens + 1


def follower_of(code: int) -> tuple[int, int]:
    """Return the field from which more tokens follow, and how many."""
    tokens, field = divmod(code - r.FOLLOWING, FIELDS)
    return field, tokens + 1


def advantage_of(setup: int, code: int) -> tuple[int, int, int]:
    """Return the two fields of an advantage move, from and to, and how many tokens go."""
    rest, slot = divmod(code - r.ADVANTAGES, 3)
    tokens, field = divmod(rest, FIELDS)
    return field, int(BORDER[setup, field, slot]), tokens + 1
