"""The expected value of a take in coins, with the others' cards in view, by backward induction: compiled.

For a single card, the best chance to clear it or the fewest coins expected to be left are aims of their own
(:mod:`triskele.games.tryad.solution`). At the table coins are won from others, and what is best depends on their
cards, which everybody sees:

* a duel is solved exactly (minimax over chance nodes), row by row: :func:`solve_row`;
* in a game of more, it is the best response if every other player takes for the fewest coins: :func:`solve_crowd`;
* practice is :func:`solve_alone`.

Coins are counted as covered fields: multiply by the stake. Values are by case (:mod:`triskele.games.tryad.cases`).
"""

from typing import NamedTuple

from triskele.core.contract import State
from triskele.core.workspace import FloatMatrix, FloatVector, Matrix, Vector
from triskele.games.tryad.cases import CLEARED, MOST_CASES, MOST_TAKES, NONE, case_of
from triskele.games.tryad.rules import BINGO, CARDS, FACES, FIELDS, IN, MODE, PLAYERS, ROLL, SEAT, TRIPLE

ROUNDS = FIELDS + 1
"""A card lasts at most 16 rolls."""
CROWD_ROLLS = FIELDS + 1
"""After so many rolls every card is cleared or out."""
_TINY = 1e-12


class TakeWorkspace(NamedTuple):
    """The tables of Tryad's player."""

    root: Vector
    """The position that is asked about."""
    moves: Vector
    """Its takes."""
    values: FloatVector
    """The value of each take."""
    control: Vector
    coins: Vector
    """How many fields are covered in each case."""
    after: Matrix
    """The cases that takes lead to."""
    own: FloatVector
    """The value of each case on the own card alone."""
    fewest: FloatVector
    """The same for a player who takes for the fewest coins, and looks to the end."""
    against_out: FloatMatrix
    """By case, and the coins of an opponent who is out."""
    last_roll: FloatVector
    """By case: the other has cleared its card, and one roll is left."""
    round: FloatMatrix
    """By the cases of both seats of a duel, both in: a round begins. Values are for seat 0, which rolls first."""
    middle: FloatMatrix
    """The same when seat 0 has taken and seat 1 rolls; not in bingo style."""
    rivals: FloatMatrix
    """For each rival three rows: by round, the probability to clear in it; the coins expected on the card after it
    while that is not cleared; and by coins, the probability to be out with them in the end."""
    rolling: FloatMatrix
    """Two rows, by case: how likely a rival has it and still rolls, now and after the round."""
    hazards: FloatMatrix
    """For each rival, by round: the probability to clear in it if it did not before; then the coins left if not."""
    sharing: FloatVector
    """Scratch: how likely a win is shared by so many."""
    rounds: FloatMatrix
    """By round: the probability that no rival clears in it, the coins by clearing in it, and the probability that no
    rival clears later; by coins: the payoff of being out with them when nobody clears."""
    crowd: FloatMatrix
    """By case and round: the value of a case after the own take of that round."""
    trial: Vector
    """The position after a take that is appraised, and below one that is over."""
    ended: Vector
    expected: FloatMatrix
    """What each seat can expect: see the rows in :mod:`~triskele.games.tryad.exact_values`, as for what follows."""
    paid: FloatVector
    chances: FloatMatrix
    lefts: FloatMatrix
    clearing: FloatMatrix
    leaving: FloatMatrix
    found: Vector
    line_codes: Matrix
    line_scores: FloatMatrix


def best_value(ws: TakeWorkspace, roll: int, case: int, value: FloatVector, missed: float) -> float:
    """Return the value of a case after a roll (from 0) and the best take; ``missed`` is that of being out."""
    row = ws.after[roll * MOST_CASES + case]
    if row[0] == NONE:
        return missed
    best = value[row[0]]
    for i in range(1, MOST_TAKES):
        if row[i] == NONE:
            break
        best = max(best, value[row[i]])
    return float(best)


def before_roll(ws: TakeWorkspace, case: int, value: FloatVector, missed: float) -> float:
    """Return the expected value of a case before a roll, from the values of lower cases and of being out."""
    total = 0.0
    for roll in range(FACES):
        total += best_value(ws, roll, case, value, missed)
    return total / FACES


# --- the own card alone -------------------------------------------------------------------------------


