"""People with accounts, at browsers of their own."""

import itertools
import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from triskele.cli import commands

PATIENCE = 30.0
PASSWORD = "seven violet otters"
_names = itertools.count(1)
_requests = itertools.count(1)


class Refused(Exception):
    """The server refused something."""

    def __init__(self, response: httpx.Response) -> None:
        error = response.json()["error"]
        super().__init__(error["text"])
        self.code: str = error["code"]
        self.status = response.status_code


class Person:
    """Somebody at a browser: cookies come and go as the server says."""

    def __init__(self, base: str, **headers: str) -> None:
        self.base = base
        self.http = httpx.Client(base_url=f"{base}/api/v1", timeout=PATIENCE, headers=headers)
        self.name = ""

    def get(self, path: str, **query: Any) -> Any:
        return self._answer(self.http.get(path, params=query))

    def post(self, path: str, **body: Any) -> Any:
        return self._answer(self.http.post(path, json=body))

    @staticmethod
    def _answer(response: httpx.Response) -> Any:
        if response.status_code >= 400:
            raise Refused(response)
        return response.json()

    def sign_up(self, name: str | None = None, password: str = PASSWORD, **more: Any) -> "Person":
        self.name = name or f"Person {next(_names)} {os.getpid()}"
        self.post("/accounts", name=self.name, password=password, **more)
        return self

    def sign_in(self, name: str, password: str = PASSWORD, **more: Any) -> "Person":
        self.name = self.post("/sessions", name=name, password=password, **more)["name"]
        return self

    @property
    def account(self) -> Any:
        return self.get("/account")["account"]

    @property
    def cookies(self) -> dict[str, str]:
        return dict(self.http.cookies)

    def live(self) -> Any:
        """Return a live connection of this browser."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies} if cookies else {}
        if "Authorization" in self.http.headers:
            headers["Authorization"] = self.http.headers["Authorization"]
        address = self.base.replace("http", "ws", 1) + "/api/v1/live"
        return connect(address, additional_headers=headers, open_timeout=PATIENCE)


def ask(live: Any, kind: str, **fields: Any) -> Any:
    """Send a live message and return its answer, ``done`` or ``refused``."""
    number = f"q{next(_requests)}"
    live.send(json.dumps({"type": kind, "id": number, **fields}))
    while True:
        message = json.loads(live.recv(PATIENCE))
        if message.get("id") == number:
            return message


@pytest.fixture(params=["sqlite", "postgresql"])
def club(request) -> Any:
    """Return a server with SQLite, and one of two with PostgreSQL: what touches the database is tried with both."""
    return request.getfixturevalue("server") if request.param == "sqlite" else request.getfixturevalue("both")[0]


@pytest.fixture
def person(server) -> Iterator[Callable[..., Person]]:
    """Make people at browsers of their own."""
    made: list[Person] = []

    def new(at: Any = None, **headers: str) -> Person:
        made.append(Person((at or server).base, **headers))
        return made[-1]

    yield new
    for each in made:
        each.http.close()


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Return a function that makes a call which must be refused, and returns the code."""

    def code_of(call: Callable[..., Any], /, *arguments: Any, **named: Any) -> str:
        with pytest.raises(Refused) as error:
            call(*arguments, **named)
        return error.value.code

    return code_of


@pytest.fixture
def said() -> Callable[..., Any]:
    """Return the function that asks something over a live connection."""
    return ask


@pytest.fixture
def admin(capsys, monkeypatch) -> Callable[..., Any]:
    """Return a function that runs ``triskele admin`` at a server, and returns what it writes as JSON."""

    def run(at: Any, *arguments: str, secret: str | None = None) -> Any:
        if secret is not None:
            monkeypatch.setenv("TRISKELE_SECRET", secret)
        capsys.readouterr()
        chosen = commands.parse(["admin", *arguments, "--server", at.base, "--data", str(at.data), "--json"])
        assert chosen.run(chosen) == 0
        return json.loads(capsys.readouterr().out)

    return run
