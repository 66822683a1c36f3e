"""What the lobby tells: people, seeks and games to watch, as everybody may see them."""

from typing import Any

from msgspec import Struct


class PersonShown(Struct, frozen=True):
    """A person with an account who is in the lobby."""

    name: str
    bot: bool


class PlayerShown(Struct, frozen=True):
    """A player of a seek or a game; `rating` in its pool, give or take `deviation`, if there is one."""

    name: str
    account: bool
    bot: bool
    rating: int | None = None
    deviation: int | None = None


class SeekShown(Struct, frozen=True):
    """A seek: the game, and who has come so far; the first has made it. `agreed` of them would begin now.

    `low` and `high` are the ratings that may come; `engines` is the level of the computers that fill up the rest.
    """

    seek: str
    game: str
    options: dict[str, Any]
    seats: int
    clock: str
    rated: bool
    low: int | None
    high: int | None
    engines: int | None
    players: tuple[PlayerShown, ...]
    agreed: int


class GameShown(Struct, frozen=True):
    """A game that can be watched."""

    table: str
    game: str
    options: dict[str, Any]
    clock: str
    rated: bool
    players: tuple[PlayerShown, ...]


class LobbyDifference(Struct):
    """What has changed in the lobby: new or changed members of its lists, and the keys of those that are gone."""

    here: int
    guests: int
    people: list[PersonShown]
    people_gone: list[str]
    seeks: list[SeekShown]
    seeks_gone: list[str]
    games: list[GameShown]
    games_gone: list[str]

    def __bool__(self) -> bool:
        """Return whether any list has changed."""
        return any((self.people, self.people_gone, self.seeks, self.seeks_gone, self.games, self.games_gone))
