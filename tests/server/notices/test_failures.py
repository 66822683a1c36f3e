"""What goes wrong: endpoints that are gone, busy or hang, a server that is killed, a mail server that says nothing."""

import contextlib
import json
import socket
import time

import pytest
from sqlalchemy import create_engine, text, update

from tests.support.postgresql import PostgreSQL
from tests.support.receivers import Web, until
from triskele.core.time_control import HOUR
from triskele.server.storage import schema


def count(web, path):
    return len(web.at(path))


def settled(kept, most=1):
    """Wait until everything was sent or given up."""
    kept.until(lambda each: each.rows("deliveries") and all(row["done"] for row in each.rows("deliveries")))
    assert len(kept.rows("deliveries")) >= most


@pytest.fixture
def quiet_web(web):
    """Return the receiver, which answers as usual again afterwards."""
    yield web
    web.answers.clear()
    web.headers.clear()
    web.hang.set()


def test_a_push_service_that_says_gone_ends_the_subscription_with_a_line_in_the_log(member, quiet_web, club, books):
    ann, bob = member("Ann"), member("Bob")
    browser = bob.push(quiet_web)
    quiet_web.answers[:] = [410]
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    until(lambda: bob.get("/notices/settings")["browsers"] == [], "that it is dropped")
    until(lambda: "the subscription is dropped" in club.log.read_text(), "the line in the log")
    bob.move(table, 1, "f6")
    ann.move(table, 0, "d4")
    settled(books(club))
    assert count(quiet_web, browser.path) == 1
    for secret in (browser.path, quiet_web.url, bob.name):
        assert secret not in club.log.read_text()


def test_a_busy_receiver_is_tried_again_and_given_up_at_last(member, quiet_web, club, books):
    ann, bob, cid = member("Ann"), member("Bob"), member("Cid")
    hook, _ = bob.hook(quiet_web)
    quiet_web.answers[:] = [503, 429]
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    until(lambda: count(quiet_web, hook) == 3, "three tries")
    settled(books(club))
    bodies = {json.loads(body)["delivery"] for _, body in quiet_web.at(hook)}
    assert len(bodies) == 1  # a receiver can tell that it is the same
    other, _ = cid.hook(quiet_web)
    quiet_web.answers[:] = [500, 502, 504, 500]
    table = ann.sit(cid)
    ann.move(table, 0, "e5")
    until(lambda: "given up after 3 tries: it answers 504" in club.log.read_text(), "that it is given up")
    settled(books(club))
    assert count(quiet_web, other) == 3


def test_a_hook_that_redirects_is_not_followed(member, quiet_web, club, books):
    ann, bob = member("Ann"), member("Bob")
    hook, _ = bob.hook(quiet_web)
    quiet_web.answers[:] = [307]
    quiet_web.headers["Location"] = f"{quiet_web.url}/inside"
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    until(lambda: "it answers 307" in club.log.read_text(), "the line in the log")
    assert (count(quiet_web, hook), count(quiet_web, "/inside")) == (1, 0)


def test_mail_and_hooks_that_hang_hold_up_no_push_message(member, quiet_web, start, server_options):
    with contextlib.closing(
        socket.create_server(("127.0.0.1", 0))
    ) as silent:  # it takes mail servers' calls, and is silent
        club = start(*server_options(silent.getsockname()[1], "mail_seconds=5"))
        people = [member(name, at=club) for name in ("Ann", "Bob", "Cid")]
        ann, bob, cid = people
        kept = database_of(club)
        with kept.begin() as connection:
            confirmed = update(schema.accounts).values(mail="x@mail.example", mail_confirmed=1)
            connection.execute(confirmed)
        kept.dispose()
        bob.choose("mail", "hook", "push")
        hook, _ = bob.hook(quiet_web)
        quiet_web.hang.clear()
        table = ann.sit(bob)
        ann.move(table, 0, "e5")
        until(lambda: count(quiet_web, hook), "the hook that hangs")
        browser = cid.push(Web())
        table = ann.sit(cid)
        ann.move(table, 0, "e5")
        until(browser.messages, "the push message")
        assert ann.get("/tables")["mine"], "the server answers as ever"
        quiet_web.hang.set()
        browser.web.close()


def database_of(club):
    return create_engine(f"sqlite:///{club.data / 'tables.sqlite3'}")


def test_a_kill_loses_no_notice_and_sends_none_twice(member, web, start, server_options):
    options = server_options(None, "notice_wait_seconds=2")
    club = start(*options)
    ann, bob, cid = (member(name, at=club) for name in ("Ann", "Bob", "Cid"))
    hooks = [each.hook(web)[0] for each in (bob, cid)]
    first = ann.sit(bob)
    ann.move(first, 0, "e5")
    until(lambda: count(web, hooks[0]) == 1, "the first notice")
    second = ann.sit(cid)
    ann.move(second, 0, "e5")
    club.kill()
    again = start(*options, port=club.port)
    until(lambda: count(web, hooks[1]) == 1, "the notice that was not sent before")
    engine = database_of(again)

    def done():
        with engine.connect() as connection:
            return all(row.done for row in connection.execute(schema.deliveries.select()))

    until(done, "an empty queue")
    engine.dispose()
    assert [count(web, hook) for hook in hooks] == [1, 1]


def test_a_notice_that_is_due_while_the_database_is_gone_is_sent_once_when_it_is_back(
    member, web, start, server_options, tmp_path_factory
):
    postgresql = PostgreSQL(tmp_path_factory.mktemp("pg"))
    options = server_options(None, "notice_wait_seconds=1", "database_seconds=1")
    club = start(*options, "--database", postgresql.url)
    ann, bob = member("Ann", at=club), member("Bob", at=club)
    hook, _ = bob.hook(web)
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    with postgresql.down():
        time.sleep(2)
    until(lambda: count(web, hook) == 1, "the notice")
    bob.move(table, 1, "f6")
    ann.move(table, 0, "d4")
    until(lambda: count(web, hook) == 2, "the next one")
    bodies = [json.loads(body) for _, body in web.at(hook)]
    assert len({body["delivery"] for body in bodies}) == 2
    club.stop()
    postgresql.server.cleanup()


def test_who_has_little_time_left_is_told_once(member, web, start, server_options):
    options = server_options(None)
    club = start(*options)
    ann, bob = member("Ann", at=club), member("Bob", at=club)
    hook, _ = bob.hook(web)
    table = ann.sit(bob, clock="4h")
    ann.move(table, 0, "e5")
    until(lambda: count(web, hook) == 1, "the turn")
    club.stop()
    engine = database_of(club)
    with engine.begin() as connection:  # as if it was three hours and a half later
        ago = 7 * HOUR // 2
        for name in ("log.time", "deadlines.due", "tables.opened", "notices.at"):
            kind, column = name.split(".")
            connection.execute(text(f"UPDATE {kind} SET {column} = {column} - {ago}"))
    engine.dispose()
    start(*options, port=club.port)
    told = until(lambda: web.at(hook)[1:], "that time runs short")
    (notice,) = json.loads(told[0][1])["notices"]
    assert (notice["kind"], notice["text"]) == ("time", "It’s your turn, and less than 1 hour is left.")
    live = bob.live()
    bob.ask("move", live, table=table, seat=1, move="f6", at=1)
    assert bob.get("/notices")["count"] == 0  # with the turn it is over
    assert count(web, hook) == 2
