"""How positions of Tryad are set up by hand: the coins on every card, who is out, whose turn it is and the die."""

from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.contract.setup import Draft, Field, Setup, Thing
from triskele.core.game import Options
from triskele.core.words import text
from triskele.games.tryad.card import FIELDS, field_names, split_rows
from triskele.games.tryad.notation import ROLLS
from triskele.games.tryad.rules import CARDS, IN, PHASE, ROLL, SEAT, TAKING
from triskele.games.tryad.scene import ground

_COIN = "c"
_NO_ROLL = "-"
_ANSWERS = ("no", "yes")


def _seats(options: Options) -> range:
    return range(1, int(options["players"]) + 1)


def _things(options: Options) -> tuple[Thing, ...]:
    return (Thing(_COIN, text("tryad.setup.coin"), f"tryad-coin-{min(int(options['stake']), 3)}"),)


def _fields(options: Options) -> tuple[Field, ...]:
    rolls = tuple((roll, text("core.setup-place", place=roll)) for roll in ROLLS)
    answers = tuple((answer, text(f"core.setup-{answer}")) for answer in _ANSWERS)
    seats = _seats(options)
    return (
        Field("turn", text("core.setup-turn"), tuple((str(n), text("core.setup-player", number=n)) for n in seats)),
        Field("roll", text("tryad.setup.roll"), ((_NO_ROLL, text("tryad.setup.no-roll")), *rolls)),
        *(Field(f"out-{n}", text("core.setup-out", number=n), answers) for n in seats if len(seats) > 1),
    )


def _draft(options: Options, state: State) -> Draft:
    seats = _seats(options)
    board = {f"{n}{field}": _COIN for n in seats for field in field_names(int(state[CARDS + n - 1]))}
    roll = str(state[ROLL]) if state[PHASE] == TAKING else _NO_ROLL
    fields = {"turn": str(int(state[SEAT]) + 1), "roll": roll}
    for number in seats:
        if len(seats) > 1:
            is_out = bool(state[CARDS + number - 1] and not state[IN] >> (number - 1) & 1)
            fields[f"out-{number}"] = _ANSWERS[is_out]
    return Draft(board, fields)


def _lines(options: Options, draft: Draft) -> Sequence[str]:
    digits = str(options["layout"]).replace("/", "")
    words = []
    for number in _seats(options):
        covered = (f"{number}{field}" in draft.board for field in FIELDS)
        card = split_rows("".join(digit if coin else "." for digit, coin in zip(digits, covered, strict=True)))
        words.append(card + "x" * (draft.fields.get(f"out-{number}") == "yes"))
    turn, roll = draft.fields["turn"], draft.fields["roll"]
    if roll != _NO_ROLL:
        words.append(f"take {turn} {roll}")
    else:
        words.append("roll" if options["mode"] == "bingo" else f"roll {turn}")
    return [" ".join(words)]


SETUP = Setup(_things, _fields, _draft, _lines, ground=ground)
