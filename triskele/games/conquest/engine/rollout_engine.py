"""The strong engine of Conquest Tryad: rollouts with a tuned policy, distributed over the moves as a bandit problem.

From the position, each candidate move is played out some rounds ahead by the policy for every seat, and judged by the
evaluation. Which candidate gets the next rollouts is decided by upper confidence bounds (UCB1, with each candidate's
own deviation). There is no tree below the first move.
"""

import functools
import math
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from triskele.core.compile import Program
from triskele.core.contract import Moves, State
from triskele.core.contract.engine import Appraisal, Engine, Info, Limits, Task
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.time_management import TimeManager
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.attack_margins import Reals
from triskele.games.conquest.board_queries import number_of, owner_of, tokens_on
from triskele.games.conquest.engine.rollouts import (
    CANDIDATES,
    COUNT,
    EMPTY,
    NO_BATTLE,
    OUTCOMES,
    POLICY_MOVE,
    ROLL_OUT,
    RUN,
    S_DECISIONS,
    SETTINGS,
    SQUARES,
    TAKEN,
    VALUES,
    RolloutWorkspace,
    new_workspace,
)
from triskele.games.conquest.evaluation import load_networks
from triskele.games.conquest.geometry import BOARD, HOME

ROUNDS = 2
"""How many rounds a rollout looks ahead with two seats; with more seats it is one, which takes as long."""
EPSILON = 20
"""How many of a thousand decisions in a rollout are random (epsilon-greedy): rollouts differ by more than dice then."""
CONFIDENCE = 2.0
"""A move has to be better than the policy's by this many standard errors; by half of them at levels with noise."""
EXPLORATION = 1.0
"""The exploration constant of the upper confidence bound."""
LEAST_SHARED = 40
"""Threads share at least this many rollouts: with fewer, handing them out takes longer than they do."""
_DECISION_LIMIT = 100_000
"""A compiled rollout is cut off after this many decisions."""
_PLAIN_DECISION_LIMIT = 16
"""The same, divided by the number of seats, as long as the rollouts are not compiled."""
_LINES = 3
"""How many lines an answer has at most."""
_LONGEST_LINE = 12
_NO_SETTINGS = np.zeros(SETTINGS, dtype=np.int64)
_NO_SUMS = np.zeros((OUTCOMES, VALUES + r.SEATS))
"""For queries that are not rollouts: these use neither."""


@functools.cache
def _outcome_odds(attackers: int, defenders: int, number: int) -> Reals:
    """Return the exact probability of each outcome of a battle; with no attackers there is no battle."""
    shares = np.zeros(OUTCOMES)
    if attackers == 0:
        shares[NO_BATTLE] = 1.0
    elif defenders:
        for (lost, won), share in odds.against_held(attackers, defenders).items():
            shares[lost * (r.SQUAD + 1) + won] = float(share)
    else:
        for lost, share in odds.against_empty(attackers, number).items():
            shares[TAKEN if lost == odds.TAKEN else EMPTY + lost] = float(share)
    return shares


def battle_odds(state: State, move: int) -> Reals:
    """Return the exact probability of each outcome of a move's battle, the defender committing as many as it may."""
    phase = int(state[r.PHASE])
    if phase == r.DEFEND:
        return _outcome_odds(int(r.SPLITS[state[r.SPLIT]].sum()), move - r.DEFENCES + 1, 0)
    if phase != r.CONQUER or move == r.DONE:
        return _outcome_odds(0, 0, 0)
    target, split = divmod(move - r.ATTACKS, len(r.SPLITS))
    if owner_of(state, target) < 0 and target == int(state[r.SEAT]) * BOARD + HOME:
        return _outcome_odds(0, 0, 0)
    return _outcome_odds(
        int(r.SPLITS[split].sum()), min(odds.MOST, tokens_on(state, target)), number_of(state, target)
    )  # fmt: skip


