"""The page behind a real nginx: below a path, with TLS; and what it says when a proxy passes no WebSocket."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import triskele
from tests.support.nginx import BARE, Nginx, guide_location
from triskele.core.words import say, text

from .games import SHORT

WEB = Path(triskele.__file__).parent / "web"
PATH = "/club/games/"
NO_UPGRADE = "proxy_set_header Upgrade $http_upgrade;"


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[list[Any]]:
    """Stop what a test has put into this list, the last first."""
    running: list[Any] = []
    yield running
    for each in reversed(running):
        each.stop()


@pytest.fixture
def server(request: pytest.FixtureRequest, server_kind: Callable[..., Any], tmp_path: Path, behind: list[Any]) -> Any:
    """Return a server that browsers reach through nginx; the test's parameter is the path and the location."""
    path, location, tls = request.param
    nginx = Nginx(tmp_path / "nginx", location, tls=tls)
    url = () if location == BARE else ("--url", nginx.base + path)
    running = server_kind(tmp_path / "data", {}, *url)
    behind.extend([running, nginx])
    nginx.serve(running.port)
    running.url = (nginx.base + path).rstrip("/")
    return running


@pytest.mark.parametrize("server", [(PATH, guide_location(PATH), True)], indirect=True, ids=["below a path"])
def test_all_of_the_page_works_below_a_path(visit, play, server):
    short = next(each for each in SHORT if not each.options.get("expert"))
    ada, ben = (visit(ignore_https_errors=True) for _ in range(2))
    ada.go("/")
    ada.page.get_by_role("link", name="Learn", exact=True).click()
    assert ada.page.url == f"{server.url}/learn"
    ada.page.locator("main h1").wait_for()
    ada.page.get_by_role("link", name="Triskele", exact=True).click()
    ada.page.locator(f"main a[href^='{PATH}?play=']").first.wait_for()
    assert ada.page.url == f"{server.url}/"
    opened = ada.open(short.game, [{"kind": "me", "name": "Ada"}, {"kind": "link"}], short.options)
    shared = ada.page.locator(".sheet .link input").first.input_value()
    assert shared.startswith(f"{server.url}/table/{opened['table']}#")
    ben.page.goto(shared)
    ben.page.locator(".invited button.primary").click()
    ben.until(lambda: ben.table and ben.page.locator(".stage .strip").count(), "the table")
    assert ben.page.url == f"{server.url}/table/{opened['table']}"
    play([ada, ben], short.chooser())
    for visitor in (ada, ben):
        visitor.page.locator(".result").wait_for()
    ada.page.get_by_role("link", name="My games", exact=True).click()
    ada.page.locator(f"a[href='{PATH}table/{opened['table']}']").wait_for()
    below = [url for visitor in (ada, ben) for url in visitor.requested if "://localhost" in url]
    assert below
    assert not [url for url in below if PATH not in url]
    assert {cookie["path"] for cookie in ada.context.cookies()} == {PATH}


@pytest.mark.parametrize(
    "server", [("/", guide_location("/").replace(NO_UPGRADE, ""), False)], indirect=True, ids=["without Upgrade"]
)
def test_the_page_says_that_the_proxy_passes_no_websocket(visit, server):
    ada = visit(locale="de-DE")
    ada.excused = ("WebSocket connection to", "status of 426")
    ada.go("/")
    plan = {"game": "yinsh", "options": {}, "seats": [{"kind": "me"}, {"kind": "here"}], "first": "order"}
    opened = ada.page.request.post(f"{server.url}/api/v1/tables", data=plan).json()
    ada.go(f"/table/{opened['table']}")
    ada.sees(say(text("web.no-live"), "de"))
    why = say(text("server.upgrade", header="Upgrade: websocket"), "de")
    ada.sees(why[1:])  # the first letter is a capital there
    ada.button(say(text("web.retry"), "de")).wait_for()


@pytest.mark.parametrize("path", sorted(WEB.rglob("*.js")), ids=lambda path: path.relative_to(WEB).as_posix())
def test_no_module_has_an_address_from_the_root(path: Path):
    """Addresses begin with SITE (lib/site.js): the server may be below a path."""
    written = re.sub(r"/\*.*?\*/|//.*", "", path.read_text(), flags=re.DOTALL)
    rooted = re.findall(
        r"""(?:href|src|action)\s*[:=]\s*["'`]/|(?:fetch|go|open|Worker|register|URL)\(\s*["'`]/""", written
    )
    assert not rooted
    assert not re.findall(r"""["'`]/(?:api|table|learn|mine|lib|board|pages)\b""", written)
