"""A match: contestant A against B over many games, until a test decides it or all are played.

Games come in groups. The games of a group share an opening; there is one for each seat that A can have: with two seats
a pair with the sides swapped, with more seats A at each of them in turn and B at all others.
"""

import contextlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from triskele.arena.contestants import Contestant
from triskele.arena.journal import Journal
from triskele.arena.openings import dice, opening, usual_plies
from triskele.arena.progress import ProgressBar
from triskele.arena.referee import Played, Terms, play
from triskele.arena.statistics import Sprt, elo_of, score_interval
from triskele.arena.worker_pool import WorkerPool, WorkItem
from triskele.core.errors import OptionError
from triskele.core.game import Variant, game
from triskele.core.options import Value
from triskele.core.words import text

FORMAT = "triskele-match/1"
KINDS = ("crash", "hang", "illegal")


@dataclass(frozen=True)
class Plan:
    """Everything that the games follow from: equal plans give equal openings, dice and seeds.

    ``openings`` is the number of random decisions that a game begins with, ``None`` for the game's default.
    """

    game: str
    options: Mapping[str, Value]
    contestants: tuple[str, ...]
    terms: Terms = field(default_factory=Terms)
    openings: int | None = None
    seed: int = 1

    @property
    def variant(self) -> Variant:
        """The game with the options."""
        return game(self.game).variant(self.options)

    def opening(self, group: int) -> tuple[str, ...]:
        """Return the moves that the games of a group begin with."""
        return opening(self.variant, self._plies, self.seed, group)

    @property
    def _plies(self) -> int:
        return usual_plies(self.variant) if self.openings is None else self.openings

    def document(self) -> dict[str, Any]:
        """Return the plan as plain data: the header of a journal."""
        return {
            "game": self.game,
            "options": dict(self.variant.options),
            "rules": self.variant.game.rules_module.VERSION,
            "contestants": list(self.contestants),
            "limits": {k: v for k, v in asdict(self.terms.limits).items() if v is not None},
            "patience": self.terms.patience,
            "plies_limit": self.terms.plies,
            "openings": self._plies,
            "seed": self.seed,
        }

    def check(self, *, here: bool = True) -> None:
        """Raise ``OptionError`` if it cannot be played; ``here`` is whether engines run on this machine."""
        if self.variant.seats < 2:
            raise OptionError(text("arena.needs-two-seats", game=self.variant.game.title))
        for written in self.contestants:
            contestant = Contestant.parse(written)
            if here or not contestant.command:
                contestant.check(self.variant.game)


def play_game(plan: Plan, group: int, seated: tuple[int, ...], isolated: bool = False) -> dict[str, Any]:
    """Play one game of a plan and return it as plain data; ``seated`` has a contestant's number for each seat.

    The function of a work item: it depends on its arguments alone, so it can run anywhere and again.
    """
    variant = plan.variant
    played = play(
        variant,
        [Contestant.parse(plan.contestants[number]) for number in seated],
        plan.terms,
        opening=plan.opening(group),
        dice=dice(plan.seed, group),
        seed=f"{plan.seed} {group} {seated}",
        isolated=isolated,
    )
    return as_document(played, group, seated)


def as_document(played: Played, group: int, seated: Sequence[int]) -> dict[str, Any]:
    """Return a game as its line in a journal."""
    document: dict[str, Any] = {
        "group": group,
        "seated": list(seated),
        "shares": [round(share, 6) for share in played.shares],
        "scores": list(played.scores),
        "winners": list(played.winners),
        "reason": played.reason,
        "plies": len(played.moves),
        "seconds": list(played.seconds),
        "late": list(played.late),
        "moves": " ".join(played.moves),
    }
    if played.failure is not None:
        document["failure"] = asdict(played.failure)
    return document


def run_games(
    plan: Plan,
    schedule: Callable[[int], tuple[int, tuple[int, ...]]],
    total: int,
    journal: Journal,
    pool: WorkerPool,
    follow: Callable[[], str],
    decided: Callable[[], bool] = lambda: False,
) -> None:
    """Play the games ``0 … total - 1`` that the journal does not have yet, until ``decided`` returns true.

    ``schedule`` maps a game's number to its group and its contestants by seat; ``follow`` returns the figures for the
    progress bar after each game.
    """
    missing = [number for number in range(total) if number not in journal.results]
    if not missing or decided():
        return

    def items() -> Iterator[WorkItem[dict[str, Any]]]:
        for number in missing:
            group, seated = schedule(number)
            yield WorkItem(number, play_game, (plan, group, seated))

    with ProgressBar(total, total - len(missing)) as bar, contextlib.closing(pool.run(items())) as results:
        for number, result in results:
            journal.add(number, result)
            bar.advance(1, follow())
            if decided():
                return


def last_failures(results: Iterable[Mapping[str, Any]], contestant: int) -> list[dict[str, Any]]:
    """Return a contestant's last failure of each kind, with its last words and the number of the game from 1."""
    found: dict[str, dict[str, Any]] = {}
    for result in results:
        failure = result.get("failure")
        if failure is not None and result["seated"][failure["seat"]] == contestant:
            # A journal of an older version has no last words.
            found[failure["kind"]] = {"game": result["number"] + 1, "last_words": "", **failure}
    return [found[kind] for kind in KINDS if kind in found]


