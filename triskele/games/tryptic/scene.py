"""What TRYPTIC looks like: a tray of 61 hexes, five piles of glass tiles, a card for every seat.

On a seat's card lie its three pattern tiles, face down for those who may not know them. Under them are
its points, for those who may, or else the notebook: how many of the 75 patterns are still possible after
the wrong guesses, and these guesses, struck out.
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.numbers import whole
from triskele.core.scene import Fact, Glyph, Look, Piece, Place, Scene, Turning, piece, place
from triskele.core.words import say, text
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.notation import (
    COLOUR_NAMES,
    colours_gone,
    guesses,
    has_chosen,
    is_in,
    wrong_bits,
)
from triskele.games.tryptic.texts import COLOURS, NAMES, PATTERNS

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
BUTTON, HIDDEN_BUTTON = 15.5, 2.5
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
_RUN_HEXES = tuple(run.hexes() for run in _RUNS)
_PATTERN_CELLS = tuple(tuple(colour + 1 for colour in colours) for colours in r.PATTERN_COLOURS.tolist())
"""What stands in the three cells of a run that shows a pattern."""


@functools.lru_cache(maxsize=2_000)
def _runs(cells: bytes, pattern: int) -> tuple[int, ...]:
    """Return where a pattern stands on the board, as numbers in ``_RUNS``; ``cells`` has the one off the board too."""
    first, middle, last = _PATTERN_CELLS[pattern]
    found = []
    for i, cell in enumerate(cells):
        if cell == middle:
            for number in range(3 * i, 3 * i + 3):
                before, _, after = _RUN_HEXES[number]
                if (cells[before], cells[after]) in ((first, last), (last, first)):
                    found.append(number)
    return tuple(found)


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


class _Sight:
    """What a viewer may know, as a list of the state's words: an array is several times as slow to look at."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.language = look.language
        self.viewer = look.seat
        self.words: list[int] = look.state.tolist()
        self.stage, self.turn = self.words[r.STAGE], self.words[r.TURN]
        self.over = self.stage == r.ENDED or look.over
        self.on = self.stage != r.CHOOSING and not self.over
        """Whether tiles are being placed."""
        self.seats = range(self.words[r.PLAYERS])
        self.cells = bytes(self.words[r.CELL : r.CELL + r.HEXES + 1])

    def has_in(self, seat: int) -> bool:
        """Whether a seat is still in."""
        return is_in(self.words, seat)

    def pattern(self, seat: int) -> int | None:
        """Return a seat's pattern if this viewer knows it."""
        return self.words[r.PATTERN + seat] - 1 if self.words[r.PATTERN + seat] else None

    def points(self, seat: int, pattern: int) -> int:
        """Return the points of a seat with a pattern (P5, P7)."""
        return self.words[r.SHOWN + 1 + pattern] + self.words[r.CHANGE + seat]

    def runs(self, pattern: int) -> tuple[int, ...]:
        """Return where a pattern stands on the board, as numbers in ``_RUNS``."""
        return _runs(self.cells, pattern) if self.words[r.SHOWN + 1 + pattern] else ()


def scene(look: Look) -> Scene:
    """Return what a seat, or a spectator, sees of a position."""
    sight = _Sight(look)
    lines = (len(sight.seats) + 1) // 2
    return Scene(
        game="tryptic",
        width=WIDTH,
        height=CARDS + lines * CARD[3] + 2,
        pieces=(*_STATIC, *_tiles(sight.cells, look.ids), *_marks(sight), *_supply(sight), *_cards(sight)),
        places=(*_hex_places(sight.cells, look.language), *_supply_places(sight), *_card_places(sight)),
        facts=tuple(_facts(sight)),
        cell=CELL,
        turning=_turning(len(sight.seats)),
    )


def ground(look: Look) -> Scene:
    """Return the empty board alone, without piles and cards."""
    places = _hex_places(bytes(r.HEXES), look.language)
    return Scene("tryptic", WIDTH, 2 * MIDDLE[1], _STATIC, places, cell=CELL, turning=_turning(0))


@functools.cache
def _turning(seats: int) -> Turning:
    """Return how the board can be turned: it has six sides alike, and none belongs to a seat."""
    sixths = tuple(60.0 * sixth for sixth in range(6))
    return Turning(*MIDDLE, WIDTH, 2 * MIDDLE[1], turns=sixths, seats=(0.0,) * seats)


