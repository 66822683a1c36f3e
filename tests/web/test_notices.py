"""Notices in a real browser: the title counts, one's games list them, and people choose what they are told."""

import json
import re
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from websockets.sync.client import connect

import triskele
from tests.support.receivers import PushBrowser, Web

WEB = Path(triskele.__file__).parent / "web"
SERIOUS = ("critical", "serious", "moderate")
PASSWORD = "seven violet otters"


@pytest.fixture
def opponent(server):
    """Return somebody who plays over the interface for programs, and looks at no table."""
    with httpx.Client(base_url=f"{server.url}/api/v1", timeout=60) as http:
        token = http.post("/visitors").json()["visitor"]
        http.cookies.clear()
        http.headers["Authorization"] = f"Bearer {token}"
        yield http, token


def sign_up(somebody, name):
    somebody.go("/sign-in#new")
    somebody.page.get_by_label("Name").fill(name)
    somebody.page.get_by_label("Password", exact=True).fill(PASSWORD)
    somebody.button("Create the account").click()
    somebody.sees(f"Welcome, {name}!")


def game_over_days(somebody, opponent):
    """Let the opponent open a table over days and somebody take a seat in the page; return the table."""
    http, _ = opponent
    seats = [{"kind": "me", "name": "Olga"}, {"kind": "link"}]
    opened = http.post("/tables", json={"game": "yinsh", "seats": seats, "clock": "3d"}).json()
    somebody.page.request.post(
        f"{somebody.base}/api/v1/tables/{opened['table']}/seats",
        data={"key": opened["seats"][1]["key"], "name": "Ada"},
        headers={"Origin": somebody.base},
    )
    return opened["table"]


def move(server, opponent, table, text, at):
    address = server.url.replace("http", "ws", 1) + "/api/v1/live"
    with connect(address, additional_headers={"Authorization": f"Bearer {opponent[1]}"}) as live:
        asked = {"type": "move", "id": "1", "table": table, "seat": 0, "move": text, "at": at}
        live.send(json.dumps(asked))
        while (answer := json.loads(live.recv(60))).get("id") != "1":
            pass
        assert answer["type"] == "done", answer


def titles(somebody):
    """Note every title that the window gets."""
    somebody.page.evaluate(
        """() => {
            window.titles = [document.title];
            new MutationObserver(() => window.titles.push(document.title))
                .observe(document.querySelector("title"), { childList: true });
        }"""
    )


def test_the_title_counts_on_every_page_and_looking_at_the_table_counts_down(visit, server, opponent):
    ada = visit()
    sign_up(ada, f"Ada {server.port}")
    table = game_over_days(ada, opponent)
    ada.go("/learn")
    ada.page.locator("main h1").wait_for()
    titles(ada)
    move(server, opponent, table, "e5", 0)
    ada.until(lambda: ada.page.title().startswith("(1) "), "the count in the title")
    ada.sees("YINSH · Olga (guest): It’s your turn.")
    assert ada.page.locator("#unseen-count").inner_text().startswith("1")
    for name in ("Play", "Learn", "My games"):
        ada.page.get_by_role("navigation").get_by_role("link", name=re.compile(f"^{name}")).click()
        ada.page.locator("main .page").wait_for()
        ada.until(lambda: ada.page.title().startswith("(1) "), "the count on this page")
    ada.page.get_by_role("heading", name="Notices").wait_for()
    assert not [title for title in ada.page.evaluate("window.titles")[2:] if not title.startswith("(1) ")], (
        "it flickered"
    )
    ada.page.reload()
    ada.until(lambda: ada.page.title() == "(1) My games · Triskele", "the count after loading anew")
    ada.page.get_by_role("link", name=re.compile("It’s your turn.")).click()
    ada.page.locator(".place.lit").first.wait_for()
    ada.until(lambda: ada.page.title().startswith("● "), "that it is seen")
    ada.go("/mine")
    ada.page.locator(".drop").wait_for()
    ada.until(lambda: ada.page.title() == "My games · Triskele", "a title without a count")
    assert ada.page.locator("[data-notices] h2").count() == 0


def test_a_first_visit_asks_for_no_notices(visit):
    ada = visit()
    ada.go("/")
    ada.page.locator(".game").first.wait_for()
    assert not [url for url in ada.requested if "/notices/" in url or "/api/v1/live" in url or "service-worker" in url]


