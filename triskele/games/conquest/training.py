"""Training for Conquest Tryad by self-play of the policy; ``triskele train conquest --out FOLDER`` runs it.

First the policy parameters, by stochastic hill climbing: a random change is kept when it plays better against the
parameters so far and against the baseline ``script``. Then the weights of the evaluation: positions between rounds of
such games are the training set, and the networks are fitted to who won them (softmax regression). Everything follows
from the seed; results are checkpointed in files, so a run that was stopped goes on where it was.
"""

import concurrent.futures
import datetime
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import Rng, below, popcount
from triskele.core.bits import seed as new_rng
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, OVER, Moves, State
from triskele.core.contract.evaluation import Progress
from triskele.core.game import game
from triskele.games.conquest.attack_margins import Reals
from triskele.games.conquest.engine.heuristic import heuristic_move
from triskele.games.conquest.engine.policy import ANALYSIS, policy_move
from triskele.games.conquest.evaluation import (
    HIDDEN,
    NETWORKS,
    NUMBER_OF_FEATURES,
    Networks,
    features_of_all,
    network_of,
)
from triskele.games.conquest.geometry import FIELDS
from triskele.games.conquest.rules import (
    FACES,
    IN,
    INITIATIVE,
    MOVES,
    PHASE,
    PLAYERS,
    ROLLS,
    ROUND,
    SEATS,
    SIZE,
    actor,
    apply,
    winners,
)

