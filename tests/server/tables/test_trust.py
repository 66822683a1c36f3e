"""Seats and trust: nobody acts for another, nobody sees what is private, and keys open once."""

import re
import stat

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from triskele.server.http.assets import WEB
from triskele.server.tables.visitors import Visitors


def test_a_private_table_is_not_there_for_others(refused, visitor, kit):
    ann, eve = visitor(), visitor()
    table = ann.open("yinsh", "me", "link")["table"]
    nowhere = {path: refused(eve.get, f"/tables/nowhere{path}") for path in ("", "/record", "/at/0", "/proof")}
    for path, code in nowhere.items():
        assert refused(eve.get, f"/tables/{table}{path}") == code == "unknown"
    live = eve.live()
    assert refused(live.ask, "join", table=table) == "unknown"
    assert refused(live.ask, "move", table=table, seat=0, move="a2", at=0) == "unknown"
    assert refused(eve.post, f"/tables/{table}/hint", seat=0) == "unknown"
    assert refused(eve.post, f"/tables/{table}/seats", name="Eve") == "unknown"
    assert refused(eve.post, f"/tables/{table}/seats", key="x" * 22) == "unknown"


def test_nobody_acts_for_another_seat(refused, visitor, kit):
    ann, bob = visitor(), visitor()
    opened = ann.open("yinsh", "me", "link")
    table = opened["table"]
    assert bob.post(f"/tables/{table}/seats", key=opened["seats"][1]["key"]) == {"seat": 1}
    live = bob.live()
    live.join(table)
    asked = {
        "move": {"move": "a2", "at": 0},
        "complete": {"tokens": []},
        "undo": {},
        "offer": {"what": "draw"},
        "answer": {"what": "draw", "accept": True},
        "resign": {},
        "chat": {"text": "I am Ann"},
        "seed": {"seed": "x"},
    }
    for kind, fields in asked.items():
        assert refused(live.ask, kind, table=table, seat=0, **fields) == "seat"
        assert refused(live.ask, kind, table=table, seat=2, **fields) == "seat"
    assert refused(live.ask, "move", table=table, seat=1, move="a2", at=0) == "turn"
    assert refused(bob.post, f"/tables/{table}/hint", seat=0) == "seat"
    assert refused(bob.get, f"/tables/{table}/at/0", seat=0) == "seat"
    assert ann.get(f"/tables/{table}")["moves"] == []


def test_a_key_takes_a_seat_once(refused, visitor, kit):
    ann, bob, eve = visitor(), visitor(), visitor()
    opened = ann.open("yinsh", "me", "link")
    table, key = opened["table"], opened["seats"][1]["key"]
    assert opened["seats"][0]["key"] is None
    assert ann.get(f"/tables/{table}")["seats"][1]["key"] == key  # to be sent again after a reload
    assert bob.post(f"/tables/{table}/seats", key=key, name="Bob") == {"seat": 1}
    assert bob.post(f"/tables/{table}/seats", key=key) == {"seat": 1}
    assert refused(eve.post, f"/tables/{table}/seats", key=key) == "taken"
    assert refused(ann.post, f"/tables/{table}/seats", key=key) == "taken"
    assert "key" not in ann.get(f"/tables/{table}")["seats"][1]


def test_the_holder_comes_back_from_another_device(refused, visitor, kit):
    ann, phone, eve = visitor(), visitor(), visitor()
    opened = ann.open("yinsh", "me", "link")
    table = opened["table"]
    own = ann.get(f"/tables/{table}")["seats"][0]["key"]
    assert phone.post(f"/tables/{table}/seats", key=own) == {"seat": 0}
    live = phone.live()
    live.join(table)
    live.ask("move", table=table, seat=0, move="a2", at=0)
    assert refused(eve.post, f"/tables/{table}/seats", key=own[:-1] + "!") == "unknown"


