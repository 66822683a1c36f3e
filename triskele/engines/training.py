"""Training of an evaluation's weights by logistic regression on self-play games.

A round plays games with the parameters so far and keeps every quiet position with the value that the search found and
the result of the game: the training set. The parameters are then fitted to the positions' features by mini-batch
gradient descent. Everything follows from the seed, so a round can be repeated. Chunks of games and the parameters after
each round (the checkpoints) are files, so a run that was stopped resumes. Games are played in chunks on any executor.
"""

import concurrent.futures
import dataclasses
import datetime
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import below
from triskele.core.bits import seed as new_rng
from triskele.core.compile import Program
from triskele.core.contract import OVER, Moves, Scores, State
from triskele.core.contract.evaluation import (
    UNIT,
    WORKSPACE,
    Parameters,
    Progress,
    Training,
    TrainingPlan,
    Weights,
    Workspace,
    features,
    is_quiet,
)
from triskele.core.contract.levels import FULL
from triskele.core.contract.search_program import RUNNING, SPENT, question_words
from triskele.core.game import Game, Options, Variant
from triskele.core.game import game as game_by_name
from triskele.core.search_driver import SearchDriver
from triskele.engines.alphabeta import search_program
from triskele.engines.alphabeta_deepening import RESUME_SEARCH, START_SEARCH
from triskele.engines.alphabeta_search import LINE_VALUE

FEATURE_LIMIT = 2048
"""No position has more features than this."""
GAME_LIMIT = 600
"""A game without an end by then counts as drawn."""
SEARCH_DEPTH_LIMIT = 20
TABLE_ENTRIES = 1 << 15

LEARNING_RATE = 0.02
"""At the first step; it falls to 0 in a straight line."""
LARGEST_BATCH, SMALLEST_BATCH = 4096, 64


def extract_features(states: NDArray[np.int64], index: Moves, value: Moves, start: Moves, workspace: Workspace) -> int:
    """Fill in the features of positions one after the other; return how many positions fitted into the arrays.

    Those of position ``i`` are at ``start[i]`` to ``start[i + 1]``.
    """
    for i in range(len(states)):
        at = start[i]
        if at + FEATURE_LIMIT > len(index):
            return i
        start[i + 1] = at + features(states[i], index[at:], value[at:], workspace)
    return len(states)


EXTRACT_FEATURES = Program(extract_features, "int64(int64[:,::1], int64[::1], int64[::1], int64[::1], int64[::1])")
IS_QUIET = Program(is_quiet, "int64(int64[::1])")


def training_of(game: Game) -> Training:
    """Return what a game declares about its training; ``LookupError`` if it has nothing to train."""
    if game.evaluation.training is None:
        raise LookupError(f"{game.title} has nothing to learn")
    return game.evaluation.training


@dataclass
class TrainingSet:
    """Positions, the results of their games, and the values that the search found: both for seat 0, from 0 to 1."""

    states: NDArray[np.int64]
    result: NDArray[np.float32]
    search_value: NDArray[np.float32]

    def save(self, path: Path) -> None:
        """Write to a file, whole or not at all."""
        scratch = path.with_suffix(".part.npz")
        # The last key is what runs that earlier versions began have in their files.
        np.savez_compressed(scratch, states=self.states, result=self.result, thought=self.search_value)
        scratch.replace(path)

    @classmethod
    def load(cls, path: Path) -> "TrainingSet":
        """Read from a file."""
        with np.load(path) as stored:
            return cls(stored["states"], stored["result"], stored["thought"])


@dataclass
class FeatureSet:
    """A training set by its features, as a sparse matrix in rows (CSR).

    Those of position ``i`` are at ``start[i]`` to ``start[i + 1]``: ``index`` has the parameter, ``value`` how often.
    """

    index: NDArray[np.int32]
    value: NDArray[np.int16]
    start: NDArray[np.int64]
    result: NDArray[np.float32]
    search_value: NDArray[np.float32]

    @classmethod
    def of(cls, game: Game, sample: TrainingSet) -> "FeatureSet":
        """Extract the features of all positions of a training set."""
        program = game.linker.program(EXTRACT_FEATURES)
        number = len(sample.result)
        limit = 1 << 20
        index = np.zeros(limit, dtype=np.int64)
        value = np.zeros(limit, dtype=np.int64)
        start = np.zeros(number + 1, dtype=np.int64)
        workspace = np.zeros(WORKSPACE, dtype=np.int64)
        indices, values, lengths = [], [], []
        done = 0
        while done < number:
            start[0] = 0
            fresh = int(program(sample.states[done:], index, value, start, workspace))
            used = int(start[fresh])
            indices.append(index[:used].astype(np.int32))
            values.append(value[:used].astype(np.int16))
            lengths.append(np.diff(start[: fresh + 1]))
            done += fresh
        ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.concatenate(lengths))])
        return cls(np.concatenate(indices), np.concatenate(values), ends, sample.result, sample.search_value)

    @classmethod
    def concatenate(cls, samples: Sequence["FeatureSet"]) -> "FeatureSet":
        """Return all positions of several training sets."""
        offsets = np.cumsum([0] + [len(s.index) for s in samples])
        starts = [s.start[:-1] + o for s, o in zip(samples, offsets, strict=False)]
        return cls(
            np.concatenate([s.index for s in samples]),
            np.concatenate([s.value for s in samples]),
            np.concatenate([*starts, offsets[-1:]]),
            np.concatenate([s.result for s in samples]),
            np.concatenate([s.search_value for s in samples]),
        )


