"""Games that engines play among themselves, counted for the opening explorer."""

import random
from collections.abc import Iterator
from typing import Any

from triskele.arena.contestants import Contestant
from triskele.arena.progress import ProgressBar
from triskele.arena.referee import Step, Terms, play
from triskele.arena.worker_pool import WorkerPool, WorkItem
from triskele.core.explorer import PLIES, MoveCounts
from triskele.core.game import game
from triskele.core.options import Value

LEAST = 2
"""Positions of fewer games are left out of a file."""
AT_A_TIME = 5
"""Games of one work item."""


class _Written:
    """Writes down the moves of a game."""

    def __init__(self, made: list[str]) -> None:
        self.made = made

    def __call__(self, step: Step) -> None:
        self.made.append(step.move.text)


def play_games(
    name: str, options: dict[str, Value], level: int, seed: int, first: int, number: int, isolated: bool
) -> list[tuple[list[str], list[float]]]:
    """Play some games and return of each the first moves and the seats' shares. The function of a work item.

    All seats play at one level, which is weak enough to vary: of each game the engines' seeds and the dice are its own.
    """
    variant = game(name).variant(options)
    seated = [Contestant.parse(f"triskele:level={level}")] * variant.seats
    found = []
    for index in range(first, first + number):
        made: list[str] = []
        dice = random.Random(f"{seed} explorer {index}")
        played = play(
            variant,
            seated,
            Terms(),
            dice=dice,
            seed=(seed, index),
            isolated=isolated,
            watch=_Written(made),
        )
        found.append((made[:PLIES], list(played.shares)))
    return found


def make_counts(
    name: str, options: dict[str, Value], games: int, level: int, seed: int, pool: WorkerPool
) -> MoveCounts:
    """Play games on the workers and count them; the same seed gives the same counts, however many workers there are."""
    counts = MoveCounts(game(name).variant(options))

    def items() -> Iterator[WorkItem[Any]]:
        for first in range(0, games, AT_A_TIME):
            arguments = (name, options, level, seed, first, min(AT_A_TIME, games - first))
            yield WorkItem(first, play_games, arguments)

    with ProgressBar(games) as bar:
        for _, results in pool.run(items()):
            for moves, shares in results:
                counts.add(moves, shares)
                bar.advance()
    return counts.pruned(LEAST)
