"""When notices are sent: quiet hours and digests, in the time zone of a person, also when clocks are put forward."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from triskele.server.notices.preferences import Preferences, zone_of

PARIS = "Europe/Paris"


def ms(written, zone=PARIS):
    return int(datetime.fromisoformat(written).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("at", "sent"),
    [
        ("2026-05-01T21:59", "2026-05-01T21:59"),
        ("2026-05-01T22:00", "2026-05-02T08:00"),
        ("2026-05-02T07:59", "2026-05-02T08:00"),
        ("2026-05-02T08:00", "2026-05-02T08:00"),
        ("2026-03-28T23:00", "2026-03-29T08:00"),  # an hour is missing in this night
        ("2026-10-24T23:00", "2026-10-25T08:00"),  # and one is twice in this
    ],
)
def test_quiet_hours_over_midnight(at, sent):
    assert Preferences(quiet=(22, 8), zone=PARIS).at_once(ms(at)) == ms(sent)


def test_quiet_hours_within_a_day_and_none():
    assert Preferences(quiet=(9, 17), zone=PARIS).at_once(ms("2026-05-01T12:00")) == ms("2026-05-01T17:00")
    assert Preferences(quiet=(9, 9), zone=PARIS).at_once(ms("2026-05-01T09:30")) == ms("2026-05-01T09:30")
    assert Preferences().at_once(1) == 1


def test_a_digest_comes_at_its_hour():
    daily = Preferences(digest=frozenset(["mail"]), hour=8, zone=PARIS)
    assert daily.digest_at(ms("2026-05-01T07:30")) == ms("2026-05-01T08:00")
    assert daily.digest_at(ms("2026-05-01T08:00")) == ms("2026-05-02T08:00")
    assert daily.in_digest("turn", "mail")
    assert not daily.in_digest("time", "mail")
    assert not daily.in_digest("turn", "push")


def test_what_is_kept_reads_back():
    chosen = Preferences(quiet=(22, 8), zone=PARIS, digest=frozenset(["mail"]), hour=7, language="fr").without("push")
    assert Preferences.of(json.dumps(chosen.document())) == chosen
    assert not chosen.wants("turn", "push")
    assert chosen.wants("turn", "page")
    assert not chosen.wants("nothing", "page")


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "x" * 100, "Ä"])
def test_zones_that_are_none(name):
    assert zone_of(name) is None
