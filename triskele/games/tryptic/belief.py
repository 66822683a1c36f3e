"""Reading patterns: what everybody at the table can infer about everybody's secret.

All that is inferred from is public: a tile that was placed, a silence, a challenge. So there is one
belief a seat, a chance for each of the 75 patterns, and it serves twice: about the others it is what
a player knows, about himself it is what he has given away.

Every three neighbouring hexes on a line are a *window*. For whoever has a pattern, a placement changes
how many windows show one, two or all three tiles of it. How a player chooses among placements is not
known, so four manners are weighed against each other as the game goes on:

* at random: then placements tell nothing;
* greedily: only what helps most;
* plainly: what helps most is the likeliest;
* covertly: what helps is likelier, what gives the pattern away is not. How strongly is learned from
  games of the engine with itself (:mod:`triskele.games.tryptic.training`).
"""

import functools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.game import Variant
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.learned import Learned, Reals
from triskele.games.tryptic.notation import move_text

Codes = NDArray[np.int64]
Chances = NDArray[np.float64]

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

WORTH = np.array([1 / 16, 5 / 16, 1.0], dtype=np.float32)
"""What a window is worth to a plain player that shows one, two or all three tiles of his pattern. In points."""
READY = (FULLNESS == 2).astype(np.int64)

_BITS = 10
_PACKED = np.where(FULLNESS > 0, 1 << _BITS * np.maximum(FULLNESS - 1, 0), 0).astype(np.int32)
"""Windows by fullness, counted at once: ten bits for each of one, two and three tiles."""


