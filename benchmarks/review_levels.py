"""How accurate each level plays, by reviews of its games: a higher level should have a higher mean accuracy.

    python benchmarks/review_levels.py                       every game
    python benchmarks/review_levels.py yinsh --games 10      one of them, with more games

All seats of a game play at the same level; the games of all levels begin with the same openings, or have the same dice
as far as they make the same rolls. The interval is 95 % of the mean over players and games.
"""

import argparse
import math
import random
import statistics
import sys

from settings import settings

import triskele
from triskele.arena.contestants import Contestant
from triskele.arena.openings import opening, usual_plies
from triskele.arena.referee import Terms, play
from triskele.core.contract.levels import TOP
from triskele.core.game import Variant
from triskele.core.game import game as game_by_name
from triskele.core.position import Position
from triskele.reviewing.review import review


def accuracies(variant: Variant, level: int, number: int, arguments: argparse.Namespace) -> list[float]:
    """Play and review one game; return the accuracy of each player."""
    ceiling = f",seconds={arguments.seconds:g}" if level == TOP else ""
    contestant = Contestant.parse(f"triskele:level={level}{ceiling}")
    plies = usual_plies(variant)
    moves = opening(variant, plies, arguments.seed, number) if plies else ()
    dice = random.Random(f"{arguments.seed} {number}")
    played = play(
        variant, [contestant] * variant.seats, Terms(), opening=moves, dice=dice, seed=f"{arguments.seed} {number}"
    )  # fmt: skip
    position = Position(variant)
    for move in played.moves:
        position.push(move)
    found = review(triskele.Record.of(position), nodes=arguments.nodes)
    return [player.accuracy for player in found.players if player.accuracy is not None]


def mean_and_interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and half its 95 % interval."""
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return statistics.mean(values), 1.96 * spread / math.sqrt(len(values))


def main() -> int:
    """Measure and print a table for each game."""
    names = [game.name for game in triskele.games()]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games_named", nargs="*", metavar="GAME", help=", ".join(names))
    parser.add_argument("--levels", type=int, nargs="+", default=range(1, TOP + 1))
    parser.add_argument("--games", type=int, default=6, help="for each level")
    parser.add_argument("--nodes", type=int, help="of the review, by default those of the game's curve")
    parser.add_argument("--seconds", type=float, default=0.5, help="for a move of level 10")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for name in arguments.games_named or names:
        variant = game_by_name(name).variant(settings(name, "levels", {}))
        print(f"\n{variant.game.title}\n\n| level | accuracy | 95 % interval | players |\n|---|---|---|---|")
        for level in arguments.levels:
            values = [one for number in range(arguments.games) for one in accuracies(variant, level, number, arguments)]
            mean, half = mean_and_interval(values)
            print(f"| {level} | {mean:.1f} % | ±{half:.1f} | {len(values)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
