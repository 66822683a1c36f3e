"""A real server, a real Chromium, and people who play in it: everything they do goes through the page."""

import functools
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Locator,
    Page,
    Playwright,
    WebSocket,
    sync_playwright,
)

Json = dict[str, Any]
PATIENCE = 30.0
"""How long a test waits for something that must come: long, since the machine may be busy."""
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_LIMITS = (
    "requests_per_second=100000",
    "requests_burst=100000",
    "messages_per_second=1000",
    "messages_burst=1000",
    "tables_per_hour=10000",
    "visitors_per_hour=10000",
)


_IN_SIGHT = """where => {
    for (const each of where) {
        const found = document.querySelector(each);
        if (!found) continue;
        const box = found.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (found.contains(document.elementFromPoint(x, y))) return [x, y];
    }
    return null;
}"""
"""The middle of the first of some elements that is there and not covered by another."""


_COUNT = """token => {
    const slider = document.querySelector(".actions input.amount");
    if (!slider || slider.hidden || !/^[a-z]?[0-9]+$/.test(token)) return;
    for (let step = 0; step <= Number(slider.max); step++) {
        slider.value = String(step);
        if (slider.dataset.numbers.split(" ")[step] === token)
            return slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
}"""
"""Where it is chosen how many, choose so many."""


class Server:
    """A server process on a free port; it can be stopped and started again on the same port and data."""

    program = "triskele.server"

    def __init__(self, data: Path, environment: Mapping[str, str] = MappingProxyType({}), *arguments: str) -> None:
        """Keep tables in a folder; ``environment`` adds to that of the process, ``arguments`` to those of the command.

        ``url`` is where browsers find it: at a proxy, if a test has put one in front of it.
        """
        self.data = data
        self.arguments = arguments
        self.port = 0
        self.environment = environment
        self.start()

    def start(self) -> None:
        limits = [part for limit in _LIMITS for part in ("--limit", limit)]
        command = [sys.executable, "-m", self.program, "--host", "127.0.0.1", "--port", str(self.port)]
        with (self.data.parent / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--data", str(self.data), "--seed-seconds", "0.5", *limits, *self.arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "TRISKELE_PLAIN": "1", "PYTHONWARNINGS": "default", **self.environment},
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, (self.data.parent / "server.log").read_text()
        self.url = line.split()[-1].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def server_kind() -> type[Server]:
    """Return the class of servers, for tests that need one of their own: they cannot import it from here."""
    return Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server") / "data")
    yield running
    running.stop()


def _chromium(playwright: Playwright) -> str:
    """Return the browser to test in; without one the tests fail and say so."""
    own = playwright.chromium.executable_path
    found = shutil.which("chromium") or (own if Path(own).is_file() else None)
    if found is None:
        pytest.fail(
            "The page is tested in a real Chromium, and there is none: `make browser` brings one.", pytrace=False
        )
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=_chromium(playwright), args=list(_ARGUMENTS))
        yield launched
        launched.close()