class SelfPlay:
    """Plays games of one variant with given weights, both seats by the same search."""

    def __init__(self, variant: Variant, weights: Weights, plan: TrainingPlan) -> None:
        """Load the compiled programs now."""
        self.variant = variant
        self.weights = weights
        self.plan = plan
        linker = variant.game.linker
        self.rules = linker.compile_rules()
        self.start_search = linker.program(START_SEARCH)
        self.resume_search = linker.program(RESUME_SEARCH)
        self.is_quiet = linker.program(IS_QUIET)
        self.driver = SearchDriver(search_program(variant.game, weights))
        self.moves = np.empty(variant.moves_limit, dtype=np.int64)

    def _choose(self, state: State, seat: int, seed: int) -> tuple[int, int]:
        """Return the best move of a search and its value for seat 0."""
        driver = self.driver
        level = replace(FULL, noise=self.plan.noise)
        question = question_words(level, seat=seat, nodes=self.plan.nodes, seed=seed, engine=(0, 1))
        driver.start(self.start_search, state, question)
        status = RUNNING
        while status != SPENT and driver.found().depth < SEARCH_DEPTH_LIMIT:
            status = driver.resume(self.resume_search, self.plan.nodes)
        value = int(driver.workspace.lines[0, LINE_VALUE])
        return driver.found().lines[0].codes[0], value if seat == 0 else -value

    def play(self, seed: int) -> tuple[list[State], list[float], float]:
        """Play a game; return its quiet positions, the search's values of them in logits, and the score of seat 0."""
        rng = new_rng(seed)
        variant, rules = self.variant, self.rules
        state = np.zeros(variant.size + GAME_LIMIT * variant.log, dtype=np.int64)
        first = variant.first_state()
        state[: len(first)] = first
        self.driver.forget()
        self.driver.provide(len(state), TABLE_ENTRIES)
        errors = below(rng, 1 << 20)
        opening = below(rng, self.plan.opening + 1)
        states: list[State] = []
        values: list[float] = []
        for made in range(GAME_LIMIT):
            seat = int(rules.actor(state))
            if seat == OVER:
                break
            number = int(rules.legal(state, self.moves))
            if made < opening or number == 1:
                move = int(self.moves[below(rng, number)])
            else:
                move, value = self._choose(state[: state[0]], seat, errors)
                if self.is_quiet(state):
                    states.append(state[: variant.size].copy())
                    values.append(value / UNIT)
            rules.apply(state, move)
        out: Scores = np.zeros(variant.seats, dtype=np.float64)
        if rules.actor(state) == OVER:
            rules.scores(state, out)
        return states, values, float(out[0])


def play_chunk(name: str, options: Options, parameters: Parameters, plan: TrainingPlan, first_seed: int) -> TrainingSet:
    """Play ``plan.chunk`` games, in any process."""
    game = game_by_name(name)
    self_play = SelfPlay(game.variant(options), training_of(game).expand(parameters), plan)
    states: list[State] = []
    result: list[float] = []
    values: list[float] = []
    for number in range(plan.chunk):
        positions, found, score = self_play.play(first_seed + number)
        states += positions
        values += found
        result += [(score + 1) / 2] * len(positions)
    logits = np.clip(np.array(values), -20, 20)
    return TrainingSet(
        np.array(states, dtype=np.int64),
        np.array(result, dtype=np.float32),
        (1 / (1 + np.exp(-logits))).astype(np.float32),
    )


