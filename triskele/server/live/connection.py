"""Live connections: each reads its client's messages one after the other, acts on them and answers."""

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, assert_never

from msgspec import UNSET

from triskele.core.errors import TriskeleError
from triskele.server import logs
from triskele.server.accounts.identity import Caller, Identity
from triskele.server.addresses import AddressBook, address_key
from triskele.server.live import protocol
from triskele.server.live.broadcast import LiveBroadcaster
from triskele.server.live.lobby import LobbyFollowers
from triskele.server.live.notices import NoticeFollowers
from triskele.server.live.outbox import POLICY_VIOLATION, ConnectionOutbox, Scope, Send
from triskele.server.live.presence import Presence
from triskele.server.live.protocol import (
    ChangeRequest,
    ClientMessage,
    Done,
    LobbyRequest,
    Malformed,
    Refused,
    SeatRequest,
    decode,
    encode,
)
from triskele.server.live.subscribers import Subscriber
from triskele.server.lobby.seeks import Wanted
from triskele.server.lobby.service import Lobby, Member
from triskele.server.moderation.sanctions import BAN, SILENCE, Sanctions
from triskele.server.notices.service import NoticeService
from triskele.server.origin import same_origin
from triskele.server.rate_limits import ConcurrencyLimiter, TokenBucket
from triskele.server.refusal import Refusal, language_of, log_failure
from triskele.server.settings import Limits, Settings
from triskele.server.tables import moves, offers, timeouts
from triskele.server.tables.chat import ChatService
from triskele.server.tables.outgoing import deliver
from triskele.server.tables.service import Decision, TableService
from triskele.server.tables.table import ENGINE, Table
from triskele.server.tables.validation import valid_name

Receive = Callable[[], Awaitable[dict[str, Any]]]

_ANSWERS_KEPT = 8
"""The answers that a connection keeps, so that a request that comes again does nothing twice; clients await each."""


@dataclass(frozen=True)
class LiveServices:
    """The services that live connections use."""

    settings: Settings
    identity: Identity
    tables: TableService
    chat: ChatService
    broadcaster: LiveBroadcaster
    presence: Presence
    connections: ConcurrencyLimiter
    sanctions: Sanctions
    opened: "set[LiveConnection]"
    address_book: AddressBook
    lobby: Lobby
    lobby_followers: LobbyFollowers
    notices: NoticeService
    notice_followers: NoticeFollowers


