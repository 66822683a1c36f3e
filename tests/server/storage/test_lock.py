"""Two servers that do not know of each other never share a SQLite database."""

import subprocess
import sys

import pytest

from triskele.core.errors import TriskeleError
from triskele.server.storage.lock import DatabaseLock


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'tables.sqlite3'}"


def test_the_second_server_refuses_to_start_and_says_why(start, visitor):
    server = start()
    command = [sys.executable, "-m", "triskele.server", "--data", str(server.data), "--port", "0"]
    second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode != 0
    assert "another server uses" in second.stderr
    assert str(server.data) in second.stderr
    assert "Traceback" not in second.stderr
    assert visitor(server).open("yinsh", "me", "here")  # the first goes on


def test_the_lock_ends_with_the_server_however_that_ends(start):
    start().kill()
    start().stop()
    start()


def test_only_servers_that_share_a_bus_share_a_database(url):
    locks = [DatabaseLock(url, shared=True) for _ in range(2)]
    with pytest.raises(TriskeleError, match="another server"):
        DatabaseLock(url, shared=False)
    for lock in locks:
        lock.release()
    alone = DatabaseLock(url, shared=False)
    with pytest.raises(TriskeleError, match="another server"):
        DatabaseLock(url, shared=True)
    alone.release()
    DatabaseLock(url, shared=True).release()


@pytest.mark.parametrize("other", ["sqlite://", "sqlite:///:memory:", "postgresql+psycopg://localhost/triskele"])
def test_other_databases_need_no_lock(other):
    locks = [DatabaseLock(other, shared=False) for _ in range(2)]
    for lock in locks:
        lock.release()