def fit(
    sample: FeatureSet,
    parameters: Parameters,
    plan: TrainingPlan,
    progress: Progress = lambda *_: None,
    prior: Parameters | float = 0.0,
) -> Parameters:
    """Return the parameters that make the training set most likely, starting from others.

    Logistic regression by Adam on mini-batches with a falling learning rate. Weight decay pulls parameters towards
    ``prior``, so that those of rare features stay near it.
    """
    rng = np.random.default_rng(plan.seed)
    number = len(sample.result)
    share = plan.result_share
    target = (share * sample.result + (1 - share) * sample.search_value).astype(np.float64)
    found = np.array(parameters, dtype=np.float64)
    mean = np.zeros_like(found)
    square = np.zeros_like(found)
    batch = min(LARGEST_BATCH, max(SMALLEST_BATCH, number // 100))
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
            error = 1 / (1 + np.exp(-logits)) - target[chosen]
            gradient = np.bincount(index, value * error[rows], minlength=len(found)) / len(chosen)
            gradient += plan.weight_decay * (found - prior)
            steps += 1
            rate = LEARNING_RATE * (1 - steps / (total + 1))
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient * gradient - square)
            found -= rate * (mean / (1 - 0.9**steps)) / (np.sqrt(square / (1 - 0.99**steps)) + 1e-6)
        progress("fit", epoch + 1, plan.epochs)
    return found


def fit_sets(
    sample: FeatureSet,
    parameters: Parameters,
    plan: TrainingPlan,
    progress: Progress = lambda *_: None,
    set_size: int = 1,
) -> Parameters:
    """Return what :func:`fit` does, for several sets of ``set_size`` parameters with the same meaning.

    One common set is fitted to all positions first. It is the prior of each set, which differs from it as far as the
    set's own positions show.
    """
    sets = len(parameters) // set_size
    pooled = dataclasses.replace(sample, index=sample.index % set_size)
    common = fit(pooled, parameters.reshape(sets, set_size).mean(axis=0), plan, progress)
    prior = np.tile(common, sets)
    return fit(sample, prior, plan, progress, prior)


def loss(sample: FeatureSet, parameters: Parameters) -> float:
    """Return the mean logistic loss of the results under the parameters."""
    rows = np.repeat(np.arange(len(sample.result)), np.diff(sample.start))
    logits = np.bincount(rows, parameters[sample.index] * sample.value, minlength=len(sample.result))
    return float(np.mean(np.logaddexp(0, logits) - sample.result * logits))


def train(
    game: Game | str,
    folder: Path,
    plan: TrainingPlan | None = None,
    *,
    options: Options | None = None,
    first: Parameters | None = None,
    executor: concurrent.futures.Executor | None = None,
    progress: Progress = lambda *_: None,
) -> Path:
    """Train a game's weights in ``folder`` and return the last checkpoint; resumes a run that was stopped there.

    Without an executor the games are played in this process. They are of the variant with ``options``; by default of
    the game's ``Training.variants`` in turn. ``first`` are parameters to begin with instead of the game's initial ones.
    The checkpoint is a file such as the game ships as ``weights.npz``.
    """
    declared = game_by_name(game) if isinstance(game, str) else game
    training = training_of(declared)
    plan = plan or training.plan
    if first is None:
        first = training.initial_parameters()
    variants: Sequence[Options] = (options,) if options else training.variants
    folder.mkdir(parents=True, exist_ok=True)
    parameters = first
    played: list[Path] = []
    for number in range(plan.rounds):
        played += _play_round(declared, variants, folder, plan, number, parameters, executor, progress)
        checkpoint = folder / f"round{number}.npz"
        if checkpoint.exists():
            with np.load(checkpoint) as stored:
                parameters = stored["parameters"].astype(np.float64)
            continue
        chunks = plan.games // plan.chunk
        recent = played[-plan.rounds_used * chunks :]
        sample = FeatureSet.concatenate([FeatureSet.of(declared, TrainingSet.load(path)) for path in recent])
        if training.shared:
            found = fit_sets(sample, parameters, plan, progress, training.shared)
        else:
            found = fit(sample, parameters, plan, progress, first)
        # Rounded as it is stored, so that a run that was stopped resumes from the very same numbers.
        parameters = found.astype(np.float32).astype(np.float64)
        about = {
            "game": declared.name,
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "positions": len(sample.result),
            "plan": asdict(plan),
        }
        np.savez_compressed(checkpoint, parameters=parameters.astype(np.float32), about=np.array(json.dumps(about)))
    return folder / f"round{plan.rounds - 1}.npz"


def _play_round(
    game: Game,
    variants: Sequence[Options],
    folder: Path,
    plan: TrainingPlan,
    number: int,
    parameters: Parameters,
    executor: concurrent.futures.Executor | None,
    progress: Progress,
) -> list[Path]:
    """Play the chunks of a round that are not on file yet; return the files of all of them."""
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
