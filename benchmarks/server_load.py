"""How many tables one server holds: live players at many tables, a move every few seconds at each.

    python benchmarks/server_load.py --tables 1000 --seconds 300
    python benchmarks/server_load.py --tables 200 --seconds 60 --kills 20

Starts a server of its own in a temporary folder. The players are in this process, the server in another.
Prints errors, lost moves, the time from a move sent to seen by the opponent, and the server's CPU per move. With
``--kills`` the server is killed at random moments and started again; whatever it acknowledged must be there.
"""

import argparse
import asyncio
import base64
import contextlib
import gc
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path

import httpx
import orjson
import uvloop

GAMES = ("yinsh", "trypsylon", "tryptic")
LIMITS = ("tables_per_hour=1000000", "visitors_per_hour=1000000", "requests_per_second=100000", "requests_burst=100000")
TICK = os.sysconf("SC_CLK_TCK")


class Wire(asyncio.Protocol):
    """A WebSocket client that does no more than it must, so that it does not measure itself."""

    def __init__(self, host, path, token, hear, lost):
        self.hear, self.lost = hear, lost
        self.buffer = bytearray()
        self.ready = asyncio.get_running_loop().create_future()
        key = base64.b64encode(os.urandom(16)).decode()
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n"
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
    """All players, and what they found out."""

    def __init__(self, asked):
        self.asked = asked
        self.errors = Counter()
        self.waits = []
        self.acks = []
        self.stolen = []
        self.acknowledged = 0
        self.lost = 0
        self.checked = 0
        self.measuring = False
        self.ending = False
        self.base = ""
        self.up = asyncio.Event()


class Table:
    """One table after the other with two players; a move every few seconds."""

    def __init__(self, load, game):
        self.load, self.game = load, game
        self.players = [Player(self, 0), Player(self, 1)]
        self.sent_at = {}
        self.acknowledged = []
        self.next_move = 0.0

    async def open(self, client):
        for player in self.players:
            answer = await client.post("/api/v1/visitors")
            player.token = answer.json()["visitor"]
        body = {"game": self.game, "seats": [{"kind": "me"}, {"kind": "link"}]}
        opened = (await client.post("/api/v1/tables", json=body, headers=self.players[0].headers)).json()
        self.id = opened["table"]
        key = {"key": opened["seats"][1]["key"]}
        await client.post(f"/api/v1/tables/{self.id}/seats", json=key, headers=self.players[1].headers)

    async def begin(self):
        self.next_move = time.perf_counter() + random.random() * self.load.asked.every
        await asyncio.gather(*(player.connect() for player in self.players))


class Player:
    """A player who makes random moves."""

    def __init__(self, table, seat):
        self.table, self.seat, self.load = table, seat, table.load
        self.count = 0
        self.wire = None
        self.pending = {}
        self.timer = None
        self.offered = None  # the table at which a rematch was asked for

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}"}

    async def connect(self):
        while not self.load.ending:
            await self.load.up.wait()
            host, port = self.load.base.removeprefix("http://").split(":")
            loop = asyncio.get_running_loop()
            try:
                wire = Wire(f"{host}:{port}", "/api/v1/live", self.token, self.hear, self.lost)
                await loop.create_connection(lambda wire=wire: wire, host, int(port))
                await wire.ready
            except OSError:
                await asyncio.sleep(0.1)
                continue
            self.wire = wire
            self.ask("join", language="en", scene=not self.load.asked.no_scenes)
            return

    def lost(self):
        if self.timer is not None:
            self.timer.cancel()
        self.pending.clear()
        if not self.load.ending:
            if not self.load.asked.kills:
                self.load.errors["connection lost"] += 1
            self.wire = None
            asyncio.get_running_loop().create_task(self.connect())

    def ask(self, kind, **fields):
        if self.wire is None:
            return
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
            self.table.acknowledged.append((asked["at"], asked["move"]))
            if self.load.measuring:
                self.load.acks.append(time.perf_counter() - when)

    def on_refused(self, message):
        asked, _ = self.pending.pop(message["id"], (None, 0))
        if self.load.asked.kills and message["code"] == "stale":
            return  # it was made before the server died
        self.load.errors[f"{asked and asked['type']} refused: {message['code']}"] += 1

    def on_table(self, message):
        made = [move["move"] for move in message["moves"]]
        if self.seat in [seat["seat"] for seat in message["seats"] if seat["mine"]]:
            self.seat_now = self.seat
        for at, move in self.table.acknowledged:
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
        self.think(message["mine"])

    def think(self, looks):
        self.mine = looks[0]["seat"]
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
        self.table.next_move = max(self.table.next_move + self.load.asked.every, now)
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
        self.ask("join", language="en", scene=not self.load.asked.no_scenes)


# --- the server ---------------------------------------------------------------------------------------


