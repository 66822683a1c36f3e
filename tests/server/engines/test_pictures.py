"""Pictures are drawn by workers, each once, and kept within a number of bytes."""

import asyncio

import pytest

import triskele
from tests.support import event_loop
from triskele.core.game import games
from triskele.server.engines import table_jobs
from triskele.server.engines.pictures import Pictures
from triskele.server.refusal import Refusal


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")


class FakeScheduler:
    """Runs each job when the test lets it, and counts them."""

    def __init__(self, size=100):
        self.size = size
        self.jobs = []
        self.gate = asyncio.Event()

    async def run(self, visitor, job, *arguments, urgent=False):
        self.jobs.append((visitor, job, *arguments))
        await self.gate.wait()
        if self.size is None:
            raise Refusal("busy")
        return bytes(self.size)


def scene_after(*moves):
    position = triskele.new("yinsh")
    for move in moves:
        position.push(move)
    return position.scene(None)


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


def test_the_same_picture_is_drawn_once_for_all_who_ask():
    async def check():
        scheduler = FakeScheduler()
        pictures = Pictures(scheduler, 1000)
        asked = [asyncio.create_task(pictures.draw(f"v{n}", scene_after("a2"), "light", 300)) for n in range(5)]
        await settle()
        scheduler.gate.set()
        assert await asyncio.gather(*asked) == [bytes(100)] * 5
        await pictures.draw("late", scene_after("a2"), "light", 300)
        assert len(scheduler.jobs) == 1
        for other in (("a3", "light", 300), ("a2", "dark", 300), ("a2", "light", 301), ("a2", "light", None)):
            await pictures.draw("late", scene_after(other[0]), *other[1:])
        assert len(scheduler.jobs) == 5

    event_loop.run(check())


def test_the_cache_has_a_size():
    async def check():
        scheduler = FakeScheduler()
        scheduler.gate.set()
        pictures = Pictures(scheduler, 350)
        for width in (1, 2, 3, 1, 4, 5):
            await pictures.draw("ann", scene_after(), "light", width)
            assert pictures.kept_bytes <= 350
        assert [job[4] for job in scheduler.jobs] == [1, 2, 3, 4, 5]
        await pictures.draw("ann", scene_after(), "light", 1)
        await pictures.draw("ann", scene_after(), "light", 2)
        assert [job[4] for job in scheduler.jobs] == [1, 2, 3, 4, 5, 2]

    event_loop.run(check())


def test_a_drawing_is_given_up_when_nobody_waits_for_it():
    async def check():
        scheduler = FakeScheduler()
        pictures = Pictures(scheduler, 1000)
        one, other = [asyncio.create_task(pictures.draw("ann", scene_after(), "light", 9)) for _ in range(2)]
        await settle()
        one.cancel()
        await settle()
        assert not other.done()
        other.cancel()
        await settle()
        scheduler.gate.set()
        await pictures.draw("ann", scene_after(), "light", 9)
        assert len(scheduler.jobs) == 2

    event_loop.run(check())


def test_a_refusal_is_not_kept():
    async def check():
        scheduler = FakeScheduler(size=None)
        scheduler.gate.set()
        pictures = Pictures(scheduler, 1000)
        for _ in range(2):
            with pytest.raises(Refusal):
                await pictures.draw("ann", scene_after(), "light")
        assert len(scheduler.jobs) == 2
        assert pictures.kept_bytes == 0

    event_loop.run(check())


@pytest.mark.parametrize("name", [declared.name for declared in games()])
def test_every_game_has_pictures(name):
    async def check():
        scheduler = FakeScheduler()
        scheduler.gate.set()
        await Pictures(scheduler, 1000).draw("ann", triskele.new(name).scene(None), "dark")
        [(_, job, *arguments)] = scheduler.jobs
        assert job is table_jobs.draw_svg
        assert job(*arguments).startswith(b"<svg")

    event_loop.run(check())
