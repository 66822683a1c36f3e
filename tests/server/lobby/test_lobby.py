"""The lobby: who is here, who looks for a game, and how a seek becomes a table."""

import pytest

from tests.support.lobby import Follower


@pytest.fixture(scope="module")
def lobby_server(kit, tmp_path_factory):
    """Return a server from whose lobby one is gone soon."""
    server = kit.Server(tmp_path_factory.mktemp("lobby") / "data", "--limit", "lobby_grace_seconds=0.2")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def tokens():
    """Return the tokens of those who have accounts, by name."""
    return {}


@pytest.fixture
def club(lobby_server, visitor, books, tokens):
    """Return a way to get people into a lobby, with accounts if they have a name, and the server's database."""
    kept = books(lobby_server)

    def member(name=None):
        if name in tokens:
            person = visitor(lobby_server, tokens[name][0])
            person.visitor_id = tokens[name][1]
        else:
            person = visitor(lobby_server)
            if name is not None:
                kept.enroll(person, name)
                tokens[name] = person.token, person.visitor_id
        return Follower(person, "" if name else "A guest")

    return member, kept


def test_people_come_and_go(club):
    member, _ = club
    ann = member("Ann")
    bob, guest = member("Bob"), member()
    ann.until(lambda lobby: (lobby.here, set(lobby.people), lobby.guests) == (3, {"Ann", "Bob"}, 1))
    bob.live.close()
    guest.live.close()
    ann.until(lambda lobby: (lobby.here, set(lobby.people)) == (1, {"Ann"}))


def test_a_seek_that_somebody_takes_becomes_a_table(club, kit):
    member, _ = club
    ann, guest, other = member("Ann"), member(), member()
    made = ann.ask("seek", game="yinsh", clock="5+3")["seek"]
    guest.until(lambda lobby: made in lobby.seeks)
    shown = guest.seeks[made]
    assert (shown["game"], shown["clock"], shown["rated"], shown["seats"]) == ("yinsh", "5+3", False, 2)
    assert [player["name"] for player in shown["players"]] == ["Ann"]
    guest.ask("accept", seek=made)
    table = guest.begun()
    assert ann.begun() == table
    other.until(lambda lobby: made not in lobby.seeks)
    document = ann.person.get(f"/tables/{table}")
    assert sorted(seat["name"] for seat in document["seats"]) == ["A guest", "Ann"]
    assert not document["private"]
    assert not document["hints"]
    games = [kit.Game(each.person.live(), table) for each in (ann, guest)]
    other.until(lambda lobby: table in lobby.games)
    games[0].live.ask("resign", table=table, seat=next(iter(games[0].looks)))
    other.until(lambda lobby: table not in lobby.games)


def test_a_seek_is_taken_once(club, refused):
    member, _ = club
    ann, bob, cid = member("Ann"), member(), member()
    made = ann.ask("seek", game="yinsh")["seek"]
    bob.until(lambda lobby: made in lobby.seeks)
    asked = [(each, each.live.say("accept", seek=made)) for each in (bob, cid)]
    answers = [each.wait(lambda m, number=number: m.get("id") == number) for each, number in asked]
    assert sorted(answer["type"] for answer in answers) == ["done", "refused"]
    assert next(answer["code"] for answer in answers if answer["type"] == "refused") == "unknown-seek"


def test_seeks_vanish_when_their_owner_is_gone(club):
    member, _ = club
    ann, bob = member("Ann"), member()
    made = ann.ask("seek", game="tryad", seats=3)["seek"]
    bob.until(lambda lobby: made in lobby.seeks)
    bob.ask("accept", seek=made)
    bob.until(lambda lobby: lobby.players(made) == 2)
    ann.live.close()
    bob.until(lambda lobby: made not in lobby.seeks)


def test_a_table_of_four_begins_when_full(club):
    member, _ = club
    ann, *others = (member() for _ in range(4))
    made = ann.ask("seek", game="tryad", seats=4)["seek"]
    for number, other in enumerate(others, 2):
        other.until(lambda lobby: made in lobby.seeks)
        other.ask("accept", seek=made)
        if number < 4:
            ann.until(lambda lobby, number=number: lobby.players(made) == number)
    tables = {each.begun() for each in (ann, *others)}
    assert len(tables) == 1
    assert len(ann.person.get(f"/tables/{tables.pop()}")["seats"]) == 4


@pytest.mark.parametrize(("engines", "seats"), [(None, ["link"] * 2), (3, ["engine"] * 2 + ["link"] * 2)])
def test_those_present_agree_to_begin(club, refused, engines, seats):
    member, _ = club
    ann, bob = member("Ann"), member()
    made = ann.ask("seek", game="tryad", seats=4, engines=engines)["seek"]
    assert refused(ann.ask, "agree", seek=made) == "too-few"
    bob.until(lambda lobby: made in lobby.seeks)
    bob.ask("accept", seek=made)
    bob.ask("agree", seek=made)
    ann.until(lambda lobby: lobby.players(made) == 2 and lobby.seeks[made]["agreed"] == 1)
    ann.ask("agree", seek=made)
    table = ann.begun()
    assert bob.begun() == table
    assert sorted(seat["kind"] for seat in ann.person.get(f"/tables/{table}")["seats"]) == seats


