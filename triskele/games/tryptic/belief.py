"""Reading patterns: what everybody at the table can infer about everybody's secret.

All that is inferred from is public: a tile that was placed, a silence, a challenge. So there is one
belief a seat, a chance for each of the 75 patterns, and it serves twice: about the others it is what
a player knows, about himself it is what he has given away.

Every three neighbouring hexes on a line are a *window*. A window that can still come to show a
pattern is worth something to whoever has that pattern, the more the fuller it is; what a placement
adds over all windows is its *gain* for a pattern. How a player chooses among gains is not known, so
three manners are weighed against each other as the game goes on:

* at random: then placements tell nothing;
* plainly: what helps most is the likeliest;
* covertly: what helps is likelier, but the less so the more it gives away. How much a placement gives
  away depends on how all patterns would place, which makes it a game of its own, one placement long;
  :func:`covert_manner` finds its balance by going round a few times.
"""

from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.game import Variant
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.notation import move_text

Reals = NDArray[np.float32]
Codes = NDArray[np.int64]

# --- windows ------------------------------------------------------------------------------------

CONFIGURATIONS = 6**3
"""What three cells can hold, empty included."""
STEPS = np.array([36, 6, 1], dtype=np.int64)
"""How much a cell counts in the number of a window's configuration, by its place in the window."""


def _windows() -> Codes:
    """Return the three hexes of every window."""
    after = r.NEAR.reshape(r.HEXES, 3, 4)[:, :, 2:]
    found = [(i, *after[i, line]) for line in range(3) for i in range(r.HEXES) if after[i, line, 1] < r.HEXES]
    return np.array(found, dtype=np.int64)


