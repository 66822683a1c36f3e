"""Around the game: takebacks, draws, resigning, rematches, hints, records, lists."""

import json
import random
import re

import httpx
import pytest

import triskele
from triskele.core.records import Record


def refused(kit, call, /, *arguments, **named):
    with pytest.raises(kit.Refused) as error:
        call(*arguments, **named)
    return error.value.code


@pytest.fixture
def pair(visitor, kit):
    """Two visitors at a table."""

    def sit(name="yinsh", **more):
        ann, bob = visitor(), visitor()
        opened = ann.open(name, "me", "link", **more)
        bob.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"], name="Bob")
        return kit.Game(ann.live(), opened["table"]), kit.Game(bob.live(), opened["table"])

    return sit


def test_undo_at_once_where_nobody_else_plays(visitor, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("trypsylon", "me", "engine1")["table"])
    assert refused(kit, game.live.ask, "undo", table=game.table, seat=0) == "nothing"
    kit.play([game], random.Random(1), most=4)
    while game.to_act() is None:
        game.listen()
    before = list(game.moves)
    game.live.ask("undo", table=game.table, seat=0)
    while game.moves == before:
        game.listen()
    assert game.moves == before[: len(game.moves)]
    assert game.to_act() == 0
    game.move(game.choices()[0])


def test_takeback_by_consent(pair, kit):
    ann, bob = pair()
    ann.move("a2")
    ann.live.ask("undo", table=ann.table, seat=0)
    offered = bob.live.wait("offered")
    assert offered["what"] == "undo"
    assert refused(kit, ann.live.ask, "answer", table=ann.table, seat=0, what="undo", accept=True) == "no-offer"
    bob.live.ask("answer", table=ann.table, seat=1, what="undo", accept=False)
    assert ann.live.wait("answered")["accept"] is False
    ann.live.ask("offer", table=ann.table, seat=0, what="undo")
    bob.live.ask("answer", table=ann.table, seat=1, what="undo", accept=True)
    told = ann.live.wait("table")
    assert told["moves"] == []
    assert told["turn"] == 0


def test_offers_end_with_the_next_move(pair, kit):
    ann, bob = pair()
    ann.live.ask("offer", table=ann.table, seat=0, what="draw")
    assert refused(kit, ann.live.ask, "offer", table=ann.table, seat=0, what="draw") == "offered"
    ann.move("a2")
    assert refused(kit, bob.live.ask, "answer", table=ann.table, seat=1, what="draw", accept=True) == "no-offer"


def test_a_draw_is_agreed(pair, kit):
    ann, bob = pair()
    ann.live.ask("offer", table=ann.table, seat=0, what="draw")
    bob.live.ask("offer", table=ann.table, seat=1, what="draw")  # to offer the same is to accept
    ended = ann.live.wait("ended")
    assert ended["outcome"]["winners"] == []
    assert ended["ended"] == {"kind": "agreed"}
    assert refused(kit, ann.live.ask, "move", table=ann.table, seat=0, move="a2", at=0) == "over"
    assert refused(kit, ann.live.ask, "resign", table=ann.table, seat=0) == "over"


def test_engines_decline_draws(visitor, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("yinsh", "me", "engine1")["table"])
    game.live.ask("offer", table=game.table, seat=0, what="draw")
    assert game.live.wait("answered")["accept"] is False


def test_resigning_and_a_rematch_with_the_seats_swapped(pair, kit):
    ann, bob = pair()
    assert refused(kit, ann.live.ask, "offer", table=ann.table, seat=0, what="rematch") == "on"
    ann.live.ask("resign", table=ann.table, seat=0)
    ended = bob.live.wait("ended")
    assert ended["outcome"]["winners"] == [1]
    assert ended["text"]
    bob.live.ask("offer", table=ann.table, seat=1, what="rematch")
    ann.live.ask("answer", table=ann.table, seat=0, what="rematch", accept=True)
    following = bob.live.wait(lambda m: m.get("next_table"))["next_table"]
    assert following == ann.live.wait(lambda m: m.get("next_table"))["next_table"]
    assert sorted(kit.Game(ann.live, following).looks) == [1]  # swapped
    assert sorted(kit.Game(bob.live, following).looks) == [0]
    assert refused(kit, ann.live.ask, "offer", table=ann.table, seat=0, what="rematch") == "rematched"
    assert ann.live.join(ann.table)["next_table"] == following


@pytest.mark.parametrize(("series", "seat"), [("loser", 0), ("same", 0), ("swap", 1)])
def test_who_begins_a_rematch(pair, kit, series, seat):
    ann, bob = pair(series=series)
    ann.live.ask("resign", table=ann.table, seat=0)
    bob.live.ask("offer", table=ann.table, seat=1, what="rematch")
    ann.live.ask("answer", table=ann.table, seat=0, what="rematch", accept=True)
    following = ann.live.wait(lambda m: m.get("next_table"))["next_table"]
    assert sorted(kit.Game(ann.live, following).looks) == [seat]


