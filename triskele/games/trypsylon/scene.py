"""What TRYPSYLON looks like: cards of water and jetties between two beaches and two meadows.

A diagonal arm ends in bare piles in the water; planks and a landing lie on them as long as its point is live (T11).
"""

import functools
import itertools
from typing import NamedTuple

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.scene import Fact, Glyph, Look, OnTurn, Piece, Place, Scene, Turning, piece, place
from triskele.core.words import Text, say, text
from triskele.games.trypsylon import rules as r
from triskele.games.trypsylon.board import (
    DOWN,
    NAMED,
    STEPS,
    VACANT,
    Board,
    Cell,
    cell_of,
    code_of,
    codes_of,
    ends_of,
    lane_codes,
    lane_of,
    opposite,
)
from triskele.games.trypsylon.notation import cell_text, entrance_text, lying, shore_of
from triskele.games.trypsylon.texts import DIRECTIONS, PUT_BACK, SIDES

Ids = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
"""The card on each cell, by the lift's code (-1 for none); the cards in hand, each with the cell it came from."""

SIZE = 84.0  # of a cell
MARGIN = 56.0  # of the shores, around the cells
_TRAY = 96.0
_ARROW, _SIGN, _LANE = 14.0, 32.0, 44.0  # how far from the cells arrows, signs and coordinates are

# What lies on what.
_GROUND, _SHORE, _HOLE, _CARD, _LAST, _END, _LANDING, _LIGHT, _MARK, _BUTTON = range(10)

_FREE = {"NE": -26.0, "SE": 26.0, "SW": -26.0, "NW": 26.0}  # where a mark hides no arm, in the north of a card


# --- the terminal's drawing ---------------------------------------------------------------------------


def _terminal_frame(columns: int, rows: int) -> Glyph:
    """Return meadows and beaches in letters, seven across and three down a cell, four and two for a shore."""
    blank = " " * (7 * columns + 8)
    meadow = (" ' " * 20)[: len(blank)]
    beach = "  ." + " " * (7 * columns + 2) + ".  "
    return Glyph((blank, meadow, *[beach] * (3 * rows), meadow, blank), "dim")


def _terminal_arm(side: str) -> Glyph:
    """Return an arm of the path that won."""
    rows = {
        "N": ("   ║   ", "   ●   ", ""),
        "S": ("", "   ●   ", "   ║   "),
        "E": ("   ●═══",),
        "W": ("═══●   ",),
        "NE": ("     / ", "   ●   ", ""),
        "SE": ("", "   ●   ", "     \\ "),
        "SW": ("", "   ●   ", " /     "),
        "NW": (" \\     ", "   ●   ", ""),
    }
    return Glyph(rows[side], "bold yellow")


