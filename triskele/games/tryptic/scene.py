"""What TRYPTIC looks like: a tray of 61 hexes, five piles of glass tiles, a card for every seat.

On a seat's card lie its three pattern tiles, face down for those who may not know them. Under them are
its points, for those who may, or else the notebook: how many of the 75 patterns are still possible after
the wrong guesses, and these guesses, struck out.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.scene import Fact, Glyph, Look, Piece, Place, Scene, piece, place
from triskele.core.words import say, text
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.notation import (
    COLOUR_NAMES,
    COLOURS,
    NAMES,
    PATTERNS,
    colours_gone,
    has_chosen,
    is_in,
    wrong_guesses,
)

# A terminal's character covers 13 by 22.5 units; everything stands on the middle of one, so that lines read straight.
CELL = (13.0, 22.5)
PITCH = 4 * CELL[0]
ROW = 2 * CELL[1]
WIDTH = 43 * CELL[0]
MIDDLE = (21.5 * CELL[0], 10.5 * CELL[1])
"""Where hex e5 is."""
SUPPLY = 22.5 * CELL[1]
"""The height at which the piles stand."""
CARDS = 25 * CELL[1]
CARD = (266.0, 80.0, 21 * CELL[0], 4 * CELL[1])
"""Width and height of a seat's card, and the steps to the next one, across and down."""
BUTTON, HIDDEN_BUTTON = 18.5, 14.0
"""Where on a card the viewer's button is, and the place for a move that only another viewer makes there."""
MOST_PIPS = 12
"""A goal of more points than this is told as a number only."""
MOST_SLIPS = 3
"""Wrong guesses shown on a card; the words beside the board name them all."""

TURNS = (0.0, 60.0, -60.0)
"""How a run of three lies on each of the three lines through a hex."""

_LETTER_INKS = ("bold white on blue", "bold white on green", "bold white on red", "bold black on white")
_INKS = dict(zip(COLOURS, (*_LETTER_INKS, "bold black on yellow"), strict=True))
# A no-break space colours its cell; an ordinary one would let through what is below.
GLYPHS = {
    "tryptic-well": Glyph(("·",), "dim"),
    **{f"tryptic-{letter}": Glyph((f"\u00a0{letter}\u00a0",), ink) for letter, ink in _INKS.items()},
    **{f"tryptic-small-{letter}": Glyph((letter,), ink) for letter, ink in _INKS.items()},
    "tryptic-bare": Glyph(("-",), "dim"),
    "tryptic-back": Glyph(("*",)),
    "tryptic-slot": Glyph(("_",), "dim"),
    "tryptic-last": Glyph(("[ ]",), "bold"),
    "tryptic-disc-on": Glyph((">  ",), "bold"),
    "tryptic-disc-out": Glyph(("x  ",), "dim"),
    "tryptic-button": Glyph(("",), "bold cyan"),
    "tryptic-button-win": Glyph(("",), "bold yellow"),
    "tryptic-button-off": Glyph(("",), "dim"),
    "tryptic-wide": Glyph(("",), "bold cyan"),
    "tryptic-wide-off": Glyph(("",), "dim"),
    "tryptic-pip": Glyph(("●",), "yellow"),
    "tryptic-pip-off": Glyph(("○",), "dim"),
    "tryptic-slip": Glyph(("",), "dim"),
    "tryptic-more": Glyph(("",), "dim"),
    "tryptic-coord": Glyph(("",), "dim"),
}

_HEXAGON = tuple(
    (round(30 * math.sin(math.pi / 3 * k), 2), round(-30 * math.cos(math.pi / 3 * k), 2)) for k in range(6)
)


def _box(width: float, height: float) -> tuple[tuple[float, float], ...]:
    x, y = width / 2, height / 2
    return ((-x, -y), (x, -y), (x, y), (-x, y))


@dataclass(frozen=True)
class Run:
    """Three neighbouring hexes on a line, by the middle one and the line's number."""

    middle: int
    line: int

    def hexes(self) -> tuple[int, int, int]:
        """Return the three hexes in order."""
        before, after = r.NEAR[self.middle, 4 * self.line + 1 : 4 * self.line + 3].tolist()
        return before, self.middle, after


_RUNS = tuple(Run(middle, line) for middle in range(r.HEXES) for line in range(3))
_RUN_HEXES = np.array([run.hexes() for run in _RUNS])
_PLACES = np.array([36, 6, 1])
"""How much each cell of a run counts in ``PATTERN_OF``."""


