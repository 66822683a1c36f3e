"""What Conquest Tryad looks like: painted triangles, chits on them, and a tray for the dice and the pot."""

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triskele.core.contract import State
from triskele.core.scene import Fact, Glyph, Look, Piece, Place, Scene, Turning, piece, place
from triskele.games.conquest import board_queries as t
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.geometry import BOARD, BORDER, HOME, SETUPS, Point, corners, flat, turned
from triskele.games.conquest.moves import advantage_of, follower_of, triple_of
from triskele.games.conquest.story import told
from triskele.games.conquest.triples import partners, usual_triples

SIDE = 72.0
"""A field's side, in the scene's units."""
TALL = SIDE * math.sqrt(3) / 2
CELL = (SIDE / 12, TALL / 3)
"""One character of a terminal: a field is twelve across at its base and three down."""
MARGIN = (7 * CELL[0], 2 * CELL[1])
TRAY = 3 * CELL[1]

TURNS = (1, -1, 0, 0, 1)
"""How far each setup is turned, in sixths against the clock, to lie well: two as a diamond, one above
the other; three side by side; four and six with seat 1 below; the pyramid on its base."""

_MARKS = "●■◆✚★○"
_INKS = ("red", "blue", "green", "yellow", "magenta", "cyan")

_UP = ("     /\\     ", "   /    \\   ", " /________\\ ")
_DOWN = ("  ________  ", "\\          /", "  \\      /  ", "    \\  /    ", " ")

GLYPHS: dict[str, Glyph] = {
    **{f"conquest-tile-{seat + 1}-u": Glyph(_UP, "dim") for seat in range(r.SEATS)},
    **{f"conquest-tile-{seat + 1}-d": Glyph(_DOWN, "dim") for seat in range(r.SEATS)},
    **{f"conquest-token-{s + 1}": Glyph((f"{_MARKS[s]}    ",), f"bold {_INKS[s]}") for s in range(r.SEATS)},
    **{f"conquest-plaque-{s + 1}": Glyph((), f"bold {_INKS[s]}") for s in range(r.SEATS)},
    **{f"conquest-die-{s + 1}": Glyph(("/ \\",), f"bold {_INKS[s]}") for s in range(r.SEATS)},
    "conquest-die-0": Glyph(("/ \\",), "bold"),
    "conquest-die-wait": Glyph(("/?\\",), "dim"),
    "conquest-home-u": Glyph(("[ ]",)),
    "conquest-home-d": Glyph(("[ ]",)),
    "conquest-closed": Glyph(("#",), "bold"),
    "conquest-arrow": Glyph((), "bold"),
    "conquest-target-u": Glyph(("> <",), "bold"),
    "conquest-target-d": Glyph(("> <",), "bold"),
    "conquest-triple": Glyph(("t",), "yellow"),
    "conquest-pot": Glyph(("(     )",)),
}
"""Sprites as characters. A field shows its number in its middle row, in brackets if it is a home, and its
owner's mark and tokens in its wide row."""

_GROUND, _BOARDS, _TILES, _EDGES, _MARKINGS, _NUMBERS, _PILES, _CHITS, _SIGNS = range(9)


# How far from a field's tip its number and its chits lie, as shares of the way to its base. Piles grow
# downwards, which in a field that points down is towards the number.
_NUMBER_ALONE = 0.62
_NUMBER_UP, _NUMBER_DOWN = 0.36, 0.34
_CHIT_UP, _CHIT_DOWN = 0.68, 0.73


