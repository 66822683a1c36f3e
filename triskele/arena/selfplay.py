"""Self-play: an engine, or random moves, against itself, recorded as a data set."""

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.arena.contestants import Contestant
from triskele.arena.dataset import ALL_STATES, COLUMNS, GAME_COLUMNS, STEP_COLUMNS, Dataset, Header, pack
from triskele.arena.openings import dice, opening, usual_plies
from triskele.arena.progress import ProgressBar
from triskele.arena.recorder import CUT_OFF, Columns, random_games
from triskele.arena.referee import Step, Terms, play
from triskele.arena.worker_pool import WorkerPool, WorkItem
from triskele.core.contract.engine import Limits
from triskele.core.errors import TriskeleError
from triskele.core.game import Variant
from triskele.core.words import text
from triskele.engines.random_mover import RandomMover

RANDOM = RandomMover.name
ENGINE_SHARD = 20
SHARD_LIMIT = 10_000
_SHARD_BYTES = 64 << 20
_PROBE = 16
_AT_A_TIME = 32
_GAMMA = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1


def plan(
    variant: Variant,
    games: int,
    *,
    engine: str = RANDOM,
    limits: Limits | None = None,
    openings: int | None = None,
    seed: int = 1,
    plies_limit: int = 20_000,
    states: int = ALL_STATES,
    legal: bool = False,
    shard: int | None = None,
) -> Header:
    """Return the header of a data set.

    Without ``shard``, shards get a handy size; without ``openings``, games begin with the game's default opening.
    """
    contestant = Contestant.parse(engine)
    contestant.check(variant.game)
    given = limits or Limits()
    drawn = contestant.engine == RANDOM
    if shard is None:
        shard = _shard_for(variant, plies_limit, states, legal) if drawn else ENGINE_SHARD
    return Header(
        game=variant.game.name,
        options=dict(variant.options),
        rules=variant.game.rules_module.VERSION,
        engine=engine,
        limits={} if drawn else {k: getattr(given, k) for k in ("seconds", "nodes", "level") if getattr(given, k)},
        openings=0 if drawn else usual_plies(variant) if openings is None else openings,
        seed=seed,
        plies_limit=plies_limit,
        states=states,
        legal=legal,
        shard=shard,
        games=games,
    )


def _shard_for(variant: Variant, plies_limit: int, states: int, legal: bool) -> int:
    """Return how many random games make a shard of about ``_SHARD_BYTES``, by playing a few with fixed seeds."""
    columns = random_games(variant, _seeds(0, range(_PROBE)), plies_limit, with_states=False, with_legal=legal)
    steps = float(columns["plies"].mean())
    kept = steps if states == ALL_STATES else min(steps, states)
    bytes_each = 16 * steps + 8 * variant.size * kept + (4 * len(columns["legal"]) / _PROBE if legal else 0)
    fitting = max(1, int(_SHARD_BYTES / bytes_each))
    # A round number, so that people see at a glance which games a shard holds.
    magnitude = int(10 ** int(math.log10(fitting)))
    return min(SHARD_LIMIT, max(magnitude * step for step in (1, 2, 5) if magnitude * step <= fitting))


def _seeds(seed: int, numbers: range) -> NDArray[np.uint64]:
    """Return a random generator's seed for each game, mixed so that games do not share their numbers."""
    found = []
    for number in numbers:
        word = (seed * 0xD1342543DE82EF95 + (number + 1) * _GAMMA) & _WORD
        word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & _WORD
        found.append(word ^ word >> 31)
    return np.array(found, dtype=np.uint64)


# --- one shard ------------------------------------------------------------------------------------


def make_shard(header: Header, shard: int, isolated: bool = False) -> bytes:
    """Play the games of one shard and return it as a file. The function of a work item: it depends on nothing else."""
    numbers = header.shard_range(shard)
    if Contestant.parse(header.engine).engine != RANDOM:
        return pack(_engine_columns(header, numbers, isolated))
    # A few games at a time: all states of all games may take far more memory than those that are kept.
    step = len(numbers) if header.states in {0, ALL_STATES} else _AT_A_TIME
    parts = [_random_columns(header, numbers[at : at + step]) for at in range(0, max(1, len(numbers)), max(1, step))]
    return pack(_joined(parts))


def _random_columns(header: Header, numbers: range) -> Columns:
    keep = header.states != 0
    seeds = _seeds(header.seed, numbers)
    columns = random_games(header.variant, seeds, header.plies_limit, with_states=keep, with_legal=header.legal)
    return _with_chosen_states(header, numbers, columns)


def _joined(parts: list[Columns]) -> Columns:
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    if "state_step" in joined:
        before = np.cumsum([0, *(len(part["move"]) for part in parts[:-1])])
        joined["state_step"] = np.concatenate(
            [part["state_step"] + offset for part, offset in zip(parts, before, strict=True)]
        )
    return joined