def runs(state: State, pattern: int) -> list[Run]:
    """Return where a pattern stands on the board."""
    if not state[r.SHOWN + 1 + pattern]:
        return []
    cells = state[r.CELL : r.CELL + r.HEXES + 1][_RUN_HEXES]
    shown = r.PATTERN_OF[cells @ _PLACES] == pattern + 1
    return [_RUNS[number] for number in np.flatnonzero(shown).tolist()]


def identify(options: Options, state: State) -> tuple[int, ...]:
    """Number the tiles of each colour on the board from 1, in the order of the hexes; 0 for an empty hex.

    One number more is the hex of the tile placed last, here -1: the state does not tell.
    """
    seen = [0] * (r.COLOURS + 1)
    numbers = []
    for cell in state[r.CELL : r.CELL + r.HEXES].tolist():
        seen[cell] += 1
        numbers.append(seen[cell] if cell else 0)
    return (*numbers, -1)


def follow(options: Options, ids: tuple[int, ...], state: State, code: int) -> tuple[int, ...]:
    """Give a tile just placed the number of the one that lay on top of its pile."""
    if not r.PLACE <= code < r.CHALLENGE:
        return ids
    colour, target = divmod(code - r.PLACE, r.HEXES)
    return (*ids[:target], int(state[r.USED + colour]) + 1, *ids[target + 1 : r.HEXES], target)


def at(row: int, number: float) -> tuple[float, float]:
    """Return where a hex is, by its row from 0 and its number; off the board too."""
    return MIDDLE[0] + (number - 5 - (row - 4) / 2) * PITCH, MIDDLE[1] - (row - 4) * ROW


_AT = tuple(at(row, number) for row, (low, high) in enumerate(r.ROWS) for number in range(low, high + 1))


def scene(look: Look) -> Scene:
    """Return what a seat, or a spectator, sees of a position."""
    state = look.state
    lines = (int(state[r.PLAYERS]) + 1) // 2
    return Scene(
        game="tryptic",
        width=WIDTH,
        height=CARDS + lines * CARD[3] + 2,
        pieces=(*_board(look), *_supply(look), *_cards(look)),
        places=(*_hex_places(look), *_supply_places(look), *_card_places(look)),
        facts=tuple(_facts(look)),
        cell=CELL,
    )


# --- the board ----------------------------------------------------------------------------------


def _static() -> tuple[Piece, ...]:
    """Return the tray, the coordinates and the empty board."""
    pieces = [piece("tray", "tryptic-tray", *MIDDLE)]
    near = 0.8
    for row, (low, _) in enumerate(r.ROWS):
        x, y = at(row, low - near)
        pieces.append(piece(f"row-{row}", "tryptic-coord", x, y, layer=1, label=chr(ord("a") + row)))
    for number in range(1, 10):
        row = max(0, number - 5)
        (x, y), (below_x, below_y) = at(row, number), at(row - 1, number)
        x, y = x + (below_x - x) * near, y + (below_y - y) * near
        pieces.append(piece(f"number-{number}", "tryptic-coord", x, y, layer=1, label=str(number)))
    pieces += [piece(f"hex-{name}", "tryptic-well", *_AT[i], layer=1) for i, name in enumerate(NAMES)]
    return tuple(pieces)


_STATIC = _static()


def _shown_pattern(look: Look) -> int | None:
    """Return the pattern whose runs are marked for this viewer: the winner's at the end, else the own."""
    state = look.state
    won = state[r.STAGE] == r.ENDED and state[r.REASON] == r.POINTS
    seat = int(state[r.WINNERS]).bit_length() - 1 if won else look.seat
    if seat is None or not state[r.PATTERN + seat]:
        return None
    return int(state[r.PATTERN + seat]) - 1


def _board(look: Look) -> list[Piece]:
    state = look.state
    pieces = list(_STATIC)
    cells = state[r.CELL : r.CELL + r.HEXES].tolist()
    pieces += [_tile(cell, look.ids[i], i) for i, cell in enumerate(cells) if cell]
    last: int = look.ids[r.HEXES]
    if last >= 0:
        pieces.append(piece("last", "tryptic-last", *_AT[last], layer=4))
    pattern = _shown_pattern(look)
    for run in () if pattern is None else runs(state, pattern):
        sprite = "tryptic-fresh" if last in run.hexes() else "tryptic-mine"
        (x, y), name = _AT[run.middle], f"run-{NAMES[run.middle]}-{run.line}"
        pieces.append(piece(name, sprite, x, y, turn=TURNS[run.line], layer=5))
    return pieces


