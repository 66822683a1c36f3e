"""Belief states: the posterior over every seat's secret pattern, from what everybody has seen.

The evidence is public: tiles placed, challenges, and announcements that did not come. So there is one posterior a seat,
a probability for each of the 75 patterns, and it serves twice: for the others it is what a player knows, for its own
seat it is what it has given away.

The likelihood of a placement depends on how a player chooses, which is not known. Four *placement models* are mixed,
and the mixture is updated with the patterns (Bayes' rule), seat by seat:

* random: placements tell nothing;
* greedy: only the placements with the largest gain, all alike;
* plain: a softmax of the gain;
* covert: a softmax of weights features, among them what the placement gives away. Its weights come from
  self-play (:mod:`triskele.games.tryptic.training`).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.game import Variant
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.notation import move_text
from triskele.games.tryptic.weights import LearnedWeights, Reals
from triskele.games.tryptic.windows import Board, Codes, softmax

Chances = NDArray[np.float64]

# --- the covert model -------------------------------------------------------------------------------

GIVEN_AWAY = np.float32(0.01)
"""Added to posteriors before taking the logarithm, so that small ones make no difference."""


def placement_logits(features: Reals, filled: float, weights: Reals) -> Reals:
    """Return the logits of placements; the weights are interpolated between an empty and a full board."""
    half = len(weights) // 2
    logits: Reals = np.tensordot(weights[:half] + np.float32(filled) * weights[half:], features, axes=1)
    return logits


def log_posteriors(logits: Reals, belief: Chances) -> Reals:
    """Return the log posterior after each placement, if players place by the softmax of ``logits``."""
    chances = softmax(logits) * belief.astype(np.float32)
    chances /= chances.sum(axis=1, keepdims=True) + np.float32(1e-12)
    logs: Reals = np.log(chances + GIVEN_AWAY)
    return logs


# --- the posterior ----------------------------------------------------------------------------------

RANDOM, GREEDY, PLAIN, COVERT = range(4)
MODEL_PRIOR = np.array([0.1, 0.005, 0.05, 0.845])
"""The prior of the placement models."""
RELIABLE = np.array([1.0, 0.6, 0.4, 0.03])
"""How often a guess is right that rests on a placement model, relative to its posterior.

A covert player places so that this posterior misleads. It may well pass for a plain player, but hardly for a greedy
one, which would cost it too many points. ``benchmarks/games/tryptic/challenges.py`` measures how many guesses are
right.
"""
RANDOM_PLACEMENT = 0.07
"""The probability that a placement is random under any model."""
SILENT = 0.02
"""The probability that a player with the points does not announce."""
URGENT = (4.0, 2.0)
"""How much more a gain counts of a player who needs one point, or two."""


def _pattern_kinds() -> Codes:
    """Return the kind of each pattern: the number of colour changes in it, and 3 for one colour around another."""
    first, second, third = r.PATTERN_COLOURS.T
    kind = (first != second).astype(np.int64) + (second != third)
    return np.where((kind == 2) & (first == third), 3, kind)


_KIND_WEIGHTS = np.array([1.0, 2.0, 1.0, 0.5])
"""How often to choose a pattern of each kind: three of a colour, two and one, three colours, one around another.

By how often they won in self-play of this engine. A pattern that reads the same both ways comes up by chance half as
often, but three of a colour are laid fast.
"""
CHOICE = _KIND_WEIGHTS[_pattern_kinds()] / _KIND_WEIGHTS[_pattern_kinds()].sum()
"""The mixed strategy for choosing a pattern: random, so that the choice itself tells little."""
PRIOR = 0.5 * CHOICE + 0.5 / r.PATTERNS
"""The prior of a seat's pattern: half by this strategy, half uniform."""

_CODES = {move_text({}, code): code for code in range(r.PLACE, r.ACTIONS)}


def needs(state: State, seat: int) -> Codes:
    """Return for each pattern how many points the seat would still need with it."""
    shown: Codes = state[r.SHOWN + 1 : r.SHOWN + 1 + r.PATTERNS]
    return int(state[r.GOAL] - state[r.CHANGE + seat]) - shown


def wrong_guesses(state: State, seat: int) -> NDArray[np.bool_]:
    """Return a mask of the patterns that were wrongly guessed of a seat."""
    low, high = state[r.WRONG + 2 * seat : r.WRONG + 2 * seat + 2].tolist()
    return np.array([(low | high << r.WRONG_BITS) >> pattern & 1 for pattern in range(r.PATTERNS)], dtype=np.bool_)


