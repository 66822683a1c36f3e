"""What TRYPSYLON looks like: cards of water and jetties between two beaches and two meadows.

Cells, grid points and arms are worked out here in plain Python, apart from the rules' bitboards. A diagonal
arm ends in bare piles in the water; planks and a landing lie on them as long as its point is live (T11).
"""

import functools
import itertools
from collections import deque
from collections.abc import Iterator

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.scene import Fact, Glyph, Look, Piece, Place, Scene, piece, place
from triskele.core.words import Text, say, text
from triskele.games.trypsylon import rules as r
from triskele.games.trypsylon.notation import DIRECTIONS, PUT_BACK, SIDES, cell_text, entrance_text, shore_of

Cell = tuple[int, int]
"""Column and row, from 0, west and south first. A grid point has the numbers of the cell northeast of it."""
Node = tuple[str, Cell]
"""Where a path can be: ``("card", cell)`` or ``("point", grid point)``."""
Ids = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
"""The card on each cell, by the lift's code (-1 for none); the cards in hand, each with the cell it came from."""

SIZE = 84.0  # of a cell
MARGIN = 56.0  # of the shores, around the cells
_TRAY = 96.0
_ARROW, _SIGN, _LANE = 19.0, 32.0, 41.5  # how far from the cells arrows, signs and coordinates are

# What lies on what.
_GROUND, _SHORE, _HOLE, _CARD, _LAST, _END, _LANDING, _LIGHT, _MARK, _BUTTON = range(10)

_STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
_ARMS = {"NE": "WS", "SE": "NW", "SW": "NE", "NW": "ES"}  # T2: the straight arms of a card, by its direction
_CORNERS = {"NE": (1, 1), "SE": (1, 0), "SW": (0, 0), "NW": (0, 1)}  # where a diagonal ends, from its cell
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
    **{f"trypsylon-lit-{side.lower()}": _terminal_arm(side) for side in (*_STEPS, *DIRECTIONS)},
    "trypsylon-push-n": Glyph(("↓",), "bold cyan"),
    "trypsylon-push-e": Glyph(("←",), "bold cyan"),
    "trypsylon-push-s": Glyph(("↑",), "bold cyan"),
    "trypsylon-push-w": Glyph(("→",), "bold cyan"),
    **{f"trypsylon-pushed-{side.lower()}": Glyph(("*",), "bold") for side in _STEPS},
    "trypsylon-turn-ne": Glyph(("↗", "NE"), "bold cyan"),
    "trypsylon-turn-se": Glyph(("↘", "SE"), "bold cyan"),
    "trypsylon-turn-sw": Glyph(("↙", "SW"), "bold cyan"),
    "trypsylon-turn-nw": Glyph(("↖", "NW"), "bold cyan"),
    "trypsylon-back-button": Glyph((), "bold cyan"),
    "trypsylon-last": Glyph(("*     *", "", "*     *"), "bold"),
    "trypsylon-barred": Glyph(("x",), "bold red"),
}


# --- the board in plain terms ---------------------------------------------------------------------------


