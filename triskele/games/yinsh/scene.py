"""What YINSH looks like: a plate with six lobes, the star of lines on it, rings and markers.

Letters run to the right and numbers up, so that white sits at the bottom. The six corners that the
star lacks (Y1) are where rings go that were taken off, three a side.
"""

import functools
import itertools
import math
from dataclasses import replace

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.scene import Fact, Glyph, Look, Piece, PieceRole, Place, Scene, Turning, piece, place
from triskele.core.words import say, text
from triskele.games.yinsh import rules as r
from triskele.games.yinsh.notation import board, can_move
from triskele.games.yinsh.texts import NAMES

STEP = 44.0  # from a point to the next on a line
_ACROSS = STEP * math.sqrt(3) / 2  # from a column to the next
_CELL = (_ACROSS / 4, STEP / 2)
WIDTH, HEIGHT = 53 * _CELL[0], 574.0
_CENTRE = (WIDTH / 2, HEIGHT / 2)
_TURNING = Turning(*_CENTRE, WIDTH, HEIGHT, turns=(0.0, 180.0), seats=(0.0, 180.0))
_TURNS = (0.0, 120.0, 60.0)  # of the three ways, clockwise from upwards
_SLOT = 244.0  # from the centre to a place for a ring that was taken off
_WAITING = 27.0  # between rings that wait in the opening

# What lies on what.
_BOARD, _COORDINATE, _TRACE, _GLOW, _MARKER, _TURNED, _RING, _BUTTON = range(8)

_COLOURS = ("white", "black")
_WHAT = {".": "empty", "W": "ring.0", "B": "ring.1", "w": "marker.0", "b": "marker.1"}


def _at(letter: float, number: float) -> tuple[float, float]:
    """Return where a point lies, or would lie."""
    return _CENTRE[0] + (letter - 5) * _ACROSS, _CENTRE[1] - (number - 6 - (letter - 5) / 2) * STEP


AT = tuple(_at(letter, number) for letter, number in r.COORDINATES)
"""Where each point lies."""


def _terminal_board() -> Glyph:
    """Return the empty star in letters."""
    rows = [[" "] * 41 for _ in range(19)]
    for letter, number in r.COORDINATES:
        rows[9 - 2 * (number - 6) + letter - 5][4 * letter] = "·"
    return Glyph(tuple("".join(row) for row in rows), "dim")


GLYPHS = {
    "yinsh-board": _terminal_board(),
    "yinsh-coord": Glyph((), "dim"),
    "yinsh-slot": Glyph(("( )",), "dim"),
    "yinsh-ring-white": Glyph(("(○)",), "bold yellow"),
    "yinsh-ring-black": Glyph(("[■]",), "bold cyan"),
    "yinsh-marker-white": Glyph(("○",), "yellow"),
    "yinsh-marker-black": Glyph(("●",), "cyan"),
    "yinsh-from": Glyph(("-  ",), "dim"),
    "yinsh-turned": Glyph(("~  ",), "dim"),
    "yinsh-gone-marker": Glyph(("-  ",), "dim"),
    "yinsh-gone-ring": Glyph(("-  ",), "dim"),
    "yinsh-glow": Glyph(("« »",), "bold red"),
    "yinsh-pass": Glyph((), "bold"),
}


# --- rings off the board keep the order in which they were taken ----------------------------------


def identify(options: Options, state: State) -> tuple[int, ...]:
    """Return the rings that were taken off, as indices from 0 to 9, in some order."""
    if state[r.PHASE] == r.PLACING:
        return ()
    return tuple(ring for ring in range(2 * r.RINGS_EACH) if state[r.RING_AT + ring] < 0)


def follow(options: Options, ids: tuple[int, ...], state: State, code: int) -> tuple[int, ...]:
    """Return the rings that are off after a move, the last one taken at the end."""
    if not r.TAKE_RING <= code < r.PASS:
        return ids
    return (*ids, state[r.RING_AT : r.RING_AT + 2 * r.RINGS_EACH].tolist().index(code - r.TAKE_RING))


# --- the pieces -----------------------------------------------------------------------------------


def _slot(seat: int, index: int) -> tuple[float, float]:
    """Return a place for a ring taken off: black's three along the top, white's along the bottom."""
    angle = math.radians((-150, -90, -30)[index] if seat else (150, 90, 30)[index])
    return _CENTRE[0] + _SLOT * math.cos(angle), _CENTRE[1] + _SLOT * math.sin(angle)


def _slots(options: Options) -> tuple[int, ...]:
    """Return the places that can be filled, in order: one ring wins a blitz game (Y10)."""
    return (1,) if options["blitz"] else (0, 1, 2)


