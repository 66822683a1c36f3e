"""What a server under systemd tells it, as ``Type=notify`` and ``WatchdogSec=`` of a unit ask for."""

import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from triskele.server.http.service_manager import ServiceManager

PATIENCE = 30.0


@pytest.fixture
def manager() -> Iterator[socket.socket]:
    """Listen where systemd would."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(Path(folder, "notify")))
        listening.settimeout(PATIENCE)
        yield listening


def test_a_server_says_that_it_serves_that_it_lives_and_that_it_stops(start, manager):
    server = start(NOTIFY_SOCKET=manager.getsockname(), WATCHDOG_USEC="1000000")
    assert [manager.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    server.stop()
    said = b"WATCHDOG=1"
    while said == b"WATCHDOG=1":
        said = manager.recv(100)
    assert said == b"STOPPING=1"


def test_what_systemd_told_the_server_is_not_told_to_its_workers(monkeypatch, manager):
    monkeypatch.setenv("NOTIFY_SOCKET", manager.getsockname())
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    ServiceManager().ready()
    assert manager.recv(100) == b"READY=1"
    assert not {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"} & set(os.environ)


def test_a_watchdog_of_another_process_is_left_to_it(monkeypatch, manager):
    monkeypatch.setenv("NOTIFY_SOCKET", manager.getsockname())
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    told = ServiceManager()
    told.alive()
    told.stopping()
    assert manager.recv(100) == b"STOPPING=1"


def test_an_address_in_the_abstract_namespace_is_found(monkeypatch):
    name = f"triskele-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0{name}")
        listening.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        ServiceManager().ready()
        assert listening.recv(100) == b"READY=1"


def test_without_systemd_nothing_is_told_and_nothing_fails(monkeypatch, tmp_path):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    ServiceManager().ready()
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody listens here"))
    ServiceManager().ready()
