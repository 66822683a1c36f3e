"""The lobby's followers: connections that are told what changes there, twice a second, encoded once for all."""

import asyncio
from collections.abc import Iterable

from triskele.server.live import protocol
from triskele.server.live.protocol import encode
from triskele.server.lobby.documents import LobbyDifference, SeekShown
from triskele.server.lobby.exchange import LobbyExchange
from triskele.server.lobby.service import Lobby
from triskele.server.lobby.watching import GamesToWatch
from triskele.server.refusal import log_failure
from triskele.server.tables.outgoing import Outbox

_TICK_SECONDS = 0.5
_SLICE = 100
"""The connections that are written to before others get their turn: writing to 2,000 at once takes 20 ms."""
_SWEEP_TICKS = 20


class LobbyFollowers:
    """The followers of the lobby at this process; implements :class:`triskele.server.lobby.service.LobbyAudience`."""

    def __init__(self, lobby: Lobby, exchange: LobbyExchange, watching: GamesToWatch) -> None:
        """Tell what changes in ``lobby``, here and (by ``exchange``) at other processes."""
        self._lobby = lobby
        self._exchange = exchange
        self._watching = watching
        self._outboxes: dict[str, list[Outbox]] = {}
        self._last: tuple[int, int] = (0, 0)
        self._whole: bytes | None = None
        lobby.audience, lobby.elsewhere = self, exchange

    def __len__(self) -> int:
        """Return the number of connections that follow the lobby."""
        return sum(len(each) for each in self._outboxes.values())

    def follow(self, visitor: str, outbox: Outbox) -> None:
        """Tell a connection the whole lobby, and from now on what changes."""
        self._outboxes.setdefault(visitor, []).append(outbox)
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
            await asyncio.sleep(_TICK_SECONDS)
            ticks += 1
            try:
                await self._tick(ticks)
            except Exception as error:
                log_failure(error, "the lobby")

    async def _tick(self, ticks: int) -> None:
        await self._lobby.pair()
        if ticks % _SWEEP_TICKS == 0:
            self._watching.sweep()
            self._lobby.limiter.drop_full()
        self._exchange.tell()
        difference = self._lobby.difference()
        counts = (difference.here, difference.guests)
        if difference or counts != self._last:
            self._last, self._whole = counts, None
            outboxes = [outbox for there in self._outboxes.values() for outbox in there]
            await _send_all(outboxes, encode(_message(difference)))


def _message(difference: LobbyDifference) -> protocol.LobbyChanged:
    return protocol.LobbyChanged(
        difference.here,
        difference.guests,
        difference.people,
        difference.people_gone,
        difference.seeks,
        difference.seeks_gone,
        difference.games,
        difference.games_gone,
    )


async def _send_all(outboxes: Iterable[Outbox], message: bytes) -> None:
    for number, outbox in enumerate(outboxes, 1):
        outbox.send(message)
        if number % _SLICE == 0:
            await asyncio.sleep(0)
