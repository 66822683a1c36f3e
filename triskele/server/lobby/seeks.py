"""Seeks: open invitations to a game. Each belongs to the process at which its owner is connected."""

from typing import Any

from msgspec import Struct, field

from triskele.core.game import Variant, game
from triskele.core.time_control import TimeControl, time_control
from triskele.rating.results import Pool
from triskele.rating.scale import MEAN
from triskele.server.lobby.documents import PlayerShown, SeekShown
from triskele.server.ratings.eligibility import PLAYERS
from triskele.server.refusal import Refusal

_GAP = 100.0
"""How far apart the ratings of a pair may be at first."""
_GAP_A_SECOND = 20.0
"""How fast that grows while they wait: after a minute it is thirteen times as much."""


class Player(Struct, frozen=True):
    """Who takes part in a seek."""

    visitor: str
    name: str
    account: bool
    bot: bool
    rating: int | None = None
    deviation: int | None = None

    def shown(self) -> PlayerShown:
        """Return what others may know."""
        return PlayerShown(self.name, self.account, self.bot, self.rating, self.deviation)


class Wanted(Struct, frozen=True):
    """The game that a seek asks for.

    ``low`` and ``high`` bound the ratings that may come, ``engines`` is the level of those that may fill up the rest,
    ``to`` the visitor who is challenged, ``quick`` that any opponent of about the same rating will do.
    """

    game: str
    options: dict[str, Any]
    seats: int
    clock: str
    rated: bool
    low: int | None = None
    high: int | None = None
    engines: int | None = None
    to: str | None = None
    quick: bool = False

    @property
    def control(self) -> TimeControl:
        """The time control."""
        return time_control(None if self.clock == "none" else self.clock)

    @property
    def pool(self) -> Pool:
        """The pool whose ratings are shown, and changed if the game is rated; without a clock that of live games."""
        return Pool.of(self.game, self.control.pace.replace("none", "live"), self.seats)

    def variant(self, seats: int) -> Variant:
        """Return the game for a number of seats; ``OptionError`` or ``Refusal`` if it cannot be played so."""
        declared = game(self.game)
        options = self.options if declared.seats else {**self.options, PLAYERS: seats}
        variant = declared.variant(options)
        if variant.seats != seats:
            raise Refusal("form")
        return variant


class Seek(Struct):
    """A seek and those who have come; ``since`` in milliseconds since 1970."""

    id: str
    process: str
    wanted: Wanted
    since: int
    players: list[Player]
    agreed: list[str] = field(default_factory=list)
    """The visitors who would begin now."""

    @property
    def owner(self) -> Player:
        """Who made it."""
        return self.players[0]

    @property
    def public(self) -> bool:
        """Whether everybody sees it."""
        return self.wanted.to is None and not self.wanted.quick

    def has(self, visitor: str) -> bool:
        """Whether a visitor takes part."""
        return any(player.visitor == visitor for player in self.players)

    def shown(self) -> SeekShown:
        """Return it as everybody may see it."""
        wanted = self.wanted
        return SeekShown(
            self.id,
            wanted.game,
            wanted.options,
            wanted.seats,
            wanted.clock,
            wanted.rated,
            wanted.low,
            wanted.high,
            wanted.engines,
            tuple(player.shown() for player in self.players),
            len(self.agreed),
        )

    def check(self, player: Player) -> None:
        """Refuse a player who may not come."""
        wanted = self.wanted
        if self.has(player.visitor) or wanted.to not in (None, player.visitor):
            raise Refusal("unknown-seek")
        if len(self.players) >= wanted.seats:
            raise Refusal("taken")
        if wanted.rated and not player.account:
            raise Refusal("rated-account")
        low, high = wanted.low or 0, wanted.high or 10_000
        if (wanted.low, wanted.high) != (None, None) and not (
            player.rating is not None and low <= player.rating <= high
        ):
            raise Refusal("rating-range")


def fits(mine: Seek, other: Seek, now: int) -> bool:
    """Whether a quick seek and another one make a pair now: the same game, and ratings near enough for both."""
    one, two = mine.wanted, other.wanted
    same = (one.game, one.options, one.seats, one.clock, one.rated) == (
        two.game,
        two.options,
        two.seats,
        two.clock,
        two.rated,
    )
    if not same or two.to is not None or other.has(mine.owner.visitor) or mine.has(other.owner.visitor):
        return False
    # The younger takes the older: so two processes never take each other's at the same moment.
    if two.quick and (other.since, other.id) >= (mine.since, mine.id):
        return False
    apart = abs(_strength(mine.owner) - _strength(other.owner))
    if apart > _gap(mine, now) or (two.quick and apart > _gap(other, now)):
        return False
    try:
        other.check(mine.owner)
    except Refusal:
        return False
    return True


def _strength(player: Player) -> float:
    return MEAN if player.rating is None else player.rating


def _gap(seek: Seek, now: int) -> float:
    return _GAP + _GAP_A_SECOND * max(0, now - seek.since) / 1000
