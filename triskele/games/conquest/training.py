"""Learning to play Conquest Tryad, from games of generals with one another.

First the numbers of the general's plan: changed a little at random, kept when that plays better against the plan so
far and against the script. Then the weights of the evaluation: positions between rounds of such games, fitted to
who won them in the end (a softmax over the seats' strengths). ``triskele train conquest --out FOLDER`` runs it.
Everything follows from the seed; what is done is in files, so that a run that was stopped goes on where it was.
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
from triskele.core.game import game
from triskele.games.conquest.evaluation import HIDDEN, NETWORKS, NUMBER_OF_FACTS, Networks, describe, network_of
from triskele.games.conquest.general import MIND, command
from triskele.games.conquest.geometry import FIELDS
from triskele.games.conquest.marches import Reals
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
from triskele.games.conquest.script import thumb

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

FIRST_PLAN = (-1.25, 2.85, 678.0, 7.24, 0.0, 0.0, 11.36, 0.02, 0.6, 4.45)
"""What tuning begins with: what an earlier run, from a guess on, had come to."""
STEP = (1.5, 2.0, 100.0, 1.5, 0.7, 0.4, 2.5, 0.3, 0.7, 1.5)
"""How far each number of a plan is changed at a time."""
LEAST = (-8.0, -8.0, 200.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
TRIALS = 30
"""Changes of the plan that are tried in a round."""
BETTER = 0.02
"""How much more a changed plan has to win to be kept: less would mostly be luck."""

SCRIPT = -1
"""What a seat plays instead of a row of the plans."""
LEFT, WON, WHICH = range(3)
"""What is kept of a position beside the facts: the seats left, who won, and the network."""

PLAYED: tuple[Mapping[str, Any], ...] = (
    {"rounds": 60},
    {"players": 3, "rounds": 60},
    {"players": 4, "rounds": 60},
    {"players": 6, "rounds": 40},
    {"version": "marathon", "rounds": 80},
    {"players": 4, "version": "marathon", "rounds": 60},
)
"""The games that positions come from."""
TUNED: tuple[tuple[Mapping[str, Any], tuple[int, ...]], ...] = (
    ({"rounds": 60}, (0, SCRIPT)),
    ({"rounds": 60}, (0, 1)),
    ({"players": 4, "rounds": 60}, (0, SCRIPT, SCRIPT, SCRIPT)),
    ({"players": 4, "rounds": 60}, (0, 1, 1, 1)),
)
"""The games that a plan (0) is tried in, against the script and the plan so far (1)."""
CHUNK = 20
"""Games between which the plans of the players change, for positions of all kinds."""
BATCH = 1024
DECAY = 1e-4
SHARE = 200
"""So many positions between rounds in a thousand are kept."""


def contest(
    first: State, plans: Reals, seats: Moves, whim: int, games: int, share: int, rng: Rng,
    state: State, moves: Moves, mind: Reals, needed: Reals, scratch: Reals, fields: Moves,
    wins: Reals, facts: NDArray[np.float64], about: NDArray[np.int64],
) -> int:  # fmt: skip
    """Play games and add up in ``wins`` what each of ``seats`` has won; the seats are shifted by one from game to game.

    Of the positions between rounds ``share`` in a thousand are described in ``facts`` and ``about`` while there is
    room; the number of them is returned.
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
                    describe(state, scratch, needed, fields)
                    for seat in range(players):
                        for fact in range(NUMBER_OF_FACTS):
                            facts[kept, seat, fact] = scratch[seat, fact]
                    about[kept, LEFT] = state[IN]
                    about[kept, WHICH] = network_of(state)
                    kept += 1
                chosen = below(rng, FACES)
            elif seats[(acting + number) % players] == SCRIPT:
                chosen = thumb(state, moves)
            else:
                chosen = command(state, moves, plans[seats[(acting + number) % players]], mind, needed, rng, whim)
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
    options: Mapping[str, Any], plans: Reals, seats: Sequence[int], games: int, seed: int, whim: int = 0,
    share: int = 0,
) -> tuple[Reals, Reals, NDArray[np.int64]]:  # fmt: skip
    """Play games; return the share that each of ``seats`` has won, and positions, as ``contest`` keeps them."""
    conquest = game("conquest")
    room = 200 * games if share else 0
    wins = np.zeros(SEATS)
    facts = np.zeros((room, SEATS, NUMBER_OF_FACTS))
    about = np.zeros((room, 3), dtype=np.int64)
    first = conquest.variant(options).first_state()
    scratch = (
        np.zeros(SIZE, dtype=np.int64),
        np.zeros(MOVES, dtype=np.int64),
        np.zeros(MIND),
        np.zeros(FIELDS),
        np.zeros((SEATS, NUMBER_OF_FACTS)),
        np.zeros(FIELDS, dtype=np.int64),
    )
    program = conquest.linker.program(CONTEST)
    players = np.array(seats, dtype=np.int64)
    kept = int(program(first, plans, players, whim, games, share, new_rng(seed), *scratch, wins, facts, about))
    return wins[: len(seats)] / games, facts[:kept], about[:kept]


