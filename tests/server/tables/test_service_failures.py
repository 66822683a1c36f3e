"""The tables of a server: what is in memory is never more than what is in the log."""

import asyncio
import time

import pytest
from sqlalchemy import insert
from sqlalchemy import text as text_clause

from tests.support import event_loop
from triskele.server.bus import NoBus
from triskele.server.live.broadcast import LiveBroadcaster
from triskele.server.live.subscribers import Subscriber
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Storage, StorageFailed
from triskele.server.tables import moves
from triskele.server.tables import table as table_module
from triskele.server.tables.keys import Keys
from triskele.server.tables.opening import SeatPlan, TableOpener, plan
from triskele.server.tables.service import TableService


class UnreliableStorage(Storage):
    """A database whose writes and reads fail when they are told to."""

    fail_writes = fail_reads = False

    def write(self, rows=(), statements=()):
        if not self.fail_writes:
            return super().write(rows, statements)
        failed = asyncio.get_running_loop().create_future()
        failed.set_exception(StorageFailed())
        return failed

    async def read(self, query):
        if self.fail_reads:
            raise StorageFailed
        return await super().read(query)


class Outbox:
    """A connection that notes what happens to it."""

    def __init__(self):
        self.messages = []
        self.disconnected = False

    def send(self, message):
        self.messages.append(message)

    def disconnect(self):
        self.disconnected = True


