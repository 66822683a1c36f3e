"""Liveness and readiness are two things."""

import sqlite3
import time

import httpx


def test_a_server_that_works_is_alive_and_ready(server):
    health = httpx.get(f"{server.base}/api/v1/health")
    assert health.status_code == 200
    assert set(health.json()) == {"version", "tables", "seconds", "commits", "lag_ms"}
    ready = httpx.get(f"{server.base}/api/v1/ready")
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "down": []})


def test_a_server_whose_database_takes_no_writes_is_alive_and_not_ready(start, visitor, refused):
    server = start()
    ann = visitor(server)
    other = sqlite3.connect(server.data / "tables.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    assert refused(ann.open, "yinsh", "me", "here") == "busy"
    assert time.monotonic() - begun < 5
    assert httpx.get(f"{server.base}/api/v1/health").status_code == 200
    ready = httpx.get(f"{server.base}/api/v1/ready")
    assert (ready.status_code, ready.json()) == (503, {"ready": False, "down": ["database"]})
    assert "another program has locked it" in server.log.read_text()
    other.execute("ROLLBACK")
    other.close()
    ann.open("yinsh", "me", "here")
    time.sleep(1.1)  # an answer holds for a second
    assert httpx.get(f"{server.base}/api/v1/ready").status_code == 200