@dataclass
class _Candidate:
    """A candidate move and the results of its rollouts.

    ``shares`` are the probabilities of the outcomes of its battle; ``error`` is a level's misjudgement, in logits.
    """

    move: int
    shares: Reals
    error: float
    sums: Reals = field(default_factory=lambda: np.zeros((OUTCOMES, VALUES + r.SEATS)))
    rollouts: int = 0
    value: float = 0.5
    deviation: float = 0.5

    def values(self) -> Reals:
        """Return each seat's chance to win: the mean results after each outcome of the battle, by exact odds."""
        seen = self.sums[:, COUNT] > 0
        weights = self.shares[seen] / self.shares[seen].sum()
        behind: Reals = self.sums[seen, VALUES:] / self.sums[seen, COUNT, None]
        chances: Reals = weights @ behind
        return chances

    def update(self, seat: int) -> None:
        """Recompute the mover's chance to win and its standard deviation after more rollouts."""
        self.rollouts = int(self.sums[:, COUNT].sum())
        self.value = float(self.values()[seat])
        seen = self.sums[:, COUNT] > 0
        count, total = self.sums[seen, COUNT], self.sums[seen, VALUES + seat]
        within = float((self.sums[seen, SQUARES] - total * total / count).sum())
        # A little variance more than was seen: a few equal results are no certainty.
        self.deviation = math.sqrt((within + 0.05) / self.rollouts)

    @property
    def standard_error(self) -> float:
        """The standard error of the value."""
        return self.deviation / math.sqrt(self.rollouts)

    @property
    def noisy_value(self) -> float:
        """The value with the level's error added, as a logit."""
        if self.error == 0.0:
            return self.value
        kept = min(max(self.value, 0.001), 0.999)
        return 1 / (1 + math.exp(-math.log(kept / (1 - kept)) - self.error))


