"""Rated games in the browser, at two server processes with PostgreSQL and Valkey: from the lobby to the rating."""

import re
import secrets

import pytest

import triskele
from tests.support.books import Books
from tests.support.hand import Hand, play_on
from tests.support.services import shared_services, sqlalchemy_url

PASSWORD = "seven violet otters"
SEATS = {"tryptic": 3, "tryad": 3}
"""How many play the games that are not for two here."""
GAMES = [game.name for game in triskele.games()]
LONG = ("conquest",)
"""Games of a thousand moves: a page draws each of them, so people look at it again when it is over."""
CLICKED = 6
"""Moves that are made by clicks; the others come faster, over a second connection of whoever's page is open."""


@pytest.fixture(scope="module")
def services():
    with shared_services() as urls:
        yield urls


@pytest.fixture(scope="module")
def processes(services, tmp_path_factory, server_kind):
    """Two processes of one server, at which a game can be claimed soon and nobody must hurry with the first move."""
    database, bus = services
    limits = [part for limit in ("claim_seconds=1", "first_turn_seconds=600") for part in ("--limit", limit)]
    shared = ("--database", database, "--bus", bus, "--engine-seconds", "0.05", *limits)
    secret = {"TRISKELE_SECRET": secrets.token_hex(32)}
    running = [server_kind(tmp_path_factory.mktemp(f"rated{n}") / "data", secret, *shared) for n in range(2)]
    yield running
    for each in running:
        each.stop()


@pytest.fixture
def server(processes):
    return processes[0]


@pytest.fixture
def books(services):
    kept = Books(sqlalchemy_url(services[0]))
    yield kept
    kept.engine.dispose()


@pytest.fixture
def members(visit, processes, authenticator):
    """Let people with accounts come, in turn to each of the processes; the first may sign up in the page."""

    def come(count, *, by_page=False):
        made = []
        for number in range(count):
            person = visit()
            person.base = processes[number % 2].url.replace("127.0.0.1", "localhost")
            person.name = f"Member {secrets.token_hex(4)}"
            if by_page and number < 2:
                authenticator(person)
                sign_up(person, passkey=number == 0)
            else:
                account = {"name": person.name, "password": PASSWORD}
                assert person.page.request.post(f"{person.base}/api/v1/accounts", data=account).ok
            made.append(person)
        return made

    return come


def sign_up(person, passkey):
    """Make an account in the page, by passkey or by password."""
    person.go("/sign-in#new")
    person.page.get_by_label("Name").fill(person.name)
    if passkey:
        person.button("Create the account with a passkey").click()
    else:
        person.page.get_by_label("Password", exact=True).fill(PASSWORD)
        person.button("Create the account").click()
    person.sees(f"Welcome, {person.name}!")


def offer(person, game, seats, clock="5+3"):
    """Offer a rated game in the lobby."""
    person.go("/lobby")
    person.page.locator("label.option", has_text=re.compile("^Game")).locator("select").select_option(game)
    person.page.get_by_label("Time").select_option(clock)
    if seats > 2:
        person.page.get_by_label("Seats of the open game").select_option(str(seats))
    assert person.page.get_by_label("Rated game").is_checked()
    person.button("Offer as an open game").click()
    person.page.locator(".seeks li.mine").wait_for()


def take(person, owner):
    """Go from the first page to the game that somebody offers; return how many clicks it took."""
    person.go("/")
    person.page.evaluate("window.clicks = 0; addEventListener('click', () => window.clicks++, true)")
    person.page.get_by_role("link", name="Lobby", exact=True).click()
    person.page.locator(".seeks li", has_text=owner.name).get_by_role("button", name="Play").click()
    return person.page.evaluate("window.clicks")


def sit_down(people, game, seats, clock="5+3"):
    """Let the first person offer a game and the others take it; wait until the table is there for everybody."""
    offer(people[0], game, seats, clock)
    clicks = [take(person, people[0]) for person in people[1:]]
    for person in people:
        person.until(lambda p=person: p.table and p.page.locator(".stage .strip").count(), "the table")
    assert len({person.table["table"] for person in people}) == 1
    return clicks


def hands_of(people):
    cookies = [{each["name"]: each["value"] for each in person.context.cookies()} for person in people]
    return [Hand(p.base, kept, p.table["table"]) for p, kept in zip(people, cookies, strict=True)]


