"""A visitor's own list: taking tables off it, and going on with a game from a file."""

import triskele
from triskele.core.records import Record


def _listed(person):
    return [table["table"] for table in person.get("/tables")["mine"]]


def test_a_table_at_which_nobody_else_sits_is_deleted(visitor, refused):
    person, other = visitor(), visitor()
    table = person.open("yinsh", "me", "engine1", private=False)["table"]
    assert refused(other.post, f"/tables/{table}/remove") == "seat"
    assert person.post(f"/tables/{table}/remove") == {"deleted": True}
    assert table not in _listed(person)
    assert refused(person.get, f"/tables/{table}") == "unknown"


def test_a_game_with_others_leaves_the_list_and_stays_for_them(pair):
    ann, bob = pair()
    assert ann.live.visitor.post(f"/tables/{ann.table}/remove") == {"deleted": False}
    assert ann.live.visitor.post(f"/tables/{ann.table}/remove") == {"deleted": False}
    assert ann.table not in _listed(ann.live.visitor)
    assert ann.table in _listed(bob.live.visitor)
    ann.move("a2")
    assert bob.live.wait("moved")["move"] == "a2"
    assert [seat["taken"] for seat in bob.live.visitor.get(f"/tables/{ann.table}")["seats"]] == [True, True]


def test_a_record_goes_on_with_the_seats_as_one_chooses(visitor, kit):
    game = triskele.new("trypsylon")
    game.push(game.legal_moves[0])
    record = Record.of(game, seats=["Ann", "triskele:level=3"]).document()
    person = visitor()
    opened = person.http.post("/records", json=record, params={"seats": ["engine:1", "me"]}).json()
    shown = person.get(f"/tables/{opened['table']}")
    assert [(seat["kind"], seat["level"], seat["mine"]) for seat in shown["seats"]] == [
        ("engine", 1, False),
        ("me", None, True),
    ]
    table = kit.Game(person.live(), opened["table"])
    while table.to_act() is None:
        table.listen()
    made = len(table.moves)
    while table.to_act() == 1:
        table.move(table.choices()[0])
    table.until(lambda message: len(table.moves) > made + 1)
    for wrong in (["me"], ["me", "engine:11"], ["me", "link"]):
        assert person.http.post("/records", json=record, params={"seats": wrong}).status_code in (400, 409)