def _middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the middle of the box around points: for a triangle half way up, not where it balances."""
    xs, ys = zip(*points, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


class _BoardMap:
    """Where things lie in a setup."""

    def __init__(self, setup: int) -> None:
        kind, players = SETUPS[setup]
        self.fields = [[turned(corner, TURNS[setup]) for corner in field] for field in corners(kind, players)]
        points = [flat(corner) for field in self.fields for corner in field]
        self.left = min(x for x, _ in points)
        self.top = max(y for _, y in points)
        self.width = (max(x for x, _ in points) - self.left) * SIDE + 2 * MARGIN[0]
        self.height = (self.top - min(y for _, y in points)) * SIDE + 2 * MARGIN[1]
        self.outlines = [[self.at(corner) for corner in field] for field in self.fields]
        self.middles = [_middle(outline) for outline in self.outlines]
        # A field points up when two of its corners are in its lower row.
        rows = [[y for _, y in field] for field in self.fields]
        self.upright = [its.count(min(its)) == 2 for its in rows]
        seats = range(0, len(self.fields), BOARD)
        self.turning = self._turning(players)
        self.boards = [_middle([c for o in self.outlines[first : first + BOARD] for c in o]) for first in seats]

    def _turning(self, players: int) -> Turning:
        """Return how the boards can be turned: six make a ring; in each turn a home comes to lie lowest."""
        turns = tuple(60.0 * sixth for sixth in range(6)) if players == 6 else (0.0, 180.0)
        x, y = self.width / 2, self.height / 2
        homes = [self.middles[first + HOME] for first in range(0, len(self.fields), BOARD)]

        def depth(home: tuple[float, float], degrees: float) -> float:
            angle = math.radians(degrees)
            return round((home[0] - x) * math.sin(angle) + (home[1] - y) * math.cos(angle), 3)

        seats = tuple(max(turns, key=lambda degrees: depth(home, degrees)) for home in homes)
        return Turning(x, y, self.width, self.height, turns, seats)

    def at(self, point: Point) -> tuple[float, float]:
        """Return where a corner is drawn."""
        x, y = flat(point)
        return (x - self.left) * SIDE + MARGIN[0], (self.top - y) * SIDE + MARGIN[1]

    def spot(self, field: int, depth: float) -> tuple[float, float]:
        """Return the point of a field so far from its tip towards its base, as a share of the way."""
        x, y = self.middles[field]
        return x, y + (depth - 0.5) * TALL * (1 if self.upright[field] else -1)

    def border(self, one: int, other: int) -> tuple[float, float, float]:
        """Return the middle of a shared side, and the turn of what points right from one field to the other."""
        first, second = sorted(set(self.fields[one]) & set(self.fields[other]))
        (ax, ay), (bx, by) = self.at(first), self.at(second)
        (ox, oy), (gx, gy) = self.spot(one, 2 / 3), self.spot(other, 2 / 3)
        return (ax + bx) / 2, (ay + by) / 2, round(math.degrees(math.atan2(gy - oy, gx - ox))) % 360

    def shape(self, field: int) -> str:
        """Return the ending of the names of sprites for this field: ``u`` or ``d``."""
        return "u" if self.upright[field] else "d"


@functools.cache
def _board_map(setup: int) -> _BoardMap:
    return _BoardMap(setup)


def scene(look: Look) -> Scene:
    """Return what everybody sees: the game is open."""
    board_map = _board_map(t.setup_of(look.options))
    pieces = [
        *_boards(board_map),
        *_fields(board_map, look.state),
        *_repulses(board_map, look.state),
        *_attack(board_map, look.state),
        *_triples(board_map, look.state),
        *_last(board_map, look),
        *_tray(board_map, look),
    ]
    return Scene(
        game="conquest",
        width=board_map.width,
        height=board_map.height + TRAY,
        pieces=tuple(pieces),
        places=tuple(_places(board_map, look, board_map.middles)),
        facts=tuple(_facts(look)),
        cell=CELL,
        turning=board_map.turning,
        told=told(look),
    )


def ground(look: Look) -> Scene:
    """Return the boards without tokens. The numbers are where tokens do not hide them."""
    board_map = _board_map(t.setup_of(look.options))
    state = look.state.copy()
    state[r.ON : r.ON + len(board_map.fields)] = 0
    bare = replace(look, state=state)
    pieces = [*_boards(board_map), *_fields(board_map, state, beside=True)]
    places = tuple(_places(board_map, bare, [_chit(board_map, field) for field in range(len(board_map.fields))]))
    return Scene("conquest", board_map.width, board_map.height, tuple(pieces), places, cell=CELL)


# --- the boards -----------------------------------------------------------------------------------


def _boards(board_map: _BoardMap) -> Iterator[Piece]:
    for first in range(0, len(board_map.fields), BOARD):
        seat = first // BOARD + 1
        x, y = board_map.boards[seat - 1]
        # The apex field lies in a board as the board lies on the table.
        shape = board_map.shape(first)
        yield piece(f"ground{seat}", f"conquest-ground-{shape}", x, y, layer=_GROUND, on_turn="turn")
        yield piece(f"board{seat}", f"conquest-board-{shape}", x, y, layer=_BOARDS, on_turn="turn")
        yield piece(f"edge{seat}", f"conquest-edge-{shape}", x, y, layer=_EDGES, on_turn="turn")
        # Where the tips of six fields meet, above or below the home: a little off, to be in one line of text.
        home = first + HOME
        tip = board_map.spot(home, 0.0)
        yield piece(f"plaque{seat}", f"conquest-plaque-{seat}", tip[0], tip[1] - 0.5, layer=_SIGNS, label=str(seat))


def _chit(board_map: _BoardMap, field: int) -> tuple[float, float]:
    """Return where the chits on a field lie."""
    return board_map.spot(field, _CHIT_UP if board_map.upright[field] else _CHIT_DOWN)


def _fields(board_map: _BoardMap, state: State, *, beside: bool = False) -> Iterator[Piece]:
    """Draw the fields; ``beside``: all numbers as if there were tokens beside them."""
    for field in range(len(board_map.fields)):
        name, shape = t.NAMES[field], board_map.shape(field)
        x, y = board_map.middles[field]
        board, owner, tokens = field // BOARD, t.owner_of(state, field), t.tokens_on(state, field)
        number = t.number_of(state, field)
        yield piece(f"tile-{name}", f"conquest-tile-{board + 1}-{shape}", x, y, layer=_TILES, on_turn="turn")
        if owner >= 0:
            yield piece(f"held-{name}", f"conquest-held-{owner + 1}-{shape}", x, y, layer=_TILES, on_turn="turn")
        if field % BOARD == HOME:
            sprite = f"conquest-home-{shape}"
            yield piece(f"home-{name}", sprite, x, y, layer=_MARKINGS, on_turn="turn")
        sprite = "conquest-number" if owner < 0 else "conquest-number-held"
        nx, ny = board_map.spot(
            field, _NUMBER_ALONE if owner < 0 and not beside else _NUMBER_UP if shape == "u" else _NUMBER_DOWN
        )
        yield piece(f"number-{name}", sprite, nx, ny, layer=_NUMBERS, label=str(number))
        if owner >= 0:
            tx, ty = _chit(board_map, field)
            if tokens > 1:
                pile = f"conquest-pile-{owner + 1}-{2 if tokens < 5 else 3}"
                yield piece(f"pile-{name}", pile, tx, ty, layer=_PILES)
            yield piece(f"token-{name}", f"conquest-token-{owner + 1}", tx, ty, layer=_CHITS, label=str(tokens))


# --- what is going on -----------------------------------------------------------------------------


def _repulses(board_map: _BoardMap, state: State) -> Iterator[Piece]:
    """Show on a border how often attacks across it were repulsed this turn; three close it (C10)."""
    for field, slot, count in t.repulses(state):
        source = int(BORDER[state[r.SETUP], field, slot])
        x, y, turn = board_map.border(source, field)
        sprite = "conquest-closed" if count == odds.REPULSES else f"conquest-repulse-{count}"
        border = f"repulse-{t.NAMES[source]}-{t.NAMES[field]}"
        yield piece(border, sprite, x, y, turn=turn, layer=_SIGNS, on_turn="turn")


def _attack(board_map: _BoardMap, state: State) -> Iterator[Piece]:
    """Show the attack under way: where it goes, and how many tokens come from where."""
    if int(state[r.PHASE]) not in (r.DEFEND, r.BATTLE, r.FOLLOW):
        return
    target = int(state[r.TARGET])
    x, y = board_map.middles[target]
    yield piece("target", f"conquest-target-{board_map.shape(target)}", x, y, layer=_MARKINGS, on_turn="turn")
    for source, tokens in t.sources_of(int(state[r.SETUP]), target, int(state[r.SPLIT])):
        x, y, turn = board_map.border(source, target)
        arrow = f"arrow-{t.NAMES[source]}"
        yield piece(arrow, "conquest-arrow", x, y, turn=turn, layer=_SIGNS, label=str(tokens), on_turn="turn")


def _triples(board_map: _BoardMap, state: State) -> Iterator[Piece]:
    """Point out the fields of which triples can be made now (C6)."""
    if int(state[r.PHASE]) == r.REINFORCE:
        for field in partners(state):
            x, y = board_map.spot(field, 0.865)
            yield piece(f"triple-{t.NAMES[field]}", "conquest-triple", x + 0.31 * SIDE, y, layer=_MARKINGS)


def _touched(setup: int, code: int) -> tuple[int, ...]:
    """Return the fields that a move put tokens on or took them from."""
    if r.HOME_TOKEN <= code < r.ATTACKS:
        return (code - r.HOME_TOKEN,)
    if r.TRIPLE_TOKENS <= code < r.FOLLOWING:
        return (triple_of(setup, code)[1],)
    if r.FOLLOWING <= code < r.ADVANTAGES:
        return (follower_of(code)[0],)
    return advantage_of(setup, code)[:2] if code >= r.ADVANTAGES else ()


def _last(board_map: _BoardMap, look: Look) -> Iterator[Piece]:
    """Show what the last move touched: its fields, or the field whose battle it settled."""
    if look.last is None or look.before is None:
        return
    fields = _touched(t.setup_of(look.options), look.last)
    if int(look.before[r.PHASE]) == r.BATTLE and int(look.state[r.PHASE]) != r.BATTLE:
        fields = (int(look.before[r.TARGET]),)
    for field in fields:
        x, y = board_map.middles[field]
        last = f"conquest-last-{board_map.shape(field)}"
        yield piece(f"last-{t.NAMES[field]}", last, x, y, layer=_MARKINGS, role="trace", on_turn="turn")


# --- the tray -------------------------------------------------------------------------------------


def _rolling(look: Look) -> tuple[State, list[int]] | None:
    """Return the attack whose dice lie in the tray and its dice: the one under way, or the one just settled."""
    if int(look.state[r.PHASE]) == r.BATTLE:
        return look.state, t.dice_of(look.state)
    if look.before is not None and look.last is not None and int(look.before[r.PHASE]) == r.BATTLE:
        return look.before, [*t.dice_of(look.before), look.last + 1]
    return None


def _tray(board_map: _BoardMap, look: Look) -> Iterator[Piece]:
    """Lay out the dice and the pot below the boards."""
    y = board_map.height + TRAY / 2 - CELL[1]
    step = 6 * CELL[0]
    x = MARGIN[0]
    state = look.state
    battle = _rolling(look)
    if int(state[r.PHASE]) == r.INITIATIVE:
        for seat in range(r.SEATS):
            if state[r.ROLLING] >> seat & 1:
                roll = int(state[r.ROLLS]) >> 3 * seat & 7
                yield _die(f"initiative{seat + 1}", seat, roll, x, y)
                x += step
    elif battle:
        fought, dice = battle
        attackers = int(r.SPLITS[fought[r.SPLIT]].sum())
        defender = t.owner_of(fought, int(fought[r.TARGET]))
        for index in range(attackers + max(1, int(fought[r.DEFENCE]))):
            seat = int(fought[r.SEAT]) if index < attackers else defender
            if index == attackers:
                x += step / 2
            yield _die(f"die{index + 1}", seat, dice[index] if index < len(dice) else 0, x, y)
            x += step
        if defender < 0:
            number = t.number_of(fought, int(fought[r.TARGET]))
            yield piece("plus", "conquest-plus", x, y, layer=_SIGNS, label=f"+{number}")
    elif int(state[r.PHASE]) == r.REINFORCE:
        # What is in hand is to be seen, and can be dragged to a field.
        token = f"conquest-token-{int(state[r.SEAT]) + 1}"
        if left := t.home_tokens_left(state):
            yield piece("hand", token, x + step / 2, y, layer=_CHITS, label=str(left), role="hand")
        if given := _given_by_triples(state):
            at = _triple_spot(board_map)
            yield piece("triples", token, *at, layer=_CHITS, label=given)
            yield piece("triples-mark", "conquest-triple", at[0] + 11, at[1] - 11, layer=_SIGNS)
    yield piece("pot", "conquest-pot", board_map.width - MARGIN[0] - step / 2, y, layer=_CHITS, label=str(state[r.POT]))


def _triple_spot(board_map: _BoardMap) -> tuple[float, float]:
    """Return where the tokens lie that triples can give: in the tray, beside those of the home."""
    return MARGIN[0] + 12 * CELL[0], board_map.height + TRAY / 2 - CELL[1]


def _given_by_triples(state: State) -> str:
    """Return how many tokens a triple gives now: one number, or the lowest and the highest; empty without a triple."""
    given = sorted({min(t.number_of(state, f), int(state[r.PURSES + state[r.SEAT]])) for f in partners(state)})
    return "–".join(str(number) for number in dict.fromkeys((*given[:1], *given[-1:])))


def _die(name: str, seat: int, roll: int, x: float, y: float) -> Piece:
    sprite = f"conquest-die-{seat + 1}" if roll else "conquest-die-wait"
    return piece(name, sprite, x, y, layer=_CHITS, label=str(roll) if roll else "", role="die")


# --- in words -------------------------------------------------------------------------------------


def _places(board_map: _BoardMap, look: Look, spots: Sequence[tuple[float, float]]) -> Iterator[Place]:
    """Return a place for each field, with its shape around a spot of it."""
    for field, (x, y) in enumerate(spots):
        outline = tuple((cx - x, cy - y) for cx, cy in board_map.outlines[field])
        yield place(t.NAMES[field], x, y, _name(look, field), points=outline)
    drops = usual_triples(look.state) if int(look.state[r.PHASE]) == r.REINFORCE else {}
    if drops:
        words = look.say("conquest.token.t")
        at = _triple_spot(board_map)
        yield place("t", *at, words, radius=2.8 * CELL[0], role="hand", action=words, drops=tuple(drops.values()))


def _name(look: Look, field: int) -> str:
    owner, tokens = t.owner_of(look.state, field), t.tokens_on(look.state, field)
    name, number = t.NAMES[field], t.number_of(look.state, field)
    if field % BOARD == HOME:
        name = look.say("conquest.place-home", field=name, seat=field // BOARD + 1)
    if owner < 0:
        return look.say("conquest.place-empty", field=name, number=number)
    return look.say("conquest.place-held", field=name, number=number, n=tokens, seat=owner + 1)


def _facts(look: Look) -> Iterator[Fact]:
    state = look.state
    yield Fact(look.say("conquest.fact-round", round=int(state[r.ROUND]), rounds=int(state[r.LIMIT])))
    yield Fact(look.say("conquest.fact-pot", n=int(state[r.POT])))
    battle = _rolling(look)
    if battle:
        yield Fact(_battle_in_words(look, *battle))
    for seat in range(int(state[r.PLAYERS])):
        purse = int(state[r.PURSES + seat])
        fields = t.held_by(state, seat)
        if state[r.IN] >> seat & 1:
            tokens = sum(t.tokens_on(state, field) for field in fields)
            yield Fact(look.say("conquest.fact-seat", purse=purse, n=tokens, fields=len(fields)), seat)
        else:
            yield Fact(look.say("conquest.fact-out", purse=purse), seat)


def _battle_in_words(look: Look, fought: State, dice: list[int]) -> str:
    target = int(fought[r.TARGET])
    attackers = int(r.SPLITS[fought[r.SPLIT]].sum())
    rolled = [", ".join(map(str, some)) or "?" for some in (dice[:attackers], dice[attackers:])]
    field = t.NAMES[target]
    if t.owner_of(fought, target) < 0:
        number = t.number_of(fought, target)
        return look.say("conquest.fact-empty", field=field, attack=rolled[0], against=rolled[1], number=number)
    return look.say("conquest.fact-battle", field=field, attack=rolled[0], defence=rolled[1])
