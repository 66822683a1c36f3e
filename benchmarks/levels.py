"""What each level scores against the one below, in every game, and the ratings that follow.

    python benchmarks/levels.py                          everything, on two processes
    python benchmarks/levels.py yinsh --levels 2 3 4     some of it
    python benchmarks/levels.py --write docs/levels.md   and publish it

Level 10 is given ``--seconds`` for a move; the others take what their level has. Matches are played in pairs, one
opening with sides swapped. A level should beat the one below with 60 to 85 %. Ratings begin with level 1 at 1000.
"""

import argparse
import datetime
import sys
from pathlib import Path
from typing import Any

from settings import settings

import triskele
from triskele.arena.journal import Journal
from triskele.arena.match import Match, Plan
from triskele.arena.worker_pool import WorkerPool
from triskele.core.contract.levels import TOP
from triskele.core.files import write_atomic
from triskele.core.game import game as game_by_name

FIRST_RATING = 1000
LOW, HIGH = 0.60, 0.85


def measure(game: str, level: int, arguments: argparse.Namespace, pool: WorkerPool) -> dict[str, Any]:
    """Return what a level scores against the one below."""
    above = f"triskele:level={level}" + (f",seconds={arguments.seconds:g}" if level == TOP else "")
    plan = Plan(game, settings(game, "levels", {}), (above, f"triskele:level={level - 1}"), seed=arguments.seed)
    match = Match(plan, arguments.games)
    with Journal(None, match.header()) as journal:
        return match.play(journal, pool).document()


def table(game: str, found: dict[int, dict[str, Any]]) -> list[str]:
    """Return the lines of a game's table."""
    lines = [f"## {game_by_name(game).title}", "", "| level | rating | against the one below | 95 % interval | games |"]
    lines += ["|---|---|---|---|---|", f"| 1 | {FIRST_RATING} | | | |"]
    rating = float(FIRST_RATING)
    for level, result in found.items():
        low, high = result["interval"]
        rating += 400.0 if result["elo"] is None else result["elo"]
        share = f"{result['score']:.0%} | {low:.0%} to {high:.0%} | {result['games']}"
        lines.append(f"| {level} | {rating:.0f} | {share} |")
    return [*lines, ""]


def main() -> int:
    """Measure, print, and write if asked."""
    names = [game.name for game in triskele.games()]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games_named", nargs="*", metavar="GAME", help=", ".join(names))
    parser.add_argument("--levels", type=int, nargs="+", default=range(2, TOP + 1))
    parser.add_argument("--games", type=int, default=60, help="in each match")
    parser.add_argument("--seconds", type=float, default=1.0, help="for a move of level 10")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables as Markdown")
    arguments = parser.parse_args()
    pages = []
    with WorkerPool(arguments.workers) as pool:
        for game in arguments.games_named or names:
            found = {}
            for level in arguments.levels:
                result = found[level] = measure(game, level, arguments, pool)
                low, high = result["interval"]
                verdict = "" if LOW <= result["score"] <= HIGH else "  <- outside 60 to 85 %"
                print(
                    f"{game} level {level} against {level - 1}: {result['score']:.1%} ({low:.1%} to {high:.1%}) "
                    f"of {result['games']} games{verdict}",
                    flush=True,
                )
            pages += table(game, found)
    if arguments.write:
        head = f"""# Levels and ratings

Measured on {datetime.datetime.now(datetime.UTC).date()}: each level against the one below, two players, in pairs of one
opening with sides swapped. Level 10 has {arguments.seconds:g} s for a move. The ratings are Elo, level 1 set to
{FIRST_RATING}; those of one game say nothing about another. The command:
`python benchmarks/levels.py --games {arguments.games} --seconds {arguments.seconds:g} --seed {arguments.seed}`
"""
        write_atomic(arguments.write, "\n".join([head, *pages]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