def start_server(folder, port=0):
    command = [sys.executable, "-m", "triskele.server", "--port", str(port), "--data", folder]
    for limit in LIMITS:
        command += ["--limit", limit]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    if "http://" not in line:
        raise SystemExit("the server did not start")
    return server, line.split()[-1].rstrip("/")


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory_mb(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def stolen_seconds():
    """How long the host of a virtual machine has kept its processors from it, all together."""
    with contextlib.suppress(OSError, IndexError):
        return int(Path("/proc/stat").read_text().split()[8]) / TICK
    return 0.0


async def watch_host(load):
    """Note how much the host takes away in each second: then it is not the server that is late."""
    before = stolen_seconds()
    while load.measuring:
        await asyncio.sleep(1)
        now = stolen_seconds()
        load.stolen.append(now - before)
        before = now


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000 if values else float("nan")


async def kill_often(load, box, folder, seconds):
    pauses = sorted(random.random() * seconds for _ in range(load.asked.kills))
    began = time.perf_counter()
    for pause in pauses:
        await asyncio.sleep(max(0.0, began + pause - time.perf_counter()))
        load.up.clear()
        os.kill(box["server"].pid, signal.SIGKILL)
        box["server"].wait()
        port = int(load.base.rpartition(":")[2])
        box["server"], load.base = await asyncio.to_thread(start_server, folder, port)
        load.up.set()
    await asyncio.sleep(max(0.0, began + seconds - time.perf_counter()))


async def run(asked):
    load = Load(asked)
    with tempfile.TemporaryDirectory(prefix="triskele-load-") as folder:
        box = {}
        box["server"], load.base = start_server(folder)
        load.up.set()
        try:
            await play(load, box, folder)
        finally:
            box["server"].terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                box["server"].wait(20)


async def play(load, box, folder):
    asked = load.asked
    tables = [Table(load, asked.games[i % len(asked.games)]) for i in range(asked.tables)]
    limits = httpx.Limits(max_connections=8)
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=load.base, limits=limits, timeout=60) as client:
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # each player is somebody else
        gate = asyncio.Semaphore(8)

        async def open_one(table):
            async with gate:
                await table.open(client)
                await table.begin()

        await asyncio.gather(*(open_one(table) for table in tables))
        print(f"{len(tables)} tables open after {time.perf_counter() - began:.1f} s", flush=True)
        await asyncio.sleep(asked.warm)
        await client.get("/api/v1/health")
        load.measuring = True
        watching = asyncio.create_task(watch_host(load))
        before, cpu, own = load.acknowledged, cpu_seconds(box["server"].pid), time.process_time()
        began = time.perf_counter()
        if asked.kills:
            await kill_often(load, box, folder, asked.seconds)
        else:
            await asyncio.sleep(asked.seconds)
        load.measuring = False
        lasted = time.perf_counter() - began
        await watching
        moves = load.acknowledged - before
        used, own = cpu_seconds(box["server"].pid) - cpu, time.process_time() - own
    health = httpx.get(f"{load.base}/api/v1/health").json()
    memory = memory_mb(box["server"].pid)
    # Everything acknowledged is there: everybody comes back once more and looks.
    load.ending = True
    await asyncio.sleep(1)
    for table in tables:
        table.players[0].ask("join", language="en", scene=False)
    await asyncio.sleep(3 + len(tables) / 300)
    report(load, moves, lasted, used, own, health, memory)


def report(load, moves, lasted, used, own, health, memory):
    print(f"{moves} moves in {lasted:.0f} s, {moves / lasted:.0f} a second; games: {', '.join(load.asked.games)}")
    print(f"errors: {dict(load.errors) or 'none'}; lost moves: {load.lost} of {load.checked} looked up")
    for name, values in (("seen by the opponent", load.waits), ("acknowledged", load.acks)):
        if values:
            shares = ", ".join(f"p{s * 100:g} {percentile(values, s):.1f} ms" for s in (0.5, 0.9, 0.99, 0.999))
            late = sum(value > 0.05 for value in values) / len(values)
            print(f"{name}: {shares}, longest {max(values) * 1000:.0f} ms, {late:.2%} over 50 ms")
    if any(load.stolen):
        worst = f"{max(load.stolen) * 1000:.0f} ms in the worst second"
        print(f"the host took away {sum(load.stolen) / lasted / os.cpu_count():.1%} of the processors, {worst}")
    if not load.asked.kills and moves:
        share = f"{used / lasted:.0%} of a core; players: {own / lasted:.0%}"
        print(f"server CPU: {used / moves * 1000:.2f} ms a move, {share}")
        print(f"event loop late by at most {health['lag_ms']} ms; {health['commits']} commits; {memory:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two moves at a table")
    parser.add_argument("--warm", type=float, default=5.0, help="seconds before measuring begins")
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--kills", type=int, default=0, help="kill the server so many times")
    parser.add_argument("--no-scenes", action="store_true", help="players as bots, who want no scenes")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # two connections a table
    gc.disable()  # what the players keep grows; looking through it would be measured as the server's delay
    uvloop.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
