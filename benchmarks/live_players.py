"""Players over the network, for benchmarks of the server: many in one process, with random moves."""

import asyncio
import base64
import os
import random
import time
from collections import Counter
from http.cookiejar import DefaultCookiePolicy

import httpx
import orjson

LATE_SECONDS = 0.05


class Wire(asyncio.Protocol):
    """A WebSocket client that does no more than it must, so that it does not measure itself."""

    def __init__(self, host, path, headers, hear, lost):
        self.hear, self.lost = hear, lost
        self.buffer = bytearray()
        self.ready = asyncio.get_running_loop().create_future()
        key = base64.b64encode(os.urandom(16)).decode()
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"{more}\r\n"
        ).encode()

    def connection_made(self, transport):
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data):
        self.buffer += data
        if not self.ready.done():
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self.buffer.startswith(b"HTTP/1.1 101"):
                self.ready.set_exception(ConnectionError(bytes(self.buffer[:60])))
                self.transport.close()
                return
            del self.buffer[: end + 4]
            self.ready.set_result(None)
        self.frames()

    def frames(self):
        buffer = self.buffer
        while len(buffer) >= 2:
            size, start = buffer[1] & 127, 2
            if size == 126:
                size, start = int.from_bytes(buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < start + size:
                return
            kind, payload = buffer[0] & 15, bytes(buffer[start : start + size])
            del buffer[: start + size]
            if kind == 1:
                self.hear(payload)
            elif kind == 9:
                self.frame(10, payload)
            elif kind == 8:
                self.transport.close()

    def frame(self, kind, payload):
        size = len(payload)
        head = bytes([128 | kind, 128 | size]) if size < 126 else bytes([128 | kind, 254]) + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + payload)  # a mask of zeros leaves it as it is

    def send(self, message):
        self.frame(1, orjson.dumps(message))

    def connection_lost(self, error):
        if not self.ready.done():
            self.ready.set_exception(ConnectionError("closed"))
        elif self.ready.exception() is None:
            self.lost()


class Load:
    """All players, and what they found out.

    ``every``     seconds between two moves at a table
    ``scenes``    whether the players want scenes, as a page does
    ``outages``   whether connections may be lost and requests refused as ``busy`` or ``stale``: players try again
    """

    def __init__(self, every, scenes=True, outages=False):
        self.every, self.scenes, self.outages = every, scenes, outages
        self.errors = Counter()
        self.waits = []
        self.acks = []
        self.late = Counter()  # moves that were seen late: first, second and other moves of their games
        self.stolen = []
        self.flags = []
        self.results = {}  # how rated games ended, as it was told
        self.resigned = set()  # tables and seats of rated games that were given up, as it was acknowledged
        self.acknowledged = 0
        self.made = {}  # all acknowledged moves, by table
        self.lost = 0
        self.behind = 0  # moves that a table did not have yet at the process where it was asked for
        self.checked = 0
        self.measuring = False
        self.ending = False
        self.bases = []
        self.up = asyncio.Event()


class Table:
    """One table after the other with two players; a move every few seconds."""

    def __init__(self, load, game, number=0, clock=None):
        self.load, self.game, self.number = load, game, number
        self.body = {"clock": clock}
        self.players = [Player(self, 0), Player(self, 1)]
        self.sent_at = {}
        self.acknowledged = []
        self.next_move = 0.0

    async def make_visitors(self, client):
        for player in self.players:
            answer = await client.post("/api/v1/visitors", headers=player.address)
            player.token = answer.json()["visitor"]

    async def open(self, client):
        await self.make_visitors(client)
        body = {"game": self.game, "seats": [{"kind": "me"}, {"kind": "link"}], **self.body}
        opened = (await client.post("/api/v1/tables", json=body, headers=self.players[0].headers)).json()
        self.id = opened["table"]
        key = {"key": opened["seats"][1]["key"]}
        await client.post(f"/api/v1/tables/{self.id}/seats", json=key, headers=self.players[1].headers)

    async def begin(self):
        self.next_move = time.perf_counter() + random.random() * self.load.every
        await asyncio.gather(*(player.connect() for player in self.players))