def solve_sighted(ws: TakeWorkspace, cases: int, rolls: int, value: FloatVector) -> None:
    """Fill in minus the coins expected to be left, looking so many rolls ahead (value iteration)."""
    for case in range(cases):
        value[case] = -float(ws.coins[case])
    if rolls >= FIELDS:  # to the end: lower cases are final before they are needed
        for case in range(1, cases):
            value[case] = before_roll(ws, case, value, -float(ws.coins[case]))
        return
    for _ in range(rolls):
        for i in range(1, cases):
            case = cases - i  # downwards: lower cases still have their values of one roll less
            value[case] = before_roll(ws, case, value, -float(ws.coins[case]))


def solve_alone(ws: TakeWorkspace, cases: int) -> None:
    """Fill in the values of practice: the whole card if cleared, else minus what is left."""
    ws.own[CLEARED] = FIELDS
    for case in range(1, cases):
        ws.own[case] = before_roll(ws, case, ws.own, -float(ws.coins[case]))


# --- two players ------------------------------------------------------------------------------------


def payoff_when_both_out(own: int, other: int) -> float:
    """Return the payoff of a player with ``own`` coins left when both are out (A6); a tie is even (A7)."""
    return float(other) if own < other else -float(own) if own > other else 0.0


def start_duel(ws: TakeWorkspace, cases: int) -> None:
    """Solve the situations of a duel in which only one still rolls, and those in which a card is cleared."""
    for coins in range(FIELDS + 1):
        ws.against_out[CLEARED, coins] = TRIPLE * coins
    for case in range(1, cases):
        for coins in range(FIELDS + 1):
            total = 0.0
            for roll in range(FACES):
                row = ws.after[roll * MOST_CASES + case]
                if row[0] == NONE:
                    total += payoff_when_both_out(ws.coins[case], coins)
                    continue
                best = ws.against_out[row[0], coins]
                for i in range(1, MOST_TAKES):
                    if row[i] == NONE:
                        break
                    best = max(best, ws.against_out[row[i], coins])
                total += best
            ws.against_out[case, coins] = total / FACES
    lost = ws.own  # not needed once the own card's values were used
    for case in range(cases):
        lost[case] = -TRIPLE * float(ws.coins[case])
    for case in range(cases):
        ws.last_roll[case] = 0.0 if case == CLEARED else before_roll(ws, case, lost, lost[case])
        ws.round[CLEARED, case] = -lost[case]
        ws.round[case, CLEARED] = lost[case]
        ws.middle[CLEARED, case] = -ws.last_roll[case]


def solve_row(ws: TakeWorkspace, cases: int, case: int, common_roll: bool) -> None:
    """Solve one case of seat 0 against all cases of seat 1, when all lower cases are solved."""
    coins = ws.coins[case]
    for other in range(1, cases):
        total = 0.0
        for roll in range(FACES):
            row = ws.after[roll * MOST_CASES + case]
            if row[0] != NONE:
                best = _after_take(ws, row[0], other, roll, common_roll)
                for i in range(1, MOST_TAKES):
                    if row[i] == NONE:
                        break
                    best = max(best, _after_take(ws, row[i], other, roll, common_roll))
                total += best
            elif common_roll:
                total += _reply_to_out(ws, coins, other, roll)
            else:
                total -= ws.against_out[other, coins]
        ws.round[case, other] = total / FACES
    if not common_roll:
        for other in range(1, cases):
            total = 0.0
            for roll in range(FACES):
                total += _reply(ws, case, other, roll)
            ws.middle[case, other] = total / FACES
        ws.middle[case, CLEARED] = -TRIPLE * float(coins)


def _after_take(ws: TakeWorkspace, case: int, other: int, roll: int, common_roll: bool) -> float:
    """Return the value when seat 0 has taken, and seat 1 matches the same roll or rolls itself."""
    return _reply(ws, case, other, roll) if common_roll else float(ws.middle[case, other])


def _reply(ws: TakeWorkspace, case: int, other: int, roll: int) -> float:
    """Return the value after the best take of seat 1 for a roll; seat 0 stays in."""
    row = ws.after[roll * MOST_CASES + other]
    if row[0] == NONE:
        return float(ws.against_out[case, ws.coins[other]])
    best = ws.round[case, row[0]]
    for i in range(1, MOST_TAKES):
        if row[i] == NONE:
            break
        best = min(best, ws.round[case, row[i]])
    return float(best)


