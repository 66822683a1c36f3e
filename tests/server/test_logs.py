"""Logs of a real server: level, format, a line for each request, and no secret in any."""

import json
import time

import httpx
import pytest

PATIENCE = 30.0


def lines(server, number):
    """Return the lines of the log when there are at least so many."""
    deadline = time.monotonic() + PATIENCE
    while len(found := server.log.read_text().splitlines()) < number and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def test_with_info_every_request_has_a_line_of_json_without_a_secret(start, visitor):
    server = start("--log-level", "info", "--log-format", "json")
    ann = visitor(server)
    opened = ann.open("yinsh", "me", "link")
    table, key = opened["table"], opened["seats"][1]["key"]
    bob = visitor(server)
    bob.post(f"/tables/{table}/seats", key=key, name="Bob")
    live = bob.live()
    live.join(table)
    live.close()
    asked = httpx.get(f"{server.base}/api/v1/tables/{table}?seat=0&token={ann.token}", headers={"X-Secret": key})
    assert asked.status_code == 404
    written = lines(server, 6)
    found = [json.loads(line) for line in written]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in found)
    requests = [line for line in found if line["logger"] == "triskele.access"]
    assert [(line["method"], line["path"], line["status"]) for line in requests if line["method"] != "LIVE"] == [
        ("POST", "/api/v1/visitors", 200),
        ("POST", "/api/v1/tables", 200),
        ("POST", "/api/v1/visitors", 200),
        ("POST", f"/api/v1/tables/{table}/seats", 200),
        ("GET", f"/api/v1/tables/{table}", 404),
    ]
    connected = [line for line in requests if line["method"] == "LIVE"]
    assert [line["visitor"] for line in connected] == [bob.token.partition(".")[0]]
    assert all(line["address"] == "127.0.0.1" and line["ms"] >= 0 for line in requests)
    whole = "\n".join(written)
    for secret in (key, ann.token, bob.token, opened["watch"], (server.data / "secret").read_bytes().hex()):
        assert secret not in whole


@pytest.mark.parametrize("level", ["warning", "error"])
def test_by_default_requests_are_not_logged(start, visitor, level):
    server = start("--log-level", level)
    visitor(server).get("/tables")
    server.stop()
    assert server.log.read_text() == ""


def test_a_path_cannot_forge_a_line(start):
    server = start("--log-level", "info")
    httpx.get(f"{server.base}/api/v1/tables/x%0A2026-01-01%20ERROR%20forged")
    assert len(lines(server, 1)) == 1
