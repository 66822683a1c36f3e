"""Profiles: results, opponents and last games, and nothing that a visitor may not know."""

import json


def finish(ann, ben, said, **more):
    """Let Ben give up a game against Ann; return the table."""
    opened = ann.post("/tables", game="yinsh", seats=[{"kind": "me"}, {"kind": "link"}], **more)
    ben.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"])
    with ben.live() as live:
        said(live, "join", table=opened["table"])
        said(live, "resign", table=opened["table"], seat=1)
    return opened["table"]


def test_a_profile_shows_public_games_to_all_and_private_ones_to_their_players(club, person, said):
    ann, ben, eve = person(club).sign_up(), person(club).sign_up(), person(club)
    secret = finish(ann, ben, said)
    known = finish(ann, ben, said, private=False)
    assert [each["table"] for each in eve.get(f"/people/{ann.name}")["games"]] == [known]
    for somebody in (ann, ben):
        assert {each["table"] for each in somebody.get(f"/people/{ann.name}")["games"]} == {known, secret}
    profile = ann.get(f"/people/{ann.name}")
    assert profile["mine"] is True
    assert profile["results"] == [{"game": "yinsh", "title": "YINSH", "win": 2, "draw": 0, "loss": 0}]
    assert profile["opponents"] == [{"name": ben.name, "win": 2, "draw": 0, "loss": 0}]
    assert eve.get(f"/people/{ben.name}")["results"][0]["loss"] == 1


def test_a_profile_says_nothing_of_games_that_are_on_nor_of_who_somebody_is(club, person):
    ann = person(club).sign_up()
    ann.post("/tables", game="tryptic", seats=[{"kind": "me"}, {"kind": "link"}], private=False)
    shown = json.dumps(person(club).get(f"/people/{ann.name}"))
    assert json.loads(shown)["games"] == []
    visitor = ann.http.get("/account/data").json()
    for secret in ("visitor", "mail", "address", visitor["sessions"][0]["id"]):
        assert secret not in shown


def test_an_annulled_result_counts_for_nobody(club, both, shared, person, said, admin, refusal):
    ann, ben = person(club).sign_up(), person(club).sign_up()
    table = finish(ann, ben, said, private=False)
    secret = shared[1] if club is both[0] else None
    admin(club, "annul", table, "--reason", "arranged", secret=secret)
    for each in (ann, ben):
        assert each.get(f"/people/{each.name}")["results"] == []
    assert next(each["action"] for each in admin(club, "audit", secret=secret)) == "annul"


def test_only_moderators_moderate(club, both, shared, person, admin, refusal):
    ann, ben = person(club).sign_up(), person(club).sign_up()
    paths = ("/moderation/reports", "/moderation/sanctions", "/moderation/audit", "/moderation/tables/x")
    for path in paths:
        assert refusal(person(club).get, path) == "account-needed"
        assert refusal(ann.get, path) == "moderator"
    admin(club, "moderator", ann.name, secret=shared[1] if club is both[0] else None)
    assert ann.account["moderator"] is True
    assert ann.get("/moderation/sanctions") is not None
    token = ann.post("/account/tokens", name="x", scopes=["play"])["token"]
    assert refusal(person(club, authorization=f"Bearer {token}").get, "/moderation/reports") == "session-needed"
    ben.post("/reports", name=ann.name, why="other", text="hm")
    admin(club, "moderator", ann.name, "--remove", secret=shared[1] if club is both[0] else None)
    assert refusal(ann.get, "/moderation/reports") == "moderator"
