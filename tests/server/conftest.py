"""Real servers on this machine, and visitors who play at them."""

import itertools
import json
import os
import random
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.support.books import Books
from tests.support.services import shared_services

Json = dict[str, Any]
PATIENCE = 30.0
"""How long a test waits for something that must come: long, since the machine may be busy."""
GENEROUS = (
    "requests_per_second=100000",
    "requests_burst=100000",
    "messages_per_second=100000",
    "messages_burst=100000",
    "tables_per_hour=100000",
    "visitors_per_hour=100000",
    "connections_per_visitor=1000",
)


class Refused(Exception):
    """The server refused something; ``code`` says what kind of refusal it is."""

    def __init__(self, answer: Json) -> None:
        super().__init__(answer["text"])
        self.code: str = answer["code"]


class Server:
    """A server process of a test's own."""

    def __init__(self, data: Path, *arguments: str, port: int = 0, generous: bool = True, **environment: str) -> None:
        limits = [part for limit in GENEROUS for part in ("--limit", limit)] if generous else []
        command = [sys.executable, "-m", "triskele.server", "--data", str(data), "--port", str(port)]
        # Plain rules: nothing here plays fast enough to be worth compiling.
        env = {**os.environ, "TRISKELE_PLAIN": "1", "PYTHONWARNINGS": "default", **environment}
        self.data = data
        self.log = data.parent / f"{data.name}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--seed-seconds", "0.2", *limits, *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                env=env,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, self.log.read_text()
        self.base = line.split()[-1].rstrip("/")
        self.port = int(self.base.rpartition(":")[2])

    def visitor(self) -> "Visitor":
        """Return somebody who was never here."""
        return Visitor(self.base)

    def kill(self) -> None:
        """Kill it without warning."""
        self.process.kill()
        self.end()

    def stop(self) -> None:
        """Stop it as one stops a server."""
        self.process.terminate()
        self.end()
        assert self.process.returncode == 0

    def end(self) -> None:
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Visitor:
    """Somebody with a browser, or a bot."""

    def __init__(self, base: str, token: str | None = None) -> None:
        self.base = base
        self.http = httpx.Client(base_url=base + "/api/v1", timeout=PATIENCE)
        self.token = token or self.http.post("/visitors").json()["visitor"]
        self.http.cookies.clear()
        self.http.headers["Authorization"] = f"Bearer {self.token}"
        self.lives: list[Live] = []

    def get(self, path: str, **query: Any) -> Any:
        """Return the answer to a request; raises ``Refused``."""
        return self._answer(self.http.get(path, params=query))

    def post(self, path: str, **body: Any) -> Any:
        """Return the answer to a request with a body; raises ``Refused``."""
        return self._answer(self.http.post(path, json=body))

    @staticmethod
    def _answer(response: httpx.Response) -> Any:
        if response.status_code >= 400:
            raise Refused(response.json()["error"])
        return response.json() if "json" in response.headers["content-type"] else response.text

    def open(self, game: str, *kinds: str, **more: Any) -> Json:
        """Open a table; ``engine3`` is an engine of level 3."""
        seats = [
            {"kind": "engine", "level": int(kind[6:])} if kind.startswith("engine") else {"kind": kind}
            for kind in kinds
        ]
        opened: Json = self.post("/tables", game=game, seats=seats, **more)
        return opened

    def live(self) -> "Live":
        """Connect."""
        live = Live(self)
        self.lives.append(live)
        return live

    def close(self) -> None:
        """Leave altogether."""
        for live in self.lives:
            live.close()
        self.http.close()


class Live:
    """A live connection: asks, waits for the answer, keeps what it hears meanwhile."""

    def __init__(self, visitor: Visitor, **headers: str) -> None:
        address = visitor.base.replace("http", "ws", 1) + "/api/v1/live"
        given = {"Authorization": f"Bearer {visitor.token}", **headers}
        self._opened = connect(
            address, additional_headers=given, max_size=2**24, open_timeout=PATIENCE, compression=None
        )
        self.visitor = visitor
        self.adopt(self._opened.__enter__())

    def adopt(self, socket: ClientConnection) -> None:
        """Use a connection that is open."""
        self.socket = socket
        self.count = itertools.count(1)
        self.heard: list[Json] = []
        self.raw: list[str] = []

    def close(self) -> None:
        """Close the connection."""
        self.socket.close()

    def receive(self, timeout: float = PATIENCE) -> Json:
        """Return the next message, whatever it is."""
        written = self.socket.recv(timeout)
        assert isinstance(written, str)
        self.raw.append(written)
        message: Json = json.loads(written)
        return message

    def say(self, kind: str, **fields: Any) -> str:
        """Send a message and return its id."""
        number = f"q{next(self.count)}"
        self.socket.send(json.dumps({"type": kind, "id": number, **fields}))
        return number

    def ask(self, kind: str, **fields: Any) -> Json:
        """Send a message and return its ``done``; raises ``Refused``."""
        number = self.say(kind, **fields)
        while True:
            message = self.receive()
            if message.get("id") == number:
                if message["type"] == "refused":
                    raise Refused(message)
                return message
            self.heard.append(message)

    def wait(self, wanted: Callable[[Json], bool] | str) -> Json:
        """Return the first message of a kind, of those heard already and those to come."""
        fits = (lambda message: message["type"] == wanted) if isinstance(wanted, str) else wanted
        for index, message in enumerate(self.heard):
            if fits(message):
                del self.heard[: index + 1]
                return message
        self.heard.clear()
        while not fits(message := self.receive()):
            pass
        return message

    def join(self, table: str, **more: Any) -> Json:
        """Follow a table and return the ``table`` message."""
        self.ask("join", table=table, **more)
        return self.wait("table")

    def closed_with(self) -> int:
        """Wait until the server closes the connection and return its code."""
        while True:
            try:
                self.receive()
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd is not None else 1006