def changes_shown(person):
    """Return the ratings in the result: before, after, and by how much they differ."""
    lines = person.page.locator(".result .rating-changes li")
    lines.first.wait_for()
    found = [re.fullmatch(r".* (\d+) → (\d+) \(([+−]?\d+)\)", line) for line in lines.all_text_contents()]
    return [(int(one[1]), int(one[2]), int(one[3].replace("−", "-"))) for one in found]


def check_counted_once(books, person, seats):
    """Check that the game has one result, and rated each of its players once; return their places."""
    table = person.table["table"]
    results = [row for row in books.rows("results") if row["table_id"] == table]
    steps = [row for row in books.rows("rating_steps") if row["table_id"] == table]
    assert len(results) == 1
    assert sorted(row["seat"] for row in steps) == list(range(seats))
    return results[0]["places"]


@pytest.mark.parametrize("game", GAMES)
def test_a_rated_game_from_the_lobby_to_the_end_with_the_ratings_that_follow(members, books, game):
    seats = SEATS.get(game, 2)
    people = members(seats, by_page=True)
    assert max(sit_down(people, game, seats)) <= 3
    for _ in range(CLICKED):
        people[0].until(lambda: any(each.over or each.my_turn for each in people), "a turn")
        acting = next((each for each in people if each.my_turn), None)
        if acting is None:
            break
        acting.make(min(acting.moves(), key=len))
        for each in people:
            each.hears_of(acting.table["made"])
    assert people[0].page.locator(".clock").count() == seats
    hands = hands_of(people)
    if game in LONG:
        for person in people:
            person.go("/")
    play_on(hands)
    for hand in hands:
        hand.close()
    for person in people:
        if game in LONG:
            person.join(hands[0].table)
        person.until(lambda p=person: p.over, "the end")
        person.page.locator(".result").wait_for()
    shown = changes_shown(people[0])
    assert shown == changes_shown(people[-1])
    assert [before for before, _, _ in shown] == [1500] * seats
    assert all(after - before == change for before, after, change in shown)
    winners = people[0].table["outcome"]["winners"]
    if len(winners) == 1:
        assert max(shown, key=lambda one: one[1]) == shown[winners[0]]
        assert shown[winners[0]][2] > 0
    check_counted_once(books, people[0], seats)


@pytest.mark.parametrize("game", GAMES)
def test_a_rated_game_that_is_lost_by_time_counts_once(members, books, game):
    people = members(2)
    seats = [{"kind": "me"}, {"kind": "link"}]
    opened = people[0].open(game, seats, rated=True, clock="0+0 1x1")
    people[1].join(opened["table"], opened["seats"][1]["key"])
    begun = set()
    while True:  # until somebody has to move who has begun: then the clock runs
        people[0].until(lambda: any(each.over or each.my_turn for each in people), "a turn")
        acting = next((each for each in people if each.my_turn), None)
        if acting is None or acting.over or acting.table["turn"] in begun:
            break
        begun.add(acting.table["turn"])
        acting.make(min(acting.moves(), key=len))
    for person in people:
        person.page.locator(".result").wait_for()
        assert "ran out of time" in person.page.locator(".result").inner_text()
    (one, other) = changes_shown(people[0])
    assert sorted((one[2] > 0, other[2] > 0)) == [False, True]
    assert sorted(check_counted_once(books, people[0], 2)) == sorted("[0, 1]")


def test_at_a_table_of_four_a_computer_plays_on_for_who_leaves_and_that_counts_as_last(members, books):
    people = members(4)
    sit_down(people, "tryad", 4)
    left = None
    while left is None:  # the first person who has to decide leaves
        people[0].until(lambda: any(each.my_turn for each in people), "a turn")
        left = next((each for each in people if each.my_turn), None)
    seat = left.mine[0]
    staying = [each for each in people if each is not left]
    left.go("/")
    staying[0].page.get_by_role("button", name="Let the computer play on").click()
    for each in staying:
        strip = each.page.locator(f'.strip[data-seat="{seat}"]')
        each.until(lambda strip=strip: "plays on" in strip.inner_text(), "that a computer plays on")
    hands = hands_of(staying)
    play_on(hands)
    for hand in hands:
        hand.close()
    for each in staying:
        each.until(lambda p=each: p.over, "the end")
        each.page.locator(".result").wait_for()
    shown = changes_shown(staying[0])
    assert shown[seat][2] == min(change for _, _, change in shown) < 0
    places = [int(place) for place in re.findall(r"\d+", check_counted_once(books, staying[0], 4))]
    assert places[seat] == max(places)
    assert [place for number, place in enumerate(places) if number != seat].count(places[seat]) == 0
