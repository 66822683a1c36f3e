"""Players of Conquest Tryad: the marshal, who thinks ahead, and the one by rules of thumb that he has to beat."""

import functools
import math
import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from triskele.core.bits import seed as new_rng
from triskele.core.compile import Program
from triskele.core.contract import State
from triskele.core.game import Game
from triskele.engines.clockwork import Pace, linked
from triskele.engines.engine import Engine, Info, Task
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.evaluation import NUMBER_OF_FACTS, load
from triskele.games.conquest.foresight import (
    CANDIDATES,
    COMMAND,
    COUNSEL,
    COUNT,
    EMPTY,
    ENDS,
    IMAGINE,
    QUIET,
    SQUARES,
    TAKEN,
    VALUES,
)
from triskele.games.conquest.general import MIND
from triskele.games.conquest.geometry import BOARD, FIELDS, HOME
from triskele.games.conquest.marches import Reals
from triskele.games.conquest.script import thumb
from triskele.games.conquest.table import number_of, owner_of, tokens_on

ROUNDS = 2
"""How many rounds the marshal looks ahead in a duel; with more seats one, which takes as long."""
WHIM = 20
"""So many decisions in a thousand are left to chance in imagined games, so that they differ by more than dice."""
DOUBT = 2.0
"""A move has to look better than the general's by so many standard errors; half of it for levels that err anyway."""
CURIOSITY = 1.0
"""How much moves that were hardly tried are tried again."""
SHARED = 40
"""Several threads imagine at least so many games together; for fewer, handing them out takes longer than they do."""
_LONGEST_GAME = 100_000
_LONGEST_PLAIN_GAME = 16
"""How many decisions an imagined game has at most; these, shared by the seats, as long as nothing is compiled."""
_LINES = 3
_LONGEST_LINE = 12


@functools.cache
def _ends(attackers: int, defenders: int, number: int) -> Reals:
    """Return the exact chance of each end of a battle; with no attackers, there is none."""
    shares = np.zeros(ENDS)
    if attackers == 0:
        shares[QUIET] = 1.0
    elif defenders:
        for (lost, won), share in odds.against_held(attackers, defenders).items():
            shares[lost * (r.SQUAD + 1) + won] = float(share)
    else:
        for lost, share in odds.against_empty(attackers, number).items():
            shares[TAKEN if lost == odds.TAKEN else EMPTY + lost] = float(share)
    return shares


def ends_of_battle(state: State, move: int) -> Reals:
    """Return the exact chance of each end of the battle that a move starts, the defender committing all he may."""
    phase = int(state[r.PHASE])
    if phase == r.DEFEND:
        return _ends(int(r.SPLITS[state[r.SPLIT]].sum()), move - r.DEFENCES + 1, 0)
    if phase != r.CONQUER or move == r.DONE:
        return _ends(0, 0, 0)
    target, split = divmod(move - r.ATTACKS, len(r.SPLITS))
    if owner_of(state, target) < 0 and target == int(state[r.SEAT]) * BOARD + HOME:
        return _ends(0, 0, 0)
    return _ends(
        int(r.SPLITS[split].sum()), min(odds.MOST, tokens_on(state, target)), number_of(state, target)
    )  # fmt: skip


@dataclass
class _Choice:
    """A move that is thought about, and what imagined games after it said."""

    move: int
    shares: Reals
    error: float
    found: Reals = field(default_factory=lambda: np.zeros((ENDS, VALUES + r.SEATS)))
    games: int = 0
    value: float = 0.5
    deviation: float = 0.5

    def values(self) -> Reals:
        """Return each seat's chance to win: what was found behind each end of the battle, weighed by exact odds."""
        seen = self.found[:, COUNT] > 0
        weights = self.shares[seen] / self.shares[seen].sum()
        behind: Reals = self.found[seen, VALUES:] / self.found[seen, COUNT, None]
        chances: Reals = weights @ behind
        return chances

    def update(self, seat: int) -> None:
        """Work out the mover's chance to win after more games, and how much games differ."""
        self.games = int(self.found[:, COUNT].sum())
        self.value = float(self.values()[seat])
        seen = self.found[:, COUNT] > 0
        count, total = self.found[seen, COUNT], self.found[seen, VALUES + seat]
        within = float((self.found[seen, SQUARES] - total * total / count).sum())
        # As if one more game had come out differently: a few equal results are no certainty.
        self.deviation = math.sqrt((within + 0.05) / self.games)

    @property
    def uncertainty(self) -> float:
        """The standard error of the value."""
        return self.deviation / math.sqrt(self.games)

    @property
    def seeming(self) -> float:
        """The value as a level sees it that errs in its judgement."""
        if self.error == 0.0:
            return self.value
        kept = min(max(self.value, 0.001), 0.999)
        return 1 / (1 + math.exp(-math.log(kept / (1 - kept)) - self.error))


