"""The exact values of Tryad in compiled code, for reviews in the page: what each seat can expect in any state.

The library has a solution of its own (:mod:`triskele.games.tryad.review`); tests compare the two. Practice and the game
of two come from the tables of :mod:`~triskele.games.tryad.expected_value`. With three and more, everybody is taken to
play for the fewest coins: the cards do not depend on one another then. Values are in coins over ``FIELDS``.
"""

import numpy as np

from triskele.core.bits import popcount
from triskele.core.contract import State, apply, scores
from triskele.core.workspace import FloatVector
from triskele.games.tryad.cases import CLEARED, MOST_CASES, MOST_TAKES, NONE, case_of
from triskele.games.tryad.expected_value import (
    CROWD_ROLLS,
    TakeWorkspace,
    duel_value,
    fewest_coins_take,
    solve_alone,
)
from triskele.games.tryad.rules import (
    BINGO,
    CARDS,
    ENDED,
    FACES,
    FIELDS,
    FOURS,
    IN,
    MODE,
    PHASE,
    PLAYERS,
    ROLL,
    ROLL_OFF,
    ROLLING,
    SEAT,
    SIZE,
    STAKE,
    TAKING,
    TIED,
    TRIPLE,
    WINNERS,
)

BEST, MADE, AS_IT_STANDS, TRIED, BEGUN_ANEW, MEAN = range(6)
"""Rows of ``expected``: after the best take, after the one that was made, of the state itself; scratch."""
ROWS = 6

EQUAL = 1e-9
"""Takes whose values differ by less are equally good."""

_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(6)
_POINTS, _WEIGHTS = (_POINTS + 1) / 2, _WEIGHTS / 2
"""Gauss-Legendre quadrature from 0 to 1: without an error for the polynomials of up to twelve players."""
_NUMBER_OF_POINTS = len(_POINTS)


def appraise(ws: TakeWorkspace, cases: int, takes: int, made: int) -> int:
    """Fill in the values of the state, of its best take and of the one with the code ``made``; return the best code.

    Of takes that are equally good the one that was made is the best, else the first. -1 if nothing was made.
    """
    if ws.root[PLAYERS] == 1:
        solve_alone(ws, cases)
    seat = ws.root[SEAT]
    best = -1
    highest = -np.inf
    # First the state, then every take, then the best one again: one call, as each more would be compiled once more.
    for number in range(takes + 2 if made >= 0 else 1):
        for i in range(SIZE):
            ws.trial[i] = ws.root[i]
        if number > takes:
            for i in range(takes):
                if ws.values[i] >= highest - EQUAL and (best < 0 or ws.moves[i] == made):
                    best = int(ws.moves[i])
        if number > 0:
            apply(ws.trial, best if number > takes else ws.moves[number - 1])
        list_expected(ws, ws.trial, TRIED)
        if 0 < number <= takes:
            ws.values[number - 1] = ws.expected[TRIED, seat]
            highest = max(highest, ws.values[number - 1])
        is_made = 0 < number <= takes and ws.moves[number - 1] == made
        for each in range(ws.root[PLAYERS]):
            value = ws.expected[TRIED, each]
            if number == 0:
                ws.expected[AS_IT_STANDS, each] = value
            if number == 0 or is_made:
                ws.expected[MADE, each] = value
            if number == 0 or number > takes:
                ws.expected[BEST, each] = value
    return best


def list_expected(ws: TakeWorkspace, state: State, row: int) -> None:
    """Fill in what each seat can expect in a state, in coins over ``FIELDS``."""
    phase = state[PHASE]
    players = state[PLAYERS]
    out = ws.expected[row]
    if phase == ENDED:
        scores(state, out)
        for seat in range(players):
            out[seat] /= FIELDS * state[STAKE]
    elif phase == ROLL_OFF:
        list_roll_off(ws, state, out)
    else:
        if players == 1:
            out[0] = value_alone(ws, state)
        elif players == 2:
            out[0] = value_of_first(ws, state)
            out[1] = -out[0]
        else:
            list_crowd(ws, state, out)
        for seat in range(players):
            out[seat] /= FIELDS


def value_alone(ws: TakeWorkspace, state: State) -> float:
    """Return the coins to expect in practice."""
    case = case_of(state, state[CARDS])
    if state[PHASE] == ROLLING:
        return float(ws.own[case])
    row = ws.after[(state[ROLL] - 1) * MOST_CASES + case]
    best = ws.own[row[0]]
    for i in range(1, MOST_TAKES):
        if row[i] == NONE:
            break
        best = max(best, ws.own[row[i]])
    return float(best)