def too_few_tiles(state: State) -> NDArray[np.bool_]:
    """Return a mask of the patterns that no unknown seat can have: board and known patterns leave too few tiles.

    An empty pile says more: if a single pattern is unknown, it holds all the tiles that are missing.
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


class BeliefState:
    """The posterior over every seat's pattern, updated move by move with :meth:`follow`.

    ``beliefs[seat]`` are probabilities that add up to 1. They rest on public events alone, also for seats whose pattern
    is known by now.
    """

    def __init__(self, variant: Variant, weights: LearnedWeights) -> None:
        """Start from the prior, before the first placement."""
        self.variant = variant
        self.weights = weights
        self.moves: list[str] = []
        self.state: State = variant.first_state()
        self.state[r.STAGE] = r.OPEN
        # The joint posterior from placements: by seat, placement model and pattern.
        self._posterior = np.tile(MODEL_PRIOR[:, None] * PRIOR, (variant.seats, 1, 1))
        self._silent = np.zeros((variant.seats, r.PATTERNS), dtype=np.bool_)
        self.board = Board(self.state)
        self._beliefs: Chances | None = None
        self._covert: tuple[int, Reals] | None = None

    def _update_board(self) -> None:
        """Recompute what depends on the board, and note which patterns would have been announced by now."""
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
        """The posterior of each seat, from placements, announcements that did not come, and wrong guesses."""
        if self._beliefs is None:
            chances = self._posterior.sum(axis=1)
            for seat in range(self.variant.seats):
                self._rule_out(seat, chances[seat])
            self._beliefs = chances / chances.sum(axis=1, keepdims=True)
        return self._beliefs

    def guesses(self, seat: int) -> Chances:
        """Return how likely each guess at a seat's pattern is right: the posterior weighted by ``RELIABLE``."""
        chances = self._posterior[seat].copy()
        self._rule_out(seat, chances)
        chances_right: Chances = RELIABLE @ chances / chances.sum()
        return chances_right

    def _rule_out(self, seat: int, chances: Chances) -> None:
        """Scale down, in the last axis, the patterns that would have been announced, and drop wrong guesses."""
        chances[..., self._silent[seat]] *= SILENT
        chances[..., wrong_guesses(self.state, seat)] = 0.0

    @classmethod
    def of_board(cls, variant: Variant, weights: LearnedWeights, known: State) -> "BeliefState":
        """Return the belief state of a board whose history is unknown: no placements count as evidence."""
        belief_state = cls(variant, weights)
        belief_state.state[:] = known
        belief_state._update_board()
        return belief_state

    def leads_to(self, moves: Sequence[str]) -> bool:
        """Return whether these moves continue those followed so far."""
        return list(moves[: len(self.moves)]) == self.moves

    def follow(self, moves: Sequence[str], known: State, overlooks: Callable[[int], bool] = lambda _: False) -> None:
        """Update on the rest of ``moves``, the texts of all moves after the choice of patterns.

        ``known`` is the state that they lead to, with the patterns of seats that are out. Placements for whose number
        ``overlooks`` returns true are not counted as evidence.
        """
        players = int(known[r.PLAYERS])
        self.state[r.PATTERN : r.PATTERN + players] = known[r.PATTERN : r.PATTERN + players]
        for number in range(len(self.moves), len(moves)):
            self.update(_CODES[moves[number]], not overlooks(number))
            self.moves.append(moves[number])
        if self.state[r.GONE] != known[r.GONE]:
            self.state[r.GONE] = known[r.GONE]
            self._update_board()

    def update(self, code: int, attentive: bool = True) -> None:
        """Update on one move; without ``attentive``, a placement is not counted as evidence."""
        placing = r.PLACE <= code < r.CHALLENGE
        if placing and attentive:
            self._update_posterior(int(self.state[r.TURN]), code)
        self.variant.rules.apply(self.state, code)
        if code != r.END:
            self._update_board()

    def _update_posterior(self, seat: int, code: int) -> None:
        """Multiply in the likelihood of a placement, before it is made (Bayes' rule)."""
        row = np.flatnonzero(self.board.codes == code)
        self._posterior[seat] *= self._likelihoods(seat, row)[:, 0]
        self._posterior[seat] /= self._posterior[seat].sum()
        self._beliefs = None

    def _likelihoods(self, seat: int, rows: Codes) -> Chances:
        """Return the likelihood of some placements of a seat now: by placement model, placement and pattern."""
        uniform = 1 / len(self.board.codes)
        likely = np.full((len(MODEL_PRIOR), len(rows), r.PATTERNS), uniform)
        likely[GREEDY] += (1 - RANDOM_PLACEMENT) * (self.board.greedy[rows] - uniform)
        likely[PLAIN] += (1 - RANDOM_PLACEMENT) * (self.board.plain[rows] - uniform)
        likely[COVERT] += (1 - RANDOM_PLACEMENT) * (self.covert(seat)[rows] - uniform)
        return likely

    def after(self, seat: int, rows: Codes) -> Chances:
        """Return the posterior of the seat to place after each of some placements, given as rows of ``board``."""
        chances = (self._posterior[seat, :, None] * self._likelihoods(seat, rows)).sum(axis=0)
        self._rule_out(seat, chances)
        believed: Chances = chances / chances.sum(axis=1, keepdims=True)
        return believed

    def harm(self, seat: int) -> Reals:
        """Return the expected gain of all other seats from each placement, under their posteriors."""
        weight = np.zeros(r.PATTERNS)
        for other, belief in enumerate(self.beliefs):
            if other != seat and self.state[r.IN] >> other & 1:
                need = needs(self.state, other)
                weight += belief * np.where(need <= 1, URGENT[0], np.where(need == 2, URGENT[1], 1.0))
        harm: Reals = self.board.gains @ weight.astype(np.float32)
        return harm

    def features(self, seat: int) -> Reals:
        """Return the features of the covert model for a seat: by feature, placement and pattern."""
        harm = np.broadcast_to(self.harm(seat)[:, None], self.board.gains.shape)
        plain = np.concatenate([self.board.changes, harm[None]])
        log_posterior = log_posteriors(placement_logits(plain, self.filled, self.weights.open), self.beliefs[seat])
        return np.concatenate([plain, log_posterior[None]])

    def covert(self, seat: int) -> Reals:
        """Return the covert model of a seat: the probability of each placement (row) given each pattern (column)."""
        if self._covert is None or self._covert[0] != seat:
            self._covert = (seat, softmax(placement_logits(self.features(seat), self.filled, self.weights.covert)))
        return self._covert[1]
