"""Learning how to judge positions: from games the engine plays against itself.

A round of learning plays games with the weights so far, keeps each position that can be judged with
its features, what the search thought of it and how the game ended, and fits the parameters to that
by logistic regression. Everything follows from the seed, so a round can be repeated; what is done is
in files, so a run that was stopped goes on where it was. Games are played in chunks on any executor.
"""

import concurrent.futures
import dataclasses
import datetime
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import below
from triskele.core.bits import seed as new_rng
from triskele.core.compile import Program
from triskele.core.contract import OVER, Moves, Scores, State
from triskele.core.game import Game, Options, Variant
from triskele.core.game import game as game_by_name
from triskele.engines.alphabeta import (
    C_AGE,
    C_NOISE,
    C_SALT,
    SEARCH,
    Deepening,
    Worker,
)
from triskele.engines.knowledge import ROOM, UNIT, Weights, features, settled
from triskele.engines.levels import part_of

Floats = NDArray[np.float64]
Table = NDArray[np.int64]
Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

FEATURE_LIMIT = 2048
"""No position has more features than this."""
GAME_LIMIT = 600


def describe(states: Table, index: Moves, value: Moves, start: Moves, room: Moves) -> int:
    """Fill in the features of positions one after the other; return for how many there was room.

    Those of position ``i`` come to lie at ``start[i]`` to ``start[i + 1]``.
    """
    for i in range(len(states)):
        at = start[i]
        if at + FEATURE_LIMIT > len(index):
            return i
        start[i + 1] = at + features(states[i], index[at:], value[at:], room)
    return len(states)


def judgeable(state: State) -> int:
    """Return whether a position can be judged as it stands."""
    return settled(state)


DESCRIBE = Program(describe, "int64(int64[:,::1], int64[::1], int64[::1], int64[::1], int64[::1])")
JUDGEABLE = Program(judgeable, "int64(int64[::1])")


@dataclass(frozen=True)
class Plan:
    """How much to learn from. The same plan gives the same weights."""

    seed: int = 1
    rounds: int = 4
    games: int = 4000
    nodes: int = 1500
    chunk: int = 50
    opening: int = 10
    """Up to so many random moves at the start of each game."""
    noise: int = 100
    """How far the players' judgement is off, so that games differ; in thousandths of a logit."""
    memory: int = 2
    """How many rounds' games each fit looks at."""
    trust: float = 0.6
    """How much the game's result counts against what the search thought."""
    epochs: int = 12
    decay: float = 1e-5


def plan_for(game: Game) -> Plan:
    """Return the plan that a game's weights are learned with when nobody says otherwise."""
    return Plan(**getattr(part_of(game, "evaluation"), "LEARNING", {}))


@dataclass
class Sample:
    """Positions and what became of them: the game's result and what the search thought, both from 0 to 1."""

    states: NDArray[np.int64]
    result: NDArray[np.float32]
    thought: NDArray[np.float32]

    def save(self, path: Path) -> None:
        """Write to a file, whole or not at all."""
        scratch = path.with_suffix(".part.npz")
        np.savez_compressed(scratch, states=self.states, result=self.result, thought=self.thought)
        scratch.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Sample":
        """Read from a file."""
        with np.load(path) as stored:
            return cls(stored["states"], stored["result"], stored["thought"])


@dataclass
class Described:
    """A sample by its features: those of position ``i`` are at ``start[i]`` to ``start[i + 1]``."""

    index: NDArray[np.int32]
    value: NDArray[np.int16]
    start: NDArray[np.int64]
    result: NDArray[np.float32]
    thought: NDArray[np.float32]

    @classmethod
    def of(cls, game: Game, sample: Sample) -> "Described":
        """Work out the features of all positions of a sample."""
        program = game.linker.program(DESCRIBE)
        number = len(sample.result)
        limit = 1 << 20
        index = np.zeros(limit, dtype=np.int64)
        value = np.zeros(limit, dtype=np.int64)
        start = np.zeros(number + 1, dtype=np.int64)
        room = np.zeros(ROOM, dtype=np.int64)
        indices, values, lengths = [], [], []
        done = 0
        while done < number:
            start[0] = 0
            fresh = int(program(sample.states[done:], index, value, start, room))
            used = int(start[fresh])
            indices.append(index[:used].astype(np.int32))
            values.append(value[:used].astype(np.int16))
            lengths.append(np.diff(start[: fresh + 1]))
            done += fresh
        ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.concatenate(lengths))])
        return cls(np.concatenate(indices), np.concatenate(values), ends, sample.result, sample.thought)

    @classmethod
    def joined(cls, samples: Sequence["Described"]) -> "Described":
        """Return all positions of several samples."""
        offsets = np.cumsum([0] + [len(s.index) for s in samples])
        starts = [s.start[:-1] + o for s, o in zip(samples, offsets, strict=False)]
        return cls(
            np.concatenate([s.index for s in samples]),
            np.concatenate([s.value for s in samples]),
            np.concatenate([*starts, offsets[-1:]]),
            np.concatenate([s.result for s in samples]),
            np.concatenate([s.thought for s in samples]),
        )


