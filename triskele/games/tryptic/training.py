"""Training for TRYPTIC: self-play of the engine, then regression. ``triskele train tryptic`` calls it.

Two things are trained, round by round: the covert placement model, which the posteriors rest on (multinomial logistic
regression on the placements made), and the chance to win (logistic regression on the features of positions). Players
differ in how they place and when they challenge, so that positions vary. Everything follows from the seed. Results
are checkpointed in files, so a run that was stopped goes on where it was.
"""

import concurrent.futures
import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract.evaluation import Progress
from triskele.core.game import game
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import CHOICE
from triskele.games.tryptic.reader import UNSEEN, Reader, Reading
from triskele.games.tryptic.seat_evaluation import ACTING, FEATURES, WAITING
from triskele.games.tryptic.weights import LearnedWeights, Reals
from triskele.games.tryptic.windows import PLAIN_BETA

Features = NDArray[np.float64]

CHUNK = 10
"""Games in a unit of work."""
SEATS = (2, 2, 4, 2, 3, 2, 4, 2, 5, 2)
"""How many players the games of a chunk have."""
PLACEMENT_FEATURES = 5
"""Features of a placement: windows with one, two and three tiles more, harm, and what it gives away."""
_PLACES = r.COLOURS * r.HEXES
_KEPT = 0.3
"""The part of the placements that is kept for the training set."""
_MEMORY = 2
"""How many rounds of games each regression uses."""
_DECAY = 1.0
"""L2 regularisation of both regressions."""

