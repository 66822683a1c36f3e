"""Addresses of visitors, trusted proxies, the ``Host``, and secrets that change."""

import contextlib

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from triskele.core.errors import TriskeleError
from triskele.server.addresses import AddressBook, TrustedProxies, address_key, parse_network
from triskele.server.origin import same_host
from triskele.server.rate_limits import ConcurrencyLimiter
from triskele.server.settings import Settings, read_secrets
from triskele.server.tables.keys import Keys
from triskele.server.tables.visitors import Visitors

OLD, NEW, OTHER = b"o" * 32, b"n" * 32, b"x" * 32
PROXIES = TrustedProxies(["10.0.0.0/8", "2001:db8::1"])


def forwarded(value, name=b"x-forwarded-for"):
    return [(name, value)]


@pytest.mark.parametrize(
    ("peer", "headers", "client"),
    [
        ("10.1.1.1", [], "10.1.1.1"),
        ("10.1.1.1", forwarded(b"203.0.113.7"), "203.0.113.7"),
        ("10.1.1.1", forwarded(b"1.1.1.1, 203.0.113.7"), "203.0.113.7"),
        ("10.1.1.1", forwarded(b"1.1.1.1, 203.0.113.7, 10.2.2.2"), "203.0.113.7"),
        ("10.1.1.1", forwarded(b"1.1.1.1") + forwarded(b"203.0.113.7"), "203.0.113.7"),
        ("10.1.1.1", forwarded(b"10.3.3.3, 10.2.2.2"), "10.3.3.3"),
        ("10.1.1.1", forwarded(b"1.1.1.1, unknown, 10.2.2.2"), "10.2.2.2"),
        ("10.1.1.1", forwarded(b"203.0.113.7:4711"), "203.0.113.7"),
        ("10.1.1.1", forwarded(b"[2001:db8::7]:4711"), "2001:db8::7"),
        ("10.1.1.1", forwarded(b"\xff\x00nonsense"), "10.1.1.1"),
        ("10.1.1.1", forwarded(b"::ffff:203.0.113.7"), "203.0.113.7"),
        ("10.1.1.1", forwarded(b'for=1.1.1.1, for="203.0.113.7:80";proto=https', b"forwarded"), "203.0.113.7"),
        ("10.1.1.1", forwarded(b'For="[2001:db8::7]:80"', b"forwarded"), "2001:db8::7"),
        ("10.1.1.1", forwarded(b"for=_hidden", b"forwarded"), "10.1.1.1"),
        ("2001:db8::1", forwarded(b"203.0.113.7"), "203.0.113.7"),
        ("203.0.113.9", forwarded(b"203.0.113.7"), "203.0.113.9"),
        ("203.0.113.9", forwarded(b"for=203.0.113.7", b"forwarded"), "203.0.113.9"),
    ],
)
def test_only_trusted_proxies_say_who_asks(peer, headers, client):
    assert PROXIES.client(peer, headers) == client


def test_what_is_no_proxy():
    with pytest.raises(TriskeleError, match="neither the address nor the network"):
        parse_network("proxy.example")


def test_ipv6_addresses_are_limited_by_their_network():
    assert address_key("2001:db8:1:2:3::4") == address_key("2001:db8:1:2:5::6") == "2001:db8:1:2::/64"
    assert address_key("203.0.113.7") == address_key("::ffff:203.0.113.7") == "203.0.113.7"
    assert address_key("127.0.0.1") is None
    assert address_key("::1") is None


def test_places_are_taken_together_or_not_at_all():
    counts = ConcurrencyLimiter(1)
    assert counts.acquire_all([("a", 2), ("b", 1)])
    assert not counts.acquire_all([("a", 2), ("b", 1)])
    assert counts.acquire("a", 2), "it was given back"


@pytest.mark.parametrize("host", ["play.example", "play.example:8443", "PLAY.example"])
def test_the_host_of_the_public_url(host):
    assert same_host(host, "https://play.example:8443/")


@pytest.mark.parametrize("host", ["", None, "127.0.0.1:8000", "play.example.evil.example", "evil.example", "[::1"])
def test_other_hosts(host):
    assert not same_host(host, "https://play.example")
    assert same_host(host, None)


def test_a_request_for_another_host_is_refused_in_words(start):
    server = start("--url", "https://play.example")
    base = f"{server.base}/api/v1"
    refused = httpx.get(f"{base}/games")
    assert refused.status_code == 421
    assert refused.json()["error"]["code"] == "host"
    assert "https://play.example" in refused.json()["error"]["text"]
    assert "Host" in refused.json()["error"]["text"]
    assert httpx.get(f"{base}/games", headers={"Host": "play.example"}).status_code == 200
    assert httpx.get(f"{base}/health").status_code == 200, "for monitoring"
    with pytest.raises(InvalidStatus, match="403"), connect(f"{base}/live".replace("http", "ws")):
        pass


def as_visitor(address, **headers):
    return {"X-Forwarded-For": address, **headers}