# --- the plan ---------------------------------------------------------------------------------------------


def changed(plan: Reals, rng: np.random.Generator, part: float) -> Reals:
    """Return a plan with about this part of its numbers changed."""
    mask = rng.random(len(plan)) < part
    found: Reals = np.maximum(plan + mask * rng.normal(size=len(plan)) * STEP, LEAST)
    return found


def try_plan(plan: Reals, against: Reals, games: int, seed: int) -> float:
    """Return what a plan wins on average over all kinds of games it is tried in."""
    plans = np.stack([plan, against])
    return float(np.mean([play(options, plans, seats, games, seed)[0][0] for options, seats in TUNED]))


def _tune(folder: Path, seed: int, rounds: int, games: int, run: "Runner", progress: Progress) -> Reals:
    """Return the best plan found, going on with what is in the folder."""
    noted = folder / "plan.json"
    done, best = 0, np.array(FIRST_PLAN)
    if noted.exists():
        stored = json.loads(noted.read_text(encoding="ascii"))
        done, best = int(stored["done"]), np.array(stored["plan"])
    while done < rounds * TRIALS:
        rng = np.random.default_rng((seed, done))
        candidate = changed(best, rng, 0.35)
        at = int(rng.integers(1 << 40))
        tried, known = run(try_plan, [(candidate, best, games, at), (best, best, games, at)])
        if tried > known:  # perhaps luck: once more, with more games
            tried, known = run(try_plan, [(candidate, best, 4 * games, at + 1), (best, best, 4 * games, at + 1)])
            if tried > known + BETTER:
                best = candidate
        done += 1
        noted.write_text(json.dumps({"done": done, "plan": best.tolist()}), encoding="ascii")
        progress("plan", done, rounds * TRIALS)
    return best


# --- the weights ------------------------------------------------------------------------------------------


def gather(options: Mapping[str, Any], plan: Reals, seed: int) -> tuple[Reals, NDArray[np.int64]]:
    """Return positions of a few games of players who differ."""
    rng = np.random.default_rng(seed)
    players = int(options.get("players", 2))
    plans = np.stack([changed(plan, rng, 0.15) for _ in range(players)])
    seats = [SCRIPT if rng.random() < 0.15 else seat for seat in range(players)]
    whim = int(rng.choice((0, 20, 60)))
    _, facts, about = play(options, plans, seats, CHUNK, int(rng.integers(1 << 40)), whim, SHARE)
    return facts, about


