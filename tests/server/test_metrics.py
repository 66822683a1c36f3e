"""Metrics for Prometheus, of a real server: shown where the host says, and nowhere else."""

import random
import socket
import subprocess
import sys

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.nginx import free_port


@pytest.fixture
def measured(start):
    """Return a server, and a function that returns its metrics by name and labels."""
    port = free_port()
    server = start("--metrics", str(port))

    def figures():
        shown = httpx.get(f"http://127.0.0.1:{port}/metrics")
        assert shown.headers["content-type"].startswith("text/plain")
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(shown.text)
            for sample in family.samples
        }

    return server, figures


def test_a_game_is_counted_and_measured(measured, visitor, kit, refused):
    server, figures = measured
    before = figures()
    assert before["triskele_moves_total", "person"] == 0
    ann = visitor(server)
    table = ann.open("trypsylon", "me", "here")["table"]
    game = kit.Game(ann.live(), table)
    kit.play([game], random.Random(3))
    assert refused(game.live.ask, "move", table=table, seat=0, move="a1", at=0) == "over"
    assert refused(ann.get, "/tables/nothing") == "unknown"
    after = figures()
    moves = len(game.moves)
    assert after["triskele_moves_total", "person"] == moves
    assert after["triskele_change_seconds_count",] >= moves
    assert after["triskele_commit_seconds_count",] >= moves
    assert after["triskele_broadcast_seconds_count",] >= moves
    committed = after["triskele_commit_seconds_sum",] - before["triskele_commit_seconds_sum",]  # without the start
    assert 0 < committed <= after["triskele_change_seconds_sum",] + 1
    assert after["triskele_tables",] == 1
    assert after["triskele_connections",] == 1
    assert after["triskele_refusals_total", "over"] == 1
    assert after["triskele_refusals_total", "unknown"] == 1
    assert after["triskele_requests_total", "200"] >= 2
    assert after["triskele_requests_total", "404"] == 1
    for pool in ("engines", "jobs"):
        assert after["triskele_queue_waiting", pool] == 0
        assert after["triskele_queue_running", pool] == 0
    assert after["process_resident_memory_bytes",] > 10_000_000
    assert after["triskele_bus_connected",] == after["triskele_database_writable",] == 1
    assert after["triskele_commits_total",] >= 1


def test_metrics_are_not_on_the_public_side(measured, server):
    for each in (measured[0], server):
        assert httpx.get(f"{each.base}/metrics").status_code == 404


def test_a_port_in_use_is_said_in_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "triskele.server", "--port", "0", "--data", str(tmp_path)]
        ran = subprocess.run(
            [*command, "--metrics", str(port)], capture_output=True, text=True, timeout=60, check=False
        )
    assert ran.returncode == 2
    assert f"127.0.0.1:{port}" in ran.stderr
    assert "--metrics" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