def _with_chosen_states(header: Header, numbers: range, columns: Columns) -> Columns:
    """Keep the header's number of states of each game, with the step that each belongs to."""
    if header.states == 0:
        return columns
    rows = np.arange(len(columns["move"]), dtype=np.int64)
    if header.states != ALL_STATES:
        rows = _choose(header, numbers, columns["plies"])
        columns["state"] = columns["state"][rows]
    columns["state_step"] = rows
    return columns


def _choose(header: Header, numbers: range, plies: NDArray[np.int32]) -> NDArray[np.int64]:
    chosen = [np.zeros(0, dtype=np.int64)]
    begin = 0
    for number, length in zip(numbers, plies.tolist(), strict=True):
        rng = np.random.Generator(np.random.PCG64([header.seed & _WORD, number]))
        drawn = rng.choice(length, size=min(length, header.states), replace=False)
        chosen.append(begin + np.sort(drawn))
        begin += length
    return np.concatenate(chosen)


_STEP_COLUMNS = {**STEP_COLUMNS, "state": COLUMNS["state"]}


@dataclass
class _ColumnBuilder:
    """Collects the columns of engine games, move by move."""

    variant: Variant
    with_legal: bool
    steps: dict[str, list[Any]] = field(default_factory=lambda: {k: [] for k in _STEP_COLUMNS})
    games: dict[str, list[Any]] = field(default_factory=lambda: {k: [] for k in GAME_COLUMNS})
    legal: list[int] = field(default_factory=list)

    def watch(self, step: Step) -> None:
        legal = [move.code for move in step.position.legal_moves]
        if self.with_legal:
            self.legal += legal
        unsaid = (math.nan,) * self.variant.seats
        self.steps["move"].append(step.move.code)
        self.steps["seat"].append(step.seat)
        self.steps["choices"].append(len(legal))
        self.steps["drawn"].append(step.drawn)
        self.steps["value"].append(unsaid if step.info is None else step.info.scores)
        self.steps["state"].append(step.position.state[: self.variant.size])

    def columns(self, states: bool) -> Columns:
        wide = {"value": self.variant.seats, "state": self.variant.size, "scores": self.variant.seats}
        found: Columns = {}
        for types, kept in ((GAME_COLUMNS, self.games), (_STEP_COLUMNS, self.steps)):
            for name, kind in types.items():
                column = np.array(kept[name], dtype=kind)
                found[name] = column.reshape(-1, wide[name]) if name in wide else column
        if not states:
            del found["state"]
        if self.with_legal:
            found["legal"] = np.array(self.legal, dtype=np.int32)
        return found


def _engine_columns(header: Header, numbers: range, isolated: bool) -> Columns:
    variant = header.variant
    contestant = Contestant.parse(header.engine)
    terms = Terms(Limits(**header.limits), plies=header.plies_limit)
    builder = _ColumnBuilder(variant, header.legal)
    reasons = variant.game.rules_module.REASONS
    for number in numbers:
        played = play(
            variant,
            [contestant] * variant.seats,
            terms,
            opening=opening(variant, header.openings, header.seed, number),
            dice=dice(header.seed, number),
            seed=f"{header.seed} {number}",
            isolated=isolated,
            watch=builder.watch,
        )
        if played.failure is not None:
            raise TriskeleError(text("arena.selfplay-failed", number=number, why=played.failure.why))
        builder.games["plies"].append(len(played.moves))
        builder.games["winners"].append(sum(1 << seat for seat in played.winners))
        builder.games["reason"].append(reasons.index(played.reason) if played.reason in reasons else CUT_OFF)
        builder.games["scores"].append(played.scores)
    return _with_chosen_states(header, numbers, builder.columns(states=header.states != 0))


# --- all shards -----------------------------------------------------------------------------------


def complete(dataset: Dataset, pool: WorkerPool) -> int:
    """Play and write the missing shards; return the number of games written.

    When stopped at any moment, what is written stays readable, and calling this again completes it.
    """
    header = dataset.header
    missing = dataset.missing()
    if not missing:
        return 0

    def items() -> Iterator[WorkItem[bytes]]:
        for shard in missing:
            yield WorkItem(shard, make_shard, (header, shard))

    open_games = sum(len(header.shard_range(shard)) for shard in missing)
    written = 0
    with ProgressBar(header.games, header.games - open_games) as bar, contextlib.closing(pool.run(items())) as results:
        for shard, data in results:
            dataset.write(shard, data)
            games = len(header.shard_range(shard))
            written += games
            bar.advance(games)
    return written


def create(folder: str | Path, header: Header) -> Dataset:
    """Create a data set in a folder, or open the one that is there."""
    return Dataset.create(folder, header)
