"""The database restarts, hangs, is locked or full while people play: nothing acknowledged is lost, no log has holes."""

import asyncio
import contextlib
import shutil
import sqlite3
import tempfile
import threading
import time
from pathlib import Path

import httpx
import pytest
from sqlalchemy import event, text

from tests.support.postgresql import PostgreSQL
from triskele.server.refusal import Refusal
from triskele.server.storage.database import Conflict, StorageFailed

PATIENCE = 60.0


@pytest.fixture(scope="module")
def postgresql():
    folder = Path(tempfile.mkdtemp(prefix="triskele-pg-"))
    server = PostgreSQL(folder)
    yield server
    server.server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    return request.getfixturevalue("postgresql").engine_url


def test_a_row_is_written_only_after_its_predecessor(database, in_storage, row):
    async def work(storage):
        await storage.write([row("hole", 1), row("hole", 2)])
        writes = [storage.write([row("hole", 4)]), storage.write([row("whole", 1)]), storage.write([row("hole", 3)])]
        results = await asyncio.gather(*writes, return_exceptions=True)
        query = text("SELECT seq FROM log WHERE table_id = 'hole' ORDER BY seq")
        return results, await storage.read(lambda c: list(c.execute(query).scalars()))

    results, there = in_storage(database, work)
    assert [type(result) for result in results] == [Conflict, type(None), type(None)]
    assert there == [1, 2, 3]


def test_a_database_that_hangs_is_given_up_and_works_again_afterwards(postgresql, in_storage, row):
    async def work(storage):
        await storage.write([row("hung", 1)])
        await storage.read(lambda c: c.execute(text("SELECT 1")).scalar())
        with postgresql.hung():
            asked = [storage.write([row("hung", 2)]), storage.write([row("other", 1)])]
            asked += [asyncio.ensure_future(storage.read(lambda c: c.execute(text("SELECT 1")))) for _ in range(8)]
            await asyncio.sleep(0.3)
            asked.append(storage.write([row("queued", 1)]))  # behind a commit that hangs
            async with asyncio.timeout(PATIENCE):
                results = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(result) for result in results} == {StorageFailed}
        assert all(result.code == "busy" for result in results)
        assert storage.write_failed is not None
        async with asyncio.timeout(PATIENCE):  # a loaded machine may need more than one try of half a second
            number = 0
            while storage.write_failed is not None:
                number += 1
                with contextlib.suppress(StorageFailed):
                    await storage.write([row(f"afterwards-{number}", 1)])
            answer = None
            while answer is None:
                with contextlib.suppress(StorageFailed):
                    answer = await storage.read(lambda c: c.execute(text("SELECT 1")).scalar())
        assert answer == 1

    in_storage(postgresql.engine_url, work, seconds=0.5)


def test_a_restart_between_two_writes_is_not_noticed(postgresql, in_storage, row):
    async def work(storage):
        await storage.write([row("restart", 1)])
        await storage.read(lambda c: c.execute(text("SELECT 1")).scalar())
        with postgresql.down():
            with pytest.raises(StorageFailed):
                await storage.write([row("meanwhile", 1)])
            with pytest.raises(StorageFailed):
                await storage.read(lambda c: c.execute(text("SELECT 1")).scalar())
        await storage.write([row("restart", 2)])
        with postgresql.down():
            pass
        await storage.write([row("restart", 3)])
        assert await storage.read(lambda c: c.execute(text("SELECT 1")).scalar()) == 1

    in_storage(postgresql.engine_url, work)


def test_a_write_that_came_through_although_its_connection_was_lost_is_no_conflict(postgresql, in_storage, row):
    async def work(storage):
        await storage.write([row("lost", 1)])

        losses = []

        @event.listens_for(storage.engine, "commit")
        def lose(connection):
            if not losses:
                losses.append(connection)
                connection.connection.dbapi_connection.commit()
                connection.connection.dbapi_connection.close()

        await storage.write([row("lost", 2), row("lost", 3)])

    in_storage(postgresql.engine_url, work)
    assert postgresql.ask("SELECT count(*) FROM log WHERE table_id = 'lost'") == [(3,)]


def test_no_log_has_a_hole_after_the_database_restarted_and_hung_under_play(postgresql, start, visitor, kit):
    options = ("--database", postgresql.url, "--limit", "database_seconds=1")
    server = start(*options)
    stop = threading.Event()
    games = ("yinsh", "trypsylon", "yinsh", "trypsylon")
    players = [kit.Player(visitor(server), game, stop, forgiven=("busy", "stale")) for game in games]
    for player in players:
        player.start()

    def go_on():
        before = [len(player.acknowledged) for player in players]
        deadline = time.monotonic() + PATIENCE
        while not all(p.over or len(p.acknowledged) > b + 3 for p, b in zip(players, before, strict=True)):
            assert time.monotonic() < deadline, [(player.problem, player.refusals) for player in players]
            time.sleep(0.02)

    go_on()
    with postgresql.down():
        time.sleep(0.3)
    go_on()
    with postgresql.hung():
        time.sleep(2.5)
        assert httpx.get(f"{server.base}/api/v1/health", timeout=5).status_code == 200
        ready = httpx.get(f"{server.base}/api/v1/ready", timeout=10)
        assert (ready.status_code, ready.json()["down"]) == (503, ["database"])
    go_on()
    stop.set()
    for player in players:
        player.join(PATIENCE)
        assert player.problem is None
        assert player.lost == []
    assert any("busy" in player.refusals for player in players)
    assert postgresql.ask("SELECT table_id FROM log GROUP BY table_id HAVING count(*) <> max(seq)") == []
    fresh = start(*options, name="fresh", TRISKELE_SECRET=(server.data / "secret").read_bytes().hex())
    for player in players:
        for at in (server, fresh):
            made = visitor(at, player.person.token).get(f"/tables/{player.table}")["moves"]
            assert [made[at]["move"] for at, _ in player.acknowledged] == [move for _, move in player.acknowledged]


# --- SQLite: locked, full --------------------------------------------------------------------------


def test_a_locked_database_is_busy_at_once_and_the_log_says_so(tmp_path, in_storage, row, caplog):
    path = tmp_path / "tables.sqlite3"

    async def work(storage):
        await storage.write([row(seq=1)])
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        results = await asyncio.gather(*(storage.write([row(str(n), 1)]) for n in range(20)), return_exceptions=True)
        took = time.monotonic() - begun
        assert await storage.read(lambda c: c.execute(text("SELECT count(*) FROM log")).scalar()) == 1
        other.execute("ROLLBACK")
        other.close()
        await storage.write([row(seq=2)])
        return results, took

    results, took = in_storage(f"sqlite:///{path}", work)
    assert {type(result) for result in results} == {StorageFailed}
    assert took < 3
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        "the database takes no writes: another program has locked it",
        "the database takes writes again",
    ]


def test_a_full_disk_is_busy_at_once_and_the_log_says_so(tmp_path, in_storage, row, caplog):
    async def work(storage):
        @event.listens_for(storage.engine, "connect")
        def limit(connection, record):
            connection.execute("PRAGMA max_page_count=1").close()  # no more than there are

        storage.engine.dispose()
        long = {**row(), "body": "x" * 100_000}
        return await asyncio.gather(storage.write([long]), return_exceptions=True)

    (result,) = in_storage(f"sqlite:///{tmp_path / 'tables.sqlite3'}", work)
    assert isinstance(result, Refusal)
    assert result.code == "busy"
    assert [record.getMessage() for record in caplog.records] == ["the database takes no writes: the disk is full"]
