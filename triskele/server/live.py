"""Live: the WebSocket at which people and bots follow tables and act. One object a connection."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import orjson

from triskele.core.errors import TriskeleError
from triskele.core.words import LANGUAGES
from triskele.server import moving, offers
from triskele.server.followers import Follower
from triskele.server.guard import own_origin
from triskele.server.house import House
from triskele.server.limits import Bucket
from triskele.server.opening import SERIES
from triskele.server.refusal import Refusal, language_of, log_failure
from triskele.server.table import Table
from triskele.server.tables import Decision

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Ask = dict[str, Any]

WRITE = "triskele.write"
"""The extension of the ASGI scope with which our own protocol writes without waiting."""
_REMEMBERED = 64
"""How many answers a connection keeps, so that asking again does nothing twice."""
_POLICY = 1008


# --- what a message may hold ------------------------------------------------------------------------


def _text(least: int, most: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def _number(most: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and 0 <= value <= most


def _tokens(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 64 and all(isinstance(t, str) and len(t) <= 60 for t in value)


_TABLE, _SEAT = _text(1, 16), _number(63)


def _is_what(value: object) -> bool:
    return isinstance(value, str) and value in offers.WHAT


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


FIELDS: dict[str, dict[str, Callable[[object], bool]]] = {
    "join": {"table": _TABLE},
    "leave": {"table": _TABLE},
    "move": {"table": _TABLE, "seat": _SEAT, "move": _text(1, 200), "at": _number(10**9)},
    "complete": {"table": _TABLE, "seat": _SEAT, "tokens": _tokens},
    "undo": {"table": _TABLE, "seat": _SEAT},
    "offer": {"table": _TABLE, "seat": _SEAT, "what": _is_what},
    "answer": {"table": _TABLE, "seat": _SEAT, "what": _is_what, "accept": _is_bool},
    "resign": {"table": _TABLE, "seat": _SEAT},
    "chat": {"table": _TABLE, "seat": _SEAT, "text": _text(1, 500)},
    "seed": {"table": _TABLE, "seat": _SEAT, "seed": _text(1, 64)},
    "ping": {},
}
"""What each message must hold."""

OPTIONAL: dict[str, Callable[[object], bool]] = {
    "since": _number(10**9),
    "scene": _is_bool,
    "language": lambda value: isinstance(value, str) and value in LANGUAGES,
    "series": lambda value: isinstance(value, str) and value in SERIES,
}
"""What a message may hold beside that; whatever else it holds is ignored."""


def read(written: str) -> Ask:
    """Return the message in a text; ``Refusal`` if it is none."""
    try:
        message = orjson.loads(written)
    except orjson.JSONDecodeError:
        raise Refusal("form") from None
    if not isinstance(message, dict):
        raise Refusal("form")
    return message


def check(message: Ask) -> None:
    """Refuse a message whose parts are not what they must be."""
    kind = message.get("type")
    fields = FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None or not all(name in message and valid(message[name]) for name, valid in fields.items()):
        raise Refusal("form")
    if not all(valid(message[name]) for name, valid in OPTIONAL.items() if message.get(name) is not None):
        raise Refusal("form")


# --- sending ----------------------------------------------------------------------------------------


class Mouth:
    """Sends messages over a connection without ever waiting for it; who does not listen is cut off."""

    def __init__(self, scope: Scope, send: Send, most: int) -> None:
        """Let at most ``most`` bytes wait to be sent."""
        self._write: Callable[[bytes], None] | None = scope.get("extensions", {}).get(WRITE)
        self._send = send
        self._most = most
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._task: asyncio.Task[None] | None = None
        self.closed = False

    def send(self, message: bytes) -> None:
        """Send a message as soon as the connection takes it."""
        if self.closed:
            return
        if self._write is not None:
            self._write(message)
            return
        self._waiting.append(message)
        self._size += len(message)
        if self._size > self._most:
            self.closed = True
            self._waiting.clear()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                message = self._waiting.popleft()
                self._size -= len(message)
                await self._send({"type": "websocket.send", "text": message.decode()})
            if self.closed:
                await self._send({"type": "websocket.close", "code": _POLICY})
        except Exception:  # whatever the server says, nobody listens there any more
            self.closed = True

    async def finish(self, code: int) -> None:
        """Close the connection."""
        if not self.closed:
            self.closed = True
            await self._send({"type": "websocket.close", "code": code})


# --- a connection -----------------------------------------------------------------------------------


class LiveConnection:
    """One connection: reads messages one after the other and does what they ask for."""

    def __init__(self, house: House, visitor: str | None, mouth: Mouth, language: str) -> None:
        """Act for a visitor."""
        self.house = house
        self.visitor = visitor
        self.mouth = mouth
        self.language = language
        self._following: dict[str, Follower] = {}
        self._answered: dict[str, bytes] = {}
        limits = house.settings.limits
        self._bucket = Bucket(limits.messages_per_second, limits.messages_burst)
        self._refused = 0

    async def hear(self, written: str | None) -> bool:
        """Do what a message asks for, and answer; ``False`` when the connection has asked too much."""
        if not self._bucket.take():
            self._refused += 1
            self._refuse(None, Refusal("limit"))
            return self._refused < self.house.settings.limits.refusals_before_close
        message_id: str | None = None
        try:
            if written is None:
                raise Refusal("form")
            message = read(written)
            given = message.get("id")
            if not isinstance(given, str) or not 1 <= len(given) <= 64:
                raise Refusal("form")
            message_id = given
            known = self._answered.get(message_id)
            if known is not None:
                self.mouth.send(known)
                return True
            check(message)
            done = await self._do(message)
            self._answer(message_id, orjson.dumps({"type": "done", "id": message_id, **done}))
        except Refusal as refusal:
            self._refuse(message_id, refusal)
        except TriskeleError as error:
            self._refuse(message_id, Refusal("illegal", error.text))
        except Exception as error:
            log_failure(error, "a message")
            self._refuse(message_id, Refusal("failed"))
        return True

    def _refuse(self, message_id: str | None, refusal: Refusal) -> None:
        answer = orjson.dumps({"type": "refused", "id": message_id, **refusal.body(self.language)})
        if message_id is None:
            self.mouth.send(answer)
        else:
            self._answer(message_id, answer)

    def _answer(self, message_id: str, answer: bytes) -> None:
        self._answered[message_id] = answer
        if len(self._answered) > _REMEMBERED:
            del self._answered[next(iter(self._answered))]
        self.mouth.send(answer)

    # --- what can be asked ---------------------------------------------------------------------------

    async def _do(self, message: Ask) -> dict[str, Any]:
        kind = message["type"]
        if kind == "ping":
            return {}
        if kind == "join":
            return await self._join(message)
        if kind == "leave":
            return self._leave(message["table"])
        table = await self.house.tables.get(message["table"], self.visitor)
        seat: int = message["seat"]
        moving.check_seat(table, self.visitor, seat)
        if kind == "complete":
            async with table.lock:
                return moving.complete(table, seat, message["tokens"], self.language, message.get("scene", False))
        if kind == "chat":
            await self.house.chatting.say(table, seat, message["text"])
            return {"seq": table.seq}
        await self.house.tables.act(table, self._decision(kind, seat, message))
        return {"seq": table.seq}

    def _decision(self, kind: str, seat: int, message: Ask) -> Decision:
        """Return how to decide on what a seat asks for."""
        visitor = self.visitor
        assert visitor is not None, "who holds a seat is known"

        def decide(table: Table) -> Any:
            if kind == "move":
                return moving.move(table, seat, message["move"], message["at"])
            if kind == "undo":
                return offers.undo(table, visitor, seat)
            if kind == "offer":
                return offers.offer(table, visitor, seat, message["what"], message.get("series"))
            if kind == "answer":
                return offers.answer(table, visitor, seat, message["what"], message["accept"])
            if kind == "seed":
                return moving.seed(table, seat, message["seed"])
            return offers.resign(table, seat)

        return decide

    async def _join(self, message: Ask) -> dict[str, Any]:
        table = await self.house.tables.get(message["table"], self.visitor)
        self.language = message.get("language") or self.language
        scenes = message.get("scene") is not False
        async with table.lock:
            if self.mouth.closed:
                raise Refusal("unknown")
            before = self._following.pop(table.id, None)
            if before is not None:
                table.followers.discard(before)
            elif len(self._following) >= self.house.settings.limits.tables_per_connection:
                raise Refusal("limit")
            follower = Follower(table, self.mouth, self.visitor, self.language, scenes)
            self._following[table.id] = follower
            self.house.presence.come(follower)
            self.mouth.send(self.house.tables.teller.whole(follower))
        self.house.engine_seats.look(table)
        self.house.dicing.look(table)
        return {"seq": table.seq}

    def _leave(self, table_id: str) -> dict[str, Any]:
        follower = self._following.pop(table_id, None)
        if follower is not None:
            self.house.presence.go(follower)
        return {}

    def gone(self) -> None:
        """The connection is closed: follow nothing any more."""
        self.mouth.closed = True
        for table_id in list(self._following):
            self._leave(table_id)


# --- the door ---------------------------------------------------------------------------------------


class Live:
    """The ASGI application at ``/api/v1/live``."""

    def __init__(self, house: House) -> None:
        """Serve the tables of a house."""
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection from its handshake to its end."""
        house = self._house
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if (await receive())["type"] != "websocket.connect":
            return
        visitor = house.visitors.of(scope["headers"])
        who = visitor or f"address {(scope.get('client') or ('?',))[0]}"
        most = None if visitor else house.settings.limits.connections_per_address
        if not self._own_origin(headers) or not house.connections.enter(who, most):
            await send({"type": "websocket.close", "code": _POLICY})
            return
        mouth = Mouth(scope, send, house.settings.limits.send_buffer_bytes)
        connection = LiveConnection(house, visitor, mouth, language_of(headers.get(b"accept-language")))
        try:
            await send({"type": "websocket.accept"})
            while (event := await receive())["type"] == "websocket.receive":
                if not await connection.hear(event.get("text")):
                    await mouth.finish(_POLICY)
                    break
        finally:
            connection.gone()
            house.connections.leave(who)

    def _own_origin(self, headers: dict[bytes, str]) -> bool:
        return own_origin(headers.get(b"origin"), headers.get(b"host"), self._house.settings.public_url)
