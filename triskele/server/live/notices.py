"""The followers of notices: connections that are told how many notices their visitor has not seen, and which."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from triskele.server.live.protocol import NoticeShown, NoticesShown, encode
from triskele.server.notices.service import NoticeService
from triskele.server.notices.texts import Notice
from triskele.server.refusal import log_failure
from triskele.server.storage.database import StorageFailed
from triskele.server.tables.outgoing import Outbox
from triskele.server.tables.service import now

_GATHER_SECONDS = 0.2
"""What changes within this time is told at once: what comes and is seen at the same moment never shows."""


@dataclass(eq=False)
class _Follower:
    outbox: Outbox
    language: str
    told: bytes = b""


class NoticeFollowers:
    """The connections of this process that follow the notices of their visitors."""

    def __init__(self, service: NoticeService) -> None:
        """Tell what changes."""
        self._service = service
        self._followers: dict[str, list[_Follower]] = {}
        self._telling: set[str] = set()
        """The visitors who are told in a moment."""
        self._tasks: set[asyncio.Task[None]] = set()
        service.listeners.append(self.changed)

    async def follow(self, visitor: str, outbox: Outbox, language: str) -> None:
        """Tell a connection the notices of its visitor now, and whenever they change."""
        self.unfollow(visitor, outbox)
        follower = _Follower(outbox, language)
        self._followers.setdefault(visitor, []).append(follower)
        _tell(follower, await self._service.unseen(visitor))

    def unfollow(self, visitor: str, outbox: Outbox) -> None:
        """Tell a connection nothing more."""
        staying = [each for each in self._followers.get(visitor, []) if each.outbox is not outbox]
        if staying:
            self._followers[visitor] = staying
        else:
            self._followers.pop(visitor, None)

    def changed(self, visitors: Iterable[str]) -> None:
        """Tell the connections of some visitors that their notices have changed, in a moment."""
        for visitor in visitors:
            if visitor in self._followers and visitor not in self._telling:
                self._telling.add(visitor)
                task = asyncio.create_task(self._tell(visitor))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _tell(self, visitor: str) -> None:
        await asyncio.sleep(_GATHER_SECONDS)
        self._telling.discard(visitor)  # what changes from now on is told again
        try:
            notices = await self._service.unseen(visitor)
        except StorageFailed:
            return
        except Exception as error:
            log_failure(error, "telling notices")
            return
        for follower in self._followers.get(visitor, []):
            _tell(follower, notices)


def _tell(follower: _Follower, notices: list[Notice]) -> None:
    at = now()
    shown = [NoticeShown(**each.document(follower.language, at)) for each in notices]
    message = encode(NoticesShown(len(shown), shown))
    if message != follower.told:
        follower.told = message
        follower.outbox.send(message)