# --- A against B ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tally:
    """The result of a match from A's side, over whole groups in their order."""

    plan: Plan
    groups: tuple[float, ...]
    results: tuple[Mapping[str, Any], ...]
    played: int
    sprt: Sprt | None

    def document(self) -> dict[str, Any]:
        """Return everything as plain data. Infinite differences are ``null``."""
        seats = self.plan.variant.seats
        score, low, high = score_interval(self.groups, seats)
        shares = [_share_of_a(result) for result in self.results]
        even = 1.0 / seats
        document: dict[str, Any] = {
            "format": FORMAT,
            **self.plan.document(),
            "seats": seats,
            "games": len(self.results),
            "groups": len(self.groups),
            "wins": sum(share > even + 1e-9 for share in shares),
            "draws": sum(abs(share - even) <= 1e-9 for share in shares),
            "losses": sum(share < even - 1e-9 for share in shares),
            "score": round(score, 6),
            "interval": [round(low, 6), round(high, 6)],
            "even": round(even, 6),
            "elo": _finite(elo_of(score, seats)),
            "elo_interval": [_finite(elo_of(low, seats)), _finite(elo_of(high, seats))],
            "score_by_seat": [_mean(_share_of_a(r) for r in self.results if r["seated"][s] == 0) for s in range(seats)],
            "reasons": dict(sorted(Counter(r["reason"] for r in self.results).items())),
            "mean_plies": _mean(r["plies"] for r in self.results),
            "mean_scores": [self._mean_score(0), self._mean_score(1)],
            "failures": {name: self._failures(number) for number, name in enumerate("AB")},
            "last_failures": {name: last_failures(self.results, number) for number, name in enumerate("AB")},
            "late": {name: int(self._sum("late", number)) for number, name in enumerate("AB")},
            "thought": {name: round(self._sum("seconds", number), 3) for number, name in enumerate("AB")},
            "sprt": None if self.sprt is None else self._test(self.sprt),
        }
        return document

    def _failures(self, contestant: int) -> dict[str, int]:
        found = Counter(
            result["failure"]["kind"]
            for result in self.results
            if "failure" in result and result["seated"][result["failure"]["seat"]] == contestant
        )
        return {kind: found[kind] for kind in KINDS}

    def _sum(self, column: str, contestant: int) -> float:
        return math.fsum(
            value
            for result in self.results
            for value, number in zip(result[column], result["seated"], strict=True)
            if number == contestant
        )

    def _mean_score(self, contestant: int) -> float | None:
        """Return a contestant's mean score by the game's own scoring; games with an engine failure are left out."""
        whole = [result for result in self.results if "failure" not in result]
        pairs = (pair for result in whole for pair in zip(result["scores"], result["seated"], strict=True))
        return _mean(score for score, number in pairs if number == contestant)

    def _test(self, sprt: Sprt) -> dict[str, Any]:
        low, high = sprt.bounds
        return {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "llr": round(sprt.llr(self.groups), 4) if self.groups else 0.0,
            "bounds": [round(low, 4), round(high, 4)],
            "accepted": None if (verdict := sprt.verdict(self.groups)) is None else f"elo{verdict}",
        }


class Match:
    """A match of A against B: :meth:`play` it, and ask for its :meth:`tally` at any time."""

    def __init__(self, plan: Plan, games: int, *, sprt: tuple[float, float] | None = None) -> None:
        """Plan at least ``games`` games (whole groups). ``sprt`` (two Elo values) ends it when the test decides."""
        self.plan = plan
        self.seats = plan.variant.seats
        self.groups = max(1, math.ceil(games / self.seats))
        self.sprt = None if sprt is None else Sprt(*sprt, seats=self.seats)
        self._counted = 0
        self._values: list[float] = []
        self._verdict: int | None = None

    def header(self) -> dict[str, Any]:
        """Return the header of the journal. The number of games is not in it: it may grow later."""
        return {"format": FORMAT, **self.plan.document()}

    def play(self, journal: Journal, pool: WorkerPool) -> Tally:
        """Play the missing games and return the result."""

        def schedule(number: int) -> tuple[int, tuple[int, ...]]:
            group, seat = divmod(number, self.seats)
            return group, tuple(0 if at == seat else 1 for at in range(self.seats))

        def follow() -> str:
            self._count(journal)
            score, low, high = score_interval(self._values, self.seats)
            return f"{100 * score:.1f} % ({100 * low:.1f} … {100 * high:.1f})" if self._values else ""

        def decided() -> bool:
            self._count(journal)
            return self._verdict is not None

        run_games(self.plan, schedule, self.groups * self.seats, journal, pool, follow, decided)
        return self.tally(journal)

    def _count(self, journal: Journal) -> None:
        """Count complete groups in their order, so that the decision does not depend on which game ended first."""
        while self._verdict is None and self._counted < self.groups:
            first = self._counted * self.seats
            numbers = range(first, first + self.seats)
            if not all(number in journal.results for number in numbers):
                return
            shares = [_share_of_a(journal.results[number]) for number in numbers]
            self._values.append(math.fsum(shares) / self.seats)
            self._counted += 1
            if self.sprt is not None:
                self._verdict = self.sprt.verdict(self._values)

    def tally(self, journal: Journal) -> Tally:
        """Return the result so far: whole groups from the first on, up to the decision of the test."""
        self._count(journal)
        numbers = range(self._counted * self.seats)
        results = tuple(journal.results[number] for number in numbers)
        return Tally(self.plan, tuple(self._values), results, len(journal.results), self.sprt)

    def document(self, journal: Journal) -> dict[str, Any]:
        """Return the result so far as plain data."""
        return self.tally(journal).document()


def _share_of_a(result: Mapping[str, Any]) -> float:
    return float(result["shares"][result["seated"].index(0)])


def _mean(values: Iterator[float]) -> float | None:
    found = list(values)
    return round(math.fsum(found) / len(found), 4) if found else None


def _finite(elo: float) -> float | None:
    return round(elo, 1) if math.isfinite(elo) else None
