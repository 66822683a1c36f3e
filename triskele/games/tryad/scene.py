"""What Tryad looks like: painted triangles on wooden cards, a coin on every covered field, one die.

Coins show the number that they cover. Taken coins lie fanned out along the left side of their card,
each in its own slot, so that one can see it travel.
"""

import math
from collections.abc import Iterator

import numpy as np

from triskele.core.numbers import decimal, percent
from triskele.core.scene import Fact, Glyph, Look, Piece, Place, Scene, Turning, piece, place
from triskele.core.words import say, text
from triskele.games.tryad.card import FIELDS, ROWS, read_layout
from triskele.games.tryad.notation import ask, ending
from triskele.games.tryad.rules import (
    BINGO,
    CARDS,
    ENDED,
    FACES,
    FOURS,
    IN,
    MODE,
    PHASE,
    PLAYERS,
    PRACTICE,
    REASONS,
    ROLL,
    ROLL_OFF,
    SEAT,
    STAKE,
    TAKEN,
    TAKING,
    TIED,
    WINNERS,
    count_takes,
    reason,
    scores,
)
from triskele.games.tryad.solution import Odds, solve

SIDE = 72.0
"""The side of a small triangle."""
HEIGHT = SIDE * math.sqrt(3) / 2
LINE = HEIGHT / 2
"""The height of a line in a terminal: two for a row of fields, so that a row's fields come out in one line."""

_CELL = (360.0, 12 * LINE)
_APEX = (180.0, 1.5 * LINE)
_MIDDLE = (180.0, 1.5 * LINE + 8 / 3 * HEIGHT)
_PLAQUE = (180.0, 10.85 * LINE)
_DIE = (292.0, 2.6 * LINE)
_COMMON_DIE = (360.0, 2.6 * LINE)

_DOWN = ((0.0, HEIGHT * 2 / 3), (-SIDE / 2, -HEIGHT / 3), (SIDE / 2, -HEIGHT / 3))
_UP = ((0.0, -HEIGHT * 2 / 3), (SIDE / 2, HEIGHT / 3), (-SIDE / 2, HEIGHT / 3))

GLYPHS = {
    **{f"tryad-{way}-{number}": Glyph((), "dim") for way in ("up", "down") for number in range(1, FACES + 1)},
    **{f"tryad-coin-{stack}": Glyph(("( )",), "bold yellow") for stack in (1, 2, 3)},
    "tryad-row": Glyph((), "dim"),
    "tryad-die": Glyph(("[ ]",), "bold red"),
    "tryad-turn": Glyph((">",), "bold cyan"),
    "tryad-star": Glyph(("*",), "bold yellow"),
}


def _columns(players: int) -> int:
    """Return how many cards lie side by side."""
    # Two and two rather than three in a row: on a narrow screen the fields must stay large enough for a finger.
    return min(players, 2) if players <= 4 else 3 if players <= 9 else 4


def _spot(row: int, column: int) -> tuple[float, float]:
    """Return the middle of a field on its card; rows from 0, columns from 0 at the left."""
    down = column % 2
    return _APEX[0] + (column - row) * SIDE / 2, _APEX[1] + row * HEIGHT + (1 if down else 2) * HEIGHT / 3


_GRID = tuple((row, column) for row in range(len(ROWS)) for column in range(2 * row + 1))
_SPOTS = tuple(_spot(row, column) for row, column in _GRID)
_POINTS_DOWN = tuple(column % 2 == 1 for _, column in _GRID)


def _slot(field: int) -> tuple[float, float]:
    """Return where the coin of a field lies once it is taken: beside the left edge, from the apex down."""
    along, beside = 16 + 13.5 * field, 40.0
    sine = math.sqrt(3) / 2
    return _APEX[0] - along / 2 - beside * sine, _APEX[1] + along * sine - beside / 2


_DIRECTED = {"card", "out", *(f"{way}-{number}" for way in ("up", "down") for number in range(1, FACES + 1))}
"""The sprites that show which way round a card lies."""