# What is below depends on little, is the same in scene after scene, and is made once.


# --- the board ----------------------------------------------------------------------------------


def _static() -> tuple[Piece, ...]:
    """Return the tray, the coordinates and the empty board."""
    pieces = [piece("tray", "tryptic-tray", *MIDDLE)]
    near = 0.8
    for row, (low, _) in enumerate(r.ROWS):
        x, y = at(row, low - near)
        pieces.append(piece(f"row-{row}", "tryptic-coord", x, y, layer=1, label=chr(ord("a") + row), role="coordinate"))
    for number in range(1, 10):
        row = max(0, number - 5)
        (x, y), (below_x, below_y) = at(row, number), at(row - 1, number)
        x, y = x + (below_x - x) * near, y + (below_y - y) * near
        label = str(number)
        pieces.append(piece(f"number-{label}", "tryptic-coord", x, y, layer=1, label=label, role="coordinate"))
    pieces += [piece(f"hex-{name}", "tryptic-well", *_AT[i], layer=1) for i, name in enumerate(NAMES)]
    return tuple(pieces)


_STATIC = _static()


def _shown_pattern(sight: _Sight) -> int | None:
    """Return the pattern whose runs are marked for this viewer: the winner's at the end, else the own."""
    words = sight.words
    won = sight.stage == r.ENDED and words[r.REASON] == r.POINTS
    seat = words[r.WINNERS].bit_length() - 1 if won else sight.viewer
    return None if seat is None else sight.pattern(seat)


@functools.lru_cache(maxsize=2_000)
def _tiles(cells: bytes, ids: tuple[int, ...]) -> tuple[Piece, ...]:
    return tuple(_tile(cell, ids[i], i) for i, cell in enumerate(cells) if cell)


@functools.lru_cache(maxsize=20_000)
def _tile(cell: int, number: int, i: int) -> Piece:
    letter = COLOURS[cell - 1]
    return piece(f"tile-{letter}{number}", f"tryptic-{letter}", *_AT[i], layer=3)


def _marks(sight: _Sight) -> list[Piece]:
    """Return what marks the tile placed last, and the runs of a pattern."""
    last: int = sight.look.ids[r.HEXES]
    pieces = [_last(last)] if last >= 0 else []
    pattern = _shown_pattern(sight)
    if pattern is not None:
        pieces += [_run(number, last in _RUN_HEXES[number]) for number in sight.runs(pattern)]
    return pieces


@functools.cache
def _last(i: int) -> Piece:
    return piece("last", "tryptic-last", *_AT[i], layer=4, role="trace")


@functools.cache
def _run(number: int, fresh: bool) -> Piece:
    run = _RUNS[number]
    name = f"run-{NAMES[run.middle]}-{run.line}"
    sprite = "tryptic-fresh" if fresh else "tryptic-mine"
    return piece(name, sprite, *_AT[run.middle], turn=TURNS[run.line], layer=5, on_turn="turn")


@functools.lru_cache(maxsize=2_000)
def _hex_places(cells: bytes, language: str) -> tuple[Place, ...]:
    return tuple(_hex_place(i, cell, language) for i, cell in enumerate(cells[: r.HEXES]))


@functools.cache
def _hex_place(i: int, cell: int, language: str) -> Place:
    content = text(f"tryptic.{COLOUR_NAMES[cell - 1]}" if cell else "tryptic.empty")
    spoken = say(text("tryptic.place-hex", hex=NAMES[i], content=content), language)
    return Place(NAMES[i], *_AT[i], name=spoken, points=_HEXAGON)


# --- the piles and the end of the turn ------------------------------------------------------------


def _pile_x(colour: int) -> float:
    return (3.5 + 5 * colour) * CELL[0]


_END_X = 36.5 * CELL[0]


def _supply(sight: _Sight) -> list[Piece]:
    words, gone = sight.words, colours_gone(sight.words)
    pieces: list[Piece] = []
    for colour in range(r.COLOURS):
        pieces += _pile(colour, None if colour in gone else words[r.USED + colour] + 1)
    if sight.on:
        ready = sight.turn == sight.viewer and (sight.stage == r.PLACED or not words[r.EMPTY])
        pieces.append(_end_button(_end_key(sight), ready, sight.language))
    return pieces


