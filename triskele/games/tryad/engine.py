"""Players of Tryad: the one that plays for coins, exactly, and two that each have one aim of a single card."""

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from triskele.core.game import Game
from triskele.engines.engine import Engine, Info, Task, shares
from triskele.games.tryad import rules as r
from triskele.games.tryad.coins import alone, card, crowd, duel, short_sighted
from triskele.games.tryad.evaluation import SIGHTS
from triskele.games.tryad.solution import Aim, solve

Worth = Callable[[int], float]
"""What it is worth to be left with a set of fields, in coins."""

_LINES = 3
_UNHURRIED = 8
"""So many rows of a duel's table are worked out between two looks at the clock."""


class _Taker(Engine):
    """Chooses takes by what they are worth."""

    def worths(self, task: Task) -> Iterator[Worth]:
        """Yield how to judge what is left after a take, better and better; at least once."""
        raise NotImplementedError

    def think(self, task: Task) -> Iterator[Info]:
        """Judge all takes. Of those worth the same it prefers high numbers; of equal ones, the alphabetically first."""
        state = task.position.state
        covered = int(state[r.CARDS + task.seat])
        its = card(str(task.position.variant.options["layout"]))
        cases = its.after[int(state[r.ROLL]) - 1][its.case(covered)].tolist()
        rests = {move.text: covered & ~int(r.TAKEN[move.code]) for move in task.position.legal_moves}
        for depth, worth in enumerate(self.worths(task), 1):
            # What is worth the same may differ by how sums were rounded.
            merits = {take: round(worth(rest), 9) for take, rest in rests.items()}
            ranked = sorted(merits, key=lambda take: (-merits[take], cases.index(its.case(rests[take])), take))
            worse = [take for take in ranked if merits[take] < merits[ranked[0]]]
            lines = tuple((take,) for take in (ranked[0], *worse[: _LINES - 1]))
            yield Info(depth, len(rests), task.elapsed, shares(merits[ranked[0]] / r.FIELDS, task), lines)


class Banker(_Taker):
    """Plays for the most coins: exactly in practice and against one other, nearly so against more."""

    name: ClassVar[str] = "triskele"

    def get_ready(self) -> None:
        """Work out the usual card, alone and for two; another one takes a moment at its first move."""
        super().get_ready()
        layout = str(self.game.variant().options["layout"])
        short_sighted(layout, r.FIELDS)
        game = duel(layout, False)
        while not game.ready:
            game.advance()

    def worths(self, task: Task) -> Iterator[Worth]:
        """Begin with the own card, which takes no time, and go on to all cards."""
        layout = str(task.position.variant.options["layout"])
        its = card(layout)
        covered = int(task.position.state[r.CARDS + task.seat])
        far = task.level.depth is None
        rough = short_sighted(layout, r.FIELDS if far else SIGHTS[task.level.number - 1][covered.bit_count() - 1])
        yield lambda rest: float(rough[its.case(rest)])
        if far and not task.stopped:
            worth = self._of_table(task, layout)
            if worth is not None:
                yield worth

    def _of_table(self, task: Task, layout: str) -> Worth | None:
        state, seat = task.position.state, task.seat
        its = card(layout)
        players = int(state[r.PLAYERS])
        if state[r.MODE] == r.PRACTICE:
            own = alone(layout)
            return lambda rest: float(own[its.case(rest)])
        common = bool(state[r.MODE] == r.BINGO)
        roll = int(state[r.ROLL]) - 1
        cards = [int(fields) for fields in state[r.CARDS : r.CARDS + players]]
        if players > 2:
            table = crowd(layout, cards, int(state[r.IN]), seat, roll, common)
            return lambda rest: table.worth_of_rest(its.case(rest))
        game = duel(layout, common)
        while not game.ready:
            if task.stopped:
                return None
            for _ in range(_UNHURRIED):
                if not game.ready:
                    game.advance()
        other = its.case(cards[1 - seat])
        other_in = bool(state[r.IN] >> (1 - seat) & 1)
        return lambda rest: game.worth_of_rest(seat, its.case(rest), other, other_in, roll)


class _OneAim(_Taker):
    """Plays a single card for one aim, as if nobody else were there."""

    aim: ClassVar[Aim]

    def worths(self, task: Task) -> Iterator[Worth]:
        """Judge by the solution of one card; where the aim is served equally, the other one decides."""
        solution = solve(str(task.position.variant.options["layout"]))

        def worth(rest: int) -> float:
            odds = solution.odds(rest, self.aim)
            first, second = (r.FIELDS * odds.chance, -odds.left)
            return first + second / 1000 if self.aim == "clear" else second + first / 1000

        yield worth


class Clearer(_OneAim):
    """Plays for the best chance to clear the card."""

    name: ClassVar[str] = "clear"
    aim: ClassVar[Aim] = "clear"


class Saver(_OneAim):
    """Plays for the fewest coins left."""

    name: ClassVar[str] = "fewest"
    aim: ClassVar[Aim] = "fewest"


ENGINES: Mapping[str, Callable[[Game], Engine]] = {engine.name: engine for engine in (Banker, Clearer, Saver)}
