"""How positions of TRYPTIC are set up by hand: the tiles, everybody's pattern, whose turn it is and what it had.

Wrong guesses, and the points that challenges brought, are not on the board: a position text has them.
"""

from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.contract.setup import Draft, Field, Setup, Thing
from triskele.core.game import Options
from triskele.core.words import text
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.notation import COLOUR_NAMES, is_in
from triskele.games.tryptic.scene import ground
from triskele.games.tryptic.texts import COLOURS, NAMES, PATTERNS

_STAGES = {"open": "", "placed": "p", "challenged": "c"}
_ANSWERS = ("no", "yes")


def _seats(options: Options) -> range:
    return range(1, int(options["players"]) + 1)


def _things(options: Options) -> tuple[Thing, ...]:
    named = zip(COLOURS, COLOUR_NAMES, strict=True)
    return tuple(Thing(letter, text(f"tryptic.{name}"), f"tryptic-{letter}") for letter, name in named)


def _fields(options: Options) -> tuple[Field, ...]:
    patterns = tuple((pattern, text("core.setup-place", place=pattern)) for pattern in PATTERNS)
    answers = tuple((answer, text(f"core.setup-{answer}")) for answer in _ANSWERS)
    seats = _seats(options)
    return (
        Field("turn", text("core.setup-turn"), tuple((str(n), text("core.setup-player", number=n)) for n in seats)),
        Field("stage", text("tryptic.setup.stage"), tuple((key, text(f"tryptic.setup.{key}")) for key in _STAGES)),
        *(Field(f"pattern-{n}", text("tryptic.setup.pattern", seat=n), patterns) for n in seats),
        # With two, one who is out has lost.
        *(Field(f"out-{n}", text("core.setup-out", number=n), answers) for n in seats if len(seats) > 2),
    )


def _draft(options: Options, state: State) -> Draft:
    cells = state[r.CELL : r.CELL + r.HEXES].tolist()
    board = {name: COLOURS[cell - 1] for name, cell in zip(NAMES, cells, strict=True) if cell}
    stage = {r.PLACED: "placed", r.CHALLENGED: "challenged"}.get(int(state[r.STAGE]), "open")
    fields = {"turn": str(int(state[r.TURN]) + 1), "stage": stage}
    seats = _seats(options)
    for number in seats:
        fields[f"pattern-{number}"] = PATTERNS[max(int(state[r.PATTERN + number - 1]), 1) - 1]
        if len(seats) > 2:
            fields[f"out-{number}"] = _ANSWERS[not is_in(state, number - 1)]
    return Draft(board, fields)


def _lines(options: Options, draft: Draft) -> Sequence[str]:
    """Return the position; a colour is gone if all of its tiles are on the board and in the patterns."""
    signs = [draft.board.get(name, ".") for name in NAMES]
    rows, begin = [], 0
    for low, high in r.ROWS:
        rows.append("".join(signs[begin : begin + high - low + 1]))
        begin += high - low + 1
    seats = _seats(options)
    patterns = [draft.fields[f"pattern-{number}"] for number in seats]
    used = "".join([*signs, *patterns])
    gone = "".join(letter for letter in COLOURS if used.count(letter) == r.TILES) or "-"
    shown = [
        pattern.lower() if draft.fields.get(f"out-{number}") == "yes" else pattern
        for number, pattern in zip(seats, patterns, strict=True)
    ]
    nothing = ",".join("0" for _ in seats), ",".join("-" for _ in seats)
    turn = draft.fields["turn"] + _STAGES[draft.fields["stage"]]
    return [f"{'/'.join(rows)} {turn} {','.join(shown)} {nothing[0]} {nothing[1]} {gone} -"]


SETUP = Setup(_things, _fields, _draft, _lines, ground=ground)
