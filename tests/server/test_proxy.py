"""Behind a real nginx, as docs/hosts.md configures it: with TLS, below any path, and what is said when it is wrong."""

import random
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.nginx import BARE, NAME, PATIENCE, Nginx, guide_location
from triskele.core.words import say, text

Json = dict[str, Any]
STRIPPING = guide_location("/club/games/").replace("http://127.0.0.1:8000;", "http://127.0.0.1:8000/;")
"""The slash after the port makes nginx remove the path of the location."""


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Callable[..., Nginx]]:
    made: list[Nginx] = []

    def make(location: str, **more: Any) -> Nginx:
        made.append(Nginx(tmp_path / f"nginx{len(made)}", location, **more))
        return made[-1]

    yield make
    for each in made:
        each.stop()


class Browser:
    """What a browser sends: cookies, an Origin, no Authorization."""

    def __init__(self, nginx: Nginx, path: str) -> None:
        self.site = nginx.base + path
        self.trusted = ssl.create_default_context(cafile=str(nginx.certificate))
        # With TLS 1.3 the tickets that follow the handshake wake the reading thread of the client, which then holds the
        # connection until it is closed: 1 of 100 sent no request for 60 s; with TLS 1.2, none of 400.
        self.trusted.maximum_version = ssl.TLSVersion.TLSv1_2
        self.http = httpx.Client(
            base_url=self.site, verify=self.trusted, timeout=PATIENCE, headers={"Origin": nginx.base}
        )
        self.origin = nginx.base

    def live(self, kit: Any, path: str) -> Any:
        """Return a live connection of this browser."""
        live = kit.Live.__new__(kit.Live)
        cookie = "; ".join(f"{each.name}={each.value}" for each in self.http.cookies.jar)
        secure = self.origin.startswith("https")
        opened = connect(
            f"{self.origin.replace('http', 'ws', 1)}{path}api/v1/live",
            additional_headers={"Cookie": cookie, "Origin": self.origin},
            ssl=self.trusted if secure else None,
            open_timeout=PATIENCE,
            max_size=2**24,
        )
        live.adopt(opened.__enter__())
        return live


@pytest.fixture
def browse() -> Iterator[Callable[[Nginx, str], Browser]]:
    made: list[Browser] = []

    def make(nginx: Nginx, path: str) -> Browser:
        made.append(Browser(nginx, path))
        return made[-1]

    yield make
    for each in made:
        each.http.close()


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/", guide_location("/")),
        ("/club/games/", guide_location("/club/games/")),
        ("/club/games/", STRIPPING),
    ],
    ids=["at the root", "below a path", "below a path that nginx removes"],
)
def test_a_whole_game_over_tls(start, kit, proxy, browse, path, location):
    nginx = proxy(location)
    server = start("--url", nginx.base + path)
    nginx.serve(server.port)
    ann, bob = browse(nginx, path), browse(nginx, path)
    page = ann.http.get("")
    assert page.status_code == 200
    assert f'src="{path}app.js"' in page.text
    assert f"wss://{NAME}:{nginx.port}" in page.headers["content-security-policy"]
    assert ann.http.get("app.js").headers["content-type"].startswith("text/javascript")
    assert ann.http.get("manifest.webmanifest").json()["start_url"] == "./"
    seats = [{"kind": "me"}, {"kind": "link"}]
    answer = ann.http.post("api/v1/tables", json={"game": "trypsylon", "options": {}, "seats": seats})
    cookie = answer.headers["set-cookie"]
    assert f"Path={path};" in cookie
    assert "Secure" in cookie
    opened = answer.json()
    table = opened["table"]
    taken = bob.http.post(f"api/v1/tables/{table}/seats", json={"key": opened["seats"][1]["key"], "name": "Bob"})
    assert taken.status_code == 200, taken.text
    games = [kit.Game(each.live(kit, path), table) for each in (ann, bob)]
    kit.play(games, random.Random(7))
    assert all(game.over for game in games)
    for game in games:
        game.live.close()
    if path != "/":
        found = httpx.get(nginx.base + path.rstrip("/"), verify=ann.trusted)
        assert found.status_code in (301, 308)
        assert found.headers["location"].endswith(path)


def test_the_path_alone_leads_to_the_page(start):
    server = start("--url", "http://localhost/club/games")
    asked = {"Host": "localhost"}
    answer = httpx.get(f"{server.base}/club/games?play=yinsh", headers=asked)
    assert (answer.status_code, answer.headers["location"]) == (308, "/club/games/?play=yinsh")
    assert httpx.get(f"{server.base}/club/gamesters", headers=asked).status_code == 404
    document = httpx.get(f"{server.base}/club/games/api/v1/openapi.json", headers=asked).json()
    assert document["servers"] == [{"url": "/club/games"}]


def test_limits_count_the_visitors_behind_the_proxy(start, proxy):
    nginx = proxy(guide_location("/").replace("$remote_addr", "203.0.113.9"), tls=False)
    server = start("--url", nginx.base, "--limit", "visitors_per_hour=2", generous=False)
    nginx.serve(server.port)
    codes = [httpx.post(f"{nginx.base}/api/v1/visitors").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    assert httpx.post(f"{server.base}/api/v1/visitors", headers={"Host": NAME}).status_code == 200


def test_a_bare_proxy_is_told_which_header_is_missing(start, proxy, browse):
    nginx = proxy(BARE, tls=False)
    server = start()
    nginx.serve(server.port)
    ann = browse(nginx, "/")
    assert ann.http.get("").status_code == 200
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://{NAME}:{nginx.port}/api/v1/live")
    assert refused.value.response.status_code == 426
    assert b"Upgrade: websocket" in (refused.value.response.body or b"")
    wanted = say(text("server.upgrade", header="Upgrade: websocket"))
    deadline = time.monotonic() + PATIENCE
    while wanted not in server.log.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.log.read_text().count(wanted) == 1
    # Its Host is the one of the proxy_pass, so that what a page sends seems to come from elsewhere.
    answer = ann.http.post("api/v1/visitors").json()["error"]
    assert answer["code"] == "origin"
    assert answer["text"] == say(text("server.origin", origin=nginx.base, host=f"127.0.0.1:{server.port}"))


def test_with_an_address_a_bare_proxy_is_told_about_host(start, proxy):
    nginx = proxy(BARE, tls=False)
    server = start("--url", nginx.base)
    nginx.serve(server.port)
    answer = httpx.get(f"{nginx.base}/")
    assert answer.status_code == 421
    assert answer.json()["error"]["text"] == say(text("server.host", url=nginx.base))


def test_a_proxy_without_connection_is_told_so(start, proxy):
    location = guide_location("/").replace("proxy_set_header Connection $connection_upgrade;", "")
    nginx = proxy(location, tls=False)
    nginx.serve(start("--url", nginx.base).port)
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://{NAME}:{nginx.port}/api/v1/live")
    assert refused.value.response.status_code == 426
    assert b"Connection: upgrade" in (refused.value.response.body or b"")