class LiveConnection:
    """One connection of a visitor."""

    def __init__(
        self, services: LiveServices, caller: Caller, address: str, outbox: ConnectionOutbox, language: str
    ) -> None:
        """Act for somebody at an address; answers are in ``language`` until a ``join`` names another."""
        self.services = services
        self.caller = caller
        self.visitor = caller.visitor
        self.address = address
        self.outbox = outbox
        self.language = language
        self._subscriptions: dict[str, Subscriber] = {}
        self._answers: dict[str, bytes] = {}
        self._member: Member | None = None
        """Who this is in the lobby, while the connection follows it."""
        limits = services.settings.limits
        self._bucket = TokenBucket(limits.messages_per_second, limits.messages_burst)
        self._over_limit = 0

    async def receive(self, written: str | None) -> bool:
        """Act on a message and answer it; return ``False`` when the connection is to be closed for its many messages.

        ``None`` is a binary message, which is refused.
        """
        if not self._bucket.take():
            self._over_limit += 1
            self._refuse(None, Refusal("limit"))
            return self._over_limit < self.services.settings.limits.refusals_before_close
        message = decode(written)
        known = None if message.id is None else self._answers.get(message.id)
        if known is not None:
            self.outbox.send(known)
            return True
        try:
            if isinstance(message, Malformed):
                raise Refusal("form")
            self._answer(message.id, encode(await self._act(message)))
        except Refusal as refusal:
            self._refuse(message.id, refusal)
        except TriskeleError as error:
            self._refuse(message.id, Refusal("illegal", error.text))
        except Exception as error:
            log_failure(error, "a message")
            self._refuse(message.id, Refusal("failed"))
        return True

    def _refuse(self, message_id: str | None, refusal: Refusal) -> None:
        self.services.tables.metrics.refused(refusal.code)
        answer = encode(Refused(message_id, **refusal.body(self.language)))
        if message_id is None:
            self.outbox.send(answer)
        else:
            self._answer(message_id, answer)

    def _answer(self, message_id: str, answer: bytes) -> None:
        self._answers[message_id] = answer
        if len(self._answers) > _ANSWERS_KEPT:
            del self._answers[next(iter(self._answers))]
        self.outbox.send(answer)

    # --- what can be asked ---------------------------------------------------------------------------

    async def _act(self, message: ClientMessage) -> Done:
        """Do what a message asks for and return the answer; ``Refusal`` if it cannot be done."""
        if isinstance(message, protocol.Ping):
            return Done(message.id)
        kind = SILENCE if isinstance(message, protocol.Chat) else BAN
        self.services.sanctions.check(kind, self.visitor, self.address)
        self._check_allowed(message)
        match message:
            case protocol.Join():
                return Done(message.id, seq=await self._join(message))
            case protocol.Leave():
                self._leave(message.table)
                return Done(message.id)
            case protocol.Compute():
                await self._compute(message)
                return Done(message.id)
            case protocol.Looking():
                self._look(message)
                return Done(message.id)
            case protocol.FollowNotices():
                if self.visitor is None:
                    raise Refusal("visitor")
                language = message.language or self.language
                await self.services.notice_followers.follow(self.visitor, self.outbox, language)
                return Done(message.id)
            case protocol.Complete():
                return await self._complete(message)
            case protocol.Chat():
                table = await self._table_of(message)
                self._check_length(len(table.chat))
                assert self.visitor is not None, "a seat is somebody's"
                await self.services.chat.add(table, message.seat, self.visitor, message.text)
                return Done(message.id, seq=table.seq)
            case (
                protocol.Move()
                | protocol.Undo()
                | protocol.Offer()
                | protocol.Answer()
                | protocol.Seed()
                | protocol.Resign()
                | protocol.Claim()
                | protocol.Back()
            ):
                table = await self._table_of(message)
                if not isinstance(message, protocol.Resign | protocol.Answer | protocol.Claim | protocol.Back):
                    self._check_length(table.seq)
                await self.services.tables.act(table, self._decision(message))
                return Done(message.id, seq=table.seq)
            case (
                protocol.EnterLobby()
                | protocol.LeaveLobby()
                | protocol.Seek()
                | protocol.Accept()
                | protocol.Agree()
                | protocol.Withdraw()
            ):
                return await self._act_in_lobby(message)
            case _:
                assert_never(message)

    async def _act_in_lobby(self, message: LobbyRequest) -> Done:
        """Do what a message about the lobby asks for; guests are visitors, too, but somebody without an id is not."""
        lobby, visitor = self.services.lobby, self.visitor
        if visitor is None:
            raise Refusal("visitor")
        match message:
            case protocol.EnterLobby():
                await self._enter_lobby(visitor, valid_name(message.name or ""))
            case protocol.LeaveLobby():
                self._leave_lobby()
            case protocol.Seek():
                wanted = Wanted(
                    message.game,
                    dict(message.options or {}),
                    message.seats or 2,
                    message.clock or "none",
                    bool(message.rated),
                    message.low,
                    message.high,
                    message.engines,
                    quick=bool(message.quick),
                )
                made = await lobby.seek(visitor, wanted, message.to)
                return Done(message.id, seek=made.id)
            case protocol.Accept():
                await lobby.accept(visitor, message.seek)
            case protocol.Agree():
                await lobby.agree(visitor, message.seek)
            case protocol.Withdraw():
                await lobby.withdraw(visitor, message.seek)
            case _:
                assert_never(message)
        return Done(message.id)

    async def _enter_lobby(self, visitor: str, name: str) -> None:
        self._leave_lobby()
        member = await self.services.lobby.enter(visitor, name)
        if self.outbox.closed:
            self.services.lobby.leave(member)
            raise Refusal("unknown")
        self._member = member
        self.services.lobby_followers.follow(visitor, self.outbox)

    def _leave_lobby(self) -> None:
        if self._member is not None:
            self.services.lobby_followers.unfollow(self._member.visitor, self.outbox)
            self.services.lobby.leave(self._member)
            self._member = None

    def _check_allowed(self, message: ClientMessage) -> None:
        """Refuse what the host does not want here, and what a program's token is not for."""
        settings = self.services.settings
        if not settings.guests and self.caller.account is None:
            raise Refusal("account-needed")
        if isinstance(message, protocol.Chat) and not settings.chat:
            raise Refusal("chat-off")
        reading = protocol.Join | protocol.Leave | protocol.Complete | protocol.Looking | protocol.FollowNotices
        reads = isinstance(message, reading)
        self.caller.check_scope("read" if reads else "lobby" if isinstance(message, LobbyRequest) else "play")

    async def _table_of(self, message: SeatRequest) -> Table:
        """Return the table of a message; ``Refusal`` unless the visitor holds the seat that it is for."""
        table = await self.services.tables.get(message.table, self.visitor)
        if not (isinstance(message, protocol.Move) and self._computes(table, message.seat)):
            moves.check_seat(table, self.visitor, message.seat)
        return table

    def _computes(self, table: Table, seat: int) -> bool:
        """Whether the moves of a seat are an engine's, and computed by the page of this connection."""
        subscriber = self._subscriptions.get(table.id)
        if subscriber is None or not subscriber.computes or not 0 <= seat < len(table.seats):
            return False
        return table.seats[seat].kind == ENGINE and table.page_may_compute(self.visitor)

    async def _compute(self, message: protocol.Compute) -> None:
        table = await self.services.tables.get(message.table, self.visitor)
        subscriber = self._subscriptions.get(table.id)
        if message.on and (subscriber is None or not table.page_may_compute(self.visitor)):
            raise Refusal("not-alone")
        if subscriber is not None and subscriber.computes != message.on:
            subscriber.computes = message.on
            deliver(self.services.broadcaster.seats_changed(table))
            self.services.tables.notify(table)  # the server's engine begins, or gives way

    def _check_length(self, rows: int) -> None:
        """Refuse to add to a table that is as long as one may be: moving and undoing would go on for ever."""
        if rows >= self.services.settings.limits.table_rows:
            raise Refusal("full")

    def _decision(self, message: ChangeRequest) -> Decision:
        """Return how to decide on a request that changes a table."""
        visitor, seat = self.visitor, message.seat
        assert visitor is not None, "a visitor who holds a seat has an id"
        match message:
            case protocol.Move():
                lag = self.outbox.lag
                return lambda table: moves.move_of_person(table, seat, message.move, message.at, lag)
            case protocol.Undo():
                return lambda table: offers.undo(table, visitor, seat)
            case protocol.Offer():
                return lambda table: offers.offer(table, visitor, seat, message.what, message.series)
            case protocol.Answer():
                return lambda table: offers.answer(table, visitor, seat, message.what, message.accept)
            case protocol.Seed():
                return lambda table: moves.seed(table, seat, message.seed)
            case protocol.Resign():
                return lambda table: offers.resign(table, seat)
            case protocol.Claim():
                audiences = self.services.broadcaster.audiences
                return lambda table: timeouts.claim(table, seat, message.engine, audiences.of(table).absence(table))
            case protocol.Back():
                return lambda table: timeouts.come_back(table, seat)
            case _:
                assert_never(message)

    async def _complete(self, message: protocol.Complete) -> Done:
        table = await self._table_of(message)
        async with table.lock:
            found = moves.complete(table, message.seat, message.tokens, self.language, bool(message.scene))
        completion = found.completion
        if completion.move is not None:
            return Done(message.id, move=completion.move.text, note=found.note, scene=found.scene or UNSET)
        if completion.next:
            return Done(message.id, next=completion.next, notes=found.notes or UNSET, ask=found.ask or UNSET)
        return Done(message.id, reason=completion.reason, why=completion.why or UNSET)

    async def _join(self, message: protocol.Join) -> int:
        services = self.services
        table = await services.tables.get(message.table, self.visitor)
        self.language = message.language or self.language
        async with table.lock:
            if self.outbox.closed:
                raise Refusal("unknown")
            before = self._subscriptions.pop(table.id, None)
            if before is not None:
                services.presence.replace(before)
            elif len(self._subscriptions) >= services.settings.limits.tables_per_connection:
                raise Refusal("limit")
            scenes = message.scene is not False
            subscriber = Subscriber(table, self.outbox, self.visitor, self.language, scenes)
            subscriber.computes = before is not None and before.computes
            subscriber.looks = before is None or before.looks
            self._subscriptions[table.id] = subscriber
            services.presence.subscribe(subscriber)
            self.outbox.send(services.broadcaster.table_message(subscriber))
        services.tables.notify(table)  # engines do not play for an empty audience: now there is one
        if subscriber.looks:
            services.notices.look(table, self.visitor)
        return table.seq

    def _look(self, message: protocol.Looking) -> None:
        subscriber = self._subscriptions.get(message.table)
        if subscriber is not None:
            subscriber.looks = message.on
            if message.on:
                self.services.notices.look(subscriber.table, self.visitor)

    def _leave(self, table_id: str) -> None:
        subscriber = self._subscriptions.pop(table_id, None)
        if subscriber is not None:
            self.services.presence.unsubscribe(subscriber)
            if subscriber.computes:
                deliver(self.services.broadcaster.seats_changed(subscriber.table))
                self.services.tables.notify(subscriber.table)  # the server's engine goes on

    def document(self) -> dict[str, Any]:
        """Return who is connected, from where, and to which tables, for the host."""
        return {"visitor": self.visitor, "address": self.address, "tables": sorted(self._subscriptions)}

    def closed(self) -> None:
        """End all subscriptions: the connection is closed."""
        self.outbox.closed = True
        self._leave_lobby()
        if self.visitor is not None:
            self.services.notice_followers.unfollow(self.visitor, self.outbox)
        for table_id in list(self._subscriptions):
            self._leave(table_id)