def _fullness() -> Codes:
    """Return for each configuration and pattern how many cells fit, -1 when it cannot come to show it."""
    table = np.full((CONFIGURATIONS, r.PATTERNS), -1, dtype=np.int64)
    for configuration in range(CONFIGURATIONS):
        cells = (configuration // 36, configuration // 6 % 6, configuration % 6)
        for pattern, colours in enumerate((r.PATTERN_COLOURS + 1).tolist()):
            for way in (colours, colours[::-1]):
                if all(cell in (0, colour) for cell, colour in zip(cells, way, strict=True)):
                    table[configuration, pattern] = sum(cell > 0 for cell in cells)
    return table


WINDOWS = _windows()
FULLNESS = _fullness()

WORTH = np.array([0.0, 1 / 16, 5 / 16, 1.0, 0.0], dtype=np.float32)
"""What a window is worth that shows none, one, two or all three tiles of a pattern; last: spoilt. In points."""
VALUE = WORTH[FULLNESS]
SHOWS = (FULLNESS == 3).astype(np.float32)
READY = (FULLNESS == 2).astype(np.float32)

# Every pair of a window and a place in it, in the order of the hexes.
_PAIRS = sorted((int(target), window, place) for window, row in enumerate(WINDOWS) for place, target in enumerate(row))
_PAIR_HEX = np.array([target for target, _, _ in _PAIRS])
_PAIR_WINDOW = np.array([window for _, window, _ in _PAIRS])
_PAIR_STEP = STEPS[[place for _, _, place in _PAIRS]]


class Board:
    """The windows of a position, and what each placement would change in them.

    ``codes`` are the placements that can be made, as move codes; rows of the other tables follow them.
    """

    def __init__(self, state: State) -> None:
        """Look at all windows."""
        cells = state[r.CELL : r.CELL + r.HEXES]
        self.windows = cells[WINDOWS] @ STEPS
        empty = np.flatnonzero(cells == 0)
        colours = np.flatnonzero([not state[r.GONE] >> colour & 1 for colour in range(r.COLOURS)])
        self.codes: Codes = (r.PLACE + colours[:, None] * r.HEXES + empty).ravel()
        pairs = np.flatnonzero(cells[_PAIR_HEX] == 0)
        self._starts = np.searchsorted(_PAIR_HEX[pairs], empty)
        self._before = self.windows[_PAIR_WINDOW[pairs]]
        self._after = self._before + (colours[:, None] + 1) * _PAIR_STEP[pairs]

    def _changes(self, table: Reals) -> Reals:
        if len(self.codes) == 0:
            return np.zeros((0, r.PATTERNS), dtype=np.float32)
        change = table[self._after] - table[self._before]
        summed: Reals = np.add.reduceat(change, self._starts, axis=1)
        return summed.reshape(-1, r.PATTERNS)

    def gains(self) -> Reals:
        """Return what each placement adds for each pattern, in points."""
        return self._changes(VALUE)

    def points(self) -> Reals:
        """Return how many points each placement makes for each pattern at once."""
        return self._changes(SHOWS)

    def ready(self) -> Reals:
        """Return for each pattern how many windows lack one tile."""
        counted: Reals = READY[self.windows].sum(axis=0)
        return counted


# --- manners of placing -----------------------------------------------------------------------------

PLAIN_BETA = 3.2
"""How strongly a plain player prefers what helps: the log of the odds for a point."""
COVERT_BETA = 3.2
"""The same for a covert player, before he thinks of what it gives away."""
LATE_BETA = (10.0, 20.0)
"""How much stronger that gets, against one other and against more, the fuller the board is beyond half of it."""
COVERT_FREE = np.float32(0.03)
"""A belief well below this gives nothing away."""
_ROUNDS = 5


def _shares(weights: Reals) -> Reals:
    shares: Reals = weights / weights.sum(axis=0)
    return shares


def plain_manner(gains: Reals, beta: float = PLAIN_BETA) -> Reals:
    """Return for each pattern (column) the chances of all placements (rows) when placed plainly."""
    return _shares(np.exp(np.minimum(beta * (gains - gains.max(axis=0)), 0.0)))


def covert_manner(gains: Reals, harm: Reals, belief: Reals, rivals: int) -> Reals:
    """Return for each pattern the chances of all placements when placed covertly.

    ``harm`` says what each placement gives to the others, ``belief`` what is believed of the player so far. The odds
    of a placement fall like the fourth power of the belief that it leads to. Hiding matters less towards the end.
    """
    filled = 1 - len(gains) / (r.COLOURS * r.HEXES)
    beta = COVERT_BETA + LATE_BETA[min(rivals, 2) - 1] * max(0.0, filled - 0.5)
    worth = beta * gains - COVERT_BETA * harm[:, None]
    worth = np.exp(worth - worth.max(axis=0))
    chances = _shares(worth)
    for _ in range(_ROUNDS):
        given_away = chances * belief
        given_away /= given_away.sum(axis=1, keepdims=True) + np.float32(1e-12)
        given_away += COVERT_FREE
        given_away *= given_away
        chances = 0.5 * chances + 0.5 * _shares(worth / (given_away * given_away))
    return chances


# --- the belief -------------------------------------------------------------------------------------

RANDOM, PLAIN, COVERT = range(3)
MANNERS = np.array([0.1, 0.1, 0.8])
"""How likely each manner is of somebody new."""
SLIP = 0.07
"""How often, in any manner, a placement has other reasons than these."""
SILENT = 0.02
"""How likely somebody with the points does not announce."""
URGENT = (4.0, 2.0)
"""How much more a gain of somebody counts who needs one point, or two."""


def _kinds() -> Codes:
    """Return for each pattern how many of its neighbouring tiles differ, and 3 where first and last are equal."""
    first, second, third = r.PATTERN_COLOURS.T
    kind = (first != second).astype(np.int64) + (second != third)
    return np.where((kind == 2) & (first == third), 3, kind)


_KIND_WEIGHTS = np.array([1.0, 2.0, 1.0, 0.5])
"""How good patterns are, by kind: three of a colour, two and one, three colours, and one colour around another.

Measured in play of this engine with itself. A pattern that reads the same both ways comes up by chance
half as often, but three of a colour are laid fast.
"""
CHOICE = _KIND_WEIGHTS[_kinds()] / _KIND_WEIGHTS[_kinds()].sum()
"""How often to choose each pattern, so that the choice itself tells little."""
PRIOR = 0.5 * CHOICE + 0.5 / r.PATTERNS

_CODES = {move_text({}, code): code for code in range(r.PLACE, r.ACTIONS)}


def needs(state: State, seat: int) -> Codes:
    """Return for each pattern how many points the seat would still need with it."""
    shown: Codes = state[r.SHOWN + 1 : r.SHOWN + 1 + r.PATTERNS]
    return state[r.GOAL] - state[r.CHANGE + seat] - shown


def wrong(state: State, seat: int) -> NDArray[np.bool_]:
    """Return which patterns were guessed of a seat, wrongly."""
    low, high = state[r.WRONG + 2 * seat : r.WRONG + 2 * seat + 2].tolist()
    return np.array([(low | high << r.WRONG_BITS) >> pattern & 1 for pattern in range(r.PATTERNS)], dtype=np.bool_)


def too_few_tiles(state: State) -> NDArray[np.bool_]:
    """Return which patterns nobody unknown can have, because the tiles on the board and in known ones leave too few.

    An empty pile says more: with a single unknown pattern, that it holds all the tiles that are missing.
    """
    players = int(state[r.PLAYERS])
    known = state[r.PATTERN : r.PATTERN + players]
    left = r.TILES - state[r.USED : r.USED + r.COLOURS] - r.PATTERN_TILES[known].sum(axis=0)
    tiles = r.PATTERN_TILES[1:]
    gone = np.array([state[r.GONE] >> colour & 1 for colour in range(r.COLOURS)], dtype=np.bool_)
    impossible = tiles > np.where(gone, left, left - 1)
    if np.count_nonzero(known == 0) == 1:
        impossible |= gone & (tiles != left)
    ruled_out: NDArray[np.bool_] = impossible.any(axis=1)
    return ruled_out


class Reading:
    """What a game's public events tell about every seat's pattern.

    Feed it with :meth:`follow`. ``beliefs[seat]`` are chances that add up to 1; they are about all seats, whoever
    looks, and take no account of patterns that are known.
    """

    def __init__(self, variant: Variant) -> None:
        """Begin before the first placement."""
        self.variant = variant
        self.moves: list[str] = []
        self.state: State = variant.first_state()
        self.state[r.STAGE] = r.OPEN
        # What the placements say: a chance for each seat, manner and pattern.
        self._evidence = np.tile(MANNERS[:, None] * PRIOR, (variant.seats, 1, 1))
        self._silent = np.zeros((variant.seats, r.PATTERNS), dtype=np.bool_)
        self._look()
        self._conclude()

    def _look(self) -> None:
        self.board = Board(self.state)
        self.gains = self.board.gains()
        """What each placement of ``board`` adds for each pattern."""
        self._plain: Reals | None = None
        self._covert: tuple[int, Reals] | None = None

    def _conclude(self) -> None:
        """Work out the beliefs from placements, silence and wrong guesses."""
        chances = self._evidence.copy()
        for seat in range(self.variant.seats):
            if self.state[r.IN] >> seat & 1:
                self._silent[seat] |= needs(self.state, seat) <= 0
            chances[seat, :, self._silent[seat]] *= SILENT
            chances[seat, :, wrong(self.state, seat)] = 0.0
        chances /= chances.sum(axis=(1, 2), keepdims=True)
        self.beliefs: NDArray[np.float64] = chances.sum(axis=1)
        self.manners: NDArray[np.float64] = chances.sum(axis=2)
        self._covert = None

    @classmethod
    def of_board(cls, variant: Variant, known: State) -> "Reading":
        """Return what a board alone tells when nobody knows who placed what: patterns that stand on it are likelier."""
        reading = cls(variant)
        reading.state[:] = known
        shown = known[r.SHOWN + 1 : r.SHOWN + 1 + r.PATTERNS]
        reading._evidence *= np.exp(0.4 * np.minimum(shown, known[r.GOAL]))
        reading._evidence /= reading._evidence.sum(axis=(1, 2), keepdims=True)
        reading._look()
        reading._conclude()
        return reading

    def leads_to(self, moves: Sequence[str]) -> bool:
        """Whether these moves go on from those followed so far."""
        return list(moves[: len(self.moves)]) == self.moves

    def follow(self, moves: Sequence[str], known: State, overlooked: Container[int] = ()) -> None:
        """Go on to the end of ``moves`` (all placements, challenges … from the first one on).

        ``known`` is the state that they lead to, with the patterns of those who are out; of the placements with the
        numbers ``overlooked`` nothing is concluded.
        """
        players = int(known[r.PLAYERS])
        self.state[r.PATTERN : r.PATTERN + players] = known[r.PATTERN : r.PATTERN + players]
        for number in range(len(self.moves), len(moves)):
            self.see(_CODES[moves[number]], number not in overlooked)
            self.moves.append(moves[number])
        if self.state[r.GONE] != known[r.GONE]:
            self.state[r.GONE] = known[r.GONE]
            self._look()

    def see(self, code: int, attentive: bool = True) -> None:
        """Go on by one move."""
        placing = r.PLACE <= code < r.CHALLENGE
        if placing and attentive:
            self._weigh(int(self.state[r.TURN]), code)
        self.variant.rules.apply(self.state, code)
        if placing:
            self._look()
        if code != r.END:
            self._conclude()

    def _weigh(self, seat: int, code: int) -> None:
        """Take a placement into account, before it is made."""
        row = np.flatnonzero(self.board.codes == code)
        self._evidence[seat] *= self._likelihoods(seat, row)[:, 0]
        self._evidence[seat] /= self._evidence[seat].sum()

    def _likelihoods(self, seat: int, rows: Codes) -> NDArray[np.float64]:
        """Return how likely the seat makes some placements now, by manner, placement and pattern."""
        any_way = 1 / len(self.board.codes)
        likely = np.full((3, len(rows), r.PATTERNS), any_way)
        likely[PLAIN] += (1 - SLIP) * (self.plain[rows] - any_way)
        likely[COVERT] += (1 - SLIP) * (self.covert(seat)[rows] - any_way)
        return likely

    def after(self, seat: int, rows: Codes) -> NDArray[np.float64]:
        """Return what would be believed of the seat to place after each of some placements, by rows of ``board``."""
        chances = (self._evidence[seat, :, None] * self._likelihoods(seat, rows)).sum(axis=0)
        chances[:, self._silent[seat]] *= SILENT
        chances[:, wrong(self.state, seat)] = 0.0
        believed: NDArray[np.float64] = chances / chances.sum(axis=1, keepdims=True)
        return believed

    def harm(self, seat: int) -> Reals:
        """Return what each placement is expected to give to the others than ``seat``."""
        weight = np.zeros(r.PATTERNS)
        for other, belief in enumerate(self.beliefs):
            if other != seat and self.state[r.IN] >> other & 1:
                need = needs(self.state, other)
                weight += belief * np.where(need <= 1, URGENT[0], np.where(need == 2, URGENT[1], 1.0))
        harm: Reals = self.gains @ weight.astype(np.float32)
        return harm

    @property
    def plain(self) -> Reals:
        """For each pattern (column), how a plain player would place now."""
        if self._plain is None:
            self._plain = plain_manner(self.gains)
        return self._plain

    def covert(self, seat: int) -> Reals:
        """Return for each pattern (column) how a covert player in this seat would place now."""
        if self._covert is None or self._covert[0] != seat:
            rivals = int(self.state[r.IN]).bit_count() - 1
            chances = covert_manner(self.gains, self.harm(seat), self.beliefs[seat].astype(np.float32), rivals)
            self._covert = (seat, chances)
        return self._covert[1]