def test_the_rulebook_says_who_begins_unless_somebody_else_does(visitor):
    person = visitor()
    for options, series in (({}, "loser"), ({"expert": True}, "swap")):
        table = person.open("trypsylon", "me", "here", options=options)["table"]
        assert person.get(f"/tables/{table}")["series"] == series


@pytest.mark.parametrize(("options", "first"), [({}, 0), ({}, 1), ({"first": "meadow"}, 0), ({"first": "meadow"}, 1)])
def test_whoever_is_to_begin_begins(visitor, options, first):
    person = visitor()
    opened = person.post(
        "/tables",
        game="trypsylon",
        options=options,
        first=first,
        seats=[{"kind": "me", "name": "0"}, {"kind": "here", "name": "1"}],
    )
    table = person.get(f"/tables/{opened['table']}")
    assert table["seats"][table["turn"]]["name"] == str(first)


def test_chat_is_kept_and_checked(pair, kit):
    ann, bob = pair()
    ann.live.ask("chat", table=ann.table, seat=0, text="  good luck  ")
    said = bob.live.wait("said")
    assert (said["seat"], said["text"]) == (0, "good luck")
    for text in (" ", "two\nlines", "\u202e"):
        assert refused(kit, ann.live.ask, "chat", table=ann.table, seat=0, text=text) == "chat"
    assert [line["text"] for line in bob.live.join(ann.table)["chat"]] == ["good luck"]


def test_hints_are_for_the_one_to_act_and_not_in_rated_play(visitor, kit):
    person = visitor()
    table = person.open("trypsylon", "me", "here")["table"]
    hint = person.post(f"/tables/{table}/hint", seat=0)
    assert hint["move"] in [move.text for move in triskele.new("trypsylon").legal_moves]
    assert hint["why"]
    assert refused(kit, person.post, f"/tables/{table}/hint", seat=1) == "turn"
    rated = person.open("trypsylon", "me", "here", rated=True)["table"]
    assert refused(kit, person.post, f"/tables/{rated}/hint", seat=0) == "rated"
    game = kit.Game(person.live(), rated)
    game.move(game.choices()[0])
    assert refused(kit, game.live.ask, "undo", table=rated, seat=0) == "rated"


def test_analysis_only_without_another_person(pair, visitor, kit):
    person = visitor()
    table = person.open("trypsylon", "me", "here")["table"]
    found = person.post(f"/tables/{table}/analysis", at=0)
    assert len(found["scores"]) == 2
    assert found["lines"][0]
    assert refused(kit, person.post, f"/tables/{table}/analysis", at=9) == "unknown"
    ann, _ = pair()
    playing = visitor(token=ann.live.visitor.token)
    assert refused(kit, playing.post, f"/tables/{ann.table}/analysis") == "on"
    assert refused(kit, visitor().post, f"/tables/{ann.table}/analysis") == "unknown"
    ann.live.ask("resign", table=ann.table, seat=0)
    assert len(playing.post(f"/tables/{ann.table}/analysis")["scores"]) == 2


def test_replay_and_pictures(visitor, kit):
    person = visitor()
    table = person.open("yinsh", "me", "here")["table"]
    game = kit.Game(person.live(), table)
    for move in ("a2", "b1", "b2"):
        game.move(move)
    position = triskele.new("yinsh")
    position.push("a2")
    look = person.get(f"/tables/{table}/at/1", seat=1)["look"]
    assert look["view"]["position"] == str(position)
    assert kit.same_scene(look["scene"], json.loads(json.dumps(position.scene(1).data())))
    drawn = person.http.get(f"/tables/{table}/picture.svg", params={"at": 1, "theme": "dark"})
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert 'data-theme="dark"' in drawn.text
    png = person.http.get(f"/tables/{table}/picture.png", params={"width": 300})
    assert png.content.startswith(b"\x89PNG")
    assert refused(kit, person.get, f"/tables/{table}/at/4") == "unknown"


def test_records_go_out_and_come_back(visitor, kit):
    person, other = visitor(), visitor()
    game = kit.Game(person.live(), person.open("trypsylon", "me", "here")["table"])
    for _ in range(6):
        game.move(game.choices()[0])
    written = person.http.get(f"/tables/{game.table}/record")
    assert "attachment" in written.headers["content-disposition"]
    opened = other.http.post("/records", content=written.content).json()
    again = kit.Game(other.live(), opened["table"])
    assert again.moves == game.moves
    again.move(again.choices()[0])  # to go on with
    game.live.ask("resign", table=game.table, seat=1)
    finished = person.http.get(f"/tables/{game.table}/record").content
    reviewed = other.get(f"/tables/{other.http.post('/records', content=finished).json()['table']}")
    assert reviewed["ended"] == {"kind": "resign", "seat": 1}
    assert reviewed["outcome"]["winners"] == [0]
    broken = finished.replace(b'"resign"', b'"gone"')
    assert other.http.post("/records", content=broken).json()["error"]["code"] == "record"
    assert Record.from_json(finished).ended is not None


