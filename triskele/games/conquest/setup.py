"""How positions of Conquest Tryad are set up by hand: tokens and purses, the round and whose turn it is.

Chits that are in no purse and on no field lie in the pot. Who has no token on the board is out. What happened in the
turn before (repulses, triples that were used, an attack under way) is not on the board: a position text has it.
"""

from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.contract.setup import Draft, Field, Setup, Thing, split_sign
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import NAMES, owner_of, tokens_on
from triskele.games.conquest.geometry import BOARD
from triskele.games.conquest.scene import ground

_PHASES = {r.REINFORCE: "reinforce", r.CONQUER: "conquer", r.ADVANTAGE: "advantage"}


def _seats(options: Options) -> range:
    return range(1, int(options["players"]) + 1)


def _chits(options: Options) -> int:
    return int(options["players"]) * int(options["purse"])


def _things(options: Options) -> tuple[Thing, ...]:
    most = _chits(options)
    return tuple(
        Thing(str(n), text("conquest.setup.tokens", seat=n), f"conquest-token-{n}", most) for n in _seats(options)
    )


def _numbers(low: int, high: int) -> tuple[tuple[str, Text], ...]:
    return tuple((str(number), text("core.setup-number", number=number)) for number in range(low, high + 1))


def _fields(options: Options) -> tuple[Field, ...]:
    seats = tuple((str(n), text("core.setup-player", number=n)) for n in _seats(options))
    phases = tuple((name, text(f"conquest.setup.{name}")) for name in _PHASES.values())
    purse = _numbers(0, _chits(options))
    return (
        Field("turn", text("core.setup-turn"), seats),
        Field("phase", text("conquest.setup.phase"), phases),
        *(Field(f"purse-{n}", text("conquest.setup.purse", seat=n), purse) for n in _seats(options)),
        Field("round", text("conquest.setup.round"), _numbers(1, int(options["rounds"]))),
        Field("first", text("conquest.setup.first"), seats),
    )


def _draft(options: Options, state: State) -> Draft:
    board = {}
    for field in range(len(_seats(options)) * BOARD):
        owner = owner_of(state, field)
        if owner >= 0:
            board[NAMES[field]] = f"{owner + 1}*{tokens_on(state, field)}"
    fields = {
        "turn": str(int(state[r.SEAT]) + 1),
        "phase": _PHASES.get(int(state[r.PHASE]), _PHASES[r.CONQUER]),
        **{f"purse-{n}": str(state[r.PURSES + n - 1]) for n in _seats(options)},
        "round": str(max(int(state[r.ROUND]), 1)),
        "first": str(int(state[r.FIRST]) + 1),
    }
    if state[r.PHASE] == r.INITIATIVE:
        fields["phase"] = _PHASES[r.REINFORCE]
    return Draft(board, fields)


def _lines(options: Options, draft: Draft) -> Sequence[str]:
    held: dict[str, list[str]] = {str(n): [] for n in _seats(options)}
    left = _chits(options)
    for name in NAMES[: len(held) * BOARD]:
        if name in draft.board:
            owner, tokens = split_sign(draft.board[name])
            held[owner].append(f"{name}*{tokens}")
            left -= tokens
    parts = []
    for owner, fields in held.items():
        purse = draft.fields[f"purse-{owner}"]
        left -= int(purse)
        parts.append(" ".join([owner, purse, *(fields or ["out"])]))
    phase, turn, first = draft.fields["phase"], draft.fields["turn"], draft.fields["first"]
    parts += [f"pot {max(left, 0)}", f"round {draft.fields['round']}", f"{phase} {turn} first {first}"]
    return [" / ".join(parts)]


SETUP = Setup(_things, _fields, _draft, _lines, ground=ground)