def value_of_first(ws: TakeWorkspace, state: State) -> float:
    """Return the coins that seat 0 of two can expect."""
    seat = state[SEAT]
    first = case_of(state, state[CARDS])
    second = case_of(state, state[CARDS + 1])
    if state[PHASE] == ROLLING:
        if state[IN] & 1 == 0 and first != CLEARED:
            return -float(ws.against_out[second, ws.coins[first]])
        if state[IN] & 2 == 0:
            return float(ws.against_out[first, ws.coins[second]])
        return float(ws.round[first, second] if seat == 0 else ws.middle[first, second])
    row = ws.after[(state[ROLL] - 1) * MOST_CASES + (first if seat == 0 else second)]
    best = -np.inf
    for i in range(MOST_TAKES):
        if row[i] == NONE:
            break
        best = max(best, duel_value(ws, state, row[i]))
    return best if seat == 0 else -best


# --- the roll-off -------------------------------------------------------------------------------------------


def list_roll_off(ws: TakeWorkspace, state: State, out: FloatVector) -> None:
    """Fill in what each seat can expect in a roll-off (A7): each of those who are still to roll has a 4 in four."""
    players = state[PLAYERS]
    tied = state[TIED]
    rolling = tied >> state[SEAT] << state[SEAT]
    for i in range(SIZE):
        ws.ended[i] = state[i]
    ws.ended[PHASE] = ENDED
    begun = rolling != tied
    # Where somebody has rolled already: first what it is worth to begin anew.
    for number in range(0 if begun else 1, 2):
        last = number == 1
        mean_of_rolls(ws, rolling if last else tied, state[FOURS] if last else 0, last and begun)
        for seat in range(players):
            out[seat] = ws.expected[MEAN, seat]
            if number == 0:
                ws.expected[BEGUN_ANEW, seat] = out[seat]
    for seat in range(players):
        out[seat] /= FIELDS * state[STAKE]


def mean_of_rolls(ws: TakeWorkspace, rolling: int, fours: int, goes_on: bool) -> None:
    """Fill in the row ``MEAN`` when some seats roll; without a 4 it is ``BEGUN_ANEW``, or the same once more."""
    players = ws.ended[PLAYERS]
    out = ws.expected[MEAN]
    for seat in range(players):
        out[seat] = 0.0
    decided = 0.0
    number = popcount(rolling)
    for rolls in range(1 << number):
        won = fours
        chance = 1.0
        index = 0
        for seat in range(players):
            if rolling >> seat & 1 == 1:
                is_four = rolls >> index & 1
                chance *= 1 / FACES if is_four == 1 else 1 - 1 / FACES
                won |= is_four << seat
                index += 1
        if won == 0 and not goes_on:
            continue
        decided += chance
        if won == 0:
            for seat in range(players):
                out[seat] += chance * ws.expected[BEGUN_ANEW, seat]
        else:
            ws.ended[WINNERS] = won
            scores(ws.ended, ws.paid)
            for seat in range(players):
                out[seat] += chance * ws.paid[seat]
    for seat in range(players):
        out[seat] /= decided


# --- three and more -----------------------------------------------------------------------------------------


def solve_cards(ws: TakeWorkspace, cases: int) -> None:
    """Follow every case to the end, taking for the fewest coins.

    ``clearing`` has a row for each number of rolls: by case, how likely the card is cleared with the last of them.
    ``leaving`` has a row for each number of rolls and case: how likely so many coins are on it while it is not cleared.
    """
    for case in range(cases):
        ws.clearing[0, case] = 1.0 if case == CLEARED else 0.0
        for coins in range(FIELDS + 1):
            ws.leaving[case, coins] = 1.0 if case != CLEARED and ws.coins[case] == coins else 0.0
    for rolls in range(1, CROWD_ROLLS + 1):
        for case in range(cases):
            row = ws.leaving[rolls * MOST_CASES + case]
            for coins in range(FIELDS + 1):
                row[coins] = 0.0
            total = 0.0
            for roll in range(FACES if case != CLEARED else 0):
                to = fewest_coins_take(ws, roll, case)
                if to == NONE:
                    row[ws.coins[case]] += 1.0 / FACES
                    continue
                total += ws.clearing[rolls - 1, to]
                before = ws.leaving[(rolls - 1) * MOST_CASES + to]
                for coins in range(FIELDS + 1):
                    row[coins] += before[coins] / FACES
            ws.clearing[rolls, case] = total / FACES


