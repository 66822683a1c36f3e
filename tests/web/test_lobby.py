"""The lobby and the ratings in a real browser."""

import secrets
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from sqlalchemy import create_engine, insert

from tests.support.books import account_row
from triskele.server.storage import schema

axe = Axe()
SIZES = {"desk": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}


def check(visitor):
    found = axe.run(visitor.page).response["violations"]
    assert not [(each["id"], [node["target"] for node in each["nodes"]]) for each in found]


@pytest.fixture
def rated(server):
    """Put somebody with a rating and its history into the database, and return the name."""
    name = f"Rated {secrets.token_hex(3)}"
    account = account_row(name, secrets.token_urlsafe(16))
    now = time.time_ns() // 1_000_000
    pool = {"game": "yinsh", "pace": "live", "field": "two", "visitor": account["visitor"]}
    steps = [
        {
            **pool,
            "table_id": secrets.token_hex(6),
            "seat": 0,
            "time": now - (40 - at) * 86_400_000,
            "value": 1500.0 + 9 * at - 25 * (at % 3),
            "deviation": max(60.0, 350.0 - 20 * at),
            "volatility": 0.06,
            "games": at + 1,
        }
        for at in range(40)
    ]
    last = {key: value for key, value in steps[-1].items() if key not in ("table_id", "seat")}
    engine = create_engine(f"sqlite:///{server.data / 'tables.sqlite3'}")
    with engine.begin() as connection:
        connection.execute(insert(schema.accounts), [account])
        connection.execute(insert(schema.rating_steps), steps)
        connection.execute(insert(schema.ratings), [last])
    engine.dispose()
    return name


def offer(visitor, game):
    """Offer a game in the lobby, and wait until it is listed."""
    visitor.go("/lobby")
    visitor.page.get_by_label("Game").select_option(game)
    visitor.page.get_by_label("Time").select_option("none")
    visitor.button("Offer as an open game").click()
    visitor.page.locator(".seeks li.mine").wait_for()


def test_two_clicks_from_the_first_page_to_a_game_against_a_person_who_waits(visit):
    bob, ada = visit(), visit()
    offer(bob, "trypsylon")
    ada.go("/")
    ada.page.get_by_role("link", name="Lobby", exact=True).click()
    ada.page.get_by_role("button", name="Play TRYPSYLON with").click()
    for each in (ada, bob):
        each.until(lambda each=each: each.table and each.page.locator(".stage .strip").count(), "the table")
    assert ada.table["table"] == bob.table["table"]
    mover = ada if ada.my_turn else bob
    mover.make(next(iter(mover.moves())))


def test_one_click_finds_an_opponent(visit):
    people = [visit(), visit()]
    for each in people:
        each.go("/lobby")
        each.page.get_by_label("Game").select_option("yinsh")
        each.button("Find me an opponent").click()
    for each in people:
        each.until(lambda each=each: each.table, "the table")
    assert people[0].table["table"] == people[1].table["table"]


def test_an_offer_for_three_says_how_many_have_come_and_begins_when_all_agree(visit):
    ada, bob = visit(), visit()
    ada.go("/lobby")
    ada.page.get_by_label("Game").select_option("tryad")
    ada.page.get_by_label("Seats of the open game").select_option("3")
    ada.button("Offer as an open game").click()
    bob.go("/lobby")
    bob.page.locator(".seeks li", has_text="1 of 3").get_by_role("button").click()
    for each in (bob, ada):
        each.page.get_by_role("button", name="Begin now").click()
    for each in (ada, bob):
        each.until(lambda each=each: each.table, "the table")
    assert len(ada.table["seats"]) == 2


def test_an_offer_says_its_variant_and_has_any_clock(visit):
    ada, bob = visit(), visit()
    ada.go("/lobby")
    ada.page.get_by_label("Game").select_option("yinsh")
    ada.page.get_by_label("Time").select_option("own")
    ada.page.locator(".lobby-form input[type=text]").fill("7+4 2x20")
    ada.page.locator(".lobby-form summary").click()
    ada.page.get_by_label("Blitz").check()
    ada.button("Offer as an open game").click()
    ada.page.locator(".seeks li.mine").wait_for()
    bob.go("/lobby")
    seek = bob.page.locator(".seeks li", has_text="Blitz")
    seek.wait_for()
    assert "7 min" in seek.inner_text()
    seek.get_by_role("button", name="Play YINSH").click()
    bob.until(lambda: bob.table, "the table")
    assert (bob.table["options"]["blitz"], bob.table["clock"]["control"]) == (True, "7+4 2x20")


def test_a_profile_leads_to_a_challenge(visit):
    names = [f"Duel {secrets.token_hex(3)}" for _ in range(2)]
    ada, bob = visit(), visit()
    for each, name in ((ada, names[0]), (bob, names[1])):
        each.go("/sign-in#new")
        each.page.get_by_label("Name").fill(name)
        each.page.get_by_label("Password", exact=True).fill("seven violet otters")
        each.button("Create the account").click()
        each.sees(f"Welcome, {name}!")
    bob.go("/lobby")
    bob.page.get_by_role("heading", name="Lobby").wait_for()
    ada.go(f"/people/{names[1]}")
    ada.page.get_by_role("link", name="Challenge", exact=True).click()
    ada.page.locator(".lobby-form").get_by_role("button", name=f"Challenge {names[1]}").click()
    bob.button("Accept").click()
    for each in (ada, bob):
        each.until(lambda each=each: each.table, "the table")
    assert ada.table["table"] == bob.table["table"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_of_the_club_are_accessible(visit, rated, theme, size):
    bob = visit()
    offer(bob, "tryptic")
    ada = visit(color_scheme=theme, viewport=SIZES[size])
    for path, ready in (
        ("/lobby", ".seeks .acts"),
        ("/ratings/yinsh", ".ranks"),
        ("/ratings/conquest", ".ranks"),  # nobody is listed there
        (f"/rated/{rated}", ".history"),
    ):
        ada.go(path)
        ada.page.locator(ready).first.wait_for()
        check(ada)


def test_a_leaderboard_leads_to_the_history_of_a_rating(visit, rated):
    ada = visit()
    person = ada.page.get_by_role("link", name=rated)

    def listed():
        """Look at a leaderboard, which may be some seconds old."""
        ada.go("/ratings/yinsh")
        ada.page.locator(".ranks .landmark").first.wait_for()
        return person.count()

    ada.until(listed, "a new leaderboard")
    assert ada.page.locator(".ranks .landmark").count() == 10
    person.click()
    ada.page.locator(".history .line").wait_for()
    points = ada.page.get_by_role("list", name="History of the rating").get_by_role("listitem")
    assert points.count() == 12
    assert "±" in points.last.inner_text()