class LiveEndpoint:
    """The ASGI application at ``/api/v1/live``."""

    def __init__(self, services: LiveServices) -> None:
        """Serve the tables of a server."""
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection from its handshake to its end."""
        services, settings = self._services, self._services.settings
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if (await receive())["type"] != "websocket.connect":
            return
        try:
            caller = await services.identity.of(scope["headers"])
        except Refusal:
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        visitor = caller.visitor
        address = (scope.get("client") or ("?",))[0]
        services.address_book.note(visitor, address)
        places = _places(visitor, address, settings.limits)
        own_page = same_origin(headers.get(b"origin"), headers.get(b"host"), settings.public_url)
        if not own_page or not services.connections.acquire_all(places):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        outbox = ConnectionOutbox(scope, send, settings.limits.send_buffer_bytes)
        connection = LiveConnection(services, caller, address, outbox, language_of(headers.get(b"accept-language")))
        services.opened.add(connection)
        began = time.perf_counter()
        try:
            await send({"type": "websocket.accept"})
            while (event := await receive())["type"] == "websocket.receive":
                if not await connection.receive(event.get("text")):
                    await outbox.close(POLICY_VIOLATION)
                    break
        finally:
            if logs.access.isEnabledFor(logging.INFO):
                seconds = time.perf_counter() - began
                logs.log_access(address, "LIVE", scope["path"], 101, 0, seconds, visitor)
            services.opened.discard(connection)
            connection.closed()
            for key, _ in places:
                services.connections.release(key)


def _places(visitor: str | None, address: str, limits: Limits) -> list[tuple[str, int]]:
    """Return what a connection is counted by, with the limits: its visitor, and its address unless that is here."""
    key = address_key(address)
    places = [] if visitor is None else [(visitor, limits.connections_per_visitor)]
    if visitor is None or key is not None:
        places.append((f"address {key or address}", limits.connections_per_address))
    return places
