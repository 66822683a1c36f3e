"""Learning to judge TRYPTIC: games of the engine with itself, then logistic regression.

    python -m triskele.games.tryptic.training --folder FOLDER

Players hide or do not, and challenge from different beliefs on, so that there is something to learn from.
Everything follows from the seed. What is done is in files, so a run that was stopped goes on where it was.
"""

import argparse
import concurrent.futures
import datetime
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.game import Game, game
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import CHOICE, Reading
from triskele.games.tryptic.evaluation import ACTING, FACTS, WAITING, WEIGHTS, Facts, Prospects, facts
from triskele.games.tryptic.judgement import Judge

Progress = Callable[[int, int], None]
"""Told how many chunks are done, and how many there are."""


@dataclass(frozen=True)
class Plan:
    """How much to learn from. The same plan gives the same weights."""

    seed: int = 1
    games: tuple[int, ...] = (0, 0, 300, 60, 80, 30)
    """How many games, by the number of players."""
    chunk: int = 10
    plain: float = 0.3
    """How many players do not hide."""
    boldest: float = 0.2
    shyest: float = 0.6
    """The beliefs from which on players challenge lie between these."""
    decay: float = 1.0


def play(game_: Game, players: int, rng: np.random.Generator, plan: Plan) -> list[tuple[int, Facts, float]]:
    """Play a game; return for each judgement in it its row of weights, the facts and what became of it."""
    reading = Reading(game_.variant({"players": players}))
    state = reading.state
    state[r.PATTERN : r.PATTERN + players] = 1 + rng.choice(r.PATTERNS, size=players, p=CHOICE)
    plain = rng.random(players) < plan.plain
    bold = rng.uniform(plan.boldest, plan.shyest, size=players)
    judged: list[tuple[int, int, Facts]] = []
    while state[r.STAGE] != r.ENDED:
        seat = int(state[r.TURN])
        winner = next((s % players for s in range(seat, seat + players) if _can_announce(state, s % players)), None)
        if winner is not None:
            reading.see(r.ANNOUNCE + winner)
            continue
        known = state.copy()
        game_.linker.rules.redact(known, seat)
        judge = Judge(reading, known, seat, np.zeros((2, len(FACTS))))
        if state[r.STAGE] != r.CHALLENGED:
            row = WAITING if state[r.STAGE] == r.PLACED else ACTING
            found = facts(known, seat, judge.pattern, judge.beliefs, Prospects(reading.board))
            judged.append((row, seat, found))
        reading.see(_decide(judge, bool(plain[seat]), float(bold[seat]), rng))
    best = int(state[r.WINNERS]) or int(state[r.IN])
    share = [(best >> seat & 1) / best.bit_count() for seat in range(players)]
    return [(row, found, share[seat]) for row, seat, found in judged]


def _can_announce(state: NDArray[np.int64], seat: int) -> bool:
    return bool(state[r.IN] >> seat & 1) and r.has_points(state, seat)


def _decide(judge: Judge, plain: bool, bold: float, rng: np.random.Generator) -> int:
    state, reading = judge.known, judge.reading
    if state[r.STAGE] == r.PLACED:
        return r.END
    if state[r.EMPTY] and (finishing := judge.finishing()):
        return finishing[0]
    if state[r.STAGE] == r.OPEN:
        other = max(judge.others, key=lambda seat: judge.beliefs[seat].max())
        if judge.beliefs[other].max() > bold:
            return r.CHALLENGE + other * r.PATTERNS + int(judge.beliefs[other].argmax())
        if not state[r.EMPTY]:
            return r.END
    manner = reading.plain if plain else reading.covert(judge.seat)
    chances = manner[:, judge.pattern].astype(np.float64)
    return int(reading.board.codes[rng.choice(len(chances), p=chances / chances.sum())])


def play_chunk(players: int, number: int, plan: Plan) -> tuple[NDArray[np.int64], Facts, Facts]:
    """Play some games, in any process; return rows of weights, facts and results."""
    declared = game("tryptic")
    judged = []
    for i in range(plan.chunk):
        rng = np.random.default_rng((plan.seed, players, number, i))
        judged += play(declared, players, rng, plan)
    rows, found, results = zip(*judged, strict=True)
    return np.array(rows), np.array(found), np.array(results)


def fit(found: Facts, results: Facts, decay: float) -> Facts:
    """Return the weights that make the results most likely, by Newton's method."""
    weights = np.zeros(found.shape[1])
    for _ in range(40):
        chances = 1 / (1 + np.exp(-np.clip(found @ weights, -30, 30)))
        slope = found.T @ (chances - results) + decay * weights
        curve = (found.T * (chances * (1 - chances))) @ found + decay * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-7:
            break
    return weights


def train(
    folder: Path,
    plan: Plan | None = None,
    executor: concurrent.futures.Executor | None = None,
    progress: Progress = lambda done, total: None,
) -> Path:
    """Learn the weights in ``folder`` and return the file with them; goes on where it stopped."""
    plan = plan or Plan()
    folder.mkdir(parents=True, exist_ok=True)
    chunks = [(p, n) for p, games in enumerate(plan.games) for n in range(games // plan.chunk)]
    paths = [folder / f"seed{plan.seed}-{players}-{number:03d}.npz" for players, number in chunks]
    missing = [(path, chunk) for path, chunk in zip(paths, chunks, strict=True) if not path.exists()]
    with concurrent.futures.ThreadPoolExecutor(1) as here:
        jobs = {(executor or here).submit(play_chunk, *chunk, plan): path for path, chunk in missing}
        for job in concurrent.futures.as_completed(jobs):
            rows, found, results = job.result()
            np.savez_compressed(jobs[job], rows=rows, found=found, results=results)
            progress(sum(path.exists() for path in paths), len(paths))
    stored = [np.load(path) for path in paths]
    rows, found, results = (np.concatenate([each[name] for each in stored]) for name in ("rows", "found", "results"))
    weights = [fit(found[rows == row], results[rows == row], plan.decay) for row in (ACTING, WAITING)]
    about = {"date": datetime.datetime.now(datetime.UTC).date().isoformat(), "judged": len(rows), "plan": asdict(plan)}
    target = folder / WEIGHTS.name
    np.savez_compressed(target, weights=np.array(weights, dtype=np.float32), about=np.array(json.dumps(about)))
    return target


def main() -> None:
    """Learn, and say where the weights are."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    arguments.add_argument("--folder", type=Path, required=True, help="for the games, and the weights in the end")
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()

    def progress(done: int, total: int) -> None:
        sys.stderr.write(f"\r{done} of {total} chunks")

    print(train(chosen.folder, Plan(seed=chosen.seed), progress=progress))


if __name__ == "__main__":
    main()