def test_visitors_behind_a_proxy_are_limited_by_their_own_address(start):
    limits = ("visitors_per_hour=3", "connections_per_address=2", "address_tables_per_hour=4")
    options = [part for limit in limits for part in ("--limit", limit)]
    server = start("--trusted-proxy", "127.0.0.1", "--trusted-proxy", "10.0.0.0/8", *options, generous=False)
    base = f"{server.base}/api/v1"

    def new(address):
        return httpx.post(f"{base}/visitors", headers=as_visitor(address))

    first = [new("203.0.113.1, 10.9.9.9") for _ in range(4)]
    assert [answer.status_code for answer in first] == [200, 200, 200, 429]
    forged = new("198.51.100.1, 203.0.113.1")
    assert forged.status_code == 429, "what the visitor wrote before the proxy does not count"
    assert new("203.0.113.2").status_code == 200
    tokens = [answer.json()["visitor"] for answer in first[:3]]
    body = {"game": "yinsh", "seats": [{"kind": "me"}, {"kind": "here"}]}
    opened = [
        httpx.post(f"{base}/tables", json=body, headers=as_visitor(address, Authorization=f"Bearer {token}"))
        for address, token in [("203.0.113.1", token) for token in tokens * 2] + [("203.0.113.2", tokens[0])]
    ]
    assert [answer.status_code for answer in opened] == [200] * 4 + [429] * 2 + [200]
    live = f"{base}/live".replace("http", "ws")
    with contextlib.ExitStack() as stack:
        for token in tokens[:2]:
            headers = as_visitor("203.0.113.1", Authorization=f"Bearer {token}")
            stack.enter_context(connect(live, additional_headers=headers))
        with pytest.raises(InvalidStatus, match="403"):
            connect(live, additional_headers=as_visitor("203.0.113.1", Authorization=f"Bearer {tokens[2]}"))
        assert new("203.0.113.1").json()["error"]["code"] == "limit", "requests count, too"
        stack.enter_context(connect(live, additional_headers=as_visitor("203.0.113.2")))


def test_a_client_that_is_no_proxy_cannot_say_its_address(start):
    server = start("--trusted-proxy", "10.0.0.1", "--limit", "visitors_per_hour=2")
    answers = [
        httpx.post(f"{server.base}/api/v1/visitors", headers=as_visitor(f"203.0.113.{n}")).status_code for n in range(3)
    ]
    assert answers == [200, 200, 429]


def test_requests_of_one_address_are_limited_whoever_asks(start):
    limits = ("address_requests_per_second=0.1", "address_requests_burst=5")
    server = start(*[part for limit in limits for part in ("--limit", limit)])
    answers = [httpx.get(server.base, headers=as_visitor("2001:db8::" + str(n))).status_code for n in range(1, 7)]
    assert answers == [200] * 5 + [429]


# --- secrets -----------------------------------------------------------------------------------


def test_secrets_are_long(tmp_path):
    assert read_secrets("6e" * 32 + "," + "6f" * 33) == (NEW, b"o" * 33)
    for short in ("00ff", "6e" * 31, "6e" * 32 + ",00", "6e" * 32 + ","):
        with pytest.raises(TriskeleError, match="too short: each has at least 32 bytes"):
            read_secrets(short)
    for options in ({"secret": b"short"}, {"secret": NEW, "old_secrets": (b"short",)}):
        with pytest.raises(TriskeleError, match="too short"):
            Settings(data=tmp_path, **options).prepare()


def test_cookies_and_keys_of_an_old_secret_are_valid_until_it_is_dropped():
    before, now, after = Visitors(OLD), Visitors(NEW, OLD), Visitors(NEW)
    visitor = before.new()
    signed = before.signed(visitor)
    assert now.read(signed) == visitor
    assert after.read(signed) is None
    assert after.read(now.signed(visitor)) == visitor, "the newest signs"
    assert Visitors(OTHER, NEW).read(signed) is None
    keys, renewed = Keys(OLD), Keys(NEW, OLD)
    assert renewed.is_watch(keys.watch("t"), "t")
    assert renewed.is_watch(Keys(NEW).watch("t"), "t")
    assert renewed.is_invitation(keys.invitation("t", 1), "t", 1)
    assert renewed.is_own(keys.own("t", 1, visitor), "t", 1, visitor)
    assert renewed.watch("t") == Keys(NEW).watch("t") != keys.watch("t")
    assert not Keys(NEW).is_watch(keys.watch("t"), "t")
    assert not renewed.is_watch("\ud800", "t")


def test_a_cookie_of_an_old_secret_is_renewed():
    before, now = Visitors(OLD), Visitors(NEW, OLD)
    visitor = before.new()
    old, new = ([(b"cookie", f"triskele={each.signed(visitor)}".encode())] for each in (before, now))
    assert now.outdated(old)
    assert not now.outdated(new)
    assert not now.outdated([])
    assert not before.outdated(old)


def test_seats_stay_through_a_change_of_the_secret(start, visitor, kit):
    old, new = OLD.hex(), NEW.hex()
    server = start(TRISKELE_SECRET=old)
    ann = visitor(server)
    opened = ann.open("yinsh", "me", "link")
    server.stop()
    server = start(TRISKELE_SECRET=f"{new},{old}")
    ann = visitor(server, ann.token)
    bob = visitor(server)
    key = opened["seats"][1]["key"]
    assert bob.post(f"/tables/{opened['table']}/seats", key=key)["seat"] == 1
    game = kit.Game(ann.live(), opened["table"])
    game.move(game.choices()[0])
    answer = httpx.get(f"{server.base}/api/v1/tables", headers={"Cookie": f"triskele={ann.token}"})
    renewed = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert renewed != ann.token
    server.stop()
    server = start(TRISKELE_SECRET=new)
    assert visitor(server, renewed).get("/tables")["mine"][0]["table"] == opened["table"]


def test_visitors_of_an_address_share_a_turn_at_the_engines():
    book = AddressBook(capacity=2)
    for visitor, address in (("ann", "203.0.113.7"), ("bob", "203.0.113.7"), ("cleo", "127.0.0.1"), (None, "8.8.8.8")):
        book.note(visitor, address)
    assert book.group("ann") == book.group("bob") != "ann"
    assert book.group("cleo") == "cleo"  # a proxy that does not say whom it asks for
    book.note("dora", "2001:db8::1")
    assert book.group("dora") == "address 2001:db8::/64"
    assert book.group("ann") == "ann"  # forgotten
