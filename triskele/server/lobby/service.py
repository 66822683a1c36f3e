"""The lobby service: who is here, which games are sought, and how a seek becomes a table.

A seek lives in memory, at the process that its owner is connected to; only that process decides who takes part. Other
processes hear of it over the bus and ask over the bus. When its owner is gone, so is the seek.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from triskele.core.errors import OptionError
from triskele.server.accounts.directory import AccountDirectory
from triskele.server.lobby.documents import GameShown, LobbyDifference, PersonShown, SeekShown
from triskele.server.lobby.seeks import Player, Seek, Wanted, fits
from triskele.server.lobby.shared_lists import SharedList
from triskele.server.rate_limits import RateLimiter, RefusalLog
from triskele.server.ratings.eligibility import check_rules
from triskele.server.ratings.service import RatingService
from triskele.server.refusal import Refusal, log_failure
from triskele.server.settings import Limits
from triskele.server.tables.opening import SeatPlan, TableOpener, TablePlan, engine_name
from triskele.server.tables.seating import Averse
from triskele.server.tables.service import now
from triskele.server.tables.table import ENGINE, LINK

MOST_SEATS = 6
_HERE = ""
"""The name of this process among those that share a list."""


class LobbyAudience(Protocol):
    """The connections that follow the lobby at this process."""

    def tell_seek(self, visitor: str, seek: SeekShown, state: str) -> None:
        """Tell a visitor about a seek that concerns them alone: ``waits``, ``challenged`` or ``gone``."""

    def tell_begun(self, visitor: str, seek: str, table: str) -> None:
        """Tell a visitor that a seek has become a table."""


class Elsewhere(Protocol):
    """The other processes of the server."""

    async def ask(self, process: str, deed: str, seek: str, player: Player) -> None:
        """Have the process of a seek do something with it; ``Refusal`` if it does not."""

    def tell_begun(self, visitors: Iterable[str], seek: str, table: str) -> None:
        """Tell visitors at other processes that a seek has become a table."""


@dataclass(slots=True)
class Member:
    """A visitor who follows the lobby at this process, over one or several connections."""

    visitor: str
    name: str
    account: bool
    bot: bool
    connections: int = 0
    leaving: asyncio.TimerHandle | None = field(default=None, compare=False)


class Lobby:
    """The lobby of one process."""

    def __init__(
        self,
        accounts: AccountDirectory,
        ratings: RatingService,
        opener: TableOpener,
        limits: Limits,
        count_table: Callable[[str], bool],
        averse: Averse,
        group_of: Callable[[str], str],
    ) -> None:
        """Open tables with ``opener``; ``count_table`` says whether a visitor may open one more.

        ``averse`` says whether a visitor and one of some others do not play together, ``group_of`` what all visitors
        of an address have in common.
        """
        self._accounts = accounts
        self._ratings = ratings
        self._opener = opener
        self._limits = limits
        self._count_table = count_table
        self._averse = averse
        self._group_of = group_of
        self._refusals = RefusalLog()
        self._members: dict[str, Member] = {}
        self._own: dict[str, Seek] = {}
        self._taken_elsewhere: dict[str, set[str]] = {}
        """The seeks of other processes that visitors of this one take part in, by visitor."""
        self.remote: dict[str, Seek] = {}
        self.people: SharedList[PersonShown] = SharedList(limits.lobby_people_shown)
        self.seeks: SharedList[SeekShown] = SharedList(limits.lobby_seeks_shown)
        self.games: SharedList[GameShown] = SharedList(limits.lobby_games_shown)
        self.guests: dict[str, int] = {}
        """The number of guests at each process."""
        self.limiter = RateLimiter(limits.seeks_per_hour / 3600, limits.seeks_per_hour)
        self.audience: LobbyAudience | None = None
        self.elsewhere: Elsewhere | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # --- who is here ----------------------------------------------------------------------------

    async def enter(self, visitor: str, name: str) -> Member:
        """Count a connection that follows the lobby; guests have the name that they say."""
        account = (await self._accounts.of_visitors([visitor])).get(visitor)
        member = self._members.get(visitor)
        if member is None:
            member = self._members[visitor] = Member(visitor, "", False, False)
        member.name = name if account is None else account.name
        member.account, member.bot = account is not None, account is not None and account.bot
        member.connections += 1
        if member.leaving is not None:
            member.leaving.cancel()
            member.leaving = None
        if account is not None:
            self.people.set(_HERE, account.name, PersonShown(account.name, account.bot))
        self._count_guests()
        return member

    def leave(self, member: Member) -> None:
        """Count a connection less; seeks of a visitor who does not come back at once are withdrawn."""
        member.connections -= 1
        if member.connections <= 0 and member.leaving is None:
            loop = asyncio.get_running_loop()
            member.leaving = loop.call_later(self._limits.lobby_grace_seconds, self._gone, member)

    def _gone(self, member: Member) -> None:
        if member.connections > 0:
            return
        self._members.pop(member.visitor, None)
        if member.account:
            self.people.set(_HERE, member.name, None)
        self._count_guests()
        self.withdraw_all(member.visitor)

    def dismiss(self, visitors: Collection[str]) -> None:
        """Take visitors out of the lobby at once, with their seeks: their accounts are deleted."""
        for member in [self._members[each] for each in visitors if each in self._members]:
            member.connections = 0
            self._gone(member)
            member.account = False  # the name may be somebody else's when its connections end

    def _count_guests(self) -> None:
        self.guests[_HERE] = sum(not member.account for member in self._members.values())

    def member(self, visitor: str) -> Member:
        """Return a visitor who is here; ``Refusal`` if they are not."""
        found = self._members.get(visitor)
        if found is None:
            raise Refusal("not-in-lobby")
        return found

    def is_here(self, visitor: str) -> bool:
        """Whether a visitor follows the lobby at this process."""
        return visitor in self._members

    def own_seeks(self) -> list[Seek]:
        """Return the seeks of this process."""
        return list(self._own.values())

    def challenges(self, visitor: str) -> list[Seek]:
        """Return the seeks that concern a visitor alone: challenges to and by them."""
        both = (*self._own.values(), *self.remote.values())
        return [s for s in both if s.wanted.to is not None and (s.wanted.to == visitor or s.has(visitor))]

    async def player(self, member: Member, wanted: Wanted) -> Player:
        """Return a member as a player of a game, with the rating in its pool."""
        standing = None
        if member.account:
            standing = (await self._ratings.standings(wanted.pool, [member.visitor])).get(member.visitor)
        if standing is None:
            return Player(member.visitor, member.name, member.account, member.bot)
        rating = standing.now(now())
        numbers = round(rating.value), round(rating.deviation)
        return Player(member.visitor, member.name, member.account, member.bot, *numbers)

    # --- seeks ----------------------------------------------------------------------------------

    def _check_number(self, visitor: str) -> None:
        """Refuse one more open seek if a visitor, those of an address, or all have too many."""
        group = self._group_of(visitor)
        mine = sum(seek.owner.visitor == visitor for seek in self._own.values())
        ours = sum(self._group_of(seek.owner.visitor) == group for seek in self._own.values())
        many = mine >= self._limits.seeks_per_visitor or ours >= self._limits.seeks_per_address
        if many or len(self._own) >= self._limits.lobby_seeks:
            self._refusals.note("open seeks")
            raise Refusal("too-many-seeks")

    async def seek(self, visitor: str, wanted: Wanted, to: str | None = None) -> Seek:
        """Make a seek of a visitor, to everybody or to the person named ``to``; ``Refusal`` if it cannot be."""
        member = self.member(visitor)
        if to is not None:
            challenged = await self._accounts.named(to)
            if challenged is None or challenged.visitor == visitor:
                raise Refusal("no-person")
            if self._averse(visitor, [challenged.visitor]):
                raise Refusal("no-person")
            wanted = _with_challenged(wanted, challenged.visitor)
        self._check(member, wanted)
        if not self.limiter.take(visitor):
            self._refusals.note("seeks of a visitor in an hour")
            raise Refusal("limit")
        player = await self.player(member, wanted)
        self._check_number(visitor)
        if not self.is_here(visitor):
            raise Refusal("not-in-lobby")
        made = Seek(secrets.token_hex(6), _HERE, wanted, now(), [player])
        self._own[made.id] = made
        self._changed(made)
        if wanted.to is not None:
            self._tell(wanted.to, made, "challenged")
        return made

    def _check(self, member: Member, wanted: Wanted) -> None:
        """Refuse a seek that no game can come of."""
        if not 2 <= wanted.seats <= MOST_SEATS:
            raise Refusal("form")
        try:
            variant, control = wanted.variant(wanted.seats), wanted.control
        except OptionError as error:
            raise Refusal("option", error.text) from None
        if wanted.quick and (wanted.seats != 2 or wanted.engines is not None):
            raise Refusal("form")
        if wanted.low is not None and wanted.high is not None and wanted.low > wanted.high:
            raise Refusal("form")
        if wanted.rated:
            check_rules(variant, control.pace)
            if wanted.engines is not None:
                raise Refusal("rated-seats")
            if not member.account:
                raise Refusal("rated-account")

    def find(self, seek_id: str) -> Seek:
        """Return a seek of any process; ``Refusal`` if it is gone."""
        found = self._own.get(seek_id) or self.remote.get(seek_id)
        if found is None:
            raise Refusal("unknown-seek")
        return found

    async def accept(self, visitor: str, seek_id: str) -> None:
        """Take part in a seek; when all seats are taken the game begins."""
        seek = self.find(seek_id)
        player = await self.player(self.member(visitor), seek.wanted)
        await self._do("accept", seek_id, player)
        if seek_id in self.remote:
            self._taken_elsewhere.setdefault(visitor, set()).add(seek_id)

    async def agree(self, visitor: str, seek_id: str) -> None:
        """Agree to begin with those who are there; when all do, and two at least, the game begins."""
        await self._do("agree", seek_id, await self._participant(visitor, seek_id))

    async def withdraw(self, visitor: str, seek_id: str) -> None:
        """Withdraw a seek, leave that of another, or decline a challenge."""
        await self._do("withdraw", seek_id, await self._participant(visitor, seek_id))
        self._taken_elsewhere.get(visitor, set()).discard(seek_id)

    async def _participant(self, visitor: str, seek_id: str) -> Player:
        seek = self.find(seek_id)
        if not seek.has(visitor) and seek.wanted.to != visitor:
            raise Refusal("unknown-seek")
        return Player(visitor, "", False, False)

    async def _do(self, deed: str, seek_id: str, player: Player) -> None:
        seek = self.find(seek_id)
        if seek.id in self._own:
            self.decide(deed, seek_id, player)
        elif self.elsewhere is not None:
            await self.elsewhere.ask(seek.process, deed, seek_id, player)
        else:
            raise Refusal("unknown-seek")

    def decide(self, deed: str, seek_id: str, player: Player) -> None:
        """Do what a player of any process wants with a seek of this one; ``Refusal`` if it cannot be. Never waits."""
        seek = self._own.get(seek_id)
        if seek is None:
            raise Refusal("unknown-seek")
        if deed == "accept":
            seek.check(player)
            if self._averse(player.visitor, [each.visitor for each in seek.players]):
                raise Refusal("unknown-seek")
            seek.players.append(player)
            seek.agreed.clear()
            self._begin_or_tell(seek)
        elif deed == "agree":
            if not seek.has(player.visitor) or len(seek.players) < 2:
                raise Refusal("too-few")
            if player.visitor not in seek.agreed:
                seek.agreed.append(player.visitor)
            self._begin_or_tell(seek)
        elif player.visitor in (seek.owner.visitor, seek.wanted.to):
            self._remove(seek)
        else:
            seek.players = [each for each in seek.players if each.visitor != player.visitor]
            seek.agreed.clear()
            self._changed(seek)

    def withdraw_all(self, visitor: str) -> None:
        """Withdraw the seeks of a visitor, and leave those of others."""
        for seek in self.own_seeks():
            if seek.has(visitor):
                self.decide("withdraw", seek.id, Player(visitor, "", False, False))
        for seek_id in self._taken_elsewhere.pop(visitor, set()):
            if seek_id in self.remote:
                self._start(self._do("withdraw", seek_id, Player(visitor, "", False, False)))

    def _changed(self, seek: Seek) -> None:
        if seek.public:
            self.seeks.set(_HERE, seek.id, seek.shown())

    def _remove(self, seek: Seek) -> None:
        self._own.pop(seek.id, None)
        self.seeks.set(_HERE, seek.id, None)
        if seek.wanted.to is not None:
            for visitor in (seek.wanted.to, seek.owner.visitor):
                self._tell(visitor, seek, "gone")

    def _tell(self, visitor: str, seek: Seek, state: str) -> None:
        if self.audience is not None:
            self.audience.tell_seek(visitor, seek.shown(), state)

    # --- pairing and beginning ----------------------------------------------------------------------

    async def pair(self) -> None:
        """Look for opponents of those who want any."""
        time = now()
        for mine in self.own_seeks():
            if not mine.wanted.quick or mine.id not in self._own:
                continue
            both = sorted((*self._own.values(), *self.remote.values()), key=lambda seek: (seek.since, seek.id))
            other = next((seek for seek in both if fits(mine, seek, time) and not self._blocked(mine, seek)), None)
            if other is not None:
                await self._take(mine, other)

    def _blocked(self, mine: Seek, other: Seek) -> bool:
        return self._averse(mine.owner.visitor, [player.visitor for player in other.players])

    async def _take(self, mine: Seek, other: Seek) -> None:
        """Take a seek with the owner of a quick one, which nobody else can take meanwhile."""
        del self._own[mine.id]
        try:
            await self._do("accept", other.id, mine.owner)
        except Refusal:  # somebody was faster
            if self.is_here(mine.owner.visitor):
                self._own[mine.id] = mine

    def _begin_or_tell(self, seek: Seek) -> None:
        full = len(seek.players) >= seek.wanted.seats
        if full or len(seek.agreed) == len(seek.players):
            self._remove_quietly(seek)
            self._start(self._begin(seek))
        else:
            self._changed(seek)

    def _remove_quietly(self, seek: Seek) -> None:
        self._own.pop(seek.id, None)
        self.seeks.set(_HERE, seek.id, None)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Refusal:
            pass  # it was gone already
        except Exception as error:
            log_failure(error, "the lobby")

    async def _begin(self, seek: Seek) -> None:
        """Open the table of a seek, and tell its players wherever they are; their other seeks are withdrawn."""
        visitors = [player.visitor for player in seek.players]
        try:
            if not self._count_table(seek.owner.visitor):
                raise Refusal("limit")
            table = await self._opener.open(_plan(seek))
        except (Refusal, OptionError):
            for visitor in visitors:
                self._tell(visitor, seek, "gone")
            return
        for visitor in visitors:
            self.begun(visitor, seek.id, table.id)
        if self.elsewhere is not None:
            self.elsewhere.tell_begun(visitors, seek.id, table.id)

    def begun(self, visitor: str, seek_id: str, table: str) -> None:
        """Tell a visitor that a game has begun, and withdraw their other seeks."""
        self.withdraw_all(visitor)
        if self.audience is not None:
            self.audience.tell_begun(visitor, seek_id, table)

    # --- what is told -------------------------------------------------------------------------------

    def difference(self) -> LobbyDifference:
        """Return what has changed since the last call."""
        guests = sum(self.guests.values())
        people, seeks, games = self.people.difference(), self.seeks.difference(), self.games.difference()
        return LobbyDifference(len(self.people) + guests, guests, *people, *seeks, *games)


def _with_challenged(wanted: Wanted, visitor: str) -> Wanted:
    if wanted.quick:
        raise Refusal("form")
    return Wanted(wanted.game, wanted.options, 2, wanted.clock, wanted.rated, to=visitor)


def _plan(seek: Seek) -> TablePlan:
    """Return the table of a seek: its players in an order that lots decide, engines at the other seats if wanted."""
    wanted, persons = seek.wanted, seek.players
    level = wanted.engines
    engines = 0 if level is None else wanted.seats - len(persons)
    variant = wanted.variant(len(persons) + engines)
    seats = [SeatPlan(LINK, player.name, None, {player.visitor}) for player in persons]
    seats += [SeatPlan(ENGINE, engine_name(level), level) for _ in range(engines)]
    secrets.SystemRandom().shuffle(seats)
    series = variant.game.series(variant.options)
    return TablePlan(variant, seats, seek.owner.visitor, False, wanted.rated, series, hints=False, clock=wanted.control)
