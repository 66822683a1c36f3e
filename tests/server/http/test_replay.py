"""Earlier positions of a table, and pictures."""

import json

import triskele


def test_replay_and_pictures(visitor, refused, kit):
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
    assert refused(person.get, f"/tables/{table}/at/4") == "unknown"


def test_a_line_is_tried_out_from_any_position_and_changes_nothing(visitor, refused, kit):
    person = visitor()
    table = person.open("yinsh", "me", "here")["table"]
    game = kit.Game(person.live(), table)
    for move in ("a2", "b1", "b2"):
        game.move(move)
    position = triskele.new("yinsh")
    for move in ("a2", "c3", "d4"):
        position.push(move)
    found = person.get(f"/tables/{table}/at/1", seat=0, line=["c3", "d4"])
    assert found["look"]["view"]["position"] == str(position)
    assert kit.same_scene(found["look"]["scene"], json.loads(json.dumps(position.scene(0).data())))
    assert refused(person.get, f"/tables/{table}/at/1", line=["a2"]) == "illegal"
    assert refused(person.get, f"/tables/{table}/at/1", line=["c3"] * 65) == "form"
    assert [move["move"] for move in person.get(f"/tables/{table}")["moves"]] == ["a2", "b1", "b2"]
