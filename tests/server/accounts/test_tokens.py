"""Tokens with scopes, and bots."""

import pytest
from websockets.exceptions import ConnectionClosed

PATIENCE = 30.0


@pytest.fixture
def program(person):
    """Return a function that makes a program with a token of somebody's."""

    def make(at, owner, scopes, **more):
        token = owner.post("/account/tokens", name="a program", scopes=scopes, **more)["token"]
        return person(at, authorization=f"Bearer {token}")

    return make


TABLE = {"game": "yinsh", "seats": [{"kind": "me"}, {"kind": "link"}], "private": False}


def test_a_token_acts_for_its_account_within_its_scopes(club, person, program, refusal, said):
    ann = person(club).sign_up()
    player, reader = program(club, ann, ["play"]), program(club, ann, ["read"])
    table = player.post("/tables", **TABLE)["table"]
    assert [each["table"] for each in ann.get("/tables")["mine"]] == [table]
    assert [each["table"] for each in reader.get("/tables")["mine"]] == [table]
    assert refusal(reader.post, "/tables", **TABLE) == "scope"
    with reader.live() as live:
        assert said(live, "join", table=table)["type"] == "done"
        assert said(live, "resign", table=table, seat=0)["code"] == "scope"


def test_a_token_changes_nothing_about_its_account(club, person, program, refusal):
    ann = person(club).sign_up()
    player = program(club, ann, ["play", "lobby", "read"])
    for path, body in (
        ("/account/delete", {}),
        ("/account/password", {"password": "nine amber herons"}),
        ("/account/tokens", {"name": "x", "scopes": ["read"]}),
        ("/sessions/end", {}),
    ):
        assert refusal(player.post, path, **body) == "session-needed"
    for path in ("/account/tokens", "/sessions", "/account/data"):
        assert refusal(player.get, path) == "session-needed"
    assert player.account["mail"] is None


def test_a_revoked_token_is_refused_and_its_connections_end(club, person, program, refusal):
    ann = person(club).sign_up()
    player = program(club, ann, ["play"])
    (listed,) = ann.get("/account/tokens")
    assert listed["scopes"] == ["play", "read"]
    assert "token" not in listed
    stranger = person(club).sign_up()
    assert refusal(stranger.post, f"/account/tokens/{listed['id']}/revoke") == "unknown"
    with player.live() as live:
        ann.post(f"/account/tokens/{listed['id']}/revoke")
        with pytest.raises(ConnectionClosed):
            live.recv(PATIENCE)
    assert refusal(player.get, "/tables") == "token"
    assert ann.get("/account/tokens") == []


def test_everybody_sees_that_a_bot_is_one(club, person, program, refusal):
    ann, ben = person(club).sign_up(), person(club).sign_up()
    name = f"{ann.name[-12:]} bot"
    ann.post("/account/bots", name=name)
    assert refusal(ben.post, "/account/tokens", name="x", scopes=["play"], bot=name) == "unknown"
    bot = program(club, ann, ["play"], bot=name)
    opened = bot.post("/tables", **TABLE)
    ben.post(f"/tables/{opened['table']}/seats")
    seats = person(club).get(f"/tables/{opened['table']}")["seats"]
    assert (seats[0]["account"], seats[0]["bot"], seats[0]["name"]) == (name, True, name)
    assert (seats[1]["account"], "bot" in seats[1]) == (ben.name, False)
    profile = ben.get(f"/people/{name}")
    assert (profile["bot"], profile["owner"]) == (True, ann.name)
    assert refusal(person(club).sign_in, name) == "sign-in"
    ann.post("/account/bots/delete", name=name)
    assert refusal(bot.get, "/tables") == "token"


def test_tokens_and_bots_are_limited(server, person, refusal):
    ann = person(server).sign_up()
    for number in range(20):
        ann.post("/account/tokens", name=str(number), scopes=["read"])
    assert refusal(ann.post, "/account/tokens", name="one more", scopes=["read"]) == "tokens-limit"
    for number in range(5):
        ann.post("/account/bots", name=f"{ann.name[-10:]} b{number}")
    assert refusal(ann.post, "/account/bots", name="One Bot More") == "bots-limit"
