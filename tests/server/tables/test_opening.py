"""Opening tables, from a choice and from a record."""

import pytest

from triskele.core.records import Record


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
