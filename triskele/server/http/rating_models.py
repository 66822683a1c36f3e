"""Models of answers about ratings, for the OpenAPI document."""

from typing import Literal

from pydantic import BaseModel

Pace = Literal["live", "days"]
Field = Literal["two", "several"]


class RatingShown(BaseModel):
    """A rating now: in points, give or take ``deviation``; 95 of 100 such intervals hold the strength.

    ``listed`` says that it is certain enough for a leaderboard.
    """

    rating: int
    deviation: int
    low: int
    high: int
    games: int
    listed: bool


class PlayerRanked(RatingShown):
    """A player of a leaderboard."""

    place: int
    name: str
    bot: bool


class LandmarkShown(BaseModel):
    """A level of the computer on the scale of a leaderboard, as it was measured."""

    level: int
    rating: int


class Leaderboard(BaseModel):
    """The best players of a game at a pace, with two seats or with several."""

    game: str
    pace: Pace
    field: Field
    players: list[PlayerRanked]
    landmarks: list[LandmarkShown]


class RatingHistory(RatingShown):
    """A rating of a person in one pool; each point of the history has a time, a rating and a deviation."""

    game: str
    pace: Pace
    field: Field
    history: list[tuple[int, int, int]]


class PersonRatings(BaseModel):
    """All ratings of a person."""

    name: str
    bot: bool
    ratings: list[RatingHistory]


class RatingChange(BaseModel):
    """The rating of a seat's player before and after a game, in points; ``deviation`` is that after it."""

    seat: int
    before: int
    after: int
    deviation: int


class RatingChanges(BaseModel):
    """What a game did to ratings; ``pending`` if they are computed in a moment, ``void`` if it counts for nobody."""

    state: Literal["unrated", "pending", "rated", "void"]
    players: list[RatingChange]
