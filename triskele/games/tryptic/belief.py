"""Belief states: the posterior over every seat's secret pattern, from what everybody has seen.

The evidence is public: tiles placed, challenges, and announcements that did not come. So there is one posterior a seat,
a probability for each of the 75 patterns, and it serves twice: for the others it is what a player knows, for its own
seat it is what it has given away.

The likelihood of a placement depends on how a player chooses, which is not known. Four *placement models* are mixed,
and the mixture is updated with the patterns (Bayes' rule), seat by seat:

* random: placements tell nothing;
* greedy: only the placements with the largest gain, all alike;
* plain: a softmax of the gain;
* covert: a softmax of weighted features, among them what the placement gives away. Its weights come from
  self-play (:mod:`triskele.games.tryptic.training`).

The functions work on the arrays of :class:`~triskele.games.tryptic.reader_workspace.ReaderWorkspace`.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.core.mathematics import exp, log
from triskele.core.workspace import FloatVector
from triskele.games.tryptic.reader_workspace import C_FOLLOWED, C_ROWS, ReaderWorkspace
from triskele.games.tryptic.rules import (
    CHALLENGE,
    CHANGE,
    EMPTY,
    END,
    FULL_BOARD,
    GOAL,
    GONE,
    HEXES,
    IN,
    OPEN,
    PATTERN,
    PATTERN_COLOURS,
    PATTERNS,
    PLACE,
    PLAYERS,
    SEATS,
    SHOWN,
    SIZE,
    STAGE,
    TURN,
    USED,
    WRONG,
    WRONG_BITS,
    apply,
)
from triskele.games.tryptic.windows import LEAST_GAIN, MOST_THROUGH, PLAIN_WEIGHTS, POINT, gain_of, list_placements

Chances = NDArray[np.float64]

GIVEN_AWAY = 0.01
"""Added to posteriors before taking the logarithm, so that small ones make no difference."""

RANDOM, GREEDY, PLAIN, COVERT = range(4)
MODELS = 4
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


def _pattern_kinds() -> NDArray[np.int64]:
    """Return the kind of each pattern: the number of colour changes in it, and 3 for one colour around another."""
    first, second, third = PATTERN_COLOURS.T
    kind = (first != second).astype(np.int64) + (second != third)
    return np.where((kind == 2) & (first == third), 3, kind)


_KIND_WEIGHTS = np.array([1.0, 2.0, 1.0, 0.5])
"""How often to choose a pattern of each kind: three of a colour, two and one, three colours, one around another.

By how often they won in self-play of this engine. A pattern that reads the same both ways comes up by chance half as
often, but three of a colour are laid fast.
"""
CHOICE = _KIND_WEIGHTS[_pattern_kinds()] / _KIND_WEIGHTS[_pattern_kinds()].sum()
"""The mixed strategy for choosing a pattern: random, so that the choice itself tells little."""
PRIOR = 0.5 * CHOICE + 0.5 / PATTERNS
"""The prior of a seat's pattern: half by this strategy, half uniform."""


# --- following a game -----------------------------------------------------------------------------------


def start_belief(ws: ReaderWorkspace) -> None:
    """Begin with the prior, before the first placement."""
    state = ws.state
    for i in range(SIZE):
        state[i] = 0
    state[0] = SIZE
    state[PLAYERS] = ws.root[PLAYERS]
    state[GOAL] = ws.root[GOAL]
    state[STAGE] = OPEN
    state[IN] = (1 << state[PLAYERS]) - 1
    state[EMPTY] = FULL_BOARD
    set_prior(ws)
    ws.control[C_FOLLOWED] = 0


def believe_board(ws: ReaderWorkspace) -> None:
    """Begin with a board whose history is unknown: no placements count as evidence."""
    for i in range(SIZE):
        ws.state[i] = ws.root[i]
    set_prior(ws)
    note_silence(ws)
    ws.control[C_FOLLOWED] = -1


def set_prior(ws: ReaderWorkspace) -> None:
    """Set the posterior of every seat to the prior."""
    for seat in range(SEATS):
        for p in range(PATTERNS):
            ws.silent[seat, p] = 0
            for model in range(MODELS):
                ws.joint[seat * MODELS + model, p] = MODEL_PRIOR[model] * PRIOR[p]


def show_patterns(ws: ReaderWorkspace) -> None:
    """Let the followed state know the patterns of the seats that are out, as everybody does."""
    for seat in range(ws.root[PLAYERS]):
        ws.state[PATTERN + seat] = 0 if ws.root[IN] >> seat & 1 else ws.root[PATTERN + seat]