class Visitor:
    """A person with a browser, and all that reached it."""

    def __init__(self, context: BrowserContext, base: str) -> None:
        self.context = context
        self.base = base
        self.page: Page = context.new_page()
        self.problems: list[str] = []
        self.frames: list[str] = []
        self.bodies: list[str] = []
        self.requested: list[str] = []
        self.table: Json = {}
        self.looks: dict[int | None, Json] = {}
        self.excused: tuple[str, ...] = ()
        self.page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("websocket", self._listen)
        context.on("request", lambda request: self.requested.append(request.url))

    def keep_bodies(self) -> None:
        """Keep the body of every answer from now on."""

        def keep(response: Any) -> None:
            if response.status == 200 and "/api/" in response.url:
                self.bodies.append(response.text())

        self.page.on("requestfinished", lambda request: keep(request.response()))

    def _listen(self, socket: WebSocket) -> None:
        self.requested.append(socket.url)
        socket.on("framereceived", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        self.frames.append(text)
        message = json.loads(text)
        if message["type"] == "table":
            self.table = {**message, "made": len(message["moves"])}
        elif message["type"] == "moved":
            self.table |= {"turn": message["turn"], "made": message["at"] + 1}
        elif message["type"] == "seats":
            self.table |= {"seats": message["seats"]}
        elif message["type"] == "ended":
            self.table |= {"outcome": message["outcome"], "turn": None}
        for look in message.get("mine", []):
            self.looks[look["seat"]] = look

    # --- waiting ------------------------------------------------------------------------------------

    def until(self, holds: Callable[[], Any], what: str = "") -> None:
        """Wait for something that must come."""
        for _ in range(int(PATIENCE * 50)):
            if holds():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"waited in vain for {what or holds}; on the page: {self.page.inner_text('main')[:800]}")

    def until_asked(self) -> None:
        """Wait until the page lets something on the board be chosen."""
        self.page.locator(".board .place.lit").first.wait_for(timeout=PATIENCE * 1000)

    def hears_of(self, made: int) -> None:
        """Wait until so many moves have arrived, or the game is over."""
        self.until(lambda: self.table["made"] >= made or self.over, "the move to arrive")

    def sees(self, words: str) -> None:
        """Wait for words on the page."""
        self.page.get_by_text(words).first.wait_for(timeout=PATIENCE * 1000)

    # --- coming to a table ----------------------------------------------------------------------------

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def open(
        self, game: str, seats: list[Json], options: Json | None = None, first: str | int = "order", **more: Any
    ) -> Json:
        """Open a table as the form would, and sit down at it."""
        plan = {"game": game, "options": options or {}, "seats": seats, "first": first, "private": True, **more}
        answer = self.page.request.post(f"{self.base}/api/v1/tables", data=plan)
        assert answer.ok, answer.text()
        opened: Json = answer.json()
        self.join(opened["table"])
        return opened

    def join(self, table: str, key: str = "", name: str = "") -> None:
        """Open a table's page, with a link's key if there is one; where it asks for a name, give one."""
        self.table, self.looks = {}, {}
        self.go(f"/table/{table}" + (f"#{key}" if key else ""))
        if key:
            asked = self.page.locator(".invited input")
            self.until(lambda: self.table or asked.count(), "the table, or the question for a name")
            if asked.count():
                if name:
                    asked.fill(name)
                self.page.locator(".invited button.primary").click()
        self.until(lambda: self.table and self.page.locator(".stage .strip").count(), "the table")

    def reload(self) -> None:
        """Load the page of the table again, and wait for what it is told then."""
        made, told = self.table["made"], len(self.frames)
        self.page.reload()
        self.until(lambda: any(json.loads(frame)["type"] == "table" for frame in self.frames[told:]), "the table again")
        assert self.table["made"] >= made

    # --- playing ----------------------------------------------------------------------------------------

    @property
    def mine(self) -> list[int]:
        return [seat["seat"] for seat in self.table["seats"] if seat["mine"]]

    @property
    def over(self) -> bool:
        return self.table["outcome"] is not None

    @property
    def my_turn(self) -> bool:
        turn = self.table["turn"]
        return turn in self.mine and bool(self.looks.get(turn, {}).get("moves"))

    def moves(self) -> dict[str, list[list[str]]]:
        """The moves that the seat to act here can make, with their spellings."""
        return dict(self.looks[self.table["turn"]]["moves"])

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def lift_curtain(self) -> None:
        curtain = self.page.locator(".curtain:not([hidden]) button")
        if curtain.count():
            curtain.click()

    def touch(self, token: str, unless: Callable[[], bool] = lambda: False) -> None:
        """Choose a token where the page offers it: in a picker, as a button, on the board."""
        where = (
            f'.picker .letter[data-token="{token}"]:not(:disabled)',
            f'.actions [data-token="{token}"]',
            f'.board .place.lit[data-token="{token}"]',
        )
        found: list[list[float]] = []

        def offered() -> bool:
            self.page.evaluate(_COUNT, token)
            at = self.page.evaluate(_IN_SIGHT, where)
            found.extend([at] if at else [])
            return bool(found)

        self.until(lambda: unless() or offered(), f"the token {token}")
        if found:
            self.page.mouse.click(*found[0])

    def is_done(self, token: str, before: int) -> bool:
        """Return whether a token need not be chosen: a place stands for the whole move, or it was chosen by itself."""
        return self.table["made"] > before or self.is_chosen(token)

    def is_chosen(self, token: str) -> bool:
        """Return whether a place is chosen and cannot be chosen once more."""
        return bool(self.page.locator(f'.board .place[data-token="{token}"][aria-pressed="true"]:not(.lit)').count())

    def make(self, move: str) -> None:
        """Enter a move as a person does in turn, token by token, and confirm where the page asks."""
        self.until(lambda: self.my_turn, f"the turn for {move}")
        before = self.table["made"]
        tokens = self.moves()[move][0]
        self.lift_curtain()
        put, yes = self.button("Place it"), self.button("Confirm")
        for token in tokens:
            self.touch(token, unless=functools.partial(self.is_done, token, before))
        if put.count():
            put.click()
        self.until(lambda: self.table["made"] > before or yes.count(), f"the move {move}")
        if self.table["made"] == before:
            yes.click()
            self.until(lambda: self.table["made"] > before, f"the move {move}")


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Make visitors, each with a browser context; afterwards nothing may have gone wrong in any of them."""
    made: list[Visitor] = []

    def new(**context: Any) -> Visitor:
        chosen = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce", "locale": "en-GB", **context}
        made.append(Visitor(browser.new_context(**chosen), server.url))
        return made[-1]

    yield new
    for visitor in made:
        left = [problem for problem in visitor.problems if not any(text in problem for text in visitor.excused)]
        foreign = [url for url in visitor.requested if urlsplit(url).netloc != urlsplit(visitor.base).netloc]
        visitor.context.close()
        assert not left
        assert not foreign


@pytest.fixture
def authenticator() -> Callable[[Visitor], tuple[CDPSession, str]]:
    """Return a function that gives a browser Chromium's virtual authenticator, as a phone has one built in."""

    def add(somebody: Visitor) -> tuple[CDPSession, str]:
        session = somebody.context.new_cdp_session(somebody.page)
        session.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        return session, made["authenticatorId"]

    return add


Chooser = Callable[[Visitor], str]


def play_out(visitors: list[Visitor], choose: Chooser, between: Callable[[int], None] = lambda made: None) -> None:
    """Let visitors play until the game is over; ``choose`` says what the one to act does."""
    for count in itertools.count():
        for visitor in visitors:
            visitor.until(lambda v=visitor: v.over or any(each.my_turn for each in visitors), "a turn")  # type: ignore[misc]
        if all(visitor.over for visitor in visitors):
            return
        assert count < 400, "the game does not end"
        acting = next((visitor for visitor in visitors if not visitor.over and visitor.my_turn), None)
        if acting is None:
            visitors[0].page.wait_for_timeout(20)
            continue
        acting.make(choose(acting))
        made = acting.table["made"]
        for visitor in visitors:
            visitor.hears_of(made)
        between(made)


@pytest.fixture
def play() -> Callable[..., None]:
    return play_out
