"""Only who knows the server's secret acts as its host."""

import re
import time

import httpx
import pytest

from triskele.server.moderation.tokens import SECONDS, HostTokens

SECRET = b"s" * 32
PATHS = [
    ("GET", "/tables"),
    ("GET", "/tables/x"),
    ("POST", "/tables/x/end"),
    ("POST", "/tables/x/delete"),
    ("POST", "/tables/x/seats/0/free"),
    ("GET", "/sanctions"),
    ("POST", "/sanctions"),
    ("POST", "/sanctions/lift"),
    ("POST", "/retention"),
    ("GET", "/audit"),
    ("GET", "/connections"),
    ("GET", "/invitations"),
    ("POST", "/invitations"),
    ("POST", "/invitations/x/revoke"),
    ("GET", "/accounts"),
    ("POST", "/accounts/moderator"),
    ("POST", "/accounts/sign-out"),
    ("POST", "/accounts/delete"),
    ("POST", "/tables/x/annul"),
    ("GET", "/reports"),
    ("POST", "/reports/1/close"),
]

EXAMPLES = {"table": "x", "seat": "0", "invitation": "x", "number": "1"}


def test_a_token_says_who_acts_for_a_minute(monkeypatch):
    tokens = HostTokens(SECRET)
    token = tokens.sign("ann")
    assert tokens.actor(token) == "ann"
    assert HostTokens(b"n" * 32, SECRET).actor(token) == "ann"
    assert HostTokens(b"n" * 32).actor(token) is None
    then = time.time()
    monkeypatch.setattr(time, "time", lambda: then + SECONDS + 1)
    assert tokens.actor(token) is None


@pytest.mark.parametrize("token", ["", "host.", "host..", "host.e30=.00", "host.\u00e9.00", "x" * 9000])
def test_nonsense_is_no_token(token):
    assert HostTokens(SECRET).actor(token) is None


def test_a_changed_token_is_none():
    token = HostTokens(SECRET).sign("ann")
    assert HostTokens(SECRET).actor(token[:-1] + ("0" if token[-1] != "0" else "1")) is None
    assert HostTokens(SECRET).actor(token.replace("host.", "host.A", 1)) is None


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_no_route_for_hosts_is_open_to_visitors(server, visitor, method, path):
    ann = visitor()
    body = {} if method == "POST" else None
    for headers in ({}, {"Authorization": f"Bearer {HostTokens(SECRET).sign('mallory')}"}):
        sent = {"Authorization": f"Bearer {ann.token}", **headers}
        answer = httpx.request(method, f"{server.base}/api/v1/admin{path}", json=body, headers=sent)
        assert answer.json()["error"]["code"] in ("host-token", "form")
        assert answer.status_code in (400, 403)


def test_every_route_for_hosts_is_tested_here(server):
    document = httpx.get(f"{server.base}/api/v1/openapi.json").json()["paths"]
    routes = {
        (method.upper(), re.sub(r"\{(\w+)\}", lambda it: EXAMPLES[it[1]], path.removeprefix("/api/v1/admin")))
        for path, methods in document.items()
        if path.startswith("/api/v1/admin")
        for method in methods
    }
    assert routes == set(PATHS)
