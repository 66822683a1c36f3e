"""From results to ratings: one result after the other, in an order that does not depend on when it became known."""

from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Literal

from triskele.core.moves import Outcome
from triskele.rating import glicko2, plackett_luce
from triskele.rating.scale import PERIOD_MS, Rating

Pace = Literal["live", "days"]
Field = Literal["two", "several"]
"""Whether two play or more: each has a model and ratings of its own."""


@dataclass(frozen=True, slots=True, order=True)
class Pool:
    """The games that are rated together."""

    game: str
    pace: str
    field: str

    @classmethod
    def of(cls, game: str, pace: str, seats: int) -> "Pool":
        """Return the pool of a game with a number of seats."""
        return cls(game, pace, "two" if seats == 2 else "several")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a rated game: who played, and who came where; ``time`` in milliseconds since 1970."""

    table: str
    time: int
    players: tuple[str, ...]
    places: tuple[int, ...]

    @property
    def key(self) -> tuple[int, str]:
        """What orders results: the time of the end, then the table."""
        return self.time, self.table


NEWCOMER = Rating()


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a player in a pool: the rating after the last game, when that was, and how many there were."""

    rating: Rating = NEWCOMER
    games: int = 0
    time: int = 0

    def now(self, time: int) -> Rating:
        """Return the rating at a time: less certain the longer the last game was ago."""
        return self.rating.aged((time - self.time) / PERIOD_MS) if self.games else self.rating


def places(outcome: Outcome, quitters: Iterable[int] = ()) -> tuple[int, ...]:
    """Return the place of each seat from 0: winners first, the others by their scores, who quit last.

    Equal results share a place. Several quitters are last in common: nobody is rewarded for quitting later.
    """
    quit_ = set(quitters)
    keys = [
        (seat in quit_, seat not in outcome.winners, 0.0 if seat in quit_ else -score)
        for seat, score in enumerate(outcome.scores)
    ]
    return tuple(sum(other < key for other in keys) for key in keys)


def rate(result: Result, before: list[Standing]) -> list[Standing]:
    """Return the standings of the players of a result after it."""
    periods = [(result.time - each.time) / PERIOD_MS if each.games else 0.0 for each in before]
    if len(before) == 2:
        one, other = (standing.rating for standing in before)
        score = 0.5 + 0.5 * ((result.places[0] < result.places[1]) - (result.places[0] > result.places[1]))
        # What each knows of the other is as old as the other's last game.
        after = [
            glicko2.update(one, [(other.aged(periods[1]), score)], max(0.0, periods[0])),
            glicko2.update(other, [(one.aged(periods[0]), 1 - score)], max(0.0, periods[1])),
        ]
    else:
        aged = [standing.rating.aged(passed) for standing, passed in zip(before, periods, strict=True)]
        after = plackett_luce.update(aged, result.places)
    return [
        Standing(rating, standing.games + 1, max(standing.time, result.time))
        for rating, standing in zip(after, before, strict=True)
    ]


def fold(
    results: Iterable[Result], standings: MutableMapping[str, Standing]
) -> Iterator[tuple[Result, list[Standing]]]:
    """Apply results, in the order of their keys, to the standings of their players; yield each with those after it."""
    for result in results:
        after = rate(result, [standings.get(player, Standing()) for player in result.players])
        standings.update(zip(result.players, after, strict=True))
        yield result, after