class _Board:
    """A position's cards by cell, and what follows from them."""

    def __init__(self, state: State) -> None:
        self.columns, self.rows = int(state[r.COLUMNS]), int(state[r.ROWS])
        self.cells = _cells(self.columns, self.rows)
        self.cards: dict[Cell, str] = {}
        up = 0
        for direction, plane in zip(DIRECTIONS, (r.NE, r.SE, r.SW, r.NW), strict=True):
            lying = int(state[plane])
            up |= lying
            self.cards |= {cell: direction for cell in self.cells if lying & _BITS[cell]}
        vacant = int(state[r.VACANT])
        self.holes = {cell for cell in self.cells if vacant & _BITS[cell]} if vacant else set()
        self.live = {point for point, needed in _needed(self.columns, self.rows) if up & needed == needed}

    def around(self, point: Cell) -> list[Cell]:
        """Return the cells that touch a grid point; the frame has none."""
        return sorted(_corners(self.columns, self.rows)[point])

    def end(self, cell: Cell) -> Cell:
        """Return the grid point that a card's diagonal arm runs into."""
        i, j = _CORNERS[self.cards[cell]]
        return cell[0] + i, cell[1] + j

    def landings(self) -> set[Cell]:
        """Return the live points in which a diagonal arm ends."""
        return {self.end(cell) for cell in self.cards} & self.live

    def path(self, sides: str) -> list[Node]:
        """Return a shortest way between two sides of the frame (T10 to T12), nothing if they are not joined."""
        before: dict[Node, Node | None] = dict.fromkeys(self._at_side(sides[0]))
        goals = set(self._at_side(sides[1]))
        waiting = deque(before)
        while waiting:
            node = waiting.popleft()
            if node in goals:
                way = [node]
                while (step := before[way[-1]]) is not None:
                    way.append(step)
                return way[::-1]
            for other in self._joined_to(node):
                if other not in before:
                    before[other] = node
                    waiting.append(other)
        return []

    def _at_side(self, side: str) -> list[Node]:
        """Return the cards whose straight arm reaches a side, and the landings on it."""
        axis, place = {"W": (0, 0), "E": (0, self.columns), "S": (1, 0), "N": (1, self.rows)}[side]
        edge = min(place, (self.columns, self.rows)[axis] - 1)
        cards = [("card", cell) for cell in self.cells if cell[axis] == edge and side in self.arms(cell)]
        return cards + [("point", point) for point in sorted(self.landings()) if point[axis] == place]

    def _joined_to(self, node: Node) -> Iterator[Node]:
        kind, at = node
        if kind == "point":
            yield from (("card", cell) for cell in self.around(at) if self.end(cell) == at)
            return
        if self.end(at) in self.live:
            yield "point", self.end(at)
        for side in self.arms(at):
            other = (at[0] + _STEPS[side][0], at[1] + _STEPS[side][1])
            if _opposite(side) in self.arms(other):
                yield "card", other

    def arms(self, cell: Cell) -> str:
        """Return the sides that the straight arms on a cell run to."""
        return _ARMS.get(self.cards.get(cell, ""), "")


@functools.cache
def _corners(columns: int, rows: int) -> dict[Cell, frozenset[Cell]]:
    """Return the cells that touch each grid point; the frame has none."""
    cells = set(itertools.product(range(columns), range(rows)))
    points = itertools.product(range(columns + 1), range(rows + 1))
    return {(x, y): frozenset({(x - i, y - j) for i in (0, 1) for j in (0, 1)} & cells) for x, y in points}


@functools.cache
def _cells(columns: int, rows: int) -> tuple[Cell, ...]:
    """Return the cells of a frame, row by row from the south."""
    return tuple((column, row) for row in range(rows) for column in range(columns))


@functools.cache
def _needed(columns: int, rows: int) -> tuple[tuple[Cell, int], ...]:
    """Return each grid point with the cells, as a bitboard, that must all have cards for it to be live (T11)."""
    return tuple((point, sum(map(_BITS.__getitem__, cells))) for point, cells in _corners(columns, rows).items())


def _opposite(side: str) -> str:
    return "SWNE"["NESW".index(side)]


def _code(cell: Cell) -> int:
    return 6 * cell[1] + cell[0]