class _Table:
    """A table of cards as one viewer sees it: the own card first, then clockwise."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.state = look.state
        self.players = int(look.state[PLAYERS])
        self.columns = _columns(self.players)
        self.first = look.seat or 0
        numbers = read_layout(str(look.options["layout"]))
        assert numbers is not None  # the options are checked
        self.numbers = numbers
        self.stack = min(int(look.state[STAKE]), 3)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the table."""
        return self.columns * _CELL[0], -(-self.players // self.columns) * _CELL[1]

    def at(self, seat: int, spot: tuple[float, float]) -> tuple[float, float]:
        """Return where a spot of a seat's card is on the table."""
        row, column = divmod((seat - self.first) % self.players, self.columns)
        return column * _CELL[0] + spot[0], row * _CELL[1] + spot[1]

    def piece(
        self, key: str, seat: int, sprite: str, spot: tuple[float, float], layer: int, label: str = "", turn: float = 0
    ) -> Piece:
        x, y = self.at(seat, spot)
        return piece(key, f"tryad-{sprite}", x, y, turn, layer, label, on_turn="turn" if sprite in _DIRECTED else "")

    # --- one card ---------------------------------------------------------------------------------

    def card(self, seat: int) -> Iterator[Piece]:
        covered = int(self.state[CARDS + seat])
        yield self.piece(f"card-{seat}", seat, "card", _APEX, 0)
        for row, letter in enumerate(ROWS):
            middle = (_APEX[0] - (row + 0.5) * SIDE / 2 - 9.5, _APEX[1] + (row + 0.5) * HEIGHT)
            at = self.at(seat, middle)
            yield piece(f"row-{seat}-{letter}", "tryad-row", *at, layer=1, label=letter, role="coordinate")
        for bit, name in enumerate(FIELDS):
            number = str(self.numbers[bit])
            way = "down" if _POINTS_DOWN[bit] else "up"
            has_coin = bool(covered >> bit & 1)
            yield self.piece(
                f"field-{seat}-{name}", seat, f"{way}-{number}", _SPOTS[bit], 1, "" if has_coin else number
            )
            if has_coin:
                yield self.piece(f"coin-{seat}-{name}", seat, f"coin-{self.stack}", _SPOTS[bit], 4, number)
            else:
                yield self.piece(f"coin-{seat}-{name}", seat, f"back-{self.stack}", _slot(bit), 4)
        if not covered:
            yield self.piece(f"cleared-{seat}", seat, "cleared", _MIDDLE, 5)
        elif self.is_out(seat):
            yield self.piece(f"out-{seat}", seat, "out", _APEX, 2)
        yield from self.plaque(seat)

    def bare_card(self, seat: int) -> Iterator[Piece]:
        """Show a card without coins, with its player below it."""
        for shown in self.card(seat):
            if shown.layer <= 1 and not shown.id.startswith("plaque"):
                yield shown
        yield self.piece(f"plaque-{seat}", seat, "plaque", _PLAQUE, 1, self.look.say("tryad.seat", seat=seat + 1))

    def plaque(self, seat: int) -> Iterator[Piece]:
        words = self.look.say("tryad.plaque", seat=self.look.say("tryad.seat", seat=seat + 1), words=self.words(seat))
        acts = self.state[PHASE] != ENDED and seat == self.state[SEAT] and not self.rolls_for_all()
        yield self.piece(f"plaque-{seat}", seat, "plaque-on" if acts else "plaque", _PLAQUE, 1, words)
        if acts:
            yield self.piece("turn", seat, "turn", (_PLAQUE[0] - 158, _PLAQUE[1]), 2)
        if self.state[WINNERS] >> seat & 1:
            yield self.piece(f"star-{seat}", seat, "star", (_PLAQUE[0] + 162, _PLAQUE[1]), 2)

    def is_out(self, seat: int) -> bool:
        return bool(self.state[CARDS + seat] and not self.state[IN] >> seat & 1)

    def rolls_for_all(self) -> bool:
        return bool(self.state[MODE] == BINGO and self.state[PHASE] not in (TAKING, ROLL_OFF, ENDED))

    def coins(self, seat: int) -> int:
        return int(self.state[CARDS + seat]).bit_count() * int(self.state[STAKE])

    def words(self, seat: int) -> str:
        """Return the short words for the plaque below a card."""
        if self.state[TIED] >> seat & 1:
            return self.look.say("tryad.card-four" if self.state[FOURS] >> seat & 1 else "tryad.card-tied")
        if not self.state[CARDS + seat]:
            return self.look.say("tryad.card-cleared")
        return self.look.say("tryad.card-out" if self.is_out(seat) else "tryad.card-in", n=self.coins(seat))

    # --- what just happened -----------------------------------------------------------------------

    def die(self) -> Iterator[Piece]:
        """Show the die where it was rolled last, with that roll; before the first, with the one who rolls."""
        rolled_in, last, before = self.state, self.look.last, self.look.before
        roll = int(rolled_in[ROLL])
        if last is not None and before is not None and not roll:
            rolled_in = before
            roll = last + 1 if last < FACES else int(before[ROLL])
        if rolled_in[PHASE] == ENDED:
            return
        common = rolled_in[MODE] == BINGO and rolled_in[PHASE] != ROLL_OFF
        where = self.at(self.first, _COMMON_DIE) if common else self.at(int(rolled_in[SEAT]), _DIE)
        yield piece("die", "tryad-die", *where, layer=6, label=str(roll or ""), role="die")

    def traces(self) -> Iterator[Piece]:
        """Mark the fields that the last take uncovered."""
        last, before = self.look.last, self.look.before
        if last is None or before is None or last < FACES:
            return
        seat = int(before[SEAT])
        for bit, name in enumerate(FIELDS):
            if int(TAKEN[last]) >> bit & 1:
                way = "down" if _POINTS_DOWN[bit] else "up"
                at = self.at(seat, _SPOTS[bit])
                yield piece(f"trace-{seat}-{name}", f"tryad-trace-{way}", *at, layer=3, role="trace", on_turn="turn")

    def shades(self) -> Iterator[Piece]:
        """Shade the coins of the one to take that no take of the roll has; the others are bright."""
        if self.state[PHASE] != TAKING:
            return
        seat, roll = int(self.state[SEAT]), int(self.state[ROLL])
        covered = int(self.state[CARDS + seat])
        for bit, name in enumerate(FIELDS):
            if covered >> bit & 1 and not self.is_takable(covered, bit, roll):
                way = "down" if _POINTS_DOWN[bit] else "up"
                at = self.at(seat, _SPOTS[bit])
                yield piece(f"shade-{seat}-{name}", f"tryad-shaded-{way}", *at, layer=5, on_turn="turn")

    # --- what can be pointed at, and words ----------------------------------------------------------

    def places(self) -> Iterator[Place]:
        if self.state[PHASE] != TAKING:
            return
        # Coins that no take can have are there, too: whoever points at one is told why not.
        seat = int(self.state[SEAT])
        for bit, field in enumerate(FIELDS):
            if int(self.state[CARDS + seat]) >> bit & 1:
                x, y = self.at(seat, _SPOTS[bit])
                name = self.look.say("tryad.place", field=field, number=self.numbers[bit])
                yield place(field, x, y, name, points=_DOWN if _POINTS_DOWN[bit] else _UP)

    def all_places(self) -> Iterator[Place]:
        """Return all fields of all cards."""
        for seat in range(self.players):
            for bit, field in enumerate(FIELDS):
                x, y = self.at(seat, _SPOTS[bit])
                points = _DOWN if _POINTS_DOWN[bit] else _UP
                yield place(f"{seat + 1}{field}", x, y, f"{seat + 1}{field}", points=points)

    def is_takable(self, covered: int, bit: int, roll: int) -> bool:
        """Whether a field belongs to some take of a roll."""
        missing = roll - self.numbers[bit]
        if missing < 0 or not covered >> bit & 1:
            return False
        return missing == 0 or count_takes(self.state, covered ^ 1 << bit, missing) > 0

    def facts(self) -> Iterator[Fact]:
        say_, state = self.look.say, self.state
        won = np.zeros(self.players)
        if state[PHASE] == ENDED:
            scores(state, won)
        for seat in range(self.players):
            if not state[CARDS + seat]:
                yield Fact(say_("tryad.fact-cleared"), seat)
            else:
                yield Fact(say_("tryad.fact-out" if self.is_out(seat) else "tryad.fact-in", n=self.coins(seat)), seat)
            if state[PHASE] == ENDED:
                yield Fact(self.score(float(won[seat])), seat)
        if state[STAKE] > 1:
            yield Fact(say_("tryad.fact-stake", n=int(state[STAKE])))
        if state[MODE] == PRACTICE and state[PHASE] != ENDED:
            yield from self.odds()

    def score(self, coins: float) -> str:
        if not coins:
            return self.look.say("tryad.fact-even")
        amount = abs(coins)
        shown = str(int(amount)) if amount == int(amount) else decimal(amount, 2)
        return self.look.say("tryad.fact-won" if coins > 0 else "tryad.fact-lost", n=amount, coins=shown)

    def odds(self) -> Iterator[Fact]:
        """Tell one who practises what the two ways to play are worth from here, and how far apart they are."""
        solution = solve(str(self.look.options["layout"]))
        covered, stake = int(self.state[CARDS]), int(self.state[STAKE])
        clear, few = solution.odds(covered, "clear"), solution.odds(covered, "fewest")
        if self.state[PHASE] == TAKING:
            best = solution.compare(covered, int(self.state[ROLL]))
            assert best is not None  # a take is asked only where there is one
            clear, few = best.clear.odds, best.fewest.odds
        apart = Odds(clear.chance - few.chance, clear.left - few.left)
        for key, odds in (("fact-odds-clear", clear), ("fact-odds-few", few), ("fact-apart", apart)):
            chance, coins = percent(odds.chance), decimal(stake * odds.left, 2)
            yield Fact(self.look.say(f"tryad.{key}", chance=chance, coins=coins))

    def title(self) -> str:
        if self.state[PHASE] == ENDED:
            decided = ending(self.look.options, self.state)
            return say(decided or text(f"tryad.reason.{REASONS[reason(self.state)]}"), self.look.language)
        asked = say(ask(self.look.options, self.state), self.look.language)
        if self.state[PHASE] != TAKING:
            return asked
        seat = text("tryad.seat", seat=int(self.state[SEAT]) + 1)
        return self.look.say("tryad.plaque", seat=seat, words=asked)


def ground(look: Look) -> Scene:
    """Return all cards without coins, with a place for each of their fields: ``2b1`` is on the card of player 2."""
    table = _Table(look)
    table.state = look.state.copy()
    table.state[CARDS : CARDS + table.players] = 0
    pieces = [shown for seat in range(table.players) for shown in table.bare_card(seat)]
    return Scene("tryad", *table.size, tuple(pieces), tuple(table.all_places()), cell=(9.0, LINE))


def scene(look: Look) -> Scene:
    """Return the table as one viewer sees it, the own card first."""
    table = _Table(look)
    pieces = [piece for seat in range(table.players) for piece in table.card(seat)]
    width, height = table.size
    return Scene(
        game="tryad",
        width=width,
        height=height,
        pieces=(*pieces, *table.traces(), *table.shades(), *table.die()),
        places=tuple(table.places()),
        facts=tuple(table.facts()),
        title=table.title(),
        cell=(9.0 if table.columns <= 2 else 12.0, LINE),
        turning=Turning(width / 2, height / 2, width, height, (0.0, 180.0), (0.0,) * table.players),
    )
