"""Notices leave by all ways: once, to who does not look, in their words, and never more than they may know."""

import hashlib
import hmac
import json
import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from sqlalchemy import update

from tests.support.receivers import PATIENCE, until
from triskele.server.storage import schema


def heard(web, path):
    return [notice for _, body in web.at(path) for notice in json.loads(body)["notices"]]


def kinds(web, path):
    return [(each["kind"], each["detail"]) for each in heard(web, path)]


def settle(books, club):
    """Wait until everything in the queue that is due was sent or dropped."""
    kept = books(club)

    def idle(books):
        told = all(row["told"] is not None for row in books.rows("notices") if row["seen"] is None)
        return told and all(row["done"] is not None for row in books.rows("deliveries") if row["role"] == "single")

    kept.until(idle)
    return kept


def make_due(kept):
    """Let what waits for an hour of the day be due now."""
    with kept.engine.begin() as connection:
        connection.execute(update(schema.deliveries).values(at=0))


def test_a_turn_is_told_by_push_mail_and_hook_once_each(member, web, office, club, books):
    ann, bob = member("Ann"), member("Bob")
    bob.mail(office, "bob@mail.example")
    bob.choose("page", "push", "mail", "hook")
    browser, (hook, secret) = bob.push(web), bob.hook(web)
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    (message,) = until(browser.messages, "the push message")
    assert message["title"] == f"YINSH · {ann.name}"
    assert (message["body"], message["url"]) == ("It’s your turn.", f"/table/{table}")
    headers, body = until(lambda: web.at(hook), "the hook")[0]
    assert headers["X-Triskele-Signature"] == f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"
    (told,) = json.loads(body)["notices"]
    assert (told["kind"], told["table"], told["seat"]) == ("turn", table, 1)
    assert told["url"] == f"https://play.example/table/{table}"
    (mail,) = until(lambda: office.about(f"YINSH · {ann.name}"), "the mail")
    assert mail["Subject"] == f"YINSH · {ann.name}: It’s your turn."
    assert f"https://play.example/table/{table}" in mail.get_content()
    settle(books, club)
    assert (len(browser.messages()), len(web.at(hook)), len(office.about(ann.name))) == (1, 1, 1)
    everything = f"{message}{body.decode()}{mail.as_string()}"
    assert "e5" not in re.sub(r"[0-9a-f]{16,}", "", everything.replace(table, ""))


def test_who_looks_at_the_table_is_told_nothing_until_they_look_away(member, web, club, books):
    ann, bob = member("Ann"), member("Bob")
    hook, _ = bob.hook(web)
    table = ann.sit(bob)
    live = bob.live()
    bob.ask("join", live, table=table)
    ann.move(table, 0, "e5")
    bob.move(table, 1, "f6")
    ann.move(table, 0, "d4")
    settle(books, club)
    assert heard(web, hook) == []
    assert bob.get("/notices") == {"count": 0, "notices": []}
    bob.move(table, 1, "f7")
    bob.ask("looking", live, table=table, on=False)  # the page is in the background
    ann.move(table, 0, "d5")
    until(lambda: kinds(web, hook) == [("turn", "")], "the notice")
    bob.ask("looking", live, table=table, on=True)
    until(lambda: bob.get("/notices")["count"] == 0, "that it is seen")


def test_a_matter_that_is_over_before_it_is_sent_is_withdrawn(member, web, club, books):
    ann, bob = member("Ann"), member("Bob")
    hour = datetime.now(UTC).hour
    bob.choose("hook", quiet=[hour, (hour + 3) % 24], zone="UTC")
    hook, _ = bob.hook(web)
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    kept = books(club)
    kept.until(lambda each: any(row["way"] == "hook" and not row["done"] for row in each.rows("deliveries")))
    bob.move(table, 1, "f6")
    assert not [row for row in kept.rows("notices") if row["table_id"] == table and row["seat"] == 1]
    make_due(kept)
    settle(books, club)
    assert heard(web, hook) == []
    ann.move(table, 0, "d4")  # the next turn is another matter
    kept.until(lambda each: any(row["way"] == "hook" and not row["done"] for row in each.rows("deliveries")))
    make_due(kept)
    until(lambda: kinds(web, hook) == [("turn", "")], "the notice after the quiet hours")


