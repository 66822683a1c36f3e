"""When engines play: as long as somebody follows the table, or a person will come back to find an answer."""

import asyncio
from types import SimpleNamespace

import pytest

from tests.support import event_loop
from triskele.server.engines import seats as engine_seats
from triskele.server.engines.scheduler import Unwanted
from triskele.server.engines.seats import EngineSeats
from triskele.server.settings import Settings


class Tables:
    """Tables that are followed or not."""

    def __init__(self, followed):
        self.followed = followed
        self.computed = False
        self.listeners = []
        self.broadcaster = SimpleNamespace(
            has_subscribers=lambda table: self.followed,
            page_computes=lambda table: self.computed,
            page_failed=self.page_failed,
            engine_thinking=lambda table, seat: [],
        )

    def page_failed(self, table):
        self.computed = False
        return []


class Scheduler:
    """Answers every question with ``Unwanted`` as soon as nobody wants it."""

    def __init__(self):
        self.asked = []

    async def run(self, visitor, job, question, *, seconds, urgent, wanted):
        self.asked.append((visitor, urgent))
        while wanted():
            await asyncio.sleep(0)
        raise Unwanted


def table_of(kinds, made=()):
    return SimpleNamespace(
        id="t",
        version=1,
        turn=len(kinds) - 1,
        opener="ann",
        seats=[SimpleNamespace(kind=kind, level=1, automatic=kind == "engine") for kind in kinds],
        persons=lambda: [seat for seat, kind in enumerate(kinds) if kind != "engine"],
        seats_of_persons=lambda: [seat for seat, kind in enumerate(kinds) if kind != "engine"],
        moves=len(made),
        made=[(None, seat) for seat in made],
        position=SimpleNamespace(interrupts=[], legal_moves=["a", "b"]),
    )


async def asked_at(table, followed, monkeypatch):
    """Return whether an engine is asked at a table, and for whom."""
    tables, scheduler = Tables(followed), Scheduler()
    seats = EngineSeats(tables, scheduler, Settings())
    monkeypatch.setattr(seats, "_question", lambda table, seat: None)
    seats.schedule(table)
    await asyncio.sleep(0.01)
    asked = list(scheduler.asked)
    seats.stop()
    assert tables.listeners == []
    return asked


@pytest.mark.parametrize(
    ("table", "followed", "asked"),
    [
        (table_of(["engine", "engine"]), True, [("ann", False)]),
        (table_of(["engine", "engine"]), False, []),
        (table_of(["me", "engine"]), True, [("ann", True)]),
        (table_of(["me", "engine"]), False, [("ann", True)]),
        (table_of(["me", "engine", "engine"], [0] + [1, 2] * 20), False, [("ann", True)]),
        (table_of(["me", "engine", "engine"], [0] + [1, 2] * 100), False, []),
        (table_of(["me", "engine", "engine"], [0] + [1, 2] * 100), True, [("ann", True)]),
        (table_of(["me", "here"]), True, []),
    ],
    ids=range(8),
)
def test_engines_are_asked_where_somebody_wants_the_answer(table, followed, asked, monkeypatch):
    assert event_loop.run(asked_at(table, followed, monkeypatch)) == asked


def test_a_question_that_waited_until_everybody_left_is_asked_again_when_somebody_comes(monkeypatch):
    async def check():
        tables, scheduler = Tables(True), Scheduler()
        seats = EngineSeats(tables, scheduler, Settings())
        monkeypatch.setattr(seats, "_question", lambda table, seat: None)
        table = table_of(["engine", "engine"])
        for times in (1, 2):
            tables.followed = True
            seats.schedule(table)
            seats.schedule(table)
            await asyncio.sleep(0.01)
            assert len(scheduler.asked) == times
            tables.followed = False
            await asyncio.sleep(0.01)
        seats.stop()

    event_loop.run(check())


@pytest.mark.parametrize("seconds", [0.05, 3600.0])
def test_a_page_that_computes_is_waited_for_a_bounded_time(monkeypatch, seconds):
    """A page whose tab was put to sleep says nothing: the game goes on, and the page is not waited for again."""
    monkeypatch.setattr(engine_seats, "_PAGE_SECONDS", seconds)

    async def check():
        tables, scheduler = Tables(True), Scheduler()
        tables.computed = True
        seats = EngineSeats(tables, scheduler, Settings(engine_seconds=0.05))
        monkeypatch.setattr(seats, "_question", lambda table, seat: None)
        table = table_of(["me", "engine"])
        seats.schedule(table)
        await asyncio.sleep(0)
        assert scheduler.asked == []
        if seconds < 1:
            while not scheduler.asked:
                await asyncio.sleep(0.01)
            assert not tables.computed
        else:
            await asyncio.sleep(0.2)
            assert scheduler.asked == []
            tables.computed = False  # the page has left
            seats.schedule(table)
            await asyncio.sleep(0.01)
            assert scheduler.asked == [("ann", True)]
        seats.stop()

    event_loop.run(check())
