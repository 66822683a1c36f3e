"""Notices do not depend on what others hide by a single byte, and say nothing of a position."""

import json
import re

from tests.support.receivers import until

PERSONAL = re.compile(r'"(id|delivery|table|url|tag|title)":\s?"[^"]*"|"(at|sent)":\s?\d+')
"""What differs between any two games."""
AFTER = ("Be5", ".")


def told(member, web, pattern):
    """Play a game in which the second seat's pattern is given; return all notices of the first."""
    ann, bob = member("Ann"), member("Bob")
    browser, (hook, _) = ann.push(web), ann.hook(web)
    table = ann.sit(bob, game="tryptic", options={"players": 2})
    until(lambda: len(web.at(hook)) == 1, "her turn")
    ann.move(table, 0, "=BBB")
    bob.move(table, 1, f"={pattern}")
    until(lambda: len(web.at(hook)) == 2, "her turn again")
    for move in AFTER:
        ann.move(table, 0, move)
    bob.ask("offer", table=table, seat=1, what="draw")
    until(lambda: len(web.at(hook)) == 3, "the offer")
    in_page = json.dumps(ann.get("/notices"))
    bodies = [body.decode() for _, body in web.at(hook)]
    until(lambda: len(browser.messages()) == 3, "the push messages")
    sizes = [len(body) for _, body in web.at(browser.path)]
    everything = [*bodies, *map(json.dumps, browser.messages()), in_page]
    names = [each.replace(ann.name, "ANN").replace(bob.name, "BOB") for each in everything]
    return [PERSONAL.sub("", each) for each in names], len(sizes), everything


def test_P9_the_notices_of_a_seat_do_not_depend_on_another_s_pattern(member, web, club):
    one, count, whole = told(member, web, "GGR")
    other, _, _ = told(member, web, "WYY")
    assert one == other
    assert count == 3
    for secret in ("GGR", "BBB", "Be5", "WYY"):
        assert secret not in "".join(whole)
        assert secret not in club.log.read_text()
