"""The web client goes nowhere inside the host's network, whatever a name says, and waits for nobody."""

import asyncio
import socket
import time

import pytest

from tests.support import event_loop
from tests.support.receivers import Web
from triskele.server.notices.web_client import Unreachable, WebClient, is_public

PRIVATE = [
    "127.0.0.1",
    "10.0.0.1",
    "172.16.3.4",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:53aa:64c::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_told_from_public_ones(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"])
def test_public_addresses_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/a",
        "https://user:word@hooks.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https:///a",
        "https://hooks.example:0/",
        "https://hooks.example:99999/",
        "https://hooks.example/ä",
        "https://hooks.example/a b",
        "https://hooks.example/\r\nX: y",
        "ftp://hooks.example/",
        "https://hooks.example/" + "a" * 1000,
        "file:///etc/passwd",
        "",
    ],
)
def test_urls_that_are_not_taken(url):
    assert not WebClient(1, private=False).allows(url)


def test_urls_that_are_taken():
    assert WebClient(1, private=False).allows("https://hooks.example:8443/a?b=c")
    assert WebClient(1, private=True).allows("http://127.0.0.1:8080/")
    assert not WebClient(1, private=True).allows("ftp://127.0.0.1/")


def _post(client, url):
    return event_loop.run(client.post(url, {"X-Sign": "1"}, b"body"))


@pytest.fixture
def web():
    running = Web()
    yield running
    running.close()


@pytest.mark.parametrize("name", ["localhost", "2130706433", "0x7f000001", "127.1"])
def test_a_name_of_this_machine_is_refused_when_it_is_resolved(name, web):
    port = web.url.rpartition(":")[2]
    with pytest.raises(Unreachable) as refused:
        _post(WebClient(5, private=False), f"https://{name}:{port}/")
    assert refused.value.why in ("address", "name")
    assert web.posted == []


def test_a_name_is_resolved_once_so_that_rebinding_gains_nothing(web, monkeypatch):
    """The address that was looked at is the one that is connected to."""
    port = int(web.url.rpartition(":")[2])
    asked, connected = [], []

    async def resolve(self, host, port, **_):
        asked.append(host)
        place = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port))]

    async def connect(host, port, **_):
        connected.append(host)
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolve)
    monkeypatch.setattr(asyncio, "open_connection", connect)
    with pytest.raises(Unreachable, match="connection"):
        _post(WebClient(5, private=False), f"https://rebinding.example:{port}/")
    assert (asked, connected) == (["rebinding.example"], ["93.184.216.34"])
    with pytest.raises(Unreachable, match="address"):
        _post(WebClient(5, private=False), f"https://rebinding.example:{port}/")
    assert connected == ["93.184.216.34"]


def test_redirects_are_not_followed(web):
    web.answers, web.headers = [302], {"Location": f"{web.url}/elsewhere"}
    assert _post(WebClient(5, private=True), f"{web.url}/here").status == 302
    assert [path for path, _, _ in web.posted] == ["/here"]


def test_who_asks_for_patience_is_heard(web):
    web.answers, web.headers = [429], {"Retry-After": "120"}
    answer = _post(WebClient(5, private=True), web.url)
    assert (answer.status, answer.retry_after) == (429, 120.0)
    assert web.posted[0][1]["X-Sign"] == "1"
    assert web.posted[0][2] == b"body"


def test_who_hangs_is_given_up(web):
    web.hang.clear()
    began = time.monotonic()
    with pytest.raises(Unreachable, match="time"):
        _post(WebClient(0.3, private=True), web.url)
    assert time.monotonic() - began < 20


def test_what_is_no_http_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        async def talk():
            async def babble(reader, writer):
                writer.write(b"220 mail.example ESMTP\r\n")
                writer.close()

            server = await asyncio.start_server(babble, sock=listening)
            async with server:
                return await WebClient(5, private=True).post(f"http://127.0.0.1:{port}/", {}, b"")

        with pytest.raises(Unreachable, match=r"protocol|connection"):
            event_loop.run(talk())