def test_who_leaves_a_seek_frees_the_place(club):
    member, _ = club
    ann, bob = member("Ann"), member()
    made = ann.ask("seek", game="tryad", seats=3)["seek"]
    bob.until(lambda lobby: made in lobby.seeks)
    bob.ask("accept", seek=made)
    ann.until(lambda lobby: lobby.players(made) == 2)
    bob.ask("withdraw", seek=made)
    ann.until(lambda lobby: lobby.players(made) == 1)
    ann.ask("withdraw", seek=made)
    ann.until(lambda lobby: made not in lobby.seeks)


def test_a_challenge_is_seen_by_the_challenged_alone(club, refused):
    member, _ = club
    ann, bob, cid = member("Ann"), member("Bob"), member("Cid")
    made = ann.ask("seek", game="yinsh", to="bob")["seek"]
    told = bob.wait("sought")
    assert (told["state"], told["seek"]["seek"], told["seek"]["players"][0]["name"]) == ("challenged", made, "Ann")
    assert refused(cid.ask, "accept", seek=made) == "unknown-seek"
    bob.ask("withdraw", seek=made)
    assert ann.wait("sought")["state"] == "gone"
    again = ann.ask("seek", game="yinsh", to="Bob")["seek"]
    bob.wait(lambda m: m["type"] == "sought" and m["state"] == "challenged")
    bob.ask("accept", seek=again)
    assert ann.begun() == bob.begun()
    cid.person.get("/tables")
    assert not any(made in message for message in cid.live.raw)
    assert refused(ann.ask, "seek", game="yinsh", to="Nobody") == "no-person"
    assert refused(ann.ask, "seek", game="yinsh", to="Ann") == "no-person"


def test_an_opponent_is_found_by_rating(club):
    member, kept = club
    people = {name: member(name) for name in ("Ann", "Bob", "Cid")}
    ratings = {"Ann": 1500, "Bob": 2400, "Cid": 1560}
    for name, value in ratings.items():
        kept.run(
            "INSERT INTO ratings (game, pace, field, visitor, value, deviation, volatility, games, time)"
            " VALUES ('yinsh', 'live', 'two', :visitor, :value, 60, 0.06, 50, :now)",
            visitor=people[name].person.visitor_id,
            value=value,
            now=4_000_000_000_000,
        )
    for person in people.values():
        person.ask("seek", game="yinsh", clock="5+3", rated=True, quick=True)
    table = people["Ann"].begun()
    assert people["Cid"].begun() == table
    assert people["Ann"].person.get(f"/tables/{table}")["rated"]


def test_a_range_of_ratings_keeps_others_out(club, refused):
    member, _ = club
    ann, bob = member("Ann"), member("Bob")
    made = ann.ask("seek", game="yinsh", low=1600, high=1900)["seek"]
    assert refused(bob.ask, "accept", seek=made) == "rating-range"


def test_guests_play_unrated_games_only(club, refused):
    member, _ = club
    ann, guest = member("Ann"), member()
    assert refused(guest.ask, "seek", game="yinsh", clock="5+3", rated=True) == "rated-account"
    made = ann.ask("seek", game="yinsh", clock="5+3", rated=True)["seek"]
    assert refused(guest.ask, "accept", seek=made) == "rated-account"
    assert refused(ann.ask, "accept", seek=made) == "unknown-seek"


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "nothing"}, "option"),
        ({"game": "yinsh", "seats": 3}, "form"),
        ({"game": "yinsh", "clock": "-1+3"}, "option"),
        ({"game": "yinsh", "options": {"rows": 3}}, "option"),
        ({"game": "yinsh", "low": 1900, "high": 1500}, "form"),
        ({"game": "tryad", "seats": 7}, "form"),
        ({"game": "tryad", "seats": 3, "quick": True}, "form"),
        ({"game": "yinsh", "rated": True}, "rated-clock"),
        ({"game": "tryad", "seats": 4, "rated": True, "clock": "5+3", "engines": 2}, "rated-seats"),
    ],
)
def test_a_seek_that_no_game_can_come_of_is_refused(club, refused, wanted, code):
    member, _ = club
    assert refused(member("Ann").ask, "seek", **wanted) == code


def test_seeks_are_bounded(club, refused):
    member, _ = club
    greedy = member("Greedy")
    for _ in range(5):
        greedy.ask("seek", game="yinsh")
    assert refused(greedy.ask, "seek", game="yinsh") == "too-many-seeks"


def test_who_is_not_in_the_lobby_cannot_seek(club, visitor, refused):
    member, _ = club
    outside = member("Ann").person.live()
    ann = Follower(outside.visitor)
    ann.ask("leave-lobby")
    assert refused(visitor().live().ask, "seek", game="yinsh") == "not-in-lobby"