class Game:
    """One player's picture of a table, kept up to date from messages as a page does it."""

    def __init__(self, live: Live, table: str) -> None:
        self.live = live
        self.table = table
        self.whole(live.join(table))

    def whole(self, message: Json) -> None:
        self.state = message
        self.seq = message["seq"]
        self.moves = [move["move"] for move in message["moves"]]
        self.looks = {look["seat"]: look for look in message["mine"]}
        self.base = message["seq"]
        self.over = message["outcome"] is not None

    def hear(self, message: Json) -> None:
        """Take a message in."""
        if "seq" in message and message["type"] != "done":
            assert self.seq <= message["seq"] <= self.seq + 1 or message["type"] == "table"
            self.seq = message["seq"]
        if message["type"] == "table":
            self.whole(message)
        elif message["type"] == "moved":
            assert message["at"] == len(self.moves)
            self.moves.append(message["move"])
            for look in message["mine"]:
                if "base" in look["scene"]:
                    assert look["scene"].pop("base") == self.base
                    look["scene"] = patched(self.looks[look["seat"]]["scene"], look["scene"])
                self.looks[look["seat"]] = look
            self.base = message["seq"]
        elif message["type"] == "ended":
            self.over = True

    def listen(self) -> None:
        """Take the next message in."""
        self.hear(self.live.heard.pop(0) if self.live.heard else self.live.receive())

    def until(self, wanted: Callable[[Json], bool]) -> Json:
        """Take messages in until one fits, and return it."""
        while True:
            message = self.live.heard.pop(0) if self.live.heard else self.live.receive()
            self.hear(message)
            if wanted(message):
                return message

    def to_act(self) -> int | None:
        """Return the seat of mine that is to act."""
        return next((seat for seat, look in self.looks.items() if look["moves"]), None)

    def choices(self) -> list[str]:
        """Return the moves of the seat of mine that is to act."""
        seat = self.to_act()
        return [] if seat is None else [text for text, _ in self.looks[seat]["moves"]]

    def move(self, text: str) -> None:
        """Make a move, and wait until it is told."""
        at = len(self.moves)
        self.live.ask("move", table=self.table, seat=self.to_act(), move=text, at=at)
        while len(self.moves) == at:
            self.listen()


class Player(threading.Thread):
    """Plays both seats of a table as fast as it can, through crashes, and keeps what was acknowledged.

    Refusals with the codes in ``forgiven`` are taken like a lost connection.
    """

    def __init__(self, person: Visitor, name: str, stop: threading.Event, forgiven: tuple[str, ...] = ()) -> None:
        super().__init__(daemon=True)
        self.person, self.stop, self.forgiven = person, stop, forgiven
        self.table: str = person.open(name, "me", "here")["table"]
        self.acknowledged: list[tuple[int, str]] = []
        self.lost: list[tuple[int, str]] = []
        self.refusals: list[str] = []
        self.comebacks = 0
        self.over = False
        self.problem: BaseException | None = None

    def run(self) -> None:
        while not self.stop.is_set():
            try:
                self.play()
            except (OSError, WebSocketException, EOFError):
                time.sleep(0.05)
            except BaseException as problem:
                if not isinstance(problem, Refused) or problem.code not in self.forgiven:
                    self.problem = problem
                    raise SystemExit from None
                self.refusals.append(problem.code)
                time.sleep(0.05)

    def play(self) -> None:
        live = Live(self.person)
        try:
            game = Game(live, self.table)
            self.comebacks += 1
            for at, move in self.acknowledged:
                if game.moves[at : at + 1] not in ([move], ["=***"]):
                    self.lost.append((at, move))
            while not self.stop.is_set() and not game.over:
                seat = game.to_act()
                choices = [text for text in game.choices() if text[0] not in "?!"]
                if not choices:  # the end is still to be told
                    game.listen()
                    continue
                move, at = random.choice(choices), len(game.moves)
                live.ask("move", table=self.table, seat=seat, move=move, at=at)
                self.acknowledged.append((at, move))
                while len(game.moves) == at:
                    game.listen()
        finally:
            live.close()
        if game.over:
            self.over = True
            self.stop.wait()