def fit(facts: Reals, about: NDArray[np.int64], seed: int = 1, steps: int = 800) -> Networks:
    """Return the networks that make who won most likely: softmax regression by Adam on small batches."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((NETWORKS, NUMBER_OF_FACTS + 2, HIDDEN))
    for network in range(NETWORKS):
        chosen = about[:, WHICH] == network
        if chosen.any():
            weights[network] = _fit_one(facts[chosen], about[chosen], rng, steps)
    return weights


def _fit_one(facts: Reals, about: NDArray[np.int64], rng: np.random.Generator, steps: int) -> Reals:
    seats = np.arange(SEATS)
    left = (about[:, LEFT, None] >> seats & 1).astype(bool)
    goal = (about[:, WON, None] >> seats & 1).astype(np.float64)
    goal /= goal.sum(axis=1, keepdims=True)
    weights = rng.normal(scale=0.2, size=(NUMBER_OF_FACTS + 2, HIDDEN))
    weights[-2] = 0.0
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        batch = rng.choice(len(about), min(BATCH, len(about)), replace=False)
        x = facts[batch]
        units, shares = shares_of(x, left[batch], weights)
        error = (shares - goal[batch]) / len(batch)
        back = error[..., None] * weights[-1] * (units > 0)
        slope = np.concatenate(
            [
                np.tensordot(x, back, axes=([0, 1], [0, 1])),
                back.sum(axis=(0, 1))[None],
                np.tensordot(error, units, axes=([0, 1], [0, 1]))[None],
            ]
        )
        slope += DECAY * weights
        mean += 0.1 * (slope - mean)
        square += 0.001 * (slope * slope - square)
        along = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-7)
        weights -= 0.006 * (1 - 0.95 * step / steps) * along
    return weights


def shares_of(facts: Reals, left: NDArray[np.bool_], weights: Reals) -> tuple[Reals, Reals]:
    """Return the hidden units of a network for each seat of each position, and each seat's chance to win."""
    units: Reals = np.maximum(facts @ weights[:-2] + weights[-2], 0.0)
    strength = np.where(left, units @ weights[-1], -np.inf)
    parts = np.exp(strength - strength.max(axis=1, keepdims=True))
    return units, parts / parts.sum(axis=1, keepdims=True)


# --- all of it --------------------------------------------------------------------------------------------


class Runner:
    """Runs functions here or on an executor."""

    def __init__(self, executor: concurrent.futures.Executor | None) -> None:
        """Without an executor everything runs here."""
        self._executor = executor

    def __call__(self, function: Callable[..., Any], jobs: Iterable[tuple[Any, ...]]) -> list[Any]:
        """Return what the function makes of each tuple of arguments, in their order."""
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
    """Learn in ``folder`` and return the file that the game ships as ``weights.npz``; goes on where it stopped.

    The plan is tuned for so many rounds; ``games`` of each kind give the positions that the weights are fitted to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run = Runner(executor)
    plan = _tune(folder, seed, rounds, max(4, games // TRIALS), run, progress).astype(np.float32).astype(np.float64)
    found: list[tuple[Reals, NDArray[np.int64]]] = []
    for kind, options in enumerate(PLAYED):
        kept = folder / f"positions{kind}.npz"
        if not kept.exists():
            first = seed * 1_000_000 + kind * 100_000
            parts = run(gather, [(options, plan, first + chunk) for chunk in range(-(-games // CHUNK))])
            scratch = kept.with_suffix(".part.npz")
            np.savez_compressed(
                scratch,
                facts=np.concatenate([facts for facts, _ in parts]).astype(np.float32),
                about=np.concatenate([about for _, about in parts]),
            )
            scratch.replace(kept)
        with np.load(kept) as stored:
            found.append((stored["facts"].astype(np.float64), stored["about"]))
        progress("positions", kind + 1, len(PLAYED))
    weights = fit(np.concatenate([facts for facts, _ in found]), np.concatenate([about for _, about in found]))
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
        learned, weights=weights.astype(np.float32), plan=plan.astype(np.float32), about=np.array(json.dumps(note))
    )
    return learned