def _reply_to_out(ws: TakeWorkspace, coins: int, other: int, roll: int) -> float:
    """Return the value after the best take of seat 1 for a roll that has put seat 0 out with ``coins``."""
    row = ws.after[roll * MOST_CASES + other]
    if row[0] == NONE:
        return payoff_when_both_out(coins, ws.coins[other])
    best = ws.against_out[row[0], coins]
    for i in range(1, MOST_TAKES):
        if row[i] == NONE:
            break
        best = max(best, ws.against_out[row[i], coins])
    return -float(best)


def duel_value(ws: TakeWorkspace, state: State, rest: int) -> float:
    """Return the expected coins of the seat to take after a take that leaves the case ``rest``."""
    seat = state[SEAT]
    other = case_of(state, state[CARDS + 1 - seat])
    if state[IN] >> (1 - seat) & 1 == 0:
        if other == CLEARED:  # by seat 0 this round, or by the same roll
            return -TRIPLE * float(ws.coins[rest])
        return float(ws.against_out[rest, ws.coins[other]])
    if seat == 1:
        return -float(ws.round[other, rest])
    if state[MODE] != BINGO:
        return float(ws.middle[rest, other])
    return _reply(ws, rest, other, state[ROLL] - 1)


# --- more players -----------------------------------------------------------------------------------


def fewest_coins_take(ws: TakeWorkspace, roll: int, case: int) -> int:
    """Return the case that a player for the fewest coins takes to, ``NONE`` if the roll cannot be matched."""
    row = ws.after[roll * MOST_CASES + case]
    chosen = row[0]
    for i in range(1, MOST_TAKES):
        if row[i] == NONE:
            break
        if ws.fewest[row[i]] > ws.fewest[chosen]:
            chosen = row[i]
    return int(chosen)


def _follow_rival(ws: TakeWorkspace, cases: int, state: State, seat: int, rival: int) -> None:
    """Fill in what becomes of another player's card. Rounds count from the one now being played, 0."""
    cleared = ws.rivals[3 * rival]
    left = ws.rivals[3 * rival + 1]
    ends = ws.rivals[3 * rival + 2]
    rolling = ws.rolling[0]
    following = ws.rolling[1]
    for i in range(ROUNDS):
        cleared[i] = 0.0
        left[i] = 0.0
        ends[i] = 0.0
    for case in range(cases):
        rolling[case] = 0.0
    case = case_of(state, state[CARDS + seat])
    out_coins = 0.0
    if case == CLEARED:
        cleared[0] = 1.0
    elif state[IN] >> seat & 1 == 1:
        rolling[case] = 1.0
    else:
        ends[ws.coins[case]] = 1.0
        out_coins = float(ws.coins[case])
    waits = seat < state[SEAT]  # has had its turn of this round
    for number in range(ROUNDS):
        if number > 0 or not waits:
            known = number == 0 and state[MODE] == BINGO
            for i in range(cases):
                following[i] = 0.0
            for roll in range(FACES):
                if known and roll != state[ROLL] - 1:
                    continue
                for i in range(cases):
                    if rolling[i] == 0.0:
                        continue
                    share = rolling[i] if known else rolling[i] / FACES
                    to = fewest_coins_take(ws, roll, i)
                    if to == NONE:
                        ends[ws.coins[i]] += share
                        out_coins += share * ws.coins[i]
                    else:
                        following[to] += share
            cleared[number] += following[CLEARED]
            following[CLEARED] = 0.0
            for i in range(cases):
                rolling[i] = following[i]
        expected = out_coins
        for i in range(cases):
            expected += rolling[i] * ws.coins[i]
        left[number] = expected


def solve_crowd(ws: TakeWorkspace, cases: int, state: State) -> None:
    """Solve the game of three and more for the seat to take: its best response to rivals for the fewest coins."""
    number = 0
    for seat in range(state[PLAYERS]):
        if seat != state[SEAT]:
            _follow_rival(ws, cases, state, seat, number)
            number += 1
    _combine_rivals(ws, number)
    nobody = ws.rounds[0]
    never = ws.rounds[2]
    fewest = ws.rounds[3]
    for i in range(ROUNDS):
        ws.crowd[CLEARED, i] = ws.rounds[1, i]
    for case in range(1, cases):
        lost = -TRIPLE * float(ws.coins[case])
        for i in range(ROUNDS):
            # The others' turns of this round come first, then the own next roll.
            following = lost
            if i + 1 < ROUNDS:
                # Out in the next round: the payoff then depends on whether a rival still clears.
                out = never[i + 1] * fewest[ws.coins[case]] + (1.0 - never[i + 1]) * lost
                following = 0.0
                for roll in range(FACES):
                    following += _best_of_crowd(ws, roll, case, i + 1, out)
                following /= FACES
            ws.crowd[case, i] = nobody[i] * following + (1.0 - nobody[i]) * lost


