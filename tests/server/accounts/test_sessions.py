"""Sessions, as OWASP's ASVS level 2 asks for them; the table in docs/accounts.md names these tests."""

import contextlib
import re
import sqlite3
import statistics
import time

import pytest
from websockets.exceptions import ConnectionClosed

PASSWORD = "seven violet otters"
PATIENCE = 30.0


def changed(start, server, statement):
    """Change the database of a server while it is stopped; return the server that goes on with it."""
    server.stop()
    with contextlib.closing(sqlite3.connect(server.data / "tables.sqlite3")) as database:
        database.execute(statement)
        database.commit()
    return start(port=server.port, name=server.data.name)


def test_signing_in_gives_a_new_session_and_ends_the_one_before(club, person):
    ann, planted = person(club).sign_up(), person(club)
    fixed = "A" * 43
    planted.http.cookies.set("triskele-session", fixed, "127.0.0.1", "/")
    planted.sign_in(ann.name)
    assert planted.cookies["triskele-session"] != fixed
    attacker = person(club)
    attacker.http.cookies.set("triskele-session", fixed)
    assert attacker.account is None
    before = planted.cookies["triskele-session"]
    planted.sign_in(ann.name)
    old = person(club)
    old.http.cookies.set("triskele-session", before)
    assert old.account is None


def test_proving_again_who_one_is_gives_the_session_another_value(both, person):
    ann = person(both[0]).sign_up()
    before = ann.cookies["triskele-session"]
    there = person(both[1])
    there.http.cookies.set("triskele-session", before)
    assert there.account is not None
    with ann.live() as live:
        ann.post("/account/prove", password=PASSWORD)
        live.ping().wait(PATIENCE)  # its connections stay
    assert ann.cookies["triskele-session"] != before
    assert ann.account["name"] == ann.name
    assert len(ann.get("/sessions")) == 1
    deadline = time.monotonic() + PATIENCE
    while there.account is not None:  # at once here, and when the bus has told it at the other process
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_sessions_are_random_and_long(person):
    values = {person().sign_up().cookies["triskele-session"] for _ in range(5)}
    assert len(values) == 5
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", value) for value in values)  # 256 bits


def test_over_https_the_cookie_is_for_this_host_alone(start, person):
    server = start("--url", "https://play.example/games/")
    ann = person(server, host="play.example", origin="https://play.example")
    answer = ann.http.post("/accounts", json={"name": "Ann", "password": PASSWORD})
    made = [each for each in answer.headers.get_list("set-cookie") if "session" in each]
    (cookie,) = made
    name, _, rest = cookie.partition("=")
    assert name == "__Host-triskele-session-games"
    assert {"Path=/", "Secure", "HttpOnly", "SameSite=Lax"} <= set(rest.split("; "))
    assert "Domain" not in rest
    plain = person(server, host="play.example", cookie=f"triskele-session-games={rest.split(';')[0]}")
    assert plain.account is None  # a name that anybody on the network could set


def test_a_session_is_valid_on_the_server_alone(club, person):
    ann = person(club).sign_up()
    value = ann.cookies["triskele-session"]
    ann.post("/sessions/end", where="here")
    assert ann.account is None
    again = person(club)
    again.http.cookies.set("triskele-session", value)
    assert again.account is None


def test_sessions_are_listed_and_ended_one_by_one_or_all(club, person, refusal):
    ann = person(club, **{"user-agent": "Ann's browser"}).sign_up()
    others = [person(club, **{"user-agent": f"browser {n}"}).sign_in(ann.name) for n in range(3)]
    listed = ann.get("/sessions")
    assert sorted(each["agent"] for each in listed) == ["Ann's browser", "browser 0", "browser 1", "browser 2"]
    assert [each["agent"] for each in listed if each["current"]] == ["Ann's browser"]
    first = next(each["id"] for each in listed if each["agent"] == "browser 0")
    ann.post(f"/sessions/{first}/end")
    assert others[0].account is None
    assert others[1].account is not None
    stranger = person(club).sign_up()
    mine = next(each["id"] for each in listed if each["current"])
    assert refusal(stranger.post, f"/sessions/{mine}/end") == "unknown"
    assert ann.post("/sessions/end", where="others")["ended"] == 2
    assert [each.account for each in others] == [None] * 3
    assert ann.account is not None
    others[0].sign_in(ann.name)
    ann.post("/sessions/end", where="everywhere")
    assert others[0].account is None
    assert ann.account is None


