"""People in the lobby, for benchmarks of the server: many in one process, some of whom make seeks all the time."""

import asyncio
import random
import time
from http.cookiejar import DefaultCookiePolicy

import httpx
import orjson
from live_players import Wire, percentile

EVERY = 60.0
"""Each makes a seek about so often (in seconds), and withdraws it a few seconds later."""
OPEN_SECONDS = 5.0
BROWSERS_OF_AN_ADDRESS = 50
OUTAGE_CODES = ("busy", "unknown-seek", "not-in-lobby")
"""What may be refused after an outage: a seek is gone with the process that it was made at."""


class Person:
    """A guest who follows the lobby."""

    def __init__(self, lobby, number):
        self.lobby, self.number = lobby, number
        self.count = 0
        self.wire = None
        self.asked = {}

    async def enter(self, client):
        number = self.number // BROWSERS_OF_AN_ADDRESS
        headers = {"X-Forwarded-For": f"198.19.{number // 250 % 250}.{number % 250 + 1}"}
        answer = await client.post("/api/v1/visitors", headers=headers)
        headers["Authorization"] = f"Bearer {answer.json()['visitor']}"
        self.headers = headers
        await self.connect()

    async def connect(self):
        host, port = self.lobby.base(self.number).removeprefix("http://").split(":")
        wire = Wire(f"{host}:{port}", "/api/v1/live", self.headers, self.hear, self.lost)
        await asyncio.get_running_loop().create_connection(lambda: wire, host, int(port))
        await wire.ready
        self.wire = wire
        self.ask("lobby", name=f"Guest {self.number}")

    async def come_back(self):
        """Connect again, as pages do: not all in the same moment."""
        while not self.lobby.ending:
            await self.lobby.up.wait()
            await asyncio.sleep(random.random())
            try:
                async with self.lobby.doors:
                    await self.connect()
            except OSError:
                continue
            self.lobby.comebacks += 1
            return

    def ask(self, kind, **fields):
        if self.lobby.ending or self.wire is None:
            return
        self.count += 1
        self.asked[str(self.count)] = kind
        self.wire.send({"type": kind, "id": str(self.count), **fields})

    def hear(self, payload):
        self.lobby.bytes += len(payload)
        if payload.startswith(b'{"type":"lobby-changed"') and self.number:
            return  # the first one reads for all: it is the server that is measured
        message = orjson.loads(payload)
        if message["type"] == "done" and "seek" in message:
            self.lobby.made[message["seek"]] = time.perf_counter()
            asyncio.get_running_loop().call_later(OPEN_SECONDS, lambda: self.ask("withdraw", seek=message["seek"]))
        elif message["type"] == "refused" and not (self.lobby.outages and message["code"] in OUTAGE_CODES):
            self.lobby.errors.append(f"{self.asked.get(message['id'])}: {message['code']}")
        elif message["type"] == "lobby-changed":
            self.lobby.see(message)

    def lost(self):
        self.wire = None
        if self.lobby.ending:
            return
        if self.lobby.outages:
            self.lobby.tasks.add(asyncio.get_running_loop().create_task(self.come_back()))
        else:
            self.lobby.errors.append("connection lost")


class LobbyPeople:
    """All of them, and what they found out: seconds from a seek made to a seek seen, bytes received, errors."""

    def __init__(self, bases, number, up, outages=False):
        self._bases = bases
        self.up, self.outages = up, outages
        self.comebacks = 0
        self.tasks = set()
        self.doors = asyncio.Semaphore(16)
        self.people = [Person(self, each) for each in range(number)]
        self.made, self.waits, self.errors = {}, [], []
        self.bytes = 0
        self.ending = False
        self._task = None

    def base(self, number):
        return self._bases[number % len(self._bases)]

    async def enter(self):
        began, limit = time.perf_counter(), asyncio.Semaphore(16)

        async def one(person, client):
            async with limit:
                await person.enter(client)

        async with httpx.AsyncClient(base_url=self._bases[0], timeout=60) as client:
            client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # each is somebody else
            await asyncio.gather(*(one(person, client) for person in self.people))
        print(f"{len(self.people)} people in the lobby after {time.perf_counter() - began:.1f} s", flush=True)
        self._task = asyncio.create_task(self._seek())

    async def _seek(self):
        while True:
            await asyncio.sleep(EVERY / len(self.people))
            random.choice(self.people).ask("seek", game=self.game, seats=2)

    game = ""

    def see(self, message):
        for seek in message["seeks"]:
            made = self.made.pop(seek["seek"], None)
            if made is not None:
                self.waits.append(max(0.0, time.perf_counter() - made))

    def leave(self):
        self.ending = True
        self._task.cancel()
        for person in self.people:
            if person.wire is not None:
                person.wire.transport.close()

    def report(self, lasted):
        shares = ", ".join(f"p{share * 100:g} {percentile(self.waits, share):.0f} ms" for share in (0.5, 0.99))
        print(
            f"lobby: {len(self.waits)} seeks seen by others after {shares}; {self.bytes / lasted / 1e6:.2f} MB/s in all"
        )
        if self.outages:
            print(f"lobby: {self.comebacks} came back after outages")
        print(f"errors in the lobby: {', '.join(sorted(set(self.errors))) or 'none'} ({len(self.errors)})")
