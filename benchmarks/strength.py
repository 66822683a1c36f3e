"""How strong the engines are: each game's best against the control that it must beat.

    python benchmarks/strength.py                            everything, in less than an hour on two idle cores
    python benchmarks/strength.py yinsh conquest             some games
    python benchmarks/strength.py --write docs/strength.md   and publish it

Matches are played in groups, one opening with the seats turned, and end as soon as a sequential test decides between
the score that is wanted and one that is clearly too low (5 % of error either way). The 95 % interval is of what was
played. Figures, not assertions: they depend on what else the machine does.
"""

import argparse
import datetime
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from settings import settings

from triskele.arena.journal import Journal
from triskele.arena.match import Match, Plan
from triskele.arena.statistics import elo_of
from triskele.arena.worker_pool import WorkerPool
from triskele.core.files import write_atomic
from triskele.core.game import game as game_by_name
from triskele.core.game import games


@dataclass(frozen=True)
class Duel:
    """The best engine of a game against its control: what it should score, and what would be clearly too little."""

    game: str
    label: str
    ours: str
    control: str
    wanted: float
    too_low: float
    options: Mapping[str, Any] = field(default_factory=dict)
    games: int = 200

    def play(self, pool: WorkerPool, seed: int) -> dict[str, Any]:
        """Play the match until it is decided."""
        plan = Plan(self.game, self.options, (self.ours, self.control), seed=seed)
        seats = plan.variant.seats
        match = Match(plan, self.games, sprt=(elo_of(self.too_low, seats), elo_of(self.wanted, seats)))
        with Journal(None, match.header()) as journal:
            return match.play(journal, pool).document()


DUELS = tuple(Duel(game.name, **found) for game in games() for found in settings(game.name, "strength", []))


def report(duel: Duel, result: Mapping[str, Any], seconds: float) -> str:
    """Return a row of the table."""
    low, high = result["interval"]
    verdict = {"elo1": "reached", "elo0": "NOT reached", None: "open"}[result["sprt"]["accepted"]]
    title = game_by_name(duel.game).title
    cells = (
        *(title, duel.label, f"`{duel.ours}`", f"`{duel.control}`", f"{result['score']:.1%}"),
        *(f"{low:.1%} to {high:.1%}", result["games"], f"{duel.wanted:.0%}", verdict, f"{seconds:.0f} s"),
    )
    return f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    """Measure, print, and write if asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="*", help=", ".join(sorted({duel.game for duel in DUELS})))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table as Markdown")
    arguments = parser.parse_args()
    rows = [
        "| game | match | engine | control | score | 95 % interval | games | wanted | test | took |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(rows), flush=True)
    with WorkerPool(arguments.workers) as pool:
        for duel in DUELS:
            if not arguments.game or duel.game in arguments.game:
                began = time.monotonic()
                rows.append(report(duel, duel.play(pool, arguments.seed), time.monotonic() - began))
                print(rows[-1], flush=True)
    if arguments.write:
        head = f"""# How strong the engines are

Measured on {datetime.datetime.now(datetime.UTC).date()} with `python benchmarks/strength.py --seed {arguments.seed}` on
{arguments.workers} processes, one thread each. A match ends when a sequential test (5 % of error either way) decides
between the score that is wanted and one that is clearly too low. With more than two players the engine sits at each
seat in turn and the control at all others; an even score would be one over their number.
"""
        write_atomic(arguments.write, "\n".join([head, *rows, ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