@functools.cache
def _board(blitz: bool) -> tuple[Piece, ...]:
    pieces = [piece("board", "yinsh-board", *_CENTRE, layer=_BOARD)]
    for seat, index in itertools.product((0, 1), _slots({"blitz": blitz})):
        pieces.append(piece(f"slot-{seat}-{index}", "yinsh-slot", *_slot(seat, index), layer=_BOARD))
    for letter, (low, _) in enumerate(r.COLUMNS):
        x, y = _at(letter, low)
        name = chr(ord("a") + letter)
        pieces.append(
            piece(f"coord-{name}", "yinsh-coord", x, y + 31, layer=_COORDINATE, label=name, role="coordinate")
        )
    for number in range(1, 12):
        letter = min(c for c, n in r.COORDINATES if n == number)
        x, y = _at(letter - 0.7, number)
        label = str(number)
        pieces.append(piece(f"coord-{label}", "yinsh-coord", x, y, layer=_COORDINATE, label=label, role="coordinate"))
    return tuple(pieces)


@functools.cache
def _places(language: str) -> tuple[dict[str, Place], ...]:
    """Return for each point the place it is, by what stands there."""
    return tuple({what: _place(point, what, language) for what in _WHAT} for point in range(r.POINTS))


def _place(point: int, what: str, language: str) -> Place:
    name = NAMES[point]
    spoken = say(text(f"yinsh.place.{_WHAT[what]}", point=name), language)
    return Place(name, *AT[point], spoken, radius=STEP / 2)