def test_a_session_ended_at_one_process_is_ended_at_the_other(both, person):
    first, second = both
    ann = person(first).sign_up()
    there = person(second)
    there.http.cookies.update(ann.cookies)
    assert there.account is not None
    with there.live() as live:
        ann.post("/sessions/end", where="everywhere")
        with pytest.raises(ConnectionClosed):
            live.recv(PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while there.account is not None:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_sessions_end_when_the_password_changes(club, person, refusal):
    ann = person(club).sign_up()
    other = person(club).sign_in(ann.name)
    before = ann.cookies["triskele-session"]
    with other.live() as live:
        assert refusal(ann.post, "/account/password", current="wrong", password="nine amber herons") == "password"
        assert refusal(ann.post, "/account/password", password="nine amber herons") == "password"
        ann.post("/account/password", current=PASSWORD, password="nine amber herons")
        with pytest.raises(ConnectionClosed):
            live.recv(PATIENCE)
    assert other.account is None
    assert ann.account is not None  # with a new session
    assert ann.cookies["triskele-session"] != before
    assert refusal(person(club).sign_in, ann.name) == "sign-in"
    person(club).sign_in(ann.name, "nine amber herons")


def test_what_only_the_person_may_change_needs_a_recent_sign_in(start, person, refusal):
    server = start()
    ann = person(server).sign_up()
    server = changed(start, server, "UPDATE sessions SET proved = 0")
    assert ann.account["proved"] is False
    for path, body in (
        ("/account/tokens", {"name": "x", "scopes": ["read"]}),
        ("/account/bots", {"name": "Bot"}),
        ("/account/delete", {}),
        ("/account/mail", {"mail": "ann@mail.example"}),
        ("/account/mail/remove", {}),
        ("/account/passkeys", {"state": "x", "credential": {}}),
        ("/account/passkeys/remove", {"id": "x"}),
    ):
        assert refusal(ann.post, path, **body) == "prove"
    assert refusal(ann.get, "/account/data") == "prove"
    assert refusal(ann.post, "/account/prove", password="wrong") == "password"
    ann.post("/account/prove", password=PASSWORD)
    assert ann.post("/account/tokens", name="x", scopes=["read"])["token"]


@pytest.mark.parametrize(("column", "days"), [("seen", 30), ("created", 180)])
def test_a_session_ends_by_itself_unused_for_a_month_and_in_any_case_after_half_a_year(start, person, column, days):
    server = start()
    ann = person(server).sign_up()
    server = changed(start, server, f"UPDATE sessions SET {column} = {column} - {days} * 86400000 + 600000")
    assert ann.account is not None
    changed(start, server, f"UPDATE sessions SET {column} = {column} - 1200000 - {days} * 86400000")
    assert ann.account is None
    ann.sign_in(ann.name)  # the password is as good as ever: nobody has to change it after a time


def test_a_host_can_end_all_sessions_of_an_account(start, person, admin):
    server = start()
    ann = person(server).sign_up("Ann")
    assert admin(server, "sign-out", "ann")["ended"] == 1
    assert ann.account is None


def test_signing_in_is_throttled_by_name_and_address_alike_for_all_names(start, person, refusal):
    server = start("--limit", "sign_ins_burst=3", "--limit", "sign_ins_per_hour=1")
    ann = person(server).sign_up("Ann")
    for name in ("Ann", "Nobody"):
        codes = [refusal(person(server).sign_in, name, "wrong word") for _ in range(5)]
        assert codes == ["sign-in"] * 3 + ["sign-in-limit"] * 2
    assert refusal(person(server).sign_in, "ANN", PASSWORD) == "sign-in-limit"
    assert ann.account is not None  # who is signed in is not locked out


def test_processes_count_tries_together(both, person, refusal):
    """Who is refused at one process gets no tries of the other, whether the name exists or not."""
    ann = person(both[0]).sign_up()
    for name in (ann.name, "Nobody Anywhere"):
        at_first = tries(refusal, person(both[0]), name)
        assert at_first > 3
        assert tries(refusal, person(both[1]), name) < at_first / 2


def tries(refusal, somebody, name):
    """Try to sign in until it is refused; return how often a password was looked at."""
    for count in range(100):
        if refusal(somebody.sign_in, name, "wrong word") == "sign-in-limit":
            return count
    raise AssertionError("it is never refused")


def test_a_refused_sign_in_says_the_same_whoever_exists(club, person):
    ann = person(club).sign_up()
    bodies = {
        person(club).http.post("/sessions", json={"name": name, "password": "wrong"}).text
        for name in (ann.name, "Nobody At All", "x", "a\nb")
    }
    assert len(bodies) == 1


def test_a_refused_sign_in_checks_a_password_also_of_who_does_not_exist(start, person):
    """The time that a password's check takes is most of the answer, and both have it."""
    server = start("--limit", "sign_ins_burst=100000", "--limit", "sign_ins_per_hour=100000")
    ann = person(server).sign_up()
    somebody = person(server)

    def seconds(name):
        began = time.perf_counter()
        somebody.http.post("/sessions", json={"name": name, "password": "wrong"})
        return time.perf_counter() - began

    pairs = [(seconds(ann.name), seconds("Nobody")) for _ in range(15)]
    known, unknown = (statistics.median(each) for each in zip(*pairs, strict=True))
    assert unknown > known / 2  # without the check it takes a tenth


def test_sign_ins_of_another_site_are_refused(server, person):
    answer = person().http.post("/sessions", json={}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