def _best_of_crowd(ws: TakeWorkspace, roll: int, case: int, number: int, missed: float) -> float:
    """Return the value of a case after a roll of a round and the best take."""
    row = ws.after[roll * MOST_CASES + case]
    if row[0] == NONE:
        return missed
    best = ws.crowd[row[0], number]
    for i in range(1, MOST_TAKES):
        if row[i] == NONE:
            break
        best = max(best, ws.crowd[row[i], number])
    return float(best)


def _combine_rivals(ws: TakeWorkspace, number: int) -> None:
    """Work out for each round what the rivals together mean."""
    for i in range(ROUNDS):
        ws.rounds[0, i] = 1.0
        ws.rounds[2, i] = 1.0
    for rival in range(number):
        cleared = ws.rivals[3 * rival]
        ends = ws.rivals[3 * rival + 2]
        never = 0.0
        for coins in range(ROUNDS):
            never += ends[coins]
        before = 1.0
        cleared_so_far = 0.0
        for i in range(ROUNDS):
            cleared_so_far += cleared[i]
            going_on = 1.0 - cleared_so_far
            hazard = cleared[i] / before if before > _TINY else 0.0
            ws.hazards[2 * rival, i] = hazard
            ws.hazards[2 * rival + 1, i] = ws.rivals[3 * rival + 1, i] / max(going_on, _TINY)
            ws.rounds[0, i] *= 1.0 - hazard
            rest = max(going_on, never)
            if rest > _TINY:
                ws.rounds[2, i] *= never / rest
            before = going_on
        for coins in range(ROUNDS):
            ends[coins] /= max(never, _TINY)
    for i in range(ROUNDS):
        ws.rounds[1, i] = _payoff_of_clearing(ws, number, i)
        ws.rounds[3, i] = _payoff_when_all_out(ws, number, i)


def _payoff_of_clearing(ws: TakeWorkspace, number: int, at: int) -> float:
    """Return the expected payoff of clearing in a round: a rival that does not clear pays, to all who clear."""
    total = 0.0
    for rival in range(number):
        ws.sharing[0] = 1.0
        length = 1
        for other in range(number):
            if other != rival:
                chance = ws.hazards[2 * other, at]
                length = _convolve(ws.sharing, length, 1.0 - chance, chance)
        share = _expected_share(ws.sharing, length)
        total += (1.0 - ws.hazards[2 * rival, at]) * TRIPLE * ws.hazards[2 * rival + 1, at] * share
    return total


def _payoff_when_all_out(ws: TakeWorkspace, number: int, own: int) -> float:
    """Return the expected payoff of being out with ``own`` coins when nobody clears (A6); ties are even (A7)."""
    best = 1.0
    for rival in range(number):
        best *= 1.0 - _probability_of_fewer(ws, rival, own)
    total = -(1.0 - best) * own
    for rival in range(number):
        ws.sharing[0] = 1.0
        length = 1
        for other in range(number):
            if other != rival:
                same = ws.rivals[3 * other + 2, own]
                more = 1.0 - _probability_of_fewer(ws, other, own) - same
                length = _convolve(ws.sharing, length, more, same)
        paid = 0.0
        for coins in range(own + 1, ROUNDS):
            paid += ws.rivals[3 * rival + 2, coins] * coins
        total += paid * _expected_share(ws.sharing, length)
    return total


def _probability_of_fewer(ws: TakeWorkspace, rival: int, own: int) -> float:
    """Return how likely a rival is out with fewer than ``own`` coins."""
    fewer = 0.0
    for coins in range(own):
        fewer += ws.rivals[3 * rival + 2, coins]
    return fewer


def _convolve(sharing: FloatVector, length: int, stays: float, joins: float) -> int:
    """Count one more player in, who joins with a probability; return the new length."""
    sharing[length] = 0.0
    for i in range(length):
        at = length - i
        sharing[at] = sharing[at] * stays + sharing[at - 1] * joins
    sharing[0] *= stays
    return length + 1


def _expected_share(sharing: FloatVector, length: int) -> float:
    """Return the expected part of a win that is shared with 0, 1, 2 … others."""
    share = 0.0
    for i in range(length):
        share += sharing[i] / (i + 1)
    return share