def test_a_digest_is_one_mail_of_all_that_still_holds(member, web, office, club, books):
    ann, bob = member("Ann"), member("Bob")
    bob.mail(office, "digest@mail.example")
    later = (datetime.now(UTC) + timedelta(hours=2)).hour
    bob.choose("mail", digest=["mail"], hour=later, zone="UTC")
    tables = [ann.sit(bob) for _ in range(3)]
    for table in tables:
        ann.move(table, 0, "e5")
    kept = books(club)
    kept.until(lambda each: len([row for row in each.rows("deliveries") if row["role"] == "part"]) >= 3)
    bob.move(tables[0], 1, "f6")
    make_due(kept)
    (mail,) = until(lambda: office.about("notices about your games"), "the digest")
    assert mail["Subject"] == "2 notices about your games"
    text = mail.get_content()
    assert [each in text for each in tables] == [False, True, True]
    kept.until(lambda each: all(row["done"] for row in each.rows("deliveries") if row["role"] == "part"))
    assert len(office.about("notices about your games")) == 1


def test_offers_beginnings_and_ends_are_told(member, web, club, books):
    ann, bob = member("Ann"), member("Bob")
    hook, _ = ann.hook(web)
    table = ann.sit(bob)  # it is Ann's turn at once
    until(lambda: kinds(web, hook) == [("turn", "")], "her turn")
    ann.move(table, 0, "e5")
    bob.ask("offer", table=table, seat=1, what="draw")
    until(lambda: kinds(web, hook)[1:] == [("offer", "draw")], "the offer")
    bob.ask("resign", table=table, seat=1)
    until(lambda: kinds(web, hook)[2:] == [("ended", "")], "the end")
    assert heard(web, hook)[-1]["text"] == "The game is over: you won."
    bob.ask("offer", table=table, seat=1, what="rematch")
    until(lambda: kinds(web, hook)[3:] == [("offer", "rematch")], "the rematch")
    live = ann.sit(bob, clock="5+3")  # somebody came to a live game
    until(lambda: kinds(web, hook)[4:] == [("begun", "")], "the beginning")
    bob.ask("resign", table=live, seat=1)
    until(lambda: kinds(web, hook)[5:] == [("ended", "")], "the end of the live game")
    settle(books, club)
    assert len(kinds(web, hook)) == 6


def test_guests_and_pages_are_told_live(club, member, visitor):
    ann, bob = member("Ann"), member("Bob")
    live = bob.live()
    bob.ask("notices", live, language="de")
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    while (message := json.loads(live.recv(PATIENCE))).get("count") != 1:
        pass
    assert message["notices"][0]["text"] == "Du bist am Zug."
    bob.move(table, 1, "f6")
    while (message := json.loads(live.recv(PATIENCE))).get("type") != "notices":
        pass
    assert message["count"] == 0
    ann.post("/notices/seen")
    assert ann.get("/notices")["count"] == 0


# --- leaving ------------------------------------------------------------------------------------------


def test_one_click_in_the_mail_leaves(member, web, office, club, books):
    ann, bob = member("Ann"), member("Bob")
    bob.mail(office, "leave@mail.example")
    bob.choose("page", "mail")
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    (mail,) = until(lambda: office.about(ann.name), "the mail")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = re.fullmatch(r"<https://play\.example(/api/v1/notices/leave/[\w-]+)>", mail["List-Unsubscribe"])[1]
    assert link in mail.get_content()
    with httpx.Client(base_url=club.base, headers={"Host": "play.example"}, timeout=PATIENCE) as nobody:
        page = nobody.get(link, headers={"Accept-Language": "de"})
        assert page.status_code == 200
        assert "Keine Benachrichtigungen mehr per Mail</button>" in page.text
        assert bob.get("/notices/settings")["preferences"]["ways"]["turn"] == [
            "page",
            "mail",
        ]  # looking changes nothing
        broken = nobody.post(link[:-2])
        assert broken.status_code == 403
        done = nobody.post(link, data={"List-Unsubscribe": "One-Click"})
        assert done.status_code == 200
        assert nobody.post(link).status_code == 200  # once more does no harm
    ways = bob.get("/notices/settings")["preferences"]["ways"]
    assert {tuple(each) for each in ways.values()} == {("page",)}
    bob.move(table, 1, "f6")
    ann.move(table, 0, "d4")
    settle(books, club)
    assert len(office.about(ann.name)) == 1