_BITS: dict[Cell, int] = {(code % 6, code // 6): bit for code, bit in enumerate(r.CELLS.tolist())}
"""Each cell in a bitboard."""


@functools.cache
def _lane(entrance: int, columns: int, rows: int) -> tuple[Cell, ...]:
    """Return the cells of an entrance's line, from the edge where it is."""
    side, line = divmod(entrance, 6)
    if side % 2 == 0:
        cells = tuple((line, row) for row in range(rows))
    else:
        cells = tuple((column, line) for column in range(columns))
    return cells if side < 2 else cells[::-1]


# --- which card is which ------------------------------------------------------------------------------


def identify(options: Options, state: State) -> Ids:
    """Number the cards of a position, those in hand last."""
    board = _Board(state)
    cells = [-1] * len(r.CELLS)
    number = itertools.count()
    for cell in board.cells:
        if cell not in board.holes:
            cells[_code(cell)] = next(number)
    return tuple(cells), tuple((next(number), _code(cell)) for cell in board.cells if cell in board.holes)


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
        lane = [_code(cell) for cell in _lane((code - r.PUSHES) // 4, int(state[r.COLUMNS]), int(state[r.ROWS]))]
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
    x, y = _middle(_lane(entrance, columns, rows)[0], rows)
    across, up = _STEPS[SIDES[entrance // 6]]
    return x + across * (SIZE / 2 + distance), y - up * (SIZE / 2 + distance)


def _piece(name: str, sprite: str, at: tuple[float, float], layer: int, label: str = "") -> Piece:
    return piece(name, f"trypsylon-{sprite}", *at, layer=layer, label=label)


# What is below is the same in scene after scene, and made once.


@functools.cache
def _frame(columns: int, rows: int, beach: int) -> tuple[Piece, ...]:
    """Return the shores with coordinates, and signs that say whose they are; ``beach`` is the seat that has beaches."""
    pieces = [_piece("frame", f"frame-{columns}x{rows}", _at((columns / 2, rows / 2), rows), _GROUND)]
    for entrance in (*range(columns), *range(6, 6 + rows)):
        name = entrance_text(entrance)[1:]
        pieces.append(_piece(f"coord-{name}", "coord", _before(entrance, _LANE, columns, rows), _SHORE, name))
    for side, x in (("W", MARGIN - _SIGN), ("E", MARGIN + SIZE * columns + _SIGN)):
        pieces.append(_piece(f"sign-{side}", "sign", (x, _at((0, rows - 2), rows)[1]), _SHORE, str(beach + 1)))
    for side, y in (("N", MARGIN - _SIGN), ("S", MARGIN + SIZE * rows + _SIGN)):
        pieces.append(_piece(f"sign-{side}", "sign", (_at((2, 0), rows)[0], y), _SHORE, str(2 - beach)))
    return tuple(pieces)


@functools.lru_cache(maxsize=20_000)
def _card(card: int, direction: str, live: bool, cell: Cell, rows: int) -> tuple[Piece, ...]:
    """Return a card on its cell, face down without direction; ``live`` if its diagonal arm ends in a live point."""
    at, direction = _middle(cell, rows), direction.lower()
    shown = _piece(f"card-{card}", f"card-{direction}" if direction else "back", at, _CARD)
    return (shown, _piece(f"end-{card}", f"end-{direction}", at, _END)) if live else (shown,)


@functools.cache
def _landing(point: Cell, rows: int) -> Piece:
    return _piece(f"landing-{point[0]}-{point[1]}", "landing", _at(point, rows), _LANDING)


@functools.lru_cache(maxsize=20_000)
def _cell(cell: Cell, rows: int, key: str, direction: str, live: bool, language: str) -> Place:
    """Return a cell as a place; ``key`` names what is on it, a card that is up has a direction."""
    name = cell_text(_code(cell))
    content = text(f"trypsylon.place.{key}", cell=name)
    if direction:
        lying = text(f"trypsylon.place.{key}", cell=name, direction=_spoken(direction))
        content = text(f"trypsylon.place.{'live' if live else 'dead'}", place=lying)
    return place(name, *_middle(cell, rows), say(content, language), points=_box(SIZE / 2, SIZE / 2))


class _Stage:
    """Where things are, and the pieces and places made so far."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.state = look.state
        self.board = _Board(look.state)
        self.width = 2 * MARGIN + SIZE * self.board.columns
        self.bottom = 2 * MARGIN + SIZE * self.board.rows
        self.height = self.bottom + _TRAY
        self.pieces: list[Piece] = []
        self.places: list[Place] = []
        self.cards, self.hand = look.ids
        self.must_take = bool(self.state[r.STAGE] == r.CHOOSE and self.state[r.RESULT] == 0)
        """Whether the one to act has no card in hand yet."""
        barred = int(self.state[r.BARRED])
        self.barred = next((cell for cell in self.board.cells if barred & _BITS[cell]), None) if barred else None

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return where a grid point lies."""
        return _at(point, self.board.rows)

    def middle(self, cell: Cell) -> tuple[float, float]:
        """Return where a cell lies."""
        return _middle(cell, self.board.rows)

    def before(self, entrance: int, distance: float) -> tuple[float, float]:
        """Return a point on the shore so far before an entrance."""
        return _before(entrance, distance, self.board.columns, self.board.rows)

    def put(self, name: str, sprite: str, at: tuple[float, float], layer: int, label: str = "") -> None:
        """Add a piece."""
        self.pieces.append(_piece(name, sprite, at, layer, label))

    def say(self, key: str, **values: str | int | Text) -> str:
        """Return words in the viewer's language."""
        return self.look.say(f"trypsylon.{key}", **values)

    # --- frame and cards

    def draw_frame(self) -> None:
        """Add the shores."""
        beach = 0 if shore_of(self.state, 0) == "beach" else 1
        self.pieces += _frame(self.board.columns, self.board.rows, beach)

    def draw_cards(self) -> None:
        """Add holes, cards with the ends of their diagonals, and landings on live points (T11)."""
        board, rows = self.board, self.board.rows
        for cell in board.cells:
            if cell in board.holes:
                self.put(f"hole-{cell_text(_code(cell))}", "hole", self.middle(cell), _HOLE)
                continue
            direction = board.cards.get(cell, "")
            live = bool(direction) and board.end(cell) in board.live
            self.pieces += _card(self.cards[_code(cell)], direction, live, cell, rows)
        self.pieces += [_landing(point, rows) for point in sorted(board.landings())]

    def draw_path(self) -> None:
        """Light up the path that won, arm by arm from shore to shore."""
        if self.state[r.RESULT] not in (1, 2):
            return
        sides = "WE" if shore_of(self.state, int(self.state[r.RESULT]) - 1) == "beach" else "SN"
        path = self.board.path(sides)
        lit: dict[Cell, list[str]] = {cell: [] for kind, cell in path if kind == "card"}
        for (kind, at), (next_kind, next_at) in itertools.pairwise(path):
            if kind == next_kind == "card":
                step = (next_at[0] - at[0], next_at[1] - at[1])
                side = next(side for side, way in _STEPS.items() if way == step)
                lit[at].append(side)
                lit[next_at].append(_opposite(side))
            else:
                cell = at if kind == "card" else next_at
                lit[cell].append(self.board.cards[cell])
        for (kind, at), side in ((path[0], sides[0]), (path[-1], sides[1])):
            if kind == "card":
                lit[at].append(side)
        hubs = [self.middle(at) if kind == "card" else self.at(at) for kind, at in path]
        for number, at_hub in enumerate(hubs):
            self.put(f"glow-{number}", "lit-glow", at_hub, _LIGHT)
        for cell, sides_lit in lit.items():
            for side in sides_lit:
                name = f"lit-{cell_text(_code(cell))}-{side}"
                self.put(name, f"lit-{side.lower()}", self.middle(cell), _LIGHT)
        for number, at_hub in enumerate(hubs):
            self.put(f"hub-{number}", "lit-hub", at_hub, _LIGHT)

    def draw_marks(self) -> None:
        """Mark the card inserted last and where it came in; and that it is barred, when a card is to be taken."""
        barred = last = self.barred
        if self.look.last is not None and r.PUSHES <= self.look.last < r.BACK:
            entrance = (self.look.last - r.PUSHES) // 4
            last = _lane(entrance, self.board.columns, self.board.rows)[0]
            self.put("pushed", f"pushed-{SIDES[entrance // 6].lower()}", self.before(entrance, _ARROW), _SHORE)
        if last is not None and last in self.board.cards:
            self.put("last", "last", self.middle(last), _LAST)
        if barred in self.board.cards and self.must_take:
            x, y = self.middle(barred)
            self.put("barred", "barred", (x + _FREE[self.board.cards[barred]], y - 26), _MARK)

    # --- the hand, and what can be pointed at

    def draw_hand(self) -> None:
        """Add the cards in hand, and ways to turn a card and to put it back as long as that can be."""
        takes_back = self.state[r.TOUCH_MOVE] == 0
        left = (self.width - (503 if takes_back else 415)) / 2
        y = self.bottom + 44
        for number in range(2):
            at = (left + 40.5 + 89 * number, y)
            if number < len(self.hand):
                lifted = int(self.state[r.LIFTED])
                sprite = f"card-{DIRECTIONS[lifted - r.NE].lower()}" if lifted else "back"
                self.put(f"card-{self.hand[number][0]}", sprite, at, _CARD)
            elif self.state[r.RESULT] == 0:
                self.put(f"tray-{number}", "tray", at, _SHORE)
        if r.entrances(self.state):
            for number, direction in enumerate(DIRECTIONS):
                x = left + 211 + 59 * number
                self.put(f"turn-{direction}", f"turn-{direction.lower()}", (x, y), _BUTTON)
                spoken = self.say("place.direction", direction=_spoken(direction))
                self.places.append(place(direction, x, y, spoken, points=_box(28, 28)))
        if r.returnable(self.state):
            x = left + 465
            self.put("back", "back-button", (x, y), _BUTTON, self.say("scene.back"))
            self.places.append(place(PUT_BACK, x, y, self.say("place.back"), points=_box(38, 25)))

    def add_cells(self) -> None:
        """Add the cells as places."""
        board, language = self.board, self.look.language
        for cell in board.cells:
            if direction := board.cards.get(cell, ""):
                key = "barred" if cell == self.barred and self.must_take else "up"
                found = _cell(cell, board.rows, key, direction, board.end(cell) in board.live, language)
            else:
                found = _cell(cell, board.rows, "vacant" if cell in board.holes else "down", "", False, language)
            self.places.append(found)

    def draw_pushes(self) -> None:
        """Add an arrow at every entrance that the card in hand can be pushed in at (T7)."""
        ways = r.entrances(self.state)
        for entrance in range(24):
            if ways >> entrance & 1:
                token = entrance_text(entrance)
                at = self.before(entrance, _ARROW)
                self.put(f"push-{token}", f"push-{token[0].lower()}", at, _BUTTON)
                spoken = self.say(f"place.push.{token[0]}", line=token[1:])
                self.places.append(place(token, *at, spoken, radius=21))

    def facts(self) -> tuple[Fact, ...]:
        """Return who joins what, and what counts for double moves and the endgame."""
        down = r.face_down(self.state).bit_count()
        facts = [Fact(self.say("fact-down", n=down))]
        if self.must_take and not self.state[r.EXPERT] and down <= r.ENDGAME:
            facts.append(Fact(self.say("fact-endgame")))
        for seat in (0, 1):
            facts.append(Fact(self.say(f"fact-joins.{shore_of(self.state, seat)}"), seat))
            if seat == self.state[r.SEAT]:
                if self.hand:
                    facts.append(Fact(self.say("fact-hand", n=len(self.hand)), seat))
                if self.state[r.DOUBLE]:
                    facts.append(Fact(self.say("fact-double"), seat))
        return tuple(facts)


def _box(x: float, y: float) -> tuple[tuple[float, float], ...]:
    """Return the outline of a box that reaches so far from its middle."""
    return ((-x, -y), (x, -y), (x, y), (-x, y))


def _spoken(direction: str) -> Text:
    return text(f"trypsylon.direction.{direction}")


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
        stage.width,
        stage.height,
        tuple(stage.pieces),
        tuple(stage.places),
        stage.facts(),
        cell=(SIZE / 7, SIZE / 3),
    )