class SelfPlay:
    """Plays games of one variant with given weights and records them."""

    def __init__(self, variant: Variant, weights: Weights, plan: Plan) -> None:
        """Load the compiled programs now."""
        self.variant = variant
        self.weights = weights
        self.plan = plan
        linker = variant.game.linker
        self.rules = linker.compile_rules()
        self.search = linker.program(SEARCH)
        self.judgeable = linker.program(JUDGEABLE)
        self.worker = Worker(variant.game, variant.size + GAME_LIMIT * variant.log)
        self.table = np.zeros((1 << 15, 2), dtype=np.int64)
        self.moves = np.empty(variant.moves_limit, dtype=np.int64)

    def _choose(self, state: State, seat: int) -> tuple[int, int]:
        """Return the move and its value for seat 0."""
        worker = self.worker
        worker.control[C_AGE] = (worker.control[C_AGE] + 1) & 511
        before = worker.nodes
        deepening = Deepening(worker, state)
        while not deepening.best_so_far() or worker.nodes - before < self.plan.nodes:
            left = max(10, self.plan.nodes - worker.nodes + before)
            if worker.run(self.search, self.table, self.weights, left):
                deepening.advance()
            if deepening.depth > 20:
                break
        return deepening.best_so_far()[0], deepening.value if seat == 0 else -deepening.value

    def game(self, seed: int) -> tuple[list[State], list[float], float]:
        """Play a game; return its positions that can be judged, what the search thought, and the score of seat 0."""
        rng = new_rng(seed)
        variant, rules = self.variant, self.rules
        state = np.zeros(variant.size + GAME_LIMIT * variant.log, dtype=np.int64)
        first = variant.first_state()
        state[: len(first)] = first
        self.table[:] = 0
        worker = self.worker
        worker.history[:] = 0
        worker.control[:] = 0
        worker.control[C_NOISE] = self.plan.noise
        worker.control[C_SALT] = below(rng, 1 << 20)
        opening = below(rng, self.plan.opening + 1)
        states: list[State] = []
        thoughts: list[float] = []
        for made in range(GAME_LIMIT):
            seat = int(rules.actor(state))
            if seat == OVER:
                break
            number = int(rules.legal(state, self.moves))
            if made < opening or number == 1:
                move = int(self.moves[below(rng, number)])
            else:
                move, value = self._choose(state[: state[0]], seat)
                if self.judgeable(state):
                    states.append(state[: variant.size].copy())
                    thoughts.append(value / UNIT)
            rules.apply(state, move)
        out: Scores = np.zeros(variant.seats, dtype=np.float64)
        if rules.actor(state) == OVER:
            rules.scores(state, out)
        return states, thoughts, float(out[0])


def play_chunk(name: str, options: Options, parameters: Floats, plan: Plan, first_seed: int) -> Sample:
    """Play ``plan.chunk`` games, in any process."""
    game = game_by_name(name)
    evaluation = part_of(game, "evaluation")
    assert evaluation is not None
    table = SelfPlay(game.variant(options), evaluation.expand(parameters), plan)
    states: list[State] = []
    result: list[float] = []
    thought: list[float] = []
    for number in range(plan.chunk):
        played, thoughts, score = table.game(first_seed + number)
        states += played
        thought += thoughts
        result += [(score + 1) / 2] * len(played)
    logits = np.clip(np.array(thought), -20, 20)
    return Sample(
        np.array(states, dtype=np.int64),
        np.array(result, dtype=np.float32),
        (1 / (1 + np.exp(-logits))).astype(np.float32),
    )


