"""How strong and punctual the engine of Conquest Tryad is, against the script and from level to level.

    python benchmarks/conquest_engine.py                   everything, a quarter of an hour
    python benchmarks/conquest_engine.py script --seconds 0.2 --games 100
    python benchmarks/conquest_engine.py levels --games 80

The seat of the first side changes from game to game; each seat in turn begins with the same dice. A match ends as
soon as its 95 % interval lies to one side of what is to be reached. Figures, not assertions.
"""

import argparse
import math
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import triskele
from triskele.core.contract import CHANCE
from triskele.engines import Engine, Limits, engine

DUEL: Mapping[str, Any] = {"rounds": 60}
FOUR: Mapping[str, Any] = {"players": 4, "rounds": 40}
WANTED = {2: 0.75, 4: 0.45}


@dataclass
class Side:
    """An engine and what it may use for a move; what it has used."""

    player: Engine
    limits: Limits
    name: str
    moves: int = 0
    used: float = 0.0
    longest: float = 0.0

    def choose(self, pos: triskele.Position) -> triskele.Move:
        """Return its move, timed."""
        began = time.perf_counter()
        move = self.player.choose(pos, self.limits)
        used = time.perf_counter() - began
        if len(pos.legal_moves) > 1:
            self.moves += 1
            self.used += used
            self.longest = max(self.longest, used)
        return move


def side(name: str, **limits: Any) -> Side:
    """Return an engine that is ready, and its limits."""
    player = engine(name, "conquest")
    player.get_ready()
    return Side(player, Limits(**limits), " ".join([name, *(f"{k}={v}" for k, v in limits.items())]))


def interval(won: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    p, z = won / games, 1.96
    centre = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return centre - half, centre + half


def play(first: Side, others: Side, options: Mapping[str, Any], seat: int, seed: int) -> float:
    """Return the share of a game that ``first`` wins at a seat, all others playing like ``others``."""
    pos = triskele.new("conquest", **options)
    dice = random.Random(seed)
    while pos.outcome() is None:
        if pos.turn == CHANCE:
            pos.push(str(dice.randint(1, 4)))
        else:
            pos.push((first if pos.turn == seat else others).choose(pos))
    outcome = pos.outcome()
    assert outcome is not None
    return (seat in outcome.winners) / len(outcome.winners)


def match(first: Side, others: Side, options: Mapping[str, Any], games: int, low: float, high: float = 1.0) -> None:
    """Play until it is clear whether the share lies within ``low`` to ``high``, or to the last game; tell about it."""
    seats = triskele.new("conquest", **options).variant.seats
    won, played, began = 0.0, 0, time.perf_counter()
    while played < games:
        won += play(first, others, options, played % seats, 1000 + played // seats)
        played += 1
        least, most = interval(won, played)
        if played >= 10 and ((least >= low and most <= high) or most < low or least > high):
            break
    least, most = interval(won, played)
    aim = f"wanted {low:.0%}" + (f" to {high:.0%}" if high < 1 else " or more")
    print(
        f"{seats} seats  {first.name:28} against {others.name:20} {won:5.1f} of {played:3}"
        f"  {won / played:6.1%}  [{least:.1%}, {most:.1%}]  {aim};"
        f"  {first.used / max(1, first.moves):.3f} s a move, longest {first.longest:.3f};"
        f"  {time.perf_counter() - began:.0f} s",
        flush=True,
    )


def against_script(seconds: float, games: int) -> None:
    """Play duels, and games of one against three scripts."""
    for options, seats in ((DUEL, 2), (FOUR, 4)):
        match(side("triskele", seconds=seconds), side("script"), options, games, WANTED[seats])
    match(side("script"), side("random"), {"rounds": 20}, min(20, games), 0.8)


def levels(games: int, seconds: float) -> None:
    """Play each level against the one below."""
    for level in range(2, 11):
        first = side("triskele", level=level, **({"seconds": seconds} if level == 10 else {}))
        match(first, side("triskele", level=level - 1), DUEL, games, 0.6, 0.85)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("all", "script", "levels"), default="all")
    parser.add_argument("--seconds", type=float, default=0.05, help="what the best engine has for a move")
    parser.add_argument(
        "--games",
        type=int,
        default=40,
        help="most games of a match against the script, twice those of a match of levels",
    )
    chosen = parser.parse_args()
    if chosen.what in ("all", "script"):
        against_script(chosen.seconds, chosen.games)
    if chosen.what in ("all", "levels"):
        levels(max(10, chosen.games // 2), chosen.seconds)


if __name__ == "__main__":
    main()