@functools.cache
def _pile(colour: int, top: int | None) -> tuple[Piece, ...]:
    """Return a pile with the number of the tile on top, or the bare table."""
    x, letter = _pile_x(colour), COLOURS[colour]
    name = piece(f"letter-{letter}", "tryptic-letter", x, SUPPLY + ROW, layer=1, label=letter)
    if top is None:
        return piece(f"pile-{letter}", "tryptic-bare", x, SUPPLY, layer=1), name
    pile = piece(f"pile-{letter}", f"tryptic-pile-{letter}", x, SUPPLY, layer=1)
    return pile, piece(f"tile-{letter}{top}", f"tryptic-{letter}", x, SUPPLY, layer=3), name


@functools.cache
def _end_button(key: str, ready: bool, language: str) -> Piece:
    sprite = "tryptic-wide" if ready else "tryptic-wide-off"
    return piece("end", sprite, _END_X, SUPPLY, layer=1, label=say(text(key), language))


def _end_key(sight: _Sight) -> str:
    return "tryptic.pass" if sight.stage == r.OPEN and not sight.words[r.EMPTY] else "tryptic.end-turn"


def _supply_places(sight: _Sight) -> list[Place]:
    gone = colours_gone(sight.words)
    places = [_pile_place(colour, colour in gone, sight.language) for colour in range(r.COLOURS)]
    if sight.on:
        places.append(_end_place(_end_key(sight), sight.language))
    return places


@functools.cache
def _end_place(key: str, language: str) -> Place:
    words = say(text(key), language)
    return place(".", _END_X, SUPPLY, words, points=_box(136, 44), action=words)


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


def _cards(sight: _Sight) -> list[Piece]:
    return [piece for seat in sight.seats for part in _card(sight, seat) for piece in part]


def _card(sight: _Sight, seat: int) -> Iterator[tuple[Piece, ...]]:
    words, pattern = sight.words, sight.pattern(seat)
    disc = "tryptic-disc"
    if not sight.has_in(seat):
        disc = "tryptic-disc-out"
    elif not sight.over and sight.turn == seat:
        disc = "tryptic-disc-on"
    won = sight.stage == r.ENDED and words[r.WINNERS] >> seat & 1 == 1
    chosen = has_chosen(words, seat) and sight.has_in(seat)
    yield _face(seat, seat == sight.viewer, won, disc, pattern, chosen)
    if sight.on and sight.has_in(seat):
        yield _buttons(sight, seat)
    if pattern is not None:
        yield _points(seat, sight.points(seat, pattern), words[r.GOAL])
    elif sight.stage != r.CHOOSING and sight.has_in(seat):
        yield _notebook(seat, wrong_bits(words, seat), sight.language)


@functools.lru_cache(maxsize=20_000)
def _face(seat: int, own: bool, won: bool, disc: str, pattern: int | None, chosen: bool) -> tuple[Piece, ...]:
    """Return a card with the seat's number and its pattern, known, face down or not chosen yet."""
    x, y = _corner(seat)
    x, y = x + CARD[0] / 2, y + CARD[1] / 2
    pieces = [piece(f"card-{seat}", "tryptic-own" if own else "tryptic-card", x, y)]
    if won:
        pieces.append(piece(f"won-{seat}", "tryptic-won", x, y, layer=1))
    pieces.append(piece(f"seat-{seat}", disc, *_on_card(seat, 2.5, 0), layer=2, label=str(seat + 1)))
    for i, sprite in enumerate(_pattern_sprites(pattern, chosen)):
        pieces.append(piece(f"pattern-{seat}-{i}", sprite, *_on_card(seat, 5.5 + 2 * i, 0), layer=3))
    return tuple(pieces)


def _pattern_sprites(pattern: int | None, chosen: bool) -> list[str]:
    if pattern is not None:
        return [f"tryptic-small-{letter}" for letter in PATTERNS[pattern]]
    return ["tryptic-back" if chosen else "tryptic-slot"] * 3


def _buttons(sight: _Sight, seat: int) -> tuple[Piece, ...]:
    """Return the button that this viewer has on a seat's card: to announce on the own, to challenge on the others'."""
    if sight.viewer is None or not sight.has_in(sight.viewer):
        return ()
    if seat != sight.viewer:
        free = sight.turn == sight.viewer and sight.stage != r.CHALLENGED
        return (_button("challenge", seat, "tryptic-button" if free else "tryptic-button-off", sight.language),)
    pattern = sight.pattern(seat)
    wins = pattern is not None and sight.points(seat, pattern) >= sight.words[r.GOAL]
    return (_button("announce", seat, "tryptic-button-win" if wins else "tryptic-button-off", sight.language),)


