"""Lists of tables."""


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