def _rings(look: Look, words: list[int]) -> list[Piece]:
    off: dict[int, int] = {}
    for ring in look.ids:
        off[ring] = sum(1 for other in off if other // r.RINGS_EACH == ring // r.RINGS_EACH)
    pieces = []
    for ring, point in enumerate(words[r.RING_AT : r.RING_AT + 2 * r.RINGS_EACH]):
        if point >= 0:
            pieces.append(_ring(ring, point))
        elif ring in off:
            pieces.append(_ring_off(ring, _slots(look.options)[off[ring]]))
        else:
            pieces.append(_ring_waiting(ring))
    return pieces


@functools.cache
def _ring(ring: int, point: int) -> Piece:
    return _ring_at(ring, *AT[point])


@functools.cache
def _ring_off(ring: int, slot: int) -> Piece:
    return _ring_at(ring, *_slot(ring // r.RINGS_EACH, slot))


@functools.cache
def _ring_waiting(ring: int) -> Piece:
    seat, number = divmod(ring, r.RINGS_EACH)
    x = WIDTH - 26 - _WAITING * (r.RINGS_EACH - 1 - number)
    return _ring_at(ring, x, HEIGHT - 27) if seat == 0 else _ring_at(ring, WIDTH - x, 27)


def _ring_at(ring: int, x: float, y: float) -> Piece:
    seat, number = divmod(ring, r.RINGS_EACH)
    return piece(f"ring-{seat}-{number}", f"yinsh-ring-{_COLOURS[seat]}", x, y, layer=_RING)


def _marker(point: int, colour: str) -> Piece:
    return piece(f"marker-{NAMES[point]}", f"yinsh-marker-{colour}", *AT[point], layer=_MARKER)


_MARKERS = tuple({"w": _marker(point, "white"), "b": _marker(point, "black")} for point in range(r.POINTS))
"""The markers that can lie on each point."""


def _takable(words: list[int]) -> list[tuple[int, int]]:
    """Return the rows that the one to act can take, each by its line and lowest bit."""
    found = []
    for line in range(r.LINES):
        marked, white = words[r.MARK + line], words[r.WHITE + line]
        lowest = r.five(marked & ~white if words[r.TURN] else white)
        found += [(line, bit) for bit in range(1, 11) if lowest >> bit & 1]
    return found


def _standing_for_rows(places: list[Place], rows: list[tuple[int, int]]) -> list[Place]:
    """Return the places, those in exactly one of the rows to take standing for taking it."""
    rows_of: dict[int, list[str]] = {}
    for line, bit in rows:
        ends = "-".join(NAMES[int(r.POINT[line, bit + k])] for k in (0, 4))
        for k in range(5):
            rows_of.setdefault(int(r.POINT[line, bit + k]), []).append(f"x{ends}")
    single = {point: moves[0] for point, moves in rows_of.items() if len(moves) == 1}
    return [replace(place, move=single[i]) if i in single else place for i, place in enumerate(places)]


def _rows(rows: list[tuple[int, int]]) -> list[Piece]:
    """Return the light under the rows that the one to act can take, and along them."""
    glowing: set[int] = set()
    bands: set[tuple[int, int]] = set()
    for line, bit in rows:
        glowing.update(int(r.POINT[line, bit + k]) for k in range(5))
        bands.update((line, bit + k) for k in range(4))
    pieces = []
    for line, bit in sorted(bands):
        first, second = int(r.POINT[line, bit]), int(r.POINT[line, bit + 1])
        pieces.append(_between(f"band-{NAMES[first]}-{NAMES[second]}", "yinsh-band", first, second, _TRACE))
    pieces += [piece(f"glow-{NAMES[p]}", "yinsh-glow", *AT[p], layer=_GLOW) for p in sorted(glowing)]
    return pieces


def _between(name: str, sprite: str, first: int, second: int, layer: int, role: PieceRole = "") -> Piece:
    """Return a piece as long as a step, between two neighbouring points."""
    (x1, y1), (x2, y2) = AT[first], AT[second]
    return piece(name, sprite, (x1 + x2) / 2, (y1 + y2) / 2, _TURNS[r.WAY[first, second]], layer, role=role)


def _traced(name: str, sprite: str, point: int, layer: int = _TRACE) -> Piece:
    """Return what shows the last move on a point."""
    return piece(name, sprite, *AT[point], layer=layer, role="trace")


def _trace(before: State, code: int) -> tuple[Piece, ...]:
    """Return what shows the last move: where from, which way, what turned over, what went."""
    if not r.MOVE <= code < r.TAKE_ROW:
        return _mark_of(code)
    pieces, line, along = _way(code)
    marked = int(before[r.MARK + line])
    return (*pieces, *(turned for bit, turned in along if marked & bit))


@functools.cache
def _mark_of(code: int) -> tuple[Piece, ...]:
    """Return what shows a move that is not a ring's."""
    if code < r.MOVE:
        return (_traced("trace-to", "yinsh-to", code),)
    if code >= r.PASS:
        return ()
    if code >= r.TAKE_RING:
        return (_traced("trace-gone", "yinsh-gone-ring", code - r.TAKE_RING),)
    line, bit = r.ROWS[code - r.TAKE_ROW]
    gone = [int(r.POINT[line, bit + k]) for k in range(5)]
    return tuple(_traced(f"trace-{NAMES[p]}", "yinsh-gone-marker", p) for p in gone)


@functools.cache
def _way(code: int) -> tuple[tuple[Piece, ...], int, tuple[tuple[int, Piece], ...]]:
    """Return a ring's way, the line it is on, and for each point its bit there and what shows that a marker turned."""
    origin, target = divmod(code - r.MOVE, r.POINTS)
    line = int(r.LINE[r.WAY[origin, target], origin])
    line_points = r.LINE_POINTS[line]
    low, high = sorted((line_points.index(origin), line_points.index(target)))
    along = line_points[low : high + 1]
    pieces = [_traced("trace-from", "yinsh-from", origin), _traced("trace-to", "yinsh-to", target)]
    for first, second in itertools.pairwise(along):
        pieces.append(_between(f"trace-{NAMES[first]}", "yinsh-path", first, second, _TRACE, "trace"))
    turned = [_traced(f"turned-{NAMES[p]}", "yinsh-turned", p, _TURNED) for p in along]
    bits = [1 << bit for bit in range(low + 1, high + 2)]
    return tuple(pieces), line, tuple(zip(bits, turned, strict=True))


def _facts(words: list[int], language: str) -> tuple[Fact, ...]:
    if words[r.PHASE] == r.PLACING:
        numbers = [r.RINGS_EACH - (words[r.PLACED] + 1 - seat) // 2 for seat in (0, 1)]
        return _said("waiting", words[r.POOL], *numbers, language)
    return _said("off", words[r.POOL], words[r.OFF], words[r.OFF + 1], language)


@functools.cache
def _said(key: str, pool: int, white: int, black: int, language: str) -> tuple[Fact, ...]:
    """Return how many markers are in the pool, and how many rings of each seat are waiting or off."""
    told = [Fact(say(text(f"yinsh.fact-{key}", n=n), language), seat) for seat, n in enumerate((white, black))]
    return (Fact(say(text("yinsh.fact-pool", n=pool), language)), *told)


def scene(look: Look) -> Scene:
    """Return a position of YINSH to draw."""
    words = look.state.tolist()
    shown = board(words).replace("/", "")
    pieces = list(_board(bool(look.options["blitz"])))
    places = list(map(dict.__getitem__, _places(look.language), shown))
    if look.before is not None and look.last is not None:
        pieces += _trace(look.before, look.last)
    if words[r.PHASE] == r.TAKING_ROW:
        rows = _takable(words)
        pieces += _rows(rows)
        places = _standing_for_rows(places, rows)
    pieces += filter(None, map(dict.get, _MARKERS, shown))
    pieces += _rings(look, words)
    if words[r.PHASE] == r.MOVING and not can_move(words, words[r.TURN]):
        x, y = 52.0, HEIGHT - 25
        label = look.say("yinsh.scene.pass")
        pieces.append(piece("pass", "yinsh-pass", x, y, layer=_BUTTON, label=label, on_turn="stay"))
        outline = ((-44.0, -17.0), (44.0, -17.0), (44.0, 17.0), (-44.0, 17.0))
        places.append(place("pass", x, y, look.say("yinsh.place.pass"), points=outline, on_turn="stay"))
    facts = _facts(words, look.language)
    return Scene("yinsh", WIDTH, HEIGHT, tuple(pieces), tuple(places), facts, cell=_CELL, turning=_TURNING)
