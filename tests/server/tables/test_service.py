"""Tables in memory: loaded on demand, dropped when idle, and never two of the same."""

import asyncio
from types import SimpleNamespace

import pytest

from tests.support import event_loop
from triskele.core.game import game
from triskele.server.bus import NoBus
from triskele.server.storage.database import Storage
from triskele.server.tables import service
from triskele.server.tables.entries import END, MOVE
from triskele.server.tables.opening import SeatPlan, TableOpener, TablePlan
from triskele.server.tables.service import Change, TableService


class NoAudience:
    """A broadcaster without subscribers."""

    def has_subscribers(self, table):
        return False

    def entry_applied(self, table, entry):
        return []


@pytest.fixture
def with_tables(tmp_path, monkeypatch):
    """Run something with the tables of a new database."""
    monkeypatch.setenv("TRISKELE_PLAIN", "1")

    def run(work, idle_seconds):
        async def go():
            storage = Storage(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
            storage.start()
            try:
                return await work(TableService(storage, NoBus(), NoAudience(), idle_seconds))
            finally:
                await storage.stop()

        return event_loop.run(go())

    return run


def plan():
    return TablePlan(game("yinsh").variant({}), [SeatPlan("me", holders={"ann"}), SeatPlan("here")], "ann")


def test_a_table_is_not_dropped_between_loading_and_its_first_use(with_tables):
    async def work(tables):
        tables.listeners.append(lambda table: tables.drop_idle())
        table = await TableOpener(tables).open(plan())
        return tables.known(table.id) is table

    assert with_tables(work, idle_seconds=600)


def test_an_idle_table_is_dropped_and_loaded_again(with_tables):
    async def work(tables):
        table = await TableOpener(tables).open(plan())
        await asyncio.sleep(0.01)
        tables.drop_idle()
        known = tables.known(table.id)
        again = await asyncio.gather(tables.find(table.id), tables.find(table.id))
        return table, known, again

    table, known, again = with_tables(work, idle_seconds=0.001)
    assert known is None
    assert again[0] is again[1]
    assert again[0] is not table
    assert again[0].seats[0].holders == {"ann"}


def test_a_finished_game_is_dropped_sooner(with_tables, monkeypatch):
    monkeypatch.setattr("triskele.server.tables.service._FINISHED_IDLE_SECONDS", 0.001)

    async def work(tables):
        playing, finished = [await TableOpener(tables).open(plan()) for _ in range(2)]
        await tables.act(finished, lambda table: Change(iter([table.entry(END, 0, "resigned", 0)])))
        await asyncio.sleep(0.01)
        tables.drop_idle()
        return tables.known(playing.id), tables.known(finished.id)

    playing, finished = with_tables(work, idle_seconds=600)
    assert playing is not None
    assert finished is None


def test_rows_of_another_process_are_applied_and_a_gap_is_read_from_the_log(with_tables):
    async def work(tables):
        here = await TableOpener(tables).open(plan())
        there = TableService(tables.storage, NoBus(), NoAudience(), 600)
        sent = []
        there.bus = SimpleNamespace(process="p", publish=lambda table, **more: sent.append(more))
        known = await there.find(here.id)
        for move in ("a2", "b1", "c1"):
            seat = known.turn
            await there.act(known, lambda table, s=seat, m=move: Change(iter([table.entry(MOVE, s, m, 0)])))
        await tables.receive(here, sent[0]["rows"])
        await tables.receive(here, sent[0]["rows"])  # twice is once
        first = [move.text for move in here.position.moves]
        await tables.receive(here, sent[2]["rows"])
        return first, [move.text for move in here.position.moves], here.seq - known.seq

    first, after, behind = with_tables(work, idle_seconds=600)
    assert first == ["a2"]
    assert after == ["a2", "b1", "c1"]
    assert behind == 0


def test_a_change_during_loading_is_not_missed(with_tables, monkeypatch):
    """Another process commits after the log was read here and says so before the table is in memory."""
    monkeypatch.setattr(service, "_SHORT_LOG", -1)  # a short log would be replayed without a pause

    async def work(tables):
        opened = await TableOpener(tables).open(plan())
        there = TableService(tables.storage, NoBus(), NoAudience(), 600)
        run, replayed = tables.storage.run, []

        async def replay_slowly(build):
            made = await run(build)
            if not replayed:
                replayed.append(made)
                await tables.act(opened, lambda table: Change(iter([table.entry(MOVE, 0, "a2", 0)])))
                there.note_change(opened.id)
            return made

        tables.storage.run = replay_slowly
        return await there.find(opened.id)

    assert [move.text for move in with_tables(work, idle_seconds=600).position.moves] == ["a2"]
