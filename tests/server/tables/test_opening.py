"""Opening tables, from a choice and from a record."""

import pytest

import triskele
from triskele.core.records import Record
from triskele.core.variations import GameTree


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


def test_bad_tables_are_refused_in_words(visitor, refused, kit):
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
        assert refused(person.post, "/tables", **body) == code
    german = person.http.post("/tables", json=bad[1][0], headers={"Accept-Language": "de-CH,de;q=0.9"})
    assert german.json()["error"]["text"] == "YINSH braucht mit diesen Optionen 2 Spieler"


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


def annotated(moves, words):
    """Return a record of YINSH with a comment on the first move and a variation beside the second."""
    tree = GameTree(triskele.new("yinsh"))
    path = ()
    for move in moves:
        path = tree.push(path, move)
    tree.comment((0,), words)
    tree.mark((0,), [["e5"], ["e5", "c4"]])
    tree.push((0,), "g7")
    return Record.of_tree(tree)


def test_comments_marks_and_variations_stay_with_a_table(visitor, kit):
    person, record = visitor(), annotated(["e5", "c4", "a2"], "usual")
    opened = person.http.post("/records", content=record.to_json()).json()
    assert opened["annotated"]

    def written():
        return Record.from_json(person.http.get(f"/tables/{opened['table']}/record").content)

    assert written().annotations == record.annotations
    again = person.http.post("/analysis/read", content=written().to_json()).json()
    assert again["annotations"] == record.document()["annotations"]
    game = kit.Game(person.live(), opened["table"])
    game.move(game.choices()[0])
    assert written().annotations == record.annotations, "they are played on"
    plain = person.http.post("/records", content=Record.of(triskele.new("yinsh")).to_json()).json()
    assert not plain["annotated"]


def test_comments_without_end_are_refused_with_a_way_out(visitor):
    tree = GameTree(triskele.new("yinsh"))
    for path in ((), (0,)):
        for move in tree.position(path).legal_moves:
            tree.comment(tree.push(path, move), "x" * 2000)
    refusal = visitor().http.post("/records", content=Record.of_tree(tree).to_json()).json()["error"]
    assert refusal["code"] == "record"
    assert "analysis board" in refusal["text"]
