"""Tournaments: round robin or gauntlet, with standings by rating."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triskele.arena.journal import Journal
from triskele.arena.match import KINDS, Plan, last_failures, run_games
from triskele.arena.ratings import Rating, elo_ratings, openskill_ratings
from triskele.arena.statistics import score_interval
from triskele.arena.worker_pool import WorkerPool
from triskele.core.errors import OptionError
from triskele.core.words import text

FORMAT = "triskele-tournament/1"


def line_ups(players: int, seats: int, gauntlet: bool) -> list[tuple[int, ...]]:
    """Return the sets of players who meet; with fewer players than seats, every multiset that contains all of them.

    In a gauntlet the first player is in every set.
    """
    if players >= seats:
        found: Iterable[tuple[int, ...]] = itertools.combinations(range(players), seats)
    else:
        mixtures = itertools.combinations_with_replacement(range(players), seats)
        found = (mixture for mixture in mixtures if len(set(mixture)) == players)
    return [line_up for line_up in found if not gauntlet or 0 in line_up]


@dataclass(frozen=True)
class Row:
    """One contestant's row of the standings."""

    name: str
    rating: Rating
    games: int
    score: float
    interval: tuple[float, float]
    failures: Mapping[str, int]
    last_failures: Sequence[Mapping[str, Any]]


class Tournament:
    """A tournament of several contestants: :meth:`play` it, and ask for its :meth:`standings` at any time."""

    def __init__(self, plan: Plan, games: int, *, gauntlet: bool = False) -> None:
        """Plan at least ``games`` games (whole groups) for each set of contestants who meet."""
        if len(plan.contestants) < 2:
            raise OptionError(text("arena.needs-two-contestants"))
        self.plan = plan
        self.gauntlet = gauntlet
        self.seats = plan.variant.seats
        self.line_ups = line_ups(len(plan.contestants), self.seats, gauntlet)
        self.rounds = max(1, math.ceil(games / self.seats))

    @property
    def total(self) -> int:
        """The number of games."""
        return self.rounds * len(self.line_ups) * self.seats

    def header(self) -> dict[str, Any]:
        """Return the header of the journal."""
        return {"format": FORMAT, **self.plan.document(), "gauntlet": self.gauntlet}

    def seating(self, number: int) -> tuple[int, tuple[int, ...]]:
        """Return the group of a game and its contestants by seat: all line-ups in all rotations, round after round."""
        group, turn = divmod(number, self.seats)
        line_up = self.line_ups[group % len(self.line_ups)]
        return group, line_up[turn:] + line_up[:turn]

    def play(self, journal: Journal, pool: WorkerPool) -> list[Row]:
        """Play the missing games and return the standings."""
        run_games(self.plan, self.seating, self.total, journal, pool, lambda: "")
        return self.standings(journal)

    def standings(self, journal: Journal) -> list[Row]:
        """Return the standings so far, the best first."""
        results = [result for number, result in sorted(journal.results.items()) if number < self.total]
        players = len(self.plan.contestants)
        rate = elo_ratings if self.seats == 2 else openskill_ratings
        ratings = rate(players, results)
        rows = [self._row(number, ratings[number], results) for number in range(players)]
        return sorted(rows, key=lambda row: (-row.rating.value, row.name))

    def _row(self, number: int, rating: Rating, results: Sequence[Mapping[str, Any]]) -> Row:
        groups: dict[int, list[float]] = {}
        failures = dict.fromkeys(KINDS, 0)
        for result in results:
            for seat, other in enumerate(result["seated"]):
                if other == number:
                    groups.setdefault(result["group"], []).append(result["shares"][seat])
                    if "failure" in result and result["failure"]["seat"] == seat:
                        failures[result["failure"]["kind"]] += 1
        means = [math.fsum(shares) / len(shares) for shares in groups.values()]
        score, low, high = score_interval(means, self.seats)
        games = sum(map(len, groups.values()))
        name = self.plan.contestants[number]
        return Row(name, rating, games, score, (low, high), failures, last_failures(results, number))

    def document(self, journal: Journal) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            **self.header(),
            "seats": self.seats,
            "games": sum(number < self.total for number in journal.results),
            "scale": "elo" if self.seats == 2 else "openskill",
            "table": [
                {
                    "name": row.name,
                    "rating": round(row.rating.value, 2),
                    "rating_interval": [round(row.rating.low, 2), round(row.rating.high, 2)],
                    "games": row.games,
                    "score": round(row.score, 6),
                    "interval": [round(row.interval[0], 6), round(row.interval[1], 6)],
                    "failures": dict(row.failures),
                    "last_failures": [dict(failure) for failure in row.last_failures],
                }
                for row in self.standings(journal)
            ],
        }
