"""What somebody tries who wants more than is theirs: at every request of the interface, and on a live connection."""

import pytest

SEATS = [{"kind": "me"}, {"kind": "link"}]


@pytest.fixture
def scene(server, person):
    """Return two people at a private game over days with secrets, and an intruder with an account."""
    ann, ben, eve = (person(server).sign_up() for _ in range(3))
    opened = ann.post("/tables", game="tryptic", seats=SEATS, clock="1d")
    ben.post(f"/tables/{opened['table']}/seats", key=opened["seats"][1]["key"])
    return ann, ben, eve, opened["table"]


def _routes(eve):
    paths = eve.http.get("/openapi.json").json()["paths"]
    return [(method, path.removeprefix("/api/v1")) for path, found in paths.items() for method in found]


def test_no_request_about_a_private_table_tells_a_stranger_that_it_is_there(scene):
    _ann, _ben, eve, table = scene
    asked = [(method, path) for method, path in _routes(eve) if "{table}" in path and "/admin/" not in path]
    assert len(asked) > 15
    for method, path in asked:
        answers = []
        for name in (table, "a" * len(table)):
            url = path.replace("{table}", name).replace("{at}", "0").replace("{seat}", "0").replace("{step}", "0")
            body = {"key": "x" * 22, "seat": 0, "lines": [], "at": 0}
            answer = eve.http.request(method, url, json=body if method != "get" else None)
            answers.append((answer.status_code, answer.text.replace(name, "TABLE")))
        assert answers[0][0] >= 400, path
        assert answers[0] == answers[1], path


def test_programs_and_moderators_requests_are_refused_to_who_is_neither(scene, person, server):
    ann, _ben, eve, _table = scene
    kept = ann.post("/account/tokens", name="mine", scopes=["read"])
    program = person(server, authorization=f"Bearer {kept['token']}")
    for method, path in _routes(eve):
        if "/moderation/" in path or "/admin/" in path:
            url = (
                path.replace("{table}", "t")
                .replace("{number}", "1")
                .replace("{seat}", "0")
                .replace("{invitation}", "i")
            )
            for somebody in (eve, program, person(server)):
                assert somebody.http.request(method, url, json={}).status_code in (400, 401, 403), path
    listed = ann.get("/account/tokens")
    (session,) = ann.get("/sessions")
    for path in (f"/account/tokens/{listed[0]['id']}/revoke", f"/sessions/{session['id']}/end"):
        assert eve.http.post(path, json={}).status_code == 404, path
    assert ann.get("/account/tokens") == listed
    assert ann.account is not None


def test_on_a_live_connection_nobody_acts_for_another_or_hears_what_is_theirs(scene, said):
    ann, _ben, eve, table = scene
    with ann.live() as anns, eve.live() as live:
        said(anns, "join", table=table)
        for kind, more in (
            ("join", {}),
            ("move", {"seat": 0, "move": "e5", "at": 0}),
            ("resign", {"seat": 0}),
            ("chat", {"seat": 0, "text": "I am not Ann"}),
            ("offer", {"seat": 0, "what": "draw"}),
            ("complete", {"seat": 0, "tokens": []}),
            ("claim", {"seat": 1}),
            ("back", {"seat": 0}),
        ):
            assert said(live, kind, table=table, **more)["type"] == "refused", kind
    assert ann.get(f"/tables/{table}")["chat"] == []
    assert ann.get(f"/tables/{table}")["outcome"] is None


def test_no_secret_value_is_in_the_log_or_an_address(start, person, said):
    server = start("--log-level", "debug")
    ann = person(server).sign_up("Ann")
    token = ann.post("/account/tokens", name="t", scopes=["read", "play"])["token"]
    opened = ann.post("/tables", game="yinsh", seats=SEATS)
    program = person(server, authorization=f"Bearer {token}")
    program.get("/tables")
    with program.live() as live:
        said(live, "join", table=opened["table"])
    secrets = [token, opened["seats"][1]["key"], opened["watch"], "seven violet otters", *ann.cookies.values()]
    server.stop()
    written = server.log.read_text()
    assert written
    assert not [each for each in secrets if each in written]