def _lacking() -> Codes:
    """Return for each configuration with a single empty cell the place of that in the window; -1 for the others."""
    cells = np.stack([np.arange(CONFIGURATIONS) // step % 6 for step in STEPS])
    return np.where((cells == 0).sum(axis=0) == 1, (cells == 0).argmax(axis=0), -1)


LACKING = _lacking()

# Every pair of a window and a place in it, in the order of the hexes.
_PAIRS = sorted((int(target), window, place) for window, row in enumerate(WINDOWS) for place, target in enumerate(row))
_PAIR_HEX = np.array([target for target, _, _ in _PAIRS])
_PAIR_WINDOW = np.array([window for _, window, _ in _PAIRS])
_PAIR_STEP = STEPS[[place for _, _, place in _PAIRS]]

# The same by hex, the windows through each, filled up with window -1 and step 0.
_PLACEMENTS = r.COLOURS * r.HEXES
_THROUGH = np.full((r.HEXES, 9), -1)
_THROUGH_STEP = np.zeros((r.HEXES, 9), dtype=np.int64)
for _target in range(r.HEXES):
    _mine = np.flatnonzero(np.equal(_PAIR_HEX, _target))
    _THROUGH[_target, : len(_mine)] = _PAIR_WINDOW[_mine]
    _THROUGH_STEP[_target, : len(_mine)] = _PAIR_STEP[_mine]


class Board:
    """The windows of a position, and what each placement would change in them.

    ``codes`` are the placements that can be made, as move codes; rows of the other tables follow them.
    """

    def __init__(self, state: State) -> None:
        """Look at all windows."""
        cells = state[r.CELL : r.CELL + r.HEXES]
        self.windows = cells[WINDOWS] @ STEPS
        empty = np.flatnonzero(cells == 0)
        self._colours = colours = np.flatnonzero([not state[r.GONE] >> colour & 1 for colour in range(r.COLOURS)])
        self.codes: Codes = (r.PLACE + colours[:, None] * r.HEXES + empty).ravel()
        pairs = np.flatnonzero(cells[_PAIR_HEX] == 0)
        self._starts = np.searchsorted(_PAIR_HEX[pairs], empty)
        self._before = self.windows[_PAIR_WINDOW[pairs]]
        self._after = self._before + (colours[:, None] + 1) * _PAIR_STEP[pairs]

    @functools.cached_property
    def changes(self) -> Reals:
        """How many more windows show one, two and three tiles, by that, placement and pattern."""
        if len(self.codes) == 0:
            return np.zeros((3, 0, r.PATTERNS), dtype=np.float32)
        packed = np.add.reduceat(_PACKED[self._after] - _PACKED[self._before], self._starts, axis=1)
        packed = packed.reshape(-1, r.PATTERNS)
        half = 1 << _BITS - 1
        one = (packed + half & (1 << _BITS) - 1) - half
        packed = packed - one >> _BITS
        two = (packed + half & (1 << _BITS) - 1) - half
        three = packed - two >> _BITS
        return np.stack([one, two, three]).astype(np.float32)

    @functools.cached_property
    def gains(self) -> Reals:
        """What each placement is worth to a plain player, for each pattern."""
        gains: Reals = np.tensordot(WORTH, self.changes, axes=1)
        return gains

    @functools.cached_property
    def plain(self) -> Reals:
        """For each pattern (column), how likely a plain player makes each placement (row)."""
        return shares(np.float32(PLAIN_BETA) * self.gains)

    @functools.cached_property
    def greedy(self) -> Reals:
        """For each pattern (column), how likely a greedy player makes each placement (row): the best ones alike."""
        best = (self.gains >= self.gains.max(axis=0) - np.float32(1e-6)).astype(np.float32)
        likely: Reals = best / best.sum(axis=0)
        return likely

    @functools.cached_property
    def points(self) -> Codes:
        """How many points each placement makes at once, for each pattern."""
        return self._points[self.codes - r.PLACE]

    @functools.cached_property
    def _points(self) -> Codes:
        """The same for all placements there are, possible or not; none of a colour that is gone."""
        lacking = LACKING[self.windows]
        almost = np.flatnonzero(lacking >= 0)
        before, place = self.windows[almost], lacking[almost]
        colours = self._colours[:, None]
        shown = r.PATTERN_OF[before + (colours + 1) * STEPS[place]] - 1
        placement = colours * r.HEXES + WINDOWS[almost, place]
        counted = np.bincount((placement * r.PATTERNS + shown).ravel(), minlength=_PLACEMENTS * r.PATTERNS)
        return counted.reshape(_PLACEMENTS, r.PATTERNS)

    @functools.cached_property
    def ready(self) -> Codes:
        """How many windows lack one tile, for each pattern."""
        counted: Codes = READY[self.windows].sum(axis=0)
        return counted

    @property
    def at_once(self) -> Codes:
        """The most points that one placement makes, for each pattern."""
        most: Codes = self.points.max(axis=0, initial=0)
        return most

    def at_once_after(self, rows: Codes) -> Codes:
        """Return the most points that the next placement could make, for each pattern, after each of some placements.

        That a colour may run out with the first of the two is left aside.
        """
        colour, target = np.divmod(self.codes[rows] - r.PLACE, r.HEXES)
        by_hex = self._points.reshape(r.COLOURS, r.HEXES, r.PATTERNS).max(axis=0)
        best_hex = by_hex.argmax(axis=0)
        best = by_hex[best_hex, np.arange(r.PATTERNS)]
        by_hex[best_hex, np.arange(r.PATTERNS)] = -1
        # What there is elsewhere: the hex itself is no longer empty.
        most: Codes = np.where(best_hex == target[:, None], by_hex.max(axis=0), best)
        # What is new: windows that lacked two tiles and now lack one.
        through = _THROUGH[target]
        changed = self.windows[through] + (colour[:, None] + 1) * _THROUGH_STEP[target]
        row, way = np.nonzero((through >= 0) & (LACKING[changed] >= 0))
        after = changed[row, way]
        place = LACKING[after]
        nexts = self._colours[:, None]
        shown = r.PATTERN_OF[after + (nexts + 1) * STEPS[place]] - 1
        placement = nexts * r.HEXES + WINDOWS[through[row, way], place]
        key, times = np.unique((row * _PLACEMENTS + placement) * r.PATTERNS + shown, return_counts=True)
        situation, pattern = key // (_PLACEMENTS * r.PATTERNS), key % r.PATTERNS
        made = self._points[key // r.PATTERNS % _PLACEMENTS, pattern] + times
        np.maximum.at(most, (situation, pattern), made)
        return most


# --- manners of placing -----------------------------------------------------------------------------

PLAIN_BETA = 3.2
"""How strongly a plain player prefers what helps: the log of the odds for a point."""
GIVEN_AWAY = np.float32(0.01)
"""Beliefs well below this are all the same to a covert player."""


def shares(logits: Reals) -> Reals:
    """Return the chances of all placements (rows), for each pattern."""
    weights = np.exp(logits - logits.max(axis=0))
    shares: Reals = weights / weights.sum(axis=0)
    return shares


def weighed(features: Reals, filled: float, weights: Reals) -> Reals:
    """Return the logits of placements: each feature has a weight on an empty board, and what that grows by."""
    half = len(weights) // 2
    logits: Reals = np.tensordot(weights[:half] + np.float32(filled) * weights[half:], features, axes=1)
    return logits


def given_away(logits: Reals, belief: Chances) -> Reals:
    """Return the log of what is believed after each placement, of players who place by ``logits``."""
    chances = shares(logits) * belief.astype(np.float32)
    chances /= chances.sum(axis=1, keepdims=True) + np.float32(1e-12)
    logs: Reals = np.log(chances + GIVEN_AWAY)
    return logs


# --- the belief -------------------------------------------------------------------------------------

RANDOM, GREEDY, PLAIN, COVERT = range(4)
MANNERS = np.array([0.1, 0.005, 0.05, 0.845])
"""How likely each manner is of somebody new."""
RELIABLE = np.array([1.0, 0.6, 0.4, 0.03])
"""How far a guess can be relied on, by the manner that it supposes.

A covert player places so that these very beliefs mislead. He may well pass for a plain one, but hardly for a greedy
one, which would cost him what he hides. What guesses come to, ``benchmarks/challenges.py`` shows.
"""
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
    return int(state[r.GOAL] - state[r.CHANGE + seat]) - shown


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

    def __init__(self, variant: Variant, learned: Learned) -> None:
        """Begin before the first placement."""
        self.variant = variant
        self.learned = learned
        self.moves: list[str] = []
        self.state: State = variant.first_state()
        self.state[r.STAGE] = r.OPEN
        # What the placements say: a chance for each seat, manner and pattern.
        self._evidence = np.tile(MANNERS[:, None] * PRIOR, (variant.seats, 1, 1))
        self._silent = np.zeros((variant.seats, r.PATTERNS), dtype=np.bool_)
        self.board = Board(self.state)
        self._beliefs: Chances | None = None
        self._covert: tuple[int, Reals] | None = None

    def _look(self) -> None:
        """Take note of a new situation on the board: of what is silent about it, too."""
        self.board = Board(self.state)
        for seat in range(self.variant.seats):
            if self.state[r.IN] >> seat & 1:
                self._silent[seat] |= needs(self.state, seat) <= 0
        self._beliefs = self._covert = None

    @property
    def filled(self) -> float:
        """The part of the board that is filled."""
        return 1 - int(self.state[r.EMPTY]).bit_count() / r.HEXES

    @property
    def beliefs(self) -> Chances:
        """For each seat the chances of all patterns, from placements, silence and wrong guesses."""
        if self._beliefs is None:
            chances = self._evidence.sum(axis=1)
            for seat in range(self.variant.seats):
                self._rule_out(seat, chances[seat])
            self._beliefs = chances / chances.sum(axis=1, keepdims=True)
        return self._beliefs

    def guesses(self, seat: int) -> Chances:
        """Return how likely each guess at a seat's pattern is right: beliefs, as far as they can be relied on."""
        chances = self._evidence[seat].copy()
        self._rule_out(seat, chances)
        right: Chances = RELIABLE @ chances / chances.sum()
        return right

    def _rule_out(self, seat: int, chances: Chances) -> None:
        """Weigh down what the seat would have announced, and drop what was wrong (in the last axis)."""
        chances[..., self._silent[seat]] *= SILENT
        chances[..., wrong(self.state, seat)] = 0.0

    @classmethod
    def of_board(cls, variant: Variant, learned: Learned, known: State) -> "Reading":
        """Return what a board alone tells when nobody knows who placed what: silence and wrong guesses."""
        reading = cls(variant, learned)
        reading.state[:] = known
        reading._look()
        return reading

    def leads_to(self, moves: Sequence[str]) -> bool:
        """Whether these moves go on from those followed so far."""
        return list(moves[: len(self.moves)]) == self.moves

    def follow(self, moves: Sequence[str], known: State, overlooks: Callable[[int], bool] = lambda _: False) -> None:
        """Go on to the end of ``moves`` (all placements, challenges … from the first one on).

        ``known`` is the state that they lead to, with the patterns of those who are out. Nothing is concluded from
        the placements, by their numbers, that ``overlooks`` says yes to.
        """
        players = int(known[r.PLAYERS])
        self.state[r.PATTERN : r.PATTERN + players] = known[r.PATTERN : r.PATTERN + players]
        for number in range(len(self.moves), len(moves)):
            self.see(_CODES[moves[number]], not overlooks(number))
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
        if code != r.END:
            self._look()

    def _weigh(self, seat: int, code: int) -> None:
        """Take a placement into account, before it is made."""
        row = np.flatnonzero(self.board.codes == code)
        self._evidence[seat] *= self._likelihoods(seat, row)[:, 0]
        self._evidence[seat] /= self._evidence[seat].sum()
        self._beliefs = None

    def _likelihoods(self, seat: int, rows: Codes) -> Chances:
        """Return how likely the seat makes some placements now, by manner, placement and pattern."""
        any_way = 1 / len(self.board.codes)
        likely = np.full((len(MANNERS), len(rows), r.PATTERNS), any_way)
        likely[GREEDY] += (1 - SLIP) * (self.board.greedy[rows] - any_way)
        likely[PLAIN] += (1 - SLIP) * (self.board.plain[rows] - any_way)
        likely[COVERT] += (1 - SLIP) * (self.covert(seat)[rows] - any_way)
        return likely

    def after(self, seat: int, rows: Codes) -> Chances:
        """Return what would be believed of the seat to place after each of some placements, by rows of ``board``."""
        chances = (self._evidence[seat, :, None] * self._likelihoods(seat, rows)).sum(axis=0)
        self._rule_out(seat, chances)
        believed: Chances = chances / chances.sum(axis=1, keepdims=True)
        return believed

    def harm(self, seat: int) -> Reals:
        """Return what each placement is expected to give to the others than ``seat``."""
        weight = np.zeros(r.PATTERNS)
        for other, belief in enumerate(self.beliefs):
            if other != seat and self.state[r.IN] >> other & 1:
                need = needs(self.state, other)
                weight += belief * np.where(need <= 1, URGENT[0], np.where(need == 2, URGENT[1], 1.0))
        harm: Reals = self.board.gains @ weight.astype(np.float32)
        return harm

    def features(self, seat: int) -> Reals:
        """Return what a covert player in this seat looks at, by feature, placement and pattern."""
        harm = np.broadcast_to(self.harm(seat)[:, None], self.board.gains.shape)
        plain = np.concatenate([self.board.changes, harm[None]])
        hiding = given_away(weighed(plain, self.filled, self.learned.open), self.beliefs[seat])
        return np.concatenate([plain, hiding[None]])

    def covert(self, seat: int) -> Reals:
        """Return for each pattern (column) how a covert player in this seat would place now."""
        if self._covert is None or self._covert[0] != seat:
            self._covert = (seat, shares(weighed(self.features(seat), self.filled, self.learned.covert)))
        return self._covert[1]