@functools.cache
def _button(key: str, seat: int, sprite: str, language: str) -> Piece:
    label = say(text(f"tryptic.card-{key}"), language)
    return piece(f"button-{seat}", sprite, *_on_card(seat, BUTTON, 0), layer=2, label=label)


@functools.lru_cache(maxsize=20_000)
def _points(seat: int, have: int, goal: int) -> tuple[Piece, ...]:
    """Return the points of a seat whose pattern this viewer knows: as a number and, for a small goal, as pips."""
    pieces = [piece(f"count-{seat}", "tryptic-count", *_on_card(seat, 3, 1), layer=2, label=f"{have}/{goal}")]
    for i in range(goal if goal <= MOST_PIPS else 0):
        sprite = "tryptic-pip" if i < have else "tryptic-pip-off"
        pieces.append(piece(f"pip-{seat}-{i}", sprite, *_on_card(seat, 6.5 + i, 1), layer=2))
    return tuple(pieces)


@functools.lru_cache(maxsize=20_000)
def _notebook(seat: int, wrong: int, language: str) -> tuple[Piece, ...]:
    """Return what past challenges have ruled out for a seat; ``wrong`` is a bit set of patterns."""
    left = say(text("tryptic.card-possible", n=r.PATTERNS - wrong.bit_count()), language)
    pieces = [
        piece(f"notes-{seat}", "tryptic-notes", *_on_card(seat, 2.5, 1), layer=2),
        piece(f"count-{seat}", "tryptic-count", *_on_card(seat, 6.5, 1), layer=2, label=left),
    ]
    for i, guess in enumerate(guesses(wrong)[:MOST_SLIPS]):
        x, y = _on_card(seat, 12 + 3 * i, 1)
        pieces.append(piece(f"slip-{seat}-{guess}", "tryptic-slip", x, y, layer=2, label=guess))
    if wrong.bit_count() > MOST_SLIPS:
        pieces.append(piece(f"more-{seat}", "tryptic-more", *_on_card(seat, 20.4, 1), layer=2, label="…"))
    return tuple(pieces)


def _card_places(sight: _Sight) -> list[Place]:
    seats = [seat for seat in sight.seats if sight.has_in(seat)] if sight.on else []
    return [found for seat in seats for found in _button_places(seat, seat == sight.viewer, sight.language)]


@functools.cache
def _button_places(seat: int, own: bool, language: str) -> tuple[Place, Place]:
    challenge = say(text("tryptic.place-challenge", seat=seat + 1), language)
    announce = say(text("tryptic.place-announce", seat=seat + 1), language)
    to_challenge = say(text("tryptic.action-challenge", player=f"{{{seat + 1}}}"), language)
    to_announce = say(text("tryptic.token.!"), language)
    # On the own card the button announces; anyone else's announcement has its place on the seat's number.
    shown, hidden = (BUTTON, _box(112, 34)), (HIDDEN_BUTTON, _box(24, 24))
    first, second = (hidden, shown) if own else (shown, hidden)
    return (
        Place(f"?{seat + 1}", *_on_card(seat, first[0], 0), name=challenge, points=first[1], action=to_challenge),
        Place(f"!{seat + 1}", *_on_card(seat, second[0], 0), name=announce, points=second[1], action=to_announce),
    )


# --- in words -----------------------------------------------------------------------------------


def _facts(sight: _Sight) -> list[Fact]:
    facts = [fact for seat in sight.seats for part in _seat_facts(sight, seat) for fact in part]
    if gone := colours_gone(sight.words):
        names = ", ".join(sight.look.say(f"tryptic.{COLOUR_NAMES[colour]}") for colour in gone)
        facts.append(Fact(sight.look.say("tryptic.fact-gone", colours=names)))
    if not sight.words[r.EMPTY] and sight.on:
        facts.append(Fact(sight.look.say("tryptic.fact-full")))
    return facts + _last_facts(sight)