def test_spectators_watch_and_nothing_else(refused, visitor, kit):
    ann, eve = visitor(), visitor()
    opened = ann.open("yinsh", "me", "here")
    table = opened["table"]
    assert eve.post(f"/tables/{table}/seats", key=opened["watch"]) == {"seat": None}
    watching, playing = eve.live(), ann.live()
    seen = watching.join(table)
    assert [look["seat"] for look in seen["mine"]] == [None]
    assert seen["mine"][0]["moves"] == []
    assert seen["watch"] is None
    playing.join(table)
    playing.ask("chat", table=table, seat=0, text="between us")
    playing.ask("move", table=table, seat=0, move="a2", at=0)
    moved = watching.wait("moved")
    assert moved["move"] == "a2"
    assert not any(message["type"] == "said" for message in watching.heard)
    assert eve.get(f"/tables/{table}")["chat"] == []
    assert ann.get(f"/tables/{table}")["chat"][0]["text"] == "between us"
    assert refused(watching.ask, "chat", table=table, seat=0, text="hello") == "seat"


def test_public_tables_are_open_to_all(refused, visitor, kit, server):
    ann, bob = visitor(), visitor()
    opened = ann.open("trypsylon", "me", "link", private=False)
    table = opened["table"]
    assert table in [listed["table"] for listed in bob.get("/tables")["waiting"]]
    assert httpx.get(f"{server.base}/api/v1/tables/{table}").json()["table"] == table
    assert bob.post(f"/tables/{table}/seats", name="Bob") == {"seat": 1}
    assert table not in [listed["table"] for listed in bob.get("/tables")["waiting"]]
    assert refused(visitor().post, f"/tables/{table}/seats", name="Carl") == "taken"


def test_visitors_are_who_their_signature_says(visitor, server):
    ann = visitor()
    table = ann.open("yinsh", "me", "here")["table"]
    address = f"{server.base}/api/v1/tables/{table}"
    assert httpx.get(address, headers={"Authorization": f"Bearer {ann.token}"}).status_code == 200
    assert httpx.get(address, headers={"Cookie": f"triskele={ann.token}"}).status_code == 200
    forged = ann.token[:-2] + ("aa" if ann.token[-2:] != "aa" else "bb")
    for value in (forged, ann.token[:22], "", "ä" * 66, Visitors(b"another server's").signed(ann.token[:22])):
        assert httpx.get(address, headers={"Cookie": b"triskele=" + value.encode()}).status_code == 404


def test_the_cookie_is_out_of_reach(server):
    answer = httpx.post(f"{server.base}/api/v1/tables", json={"game": "yinsh", "seats": [{"kind": "me"}] * 2})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_another_site_s_page_cannot_act_for_a_visitor(visitor, kit, server):
    ann = visitor()
    with pytest.raises(InvalidStatus) as error:
        kit.Live(ann, Origin="https://evil.example")
    assert error.value.response.status_code == 403
    kit.Live(ann, Origin=server.base).close()
    body = {"game": "yinsh", "seats": [{"kind": "me"}, {"kind": "here"}]}
    foreign = ann.http.post("/tables", json=body, headers={"Origin": "https://evil.example"})
    assert foreign.json()["error"]["code"] == "origin"
    assert ann.http.post("/tables", json=body, headers={"Origin": server.base}).status_code == 200


def test_the_secret_is_kept_for_its_owner_alone(server):
    secret = server.log.parent / "data" / "secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert len(secret.read_bytes()) == 32


def test_pages_are_protected(server):
    page = httpx.get(server.base + "/table/abc")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy  # WebAssembly, and no evaluation of texts
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert f"ws://{server.base.removeprefix('http://')};" in policy
    for header, value in (("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer")):
        assert page.headers[header] == value
    assert "server" not in page.headers


def test_documents_and_workers_have_a_policy_and_files_of_a_page_are_not_sniffed(server):
    for path in ("/", "/icon.svg", "/api/v1/games", "/no/such/file", "/engine/worker.js", "/service-worker.js"):
        headers = httpx.get(server.base + path).headers
        assert "default-src" in headers["content-security-policy"], path
        assert headers["x-frame-options"] == "DENY"
        assert headers["cross-origin-opener-policy"] == "same-origin"
    for path in ("/app.js", "/lib/base.css"):
        headers = httpx.get(server.base + path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "content-security-policy" not in headers
    workers = re.findall(
        r'(?:new Worker\(new URL\(|register\()["`]([^"`]+)["`]', "".join(path.read_text() for path in WEB.rglob("*.js"))
    )
    assert len(workers) == 2
    assert all(name.endswith("worker.js") for name in workers)
