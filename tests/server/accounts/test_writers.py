"""A line of chat belongs to who wrote it, and nobody without an account passes for somebody who has one."""

import json

PASSWORD = "seven violet otters"
SEATS = [{"kind": "me"}, {"kind": "link"}]


def _lines(person, table):
    return person.get(f"/tables/{table}")["chat"]


def test_a_line_stays_its_writers_when_another_takes_the_freed_seat(start, person, said, admin):
    server = start()
    ann, ben, eva = (person(server).sign_up(name) for name in ("Ann", "Ben", "Eva"))
    opened = ann.post("/tables", game="yinsh", seats=SEATS)
    table = opened["table"]
    ben.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"])
    with ben.live() as live:
        said(live, "chat", table=table, seat=1, text="by Ben")
    link = admin(server, "free", table, "2")["link"]
    eva.post(f"/tables/{table}/seats", key=link.partition("#")[2])
    with eva.live() as live:
        said(live, "chat", table=table, seat=1, text="by Eva")
    assert [(line["text"], line["account"]) for line in _lines(ann, table)] == [("by Ben", "Ben"), ("by Eva", "Eva")]
    assert [line["body"] for line in ben.get("/account/data")["chat"]] == ["by Ben"]
    assert [line["body"] for line in eva.get("/account/data")["chat"]] == ["by Eva"]
    shown = admin(server, "show", table)["chat"]
    assert [(line["text"], line["account"]) for line in shown] == [("by Ben", "Ben"), ("by Eva", "Eva")]
    ann.post("/people/Ben/aversion", kind="mute", on=True)
    assert [line["text"] for line in _lines(ann, table)] == ["by Eva"]


def test_chat_of_a_deleted_account_keeps_no_name_here_and_at_another_process(both, person, said):
    ann, ben = person(both[0]).sign_up(), person(both[1]).sign_up()
    opened = ann.post("/tables", game="yinsh", seats=SEATS)
    table = opened["table"]
    ben.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"])
    with ann.live() as live:
        said(live, "join", table=table)
        with ben.live() as bens:
            said(bens, "chat", table=table, seat=1, text="good luck")
        message = {"type": ""}
        while message["type"] != "said":
            message = json.loads(live.recv(30))
        assert (message["account"], message["text"]) == (ben.name, "good luck")
        ben.post("/account/delete")
        while message["type"] != "table":
            message = json.loads(live.recv(30))
    (line,) = message["chat"]
    assert (line["text"], line["name"], line["deleted"]) == ("good luck", "", True)
    assert ben.name not in json.dumps(message)
    for each in both:
        ann.base = each.base
        assert ben.name not in json.dumps(ann.get(f"/tables/{table}"))


def test_lines_of_a_guest_come_along_into_an_account(start, person, said):
    server = start()
    ann, guest = person(server).sign_up("Ann"), person(server)
    guest.post("/visitors")
    opened = ann.post("/tables", game="yinsh", seats=SEATS)
    table = opened["table"]
    guest.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"], name="somebody")
    with guest.live() as live:
        said(live, "chat", table=table, seat=1, text="hello")
    (line,) = _lines(ann, table)
    assert (line["name"], "account" in line) == ("somebody", False)
    guest.post("/accounts", name="Ben", password=PASSWORD)
    (line,) = _lines(ann, table)
    assert line["account"] == "Ben"
    elsewhere = person(server)
    elsewhere.post("/visitors")
    other = ann.post("/tables", game="yinsh", seats=SEATS)
    elsewhere.post(f"/tables/{other['table']}/seats", key=other["seats"][1]["key"], name="again")
    with elsewhere.live() as live:
        said(live, "chat", table=other["table"], seat=1, text="it is me")
    elsewhere.sign_in("Ben", bring=True)
    (line,) = _lines(ann, other["table"])
    assert line["account"] == "Ben"


def test_a_guest_with_the_name_of_an_account_is_seen_as_one_everywhere(start, person, said):
    server = start()
    ann, guest = person(server).sign_up("Ann"), person(server)
    guest.post("/visitors")
    opened = ann.post("/tables", game="yinsh", seats=SEATS, clock="1d")
    table = opened["table"]
    guest.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"], name="Ben")
    ben = person(server).sign_up("Ben")  # later than the guest
    with guest.live() as live:
        said(live, "chat", table=table, seat=1, text="I am Ben")
    (line,) = _lines(ann, table)
    assert "account" not in line
    assert "account" not in ann.get(f"/tables/{table}")["seats"][1]
    (listed,) = ann.get("/tables")["mine"]
    assert listed["seats"][0]["account"] == "Ann"
    assert "account" not in listed["seats"][1]
    assert ann.get(f"/tables/{table}/record")["seats"] == ["Ann", "Ben (guest)"]
    assert {each["title"] for each in ann.get("/notices")["notices"]} == {"YINSH · Ben (guest)"}
    invited = guest.post("/tables", game="yinsh", seats=[{"kind": "me", "name": "Ben"}, {"kind": "link"}])
    key = invited["seats"][1]["key"]
    shown = ann.post(f"/tables/{invited['table']}/invitation", key=key)
    assert (shown["host"], shown["account"]) == ("Ben", False)
    own = ben.post("/tables", game="yinsh", seats=SEATS)
    shown = ann.post(f"/tables/{own['table']}/invitation", key=own["seats"][1]["key"])
    assert (shown["host"], shown["account"]) == ("Ben", True)