@pytest.fixture
def at_table(tmp_path):
    """Run something at a table of its own, with a subscriber."""

    def run(work):
        async def begin():
            storage = UnreliableStorage(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
            storage.start()
            tables = TableService(storage, NoBus(), LiveBroadcaster(Keys(bytes(32))), 600)
            seats = [SeatPlan("me"), SeatPlan("here")]
            table = await TableOpener(tables).open(plan("ann", "yinsh", {}, seats, 0, None, True, False))
            subscriber = Subscriber(table, Outbox(), "ann", "en", False)
            tables.broadcaster.audiences.of(table).subscribers.add(subscriber)
            try:
                await work(tables, table, subscriber.outbox)
            finally:
                await storage.stop()

        event_loop.run(begin())

    return run


def move(text, at):
    return lambda table: moves.move(table, at % 2, text, at)


def test_after_a_failed_write_the_table_is_as_its_log(at_table):
    async def work(tables, table, outbox):
        await tables.act(table, move("e5", 0))
        tables.storage.fail_writes = True
        with pytest.raises(Refusal) as refused:
            await tables.act(table, move("e6", 1))
        assert refused.value.code == "busy"
        assert (table.seq, table.moves) == (1, 1)
        assert tables.known(table.id) is table
        assert not outbox.disconnected
        tables.storage.fail_writes = False
        await tables.act(table, move("e7", 1))
        assert table.moves == 2

    at_table(work)


def test_a_table_that_cannot_be_read_again_is_dropped_and_its_subscribers_join_anew(at_table):
    async def work(tables, table, outbox):
        await tables.act(table, move("e5", 0))
        told = len(outbox.messages)
        tables.storage.fail_writes = tables.storage.fail_reads = True
        with pytest.raises(Refusal) as refused:
            await tables.act(table, move("e6", 1))
        assert refused.value.code == "busy"
        assert tables.known(table.id) is None
        assert outbox.disconnected
        assert not tables.broadcaster.has_subscribers(table)
        tables.storage.fail_writes = tables.storage.fail_reads = False
        # An engine, say, still has the table that was dropped: its move is made at the one that is loaded again.
        await tables.act(table, move("e7", 1))
        again = await tables.find(table.id)
        assert again is not table
        assert [made.text for made, _ in again.made] == ["e5", "e7"]
        assert len(outbox.messages) == told

    at_table(work)


def test_a_request_that_waited_while_its_table_was_dropped_acts_on_the_one_loaded_again(at_table):
    async def work(tables, table, outbox):
        async with table.lock:
            waiting = asyncio.create_task(tables.act(table, move("e5", 0)))
            await asyncio.sleep(0.01)
            tables._drop(table)
        await waiting
        assert table.moves == 0
        assert tables.known(table.id).moves == 1

    at_table(work)


def test_what_other_processes_wrote_and_cannot_be_applied_drops_the_table(at_table):
    async def work(tables, table, outbox):
        wrong = {"kind": "move", "seat": 0, "body": "z99", "time": 0, "turn": 1, "moves": 1}
        await tables.storage.write([{"table_id": table.id, "seq": 1, **wrong}])
        with pytest.raises(Exception, match="z99"):
            await tables.refresh(table)
        assert tables.known(table.id) is None
        assert outbox.disconnected

    at_table(work)


def test_a_table_that_cannot_be_loaded_is_logged_once(at_table, caplog):
    async def work(tables, table, outbox):
        wrong = {"kind": "nonsense", "seat": 0, "body": "", "time": 0, "turn": 1, "moves": 1}
        await tables.storage.write([{"table_id": table.id, "seq": 1, **wrong}])
        tables._drop(table)
        for _ in range(3):
            with pytest.raises(Refusal) as refused:
                await tables.find(table.id)
            assert refused.value.code == "failed"
        assert tables.unloadable == {table.id}

    at_table(work)
    assert len(caplog.records) == 1


def test_a_table_whose_log_has_a_hole_is_shown_up_to_it_and_refuses_moves_in_words(at_table, caplog):
    async def work(tables, table, outbox):
        for at, text in enumerate(("e5", "e6", "e7", "e8", "e9")):
            await tables.act(table, move(text, at))
        await tables.storage.write(statements=[(text_clause("DELETE FROM log WHERE seq = 4"), ())])
        tables._drop(table)
        found = await tables.find(table.id)
        assert [made.text for made, _ in found.made] == ["e5", "e6", "e7"]
        with pytest.raises(Refusal) as refused:
            await tables.act(found, move("e8", 3))
        assert (refused.value.code, refused.value.status) == ("incomplete", 409)
        assert "entry 4 is missing" in refused.value.body("en")["text"]
        await tables.refresh(found)
        assert tables.known(table.id) is found
        assert found.moves == 3
        kept = text_clause("SELECT seq FROM log ORDER BY seq")
        rows = await tables.storage.read(lambda connection: connection.execute(kept).scalars().all())
        assert rows == [1, 2, 3, 5]  # nothing was deleted

    at_table(work)
    assert "lacks entry 4" in caplog.text


def test_a_long_log_is_read_in_slices_that_leave_the_interpreter_to_others(at_table, monkeypatch):
    async def work(tables, table, outbox):
        await tables.act(table, move("e5", 0))
        rows = [{"seq": 1, "kind": "move", "seat": 0, "body": "e5", "time": 1}]
        for seq in range(2, 4000, 2):
            rows.append({"seq": seq, "kind": "move", "seat": 1, "body": "e6", "time": seq})
            rows.append({"seq": seq + 1, "kind": "undo", "seat": 1, "body": "1", "time": seq})
        pauses = []
        monkeypatch.setattr(table_module.time, "sleep", pauses.append)
        began = time.perf_counter()
        await tables.storage.run(lambda: (table.clear(), table.replay(rows)))
        took = time.perf_counter() - began
        assert table.seq == 4001 - 2
        # A slice of 1 ms ends with the entry at which it is over; few take longer than that.
        assert len(pauses) > min(20, took / 0.05)

    at_table(work)


def test_who_took_a_seat_at_another_process_sees_the_table_before_the_bus_says_so(at_table):
    async def work(tables, table, outbox):
        tables.bus.process = "one of several"
        with pytest.raises(Refusal) as refused:
            await tables.get(table.id, "bob")
        assert refused.value.code == "unknown"
        row = {"table_id": table.id, "seat": 1, "visitor": "bob"}
        await tables.storage.write(statements=[(insert(schema.holders), [row])])
        found = await tables.get(table.id, "bob")
        assert found.seats_of("bob") == (1,)

    at_table(work)