def fit(
    sample: Described,
    parameters: Floats,
    plan: Plan,
    progress: Progress = lambda *_: None,
    guess: Floats | float = 0.0,
) -> Floats:
    """Return the parameters that make the sample most likely, starting from others.

    Logistic regression by Adam on small batches, the step getting smaller; a little decay keeps
    what hardly ever occurs near a first guess.
    """
    rng = np.random.default_rng(plan.seed)
    number = len(sample.result)
    goal = (plan.trust * sample.result + (1 - plan.trust) * sample.thought).astype(np.float64)
    found = np.array(parameters, dtype=np.float64)
    mean = np.zeros_like(found)
    square = np.zeros_like(found)
    batch = min(4096, max(64, number // 100))
    steps = 0
    total = plan.epochs * -(-number // batch)
    for epoch in range(plan.epochs):
        order = rng.permutation(number)
        for low in range(0, number, batch):
            chosen = np.sort(order[low : low + batch])
            lengths = sample.start[chosen + 1] - sample.start[chosen]
            where = np.repeat(sample.start[chosen] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
            index = sample.index[where]
            value = sample.value[where].astype(np.float64)
            rows = np.repeat(np.arange(len(chosen)), lengths)
            logits = np.bincount(rows, found[index] * value, minlength=len(chosen))
            error = 1 / (1 + np.exp(-logits)) - goal[chosen]
            slope = np.bincount(index, value * error[rows], minlength=len(found)) / len(chosen)
            slope += plan.decay * (found - guess)
            steps += 1
            rate = 0.02 * (1 - steps / (total + 1))
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope * slope - square)
            found -= rate * (mean / (1 - 0.9**steps)) / (np.sqrt(square / (1 - 0.99**steps)) + 1e-6)
        progress("fit", epoch + 1, plan.epochs)
    return found


def fit_alike(
    sample: Described, parameters: Floats, plan: Plan, progress: Progress = lambda *_: None, apart: int = 1
) -> Floats:
    """Return what :func:`fit` would, for parameters in sets: those ``apart`` from each other mean the same.

    What they have in common is found first, from everything; a set then differs from that as far as its own positions
    say so.
    """
    sets = len(parameters) // apart
    together = dataclasses.replace(sample, index=sample.index % apart)
    common = fit(together, parameters.reshape(sets, apart).mean(axis=0), plan, progress)
    guess = np.tile(common, sets)
    return fit(sample, guess, plan, progress, guess)


def loss(sample: Described, parameters: Floats) -> float:
    """Return how surprised the parameters are by the results: the mean logistic loss."""
    rows = np.repeat(np.arange(len(sample.result)), np.diff(sample.start))
    logits = np.bincount(rows, parameters[sample.index] * sample.value, minlength=len(sample.result))
    return float(np.mean(np.logaddexp(0, logits) - sample.result * logits))


def train(
    game: Game | str,
    folder: Path,
    plan: Plan | None = None,
    *,
    options: Options | None = None,
    first: Floats | None = None,
    executor: concurrent.futures.Executor | None = None,
    progress: Progress = lambda *_: None,
) -> Path:
    """Learn a game's weights in ``folder`` and return the file with them; goes on where it stopped.

    Without an executor the games are played here. They are of the variant that ``options`` say; by
    default of those by turns that ``LEARNED_ON`` in the game's ``evaluation.py`` lists. ``first`` are
    parameters to begin with instead of the game's first guess or zeros. The file is what the game ships
    as ``weights.npz``.
    """
    declared = game_by_name(game) if isinstance(game, str) else game
    plan = plan or plan_for(declared)
    evaluation = part_of(declared, "evaluation")
    if evaluation is None or not hasattr(evaluation, "PARAMETERS"):
        raise LookupError(f"{declared.title} has nothing to learn")
    if first is None:
        first = evaluation.first_guess() if hasattr(evaluation, "first_guess") else np.zeros(evaluation.PARAMETERS)
    variants: Sequence[Options] = (options,) if options else getattr(evaluation, "LEARNED_ON", ({},))
    folder.mkdir(parents=True, exist_ok=True)
    parameters = first
    known: list[Path] = []
    for number in range(plan.rounds):
        known += _play_round(declared, variants, folder, plan, number, parameters, executor, progress)
        learned = folder / f"round{number}.npz"
        if learned.exists():
            with np.load(learned) as stored:
                parameters = stored["parameters"].astype(np.float64)
            continue
        chunks = plan.games // plan.chunk
        recent = known[-plan.memory * chunks :]
        sample = Described.joined([Described.of(declared, Sample.load(path)) for path in recent])
        apart = getattr(evaluation, "ALIKE", len(parameters))
        if apart < len(parameters):
            found = fit_alike(sample, parameters, plan, progress, apart)
        else:
            found = fit(sample, parameters, plan, progress, first)
        # Rounded as it is stored, so that a run that was stopped goes on from the very same numbers.
        parameters = found.astype(np.float32).astype(np.float64)
        about = {
            "game": declared.name,
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "positions": len(sample.result),
            "plan": asdict(plan),
        }
        np.savez_compressed(learned, parameters=parameters.astype(np.float32), about=np.array(json.dumps(about)))
    return folder / f"round{plan.rounds - 1}.npz"


def _play_round(
    game: Game,
    variants: Sequence[Options],
    folder: Path,
    plan: Plan,
    number: int,
    parameters: Floats,
    executor: concurrent.futures.Executor | None,
    progress: Progress,
) -> list[Path]:
    """Play the games of a round that are not there yet; return the files of all of them."""
    chunks = plan.games // plan.chunk
    paths = [folder / f"round{number}-{chunk:04d}.npz" for chunk in range(chunks)]
    seed = (plan.seed * 1000 + number) * 1_000_000
    jobs = {
        path: (game.name, dict(variants[chunk % len(variants)]), parameters, plan, seed + chunk * plan.chunk)
        for chunk, path in enumerate(paths)
        if not path.exists()
    }
    if executor is None:
        for path, job in jobs.items():
            play_chunk(*job).save(path)
            progress(f"round {number}", sum(p.exists() for p in paths), chunks)
        return paths
    running = {executor.submit(play_chunk, *job): path for path, job in jobs.items()}
    for done in concurrent.futures.as_completed(running):
        done.result().save(running[done])
        progress(f"round {number}", sum(p.exists() for p in paths), chunks)
    return paths
