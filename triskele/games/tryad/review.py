"""The exact values of Tryad: the score that each seat can expect in any state.

Practice and the game of two are solved: both seats play for the highest score to expect. For three and more no best
play is known; there the value is that of everybody taking for the fewest coins.
"""

from itertools import product

from triskele.core.contract import State
from triskele.core.contract.review import ExactValues, ExpectedScores
from triskele.core.game import Variant
from triskele.games.tryad import rules as r
from triskele.games.tryad.case_tables import CLEARED, Duel, alone, card, duel
from triskele.games.tryad.crowd_values import Seat, crowd


def _stake(variant: Variant) -> int:
    return int(str(variant.options["stake"]))


def _scores(state: State) -> tuple[float, ...]:
    out = [0.0] * int(state[r.PLAYERS])
    r.scores(state, out)  # type: ignore[arg-type]
    return tuple(map(float, out))


def roll_off_scores(state: State) -> tuple[float, ...]:
    """Return the scores to expect in a roll-off (A7): each of those who are still to roll has a 4 in four tries."""
    tied = [seat for seat in range(int(state[r.PLAYERS])) if state[r.TIED] >> seat & 1]
    open_seats = [seat for seat in tied if seat >= state[r.SEAT]]
    fresh = state.copy()
    fresh[r.FOURS] = 0
    begun = len(open_seats) < len(tied)
    again = _after_rolls(fresh, tied, None) if begun else None
    return _after_rolls(state, open_seats, again)


def _after_rolls(state: State, rolling: list[int], again: tuple[float, ...] | None) -> tuple[float, ...]:
    """Return the scores to expect when some seats roll; without a 4 it is ``again``, by default the same once more."""
    seats = int(state[r.PLAYERS])
    totals, decided = [0.0] * seats, 0.0
    ended = state.copy()
    ended[r.PHASE] = r.ENDED
    for rolls in product((False, True), repeat=len(rolling)):
        chance = 1.0
        fours = int(state[r.FOURS])
        for seat, is_four in zip(rolling, rolls, strict=True):
            chance *= 1 / r.FACES if is_four else 1 - 1 / r.FACES
            fours |= is_four << seat
        if fours == 0 and again is None:
            continue
        ended[r.WINNERS] = fours
        scores = again if fours == 0 and again is not None else _scores(ended)
        decided += chance
        totals = [total + chance * score for total, score in zip(totals, scores, strict=True)]
    return tuple(total / decided for total in totals)


class _Values:
    """The values of the states of one variant."""

    def __init__(self, variant: Variant) -> None:
        self.stake = _stake(variant)
        self.layout = str(variant.options["layout"])
        self.card = card(self.layout)

    def __call__(self, state: State) -> tuple[float, ...]:
        if state[r.PHASE] == r.ENDED:
            return _scores(state)
        if state[r.PHASE] == r.ROLL_OFF:
            return roll_off_scores(state)
        return tuple(self.stake * value for value in self.coins(state))

    def coins(self, state: State) -> tuple[float, ...]:
        """Return the coins that each seat can expect while cards are played."""
        raise NotImplementedError

    def rests(self, case: int, roll: int) -> list[int]:
        """Return the cases that takes lead to; ``roll`` counts from 1."""
        return [rest for rest in self.card.after[roll - 1][case].tolist() if rest >= 0]


class _Alone(_Values):
    def coins(self, state: State) -> tuple[float, ...]:
        value = alone(self.layout)
        case = self.card.case(int(state[r.CARDS]))
        cases = [case] if state[r.PHASE] == r.ROLLING else self.rests(case, int(state[r.ROLL]))
        return (max(float(value[case]) for case in cases),)


class _Two(_Values):
    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self.table: Duel = duel(self.layout, variant.options["mode"] == "bingo")
        while not self.table.ready:
            self.table.advance()

    def coins(self, state: State) -> tuple[float, ...]:
        phase, seat, roll, seats_in, first, second = (
            state[at] for at in (r.PHASE, r.SEAT, r.ROLL, r.IN, r.CARDS, r.CARDS + 1)
        )
        cases = (self.card.case(int(first)), self.card.case(int(second)))
        if phase == r.ROLLING:
            value = self.table.value_before_roll(int(seat), cases, (bool(seats_in & 1), bool(seats_in & 2)))
            return (value, -value)
        other = 1 - int(seat)
        other_in = bool(seats_in >> other & 1)
        rests = self.rests(cases[seat], int(roll))
        best = max(self.table.value_of_rest(int(seat), rest, cases[other], other_in, int(roll) - 1) for rest in rests)
        return (best, -best) if seat == 0 else (-best, best)


class _Many(_Values):
    def coins(self, state: State) -> tuple[float, ...]:
        its = crowd(self.layout)
        taking, bingo = state[r.PHASE] == r.TAKING, state[r.MODE] == r.BINGO
        seats = []
        for seat in range(int(state[r.PLAYERS])):
            case, rolling = self.card.case(int(state[r.CARDS + seat])), bool(state[r.IN] >> seat & 1)
            takes = taking and (seat == state[r.SEAT] or (bingo and seat > state[r.SEAT]))
            if rolling and takes:
                case = int(its.taken[int(state[r.ROLL]) - 1, case])
            waits = takes or seat < state[r.SEAT] or (bingo and taking)
            seats.append(Seat(case, rolling and case != CLEARED, 0 if waits or case == CLEARED else 1))
        return tuple(its.expected(seats))


def expected_scores(variant: Variant) -> ExpectedScores:
    """Return the function that gives the values of a variant's states; solves it first, in a fraction of a second."""
    players = variant.seats
    return _Alone(variant) if players == 1 else _Two(variant) if players == 2 else _Many(variant)


REVIEW = ExactValues(
    expected_scores=expected_scores,
    unit=lambda variant: float(r.FIELDS * _stake(variant)),
    is_solved=lambda variant: variant.seats <= 2,
)