def list_crowd(ws: TakeWorkspace, state: State, out: FloatVector) -> None:
    """Fill in the coins that each of three and more seats can expect."""
    players = state[PLAYERS]
    for seat in range(players):
        out[seat] = 0.0
    for number in range(CROWD_ROLLS):
        list_prospects(ws, state, number)
        add_clearing(ws, players, out)
    add_all_out(ws, players, out)


def list_prospects(ws: TakeWorkspace, state: State, number: int) -> None:
    """Fill in what became of each card in a round, 0 being the present one.

    ``chances`` has two rows by seat: how likely the card is cleared in that round, and that it is not yet cleared.
    ``lefts`` has a row for each seat: how likely so many coins are on the card while it is not cleared.
    """
    taking = state[PHASE] == TAKING
    bingo = state[MODE] == BINGO
    for seat in range(state[PLAYERS]):
        case = case_of(state, state[CARDS + seat])
        rolling = state[IN] >> seat & 1 == 1
        takes = taking and (seat == state[SEAT] or (bingo and seat > state[SEAT]))
        if rolling and takes:
            case = fewest_coins_take(ws, int(state[ROLL]) - 1, case)
        waits = takes or seat < state[SEAT] or (bingo and taking)
        rolls = min(CROWD_ROLLS, number + (0 if waits or case == CLEARED else 1))
        left = ws.lefts[seat]
        if case != CLEARED and not rolling:
            rolls = 0  # out: its coins stay
        row = ws.leaving[rolls * MOST_CASES + case]
        ws.chances[0, seat] = 0.0 if case != CLEARED and not rolling else ws.clearing[rolls, case]
        total = 0.0
        for coins in range(FIELDS + 1):
            left[coins] = row[coins]
            total += row[coins]
        ws.chances[1, seat] = total


def add_clearing(ws: TakeWorkspace, players: int, out: FloatVector) -> None:
    """Add what a round in which somebody clears brings: the others pay threefold, to all who clear (A5)."""
    cleared = ws.chances[0]
    not_yet = ws.chances[1]
    for seat in range(players):
        ws.paid[seat] = 0.0
        for coins in range(FIELDS + 1):
            ws.paid[seat] += ws.lefts[seat, coins] * coins
    for seat in range(players):
        every = 1.0
        none = 1.0
        for other in range(players):
            if other != seat:
                every *= cleared[other] + not_yet[other]
                none *= not_yet[other]
        won = 0.0
        if cleared[seat] > 0.0:
            for payer in range(players):
                if payer != seat:
                    won += expected_share(not_yet, cleared, players, seat, payer) * ws.paid[payer]
        out[seat] += TRIPLE * (cleared[seat] * won - ws.paid[seat] * (every - none))


def add_all_out(ws: TakeWorkspace, players: int, out: FloatVector) -> None:
    """Add what the end brings when all are out: whoever has the fewest coins gets those of the others (A6).

    Those who tie roll off (A7): each has the same chance, and what they pay one another evens out.
    """
    same = ws.chances[0]
    more = ws.chances[1]
    for coins in range(1, FIELDS + 1):
        for seat in range(players):
            same[seat] = ws.lefts[seat, coins]
            more[seat] = 0.0
            ws.paid[seat] = 0.0
            for others in range(coins + 1, FIELDS + 1):
                more[seat] += ws.lefts[seat, others]
                ws.paid[seat] += ws.lefts[seat, others] * others
        for seat in range(players):
            if same[seat] == 0.0:
                continue
            every = 1.0
            none_less = 1.0
            won = 0.0
            for other in range(players):
                if other == seat:
                    continue
                whole = 0.0
                for others in range(FIELDS + 1):
                    whole += ws.lefts[other, others]
                every *= whole
                none_less *= same[other] + more[other]
                won += expected_share(more, same, players, seat, other) * ws.paid[other]
            out[seat] += same[seat] * (won - coins * (every - none_less))


def expected_share(stays: FloatVector, joins: FloatVector, players: int, seat: int, payer: int) -> float:
    """Return the expected part of a win that a payer pays: the mean of 1 over all who share it.

    Each of the others is, by a pair of weights, not or among those who share it. The mean is the integral of a
    polynomial, the product of ``stays + joins * t``, from 0 to 1.
    """
    total = 0.0
    for i in range(_NUMBER_OF_POINTS):
        product = 1.0
        for other in range(players):
            if other not in (seat, payer):
                product *= stays[other] + joins[other] * _POINTS[i]
        total += product * _WEIGHTS[i]
    return total
