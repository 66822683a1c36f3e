"""A server that sends notices to receivers on this machine, and people with accounts there."""

import contextlib
import itertools
import json
import os
import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.support.receivers import PATIENCE, PushBrowser, Web, post_office, until

PASSWORD = "seven violet otters"
SITE = "https://play.example"
QUICK = ("notice_wait_seconds=0.3", "notice_retry_seconds=0.2", "notice_seconds=2", "notice_tries=3")
_numbers = itertools.count(1)


class Member:
    """Somebody with an account, at a browser: what it does at tables needs no look at them."""

    def __init__(self, base: str, name: str = "Ann", site: str | None = SITE) -> None:
        headers = {"Host": site.rpartition("/")[2], "Origin": site} if site else {}
        self.base, self.name = base, f"{name} {next(_numbers)} {os.getpid()}"
        self.http = httpx.Client(base_url=f"{base}/api/v1", timeout=PATIENCE, headers=headers)
        self.http.event_hooks["response"].append(self._keep)
        self._lives: list[Any] = []
        self._own: Any = None
        self._requests = itertools.count(1)
        self.post("/accounts", name=self.name, password=PASSWORD)

    def _keep(self, answer: httpx.Response) -> None:
        # The cookie of a server with HTTPS would not be sent over HTTP.
        for cookie in answer.headers.get_list("set-cookie"):
            name, _, rest = cookie.partition("=")
            if "triskele-session" in name:
                self.http.headers["Cookie"] = f"{name}={rest.split(';')[0]}"

    def get(self, path: str) -> Any:
        return self._answer(self.http.get(path))

    def post(self, path: str, **body: Any) -> Any:
        return self._answer(self.http.post(path, json=body))

    @staticmethod
    def _answer(answer: httpx.Response) -> Any:
        assert answer.status_code < 400, answer.text
        return answer.json()

    def refused(self, path: str, **body: Any) -> str:
        """Return the code of a refusal."""
        answer = self.http.post(path, json=body)
        assert answer.status_code >= 400
        return str(answer.json()["error"]["code"])

    # --- at tables --------------------------------------------------------------------------------------

    def live(self) -> Any:
        """Return a new live connection."""
        headers = {name: self.http.headers[name] for name in ("Cookie", "Host", "Origin") if name in self.http.headers}
        host = headers.pop("Host", None)
        address = self.base.replace("http", "ws", 1) + "/api/v1/live"
        if host is not None:  # the client writes the Host of the address by itself
            sock = socket.create_connection(("127.0.0.1", int(self.base.rpartition(":")[2])))
            address = f"ws://{host}/api/v1/live"
            opened = connect(address, sock=sock, additional_headers=headers, open_timeout=PATIENCE)
        else:
            opened = connect(address, additional_headers=headers, open_timeout=PATIENCE)
        self._lives.append(opened)
        return opened.__enter__()

    def ask(self, kind: str, over: Any = None, **fields: Any) -> Any:
        """Ask something over a live connection, by default one that follows nothing, and return the answer."""
        if over is None:
            over = self._own = self._own or self.live()
        number = f"q{next(self._requests)}"
        over.send(json.dumps({"type": kind, "id": number, **fields}))
        while (message := json.loads(over.recv(PATIENCE))).get("id") != number:
            pass
        assert message["type"] == "done", message
        return message

    def move(self, table: str, seat: int, move: str) -> None:
        made = len(self.get(f"/tables/{table}")["moves"])
        self.ask("move", table=table, seat=seat, move=move, at=made)

    def sit(self, *others: "Member", game: str = "yinsh", clock: str | None = "3d", **more: Any) -> str:
        """Open a table for others, let them sit down, and return its id."""
        seats = [{"kind": "me"}, *({"kind": "link"} for _ in others)]
        opened = self.post("/tables", game=game, seats=seats, clock=clock, **more)
        for number, other in enumerate(others, 1):
            other.post(f"/tables/{opened['table']}/seats", key=opened["seats"][number]["key"], name=other.name)
        return str(opened["table"])

    # --- what they choose -------------------------------------------------------------------------------

    def choose(self, *ways: str, kinds: Any = ("turn", "time", "offer", "begun", "ended"), **more: Any) -> "Member":
        self.post("/notices/settings", ways={kind: list(ways) for kind in kinds}, **more)
        return self

    def push(self, web: Web) -> PushBrowser:
        browser = PushBrowser(web, str(next(_numbers)))
        self.post("/notices/push", **browser.subscription(self.get("/notices/settings")["push_key"]))
        return browser

    def hook(self, web: Web) -> tuple[str, str]:
        path = f"/hook/{next(_numbers)}"
        return path, self.post("/notices/hook", url=web.url + path)["secret"]

    def mail(self, office: Any, address: str) -> None:
        self.post("/account/mail", mail=address)
        sent = until(lambda: [mail for to, mail in office.mails if to == address], "the confirmation")[0]
        link = re.search(r"#confirm=([\w-]{43})", sent.get_content())
        assert link is not None
        self.post("/account/mail/confirm", link=link[1])

    def close(self) -> None:
        for live in self._lives:
            live.close()
        self.http.close()


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    running = Web()
    yield running
    running.close()


@pytest.fixture(scope="module")
def office_and_port() -> Iterator[Any]:
    with post_office() as found:
        yield found


@pytest.fixture
def office(office_and_port: Any) -> Any:
    return office_and_port[0]


def options(port: int | None, *more: str) -> list[str]:
    """Return the options of a server that sends notices."""
    limits = [part for limit in (*QUICK, *more) for part in ("--limit", limit)]
    mail = ["--mail", f"smtp://127.0.0.1:{port}", "--mail-from", "club@play.example"] if port else []
    return ["--url", SITE, "--private-targets", *mail, *limits]


@pytest.fixture(scope="module")
def club(kit: Any, office_and_port: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a server that sends notices."""
    running = kit.Server(tmp_path_factory.mktemp("club") / "data", *options(office_and_port[1]))
    yield running
    running.stop()


@pytest.fixture
def member(club: Any) -> Iterator[Callable[..., Member]]:
    """Make people with accounts."""
    with contextlib.ExitStack() as made:

        def new(name: str = "Ann", at: Any = None, site: str | None = SITE) -> Member:
            person = Member((at or club).base, name, site)
            made.callback(person.close)
            return person

        yield new


@pytest.fixture
def server_options() -> Callable[..., list[str]]:
    return options