def test_push_messages_end_with_the_session(member, web, club, books):
    ann, bob = member("Ann"), member("Bob")
    browser = bob.push(web)
    table = ann.sit(bob)
    bob.post("/sessions/end", where="everywhere")
    ann.move(table, 0, "e5")
    settle(books, club)
    assert browser.messages() == []


def test_all_of_it_is_in_the_data_of_an_account_and_goes_with_it(member, web, club, books):
    ann, bob = member("Ann"), member("Bob")
    bob.push(web)
    hook, secret = bob.hook(web)
    bob.choose("push", zone="Europe/Paris")
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    kept = settle(books, club)
    data = bob.http.get("/account/data").text
    notices = json.loads(data)["notices"]
    assert notices["zone"] == "Europe/Paris"
    assert (len(notices["browsers"]), notices["hook"]) == (1, web.url + hook)
    assert secret not in data
    account = next(row["id"] for row in kept.rows("accounts") if row["name"] == bob.name)
    assert [row for row in kept.rows("web_hooks") if row["account"] == account]
    bob.post("/account/delete")
    for name in ("notice_settings", "push_subscriptions", "web_hooks", "deliveries"):
        assert not [row for row in kept.rows(name) if row["account"] == account]
    assert not [row for row in kept.rows("notices") if row["table_id"] == table and row["seat"] == 1]


# --- what cannot be -------------------------------------------------------------------------------------


def test_what_cannot_be_chosen_is_refused(member, web):
    bob = member("Bob")
    good = {"ways": {"turn": ["page"]}}
    assert bob.refused("/notices/settings", **good, zone="Mars/Olympus") == "time-zone"
    for bad in (
        {"ways": {"chat": ["page"]}},
        {"ways": {"turn": ["pigeon"]}},
        {**good, "hour": 24},
        {**good, "quiet": [1]},
    ):
        assert bob.refused("/notices/settings", **bad) == "form"
    key = bob.get("/notices/settings")["push_key"]
    sound = {"endpoint": f"{web.url}/x", "keys": {"p256dh": key, "auth": "A" * 22}, "server_key": key}
    for bad in (
        {"endpoint": "javascript:alert(1)"},
        {"keys": {"p256dh": "AAAA", "auth": "A" * 22}},
        {"server_key": "x"},
    ):
        assert bob.refused("/notices/push", **{**sound, **bad}) == "push-keys"
    assert bob.refused("/notices/hook", url="ftp://hooks.example") == "hook-address"


def test_nobody_is_called_inside_the_host_s_network_unless_it_allows_that(member, server):
    bob = member("Bob", at=server, site=None)
    for url in ("http://hooks.example/", "https://127.0.0.1/", "https://[::1]/x", "https://169.254.169.254/latest"):
        assert bob.refused("/notices/hook", url=url) == "hook-address"
    assert len(bob.post("/notices/hook", url="https://hooks.example/")["secret"]) == 43


@pytest.mark.parametrize("path", ["/notices/settings", "/notices/push", "/notices/hook", "/notices/hook/remove"])
def test_guests_choose_nothing(path, visitor, refused):
    bodies = {"/notices/settings": {"ways": {}}, "/notices/hook": {"url": "https://hooks.example"}}
    push = {"endpoint": "https://push.example", "keys": {"p256dh": "A", "auth": "A"}, "server_key": "A"}
    assert refused(visitor().post, path, **bodies.get(path, push if "push" in path else {})) == "account-needed"
