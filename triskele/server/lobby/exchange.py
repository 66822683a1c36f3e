"""The exchange between processes: each tells the others its part of the lobby, and asks them about their seeks.

Messages go over the bus, which may lose some: the whole part is told again every few seconds, and what a process said
is forgotten when it has been silent for a while.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Iterable
from typing import Any

import msgspec

from triskele.server.bus import Bus
from triskele.server.lobby.documents import GameShown, PersonShown
from triskele.server.lobby.seeks import Player, Seek
from triskele.server.lobby.service import Lobby
from triskele.server.refusal import Refusal

_WHOLE_SECONDS = 10.0
_SILENT_SECONDS = 35.0
_ANSWER_SECONDS = 3.0


class _Part(msgspec.Struct):
    """What has changed in the part of a process, or all of it; ``None`` is what is gone."""

    whole: bool
    guests: int
    people: dict[str, PersonShown | None]
    seeks: dict[str, Seek | None]
    games: dict[str, GameShown | None]


class LobbyExchange:
    """Shares the lobby with other processes; implements :class:`triskele.server.lobby.service.Elsewhere`."""

    def __init__(self, lobby: Lobby, bus: Bus) -> None:
        """Share ``lobby`` over ``bus``."""
        self._lobby = lobby
        self._bus = bus
        self._told: dict[str, dict[str, Any]] = {"people": {}, "seeks": {}, "games": {}}
        self._told_guests = 0
        self._told_whole = 0.0
        self._heard: dict[str, float] = {}
        self._asked: dict[str, asyncio.Future[str]] = {}

    # --- telling --------------------------------------------------------------------------------

    def tell(self) -> None:
        """Tell what has changed here since the last time, and everything now and then."""
        if not self._bus.process:
            return
        part = self._now()
        whole = time.monotonic() - self._told_whole > _WHOLE_SECONDS
        changed = part if whole else {kind: _changed(self._told[kind], part[kind]) for kind in part}
        guests = self._lobby.guests.get("", 0)
        if whole or guests != self._told_guests or any(changed.values()):
            self._publish("part", whole=whole, guests=guests, **changed)
            self._told, self._told_guests = part, guests
            if whole:
                self._told_whole = time.monotonic()
                self._forget_silent()

    def tell_all(self) -> None:
        """Tell everything the next time: messages may have been lost."""
        self._told_whole = 0.0

    def _now(self) -> dict[str, dict[str, Any]]:
        lobby = self._lobby
        # Seeks change in place: they are kept as plain data.
        seeks = {seek.id: msgspec.to_builtins(seek) for seek in lobby.own_seeks()}
        return {"people": lobby.people.of(""), "seeks": seeks, "games": lobby.games.of("")}

    def _publish(self, kind: str, **more: Any) -> None:
        self._bus.publish("", lobby={"kind": kind, **msgspec.to_builtins(more)})

    def tell_begun(self, visitors: Iterable[str], seek: str, table: str) -> None:
        """Tell visitors at other processes that a seek has become a table."""
        if self._bus.process:
            self._publish("begun", visitors=list(visitors), seek=seek, table=table)

    async def ask(self, process: str, deed: str, seek: str, player: Player) -> None:
        """Have the process of a seek do something with it; ``Refusal`` if it does not, or not in time."""
        number = secrets.token_hex(8)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self._publish("ask", to=process, number=number, deed=deed, seek=seek, player=player)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                code = await answer
        except TimeoutError:
            raise Refusal("busy") from None
        finally:
            self._asked.pop(number, None)
        if code:
            raise Refusal(code)

    # --- hearing --------------------------------------------------------------------------------

    def hear(self, process: str, message: Any) -> None:
        """Take in a message of another process; one that cannot be read is dropped: that may be of another version."""
        with contextlib.suppress(msgspec.ValidationError, KeyError, TypeError):
            match message["kind"]:
                case "part":
                    self._hear_part(process, msgspec.convert(message, _Part))
                case "ask" if message["to"] == self._bus.process:
                    self._decide(message)
                case "answer" if message["number"] in self._asked:
                    future = self._asked[message["number"]]
                    if not future.done():
                        future.set_result(str(message["code"]))
                case "begun":
                    for visitor in message["visitors"]:
                        if self._lobby.is_here(visitor):
                            self._lobby.begun(visitor, str(message["seek"]), str(message["table"]))

    def _decide(self, message: Any) -> None:
        code = ""
        try:
            player = msgspec.convert(message["player"], Player)
            self._lobby.decide(message["deed"], message["seek"], player)
        except Refusal as refusal:
            code = refusal.code
        self._publish("answer", number=message["number"], code=code)

    def _hear_part(self, process: str, part: _Part) -> None:
        if process not in self._heard:
            self.tell_all()  # it may know nothing of us
        self._heard[process] = time.monotonic()
        lobby = self._lobby
        lobby.guests[process] = part.guests
        if part.whole:
            known = [seek.id for seek in lobby.remote.values() if seek.process == process]
            part.seeks |= {seek_id: None for seek_id in known if seek_id not in part.seeks}
            lobby.people.replace(process, {key: each for key, each in part.people.items() if each is not None})
            lobby.games.replace(process, {key: each for key, each in part.games.items() if each is not None})
        else:
            for name, person in part.people.items():
                lobby.people.set(process, name, person)
            for table, game in part.games.items():
                lobby.games.set(process, table, game)
        for seek_id, seek in part.seeks.items():
            self._hear_seek(process, seek_id, seek)

    def _hear_seek(self, process: str, seek_id: str, seek: Seek | None) -> None:
        lobby = self._lobby
        before = lobby.remote.get(seek_id)
        if seek is None:
            lobby.remote.pop(seek_id, None)
        else:
            seek.process = process
            lobby.remote[seek_id] = seek
        known = seek or before
        if known is not None and known.public:
            lobby.seeks.set(process, seek_id, None if seek is None else seek.shown())
        if known is not None and known.wanted.to is not None and (before is None or seek is None):
            state = "gone" if seek is None else "challenged"
            if lobby.audience is not None and lobby.is_here(known.wanted.to):
                lobby.audience.tell_seek(known.wanted.to, known.shown(), state)

    def _forget_silent(self) -> None:
        since = time.monotonic() - _SILENT_SECONDS
        for process in [process for process, heard in self._heard.items() if heard < since]:
            del self._heard[process]
            self._hear_part_gone(process)

    def _hear_part_gone(self, process: str) -> None:
        lobby = self._lobby
        lobby.guests.pop(process, None)
        lobby.people.replace(process, {})
        lobby.games.replace(process, {})
        for seek_id in [seek.id for seek in lobby.remote.values() if seek.process == process]:
            self._hear_seek(process, seek_id, None)


def _changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return what is new or different, and ``None`` for what is gone."""
    news = {key: value for key, value in after.items() if before.get(key) != value}
    return news | {key: None for key in before if key not in after}