GLYPHS = {
    **{f"trypsylon-frame-{c}x{n}": _terminal_frame(c, n) for c in (5, 6) for n in (5, 6)},
    "trypsylon-coord": Glyph((), "dim"),
    "trypsylon-compass": Glyph((), "dim"),
    "trypsylon-sign": Glyph((), "bold"),
    "trypsylon-back": Glyph(("~ ~ ~ ~", " ~ ~ ~ ", "~ ~ ~ ~"), "blue"),
    "trypsylon-hole": Glyph(("[     ]", "[     ]", "[     ]"), "dim"),
    "trypsylon-card-ne": Glyph(("     ' ", "───┐   ", "   │   "), "yellow"),
    "trypsylon-card-se": Glyph(("   │   ", "───┘   ", "     . "), "yellow"),
    "trypsylon-card-sw": Glyph(("   │   ", "   └───", " .     "), "yellow"),
    "trypsylon-card-nw": Glyph((" '     ", "   ┌───", "   │   "), "yellow"),
    "trypsylon-end-ne": Glyph(("     / ", "", ""), "yellow"),
    "trypsylon-end-se": Glyph(("", "", "     \\ "), "yellow"),
    "trypsylon-end-sw": Glyph(("", "", " /     "), "yellow"),
    "trypsylon-end-nw": Glyph((" \\     ", "", ""), "yellow"),
    **{f"trypsylon-lit-{side.lower()}": _terminal_arm(side) for side in (*STEPS, *DIRECTIONS)},
    "trypsylon-push-n": Glyph(("↓",), "bold cyan"),
    "trypsylon-push-e": Glyph(("←",), "bold cyan"),
    "trypsylon-push-s": Glyph(("↑",), "bold cyan"),
    "trypsylon-push-w": Glyph(("→",), "bold cyan"),
    **{f"trypsylon-pushed-{side.lower()}": Glyph(("*",), "bold") for side in STEPS},
    "trypsylon-turn-ne": Glyph(("↗", "NE"), "bold cyan"),
    "trypsylon-turn-se": Glyph(("↘", "SE"), "bold cyan"),
    "trypsylon-turn-sw": Glyph(("↙", "SW"), "bold cyan"),
    "trypsylon-turn-nw": Glyph(("↖", "NW"), "bold cyan"),
    "trypsylon-back-button": Glyph((), "bold cyan"),
    "trypsylon-last": Glyph(("*     *", "", "*     *"), "bold"),
    "trypsylon-barred": Glyph(("x",), "bold red"),
}


# --- which card is which ------------------------------------------------------------------------------


def identify(options: Options, state: State) -> Ids:
    """Number the cards of a position, those in hand last."""
    board = Board(state)
    cells = [-1] * len(r.CELLS)
    number = itertools.count()
    for cell in board.cells:
        if cell not in board.holes:
            cells[code_of(cell)] = next(number)
    return tuple(cells), tuple((next(number), code_of(cell)) for cell in board.cells if cell in board.holes)


