"""How positions of YINSH are set up by hand: rings and markers, whose turn it is, the rings that are off."""

from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.contract.setup import Draft, Field, Setup, Thing
from triskele.core.game import Options
from triskele.core.words import text
from triskele.games.yinsh import rules as r
from triskele.games.yinsh.notation import contents
from triskele.games.yinsh.position_reader import PHASES
from triskele.games.yinsh.texts import NAMES

_LETTERS = "wb"
_SPRITES = {"W": "ring-white", "B": "ring-black", "w": "marker-white", "b": "marker-black"}


def _things(options: Options) -> tuple[Thing, ...]:
    return tuple(Thing(sign, text(f"yinsh.setup.{sprite}"), f"yinsh-{sprite}") for sign, sprite in _SPRITES.items())


def _fields(options: Options) -> tuple[Field, ...]:
    goal = 1 if options["blitz"] else 3
    off = tuple((str(number), text("core.setup-number", number=number)) for number in range(goal))
    return (
        Field("turn", text("core.setup-turn"), tuple((seat, text(f"yinsh.setup.seat-{seat}")) for seat in _LETTERS)),
        *(Field(f"off-{seat}", text(f"yinsh.setup.off-{seat}"), off) for seat in _LETTERS),
    )


def _draft(options: Options, state: State) -> Draft:
    shown = zip(NAMES, contents(state), strict=True)
    off = {f"off-{seat}": str(min(int(state[r.OFF + number]), 2)) for number, seat in enumerate(_LETTERS)}
    return Draft({point: sign for point, sign in shown if sign != "."}, {"turn": _LETTERS[int(state[r.TURN])], **off})


def _lines(options: Options, draft: Draft) -> Sequence[str]:
    """Return the position in each phase that it may be in: as long as rings are missing, the opening first."""
    signs = [draft.board.get(point, ".") for point in NAMES]
    columns, begin = [], 0
    for low, high in r.COLUMNS:
        columns.append("".join(signs[begin : begin + high - low + 1]))
        begin += high - low + 1
    turn, off = draft.fields["turn"], f"{draft.fields['off-w']}-{draft.fields['off-b']}"
    place, move, row, _ = PHASES
    rings = sum(sign in "WB" for sign in signs) + sum(int(draft.fields[f"off-{seat}"]) for seat in _LETTERS)
    opening = rings < 2 * r.RINGS_EACH and not any(sign in "wb" for sign in signs)
    other = _LETTERS[1 - _LETTERS.index(turn)]
    # A row that stands on the board is taken by the side to act, whoever made it.
    ways = [(move, turn, 0), (place, turn, 0), (row, turn, 0), (row, other, 0), (move, turn, 1)]
    ways = [ways[1], ways[0], *ways[2:]] if opening else ways
    return [f"{'/'.join(columns)} {turn} {phase} {mover} {off} {passes}" for phase, mover, passes in ways]


SETUP = Setup(_things, _fields, _draft, _lines)