@functools.lru_cache(maxsize=20_000)
def _tile(cell: int, number: int, i: int) -> Piece:
    letter = COLOURS[cell - 1]
    return piece(f"tile-{letter}{number}", f"tryptic-{letter}", *_AT[i], layer=3)


def _hex_places(look: Look) -> list[Place]:
    cells = look.state[r.CELL : r.CELL + r.HEXES].tolist()
    return [_hex_place(i, cell, look.language) for i, cell in enumerate(cells)]


@functools.cache
def _hex_place(i: int, cell: int, language: str) -> Place:
    content = text(f"tryptic.{COLOUR_NAMES[cell - 1]}" if cell else "tryptic.empty")
    spoken = say(text("tryptic.place-hex", hex=NAMES[i], content=content), language)
    return Place(NAMES[i], *_AT[i], name=spoken, points=_HEXAGON)


# --- the piles and the end of the turn ------------------------------------------------------------


def _pile_x(colour: int) -> float:
    return (3.5 + 5 * colour) * CELL[0]


_END_X = 36.5 * CELL[0]


def _supply(look: Look) -> list[Piece]:
    state = look.state
    pieces = []
    gone = colours_gone(state)
    for colour, letter in enumerate(COLOURS):
        x = _pile_x(colour)
        if colour in gone:
            pieces.append(piece(f"pile-{letter}", "tryptic-bare", x, SUPPLY, layer=1))
        else:
            top = int(state[r.USED + colour]) + 1
            pieces.append(piece(f"pile-{letter}", f"tryptic-pile-{letter}", x, SUPPLY, layer=1))
            pieces.append(piece(f"tile-{letter}{top}", f"tryptic-{letter}", x, SUPPLY, layer=3))
        pieces.append(piece(f"letter-{letter}", "tryptic-letter", x, SUPPLY + ROW, layer=1, label=letter))
    if _is_on(state):
        ready = state[r.TURN] == look.seat and (state[r.STAGE] == r.PLACED or not state[r.EMPTY])
        sprite = "tryptic-wide" if ready else "tryptic-wide-off"
        pieces.append(piece("end", sprite, _END_X, SUPPLY, layer=1, label=look.say(_end_key(state))))
    return pieces


def _is_on(state: State) -> bool:
    return bool(state[r.STAGE] not in (r.CHOOSING, r.ENDED))


def _end_key(state: State) -> str:
    return "tryptic.pass" if state[r.STAGE] == r.OPEN and not state[r.EMPTY] else "tryptic.end-turn"


def _supply_places(look: Look) -> list[Place]:
    gone = colours_gone(look.state)
    places = [_pile_place(colour, colour in gone, look.language) for colour in range(r.COLOURS)]
    if _is_on(look.state):
        places.append(place(".", _END_X, SUPPLY, look.say(_end_key(look.state)), points=_box(136, 44)))
    return places


@functools.cache
def _pile_place(colour: int, gone: bool, language: str) -> Place:
    key = "tryptic.place-none-left" if gone else "tryptic.place-tile"
    spoken = say(text(key, colour=text(f"tryptic.{COLOUR_NAMES[colour]}")), language)
    return Place(COLOURS[colour], _pile_x(colour), SUPPLY, spoken, points=_HEXAGON)


# --- the seats' cards -----------------------------------------------------------------------------


def _corner(seat: int) -> tuple[float, float]:
    """Return the upper left corner of a seat's card."""
    down, across = divmod(seat, 2)
    return 10.0 + across * CARD[2], CARDS + down * CARD[3]


def _on_card(seat: int, cells: float, line: int) -> tuple[float, float]:
    """Return a point on a seat's card: characters of a terminal from its left, first or second line."""
    _, y = _corner(seat)
    return (cells + seat % 2 * 21) * CELL[0], y + (27.0, 62.0)[line]


def _cards(look: Look) -> list[Piece]:
    return [piece for seat in range(look.state[r.PLAYERS]) for piece in _card(look, seat)]