FIRST_PARAMETERS = (-1.25, 2.85, 678.0, 7.24, 0.0, 0.0, 11.36, 0.02, 0.6, 4.45)
"""Where tuning starts: the result of an earlier run, which had started from a guess."""
STEP = (1.5, 2.0, 100.0, 1.5, 0.7, 0.4, 2.5, 0.3, 0.7, 1.5)
"""The standard deviation of a change of each parameter."""
LEAST = (-8.0, -8.0, 200.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
"""The lowest value of each parameter."""
TRIALS = 30
"""Changes that are tried in a round."""
BETTER = 0.02
"""How much more changed parameters have to win to be kept: less would mostly be luck."""

SCRIPT = -1
"""Stands for the baseline where a seat has the row of its parameters."""
LEFT, WON, WHICH = range(3)
"""Columns of what is kept of a position beside its features: the seats left, the winners (bit sets), the network."""

PLAYED: tuple[Mapping[str, Any], ...] = (
    {"rounds": 60},
    {"players": 3, "rounds": 60},
    {"players": 4, "rounds": 60},
    {"players": 6, "rounds": 40},
    {"version": "marathon", "rounds": 80},
    {"players": 4, "version": "marathon", "rounds": 60},
)
"""The options of the games that the training set comes from."""
TUNED: tuple[tuple[Mapping[str, Any], tuple[int, ...]], ...] = (
    ({"rounds": 60}, (0, SCRIPT)),
    ({"rounds": 60}, (0, 1)),
    ({"players": 4, "rounds": 60}, (0, SCRIPT, SCRIPT, SCRIPT)),
    ({"players": 4, "rounds": 60}, (0, 1, 1, 1)),
)
"""The games that new parameters (row 0) are tried in, against the baseline and the parameters so far (row 1)."""
CHUNK = 20
"""Games that are played with the same parameters; then they change, so that positions vary."""
BATCH = 1024
"""Positions in a batch of the gradient descent."""
DECAY = 1e-4
"""Weight decay (L2 regularisation)."""
SHARE = 200
"""How many of a thousand positions between rounds are kept."""


def contest(
    first: State, parameter_sets: Reals, seats: Moves, epsilon: int, games: int, share: int, rng: Rng,
    state: State, moves: Moves, analysis: Reals, path_costs: Reals, scratch: Reals, fields: Moves,
    wins: Reals, features: NDArray[np.float64], about: NDArray[np.int64],
) -> int:  # fmt: skip
    """Play games, add up in ``wins`` what each of ``seats`` has won, and return the number of positions kept.

    The seats are shifted by one from game to game. Of the positions between rounds ``share`` in a thousand are kept in
    ``features`` and ``about``, as long as these have rows left. From ``state`` to ``fields`` is scratch.
    """
    players = first[PLAYERS]
    kept = 0
    for number in range(games):
        for word in range(SIZE):
            state[word] = first[word]
        before = kept
        acting = actor(state)
        while acting != OVER:
            if acting == CHANCE:
                between = state[PHASE] == INITIATIVE and state[ROLLS] == 0 and state[ROUND] > 1
                if share > 0 and between and kept < len(about) and below(rng, 1000) < share:
                    features_of_all(state, scratch, path_costs, fields)
                    for seat in range(players):
                        for feature in range(NUMBER_OF_FEATURES):
                            features[kept, seat, feature] = scratch[seat, feature]
                    about[kept, LEFT] = state[IN]
                    about[kept, WHICH] = network_of(state)
                    kept += 1
                chosen = below(rng, FACES)
            elif seats[(acting + number) % players] == SCRIPT:
                chosen = heuristic_move(state, moves)
            else:
                chosen = policy_move(
                    state, moves, parameter_sets[seats[(acting + number) % players]], analysis, path_costs, rng, epsilon
                )
            apply(state, chosen)
            acting = actor(state)
        won = winners(state)
        for seat in range(players):
            wins[(seat + number) % players] += (won >> seat & 1) / popcount(won)
        for position in range(before, kept):
            about[position, WON] = won
    return kept


CONTEST = Program(
    contest,
    "int64(int64[::1], float64[:,::1], int64[::1], int64, int64, int64, uint64[::1],"
    " int64[::1], int64[::1], float64[::1], float64[::1], float64[:,::1], int64[::1],"
    " float64[::1], float64[:,:,::1], int64[:,::1])",
)


def play(
    options: Mapping[str, Any], parameter_sets: Reals, seats: Sequence[int], games: int, seed: int, epsilon: int = 0,
    share: int = 0,
) -> tuple[Reals, Reals, NDArray[np.int64]]:  # fmt: skip
    """Play games; return the share that each of ``seats`` has won, and positions, as :func:`contest` keeps them."""
    conquest = game("conquest")
    capacity = 200 * games if share else 0
    wins = np.zeros(SEATS)
    features = np.zeros((capacity, SEATS, NUMBER_OF_FEATURES))
    about = np.zeros((capacity, 3), dtype=np.int64)
    first = conquest.variant(options).first_state()
    scratch = (
        np.zeros(SIZE, dtype=np.int64),
        np.zeros(MOVES, dtype=np.int64),
        np.zeros(ANALYSIS),
        np.zeros(FIELDS),
        np.zeros((SEATS, NUMBER_OF_FEATURES)),
        np.zeros(FIELDS, dtype=np.int64),
    )
    program = conquest.linker.program(CONTEST)
    players = np.array(seats, dtype=np.int64)
    kept = int(
        program(first, parameter_sets, players, epsilon, games, share, new_rng(seed), *scratch, wins, features, about)
    )
    return wins[: len(seats)] / games, features[:kept], about[:kept]


# --- policy parameters ------------------------------------------------------------------------------------


def changed(parameters: Reals, rng: np.random.Generator, part: float) -> Reals:
    """Return parameters of which about this part is changed at random."""
    mask = rng.random(len(parameters)) < part
    found: Reals = np.maximum(parameters + mask * rng.normal(size=len(parameters)) * STEP, LEAST)
    return found


def try_parameters(parameters: Reals, against: Reals, games: int, seed: int) -> float:
    """Return the share of games that parameters win against others, the mean over all kinds of games in ``TUNED``."""
    parameter_sets = np.stack([parameters, against])
    return float(np.mean([play(options, parameter_sets, seats, games, seed)[0][0] for options, seats in TUNED]))


def _tune(folder: Path, seed: int, rounds: int, games: int, run: "Runner", progress: Progress) -> Reals:
    """Return the best parameters found, going on from the checkpoint in the folder."""
    noted = folder / "plan.json"
    done, best = 0, np.array(FIRST_PARAMETERS)
    if noted.exists():
        stored = json.loads(noted.read_text(encoding="ascii"))
        done, best = int(stored["done"]), np.array(stored["plan"])
    while done < rounds * TRIALS:
        rng = np.random.default_rng((seed, done))
        candidate = changed(best, rng, 0.35)
        at = int(rng.integers(1 << 40))
        tried, known = run(try_parameters, [(candidate, best, games, at), (best, best, games, at)])
        if tried > known:  # perhaps luck: once more, with more games
            tried, known = run(try_parameters, [(candidate, best, 4 * games, at + 1), (best, best, 4 * games, at + 1)])
            if tried > known + BETTER:
                best = candidate
        done += 1
        noted.write_text(json.dumps({"done": done, "plan": best.tolist()}), encoding="ascii")
        progress("plan", done, rounds * TRIALS)
    return best


# --- weights ----------------------------------------------------------------------------------------------


def gather(options: Mapping[str, Any], parameters: Reals, seed: int) -> tuple[Reals, NDArray[np.int64]]:
    """Return positions of ``CHUNK`` games between seats with different parameters, some of them the baseline."""
    rng = np.random.default_rng(seed)
    players = int(options.get("players", 2))
    parameter_sets = np.stack([changed(parameters, rng, 0.15) for _ in range(players)])
    seats = [SCRIPT if rng.random() < 0.15 else seat for seat in range(players)]
    epsilon = int(rng.choice((0, 20, 60)))
    _, features, about = play(options, parameter_sets, seats, CHUNK, int(rng.integers(1 << 40)), epsilon, SHARE)
    return features, about


def fit(features: Reals, about: NDArray[np.int64], seed: int = 1, steps: int = 800) -> Networks:
    """Return the networks that make the winners most likely: softmax regression by Adam on mini-batches."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((NETWORKS, NUMBER_OF_FEATURES + 2, HIDDEN))
    for network in range(NETWORKS):
        chosen = about[:, WHICH] == network
        if chosen.any():
            weights[network] = _fit_one(features[chosen], about[chosen], rng, steps)
    return weights


def _fit_one(features: Reals, about: NDArray[np.int64], rng: np.random.Generator, steps: int) -> Reals:
    seats = np.arange(SEATS)
    left = (about[:, LEFT, None] >> seats & 1).astype(bool)
    goal = (about[:, WON, None] >> seats & 1).astype(np.float64)
    goal /= goal.sum(axis=1, keepdims=True)
    weights = rng.normal(scale=0.2, size=(NUMBER_OF_FEATURES + 2, HIDDEN))
    weights[-2] = 0.0
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        batch = rng.choice(len(about), min(BATCH, len(about)), replace=False)
        x = features[batch]
        units, shares = shares_of(x, left[batch], weights)
        error = (shares - goal[batch]) / len(batch)
        backward = error[..., None] * weights[-1] * (units > 0)
        gradient = np.concatenate(
            [
                np.tensordot(x, backward, axes=([0, 1], [0, 1])),
                backward.sum(axis=(0, 1))[None],
                np.tensordot(error, units, axes=([0, 1], [0, 1]))[None],
            ]
        )
        gradient += DECAY * weights
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient * gradient - square)
        direction = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-7)
        weights -= 0.006 * (1 - 0.95 * step / steps) * direction
    return weights


def shares_of(features: Reals, left: NDArray[np.bool_], weights: Reals) -> tuple[Reals, Reals]:
    """Return the hidden activations for each seat of each position, and each seat's chance to win."""
    units: Reals = np.maximum(features @ weights[:-2] + weights[-2], 0.0)
    strength = np.where(left, units @ weights[-1], -np.inf)
    parts = np.exp(strength - strength.max(axis=1, keepdims=True))
    return units, parts / parts.sum(axis=1, keepdims=True)


# --- the whole --------------------------------------------------------------------------------------------


class Runner:
    """Runs functions in this thread or on an executor."""

    def __init__(self, executor: concurrent.futures.Executor | None) -> None:
        """Without an executor everything runs in the calling thread."""
        self._executor = executor

    def __call__(self, function: Callable[..., Any], jobs: Iterable[tuple[Any, ...]]) -> list[Any]:
        """Return the function's result for each tuple of arguments, in their order."""
        if self._executor is None:
            return [function(*job) for job in jobs]
        return [future.result() for future in [self._executor.submit(function, *job) for job in jobs]]


def train(
    folder: Path,
    *,
    seed: int = 1,
    rounds: int = 1,
    games: int = 1200,
    executor: concurrent.futures.Executor | None = None,
    progress: Progress = lambda *_: None,
) -> Path:
    """Train in ``folder`` and return the file that the game ships as ``weights.npz``; goes on where it stopped.

    The policy parameters are tuned for ``rounds`` rounds; the weights are fitted to positions from ``games`` games for
    each of the options in ``PLAYED``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run = Runner(executor)
    tuned = _tune(folder, seed, rounds, max(4, games // TRIALS), run, progress)
    parameters = tuned.astype(np.float32).astype(np.float64)  # as they are read from the file
    found: list[tuple[Reals, NDArray[np.int64]]] = []
    for kind, options in enumerate(PLAYED):
        kept = folder / f"positions{kind}.npz"
        if not kept.exists():
            first = seed * 1_000_000 + kind * 100_000
            parts = run(gather, [(options, parameters, first + chunk) for chunk in range(-(-games // CHUNK))])
            scratch = kept.with_suffix(".part.npz")
            np.savez_compressed(
                scratch,
                facts=np.concatenate([features for features, _ in parts]).astype(np.float32),
                about=np.concatenate([about for _, about in parts]),
            )
            scratch.replace(kept)
        with np.load(kept) as stored:
            found.append((stored["facts"].astype(np.float64), stored["about"]))
        progress("positions", kind + 1, len(PLAYED))
    weights = fit(np.concatenate([features for features, _ in found]), np.concatenate([about for _, about in found]))
    note = {
        "game": "conquest",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "positions": sum(len(about) for _, about in found),
        "seed": seed,
        "rounds": rounds,
        "games": games,
    }
    learned = folder / "weights.npz"
    np.savez_compressed(
        learned,
        weights=weights.astype(np.float32),
        plan=parameters.astype(np.float32),
        about=np.array(json.dumps(note)),
    )
    return learned
