"""Queries on a state: fields by the names that people use, their owners, tokens and numbers."""

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.card import CARD
from triskele.games.conquest.geometry import BOARD, BORDER, FIELDS, HALF, HOME, SETUPS, corners, shared

NAMES = tuple(f"{field // BOARD + 1}{CARD[field % BOARD]}" for field in range(FIELDS))
"""The name of each field, by its number."""
INDEX = {name: field for field, name in enumerate(NAMES)}
"""The number of each field, by its name."""
TOUCHING = tuple(tuple(map(frozenset, shared(corners(kind, players)))) for kind, players in SETUPS)
"""For each setup and field, the set of fields that it touches (C1)."""


def setup_of(options: Options) -> int:
    """Return the index of the options' setup in ``SETUPS``."""
    return SETUPS.index((str(options["setup"]), int(options["players"])))


def tokens_on(state: State, field: int) -> int:
    """Return the number of tokens on a field."""
    return int(state[r.ON + field]) >> 3


def owner_of(state: State, field: int) -> int:
    """Return the seat that holds a field, -1 for nobody."""
    return (int(state[r.ON + field]) & 7) - 1


def number_of(state: State, field: int) -> int:
    """Return the number that a field bears."""
    return int(state[r.NUMBERS + field % BOARD])


def repulses_on(state: State, field: int, slot: int) -> int:
    """Return how many attacks in a row on a field across one of its borders were repulsed this turn (C10)."""
    return int(state[r.REPULSES + field // r.PER_WORD]) >> (field % r.PER_WORD * 6 + slot * 2) & 3


def repulses(state: State) -> list[tuple[int, int, int]]:
    """Return (field, slot, repulses in a row) for each border that has any."""
    return [
        (field, slot, repulses_on(state, field, slot))
        for word in range(FIELDS // r.PER_WORD)
        if state[r.REPULSES + word]
        for field in range(word * r.PER_WORD, (word + 1) * r.PER_WORD)
        for slot in range(3)
        if repulses_on(state, field, slot)
    ]


def sources_of(setup: int, target: int, split: int) -> list[tuple[int, int]]:
    """Return the fields that an attack comes from, in alphabetical order, with the tokens that each commits."""
    committed = zip(BORDER[setup, target].tolist(), r.SPLITS[split].tolist(), strict=True)
    return [(field, tokens) for field, tokens in committed if tokens]


def dice_of(state: State) -> list[int]:
    """Return the dice rolled in the attack so far, the attacker's first."""
    return [int(state[r.DICE]) >> 3 * die & 7 for die in range(int(state[r.ROLLED]))]


def held_by(state: State, seat: int) -> list[int]:
    """Return the fields that a seat holds."""
    return [field for field, on in enumerate(state[r.ON : r.ON + FIELDS].tolist()) if on & 7 == seat + 1]


def used_in_triple(state: State, field: int) -> bool:
    """Return whether a field has served in a triple this turn."""
    return bool(int(state[r.USED + field // HALF]) >> field % HALF & 1)


def exists(state: State, name: str) -> bool:
    """Return whether a name is that of a field on the boards in play."""
    return name in INDEX and INDEX[name] < int(state[r.PLAYERS]) * BOARD


def committed(state: State) -> int:
    """Return how many tokens the attack under way has committed."""
    return int(r.SPLITS[state[r.SPLIT]].sum())


def home_tokens_left(state: State) -> int:
    """Return how many tokens the home of the acting seat can still give this round (C6)."""
    seat = int(state[r.SEAT])
    home = seat * BOARD + HOME
    if owner_of(state, home) != seat or used_in_triple(state, home):
        return 0
    return min(odds.MOST - int(state[r.GIVEN]), int(state[r.PURSES + seat]))