def patched(scene: Json, change: Json) -> Json:
    """Return a scene with a difference applied, as docs/live.md says."""

    def merged(old: list[Json], new: list[Json], gone: list[str], name: str) -> list[Json]:
        items = {item[name]: item for item in old if item[name] not in gone}
        return list((items | {item[name]: item for item in new}).values())

    return {
        **scene,
        "pieces": merged(scene["pieces"], change.pop("pieces", []), change.pop("gone", []), "id"),
        "places": merged(scene["places"], change.pop("places", []), change.pop("places_gone", []), "token"),
        **change,
    }


def same_scene(one: Json, other: Json) -> bool:
    """Whether two scenes show the same; the order of pieces in a layer does not matter."""

    def key(scene: Json) -> Json:
        pieces = sorted(scene["pieces"], key=lambda piece: piece["id"])
        return {**scene, "pieces": pieces, "places": sorted(scene["places"], key=lambda place: place["token"])}

    return key(one) == key(other)


def play(games: list[Game], rng: random.Random, most: int = 10_000, quiet: str = "", interrupted: bool = False) -> None:
    """Make random moves for the seats to act until the game is over; moves that begin like ``quiet`` are avoided.

    With ``interrupted`` an engine may move out of turn in between, so that a move comes too late.
    """
    for _ in range(most):
        while not any(game.over or game.to_act() is not None for game in games):
            games[0].listen()
            for game in games[1:]:
                while len(game.moves) < len(games[0].moves):
                    game.listen()
        if any(game.over for game in games):
            break
        mover = next(game for game in games if game.to_act() is not None)
        choices = mover.choices()
        try:
            mover.move(rng.choice([text for text in choices if text[0] not in quiet] or choices))
        except Refused as refusal:
            if not interrupted or refusal.code not in ("stale", "over"):
                raise
            mover.listen()
        for game in games:
            while len(game.moves) < len(mover.moves):
                game.listen()
    for game in games:
        while not game.over and any(other.over for other in games):
            game.listen()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do it no harm."""
    running = Server(tmp_path_factory.mktemp("server") / "data")
    yield running
    running.stop()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start a server of the test's own."""
    started: list[Server] = []

    def begin(*arguments: str, name: str = "data", **more: Any) -> Server:
        running = Server(tmp_path / name, *arguments, **more)
        started.append(running)
        return running

    yield begin
    for running in started:
        if running.process.poll() is None:
            running.stop()


@pytest.fixture
def visitor(server: Server) -> Iterator[Callable[..., Visitor]]:
    """Make visitors of the common server."""
    made: list[Visitor] = []

    def make(at: Server | None = None, token: str | None = None) -> Visitor:
        somebody = Visitor((at or server).base, token)
        made.append(somebody)
        return somebody

    yield make
    for somebody in made:
        somebody.close()


@pytest.fixture
def pair(visitor: Callable[..., Visitor]) -> Callable[..., tuple[Game, Game]]:
    """Let two visitors sit down at a table of theirs."""

    def sit(name: str = "yinsh", **more: Any) -> tuple[Game, Game]:
        ann, bob = visitor(), visitor()
        opened = ann.open(name, "me", "link", **more)
        bob.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"], name="Bob")
        return Game(ann.live(), opened["table"]), Game(bob.live(), opened["table"])

    return sit


@pytest.fixture(scope="session")
def refused() -> Callable[..., str]:
    """Return a function that makes a call which must be refused, and returns the code."""

    def code_of(call: Callable[..., Any], /, *arguments: Any, **named: Any) -> str:
        with pytest.raises(Refused) as error:
            call(*arguments, **named)
        return error.value.code

    return code_of


class Kit:
    """What tests need from here: they are found by path and cannot import it."""

    Game, Live, Player, Refused, Server, Visitor = Game, Live, Player, Refused, Server, Visitor
    play = staticmethod(play)
    same_scene = staticmethod(same_scene)


@pytest.fixture(scope="session")
def kit() -> type[Kit]:
    """Return what tests need from here."""
    return Kit


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[tuple[str, ...], str]]:
    """Return the options that let servers share a database and a bus, and the secret they share."""
    with shared_services() as (database, bus):
        yield ("--database", database, "--bus", bus), secrets.token_hex(32)


@pytest.fixture(scope="module")
def one_more(
    shared: tuple[tuple[str, ...], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], Server]]:
    """Start servers that share everything."""
    options, secret = shared
    started: list[Server] = []

    def start() -> Server:
        folder = tmp_path_factory.mktemp("shared") / "data"
        started.append(Server(folder, *options, TRISKELE_SECRET=secret))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="module")
def both(one_more: Callable[[], Server]) -> list[Server]:
    """Return two servers that share everything."""
    return [one_more(), one_more()]


@pytest.fixture
def books() -> Iterator[Callable[..., Books]]:
    """Return a way to the database of a server: at a URL, or in its data folder."""
    made: list[Books] = []

    def open_books(server: Server, url: str | None = None) -> Books:
        made.append(Books(url or f"sqlite:///{server.data / 'tables.sqlite3'}"))
        return made[-1]

    yield open_books
    for each in made:
        each.engine.dispose()