class Player:
    """A player who makes random moves."""

    def __init__(self, table, seat):
        self.table, self.seat, self.load = table, seat, table.load
        self.count = 0
        self.wire = None
        self.pending = {}
        self.timer = None
        self.must_have = ()  # the moves that a table message must have
        self.offered = None  # the table at which a rematch was asked for

    @property
    def address(self):
        """The header by which this machine, a trusted proxy, says the player's address: limits count addresses."""
        number = 2 * self.table.number + self.seat
        return {"X-Forwarded-For": f"198.18.{number // 250 % 250}.{number % 250 + 1}"}

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}", **self.address}

    async def connect(self):
        while not self.load.ending:
            await self.load.up.wait()
            base = self.load.bases[self.seat % len(self.load.bases)]  # the players of a table at different processes
            host, port = base.removeprefix("http://").split(":")
            loop = asyncio.get_running_loop()
            try:
                wire = Wire(f"{host}:{port}", "/api/v1/live", self.headers, self.hear, self.lost)
                await loop.create_connection(lambda wire=wire: wire, host, int(port))
                await wire.ready
            except OSError:
                await asyncio.sleep(0.1)
                continue
            self.wire = wire
            self.join()
            return

    def join(self):
        self.ask("join", language="en", scene=self.load.scenes)

    def lost(self):
        if self.timer is not None:
            self.timer.cancel()
        self.pending.clear()
        if not self.load.ending:
            if not self.load.outages:
                self.load.errors["connection lost"] += 1
            self.wire = None
            asyncio.get_running_loop().create_task(self.connect())

    def ask(self, kind, **fields):
        if self.wire is None:
            return
        if kind == "join":  # what is acknowledged later need not be in the answer
            self.must_have = tuple(self.table.acknowledged)
        self.count += 1
        message = {"type": kind, "id": str(self.count), "table": self.table.id, **fields}
        self.pending[message["id"]] = (message, time.perf_counter())
        self.wire.send(message)

    def hear(self, payload):
        message = orjson.loads(payload)
        getattr(self, f"on_{message['type']}", lambda message: None)(message)

    def on_done(self, message):
        asked, when = self.pending.pop(message["id"], (None, 0))
        if asked is not None and asked["type"] == "move":
            self.load.acknowledged += 1
            self.load.made.setdefault(asked["table"], []).append((asked["at"], asked["move"]))
            self.table.acknowledged.append((asked["at"], asked["move"]))
            if self.load.measuring:
                self.load.acks.append(time.perf_counter() - when)

    def on_refused(self, message):
        asked, _ = self.pending.pop(message["id"], (None, 0))
        if self.load.outages and message["code"] in ("stale", "busy"):
            # It was made before the server died, or can be made a little later.
            asyncio.get_running_loop().call_later(0.2, self.join)
            return
        self.load.errors[f"{asked and asked['type']} refused: {message['code']}"] += 1

    def on_table(self, message):
        made = [move["move"] for move in message["moves"]]
        if self.seat in [seat["seat"] for seat in message["seats"] if seat["mine"]]:
            self.seat_now = self.seat
        for at, move in self.must_have:
            self.load.checked += 1
            hidden = at < len(made) and made[at] == "=***"
            if at >= len(made) or (made[at] != move and not hidden):
                self.load.lost += 1
        self.moves = len(made)
        if message["next_table"]:
            self.go_on(message["next_table"])
        elif message["outcome"] and not self.load.ending:
            self.over()
        else:
            self.think(message["mine"])

    def on_moved(self, message):
        now = time.perf_counter()
        if message["at"] != self.moves:
            self.load.errors["gap"] += 1
        self.moves = message["at"] + 1
        if message["seat"] != self.mine:
            sent = self.table.sent_at.get(message["at"])
            if sent is not None and self.load.measuring:
                self.load.waits.append(now - sent)
                if now - sent > LATE_SECONDS:
                    self.load.late[min(message["at"], 2)] += 1
        self.think(message["mine"])

    def think(self, looks):
        self.mine = looks[0]["seat"]
        if self.timer is not None:
            self.timer.cancel()  # the same position may come twice: in a table, after a seat was taken
        texts = [text for text, _ in looks[0]["moves"] if text[0] not in "?!"]
        if not texts or self.load.ending:
            return
        choice = random.choice(texts)
        now = time.perf_counter()
        table = self.table
        delay = max(0.0, table.next_move - now)
        self.timer = asyncio.get_running_loop().call_later(delay, self.move, choice, self.moves)

    def move(self, choice, at):
        if self.wire is None or self.load.ending:
            return
        now = self.table.sent_at[at] = time.perf_counter()
        self.table.next_move = max(self.table.next_move + self.load.every, now)
        self.ask("move", seat=self.mine, move=choice, at=at)

    def on_ended(self, message):
        self.over()

    def over(self):
        if self.table.players[0] is self and self.offered != self.table.id:
            self.offered = self.table.id
            self.ask("offer", seat=self.mine, what="rematch")

    def on_offered(self, message):
        if message["seat"] != self.mine and message["what"] == "rematch":
            self.ask("answer", seat=self.mine, what="rematch", accept=True)

    def on_answered(self, message):
        if message.get("next_table"):
            self.go_on(message["next_table"])

    def go_on(self, table):
        if self.table.id != table:
            self.table.id = table
            self.table.acknowledged = []
            self.table.sent_at = {}
        self.join()


async def open_tables(load, tables, at_once=8):
    """Open tables and take their seats."""
    limits = httpx.Limits(max_connections=at_once)
    async with httpx.AsyncClient(base_url=load.bases[0], limits=limits, timeout=60) as client:
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # each player is somebody else
        gate = asyncio.Semaphore(at_once)

        async def open_one(table):
            async with gate:
                await table.open(client)

        await asyncio.gather(*(open_one(table) for table in tables))


async def begin_tables(tables, at_once=8):
    """Begin to play: when all tables are open, so that nobody plays at first and waits for the processor later."""
    gate = asyncio.Semaphore(at_once)

    async def begin_one(table):
        async with gate:
            await table.begin()

    await asyncio.gather(*(begin_one(table) for table in tables))


async def look_up(load, tables):
    """Look for everything that was acknowledged once more; ``load.lost`` counts what is not there."""
    looking = [table.players[0] for table in tables]
    for player in looking:
        player.pending.clear()
        player.join()
    until = time.perf_counter() + 30 + len(tables) / 100
    while any(player.pending for player in looking) and time.perf_counter() < until:
        await asyncio.sleep(0.1)
    load.errors["not answered"] += sum(bool(player.pending) for player in looking)
    load.errors += Counter()  # without those that are zero


def percentile(values, share):
    """Return a percentile of seconds in milliseconds."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000 if values else float("nan")
