"""Analyses over HTTP: any position of any game, set up, looked at, brought in and taken out; nothing is stored."""

import json
import random

import httpx
import pytest

import triskele
from triskele.core.game import games
from triskele.core.playout import random_move
from triskele.core.records import Record
from triskele.core.variations import GameTree
from triskele.games.yinsh import boardspace

NAMES = [declared.name for declared in games()]
API = "/api/v1/analysis"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def tree():
    tree = GameTree(triskele.new("yinsh"))
    tree.push(tree.push((), "e5"), "c4")
    beside = tree.push((0,), "g7")
    tree.comment(beside, "far away")
    return tree


def raw(person, path, data, status=200):
    """Post a body as it is, and return the answer's."""
    answer = httpx.post(f"{person.base}{API}/{path}", content=data, headers=JSON, timeout=60)
    assert answer.status_code == status, answer.text
    return answer


@pytest.mark.parametrize("name", NAMES)
def test_any_game_can_be_played_on_by_all_sides(visitor, name):
    person, position = visitor(), triskele.new(name)
    for _ in range(6):
        shown = person.post("/analysis/position", game=name, moves=[move.text for move in position.moves])
        assert shown["position"] == str(position)
        chance = [text for text, _ in shown["chance"]]
        offered = chance or [text for text, _ in shown["look"]["moves"]]
        assert offered == [move.text for move in position.legal_moves]
        if position.turn is None:
            break
        position.push(position.legal_moves[-1])


def test_nothing_is_hidden(visitor):
    person = visitor()
    moves = ["=BWR", "=YRY"]
    shown = person.post("/analysis/position", game="tryptic", moves=moves)
    assert "BWR,YRY" in shown["position"]
    hidden = triskele.new("tryptic")
    for move in moves:
        hidden.push(move)
    assert shown["look"]["scene"] != json.loads(json.dumps(hidden.scene(shown["turn"]).data()))


def test_an_illegal_move_is_refused_with_the_reason(visitor, refused):
    post, path = visitor().post, "/analysis/position"
    assert refused(post, path, game="yinsh", moves=["e5", "e5"]) == "illegal"
    assert refused(post, path, game="yinsh", start="yinsh: nothing") == "record"
    assert refused(post, path, game="yinsh", start=str(triskele.new("trypsylon"))) == "record"
    assert refused(post, path, game="yinsh", options={"blitz": 7}) == "option"
    assert refused(post, path, game="nothing") == "unknown"


def test_why_a_place_cannot_be_touched(visitor):
    found = visitor().post("/analysis/tokens", game="yinsh", moves=["e5"], tokens=["e5"])
    assert found["reason"]
    assert visitor().post("/analysis/tokens", game="yinsh", moves=["e5"], tokens=["e6"])["reason"] == ""


# --- setting up -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_how_a_game_is_set_up(visitor, name):
    person = visitor()
    found = person.post("/analysis/setup", game=name)
    draft = found["draft"]
    assert {place["token"] for place in found["ground"]["places"]} >= draft["board"].keys()
    again = person.post("/analysis/draft", game=name, **draft)
    assert person.post("/analysis/setup", game=name, start=again["position"])["draft"] == draft


def test_a_board_that_cannot_be_is_refused_by_the_rules(visitor, refused):
    post, path, board = visitor().post, "/analysis/draft", {"e5": "W", "e6": "W"}
    fields = {"turn": "w", "off-w": "0", "off-b": "0"}
    assert refused(post, path, game="yinsh", board=board, fields=fields) == "record"
    assert refused(post, path, game="yinsh", board={"z9": "W"}, fields=fields) == "record"
    assert refused(post, path, game="yinsh", board={}, fields={}) == "record"
    assert refused(post, path, game="tryad", board={}, fields={}) == "record"


# --- whole analyses -------------------------------------------------------------------------------


def test_a_record_with_variations_is_read_and_written(visitor, tree):
    person, record = visitor(), Record.of_tree(tree)
    shown = raw(person, "read", record.to_json()).json()
    assert shown["moves"] == ["e5", "c4"]
    assert shown["annotations"][0]["variations"][0]["moves"] == ["g7"]
    assert raw(person, "read", boardspace.dumps([record])).json()["moves"] == ["e5", "c4"]
    written = raw(person, "file/json", json.dumps(shown)).text
    assert Record.from_json(written).tree().root == tree.root
    assert boardspace.loads(raw(person, "file/sgf", json.dumps(shown)).text)[0].tree().root == tree.root


