"""A rated game over days: conditional moves, a server that is killed in the middle, and dialogs that all can use."""

import secrets

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.support.books import Books

PASSWORD = "seven violet otters"
SIZES = {"desk": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def server(tmp_path, server_kind):
    """A server that a test may kill."""
    running = server_kind(tmp_path / "data")
    yield running
    running.stop()


@pytest.fixture
def pair(visit, server):
    """Let two people with accounts sit down at a rated game over days."""

    def sit(**context):
        people = [visit(**context), visit(**context)]
        for person in people:
            person.name = f"Member {secrets.token_hex(4)}"
            account = {"name": person.name, "password": PASSWORD}
            assert person.page.request.post(f"{person.base}/api/v1/accounts", data=account).ok
        ann, ben = people
        opened = ann.open("yinsh", [{"kind": "me"}, {"kind": "link"}], rated=True, clock="3d")
        ben.join(opened["table"], opened["seats"][1]["key"])
        ann.until(lambda: ann.page.locator(".sheet .link").count() == 0, "the invitation to close")
        return ann, ben

    return sit


def plan(person, *tokens):
    """Enter a line of conditional moves by playing it out."""
    dialog = open_plans(person)
    for token in tokens:
        dialog.locator(f'.place.lit[data-token="{token}"]').click()
    dialog.get_by_text(" · ".join(tokens)).wait_for()
    person.button("Keep this line").click()
    dialog.get_by_role("button", name="Remove").first.wait_for()


def connections(person):
    """Return how often a page has connected."""
    return sum(url.startswith("ws") for url in person.requested)


def open_plans(person):
    """Open the dialog of conditional moves."""
    if person.page.viewport_size["width"] < 600:
        person.page.locator(".toolbar").get_by_role("button", name="More").click()
    else:
        person.page.get_by_role("tab", name="Table").click()
    person.button("Conditional moves").click()
    dialog = person.page.get_by_role("dialog")
    dialog.locator(".place.lit").first.wait_for()
    return dialog


def test_plans_survive_a_killed_server_answer_once_and_nobody_loses_time(pair, server):
    ann, ben = pair()
    ann.make("e5")
    plan(ann, "f6", "d4")
    ann.page.keyboard.press("Escape")
    before = [connections(person) for person in (ann, ben)]
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()
    server.start()
    for person, count in zip((ann, ben), before, strict=True):
        person.excused = ("ERR_CONNECTION", "WebSocket")
        again = person.page.locator(".lost:visible")
        person.until(lambda p=person, c=count, lost=again: connections(p) > c and not lost.count(), "the connection")
    ben.make("f6")
    for person in (ann, ben):
        person.hears_of(3)
        person.until(lambda p=person: p.page.locator(".moves button").count() == 3, "the answer")
    assert ben.my_turn
    record = ann.page.request.get(f"{ann.base}/api/v1/tables/{ann.table['table']}/record").json()
    assert [move["text"] for move in record["moves"]] == ["e5", "f6", "d4"]
    assert all(move["charged"] < 60_000 for move in record["moves"])
    ben.page.locator(".deeds").get_by_role("button", name="Resign").click()
    ben.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for person in (ann, ben):
        person.page.locator(".result .rating-changes li").nth(1).wait_for()
    books = Books(f"sqlite:///{server.data / 'tables.sqlite3'}")
    assert [(row["pace"], row["places"]) for row in books.rows("results")] == [("days", "[0, 1]")]
    assert len(books.rows("rating_steps")) == 2
    books.engine.dispose()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_belongs_to_games_over_days_is_accessible(pair, theme, size):
    ann, ben = pair(color_scheme=theme, viewport=SIZES[size])

    def check(person):
        found = Axe().run(person.page).response["violations"]
        assert not [(each["id"], [node["target"] for node in each["nodes"]]) for each in found]
        assert person.page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]

    ann.make("e5")
    ann.page.locator(".clock").first.wait_for()
    check(ann)
    dialog = open_plans(ann)
    check(ann)
    dialog.locator('.place.lit[data-token="f6"]').click()
    dialog.get_by_text("then you play").wait_for()
    check(ann)
    dialog.locator('.place.lit[data-token="d4"]').click()
    ann.button("Keep this line").click()
    dialog.get_by_role("button", name="Remove").first.wait_for()
    check(ann)
    ben.go("/mine")
    ben.button("Begin vacation").wait_for()
    check(ben)
    ben.button("Begin vacation").click()
    ben.sees("You are away until")
    check(ben)
