"""The writer and the readers of the database."""

import asyncio

import pytest
from sqlalchemy import select

from triskele.server.storage import schema
from triskele.server.storage.database import Conflict, StorageFailed


@pytest.fixture
def database(tmp_path):
    return f"sqlite:///{tmp_path / 'tables.sqlite3'}"


def test_what_queued_up_goes_into_one_commit(database, in_storage, row):
    async def work(storage):
        await asyncio.gather(*(storage.write([row(seq=n)]) for n in range(200)))
        return storage.commits

    assert in_storage(database, work) < 100


def test_a_conflict_hits_only_whoever_was_second(database, in_storage, row):
    async def work(storage):
        await storage.write([row(seq=1)])
        writes = [storage.write([row(seq=2)]), storage.write([row(seq=1), row(seq=9)]), storage.write([row("u")])]
        results = await asyncio.gather(*writes, return_exceptions=True)
        there = await storage.read(lambda c: c.execute(select(schema.log.c.table_id, schema.log.c.seq)).all())
        return results, sorted(map(tuple, there))

    results, there = in_storage(database, work)
    assert results[0] is None
    assert isinstance(results[1], Conflict)
    assert results[2] is None
    assert there == [("t", 1), ("t", 2), ("u", 1)]


def test_what_cannot_be_written_is_said_and_hurts_nobody_else(database, in_storage, row):
    async def work(storage):
        bad = storage.write([row(seq=1, body=object())])
        good = storage.write([row("u", seq=1)])
        return await asyncio.gather(bad, good, return_exceptions=True)

    bad, good = in_storage(database, work)
    assert isinstance(bad, StorageFailed)
    assert good is None


def test_the_disk_is_asked_to_keep_everything(database, in_storage):
    async def work(storage):
        with storage.engine.connect() as connection:
            return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]

    assert in_storage(database, work) == ["wal", 2]