class _Desk:
    """What one thread needs to imagine games: room to play them in, and luck of its own."""

    def __init__(self, seed: int) -> None:
        self.moves = np.zeros(r.MOVES, dtype=np.int64)
        self.rng = new_rng(seed)
        self.scratch = (
            np.zeros(r.SIZE, dtype=np.int64),
            self.moves,
            np.zeros(MIND),
            np.zeros(FIELDS),
            np.zeros((r.SEATS, NUMBER_OF_FACTS)),
            np.zeros(FIELDS, dtype=np.int64),
            np.zeros(r.SEATS),
        )


class Marshal(Engine):
    """Thinks ahead: imagines how games go on after each move worth a thought, and prefers what wins most of them.

    In imagined games everybody plays like the general; a battle that a move starts is weighed by its exact odds.
    """

    name: ClassVar[str] = "triskele"
    programs: ClassVar[tuple[Program, ...]] = (COUNSEL,)

    def __init__(self, game: Game, seed: int = 1) -> None:
        """Equal seeds give equal play under a limit of nodes and with one thread."""
        super().__init__(game)
        self._seed = seed
        self._random = random.Random(seed)
        self._desks = [_Desk(seed)]
        self._weights, self._plan = load()
        self._nothing = np.zeros((ENDS, VALUES + r.SEATS))

    @property
    def _is_quick(self) -> bool:
        """Whether it runs compiled by now."""
        return self.game.linker.ready(COUNSEL) is not None

    def _ask(self, question: int, state: State) -> int:
        """Return the answer to a question about a position, other than what is to be imagined."""
        counsel, desk = linked(self.game, COUNSEL), self._desks[0]
        return int(
            counsel(
                question, state, 0, 0, 0, 0, 1, 0, self._weights, self._plan, *desk.scratch, desk.rng, self._nothing
            )
        )  # fmt: skip

    def _choices(self, task: Task) -> list[_Choice]:
        """Return what is worth a thought, the general's move first. Weak levels forget at times what is not."""
        state = task.position.state
        if self._random.random() * 1000 < task.level.oversight:
            codes = [move.code for move in task.position.legal_moves]
        else:
            codes = self._desks[0].moves[: self._ask(CANDIDATES, state)].tolist()
        first = self._ask(COMMAND, state)
        self._random.shuffle(codes)
        codes = [first, *(code for code in codes if code != first)]
        error = task.level.noise / 1000
        return [
            _Choice(code, ends_of_battle(state, code), self._random.gauss(0.0, error) if error else 0.0)
            for code in codes
        ]

    def think(self, task: Task) -> Iterator[Info]:
        """Imagine games, more and more after the moves that do well in them."""
        settled = _settled(task)
        if settled is not None:
            yield settled
            return
        for number in range(len(self._desks), task.limits.threads):
            self._desks.append(_Desk(self._seed + number))
        with ThreadPoolExecutor(task.limits.threads) as helpers:  # which starts a thread when there is work for it
            yield from self._imagine(task, helpers)

    def _imagine(self, task: Task, helpers: Executor) -> Iterator[Info]:
        seat = int(task.position.turn or 0)
        choices = self._choices(task)
        ahead = ROUNDS if task.position.variant.seats == 2 else 1
        rounds = ahead if task.level.depth is None else task.level.depth
        question = _Question(task.position.state, seat, rounds, WHIM + task.level.oversight)
        pace = Pace(task, self.game, COUNSEL)
        for counsel, number in pace.slices(first=16, plain=1):
            question.limit = _LONGEST_GAME if self._is_quick else _LONGEST_PLAIN_GAME // task.position.variant.seats
            desks = self._desks[: task.limits.threads] if self._is_quick else self._desks[:1]
            end = pace.done + number
            while pace.done < end:
                choice = _next(choices, pace.done)
                games = min(end - pace.done, max(2 if len(desks) == 1 else SHARED, choice.games // 4))
                self._imagine_after(choice, question, games, counsel, desks, helpers)
                choice.update(seat)
                pace.done += games
            if pace.to_report():
                yield self._info(task, choices, rounds, pace.done)
        yield self._info(task, choices, rounds, pace.done)

    def _imagine_after(
        self, choice: _Choice, question: "_Question", games: int, counsel: Callable[..., Any], desks: list[_Desk],
        helpers: Executor,
    ) -> None:  # fmt: skip
        """Imagine so many games after a choice, each thread its part, and add to what the choice has found."""
        desks = desks[:games]
        parts = [choice.found, *(np.zeros_like(choice.found) for _ in desks[1:])]
        shares = [games // len(desks) + (at < games % len(desks)) for at in range(len(desks))]

        def imagine(at: int) -> None:
            counsel(
                IMAGINE, question.state, choice.move, question.seat, question.rounds, question.limit, shares[at],
                question.whim, self._weights, self._plan, *desks[at].scratch, desks[at].rng, parts[at],
            )  # fmt: skip

        others = [helpers.submit(imagine, at) for at in range(1, len(desks))]
        imagine(0)
        for other in others:
            other.result()
        for part in parts[1:]:
            choice.found += part

    def _info(self, task: Task, choices: list[_Choice], rounds: int, done: int) -> Info:
        tried = [choice for choice in choices if choice.games]
        ranked = sorted(tried, key=lambda choice: -_merit(choice, choices[0]))
        seats = task.position.variant.seats
        values = ranked[0].values()
        scores = tuple((seats * float(value) - 1) / (seats - 1) for value in values[:seats])
        lines = tuple(self._line(task, choice.move) for choice in ranked[:_LINES])
        return Info(rounds, done, task.elapsed, scores, lines)

    def _line(self, task: Task, move: int) -> tuple[str, ...]:
        """Return a move and how the general would go on until the dice are rolled."""
        variant = task.position.variant
        rules = self.game.linker.rules
        state = task.position.state.copy()
        texts: list[str] = []
        longest = _LONGEST_LINE if self._is_quick else 1
        while True:
            texts.append(variant.move(move).text)
            rules.apply(state, move)
            if rules.actor(state) < 0 or len(texts) == longest:
                return tuple(texts)
            move = self._ask(COMMAND, state)


@dataclass
class _Question:
    """What is to be found out about each choice, and how games are imagined for it."""

    state: State
    seat: int
    rounds: int
    whim: int
    limit: int = 0


def _settled(task: Task) -> Info | None:
    """Return the answer where it is certain: moves after the last attack (C12) do not change who is richest (C15)."""
    position = task.position
    state, rules = position.state, position.variant.rules
    if state[r.PHASE] != r.ADVANTAGE or state[r.ROUND] != state[r.LIMIT]:
        return None
    line: list[str] = []
    while rules.actor(state) >= 0:
        line.append(position.variant.move(r.DONE).text)
        rules.apply(state, r.DONE)
    seats, won = position.variant.seats, int(rules.winners(state))
    share = 1 / won.bit_count()
    scores = tuple((seats * share * (won >> seat & 1) - 1) / (seats - 1) for seat in range(seats))
    return Info(len(line), len(line), task.elapsed, scores, (tuple(line),), len(line))


def _next(choices: list[_Choice], done: int) -> _Choice:
    """Return the choice that it is most worth to imagine more games after."""
    for choice in choices:
        if choice.games == 0:
            return choice
    log = math.log(done + 1.0)
    return max(choices, key=lambda c: c.seeming + CURIOSITY * c.deviation * math.sqrt(log / c.games))


def _merit(choice: _Choice, first: _Choice) -> float:
    """Return how good a choice seems; the general's is given the benefit of the doubt."""
    if choice is first:
        return choice.seeming
    doubt = DOUBT if choice.error == 0.0 else DOUBT / 2
    return choice.seeming - doubt * math.hypot(choice.uncertainty, first.uncertainty)


class Thumb(Engine):
    """Plays by rules of thumb. The control that must lose."""

    name: ClassVar[str] = "script"

    def __init__(self, game: Game) -> None:
        """Need nothing but room for moves."""
        super().__init__(game)
        self._moves = np.zeros(r.MOVES, dtype=np.int64)

    def think(self, task: Task) -> Iterator[Info]:
        """Apply the rules of thumb."""
        move = thumb(task.position.state, self._moves)
        scores = (0.0,) * task.position.variant.seats
        line = (task.position.variant.move(move).text,)
        yield Info(0, 1, task.elapsed, scores, (line,))


ENGINES: Mapping[str, Callable[[Game], Engine]] = {engine.name: engine for engine in (Marshal, Thumb)}