STUBBED = """(() => {
    const made = GIVEN;
    const subscription = {
        endpoint: made.endpoint,
        options: { applicationServerKey: null },
        toJSON: () => ({ endpoint: made.endpoint, keys: made.keys }),
        unsubscribe: async () => { window.subscribed = null; return true; },
    };
    window.subscribed = null;
    PushManager.prototype.subscribe = async function (options) {
        subscription.options.applicationServerKey = options.applicationServerKey.buffer;
        return (window.subscribed = subscription);
    };
    PushManager.prototype.getSubscription = async () => window.subscribed;
    Notification.requestPermission = async () => "granted";
})()"""


def test_a_browser_is_subscribed_and_gets_what_only_it_can_read(visit, server_kind, tmp_path, opponent):
    web = Web()
    limits = ("--limit", "notice_wait_seconds=0.3")
    server = server_kind(tmp_path / "data", {}, "--private-targets", *limits)
    try:
        ada = visit()
        ada.base = server.url.replace("127.0.0.1", "localhost")  # a secure context
        browser = PushBrowser(web, "chromium")
        given = {key: value for key, value in browser.subscription("").items() if key != "server_key"}
        ada.page.add_init_script(STUBBED.replace("GIVEN", json.dumps(given)))
        sign_up(ada, "Ada")
        ada.page.get_by_role("link", name="Account of Ada").click()
        ada.page.get_by_role("link", name="Notices").click()
        ada.button("Send notices to this browser").click()
        ada.button("Stop notices to this browser").wait_for()
        with httpx.Client(base_url=f"{server.url}/api/v1", timeout=60) as http:
            token = http.post("/visitors").json()["visitor"]
            http.cookies.clear()
            http.headers["Authorization"] = f"Bearer {token}"
            other = (http, token)
            table = game_over_days(ada, other)
            move(server, other, table, "e5", 0)
        ada.until(browser.messages, "the push message")
        (message,) = browser.messages()
        assert (message["title"], message["body"]) == ("YINSH · Olga (guest)", "It’s your turn.")
        assert message["url"] == f"/table/{table}"
        worker = ada.page.evaluate("navigator.serviceWorker.ready.then((found) => found.active.scriptURL)")
        assert worker == f"{ada.base}/service-worker.js"
        ada.button("Stop notices to this browser").click()
        ada.button("Send notices to this browser").wait_for()
    finally:
        server.stop()
        web.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_people_choose_what_they_are_told(visit, server, theme, width):
    ada = visit(color_scheme=theme, viewport={"width": width, "height": 900})
    ada.base = server.url.replace("127.0.0.1", "localhost")
    ada.excused = ("status of 40",)
    name = f"Ada {theme} {width} {server.port}"
    sign_up(ada, name)
    ada.go("/notices")
    box = ada.page.get_by_label("A game is over: Push")
    box.wait_for()
    assert box.is_checked()
    box.focus()
    ada.page.keyboard.press("Space")
    ada.page.get_by_label("Quiet hours: nothing is sent").check()
    ada.page.get_by_label("From").select_option("23")
    ada.page.get_by_label("Time zone").select_option("Europe/Warsaw")
    ada.page.get_by_role("combobox", name=re.compile("^Push")).select_option("daily")
    ada.button("Save").click()
    ada.sees("Saved.")
    ada.page.reload()
    box.wait_for()
    assert not box.is_checked()
    assert ada.page.get_by_label("From").input_value() == "23"
    assert ada.page.get_by_label("Time zone").input_value() == "Europe/Warsaw"
    assert ada.page.get_by_role("combobox", name=re.compile("^Push")).input_value() == "daily"
    ada.page.get_by_label("Address").fill("https://127.0.0.1/inside")
    ada.button("Use this address").click()
    ada.sees("begins with https://")
    ada.page.get_by_label("Address").fill("https://hooks.example/mine")
    ada.button("Use this address").click()
    assert len(ada.page.get_by_role("textbox", name="Secret").input_value()) == 43
    ada.page.keyboard.press("Escape")
    ada.page.locator("dialog").wait_for(state="detached")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(ada.page).response["violations"]
    assert not [each["id"] for each in found if each["impact"] in SERIOUS]


def test_every_word_of_notices_is_there_and_used():
    source = "".join(path.read_text() for path in (WEB / "notices").glob("*.js"))
    written = set(re.findall(r'\btext\(\s*"([a-z0-9-]+)"', source))
    written |= {word for pair in re.findall(r'\? "([a-z-]+)" : "([a-z-]+)"', source) for word in pair}
    families = ("kind-", "mail-", "way-")
    words = set(json.loads((WEB / "notices" / "words" / "en.json").read_text()))
    assert {word for word in words - written if not word.startswith(families)} == set()
    assert set(re.findall(r'\btext\(\s*"([a-z0-9-]+)"', source)) <= words
