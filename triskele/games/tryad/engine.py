"""Players of Tryad: the one that plays for coins, exactly, and two that each have one aim of a single card."""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.engines.engine import Engine, Info, Task, shares
from triskele.games.tryad import rules as r
from triskele.games.tryad.coins import alone, card, crowd, duel, short_sighted
from triskele.games.tryad.solution import Aim, solve

Worth = Callable[[int], float]
"""What it is worth to be left with a set of fields, in coins."""

_UNHURRIED = 8
"""So many rows of a duel's table are worked out between two looks at the clock."""


class _Taker(Engine):
    """Chooses takes by what they are worth."""

    def __init__(self, game: Game, seed: int = 1) -> None:
        """Equal seeds give equal play at levels that err."""
        super().__init__(game)
        self._random = random.Random(seed)

    def worths(self, task: Task) -> Iterator[Worth]:
        """Yield how to judge what is left after a take, better and better; at least once."""
        raise NotImplementedError

    def think(self, task: Task) -> Iterator[Info]:
        """Judge all takes."""
        state = task.position.state
        covered = int(state[r.CARDS + task.seat])
        moves = task.position.legal_moves
        error = task.level.noise / 1000
        rests = [covered & ~int(r.TAKEN[move.code]) for move in moves]
        errors = {rest: self._random.gauss(0.0, error) if error else 0.0 for rest in rests}
        for depth, worth in enumerate(self.worths(task), 1):
            yield self._info(task, moves, covered, worth, errors, depth)

    def _info(
        self, task: Task, moves: list[Move], covered: int, worth: Worth, errors: Mapping[int, float], depth: int
    ) -> Info:
        def merit(move: Move) -> float:
            rest = covered & ~int(r.TAKEN[move.code])
            return worth(rest) + errors[rest]

        # Equal numbers can stand in for one another: of takes worth the same, the alphabetically first.
        ranked = sorted(moves, key=lambda move: (-round(merit(move), 9), move.text))
        lines = [(ranked[0].text,)]
        for move in ranked:
            if round(merit(move), 9) < round(merit(ranked[0]), 9) and len(lines) < 3:
                lines.append((move.text,))
        value = merit(ranked[0]) / r.FIELDS
        return Info(depth, len(moves), task.elapsed, shares(value, task), tuple(lines))


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
        depth = task.level.depth
        rough = short_sighted(layout, r.FIELDS if depth is None else depth)
        yield lambda rest: float(rough[its.case(rest)])
        if depth is None and not task.stopped:
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
