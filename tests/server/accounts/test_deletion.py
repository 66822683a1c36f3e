"""All one's data as a file, and deletion: games stay, the name goes."""

import contextlib
import json
import sqlite3

PASSWORD = "seven violet otters"


def test_all_data_come_as_one_file_with_the_records(club, person, said):
    ann, ben = person(club).sign_up(), person(club).sign_up()
    opened = ann.post("/tables", game="yinsh", seats=[{"kind": "me"}, {"kind": "link"}])
    ben.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"])
    with ann.live() as live:
        said(live, "join", table=opened["table"])
        said(live, "chat", table=opened["table"], seat=0, text="good luck")
        said(live, "resign", table=opened["table"], seat=0)
    answer = ann.http.get("/account/data")
    assert "attachment" in answer.headers["content-disposition"]
    data = json.loads(answer.text)
    assert data["account"]["name"] == ann.name
    assert [line["body"] for line in data["chat"]] == ["good luck"]
    (game,) = data["games"]
    assert game["table"] == opened["table"]
    assert game["records"][0]["game"] == "yinsh"
    assert game["records"][0]["seats"] == [ann.name, ben.name]
    assert "hash" not in answer.text
    assert "argon2" not in answer.text


def test_of_a_game_with_secrets_that_is_on_the_file_has_what_the_own_seat_knows(server, person):
    ann, ben = person(server).sign_up(), person(server).sign_up()
    opened = ann.post("/tables", game="tryptic", seats=[{"kind": "me"}, {"kind": "link"}])
    ben.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"])
    (game,) = ann.get("/account/data")["games"]
    (own,) = game["records"]
    assert own == ann.get(f"/tables/{opened['table']}/record")


def test_a_deleted_account_leaves_its_games_and_no_name(club, person, refusal, said):
    ann, ben = person(club).sign_up(), person(club).sign_up()
    opened = ann.post("/tables", game="yinsh", seats=[{"kind": "me"}, {"kind": "link"}])
    ben.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"])
    token = ben.post("/account/tokens", name="t", scopes=["read"])["token"]
    elsewhere = person(club).sign_in(ben.name)
    with ann.live() as live:
        said(live, "join", table=opened["table"])
        ben.post("/account/delete")
    for each in (ben, elsewhere):
        assert each.account is None
    assert refusal(person(club, authorization=f"Bearer {token}").get, "/tables") == "token"
    assert refusal(person(club).sign_in, ben.name) == "sign-in"
    assert refusal(ann.get, f"/people/{ben.name}") == "unknown"
    shown = ann.get(f"/tables/{opened['table']}")
    seat = shown["seats"][1]
    assert (seat["name"], seat.get("account"), seat["deleted"], seat["taken"]) == ("", None, True, True)
    assert ben.name not in json.dumps(ann.get(f"/tables/{opened['table']}/record"))
    person(club).sign_up(ben.name)  # the name can be had again
    assert "account" not in ann.get(f"/tables/{opened['table']}")["seats"][1]


def test_the_name_is_gone_from_the_database(start, person, said, admin):
    server = start()
    ann = person(server).sign_up("Unmistakable")
    opened = ann.post("/tables", game="yinsh", seats=[{"kind": "link"}, {"kind": "me"}], private=False)
    ben = person(server).sign_up("Ben")
    ben.post(f"/tables/{opened['table']}/seats")
    with ann.live() as live:
        said(live, "chat", table=opened["table"], seat=1, text="good luck")
    admin(server, "moderator", "Unmistakable")
    ben.post("/reports", table=opened["table"], seat=1, why="chat")
    (report,) = ann.get("/moderation/reports")
    ann.post(f"/moderation/reports/{report['number']}/close", answer="no")
    admin(server, "sign-out", "Unmistakable")
    ann.sign_in("Unmistakable")
    assert {each["actor"] for each in admin(server, "audit")} >= {"@Unmistakable"}
    ann.post("/account/delete")
    assert "nmistakable" not in json.dumps(admin(server, "audit"))
    assert "nmistakable" not in json.dumps(admin(server, "show", opened["table"]))
    assert "nmistakable" not in json.dumps(admin(server, "reports", "--state", "all"))
    server.stop()
    with contextlib.closing(sqlite3.connect(server.data / "tables.sqlite3")) as database:
        dump = "\n".join(database.iterdump())
    assert "Ben" in dump
    assert "nmistakable" not in dump
    again = start(port=server.port)
    ben.base = again.base
    assert ben.get(f"/tables/{opened['table']}")["seats"][1]["deleted"] is True


def test_the_name_leaves_a_seat_that_a_host_has_freed(start, person, admin):
    server = start()
    ann, ben = person(server).sign_up("Unmistakable"), person(server).sign_up("Ben")
    seats = [{"kind": "me"}, {"kind": "link"}]
    own = ann.post("/tables", game="yinsh", seats=seats)
    others = ben.post("/tables", game="yinsh", seats=seats)
    ann.post(f"/tables/{others['table']}/seats", key=others["seats"][1]["key"])
    admin(server, "free", own["table"], "1")
    admin(server, "free", others["table"], "2")
    ann.post("/account/delete")
    server.stop()
    with contextlib.closing(sqlite3.connect(server.data / "tables.sqlite3")) as database:
        assert "nmistakable" not in "\n".join(database.iterdump())
