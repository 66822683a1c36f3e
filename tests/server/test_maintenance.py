"""Maintenance: what fails does not keep the rest from being done, and is logged once."""

import asyncio
import time

import pytest
from sqlalchemy import insert, select, text, update

from tests.support import event_loop
from triskele.server.live.subscribers import Subscriber
from triskele.server.moderation import audit
from triskele.server.services import Services
from triskele.server.settings import Settings
from triskele.server.storage import schema
from triskele.server.storage.database import StorageFailed
from triskele.server.tables.opening import SeatPlan, plan
from triskele.server.tables.service import now


class Outbox:
    """A connection that notes what is sent."""

    def __init__(self):
        self.messages = []

    def send(self, message):
        self.messages.append(message)

    def disconnect(self):
        pass


@pytest.fixture
def served(tmp_path):
    """Run something with the services of a server whose sweeps are made by the test."""

    def run(work, **more):
        async def begin():
            settings = Settings(data=tmp_path, idle_seconds=0, sweep_seconds=3600, engine_processes=1, **more)
            services = Services(settings)
            services.storage.start()
            try:
                await work(services)
            finally:
                await services.stop()

        event_loop.run(begin())

    return run


async def opened(services, *kinds):
    seats = [SeatPlan(kind, level=1) for kind in kinds]
    return await services.opener.open(plan("ann", "yinsh", {}, seats, 0, None, True, False))


def follow(services, table):
    outbox = Outbox()
    services.broadcaster.audiences.of(table).subscribers.add(Subscriber(table, outbox, "ann", "en", False))
    return outbox


def forget(services, *tables):
    for table in tables:
        del services.tables._tables[table.id]


async def spoil(services, table):
    """Write something to a table's log that cannot be replayed."""
    wrong = {"kind": "nonsense", "seat": 0, "body": "", "time": 0, "turn": 0, "moves": 0}
    await services.storage.write([{"table_id": table.id, "seq": 1, **wrong}])


def test_an_unloadable_table_stops_nothing_and_is_logged_once(served, caplog):
    async def work(services):
        services.tables.listeners.clear()
        tables = [await opened(services, "engine", "me") for _ in range(5)]
        idle = await opened(services, "me", "here")
        await spoil(services, tables[2])
        forget(services, *tables)
        woken = []
        services.tables.listeners.append(lambda table: woken.append(table.id))
        for _ in range(3):
            await services.maintenance.sweep(now() + 1)
        assert set(woken) == {table.id for table in tables} - {tables[2].id}
        assert services.tables.known(idle.id) is None
        assert services.tables.unloadable == {tables[2].id}

    served(work)
    assert len(caplog.records) == 1
    assert "loading table" in caplog.text


def test_a_step_that_fails_stops_no_other_and_is_logged_when_it_begins_and_ends(served, caplog):
    async def work(services):
        services.tables.listeners.clear()
        read = services.storage.read
        table = await opened(services, "me", "here")

        async def fail(query):
            raise StorageFailed

        services.storage.read = fail
        for _ in range(3):
            await services.maintenance.sweep(now())
        assert services.tables.known(table.id) is None  # dropped, since nobody is there
        services.storage.read = read
        for _ in range(2):
            await services.maintenance.sweep(now())

    served(work)
    said = [record.getMessage() for record in caplog.records]
    steps = ("resuming games", "looking after clocks", "looking for short time")
    assert len(said) == 2 * len(steps), said
    for doing in steps:
        about = [message for message in said if message.startswith(doing)]
        assert about[0].startswith(f"{doing} failed")
        assert about[1] == f"{doing} works again"


def test_a_table_that_cannot_be_refreshed_does_not_keep_others_from_it(served):
    async def work(services):
        services.tables.listeners.clear()
        bad, good = await opened(services, "me", "here"), await opened(services, "me", "here")
        outboxes = [follow(services, table) for table in (bad, good)]
        await spoil(services, bad)
        move = {"kind": "move", "seat": 0, "body": "e5", "time": 0, "turn": 1, "moves": 1}
        await services.storage.write([{"table_id": good.id, "seq": 1, **move}])
        await services.maintenance.catch_up()
        assert services.tables.known(bad.id) is None
        assert good.moves == 1
        assert len(outboxes[1].messages) == 1

    served(work)


def test_chat_that_another_process_stored_is_found_without_a_message_about_it(served):
    async def work(services):
        table = await opened(services, "me", "here")
        outbox = follow(services, table)
        for number in range(2):
            line = {"table_id": table.id, "number": number, "seat": 0, "body": f"line {number}", "time": 0}
            await services.storage.write(statements=[(insert(schema.chat), [line])])
            await services.maintenance.catch_up()
        assert [line.text for line in table.chat] == ["line 0", "line 1"]
        assert [b"line 0" in outbox.messages[0], b"line 1" in outbox.messages[1]] == [True, True]
        await services.maintenance.catch_up()
        assert len(outbox.messages) == 2

    served(work)


def test_asking_for_the_health_does_not_reset_what_others_measure(served):
    async def work(services):
        measuring = asyncio.create_task(services._measure_lag())
        await asyncio.sleep(0.15)
        time.sleep(0.4)  # the loop stands still
        await asyncio.sleep(0.3)
        first = services.health("1")["lag_ms"]
        await asyncio.sleep(0.3)
        assert first >= 200
        assert services.health("1")["lag_ms"] >= first
        measuring.cancel()

    served(work)


