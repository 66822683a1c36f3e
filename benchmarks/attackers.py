"""The attacks of ``attacks.py``, each an async function that runs in a process of its own.

Every attack gets a :class:`Target` and a number of seconds, and returns in words what it did. All connections come from
one address, which is not this machine's for the server: it is said in ``X-Forwarded-For``, as a proxy would.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
import time
from collections import Counter

import httpx
import psutil

import triskele

GAME = next(game.name for game in triskele.games() if game.is_combinatorial)
"""What is played at the tables of attackers: an open game of two."""
FIRST_MOVE = triskele.new(GAME).legal_moves[0].text

ADDRESS = {"X-Forwarded-For": "203.0.113.66"}
MASK = b"\0\0\0\0"
CHUNK_SECONDS = 0.02
PUBLIC = ("/", "/api/v1/words/en", "/api/v1/openapi.json", "/api/v1/games?language=en")
CHANNEL = "triskele:tables"


class Target:
    """A server to attack: where it is, and for two attacks its bus and its worker processes."""

    def __init__(self, base, bus=None, pids=()):
        self.base, self.bus, self.pids = base, bus, pids
        self.host, port = base.removeprefix("http://").split(":")
        self.port = int(port)
        self.client = httpx.AsyncClient(base_url=f"{base}/api/v1", headers=ADDRESS, timeout=60)
        self.done = Counter()

    async def visitor(self):
        """Become somebody new; return the headers that say so."""
        answer = (await self.client.post("/visitors")).raise_for_status()
        self.client.cookies.clear()
        return {**ADDRESS, "Authorization": f"Bearer {answer.json()['visitor']}"}

    async def open(self, who, game, *kinds):
        """Open a table; return its id."""
        seats = [{"kind": kind, **({"level": 10} if kind == "engine" else {})} for kind in kinds]
        answer = await self.client.post("/tables", json={"game": game, "seats": seats}, headers=who)
        return answer.raise_for_status().json()["table"]

    async def connect(self, who=None):
        """Open a WebSocket; return its streams. ``ConnectionError`` if it is refused."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write(request("GET", "/api/v1/live", self, upgrade=True, **(who or ADDRESS)))
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            writer.close()
            raise ConnectionError(head.split(b"\r\n")[0].decode())
        return reader, writer


