"""How positions of TRYPSYLON are set up by hand: the cards, whose turn it is, and what the last move left."""

from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.contract.setup import Draft, Field, Setup, Thing
from triskele.core.game import Options
from triskele.core.words import text
from triskele.games.trypsylon.notation import DOWN, SHORES, VACANCY, write
from triskele.games.trypsylon.texts import DIRECTIONS

_COLUMNS = "abcdef"
_NONE = "-"
_FLAG = ("no", "yes")


def _cells(options: Options) -> list[str]:
    columns, rows = int(options["columns"]), int(options["rows"])
    return [f"{column}{row}" for row in range(1, rows + 1) for column in _COLUMNS[:columns]]


def _edge(options: Options) -> list[str]:
    """Return the cells where a card can have been pushed in."""
    first, last = _COLUMNS[0], _COLUMNS[int(options["columns"]) - 1]
    rows = ("1", str(options["rows"]))
    return [cell for cell in _cells(options) if cell[0] in (first, last) or cell[1:] in rows]


def _things(options: Options) -> tuple[Thing, ...]:
    return (
        Thing(DOWN, text("trypsylon.setup.down"), "trypsylon-back"),
        *(Thing(way, text(f"trypsylon.setup.{way}"), f"trypsylon-card-{way.lower()}") for way in DIRECTIONS),
    )


def _fields(options: Options) -> tuple[Field, ...]:
    cells = tuple((cell, text("core.setup-place", place=cell)) for cell in _edge(options))
    return (
        Field("turn", text("core.setup-turn"), tuple((shore, text(f"trypsylon.shore.{shore}")) for shore in SHORES)),
        Field("barred", text("trypsylon.setup.barred"), ((_NONE, text("trypsylon.setup.none")), *cells)),
        Field("double", text("trypsylon.setup.double"), tuple((word, text(f"core.setup-{word}")) for word in _FLAG)),
    )


def _draft(options: Options, state: State) -> Draft:
    words = write(options, state).split(" ")
    rows = words[0].split("/")[::-1]
    signs = [row[i : i + 2] for row in rows for i in range(0, len(row), 2)]
    barred = next((word.partition("=")[2] for word in words if word.startswith("barred=")), _NONE)
    turn = next((shore for shore in SHORES if words[1].startswith(shore)), SHORES[0])
    held = next((word.partition("=")[2][:2] for word in words if word.startswith("hand=")), DOWN)
    board = {cell: held if sign == VACANCY else sign for cell, sign in zip(_cells(options), signs, strict=True)}
    double = "yes" if "double" in words else "no"
    return Draft(board, {"turn": turn, "barred": barred if barred in _edge(options) else _NONE, "double": double})


def _lines(options: Options, draft: Draft) -> Sequence[str]:
    """Return the position with a double move allowed or not, as was said; then, if that cannot be, the other way."""
    columns = int(options["columns"])
    signs = [draft.board.get(cell, DOWN) for cell in _cells(options)]
    rows = ["".join(signs[i : i + columns]) for i in range(0, len(signs), columns)][::-1]
    barred = draft.fields["barred"]
    line = f"{'/'.join(rows)} {draft.fields['turn']}" + ("" if barred == _NONE else f" barred={barred}")
    both = [line, f"{line} double"]
    return both if draft.fields["double"] == "no" else both[::-1]


SETUP = Setup(_things, _fields, _draft, _lines, empty=DOWN)