def test_my_tables_newest_first(visitor, kit):
    person = visitor()
    assert person.get("/tables")["mine"] == []
    one = person.open("yinsh", "me", "here")["table"]
    other = person.open("tryad", "me", "here")["table"]
    kit.Game(person.live(), one).move("a2")
    mine = person.get("/tables")["mine"]
    assert [listed["table"] for listed in mine] == [other, one]
    assert (mine[1]["turn"], mine[1]["moves"], mine[1]["over"]) == (1, 1, False)
    assert mine[1]["seats"][0]["mine"]


def test_lists_tell_who_won(visitor, kit):
    person = visitor()
    game = kit.Game(person.live(), person.open("yinsh", "me", "here")["table"])
    assert person.get("/tables")["mine"][0]["winners"] is None
    game.live.ask("resign", table=game.table, seat=0)
    listed = person.get("/tables")["mine"][0]
    assert (listed["over"], listed["winners"]) == (True, [1])
    record = person.http.get(f"/tables/{game.table}/record").content
    person.http.post("/records", content=record)
    assert [listed["winners"] for listed in person.get("/tables")["mine"]] == [[1], [1]]


def test_bad_tables_are_refused_in_words(visitor, kit):
    person = visitor()
    bad = [
        ({"game": "chess", "seats": [{"kind": "me"}]}, "option"),
        ({"game": "yinsh", "seats": [{"kind": "me"}]}, "seats"),
        ({"game": "yinsh", "options": {"size": 3}, "seats": [{"kind": "me"}, {"kind": "here"}]}, "option"),
        ({"game": "yinsh", "seats": [{"kind": "me"}, {"kind": "ghost"}]}, "form"),
        ({"game": "yinsh", "seats": [{"kind": "me", "name": "a\nb"}, {"kind": "here"}]}, "name"),
        ({"game": "yinsh", "seats": [{"kind": "me"}, {"kind": "here"}], "first": 7}, "form"),
        ({"game": "tryad", "seats": [{"kind": "me"}], "options": {"players": 3}}, "seats"),
    ]
    for body, code in bad:
        assert refused(kit, person.post, "/tables", **body) == code
    german = person.http.post("/tables", json=bad[1][0], headers={"Accept-Language": "de-CH,de;q=0.9"})
    assert "Plätzen" in german.json()["error"]["text"]


def test_the_catalogue(visitor, server):
    person = visitor()
    games = person.get("/games", language="de")
    assert {game["name"] for game in games} == {game.name for game in triskele.games()}
    for game in games:
        assert game["tagline"]
        assert game["presets"][0]["options"] == {}
        assert game["presets"][0]["series"] == game["series"]
        for option in game["options"]:
            assert option["label"] != f"{game['name']}.option.{option['name']}"
        assert "defs" in person.get(f"/games/{game['name']}/sprites.svg")
        assert f".{game['name']}" in person.get(f"/games/{game['name']}/sprites.css")
        assert person.get(f"/games/{game['name']}/picture.svg").startswith("<svg")
        page = person.get(f"/games/{game['name']}/help")
        assert page.startswith("#")
        for of in re.findall(r"\(picture:([a-z-]+)\)", page):
            assert person.get(f"/games/{game['name']}/picture.svg?of={of}&theme=dark").startswith("<svg")
        assert person.http.get(f"/games/{game['name']}/picture.svg?of=nothing").status_code == 404
    words = person.http.get("/words/pl")
    assert words.json()["core.reason.resign"]
    assert words.headers["content-encoding"] == "gzip"
    assert person.http.get("/words/pl", headers={"If-None-Match": words.headers["etag"]}).status_code == 304


def test_a_page_that_is_not_there_is_a_page_for_people_and_a_refusal_for_programs(server):
    shown = httpx.get(server.base + "/nothing/here", headers={"Accept": "text/html,*/*"})
    assert shown.status_code == 404
    assert "<title>Triskele</title>" in shown.text
    for path in ("/nothing/here", "/api/v1/nothing"):
        refusal = httpx.get(server.base + path, headers={"Accept": "*/*"})
        assert refusal.status_code == 404
        assert refusal.json()["error"]["code"] == "unknown"
    api = httpx.get(server.base + "/api/v1/nothing", headers={"Accept": "text/html"})
    assert api.json()["error"]["code"] == "unknown"
