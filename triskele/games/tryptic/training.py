"""Learning TRYPTIC: games of the engine with itself, then regression. ``triskele train tryptic`` calls it.

Two things are learned, round by round: how players who hide place, which the reading of patterns rests on, and
how much the facts about a position count for the chance to win. Players differ in how they place and when they
challenge, so that there is something to learn from. Everything follows from the seed. What is done is in
files, so a run that was stopped goes on where it was.
"""

import concurrent.futures
import datetime
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.game import game
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import CHOICE, Chances, Reading
from triskele.games.tryptic.evaluation import ACTING, FACTS, WAITING, Facts
from triskele.games.tryptic.judgement import Judge
from triskele.games.tryptic.learned import Learned, Reals

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

CHUNK = 10
TABLES = (2, 2, 4, 2, 3, 2, 4, 2, 5, 2)
"""How many players sit at the tables of a chunk's games."""
FEATURES = 5
_PLACES = r.COLOURS * r.HEXES
_KEPT = 0.3
"""How many of the placements are kept to learn from."""
_MEMORY = 2
"""How many rounds' games are learned from."""
_DECAY = 1.0

FIRST = Learned(
    judging=np.zeros((2, len(FACTS))),
    open=np.array([0.2, 1.0, 3.2, -1.0, 0.0, 0.0, 0.0, 0.0], dtype=np.float32),
    covert=np.array([0.2, 1.0, 3.2, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=np.float32),
)
"""What to begin with: a rough guess how people place, and no judgement."""


@dataclass(frozen=True)
class Style:
    """How one player of a training game plays."""

    plain: bool
    sharpness: float
    bold: float | None
    """The belief from which on he challenges; without one, when he judges that it pays."""

    @classmethod
    def drawn(cls, rng: np.random.Generator, judging: bool) -> "Style":
        """Draw one by lot; nobody relies on judgement that is not there yet."""
        plain, sharpness, bold = rng.random() < 0.15, rng.uniform(3, 15), rng.uniform(0.2, 0.6)
        return cls(bool(plain), float(sharpness), None if judging and rng.random() < 0.7 else float(bold))


@dataclass
class Sample:
    """What games tell: facts judged and what became of them; placements, by what was looked at, and the one made."""

    rows: NDArray[np.int64]
    found: Facts
    results: Facts
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
        """Read from files."""
        parts = []
        for path in paths:
            with np.load(path) as stored:
                parts.append({name: stored[name] for name in stored.files})
        return cls(**{name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


class _Table:
    """One game: plays it and keeps what can be learned from."""

    def __init__(self, players: int, rng: np.random.Generator, learned: Learned) -> None:
        self._game = game("tryptic")
        self._rng = rng
        self._judging = bool(learned.judging.any())
        self._reading = Reading(self._game.variant({"players": players}), learned)
        self._state = self._reading.state
        self._players = players
        self._styles = [Style.drawn(rng, self._judging) for _ in range(players)]
        self._state[r.PATTERN : r.PATTERN + players] = 1 + rng.choice(r.PATTERNS, size=players, p=CHOICE)
        self.judged: list[tuple[int, int, Facts]] = []
        self.placed: list[tuple[Reals, float, int]] = []

    def play(self) -> list[float]:
        """Play to the end; return each seat's share in the win."""
        state = self._state
        while state[r.STAGE] != r.ENDED:
            turn = int(state[r.TURN])
            order = [seat % self._players for seat in range(turn, turn + self._players)]
            announces = next((s for s in order if state[r.IN] >> s & 1 and r.has_points(state, s)), None)
            self._reading.see(self._decide(turn) if announces is None else r.ANNOUNCE + announces)
        best = int(state[r.WINNERS]) or int(state[r.IN])
        return [(best >> seat & 1) / best.bit_count() for seat in range(self._players)]

    def _decide(self, seat: int) -> int:
        known = self._state.copy()
        self._game.linker.rules.redact(known, seat)
        judge, style = Judge(self._reading, known, seat), self._styles[seat]
        if known[r.STAGE] != r.CHALLENGED:
            row = WAITING if known[r.STAGE] == r.PLACED else ACTING
            self.judged.append((row, seat, judge.facts()))
        if known[r.STAGE] == r.PLACED:
            return r.END
        if known[r.EMPTY] and (finishing := judge.finishing()):
            return finishing[0]
        if known[r.STAGE] == r.OPEN:
            challenge = judge.challenge()
            if challenge.right > style.bold if style.bold is not None else challenge.pays(judge.now):
                return challenge.code
            if not known[r.EMPTY]:
                return r.END
        return self._place(judge, style)

    def _place(self, judge: Judge, style: Style) -> int:
        reading, seat = judge.reading, judge.seat
        manner = reading.board.plain if style.plain else reading.covert(seat)
        chances = manner[:, judge.pattern].astype(np.float64)
        if self._judging and not style.plain:
            logits = style.sharpness * judge.placing(np.arange(len(chances)))
            chances = np.exp(logits - logits.max())
        made = int(self._rng.choice(len(chances), p=chances / chances.sum()))
        if not style.plain and self._rng.random() < _KEPT:
            looked_at = np.full((_PLACES, FEATURES), np.nan, dtype=np.float32)
            looked_at[: len(chances)] = reading.features(seat)[:, :, judge.pattern].T
            self.placed.append((looked_at, reading.filled, made))
        return int(reading.board.codes[made])


def play_chunk(seed: tuple[int, int, int], learned: Learned) -> Sample:
    """Play some games, in any process."""
    judged: list[tuple[int, Facts, float]] = []
    placed: list[tuple[Reals, float, int]] = []
    for number in range(CHUNK):
        table = _Table(TABLES[number % len(TABLES)], np.random.default_rng((*seed, number)), learned)
        share = table.play()
        judged += [(row, found, share[seat]) for row, seat, found in table.judged]
        placed += table.placed
    return Sample(
        rows=np.array([row for row, _, _ in judged]),
        found=np.array([found for _, found, _ in judged], dtype=np.float32).astype(np.float64),
        results=np.array([result for _, _, result in judged]),
        looked_at=np.array([looked_at for looked_at, _, _ in placed]).astype(np.float32),
        filled=np.array([filled for _, filled, _ in placed], dtype=np.float32),
        made=np.array([made for _, _, made in placed]),
    )


def fit_judging(found: Facts, results: Facts) -> Facts:
    """Return the weights that make the results most likely, by Newton's method."""
    weights = np.zeros(found.shape[1])
    for _ in range(40):
        chances = 1 / (1 + np.exp(-np.clip(found @ weights, -30, 30)))
        slope = found.T @ (chances - results) + _DECAY * weights
        curve = (found.T * (chances * (1 - chances))) @ found + _DECAY * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-7:
            break
    return weights


def fit_placing(looked_at: Reals, filled: Reals, made: NDArray[np.int64]) -> Reals:
    """Return the weights that make the placements most likely among those that could be made, by Newton's method."""
    choices = []
    for features, part, chosen in zip(looked_at, filled, made, strict=True):
        possible = features[~np.isnan(features[:, 0])].astype(np.float64)
        possible -= possible[chosen]
        choices.append(np.concatenate([possible, part * possible], axis=1))
    weights = np.zeros(2 * looked_at.shape[2])
    surprise, slope, curve = _surprise(choices, weights)
    for _ in range(40):
        step = np.linalg.solve(curve, slope)
        size = 1.0
        while (tried := _surprise(choices, weights - size * step))[0] > surprise and size > 1e-3:
            size /= 2
        weights -= size * step
        gained = surprise - tried[0]
        surprise, slope, curve = tried
        if gained < 1e-4 * len(choices):
            break
    return weights.astype(np.float32)


def _surprise(choices: Sequence[Chances], weights: Chances) -> tuple[float, Chances, Chances]:
    """Return how unlikely the choices are (features are relative to the one made), and its first derivatives."""
    total = _DECAY / 2 * float(weights @ weights)
    slope = _DECAY * weights
    curve = _DECAY * np.eye(len(weights))
    for possible in choices:
        logits = possible @ weights
        most = float(logits.max())
        chances: Chances = np.exp(logits - most)
        whole = float(chances.sum())
        chances /= whole
        mean = chances @ possible
        total += most + float(np.log(whole))
        slope += mean
        curve += (possible.T * chances) @ possible - np.outer(mean, mean)
    return total, slope, curve


def train(
    folder: Path,
    *,
    seed: int = 1,
    rounds: int = 2,
    games: int = 200,
    executor: concurrent.futures.Executor | None = None,
    progress: Progress = lambda *_: None,
) -> Path:
    """Learn in ``folder`` from so many games a round and return the file with the weights; goes on where it stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    learned, known = FIRST, []
    for number in range(rounds):
        target = folder / f"round{number}.npz"
        known.append(_play_round(folder, (seed, number), games, learned, executor, progress))
        if not target.exists():
            sample = Sample.joined([path for paths in known[-_MEMORY:] for path in paths])
            progress(f"fit {number}", 0, 2)
            kinds = [sample.rows == row for row in (ACTING, WAITING)]
            judging = [fit_judging(sample.found[kind], sample.results[kind]) for kind in kinds]
            progress(f"fit {number}", 1, 2)
            seen = [sample.looked_at[:, :, :features] for features in (FEATURES - 1, FEATURES)]
            placing = [fit_placing(looked_at, sample.filled, sample.made) for looked_at in seen]
            progress(f"fit {number}", 2, 2)
            about = {
                "game": "tryptic",
                "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
                "judged": len(sample.rows),
                "plan": {"seed": seed, "rounds": rounds, "games": games},
            }
            Learned(np.array(judging), *placing).save(target, json.dumps(about))
        learned = Learned.load(target)
    return target


def _play_round(
    folder: Path,
    seed: tuple[int, int],
    games: int,
    learned: Learned,
    executor: concurrent.futures.Executor | None,
    progress: Progress,
) -> list[Path]:
    """Play the games of a round that are not there yet; return the files of all of them."""
    paths = [folder / f"round{seed[1]}-{chunk:03d}.npz" for chunk in range(-(-games // CHUNK))]
    missing = [(path, (*seed, chunk)) for chunk, path in enumerate(paths) if not path.exists()]
    with concurrent.futures.ThreadPoolExecutor(1) as here:
        jobs = {(executor or here).submit(play_chunk, chunk, learned): path for path, chunk in missing}
        for job in concurrent.futures.as_completed(jobs):
            job.result().save(jobs[job])
            progress(f"round {seed[1]}", sum(path.exists() for path in paths), len(paths))
    return paths
