"""Making an account and signing in: real servers, with SQLite and with PostgreSQL."""

import contextlib
import sqlite3
import threading

import pytest

PASSWORD = "seven violet otters"


def test_a_guest_s_games_come_along_when_an_account_is_made(club, person):
    ann = person(club)
    table = ann.post("/tables", game="yinsh", seats=[{"kind": "me"}, {"kind": "link"}])["table"]
    ann.sign_up()
    assert [each["table"] for each in ann.get("/tables")["mine"]] == [table]
    assert ann.account["name"] == ann.name
    assert "triskele" not in ann.cookies  # the guest is no more


def test_a_guest_s_old_cookie_does_not_stand_for_the_account(club, person, refusal):
    ann, thief = person(club), person(club)
    table = ann.post("/tables", game="yinsh", seats=[{"kind": "me"}, {"kind": "link"}])["table"]
    thief.http.cookies.set("triskele", ann.cookies["triskele"])
    assert thief.get(f"/tables/{table}")["table"] == table
    ann.sign_up()
    assert refusal(thief.get, f"/tables/{table}") == "unknown"
    assert thief.account is None


def test_games_of_another_browser_come_along_at_sign_in_if_wanted(club, person):
    ann, again, third = person(club).sign_up(), person(club), person(club)
    for browser in (again, third):
        browser.post("/tables", game="yinsh", seats=[{"kind": "me"}, {"kind": "here"}])
    assert again.get("/account")["guest_games"] == 1
    assert again.post("/sessions", name=ann.name, password=PASSWORD, bring=True)["brought"] == 1
    assert len(ann.get("/tables")["mine"]) == 1
    third.sign_in(ann.name)
    assert len(ann.get("/tables")["mine"]) == 1  # not asked for
    assert third.post("/account/bring")["brought"] == 1
    assert len(ann.get("/tables")["mine"]) == 2


def test_in_a_game_with_secrets_nobody_gets_a_second_seat_by_signing_in(club, person):
    ann, guest = person(club).sign_up(), person(club)
    opened = ann.post("/tables", game="tryptic", seats=[{"kind": "me"}, {"kind": "link"}])
    guest.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"])
    guest.sign_in(ann.name, bring=True)
    assert [seat["mine"] for seat in ann.get(f"/tables/{opened['table']}")["seats"]] == [True, False]


@pytest.mark.parametrize("alike", ["ZOE {n}", "zoe {n}", "Z0e {n}", "\u0417oe {n}".replace("\u0417", "Z"), "Zoe{n}"])
def test_names_that_look_alike_are_one_name(club, person, refusal, alike, request):
    n = abs(hash((request.node.name, alike))) % 10**8
    person(club).sign_up(f"Zoe {n}")
    assert refusal(person(club).post, "/accounts", name=alike.format(n=n), password=PASSWORD) == "name-taken"


def test_names_with_control_characters_are_refused(club, person, refusal):
    for name in ("a\nb", "a\u202eb", "\u200b", "a\x7fb", " "):
        assert refusal(person(club).post, "/accounts", name=name, password=PASSWORD) == "account-name"


