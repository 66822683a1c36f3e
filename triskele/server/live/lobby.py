"""The lobby's followers: connections that are told what changes there, each twice a second at most.

They are in cohorts that are told one after the other, so that thousands of connections are not written to at the same
moment; what a cohort is told is encoded once.
"""

import asyncio
from collections import deque
from typing import TypeVar

from triskele.server.live import protocol
from triskele.server.live.protocol import encode
from triskele.server.lobby.documents import GameShown, LobbyDifference, PersonShown, SeekShown
from triskele.server.lobby.exchange import LobbyExchange
from triskele.server.lobby.service import Lobby
from triskele.server.lobby.watching import GamesToWatch
from triskele.server.refusal import log_failure
from triskele.server.tables.outgoing import Outbox

T = TypeVar("T")
_SECONDS = 0.5
"""How long nobody is told anything after having been told something."""
_COHORTS = 20
_FEW = 50
"""So few followers are told at the same moment."""
_SWEEP_TICKS = 20


class _Cohort:
    """Followers who are told at the same moment; ``told`` is the number of the last difference that they know of."""

    def __init__(self) -> None:
        self.outboxes: dict[Outbox, None] = {}
        self.told = 0


class LobbyFollowers:
    """The followers of the lobby at this process; implements :class:`triskele.server.lobby.service.LobbyAudience`."""

    def __init__(self, lobby: Lobby, exchange: LobbyExchange, watching: GamesToWatch) -> None:
        """Tell what changes in ``lobby``, here and (by ``exchange``) at other processes."""
        self._lobby = lobby
        self._exchange = exchange
        self._watching = watching
        self._outboxes: dict[str, list[Outbox]] = {}
        self._cohorts = [_Cohort() for _ in range(_COHORTS)]
        self._turn = 0
        """The cohort that is told next."""
        self._journal: deque[LobbyDifference] = deque()
        """The differences that some cohort was not told yet."""
        self._number = 0
        """The number of the last difference."""
        self._last: tuple[int, int] = (0, 0)
        self._whole: bytes | None = None
        lobby.audience, lobby.elsewhere = self, exchange

    def __len__(self) -> int:
        """Return the number of connections that follow the lobby."""
        return sum(len(cohort.outboxes) for cohort in self._cohorts)

    def follow(self, visitor: str, outbox: Outbox) -> None:
        """Tell a connection the whole lobby, and from now on what changes."""
        self._outboxes.setdefault(visitor, []).append(outbox)
        # What its cohort is told next may be in the whole lobby already: to hear it twice changes nothing.
        min(self._cohorts, key=lambda each: len(each.outboxes)).outboxes[outbox] = None
        if self._whole is None:
            self._whole = encode(self._document())
        outbox.send(self._whole)
        for seek in self._lobby.challenges(visitor):
            state = "challenged" if seek.wanted.to == visitor else "waits"
            outbox.send(encode(protocol.Sought(seek.shown(), state)))

    def unfollow(self, visitor: str, outbox: Outbox) -> None:
        """Tell a connection nothing more."""
        there = self._outboxes.get(visitor, [])
        if outbox in there:
            there.remove(outbox)
        for cohort in self._cohorts:
            cohort.outboxes.pop(outbox, None)
        if not there:
            self._outboxes.pop(visitor, None)

    def tell_seek(self, visitor: str, seek: SeekShown, state: str) -> None:
        """Tell a visitor about a seek that concerns them alone."""
        self._send(visitor, encode(protocol.Sought(seek, state)))

    def tell_begun(self, visitor: str, seek: str, table: str) -> None:
        """Tell a visitor that a seek has become a table."""
        self._send(visitor, encode(protocol.Begun(seek, table)))

    def _send(self, visitor: str, message: bytes) -> None:
        for outbox in self._outboxes.get(visitor, ()):
            outbox.send(message)

    def _document(self) -> protocol.LobbyShown:
        lobby, (here, guests) = self._lobby, self._last
        return protocol.LobbyShown(
            here,
            guests,
            list(lobby.people.shown.values()),
            list(lobby.seeks.shown.values()),
            list(lobby.games.shown.values()),
        )

    async def run(self) -> None:
        """Tell what has changed, for ever."""
        ticks = 0
        while True:
            crowd = len(self) > _FEW
            await asyncio.sleep(_SECONDS / _COHORTS if crowd else _SECONDS)
            self._turn = (self._turn + 1) % _COHORTS
            try:
                if self._turn == 0 or not crowd:
                    ticks += 1
                    await self._look_after(ticks)
                self._note_difference()
                for cohort in self._cohorts[self._turn : self._turn + 1] if crowd else self._cohorts:
                    self._tell(cohort)
            except Exception as error:
                log_failure(error, "the lobby")

    async def _look_after(self, ticks: int) -> None:
        """Do what the lobby needs every half second."""
        await self._lobby.pair()
        if ticks % _SWEEP_TICKS == 0:
            self._watching.sweep()
            self._lobby.limiter.drop_full()
        self._exchange.tell()

    def _note_difference(self) -> None:
        """Write down what has changed since the last time, for all cohorts."""
        difference = self._lobby.difference()
        counts = (difference.here, difference.guests)
        if difference or counts != self._last:
            self._last, self._whole = counts, None
            self._number += 1
            self._journal.append(difference)

    def _tell(self, cohort: _Cohort) -> None:
        """Tell a cohort what it does not know yet."""
        new = self._number - cohort.told
        cohort.told = self._number
        if new and cohort.outboxes:
            message = encode(_message(list(self._journal)[-new:]))
            for outbox in list(cohort.outboxes):
                outbox.send(message)
        needed = self._number - min(each.told for each in self._cohorts)
        while len(self._journal) > needed:
            self._journal.popleft()


def _message(differences: list[LobbyDifference]) -> protocol.LobbyChanged:
    """Return several differences, in their order, as one message."""
    people: dict[str, PersonShown | None] = {}
    seeks: dict[str, SeekShown | None] = {}
    games: dict[str, GameShown | None] = {}
    for each in differences:
        people |= {**dict.fromkeys(each.people_gone), **{person.name: person for person in each.people}}
        seeks |= {**dict.fromkeys(each.seeks_gone), **{seek.seek: seek for seek in each.seeks}}
        games |= {**dict.fromkeys(each.games_gone), **{game.table: game for game in each.games}}
    last = differences[-1]
    return protocol.LobbyChanged(
        last.here,
        last.guests,
        *_there_and_gone(people),
        *_there_and_gone(seeks),
        *_there_and_gone(games),
    )


def _there_and_gone(members: dict[str, T | None]) -> tuple[list[T], list[str]]:
    there = [member for member in members.values() if member is not None]
    return there, [key for key, member in members.items() if member is None]