def _card(look: Look, seat: int) -> list[Piece]:
    state = look.state
    x, y = _corner(seat)
    x, y = x + CARD[0] / 2, y + CARD[1] / 2
    pieces = [piece(f"card-{seat}", "tryptic-own" if seat == look.seat else "tryptic-card", x, y)]
    if state[r.STAGE] == r.ENDED and state[r.WINNERS] >> seat & 1:
        pieces.append(piece(f"won-{seat}", "tryptic-won", x, y, layer=1))
    disc = "tryptic-disc"
    if not is_in(state, seat):
        disc = "tryptic-disc-out"
    elif state[r.STAGE] != r.ENDED and state[r.TURN] == seat:
        disc = "tryptic-disc-on"
    pieces.append(piece(f"seat-{seat}", disc, *_on_card(seat, 2.5, 0), layer=2, label=str(seat + 1)))
    for i, sprite in enumerate(_pattern_sprites(state, seat)):
        pieces.append(piece(f"pattern-{seat}-{i}", sprite, *_on_card(seat, 5.5 + 2 * i, 0), layer=3))
    if _is_on(state) and is_in(state, seat):
        pieces += _buttons(look, seat)
    return pieces + (_points(state, seat) if state[r.PATTERN + seat] else _notebook(state, seat))


def _pattern_sprites(state: State, seat: int) -> list[str]:
    if pattern := int(state[r.PATTERN + seat]):
        return [f"tryptic-small-{letter}" for letter in PATTERNS[pattern - 1]]
    return ["tryptic-back" if has_chosen(state, seat) else "tryptic-slot"] * 3


def _buttons(look: Look, seat: int) -> list[Piece]:
    """Return the button that this viewer has on a seat's card: to announce on the own, to challenge on the others'."""
    state = look.state
    if look.seat is None or not is_in(state, look.seat):
        return []
    if seat == look.seat:
        label = f"!{seat + 1}"
        sprite = "tryptic-button-win" if r.has_points(state, seat) else "tryptic-button-off"
    else:
        label = f"?{seat + 1}"
        free = state[r.TURN] == look.seat and state[r.STAGE] != r.CHALLENGED
        sprite = "tryptic-button" if free else "tryptic-button-off"
    return [piece(f"button-{label}", sprite, *_on_card(seat, BUTTON, 0), layer=2, label=label)]


def _points(state: State, seat: int) -> list[Piece]:
    """Return the points of a seat whose pattern this viewer knows: as a number and, for a small goal, as pips."""
    have, goal = r.points(state, seat), int(state[r.GOAL])
    pieces = [piece(f"count-{seat}", "tryptic-count", *_on_card(seat, 3, 1), layer=2, label=f"{have}/{goal}")]
    for i in range(goal if goal <= MOST_PIPS else 0):
        sprite = "tryptic-pip" if i < have else "tryptic-pip-off"
        pieces.append(piece(f"pip-{seat}-{i}", sprite, *_on_card(seat, 6.5 + i, 1), layer=2))
    return pieces


def _notebook(state: State, seat: int) -> list[Piece]:
    """Return what past challenges have ruled out for a seat (nothing before patterns are chosen)."""
    if state[r.STAGE] == r.CHOOSING:
        return []
    wrong = wrong_guesses(state, seat)
    left = f"{r.PATTERNS - len(wrong)}/{r.PATTERNS}"
    pieces = [
        piece(f"notes-{seat}", "tryptic-notes", *_on_card(seat, 2.5, 1), layer=2),
        piece(f"count-{seat}", "tryptic-count", *_on_card(seat, 4.9, 1), layer=2, label=left),
    ]
    for i, guess in enumerate(wrong[:MOST_SLIPS]):
        x, y = _on_card(seat, 9 + 4 * i, 1)
        pieces.append(piece(f"slip-{seat}-{guess}", "tryptic-slip", x, y, layer=2, label=guess))
    if len(wrong) > MOST_SLIPS:
        pieces.append(piece(f"more-{seat}", "tryptic-more", *_on_card(seat, 20, 1), layer=2, label="…"))
    return pieces


def _card_places(look: Look) -> list[Place]:
    state = look.state
    seats = [seat for seat in range(state[r.PLAYERS] if _is_on(state) else 0) if is_in(state, seat)]
    return [found for seat in seats for found in _button_places(seat, seat == look.seat, look.language)]