FIRST = LearnedWeights(
    judging=np.zeros((2, len(FEATURES))),
    open=np.array([0.2, 1.0, 3.2, -1.0, 0.0, 0.0, 0.0, 0.0], dtype=np.float32),
    covert=np.array([0.2, 1.0, 3.2, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=np.float32),
)
"""The weights of the first round: a rough guess of how people place, and no evaluation."""


@dataclass(frozen=True)
class Style:
    """How one player of a self-play game plays."""

    plain: bool
    sharpness: float
    bold: float | None
    """The probability from which on it challenges; ``None``: when the expected value says that it pays."""

    @classmethod
    def sampled(cls, rng: np.random.Generator, judging: bool) -> "Style":
        """Draw a random style; before the first regression nobody relies on expected values."""
        plain, sharpness, bold = rng.random() < 0.15, rng.uniform(3, 15), rng.uniform(0.2, 0.6)
        return cls(bool(plain), float(sharpness), None if judging and rng.random() < 0.7 else float(bold))


@dataclass
class Sample:
    """A training set: features of positions and their results; features of placements and the one made."""

    rows: NDArray[np.int64]
    found: Features
    results: Features
    looked_at: Reals
    filled: Reals
    made: NDArray[np.int64]

    def save(self, path: Path) -> None:
        """Write to a file, whole or not at all."""
        scratch = path.with_suffix(".part.npz")
        np.savez_compressed(scratch, **vars(self))
        scratch.replace(path)

    @classmethod
    def joined(cls, paths: Sequence[Path]) -> "Sample":
        """Read several files and concatenate them."""
        parts = []
        for path in paths:
            with np.load(path) as stored:
                parts.append({name: stored[name] for name in stored.files})
        return cls(**{name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


class _SelfPlay:
    """One self-play game, and the examples it gives."""

    def __init__(self, players: int, rng: np.random.Generator, weights: LearnedWeights) -> None:
        self._rules = game("tryptic").linker.rules
        self._rng = rng
        self._judging = bool(weights.judging.any())
        self._reader = Reader(weights)
        self._state = game("tryptic").variant({"players": players}).first_state()
        self._state[r.STAGE] = r.OPEN
        self._state[r.PATTERN : r.PATTERN + players] = 1 + rng.choice(r.PATTERNS, size=players, p=CHOICE)
        self._history = [UNSEEN] * players
        self._players = players
        self._styles = [Style.sampled(rng, self._judging) for _ in range(players)]
        self.judged: list[tuple[int, int, Features]] = []
        self.placed: list[tuple[Reals, float, int]] = []

    def play(self) -> list[float]:
        """Play to the end; return each seat's share in the win."""
        state = self._state
        while state[r.STAGE] != r.ENDED:
            turn = int(state[r.TURN])
            order = [seat % self._players for seat in range(turn, turn + self._players)]
            announces = next((s for s in order if state[r.IN] >> s & 1 and r.has_points(state, s)), None)
            code = self._decide(turn) if announces is None else r.ANNOUNCE + announces
            self._rules.apply(state, code)
            self._history.append(code)
        best = int(state[r.WINNERS]) or int(state[r.IN])
        return [(best >> seat & 1) / best.bit_count() for seat in range(self._players)]

    def _decide(self, seat: int) -> int:
        known = self._state.copy()
        self._rules.redact(known, seat)
        reading, style = self._reader.read(known, self._history, seat), self._styles[seat]
        if known[r.STAGE] != r.CHALLENGED:
            row = WAITING if known[r.STAGE] == r.PLACED else ACTING
            self.judged.append((row, seat, reading.features))
        if known[r.STAGE] == r.PLACED:
            return r.END
        pattern = int(known[r.PATTERN + seat]) - 1
        winning = np.flatnonzero(reading.changes[2, :, pattern] >= known[r.GOAL] - r.points(known, seat))
        if len(winning):
            return int(reading.codes[winning[0]])
        if known[r.STAGE] == r.OPEN:
            challenge = reading.challenge
            if challenge.right > style.bold if style.bold is not None else challenge.pays(reading.chance):
                return challenge.code
            if not known[r.EMPTY]:
                return r.END
        return self._place(reading, style, pattern)

    def _place(self, reading: Reading, style: Style, pattern: int) -> int:
        if self._judging and not style.plain:
            logits = style.sharpness * reading.win_logits
            chances = np.exp(logits - logits.max())
        else:
            chances = np.exp(PLAIN_BETA * reading.gains[:, pattern]) if style.plain else reading.covert[:, pattern]
        made = int(self._rng.choice(len(chances), p=chances / chances.sum()))
        if not style.plain and self._rng.random() < _KEPT:
            looked_at = np.full((_PLACES, PLACEMENT_FEATURES), np.nan, dtype=np.float32)
            columns = [*reading.changes[:, :, pattern], reading.harm, reading.given_away[:, pattern]]
            looked_at[: len(chances)] = np.stack(columns, axis=1)
            filled = 1 - int(self._state[r.EMPTY]).bit_count() / r.HEXES
            self.placed.append((looked_at, filled, made))
        return int(reading.codes[made])


def play_chunk(seed: tuple[int, int, int], weights: LearnedWeights) -> Sample:
    """Play ``CHUNK`` games and return their training set. Runs in any process."""
    judged: list[tuple[int, Features, float]] = []
    placed: list[tuple[Reals, float, int]] = []
    for number in range(CHUNK):
        self_play = _SelfPlay(SEATS[number % len(SEATS)], np.random.default_rng((*seed, number)), weights)
        share = self_play.play()
        judged += [(row, found, share[seat]) for row, seat, found in self_play.judged]
        placed += self_play.placed
    return Sample(
        rows=np.array([row for row, _, _ in judged]),
        found=np.array([found for _, found, _ in judged], dtype=np.float32).astype(np.float64),
        results=np.array([result for _, _, result in judged]),
        looked_at=np.array([looked_at for looked_at, _, _ in placed]).astype(np.float32),
        filled=np.array([filled for _, filled, _ in placed], dtype=np.float32),
        made=np.array([made for _, _, made in placed]),
    )


def fit_judging(found: Features, results: Features) -> Features:
    """Return the weights of a logistic regression of results on features, by Newton's method."""
    weights = np.zeros(found.shape[1])
    for _ in range(40):
        chances = 1 / (1 + np.exp(-np.clip(found @ weights, -30, 30)))
        gradient = found.T @ (chances - results) + _DECAY * weights
        hessian = (found.T * (chances * (1 - chances))) @ found + _DECAY * np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-7:
            break
    return weights


def fit_placing(looked_at: Reals, filled: Reals, made: NDArray[np.int64]) -> Reals:
    """Return the weights of a multinomial logistic regression on the placements made, by damped Newton steps."""
    choices = []
    for features, part, chosen in zip(looked_at, filled, made, strict=True):
        possible = features[~np.isnan(features[:, 0])].astype(np.float64)
        possible -= possible[chosen]
        choices.append(np.concatenate([possible, part * possible], axis=1))
    weights = np.zeros(2 * looked_at.shape[2])
    loss, gradient, hessian = _loss(choices, weights)
    for _ in range(40):
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while (tried := _loss(choices, weights - size * step))[0] > loss and size > 1e-3:
            size /= 2
        weights -= size * step
        gained = loss - tried[0]
        loss, gradient, hessian = tried
        if gained < 1e-4 * len(choices):
            break
    return weights.astype(np.float32)


def _loss(choices: Sequence[Features], weights: Features) -> tuple[float, Features, Features]:
    """Return the negative log-likelihood (features are relative to the choice made), its gradient and its Hessian."""
    total = _DECAY / 2 * float(weights @ weights)
    gradient = _DECAY * weights
    hessian = _DECAY * np.eye(len(weights))
    for possible in choices:
        logits = possible @ weights
        most = float(logits.max())
        chances: Features = np.exp(logits - most)
        whole = float(chances.sum())
        chances /= whole
        mean = chances @ possible
        total += most + float(np.log(whole))
        gradient += mean
        hessian += (possible.T * chances) @ possible - np.outer(mean, mean)
    return total, gradient, hessian


def train(
    folder: Path,
    *,
    seed: int = 1,
    rounds: int = 2,
    games: int = 200,
    executor: concurrent.futures.Executor | None = None,
    progress: Progress = lambda *_: None,
) -> Path:
    """Train in ``folder``, ``games`` games a round, and return the file with the weights; goes on where it stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    weights, known = FIRST, []
    for number in range(rounds):
        target = folder / f"round{number}.npz"
        known.append(_play_round(folder, (seed, number), games, weights, executor, progress))
        if not target.exists():
            sample = Sample.joined([path for paths in known[-_MEMORY:] for path in paths])
            progress(f"fit {number}", 0, 2)
            kinds = [sample.rows == row for row in (ACTING, WAITING)]
            judging = [fit_judging(sample.found[kind], sample.results[kind]) for kind in kinds]
            progress(f"fit {number}", 1, 2)
            seen = [sample.looked_at[:, :, :features] for features in (PLACEMENT_FEATURES - 1, PLACEMENT_FEATURES)]
            placing = [fit_placing(looked_at, sample.filled, sample.made) for looked_at in seen]
            progress(f"fit {number}", 2, 2)
            about = {
                "game": "tryptic",
                "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
                "judged": len(sample.rows),
                "plan": {"seed": seed, "rounds": rounds, "games": games},
            }
            LearnedWeights(np.array(judging), *placing).save(target, json.dumps(about))
        weights = LearnedWeights.load(target)
    return target


def _play_round(
    folder: Path,
    seed: tuple[int, int],
    games: int,
    weights: LearnedWeights,
    executor: concurrent.futures.Executor | None,
    progress: Progress,
) -> list[Path]:
    """Play the games of a round whose files are missing; return the files of all of them."""
    paths = [folder / f"round{seed[1]}-{chunk:03d}.npz" for chunk in range(-(-games // CHUNK))]
    missing = [(path, (*seed, chunk)) for chunk, path in enumerate(paths) if not path.exists()]
    with concurrent.futures.ThreadPoolExecutor(1) as here:
        jobs = {(executor or here).submit(play_chunk, chunk, weights): path for path, chunk in missing}
        for job in concurrent.futures.as_completed(jobs):
            job.result().save(jobs[job])
            progress(f"round {seed[1]}", sum(path.exists() for path in paths), len(paths))
    return paths
