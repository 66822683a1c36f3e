"""Notices of two server processes that share a PostgreSQL and a Valkey: each is sent once, by whichever."""

import json
from collections import Counter
from copy import copy

import pytest

from tests.support.receivers import PATIENCE, until


@pytest.fixture(scope="module")
def pair(shared, kit, tmp_path_factory, web):
    """Return two servers that share everything and send notices."""
    options, secret = shared
    limits = ("notice_wait_seconds=0.5", "notice_claim_seconds=3", "notice_seconds=30", "notice_retry_seconds=0.5")
    chosen = [*options, "--private-targets", *(part for limit in limits for part in ("--limit", limit))]
    started = [
        kit.Server(tmp_path_factory.mktemp("process") / "data", *chosen, TRISKELE_SECRET=secret) for _ in range(2)
    ]
    yield started
    for each in started:
        if each.process.poll() is None:
            each.stop()


def at(member, other):
    """Return the same person at another process."""
    moved = copy(member)
    moved.base, moved._lives, moved._own = other.base, [], None
    moved.http.base_url = f"{other.base}/api/v1"
    return moved


def test_each_notice_is_sent_once_and_pages_of_both_hear_of_it(pair, member, web):
    one, other = pair
    ann = member("Ann", at=one, site=None)
    people = [member(f"Bob{number}", at=pair[number % 2], site=None) for number in range(6)]
    browsers = [person.push(web) for person in people]
    hooks = [person.hook(web)[0] for person in people]
    follower = people[1]  # connected to the other process
    live = follower.live()
    follower.ask("notices", live, language="en")
    for person in people:
        table = ann.sit(person)
        ann.move(table, 0, "e5")
    while json.loads(live.recv(PATIENCE)).get("count") != 1:
        pass
    for browser, hook in zip(browsers, hooks, strict=True):
        until(lambda b=browser, h=hook: b.messages() and web.at(h), "the notices")
    # Whoever would send one again does so before the next is sent.
    last = member("Last", at=other, site=None)
    path, _ = last.hook(web)
    table = ann.sit(last)
    ann.move(table, 0, "e5")
    until(lambda: web.at(path), "the last notice")
    assert Counter(len(browser.messages()) for browser in browsers) == {1: 6}
    assert Counter(len(web.at(hook)) for hook in hooks) == {1: 6}


def test_who_looks_at_the_table_at_another_process_is_told_nothing(pair, member, web):
    one, other = pair
    ann, bob = member("Ann", at=one, site=None), member("Bob", at=other, site=None)
    hook, _ = bob.hook(web)
    table = ann.sit(bob)
    live = bob.live()
    bob.ask("join", live, table=table)
    ann.move(table, 0, "e5")
    while json.loads(live.recv(PATIENCE)).get("type") != "moved":
        pass
    cid = member("Cid", at=other, site=None)
    path, _ = cid.hook(web)
    table = ann.sit(cid)
    ann.move(table, 0, "e5")
    until(lambda: web.at(path), "the notice of somebody else, which came later")
    assert web.at(hook) == []


def test_what_a_process_that_died_was_sending_another_sends(pair, member, web):
    one, other = pair
    ann, bob = member("Ann", at=one, site=None), member("Bob", at=one, site=None)
    hook, _ = bob.hook(web)
    web.hang.clear()
    table = ann.sit(bob)
    ann.move(table, 0, "e5")
    until(lambda: web.at(hook), "that somebody sends it")
    one.kill()  # whichever was sending it: the one that lives has it, or takes it over
    web.hang.set()
    delivered = {json.loads(body)["delivery"] for _, body in until(lambda: web.at(hook), "the notice")}
    assert len(delivered) == 1
    bob = at(bob, other)
    until(lambda: bob.get("/notices")["count"] == 1, "that the other process goes on")