def follow_move(ws: ReaderWorkspace, code: int, attentive: bool) -> None:
    """Update on one move; without ``attentive``, a placement is not counted as evidence."""
    state = ws.state
    placing = PLACE <= code < CHALLENGE
    if placing and attentive:
        list_placements(ws)
        row = ws.rows[code - PLACE]
        if row >= 0:
            update_posterior(ws, int(state[TURN]), row)
    apply(state, code)
    if placing:
        # A pile is empty from the last tile on that was taken from it; the patterns that say so are secret.
        colour = (code - PLACE) // HEXES
        if ws.root[GONE] >> colour & 1 and state[USED + colour] == ws.root[USED + colour]:
            state[GONE] |= 1 << colour
    if code != END:
        note_silence(ws)


def note_silence(ws: ReaderWorkspace) -> None:
    """Note which patterns would have been announced by now."""
    state = ws.state
    for seat in range(state[PLAYERS]):
        if state[IN] >> seat & 1:
            for p in range(PATTERNS):
                if need_of(state, seat, p) <= 0:
                    ws.silent[seat, p] = 1


def need_of(state: State, seat: int, pattern: int) -> int:
    """Return how many points a seat would still need with a pattern."""
    return int(state[GOAL] - state[CHANGE + seat] - state[SHOWN + 1 + pattern])


def is_wrong_guess(state: State, seat: int, pattern: int) -> bool:
    """Return whether a pattern was wrongly guessed of a seat."""
    second = pattern // WRONG_BITS
    return bool(state[WRONG + 2 * seat + second] >> (pattern - second * WRONG_BITS) & 1)


def remaining(ws: ReaderWorkspace, seat: int, pattern: int) -> float:
    """Return what remains of a probability after announcements that did not come, and wrong guesses."""
    if is_wrong_guess(ws.state, seat, pattern):
        return 0.0
    return SILENT if ws.silent[seat, pattern] == 1 else 1.0


# --- the posterior ----------------------------------------------------------------------------------------


def update_posterior(ws: ReaderWorkspace, seat: int, row: int) -> None:
    """Multiply in the likelihood of a placement, before it is made (Bayes' rule)."""
    weigh_placements(ws, seat)
    total = 0.0
    for model in range(MODELS):
        for p in range(PATTERNS):
            chance = ws.joint[seat * MODELS + model, p] * likelihood(ws, model, row, p)
            ws.joint[seat * MODELS + model, p] = chance
            total += chance
    for model in range(MODELS):
        for p in range(PATTERNS):
            ws.joint[seat * MODELS + model, p] /= total


def likelihood(ws: ReaderWorkspace, model: int, row: int, p: int) -> float:
    """Return the likelihood of a placement by a model and a pattern, after :func:`weigh_placements`."""
    uniform = 1.0 / int(ws.control[C_ROWS])
    if model == RANDOM:
        return uniform
    if model == COVERT:
        found = ws.covert[row, p]
    else:
        gain = gain_of(int(ws.ones[row, p]), int(ws.twos[row, p]), int(ws.threes[row, p]))
        if model == PLAIN:
            found = PLAIN_WEIGHTS[gain - LEAST_GAIN] / ws.plain_sums[p]
        else:
            found = 1.0 / ws.best_counts[p] if gain == ws.best_gains[p] else 0.0
    return float(uniform + (1.0 - RANDOM_PLACEMENT) * (found - uniform))


def list_beliefs(ws: ReaderWorkspace) -> None:
    """Fill in the posterior of each seat, from placements, announcements that did not come, and wrong guesses."""
    for seat in range(ws.state[PLAYERS]):
        total = 0.0
        for p in range(PATTERNS):
            chance = 0.0
            for model in range(MODELS):
                chance += ws.joint[seat * MODELS + model, p]
            chance *= remaining(ws, seat, p)
            ws.beliefs[seat, p] = chance
            total += chance
        for p in range(PATTERNS):
            ws.beliefs[seat, p] /= total


def list_believed_after(ws: ReaderWorkspace, seat: int, row: int) -> None:
    """Fill in ``believed``: the posterior of the seat to place after one of its placements."""
    total = 0.0
    for p in range(PATTERNS):
        chance = 0.0
        for model in range(MODELS):
            chance += ws.joint[seat * MODELS + model, p] * likelihood(ws, model, row, p)
        chance *= remaining(ws, seat, p)
        ws.believed[p] = chance
        total += chance
    for p in range(PATTERNS):
        ws.believed[p] /= total