def follow(options: Options, ids: Ids, state: State, code: int) -> Ids:
    """Return where the cards are after a move. Of two in hand the one taken first is pushed in first."""
    cells, hand = list(ids[0]), ids[1]
    if code < r.PUSHES:
        hand = (*hand, (cells[code], code))
        cells[code] = -1
    elif code == r.BACK:
        for card, cell in hand:
            cells[cell] = card
        hand = ()
    else:
        lane = lane_codes((code - r.PUSHES) // 4, int(state[r.COLUMNS]), int(state[r.ROWS]))
        gap = next(step for step, cell in enumerate(lane) if cells[cell] < 0)
        for step in range(gap, 0, -1):
            cells[lane[step]] = cells[lane[step - 1]]
        cells[lane[0]] = hand[0][0]
        hand = hand[1:]
    return tuple(cells), hand


# --- the pieces ---------------------------------------------------------------------------------------


def _at(point: tuple[float, float], rows: int) -> tuple[float, float]:
    """Return where a grid point lies; halves are the middles of cells."""
    return MARGIN + SIZE * point[0], MARGIN + SIZE * (rows - point[1])


def _middle(cell: Cell, rows: int) -> tuple[float, float]:
    return _at((cell[0] + 0.5, cell[1] + 0.5), rows)


def _before(entrance: int, distance: float, columns: int, rows: int) -> tuple[float, float]:
    """Return a point on the shore so far before an entrance."""
    x, y = _middle(lane_of(entrance, columns, rows)[0], rows)
    across, up = STEPS[SIDES[entrance // 6]]
    return x + across * (SIZE / 2 + distance), y - up * (SIZE / 2 + distance)


def _piece(
    name: str, sprite: str, at: tuple[float, float], layer: int, label: str = "", on_turn: OnTurn = "turn"
) -> Piece:
    """Return a piece that turns with the board: nearly all of them have a direction."""
    return piece(name, f"trypsylon-{sprite}", *at, layer=layer, label=label, on_turn="" if label else on_turn)


# What is below is the same in scene after scene, and made once.


@functools.cache
def _frame(columns: int, rows: int, beach: int) -> tuple[Piece, ...]:
    """Return the shores with coordinates, a compass, and signs of whose they are; ``beach``: the seat with beaches."""
    pieces = [_piece("frame", f"frame-{columns}x{rows}", _at((columns / 2, rows / 2), rows), _GROUND)]
    for entrance in (*range(columns), *range(6, 6 + rows)):
        name = entrance_text(entrance)[1:]
        at = _before(entrance, _LANE, columns, rows)
        pieces.append(piece(f"coord-{name}", "trypsylon-coord", *at, layer=_SHORE, label=name, role="coordinate"))
    # Moves are told by the points of the compass, and a player's board may be turned.
    x, y = MARGIN * 1.5 + SIZE * columns, MARGIN / 2
    compass = piece("compass", "trypsylon-compass", x, y + 7, layer=_SHORE, role="coordinate", on_turn="turn")
    pieces += [compass, piece("north", "trypsylon-coord", x, y - 13, layer=_SHORE, label="N", role="coordinate")]
    for side, x in (("W", MARGIN - _SIGN), ("E", MARGIN + SIZE * columns + _SIGN)):
        pieces.append(_piece(f"sign-{side}", "sign", (x, _at((0, rows - 2), rows)[1]), _SHORE, str(beach + 1)))
    for side, y in (("N", MARGIN - _SIGN), ("S", MARGIN + SIZE * rows + _SIGN)):
        pieces.append(_piece(f"sign-{side}", "sign", (_at((2, 0), rows)[0], y), _SHORE, str(2 - beach)))
    return tuple(pieces)


@functools.lru_cache(maxsize=20_000)
def _card(number: int, card: str, live: bool, code: int, rows: int) -> tuple[Piece, ...]:
    """Return what lies on a cell: a card by its digit, or a hole; ``live`` if its diagonal arm ends in a live point."""
    at = _middle(cell_of(code), rows)
    if card == VACANT:
        return (_piece(f"hole-{cell_text(code)}", "hole", at, _HOLE),)
    direction = NAMED.get(card, "").lower()
    shown = _piece(f"card-{number}", f"card-{direction}" if direction else "back", at, _CARD)
    return (shown, _piece(f"end-{number}", f"end-{direction}", at, _END)) if live else (shown,)


@functools.cache
def _landing(point: Cell, rows: int) -> Piece:
    return _piece(f"landing-{point[0]}-{point[1]}", "landing", _at(point, rows), _LANDING)


@functools.cache
def _pushed(entrance: int, columns: int, rows: int) -> Piece:
    """Return the mark where a card came in."""
    side = SIDES[entrance // 6].lower()
    at = _before(entrance, _ARROW, columns, rows)
    return piece("pushed", f"trypsylon-pushed-{side}", *at, layer=_SHORE, role="trace", on_turn="turn")


@functools.cache
def _last_mark(cell: Cell, rows: int) -> Piece:
    return piece("last", "trypsylon-last", *_middle(cell, rows), layer=_LAST, role="trace")


@functools.cache
def _barred_mark(cell: Cell, card: str, rows: int) -> Piece:
    x, y = _middle(cell, rows)
    return _piece("barred", "barred", (x + _FREE[NAMED[card]], y - 26), _MARK, on_turn="")


@functools.lru_cache(maxsize=20_000)
def _cell(card: str, live: bool, code: int, rows: int, barred: bool, language: str) -> Place:
    """Return a cell as a place, by the digit of the card on it."""
    name = cell_text(code)
    if card in NAMED:
        key = "barred" if barred else "up"
        shown = text(f"trypsylon.place.{key}", cell=name, direction=_spoken(NAMED[card]))
        content = text(f"trypsylon.place.{'live' if live else 'dead'}", place=shown)
    else:
        content = text(f"trypsylon.place.{'down' if card == DOWN else 'vacant'}", cell=name)
    return place(name, *_middle(cell_of(code), rows), say(content, language), points=_box(SIZE / 2, SIZE / 2))


@functools.lru_cache(maxsize=5_000)
def _pushes(ways: int, columns: int, rows: int, language: str) -> tuple[tuple[Piece, ...], tuple[Place, ...]]:
    """Return an arrow for each of a set of entrances, and the places to push a card in."""
    pieces, places = [], []
    for entrance in range(24):
        if ways >> entrance & 1:
            token = entrance_text(entrance)
            at = _before(entrance, _ARROW, columns, rows)
            spoken = say(text(f"trypsylon.place.push.{token[0]}", line=token[1:]), language)
            pieces.append(_piece(f"push-{token}", f"push-{token[0].lower()}", at, _BUTTON))
            places.append(place(token, *at, spoken, radius=20))
    return tuple(pieces), tuple(places)


class _Tray(NamedTuple):
    """Where the hand is: below a frame, with room for a button to put cards back or without."""

    columns: int
    rows: int
    takes_back: bool

    def at(self, x: float) -> tuple[float, float]:
        """Return a point on the tray, so far from its left end."""
        left = (_width(self.columns) - (503 if self.takes_back else 415)) / 2
        return left + x, _bottom(self.rows) + 44


@functools.lru_cache(maxsize=5_000)
def _held(number: int, card: int, lifted: int, pushable: bool, tray: _Tray) -> Piece:
    """Return a card in hand, the first or the second."""
    sprite = f"trypsylon-card-{DIRECTIONS[lifted - r.NE].lower()}" if lifted else "trypsylon-back"
    at = tray.at(40.5 + 89 * number)
    return piece(f"card-{card}", sprite, *at, layer=_CARD, role="hand" if pushable else "", on_turn="turn")


@functools.cache
def _free(number: int, tray: _Tray, language: str) -> Piece:
    """Return room for a card in hand, with its name."""
    name = say(text("trypsylon.scene.hand"), language)
    return _piece(f"tray-{number}", "tray", tray.at(40.5 + 89 * number), _SHORE, name)


@functools.cache
def _turns(tray: _Tray, language: str) -> tuple[tuple[Piece, ...], tuple[Place, ...]]:
    """Return the ways to turn a card."""
    pieces, places = [], []
    for number, direction in enumerate(DIRECTIONS):
        at = tray.at(211 + 59 * number)
        spoken = say(text("trypsylon.place.direction", direction=_spoken(direction)), language)
        pieces.append(_piece(f"turn-{direction}", f"turn-{direction.lower()}", at, _BUTTON))
        places.append(place(direction, *at, spoken, points=_box(28, 28), role="rotation"))
    return tuple(pieces), tuple(places)


@functools.cache
def _back_button(tray: _Tray, language: str) -> tuple[Piece, Place]:
    at = tray.at(465)
    button = _piece("back", "back-button", at, _BUTTON, say(text("trypsylon.scene.back"), language))
    spoken = say(text("trypsylon.place.back"), language)
    return button, place(PUT_BACK, *at, spoken, points=_box(38, 25), role="take-back")


def _width(columns: int) -> float:
    return 2 * MARGIN + SIZE * columns


def _bottom(rows: int) -> float:
    return 2 * MARGIN + SIZE * rows


class _Stage:
    """Where things are, and the pieces and places made so far."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.words: list[int] = look.state[: r.SIZE].tolist()
        self.columns, self.rows = self.words[r.COLUMNS], self.words[r.ROWS]
        self.shown = lying(self.words)
        up = self.words[r.NE] | self.words[r.SE] | self.words[r.SW] | self.words[r.NW]
        ends = map(dict.get, ends_of(self.columns, self.rows), self.shown)
        self.landings = [end[0] if end and up & end[1] == end[1] else None for end in ends]
        """For each cell the live point that a card there has its diagonal arm in, if it has one."""
        self.live = [point is not None for point in self.landings]
        self.pieces: list[Piece] = []
        self.places: list[Place] = []
        self.numbers, self.hand = look.ids
        self.ways = r.entrances(look.state)
        self.must_take = self.words[r.STAGE] == r.CHOOSE and self.words[r.RESULT] == 0
        """Whether the one to act has no card in hand yet."""
        barred = self.words[r.BARRED]
        self.barred = cell_of(int(r.CODES[barred.bit_length() - 1])) if barred else None

    def card(self, cell: Cell) -> str:
        """Return the digit of what lies on a cell."""
        return self.shown[self.columns * cell[1] + cell[0]]

    def put(self, name: str, sprite: str, at: tuple[float, float], layer: int, label: str = "") -> None:
        """Add a piece."""
        self.pieces.append(_piece(name, sprite, at, layer, label))

    # --- frame and cards

    def draw_frame(self) -> None:
        """Add the shores."""
        beach = 0 if shore_of(self.words, 0) == "beach" else 1
        self.pieces += _frame(self.columns, self.rows, beach)

    def draw_cards(self) -> None:
        """Add holes, cards with the ends of their diagonals, and landings on live points (T11)."""
        codes = codes_of(self.columns, self.rows)
        numbers = map(self.numbers.__getitem__, codes)
        cards = map(_card, numbers, self.shown, self.live, codes, itertools.repeat(self.rows))
        self.pieces += itertools.chain.from_iterable(cards)
        landings = sorted({point for point in self.landings if point is not None})
        self.pieces += [_landing(point, self.rows) for point in landings]

    def draw_path(self) -> None:
        """Light up the path that won, arm by arm from shore to shore."""
        if self.words[r.RESULT] not in (1, 2):
            return
        board = Board(self.look.state)
        sides = "WE" if shore_of(self.words, self.words[r.RESULT] - 1) == "beach" else "SN"
        path = board.path(sides)
        lit: dict[Cell, list[str]] = {cell: [] for kind, cell in path if kind == "card"}
        for (kind, at), (next_kind, next_at) in itertools.pairwise(path):
            if kind == next_kind == "card":
                step = (next_at[0] - at[0], next_at[1] - at[1])
                side = next(side for side, way in STEPS.items() if way == step)
                lit[at].append(side)
                lit[next_at].append(opposite(side))
            else:
                cell = at if kind == "card" else next_at
                lit[cell].append(board.cards[cell])
        for (kind, at), side in ((path[0], sides[0]), (path[-1], sides[1])):
            if kind == "card":
                lit[at].append(side)
        hubs = [(_middle if kind == "card" else _at)(at, self.rows) for kind, at in path]
        for number, at_hub in enumerate(hubs):
            self.put(f"glow-{number}", "lit-glow", at_hub, _LIGHT)
        for cell, sides_lit in lit.items():
            for side in sides_lit:
                name = f"lit-{cell_text(code_of(cell))}-{side}"
                self.put(name, f"lit-{side.lower()}", _middle(cell, self.rows), _LIGHT)
        for number, at_hub in enumerate(hubs):
            self.put(f"hub-{number}", "lit-hub", at_hub, _LIGHT)

    def draw_marks(self) -> None:
        """Mark the card inserted last and where it came in; and that it is barred, when a card is to be taken."""
        last = self.barred
        if self.look.last is not None and r.PUSHES <= self.look.last < r.BACK:
            entrance = (self.look.last - r.PUSHES) // 4
            last = lane_of(entrance, self.columns, self.rows)[0]
            self.pieces.append(_pushed(entrance, self.columns, self.rows))
        if last is not None and self.card(last) in NAMED:
            self.pieces.append(_last_mark(last, self.rows))
        if self.barred is not None and self.must_take and (card := self.card(self.barred)) in NAMED:
            self.pieces.append(_barred_mark(self.barred, card, self.rows))

    # --- the hand, and what can be pointed at

    def draw_hand(self) -> None:
        """Add the cards in hand, and ways to turn a card and to put it back as long as that can be."""
        words, language = self.words, self.look.language
        tray = _Tray(self.columns, self.rows, words[r.TOUCH_MOVE] == 0)
        pushable = bool(self.ways)
        self.pieces += [_held(n, card, words[r.LIFTED], pushable, tray) for n, (card, _) in enumerate(self.hand)]
        if words[r.RESULT] == 0:
            self.pieces += [_free(number, tray, language) for number in range(len(self.hand), 2)]
        if self.ways:
            pieces, places = _turns(tray, language)
            self.pieces += pieces
            self.places += places
        if r.returnable(self.look.state):
            button, back = _back_button(tray, language)
            self.pieces.append(button)
            self.places.append(back)

    def add_cells(self) -> None:
        """Add the cells as places."""
        codes, language = codes_of(self.columns, self.rows), self.look.language
        rows = itertools.repeat(self.rows)
        barred = [False] * len(codes)
        if self.barred is not None and self.must_take:
            barred[codes.index(code_of(self.barred))] = True
        self.places += map(_cell, self.shown, self.live, codes, rows, barred, itertools.repeat(language))

    def draw_pushes(self) -> None:
        """Add an arrow at every entrance that the card in hand can be pushed in at (T7)."""
        pieces, places = _pushes(self.ways, self.columns, self.rows, self.look.language)
        self.pieces += pieces
        self.places += places

    def facts(self) -> tuple[Fact, ...]:
        """Return who joins what, and what counts for double moves and the endgame."""
        words, down = self.words, self.shown.count(DOWN)
        endgame = self.must_take and not words[r.EXPERT] and down <= r.ENDGAME
        held, double = len(self.hand), bool(words[r.DOUBLE])
        return _facts(down, endgame, shore_of(words, 0), words[r.SEAT], held, double, self.look.language)


@functools.lru_cache(maxsize=5_000)
def _facts(
    down: int, endgame: bool, first_shore: str, turn: int, held: int, double: bool, language: str
) -> tuple[Fact, ...]:
    """Return the words beside the board; ``held`` cards are in the hand of the one whose turn it is."""

    def told(key: str, seat: int | None = None, **values: int) -> Fact:
        return Fact(say(text(f"trypsylon.{key}", **values), language), seat)

    facts = [told("fact-down", n=down)]
    if endgame:
        facts.append(told("fact-endgame"))
    other_shore = "meadow" if first_shore == "beach" else "beach"
    for seat, shore in enumerate((first_shore, other_shore)):
        facts.append(told(f"fact-joins.{shore}", seat))
        if seat == turn and held:
            facts.append(told("fact-hand", seat, n=held))
        if seat == turn and double:
            facts.append(told("fact-double", seat))
    return tuple(facts)


def _box(x: float, y: float) -> tuple[tuple[float, float], ...]:
    """Return the outline of a box that reaches so far from its middle."""
    return ((-x, -y), (x, -y), (x, y), (-x, y))


def _spoken(direction: str) -> Text:
    return text(f"trypsylon.direction.{direction}")


@functools.cache
def _turning(columns: int, rows: int, first_has_beaches: bool) -> Turning:
    """Return how the frame can be turned: a shore of one's own lies at the bottom."""
    width, height = _width(columns), _bottom(rows)
    seats = (90.0, 0.0) if first_has_beaches else (0.0, 90.0)
    return Turning(width / 2, height / 2, width, height, turns=(0.0, 90.0, 180.0, 270.0), seats=seats)


def scene(look: Look) -> Scene:
    """Return a position of TRYPSYLON to draw."""
    stage = _Stage(look)
    stage.draw_frame()
    stage.draw_cards()
    stage.draw_path()
    stage.draw_marks()
    stage.draw_hand()
    stage.add_cells()
    stage.draw_pushes()
    return Scene(
        "trypsylon",
        _width(stage.columns),
        _bottom(stage.rows) + _TRAY,
        tuple(stage.pieces),
        tuple(stage.places),
        stage.facts(),
        cell=(SIZE / 7, SIZE / 3),
        turning=_turning(stage.columns, stage.rows, shore_of(stage.words, 0) == "beach"),
    )