def _last_facts(sight: _Sight) -> list[Fact]:
    """Tell what came of a challenge, a false announcement or a resignation just made: the board does not show it."""
    look = sight.look
    if look.last is None or look.mover is None:
        return []
    if r.CHALLENGE <= look.last < r.END:
        seat, guess = divmod(look.last - r.CHALLENGE, r.PATTERNS)
        verdict = "guess-wrong" if sight.has_in(seat) else "guess-right"
        words = look.say(f"tryptic.fact-{verdict}", by=look.mover + 1, seat=seat + 1, pattern=PATTERNS[guess])
        colours = _colour_words(guess, sight.language)
        named = look.say(f"tryptic.news-{verdict}", by=_player(look.mover), player=_player(seat), colours=colours)
        return [Fact(words, news=True, named=named)]
    if look.last >= r.GIVE_UP:
        return [Fact(look.say("tryptic.fact-gave-up", seat=look.last - r.GIVE_UP + 1))]
    seat = look.last - r.ANNOUNCE
    if seat >= 0 and not sight.has_in(seat):
        named = look.say("tryptic.news-false", player=_player(seat))
        return [Fact(look.say("tryptic.fact-false", seat=seat + 1), news=True, named=named)]
    return []


def _player(seat: int) -> str:
    """Return the sign for the name of a player, which a scene does not know."""
    return f"{{{seat + 1}}}"


def _colour_words(pattern: int, language: str) -> str:
    names = (COLOUR_NAMES[COLOURS.index(letter)] for letter in PATTERNS[pattern])
    return ", ".join(say(text(f"tryptic.{name}"), language) for name in names)


def _seat_facts(sight: _Sight, seat: int) -> Iterator[tuple[Fact, ...]]:
    words, pattern, language = sight.words, sight.pattern(seat), sight.language
    if pattern is None and not sight.has_in(seat):
        yield _plain_fact("never-chosen", seat, language)
        return
    if not has_chosen(words, seat):
        yield _plain_fact("not-chosen", seat, language)
        return
    wrong = wrong_bits(words, seat)
    if pattern is None:
        yield _plain_fact("chosen", seat, language)
        if sight.stage != r.CHOOSING:
            yield _possible_fact(seat, r.PATTERNS - wrong.bit_count(), language)
    else:
        own = seat == sight.viewer and not sight.over and sight.has_in(seat)
        key = "own" if own else "known" if sight.has_in(seat) else "out"
        yield _pattern_fact(key, seat, pattern, language)
        if sight.stage != r.CHOOSING:
            have, change = sight.points(seat, pattern), words[r.CHANGE + seat]
            yield _point_facts(seat, have, words[r.GOAL], change, sight.runs(pattern), own, language)
    if wrong:
        yield _wrong_fact(seat, wrong, language)


@functools.cache
def _plain_fact(key: str, seat: int, language: str) -> tuple[Fact, ...]:
    return (Fact(say(text(f"tryptic.fact-{key}"), language), seat),)


@functools.cache
def _possible_fact(seat: int, number: int, language: str) -> tuple[Fact, ...]:
    return (Fact(say(text("tryptic.fact-possible", n=number), language), seat),)


@functools.lru_cache(maxsize=5_000)
def _wrong_fact(seat: int, wrong: int, language: str) -> tuple[Fact, ...]:
    return (Fact(say(text("tryptic.fact-wrong", patterns=", ".join(guesses(wrong))), language), seat),)


@functools.lru_cache(maxsize=5_000)
def _pattern_fact(key: str, seat: int, pattern: int, language: str) -> tuple[Fact, ...]:
    colours = _colour_words(pattern, language)
    return (Fact(say(text(f"tryptic.fact-{key}", pattern=PATTERNS[pattern], colours=colours), language), seat),)


@functools.lru_cache(maxsize=5_000)
def _point_facts(
    seat: int, have: int, goal: int, change: int, runs: tuple[int, ...], own: bool, language: str
) -> tuple[Fact, ...]:
    """Tell the points of a seat whose pattern this viewer knows, and where they come from."""
    told = [text("tryptic.fact-points", n=have, points=whole(have), goal=goal)]
    if runs:
        ends = (_RUN_HEXES[number] for number in runs)
        where = ", ".join(f"{NAMES[first]}-{NAMES[last]}" for first, _, last in ends)
        told.append(text("tryptic.fact-where", where=where))
    if change:
        told.append(text("tryptic.fact-change", change=whole(change, signed=True)))
    if own and have >= goal:
        told.append(text("tryptic.fact-announce"))
    return tuple(Fact(say(words, language), seat) for words in told)
