"""Bad people in the lobby: offers by the thousand, names and clocks that are none."""

import pytest

from tests.support.lobby import Follower


@pytest.fixture
def crowd(start, visitor, kit):
    """Return a server, and a function that brings a guest from an address into its lobby."""
    server = start("--limit", "seeks_per_address=12")

    def come(address):
        person = visitor(server)
        person.live = lambda: kit.Live(person, **{"X-Forwarded-For": address})
        return Follower(person, "Crowd")

    return server, come


def test_offers_by_the_thousand_of_an_address_are_refused_and_others_play_on(crowd, refused, pair):
    server, come = crowd
    ann, ben = come("198.51.100.1"), come("198.51.100.2")
    codes = []
    for _ in range(6):
        guest = come("203.0.113.66")
        numbers = [guest.live.say("seek", game="yinsh") for _ in range(10)]
        answers = [guest.wait(lambda message, n=number: message.get("id") == n) for number in numbers]
        codes += [answer.get("code", "done") for answer in answers]
    assert codes.count("done") == 12
    assert codes.count("too-many-seeks") == 48
    made = ann.ask("seek", game="yinsh")["seek"]
    ben.until(lambda lobby: made in lobby.seeks)
    ben.ask("accept", seek=made)
    assert ann.begun() == ben.begun()
    assert "open seeks over the limit" in server.log.read_text()


def logged(server, codes):
    """Check that the log has a line about each kind of input that was refused, and nothing of the input."""
    said = server.log.read_text()
    assert all(f"input that is not allowed ({code}): " in said for code in codes)
    assert "\x1b" not in said


@pytest.mark.parametrize("name", ["a\nb", "a\u202eb", "\x1b[31mred", "x" * 200])
def test_a_guest_s_name_with_control_characters_is_refused(server, visitor, refused, name):
    guest = visitor()
    opened = guest.open("yinsh", "me", "link")
    seats = f"/tables/{opened['table']}/seats"
    key = opened["seats"][1]["key"]
    codes = {refused(Follower, guest, name), refused(visitor().post, seats, key=key, name=name)}
    assert codes <= {"name", "form"}
    assert visitor().post(seats, key=key, name="Bob") == {"seat": 1}
    logged(server, codes)


@pytest.mark.parametrize("clock", ["-1+3", "5+-3", "0+0", "1e9+0", "5+3 -2x30", "-3d", "\u0665+3"])
def test_a_clock_of_a_negative_second_or_of_none_is_refused_everywhere(server, visitor, refused, clock):
    ann = Follower(visitor(), "Ann")
    codes = {refused(ann.ask, "seek", game="yinsh", clock=clock)}
    codes.add(refused(ann.person.open, "yinsh", "me", "here", clock=clock))
    assert codes <= {"option", "form"}
    assert ann.ask("seek", game="yinsh", clock="5+3")["seek"]
    logged(server, codes)