@functools.cache
def _button_places(seat: int, own: bool, language: str) -> tuple[Place, Place]:
    challenge = say(text("tryptic.place-challenge", seat=seat + 1), language)
    announce = say(text("tryptic.place-announce", seat=seat + 1), language)
    # On the own card the button announces; anyone else's announcement has its place beside the button.
    first, second = (HIDDEN_BUTTON, BUTTON) if own else (BUTTON, HIDDEN_BUTTON)
    return (
        Place(f"?{seat + 1}", *_on_card(seat, first, 0), name=challenge, points=_box(48, 34)),
        Place(f"!{seat + 1}", *_on_card(seat, second, 0), name=announce, points=_box(48, 34)),
    )


# --- in words -----------------------------------------------------------------------------------


def _facts(look: Look) -> list[Fact]:
    state = look.state
    facts = [fact for seat in range(state[r.PLAYERS]) for fact in _seat_facts(look, seat)]
    if gone := colours_gone(state):
        names = ", ".join(look.say(f"tryptic.{COLOUR_NAMES[colour]}") for colour in gone)
        facts.append(Fact(look.say("tryptic.fact-gone", colours=names)))
    if not state[r.EMPTY] and _is_on(state):
        facts.append(Fact(look.say("tryptic.fact-full")))
    return facts + _last_facts(look)


def _last_facts(look: Look) -> list[Fact]:
    """Tell what came of a challenge or a false announcement just made: the board does not show it."""
    if look.last is None or look.mover is None:
        return []
    if r.CHALLENGE <= look.last < r.END:
        seat, guess = divmod(look.last - r.CHALLENGE, r.PATTERNS)
        key = "tryptic.fact-guess-wrong" if is_in(look.state, seat) else "tryptic.fact-guess-right"
        return [Fact(look.say(key, by=look.mover + 1, seat=seat + 1, pattern=PATTERNS[guess]))]
    seat = look.last - r.ANNOUNCE
    if seat >= 0 and not is_in(look.state, seat):
        return [Fact(look.say("tryptic.fact-false", seat=seat + 1))]
    return []


def _seat_facts(look: Look, seat: int) -> list[Fact]:
    state = look.state
    if not has_chosen(state, seat):
        return [Fact(look.say("tryptic.fact-not-chosen"), seat)]
    facts = []
    if pattern := int(state[r.PATTERN + seat]):
        name = PATTERNS[pattern - 1]
        colours = ", ".join(look.say(f"tryptic.{COLOUR_NAMES[COLOURS.index(letter)]}") for letter in name)
        own = seat == look.seat and state[r.STAGE] != r.ENDED and is_in(state, seat)
        key = "own" if own else "known" if is_in(state, seat) else "out"
        facts.append(Fact(look.say(f"tryptic.fact-{key}", pattern=name, colours=colours), seat))
        facts += _point_facts(look, seat, pattern - 1, own)
    else:
        facts.append(Fact(look.say("tryptic.fact-chosen"), seat))
    wrong = wrong_guesses(state, seat)
    if state[r.STAGE] != r.CHOOSING and not pattern:
        facts.append(Fact(look.say("tryptic.fact-possible", n=r.PATTERNS - len(wrong)), seat))
    if wrong:
        facts.append(Fact(look.say("tryptic.fact-wrong", patterns=", ".join(wrong)), seat))
    return facts


def _point_facts(look: Look, seat: int, pattern: int, own: bool) -> list[Fact]:
    """Tell the points of a seat whose pattern this viewer knows, and where they come from."""
    state = look.state
    if state[r.STAGE] == r.CHOOSING:
        return []
    have, goal, change = r.points(state, seat), int(state[r.GOAL]), int(state[r.CHANGE + seat])
    facts = [Fact(look.say("tryptic.fact-points", n=have, goal=goal), seat)]
    if found := runs(state, pattern):
        ends = (run.hexes() for run in found)
        where = ", ".join(f"{NAMES[first]}-{NAMES[last]}" for first, _, last in ends)
        facts.append(Fact(look.say("tryptic.fact-where", where=where), seat))
    if change:
        facts.append(Fact(look.say("tryptic.fact-change", change=f"{change:+d}"), seat))
    if own and have >= goal:
        facts.append(Fact(look.say("tryptic.fact-announce", move=f"!{seat + 1}"), seat))
    return facts