def list_guesses(ws: ReaderWorkspace, seat: int) -> None:
    """Fill in how likely each guess at a seat's pattern is right: the posterior weighted by ``RELIABLE``."""
    total = 0.0
    for p in range(PATTERNS):
        remains = remaining(ws, seat, p)
        guess = 0.0
        for model in range(MODELS):
            chance = ws.joint[seat * MODELS + model, p] * remains
            guess += RELIABLE[model] * chance
            total += chance
        ws.guesses[p] = guess
    for p in range(PATTERNS):
        ws.guesses[p] /= total


# --- the covert model -------------------------------------------------------------------------------------


def list_harm(ws: ReaderWorkspace, seat: int) -> None:
    """Fill in the expected gain of all other seats from each placement, under their posteriors."""
    state = ws.state
    weights = ws.harm_weights
    for p in range(PATTERNS):
        weights[p] = 0.0
    for other in range(state[PLAYERS]):
        if other != seat and state[IN] >> other & 1:
            for p in range(PATTERNS):
                need = need_of(state, other, p)
                urgency = URGENT[0] if need <= 1 else URGENT[1] if need == 2 else 1.0
                weights[p] += ws.beliefs[other, p] * urgency
    for row in range(ws.control[C_ROWS]):
        total = 0.0
        for p in range(PATTERNS):
            gain = gain_of(int(ws.ones[row, p]), int(ws.twos[row, p]), int(ws.threes[row, p]))
            total += gain * weights[p]
        ws.harm[row] = total / POINT


def list_factors(ws: ReaderWorkspace, weights: FloatVector) -> None:
    """Fill in by what each number of windows multiplies a placement's weight in a softmax.

    The weights are interpolated between an empty and a full board.
    """
    for kind in range(3):
        weight = interpolated(ws, weights, kind)
        for number in range(2 * MOST_THROUGH + 1):
            ws.factors[kind, number] = exp(weight * (number - MOST_THROUGH))


def interpolated(ws: ReaderWorkspace, weights: FloatVector, number: int) -> float:
    """Return a weight for the board as it stands."""
    filled = 1.0 - popcount(ws.state[EMPTY]) / HEXES
    return float(weights[number] + filled * weights[len(weights) // 2 + number])


def factor_of(ws: ReaderWorkspace, row: int, p: int) -> float:
    """Return by what the windows multiply a placement's weight."""
    return float(
        ws.factors[0, ws.ones[row, p] + MOST_THROUGH]
        * ws.factors[1, ws.twos[row, p] + MOST_THROUGH]
        * ws.factors[2, ws.threes[row, p] + MOST_THROUGH]
    )


def weigh_placements(ws: ReaderWorkspace, seat: int) -> None:
    """Fill in the covert model of a seat: the probability of each placement (row) given each pattern (column)."""
    list_beliefs(ws)
    list_harm(ws, seat)
    list_given_away(ws, seat)
    rows = ws.control[C_ROWS]
    list_factors(ws, ws.covert_weights)
    harm_weight = interpolated(ws, ws.covert_weights, 3)
    secrecy_weight = interpolated(ws, ws.covert_weights, 4)
    for p in range(PATTERNS):
        ws.columns[p] = 0.0
    for row in range(rows):
        harm_factor = exp(harm_weight * ws.harm[row])
        for p in range(PATTERNS):
            weight = factor_of(ws, row, p) * harm_factor * exp(secrecy_weight * ws.given_away[row, p])
            ws.covert[row, p] = weight
            ws.columns[p] += weight
    for row in range(rows):
        for p in range(PATTERNS):
            ws.covert[row, p] /= ws.columns[p]


def list_given_away(ws: ReaderWorkspace, seat: int) -> None:
    """Fill in the log posterior after each placement, if players place openly, by the softmax of ``open_weights``."""
    rows = ws.control[C_ROWS]
    list_factors(ws, ws.open_weights)
    harm_weight = interpolated(ws, ws.open_weights, 3)
    for p in range(PATTERNS):
        ws.columns[p] = 0.0
    for row in range(rows):
        harm_factor = exp(harm_weight * ws.harm[row])
        for p in range(PATTERNS):
            weight = factor_of(ws, row, p) * harm_factor
            ws.given_away[row, p] = weight
            ws.columns[p] += weight
    for row in range(rows):
        total = 1e-12
        for p in range(PATTERNS):
            chance = ws.given_away[row, p] / ws.columns[p] * ws.beliefs[seat, p]
            ws.given_away[row, p] = chance
            total += chance
        for p in range(PATTERNS):
            ws.given_away[row, p] = log(ws.given_away[row, p] / total + GIVEN_AWAY)