def request(method, path, target, body=None, upgrade=False, **headers):
    """Return a request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {target.host}:{target.port}"]
    if upgrade:
        headers |= {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        headers["Sec-WebSocket-Key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (body or b"")


def frame(kind, payload=b"", final=True):
    """Return a WebSocket frame of a client."""
    size = len(payload)
    length = bytes([128 | size]) if size < 126 else bytes([254]) + size.to_bytes(2, "big")
    return bytes([(128 if final else 0) | kind]) + length + MASK + payload


async def flood(target, seconds, first, repeated, rate):
    """Send frames at ``rate`` bytes a second over one connection after the other, and read nothing but the head."""
    who = await target.visitor()
    began = time.monotonic()
    until = began + seconds
    chunk = repeated * max(1, int(rate * CHUNK_SECONDS / len(repeated)))
    while time.monotonic() < until:
        try:
            reader, writer = await target.connect(who)
        except (OSError, asyncio.IncompleteReadError):
            target.done["refused"] += 1
            await asyncio.sleep(0.2)
            continue
        with contextlib.suppress(OSError):
            writer.write(first)
            while time.monotonic() < until and not reader.at_eof():
                writer.write(chunk)
                await asyncio.wait_for(writer.drain(), 5)
                target.done["bytes"] += len(chunk)
                pause = began + target.done["bytes"] / rate - time.monotonic()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(65536), max(pause, 0.001))
        target.done["connections"] += 1
        await asyncio.sleep(max(0, began + target.done["bytes"] / rate - time.monotonic()))
        writer.transport.abort()


async def empty_fragments(target, seconds):
    """Empty fragments of one message at 1.3 MB/s."""
    await flood(target, seconds, frame(1, b"", final=False), frame(0, b"", final=False), 1.3e6)


async def pongs(target, seconds):
    """Pongs that nobody asked for at 1.3 MB/s."""
    await flood(target, seconds, b"", frame(10), 1.3e6)


async def unread_pongs(target, seconds):
    """Pings whose pongs are never read, over 20 connections."""
    who, until = await target.visitor(), time.monotonic() + seconds
    pings = frame(9, b"x" * 125) * 100

    async def one():
        while time.monotonic() < until:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                _, writer = await target.connect(who)
                writer.transport.pause_reading()
                target.done["connections"] += 1
                try:
                    while time.monotonic() < until:
                        writer.write(pings)
                        await asyncio.wait_for(writer.drain(), 2)
                        target.done["pings"] += 100
                        await asyncio.sleep(0.02)
                finally:
                    writer.transport.abort()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one() for _ in range(20)))


async def unread_answers(target, seconds):
    """Answers of HTTP that are never read: 200 connections, each with many requests."""
    until = time.monotonic() + seconds
    asked = b"".join(request("GET", path, target, **ADDRESS) for path in itertools.islice(itertools.cycle(PUBLIC), 20))

    async def one():
        while time.monotonic() < until:
            with contextlib.suppress(OSError, TimeoutError):
                _, writer = await asyncio.open_connection(target.host, target.port)
                writer.transport.pause_reading()
                target.done["connections"] += 1
                try:
                    writer.write(asked)
                    await asyncio.sleep(max(0, until - time.monotonic()))
                finally:
                    writer.transport.abort()

    await asyncio.gather(*(one() for _ in range(200)))


async def trickling_bodies(target, seconds):
    """Bodies of which a byte comes every second, over 200 connections."""
    until = time.monotonic() + seconds

    async def one():
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(target.host, target.port)
                headers = {**ADDRESS, "Content-Length": 60000, "Content-Type": "application/json"}
                writer.write(request("POST", "/api/v1/tables", target, **headers))
                target.done["connections"] += 1
                while time.monotonic() < until and not reader.at_eof():
                    writer.write(b" ")
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(65536), 1)
                writer.transport.abort()
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one() for _ in range(200)))


async def pictures(target, seconds):
    """24 PNG pictures at once, again and again, of first positions: after the first of each the cache may answer."""
    who, until = await target.visitor(), time.monotonic() + seconds
    games = [game["name"] for game in (await target.client.get("/games")).json()]
    tables = []
    for game in games:
        with contextlib.suppress(httpx.HTTPError):
            tables.append(await target.open(who, game, "me", "here"))
    numbers = itertools.count()

    async def one():
        wanted = {"theme": random.choice(("light", "dark")), "at": 0, "n": next(numbers)}
        answer = await target.client.get(f"/tables/{random.choice(tables)}/picture.png", params=wanted, headers=who)
        target.done[str(answer.status_code)] += 1

    while time.monotonic() < until:
        await asyncio.gather(*(one() for _ in range(24)), return_exceptions=True)


async def many_connections(target, seconds):
    """Connections that are opened and dropped at once: 17,653 in 25 seconds."""
    who, until = await target.visitor(), time.monotonic() + seconds
    rate = 17_653 / 25
    began = time.monotonic()
    tasks = set()

    async def one():
        try:
            _, writer = await asyncio.wait_for(target.connect(who), 10)
            target.done["opened"] += 1
            writer.transport.abort()
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            target.done["refused"] += 1

    for number in itertools.count(1):
        wait = began + number / rate - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        if time.monotonic() > until:
            break
        task = asyncio.create_task(one())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        if len(tasks) > 200:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.gather(*tasks)


async def long_records(target, seconds):
    """A record of 4 MB with 162,726 moves, and one with 20,000, four at a time."""
    who, until = await target.visitor(), time.monotonic() + seconds
    head = {"format": "triskele-record/1", "game": GAME, "options": {}}
    longest = json.dumps({**head, "moves": [{"text": FIRST_MOVE}] * 162_726}, separators=(",", ":"))
    longest += " " * max(0, 4 * 1024 * 1024 - len(longest))
    allowed = json.dumps({**head, "moves": [{"text": FIRST_MOVE, "seat": 0, "ms": 1}] * 20_000})

    async def one(body):
        answer = await target.client.post("/records", content=body, headers=who)
        target.done[f"{answer.status_code} {answer.json()['error']['code'] if answer.is_error else 'read'}"] += 1

    while time.monotonic() < until:
        await asyncio.gather(*(one(body) for body in (longest, allowed) * 2), return_exceptions=True)


async def move_and_undo(target, seconds):
    """Moves and undos at 300 rows a second: 15 tables of one visitor, each over a connection of its own."""
    who, until = await target.visitor(), time.monotonic() + seconds

    async def one():
        table = await target.open(who, GAME, "me", "here")
        reader, writer = await target.connect(who)

        async def swallow():
            while await reader.read(65536):
                pass

        reading = asyncio.create_task(swallow())
        numbers = itertools.count()

        def send(kind, **more):
            message = {"type": kind, "id": str(next(numbers)), "table": table, "seat": 0, **more}
            writer.write(frame(1, json.dumps(message).encode()))

        writer.write(frame(1, json.dumps({"type": "join", "id": "j", "table": table, "scene": True}).encode()))
        while time.monotonic() < until and not reading.done():
            send("move", move="e5", at=0)
            send("undo")
            target.done["rows"] += 2
            await asyncio.sleep(0.1)
        writer.transport.abort()
        await asyncio.wait([reading], timeout=2)

    await asyncio.gather(*(one() for _ in range(15)), return_exceptions=True)


async def engine_tables(target, seconds):
    """Sixty tables of one visitor at which only engines of level 10 play, all watched."""
    who, until = await target.visitor(), time.monotonic() + seconds
    tables = [await target.open(who, GAME, "engine", "engine") for _ in range(60)]
    for start in (0, 30):
        reader, writer = await target.connect(who)
        for number, table in enumerate(tables[start : start + 30]):
            message = {"type": "join", "id": f"j{number}", "table": table, "scene": False}
            writer.write(frame(1, json.dumps(message).encode()))
        target.done["tables"] += 30
        asyncio.get_running_loop().create_task(_count_bytes(target, reader))
    await asyncio.sleep(max(0, until - time.monotonic()))


async def _count_bytes(target, reader):
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            target.done["moves heard"] += data.count(b'"moved"')


async def killed_workers(target, seconds):
    """A worker process is killed every five seconds while sixty tables of engines ask."""
    until = time.monotonic() + seconds
    asking = asyncio.create_task(engine_tables(target, seconds))
    while time.monotonic() < until - 2:
        await asyncio.sleep(5)
        workers = [each for pid in target.pids for each in psutil.Process(pid).children() if _is_worker(each)]
        target.done["most processes"] = max(target.done["most processes"], len(workers))
        if workers:
            os.kill(random.choice(workers).pid, 9)
            target.done["killed"] += 1
    await asking


def _is_worker(process):
    try:
        return "spawn_main" in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


async def foreign_messages(target, seconds):
    """Messages on the bus that no server process has sent, a hundred a second."""
    import redis.asyncio

    client = redis.asyncio.from_url(target.bus)
    until = time.monotonic() + seconds
    strange = [b"hello", b"\xff\xfe", b"[]", b"null", b'{"table": 5}', b'{"process": "p", "table": null}', b"{" * 9999]
    while time.monotonic() < until:
        for message in random.choices(strange, k=10):
            await client.publish(CHANNEL, message)
            target.done["messages"] += 1
        await asyncio.sleep(0.1)
    await client.aclose()


async def sign_ups(target, seconds):
    """A thousand sign-ups a minute from one address, each with a password that has to be hashed."""
    for number in itertools.count():
        began = time.monotonic()
        if seconds <= 0:
            return
        body = {"name": f"Crowd {os.getpid()} {number}", "password": "seven violet otters"}
        answer = await target.client.post("/accounts", json=body)
        target.client.cookies.clear()
        target.done[f"status {answer.status_code}"] += 1
        await asyncio.sleep(max(0.0, 0.06 - (time.monotonic() - began)))
        seconds -= time.monotonic() - began


async def offers(target, seconds):
    """Offers in the lobby by the thousand, of as many guests as one address may be."""
    until = time.monotonic() + seconds
    enter = frame(1, json.dumps({"type": "lobby", "id": "1", "name": "Crowd"}).encode())
    seek = frame(1, json.dumps({"type": "seek", "id": "2", "game": GAME}).encode())
    kept = []
    while time.monotonic() < until:
        try:
            reader, writer = await target.connect(await target.visitor())
        except (OSError, httpx.HTTPError, asyncio.IncompleteReadError):
            target.done["refused"] += 1
            await asyncio.sleep(0.05)
            continue
        kept.append(asyncio.create_task(_count_answers(target, reader)))
        with contextlib.suppress(OSError):
            writer.write(enter + 10 * seek)
            await writer.drain()
        target.done["offers"] += 10
    for task in kept:
        task.cancel()


async def _count_answers(target, reader):
    """Count the offers of a connection that are refused."""
    while data := await reader.read(65536):
        target.done["offers refused"] += data.count(b"too-many-seeks")


ATTACKS = {
    "empty fragments": empty_fragments,
    "unsolicited pongs": pongs,
    "unread pongs": unread_pongs,
    "unread answers": unread_answers,
    "trickling bodies": trickling_bodies,
    "24 pictures at once": pictures,
    "17,653 connections": many_connections,
    "4 MB records": long_records,
    "move and undo": move_and_undo,
    "60 tables of engines": engine_tables,
    "killed workers": killed_workers,
    "messages on the bus": foreign_messages,
    "1,000 sign-ups a minute": sign_ups,
    "offers by the thousand": offers,
}


def attack(name, seconds, base, bus, pids, results):
    """Run an attack in this process, and put what it did into a queue: counts by name."""
    os.nice(5)  # an attacker's machine is another one; here it must not take the players' processor

    async def run():
        target = Target(base, bus, pids)
        try:
            async with asyncio.timeout(seconds + 30):
                await ATTACKS[name](target, seconds)
        except Exception as error:
            target.done[f"failed: {type(error).__name__}: {error}"[:80]] += 1
        results.put(dict(target.done))

    asyncio.run(run())
