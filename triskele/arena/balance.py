"""Balance reports: who wins from which seat, how long games are, how they end, how often the lead changes.

One engine plays all seats of each variant of a game many times. The result is plain data with 95 % intervals;
:mod:`triskele.arena.page` makes a page of it.
"""

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triskele.arena.contestants import Contestant
from triskele.arena.journal import Journal
from triskele.arena.match import Plan
from triskele.arena.openings import dice
from triskele.arena.progress import ProgressBar
from triskele.arena.referee import CUT_OFF, Played, Step, play
from triskele.arena.statistics import Z95, difference, elo_of, wilson
from triskele.arena.worker_pool import WorkerPool, WorkItem
from triskele.core.contract import CHANCE
from triskele.core.game import Game
from triskele.core.options import Value

FORMAT = "triskele-report/1"
LEAD = 0.1
"""A seat leads when the engine's estimate for it is above all others by this much (scores go from -1 to 1)."""
STAGES = 10
"""The number of equal parts of a game for which the choices are averaged."""
BINS = 16


# --- one game -------------------------------------------------------------------------------------


@dataclass
class _Observer:
    """Collects the figures of one game, move by move."""

    choices: list[int] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    leaders: list[int] = field(default_factory=list)

    def watch(self, step: Step) -> None:
        if step.seat == CHANCE:
            return
        self.choices.append(len(step.position.legal_moves))
        self.movers.append(step.seat)
        leader = self.leaders[-1] if self.leaders else -1
        if step.info is not None:
            first, second = sorted(step.info.scores, reverse=True)[:2] if len(step.info.scores) > 1 else (0.0, 0.0)
            if first - second >= LEAD:
                leader = step.info.scores.index(first)
        self.leaders.append(leader)

    def _turns(self, alone: bool) -> list[float]:
        """Return for each turn the binary logarithm of the number of ways to play it.

        A turn is all decisions of one seat until another decides; with one seat, each decision is a turn.
        """
        turns: list[float] = []
        for at, (mover, number) in enumerate(zip(self.movers, self.choices, strict=True)):
            if at == 0 or alone or mover != self.movers[at - 1]:
                turns.append(0.0)
            turns[-1] += math.log2(number)
        return turns

    def figures(self, played: Played) -> dict[str, Any]:
        turns = self._turns(alone=len(played.scores) == 1)
        seen = [leader for leader in self.leaders if leader >= 0]
        halfway = self.leaders[len(self.leaders) // 2] if self.leaders else -1
        best = max(played.scores)
        return {
            "winners": list(played.winners),
            "shares": [round(share, 6) for share in played.shares],
            "scores": list(played.scores),
            "reason": played.reason,
            "plies": len(played.moves),
            "decisions": len(self.movers),
            "turns": len(turns),
            "mean_choices": _mean(self.choices),
            "most_choices": max(self.choices, default=0),
            "bits": math.fsum(turns),
            "turn_bits": statistics.median(turns) if turns else None,
            "stages": _stages(self.choices),
            "lead_changes": sum(one != other for one, other in itertools.pairwise(seen)) if seen else None,
            "halfway_led": halfway >= 0,
            "halfway_won": halfway in played.winners,
            "richest_lost": bool(played.winners) and all(played.scores[seat] < best for seat in played.winners),
            "failed": played.failure.why if played.failure is not None else None,
        }


def _stages(choices: Sequence[int]) -> list[float | None]:
    cuts = [round(at * len(choices) / STAGES) for at in range(STAGES + 1)]
    parts = (choices[low:high] for low, high in itertools.pairwise(cuts))
    return [_mean(part) if part else None for part in parts]


def observe_game(plan: Plan, number: int, isolated: bool = False) -> dict[str, Any]:
    """Play one game with the plan's engine at every seat, and return its figures. The function of a work item."""
    variant = plan.variant
    contestant = Contestant.parse(plan.contestants[0])
    observer = _Observer()
    played = play(
        variant,
        [contestant] * variant.seats,
        plan.terms,
        opening=plan.opening(number),
        dice=dice(plan.seed, number),
        seed=f"{plan.seed} {number}",
        isolated=isolated,
        watch=observer.watch,
    )
    return observer.figures(played)


# --- one variant ----------------------------------------------------------------------------------


def summary(plan: Plan, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the summary of the games of one variant, as plain data."""
    variant = plan.variant
    seats = variant.seats
    whole = [result for result in results if result["failed"] is None]
    games = len(whole)
    lengths = sorted(result["turns"] for result in whole)
    led = [result for result in whole if result["halfway_led"] and result["winners"]]
    changes = [result["lead_changes"] for result in whole if result["lead_changes"] is not None]
    amounts = any(_scores_are_amounts(result, seats) for result in whole)
    return {
        "options": dict(plan.options),
        "seats": seats,
        "games": games,
        "failed": len(results) - games,
        "failure": next((result["failed"] for result in results if result["failed"] is not None), None),
        "by_seat": [_seat(whole, seat, seats) for seat in range(seats)],
        "draws": share_of(sum(not result["winners"] and result["reason"] != CUT_OFF for result in whole), games),
        "reasons": {
            name: share_of(number, games) for name, number in Counter(r["reason"] for r in whole).most_common()
        },
        "turns": spread(lengths),
        "decisions": spread(sorted(result["decisions"] for result in whole)),
        "histogram": histogram(lengths),
        "choices": {
            "mean": _mean([result["mean_choices"] for result in whole]),
            "most": max((result["most_choices"] for result in whole), default=0),
            "per_turn": _per_turn(whole),
            "log10_game": _mean([result["bits"] * math.log10(2) for result in whole]),
            "stages": [_mean_known([result["stages"][stage] for result in whole]) for stage in range(STAGES)],
        },
        "lead_changes": spread(sorted(changes)),
        "halfway_leader_wins": share_of(sum(result["halfway_won"] for result in led), len(led)),
        "richest_loses": share_of(sum(result["richest_lost"] for result in whole), games) if amounts else None,
        "seconds_per_turn": [_pace(minutes, lengths) for minutes in variant.game.minutes],
    }


def _shift(usual: Mapping[str, Any], variant: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return how much better the first seat does than in the usual variant, ``None`` if they differ in seats."""
    if variant is usual or variant["seats"] != usual["seats"] or not variant["games"] or not usual["games"]:
        return None
    here, there = variant["by_seat"][0], usual["by_seat"][0]
    gap, low, high = difference(here["share"], here["interval"], there["share"], there["interval"])
    elo = None if here["elo"] is None or there["elo"] is None else round(here["elo"] - there["elo"], 1)
    return {"difference": round(gap, 6), "interval": [round(low, 6), round(high, 6)], "elo": elo}


def _scores_are_amounts(result: Mapping[str, Any], seats: int) -> bool:
    """Return whether the scores of a game are amounts: more than who won."""
    if not result["winners"] or seats < 2:
        return False
    return any(abs(result["scores"][seat]) not in {0.0, 1.0} for seat in result["winners"])


def _seat(results: Sequence[Mapping[str, Any]], seat: int, seats: int) -> dict[str, Any]:
    shares = [result["shares"][seat] for result in results]
    share = _mean(shares)
    low, high = wilson(share, len(shares))
    return {
        "share": round(share, 6),
        "interval": [round(low, 6), round(high, 6)],
        "elo": finite(elo_of(share, seats)) if seats > 1 else None,
        "elo_interval": [finite(elo_of(low, seats)), finite(elo_of(high, seats))] if seats > 1 else [None, None],
        "mean_score": round(_mean([result["scores"][seat] for result in results]), 4),
    }


def finite(number: float) -> float | None:
    """Return a number rounded to one decimal, ``None`` for an infinite one."""
    return round(number, 1) if math.isfinite(number) else None


def share_of(number: int, games: int) -> dict[str, Any]:
    """Return a count as a share of all games, with its interval."""
    share = number / games if games else 0.0
    low, high = wilson(share, games)
    return {"number": number, "share": round(share, 6), "interval": [round(low, 6), round(high, 6)]}


def spread(values: Sequence[float]) -> dict[str, Any] | None:
    """Return mean with interval and quantiles of sorted values; ``None`` if there are none."""
    if not values:
        return None
    mean = _mean(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    half = Z95 * math.sqrt(variance / len(values))
    quantiles = {str(percent): values[round(percent / 100 * (len(values) - 1))] for percent in (5, 25, 50, 75, 95)}
    return {
        "mean": round(mean, 3),
        "interval": [round(mean - half, 3), round(mean + half, 3)],
        "least": values[0],
        "most": values[-1],
        "quantiles": quantiles,
    }


def histogram(values: Sequence[int]) -> list[dict[str, int]]:
    """Return equal bins over whole numbers: from, to (both included) and how many."""
    if not values:
        return []
    width = max(1, math.ceil((values[-1] - values[0] + 1) / BINS))
    counts = Counter((value - values[0]) // width for value in values)
    return [
        {"from": values[0] + at * width, "to": values[0] + (at + 1) * width - 1, "number": counts[at]}
        for at in range(max(counts) + 1)
    ]


def _per_turn(results: Sequence[Mapping[str, Any]]) -> float:
    """Return how many ways there are to play a turn: the product of its choices, in the median turn of the median game.

    Medians, because where a player may take back steps of a turn, a turn can have any length.
    """
    bits = [result["turn_bits"] for result in results if result["turn_bits"] is not None]
    return float(round(2 ** min(300.0, statistics.median(bits)), 1)) if bits else 0.0


def _pace(minutes: int, turns: Sequence[int]) -> float | None:
    """Return the seconds that a turn takes if an average game takes ``minutes``."""
    return round(60 * minutes / _mean(turns), 1) if turns and _mean(turns) else None


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _mean_known(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(_mean(known), 2) if known else None


# --- the whole game -------------------------------------------------------------------------------


def variants(game: Game) -> list[dict[str, Value]]:
    """Return the options of the variants of a report: the option sets that the game declares, each once.

    House rules stay at their defaults: they only bound the length of a game, and the sets for tests bound it tightly.
    """
    found: list[dict[str, Value]] = []
    for options in game.option_sets:
        own = {name: value for name, value in options.items() if name not in game.house_rules}
        if own not in found:
            found.append(own)
    return found


def report(
    game: Game,
    plans: Sequence[Plan],
    games: int,
    pool: WorkerPool,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Play ``games`` games of each plan and return the report as plain data.

    With a ``folder``, games are kept in journals there, and an interrupted report is resumed.
    """
    summaries = []
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for at, plan in enumerate(plans):
        path = None if folder is None else folder / f"{game.name}-{at:02}.jsonl"
        with Journal(path, {"format": FORMAT, **plan.document()}) as journal:
            _observe(plan, games, journal, pool)
            results = [result for number, result in sorted(journal.results.items()) if number < games]
        summaries.append(summary(plan, results))
    for variant in summaries:
        variant["first_seat_shift"] = _shift(summaries[0], variant)
    first = plans[0].document()
    return {
        "format": FORMAT,
        "game": game.name,
        "title": game.title,
        "rulebook": game.rulebook,
        "minutes": list(game.minutes),
        **{key: first[key] for key in ("rules", "limits", "openings", "seed")},
        "engine": plans[0].contestants[0],
        "variants": summaries,
    }


def _observe(plan: Plan, games: int, journal: Journal, pool: WorkerPool) -> None:
    missing = [number for number in range(games) if number not in journal.results]
    if not missing:
        return

    def items() -> Iterator[WorkItem[dict[str, Any]]]:
        for number in missing:
            yield WorkItem(number, observe_game, (plan, number))

    with ProgressBar(games, games - len(missing)) as bar:
        for number, result in pool.run(items()):
            journal.add(number, result)
            bar.advance()