def test_two_who_want_one_name_at_once_do_not_both_get_it(club, person, refusal):
    people = [person(club) for _ in range(6)]
    results = []

    def sign_up(each):
        answer = each.http.post("/accounts", json={"name": "The Only One", "password": PASSWORD})
        results.append(answer.json().get("name") or answer.json()["error"]["code"])

    threads = [threading.Thread(target=sign_up, args=[each]) for each in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["The Only One"] + ["name-taken"] * 5


@pytest.mark.parametrize("password", ["short", "password1", "x" * 257, "aaaaaaaaaa", "triskele2026", "baseball"])
def test_passwords_that_everybody_guesses_are_refused(person, refusal, password):
    assert refusal(person().sign_up, None, password).startswith("password-")


def test_a_password_with_the_name_in_it_is_refused_and_a_long_one_is_not(person, refusal):
    assert refusal(person().sign_up, "Rosalinde", "rosalinde12") == "password-common"
    long = "Ω" * 3 + " a phrase of many words " * 8
    ann = person().sign_up(None, long)
    assert person().sign_in(ann.name, long).account["name"] == ann.name
    with pytest.raises(Exception, match="wrong"):
        person().sign_in(ann.name, long[:-1])  # nothing is cut off


def test_nothing_that_opens_an_account_is_readable_in_the_database(server, person):
    ann = person(server).sign_up()
    token = ann.post("/account/tokens", name="bot", scopes=["play"])["token"]
    cookie = ann.cookies["triskele-session"]
    with contextlib.closing(sqlite3.connect(server.data / "tables.sqlite3")) as database:
        dump = "\n".join(database.iterdump())
    for secret in (cookie, token, token.removeprefix("trk_"), PASSWORD):
        assert secret not in dump
    assert "$argon2id$v=19$m=19456,t=2,p=1$" in dump
    assert cookie not in server.log.read_text()


def test_no_hints_and_no_questions_lead_into_an_account(server, person):
    """What opens an account is a password, a passkey, or a link to a confirmed address."""
    described = person(server).http.get("/openapi.json").json()["components"]["schemas"]
    fields = {name: set(described[name]["properties"]) for name in ("SignUp", "SignInAsked", "MailAsked", "ResetAsked")}
    assert fields == {
        "SignUp": {"name", "password", "passkey", "invitation"},
        "SignInAsked": {"name", "password", "passkey", "bring"},
        "MailAsked": {"mail"},
        "ResetAsked": {"link", "password"},
    }


def test_closed_and_by_invitation_are_what_they_say(start, person, refusal, admin):
    closed = start("--accounts", "closed", name="closed")
    assert refusal(person(closed).sign_up) == "accounts-closed"
    assert admin(closed, "accounts") == []  # there are none that nobody made
    invited = start("--accounts", "invitation", name="invited")
    assert refusal(person(invited).sign_up) == "invitation"
    code = admin(invited, "invite", "--uses", "2", "--note", "for the club")["code"]
    assert refusal(person(invited).sign_up, invitation="aaaa-bbbb-cccc-dddd") == "invitation"
    person(invited).sign_up(invitation=code)
    person(invited).sign_up(invitation=code.upper().replace("-", " "))
    assert refusal(person(invited).sign_up, invitation=code) == "invitation"
    other = admin(invited, "invite")["code"]
    (listed,) = admin(invited, "invitations")
    admin(invited, "uninvite", listed["id"])
    assert refusal(person(invited).sign_up, invitation=other) == "invitation"
    assert [each["action"] for each in admin(invited, "audit")] == ["uninvite", "invite", "invite"]


def test_where_guests_are_not_welcome_one_signs_in_first(start, person, refusal, said):
    server = start("--no-guests")
    guest = person(server)
    table = {"game": "yinsh", "seats": [{"kind": "me"}, {"kind": "here"}]}
    assert refusal(guest.post, "/tables", **table) == "account-needed"
    assert guest.get("/games")
    with guest.live() as live:
        assert said(live, "join", table="x" * 12)["code"] == "account-needed"
    guest.sign_up()
    opened = guest.post("/tables", **table)
    with guest.live() as live:
        assert said(live, "join", table=opened["table"])["type"] == "done"


def test_progress_in_lessons_and_puzzles_is_kept_and_joined(club, person):
    ann = person(club).sign_up()
    puzzles = {"yinsh": {"solved": ["p1"], "difficulty": 3}}
    ann.post("/account/learned", lessons={"yinsh": ["a", "b"]}, puzzles=puzzles)
    again = person(club).sign_in(ann.name)
    more = {"yinsh": {"solved": ["p2"], "difficulty": 2}}
    kept = again.post("/account/learned", lessons={"yinsh": ["c"]}, puzzles=more)
    assert kept["lessons"] == {"yinsh": ["a", "b", "c"]}
    assert kept["puzzles"] == {"yinsh": {"solved": ["p1", "p2"], "difficulty": 3}}
    counts = person(club).get(f"/people/{ann.name}")["learned"]
    assert counts == {"lessons": {"yinsh": 3}, "puzzles": {"yinsh": 2}}