def test_an_illegal_variation_is_refused_with_its_place(visitor):
    document = {
        "game": "yinsh",
        "moves": ["e5", "c4"],
        "annotations": [{"at": 1, "variations": [{"moves": ["e5"]}]}],
    }
    error = raw(visitor(), "read", json.dumps(document), 409).json()["error"]
    assert error["code"] == "record"
    assert error["text"].startswith("annotations[0].variations[0].moves[0]: ")
    for broken in (b"", b"{", b'{"game": "yinsh"}', b"(;GM[24]", b"\xff"):
        assert raw(visitor(), "read", broken, 409).json()["error"]["code"] == "record"


@pytest.mark.parametrize(
    ("annotation", "said"),
    [
        ({"at": 0, "variations": [{"moves": ["e5"] * 10_000}]}, "5000"),
        ({"at": 0, "variations": [{"moves": [f"e{number}"]} for number in range(10_000)]}, "5000"),
        ({"at": 0, "comment": "x" * 2001}, "2000"),
        ({"at": 0, "marks": [["e5"]] * 101}, "100"),
    ],
    ids=["one long variation", "many variations", "an endless comment", "marks"],
)
def test_what_is_too_much_is_refused_with_the_limit(visitor, annotation, said):
    document = {"game": "yinsh", "moves": ["e5"], "annotations": [annotation]}
    error = raw(visitor(), "read", json.dumps(document), 409).json()["error"]
    assert error["text"].startswith("annotations[0]")
    assert said in error["text"].replace(",", "")


def test_of_a_file_with_several_games_the_first_is_shown_and_the_others_are_counted(visitor, tree):
    record = Record.of_tree(tree)
    shown = raw(visitor(), "read", boardspace.dumps([record, record, record])).json()
    assert shown["games"] == 3
    assert shown["moves"] == ["e5", "c4"]
    assert "games" not in raw(visitor(), "read", boardspace.dumps([record])).json()


def test_a_game_without_the_format_says_so(visitor):
    document = json.dumps({"game": "tryad", "moves": []})
    assert "sgf" in raw(visitor(), "file/sgf", document, 409).json()["error"]["text"]


def test_pictures_and_animations(visitor):
    person = visitor()
    place = {"game": "yinsh", "moves": ["e5", "c4", "e4"]}
    assert raw(person, "picture", json.dumps({**place, "width": 200})).content.startswith(b"\x89PNG")
    moving = raw(person, "animation", json.dumps({**place, "width": 200, "last": 2})).content
    assert moving.count(b"fcTL") == 3
    raw(person, "animation", json.dumps({**place, "width": 5000}), 400)


def test_marks_are_drawn_into_pictures_and_animations(visitor):
    person = visitor()
    place = {"game": "yinsh", "moves": ["e5", "c4", "e4"], "width": 200}
    arrow = {"at": 3, "marks": [["e5", "c4"], ["e4"]]}
    before = {"at": 2, "marks": [["e5"]]}

    def drawn(kind, *marked, **more):
        return raw(person, kind, json.dumps({**place, **more, "marked": marked})).content

    assert drawn("picture", arrow) != drawn("picture") == drawn("picture", before)
    moving = {drawn("animation", *marked, last=1) for marked in ([], [arrow], [before], [before, arrow])}
    assert len(moving) == 4
    for wrong in ({"at": -1, "marks": []}, {"at": 1, "marks": [[]]}, {"at": 1, "marks": [["a", "b", "c"]]}):
        raw(person, "picture", json.dumps({**place, "marked": [wrong]}), 400)


def test_openings_tell_what_engines_played_and_own_games(visitor):
    person = visitor()
    place = {"game": "yinsh", "moves": []}
    before = person.post("/analysis/openings", **place)
    assert before["engines"]
    assert before["own"] == []
    rng = random.Random(3)
    game = triskele.new("yinsh")
    while game.turn is not None:
        game.push(random_move(game, rng))
    record = Record.of(game, seats=["Ann", "Ben"])
    assert person.http.post("/records", content=record.to_json()).status_code == 200
    first = record.moves[0].text
    own = person.post("/analysis/openings", **place)["own"]
    assert [each["games"] for each in own] == [1]
    assert own[0]["won"] == {(0,): 1.0, (1,): 0.0, (): 0.5}[record.outcome.winners]
    answer = person.post("/analysis/openings", game="yinsh", moves=[first])["own"]
    assert [each["games"] for each in answer] == [1]
    other = person.post("/analysis/openings", game="yinsh", options={"blitz": True}, moves=[])
    assert (other["own"], other["engines"]) == ([], [])
    assert other["note"]
    assert visitor().post("/analysis/openings", **place)["own"] == [], "they are nobody else's"


def test_advice_for_a_position_at_no_table(visitor, refused):
    person = visitor()
    found = person.post("/analysis/advice", game="yinsh", moves=["e5"])
    assert found["lines"]
    assert refused(person.post, "/analysis/advice", game="tryad") == "no-decision"