def test_what_is_down_is_named(served, monkeypatch):
    async def work(services):
        monkeypatch.setattr("triskele.server.services._CHECK_HOLDS_SECONDS", 0.2)
        assert await services.down() == []
        monkeypatch.setattr(type(services.bus), "connected", False)
        services.engines.failed = time.monotonic()
        assert await services.down() == [], "an answer holds for a while"
        await asyncio.sleep(0.3)
        assert await services.down() == ["bus", "engines"]

        async def fail(query):
            raise StorageFailed

        monkeypatch.setattr(services.storage, "read", fail)
        await asyncio.sleep(0.3)
        assert await services.down() == ["database", "bus", "engines"]

    served(work)


def test_after_a_failed_write_the_database_is_down_until_one_succeeds(served, monkeypatch):
    async def work(services):
        monkeypatch.setattr("triskele.server.services._CHECK_HOLDS_SECONDS", 0.0)
        with services.storage.engine.connect() as other:
            other.execute(text("BEGIN IMMEDIATE"))
            with pytest.raises(StorageFailed):
                await services.storage.write(statements=[(text("DELETE FROM chat"), ())])
            other.rollback()
        assert await services.down() == ["database"]
        await services.storage.write(statements=[(text("DELETE FROM chat"), ())])
        assert await services.down() == []

    served(work)


def test_finished_games_are_deleted_after_the_days_that_the_host_says(served):
    async def work(services):
        done, on = [await opened(services, "me", "here") for _ in range(2)]
        spoiled = await opened(services, "me", "here")
        for table in (done, spoiled):
            await services.moderation.end(table.id, "test", "")
        ages = update(schema.log).values(time=schema.log.c.time - 3 * 86_400_000)
        await services.storage.write(statements=[(ages.where(schema.log.c.table_id.in_([done.id, spoiled.id])), ())])
        wrong = {"kind": "nonsense", "seat": 0, "body": "", "time": 0, "turn": 0, "moves": 0}
        await services.storage.write([{"table_id": spoiled.id, "seq": 2, **wrong}])
        forget(services, spoiled)  # it cannot be loaded any more, and is deleted all the same
        await services.maintenance.sweep(now())
        assert services.tables.known(done.id) is None
        assert [await services.tables.find(table.id) for table in (done, spoiled)] == [None, None]
        assert await services.tables.find(on.id) is not None
        entry = (await services.storage.read(audit.entries(1)))[0]
        assert (entry["actor"], entry["action"], entry["detail"]) == ("server", "retention", {"days": 2.0, "tables": 2})
        rows = await services.storage.read(lambda connection: connection.execute(select(schema.seats)).all())
        assert {row.table_id for row in rows} == {on.id}

    served(work, keep_days=2.0)


def moved(table, seq, body):
    row = {"table_id": table.id, "seq": seq, "kind": "move", "seat": (seq - 1) % 2, "body": body, "time": now()}
    return {"process": "p", "table": table.id, "rows": [row]}


def test_messages_about_a_table_that_is_busy_wait_for_it_in_order_and_hold_up_no_others(served):
    async def work(services):
        busy, free = [await opened(services, "me", "here") for _ in range(2)]
        for table in (busy, free):
            follow(services, table)
        hear = services.maintenance.bus_message
        async with busy.lock:
            for seq, body in enumerate(("e5", "f6", "d4"), 1):
                await hear(moved(busy, seq, body))
            await hear(moved(free, 1, "e5"))
            assert [table.moves for table in (busy, free)] == [0, 1]
        async with asyncio.timeout(30):
            while busy.moves < 3:
                await asyncio.sleep(0.01)
        assert [move.text for move, _ in busy.made] == ["e5", "f6", "d4"]

    served(work)


def test_of_many_messages_that_wait_for_a_table_few_are_kept_and_nothing_is_missed(served):
    async def work(services):
        table = await opened(services, "me", "here")
        follow(services, table)
        bodies = ("e5", "f6", "d4")
        rows = [
            {**moved(table, seq, body)["rows"][0], "turn": seq % 2, "moves": seq} for seq, body in enumerate(bodies, 1)
        ]
        async with table.lock:
            for _ in range(100):
                await services.maintenance.bus_message(moved(table, 1, "e5"))
            assert len(services.maintenance._waiting[table.id]) <= 33
            await services.storage.write(rows)
        async with asyncio.timeout(30):
            while table.id in services.maintenance._waiting:
                await asyncio.sleep(0.01)
        assert [move.text for move, _ in table.made] == list(bodies)

    served(work)


def test_who_is_present_at_many_tables_is_told_in_few_messages(served):
    async def work(services):
        told = []
        services.bus.publish = lambda table, **more: told.append({"process": "p", "table": table, **more})
        tables = [await opened(services, "me", "here") for _ in range(120)]
        for table in tables:
            follow(services, table)
        told.clear()
        services.presence.repeat()
        assert len(told) == 3
        assert {key for message in told for key in message["presences"]} == {table.id for table in tables}
        for table in tables:
            services.broadcaster.audiences.of(table).subscribers.clear()
        assert services.broadcaster.audiences.of(tables[0]).present(tables[0]) == set()
        for message in told:
            await services.maintenance.bus_message(message)
        assert all(services.broadcaster.audiences.of(table).present(table) == {0, 1} for table in tables)

    served(work)


def test_when_another_process_is_lost_what_it_told_nobody_is_read_also_of_tables_that_nobody_follows(served):
    async def work(services):
        tables = [await opened(services, "me", "here") for _ in range(2)]
        follow(services, tables[0])
        for table in tables:
            row = {**moved(table, 1, "e5")["rows"][0], "turn": 1, "moves": 1}
            await services.storage.write([row])
        services.bus.on_process_lost(now())
        async with asyncio.timeout(30):
            while [table.moves for table in tables] != [1, 1]:
                await asyncio.sleep(0.01)

    served(work)