class RolloutEngine(Engine):
    """Plays the candidate move that wins most rollouts; the policy's own move has the benefit of the doubt.

    In rollouts every seat plays by the policy; the battle that a move starts is weighted by its exact odds.
    """

    name: ClassVar[str] = "triskele"
    programs: ClassVar[tuple[Program, ...]] = (RUN,)

    def __init__(self, game: Game, seed: int = 1) -> None:
        """Equal seeds give equal play under a limit of nodes and with one thread."""
        super().__init__(game)
        self._seed = seed
        self._random = random.Random(seed)
        self._networks, self._parameters = load_networks()
        self._workspaces = [new_workspace(self._networks, self._parameters, seed)]

    @property
    def _is_compiled(self) -> bool:
        """Whether the rollouts are compiled by now."""
        return self.game.linker.ready(RUN) is not None

    def _ask(self, query: int, state: State) -> int:
        """Return the program's answer to ``CANDIDATES`` or ``POLICY_MOVE`` about a position."""
        return int(self.game.linker.best(RUN)(self._workspaces[0], query, state, 0, _NO_SETTINGS, 1, _NO_SUMS))

    def _candidates(self, task: Task) -> list[_Candidate]:
        """Return the candidates, the policy's move first. Levels with oversight skip the pruning now and then."""
        state = task.position.state
        if self._random.random() * 1000 < task.level.oversight:
            codes = [move.code for move in task.position.legal_moves]
        else:
            codes = self._workspaces[0].moves[: self._ask(CANDIDATES, state)].tolist()
        first = self._ask(POLICY_MOVE, state)
        self._random.shuffle(codes)
        codes = [first, *(code for code in codes if code != first)]
        error = task.level.noise / 1000
        return [
            _Candidate(code, battle_odds(state, code), self._random.gauss(0.0, error) if error else 0.0)
            for code in codes
        ]

    def think(self, task: Task) -> Iterator[Info]:
        """Run rollouts, more and more of the moves that do well in them."""
        proven = _proven_result(task)
        if proven is not None:
            yield proven
            return
        for number in range(len(self._workspaces), task.limits.threads):
            self._workspaces.append(new_workspace(self._networks, self._parameters, self._seed + number))
        with ThreadPoolExecutor(task.limits.threads) as executor:  # starts a thread only when there is work for it
            yield from self._run_rollouts(task, executor, self._candidates(task))

    def appraise(
        self, position: Position, move: Move, limits: Limits, stop: threading.Event | None = None
    ) -> Appraisal:
        """Compare a move with the best candidate, which counts as better only as far as that is certain."""
        task = self._task(position, limits, stop, None)
        proven = _proven_result(task)
        if proven is not None:
            return Appraisal(proven.lines[0], proven.scores, proven.scores)
        candidates = self._candidates(task)
        played = next((candidate for candidate in candidates if candidate.move == move.code), None)
        if played is None:
            played = _Candidate(move.code, battle_odds(task.position.state, move.code), 0.0)
        candidates = [played, *(candidate for candidate in candidates if candidate is not played)]
        with ThreadPoolExecutor(1) as executor:
            for _ in self._run_rollouts(task, executor, candidates):
                pass
        tried = [candidate for candidate in candidates if candidate.rollouts]
        best = max(tried, key=lambda candidate: _ranking_value(candidate, played))
        seats = position.variant.seats
        made = _scores(played.values(), seats)
        if best is played:
            return Appraisal(self._line(task, move.code), made, made)
        part = (_ranking_value(best, played) - played.value) / (best.value - played.value)
        found = _scores(played.values() + part * (best.values() - played.values()), seats)
        return Appraisal(self._line(task, best.move), found, made)

    def _run_rollouts(self, task: Task, executor: Executor, candidates: list[_Candidate]) -> Iterator[Info]:
        seat = int(task.position.turn or 0)
        seats = task.position.variant.seats
        ahead = ROUNDS if seats == 2 else 1
        rounds = ahead if task.level.depth is None else task.level.depth
        settings = np.array([seat, rounds, 0, EPSILON + task.level.oversight], dtype=np.int64)
        timing = TimeManager(task, self.game, RUN)
        for program, number in timing.slices(first=16, plain=1):
            if self._is_compiled:
                settings[S_DECISIONS], workspaces = _DECISION_LIMIT, self._workspaces[: task.limits.threads]
            else:
                settings[S_DECISIONS], workspaces = _PLAIN_DECISION_LIMIT // seats, self._workspaces[:1]
            fewest = 2 if len(workspaces) == 1 else LEAST_SHARED
            end = timing.done + number
            while timing.done < end:
                candidate = _select(candidates, timing.done)
                rollouts = min(end - timing.done, max(fewest, candidate.rollouts // 4))
                self._roll_out(task.position.state, candidate, settings, rollouts, program, workspaces, executor)
                candidate.update(seat)
                timing.done += rollouts
            if timing.to_report():
                yield self._info(task, candidates, rounds, timing.done)
        yield self._info(task, candidates, rounds, timing.done)

    def _roll_out(
        self, root: State, candidate: _Candidate, settings: Moves, rollouts: int, program: Callable[..., Any],
        workspaces: list[RolloutWorkspace], executor: Executor,
    ) -> None:  # fmt: skip
        """Run rollouts of a candidate, each thread its part, and add their results to it."""
        workspaces = workspaces[:rollouts]
        parts = [candidate.sums, *(np.zeros_like(candidate.sums) for _ in workspaces[1:])]
        shares = [rollouts // len(workspaces) + (at < rollouts % len(workspaces)) for at in range(len(workspaces))]

        def run(at: int) -> None:
            program(workspaces[at], ROLL_OUT, root, candidate.move, settings, shares[at], parts[at])

        others = [executor.submit(run, at) for at in range(1, len(workspaces))]
        run(0)
        for other in others:
            other.result()
        for part in parts[1:]:
            candidate.sums += part

    def _info(self, task: Task, candidates: list[_Candidate], rounds: int, done: int) -> Info:
        tried = [candidate for candidate in candidates if candidate.rollouts]
        ranked = sorted(tried, key=lambda candidate: -_ranking_value(candidate, candidates[0]))
        seats = task.position.variant.seats
        scores = _scores(ranked[0].values(), seats)
        lines = tuple(self._line(task, candidate.move) for candidate in ranked[:_LINES])
        return Info(rounds, done, task.elapsed, scores, lines)

    def _line(self, task: Task, move: int) -> tuple[str, ...]:
        """Return a move and how the policy goes on after it until dice are rolled, as texts."""
        variant = task.position.variant
        rules = self.game.linker.rules
        state = task.position.state.copy()
        texts: list[str] = []
        longest = _LONGEST_LINE if self._is_compiled else 1
        while True:
            texts.append(variant.move(move).text)
            rules.apply(state, move)
            if rules.actor(state) < 0 or len(texts) == longest:
                return tuple(texts)
            move = self._ask(POLICY_MOVE, state)


def _scores(chances: Reals, seats: int) -> tuple[float, ...]:
    """Return the scores of the seats from their chances to win."""
    return tuple((seats * float(chance) - 1) / (seats - 1) for chance in chances[:seats])


def _proven_result(task: Task) -> Info | None:
    """Return the proven result once the last attack is over: advantage moves (C12) do not change wealth (C15)."""
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


def _select(candidates: list[_Candidate], done: int) -> _Candidate:
    """Return the candidate with the highest upper confidence bound; one without rollouts comes first."""
    for candidate in candidates:
        if candidate.rollouts == 0:
            return candidate
    log = math.log(done + 1.0)
    return max(candidates, key=lambda c: c.noisy_value + EXPLORATION * c.deviation * math.sqrt(log / c.rollouts))


def _ranking_value(candidate: _Candidate, first: _Candidate) -> float:
    """Return the value that candidates are ranked by: a lower confidence bound of the lead over the policy's move."""
    if candidate is first:
        return candidate.noisy_value
    confidence = CONFIDENCE if candidate.error == 0.0 else CONFIDENCE / 2
    return candidate.noisy_value - confidence * math.hypot(candidate.standard_error, first.standard_error)
