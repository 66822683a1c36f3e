"""The followers of the lobby: a crowd is told in cohorts, and everybody ends with the same lists."""

import asyncio

import msgspec

from tests.support import event_loop
from triskele.server.live import lobby as live_lobby
from triskele.server.live.lobby import LobbyFollowers
from triskele.server.lobby.documents import GameShown, LobbyDifference, PersonShown, SeekShown
from triskele.server.lobby.shared_lists import SharedList

CROWD = 200


class Lobby:
    """The lists of a lobby, without any people."""

    def __init__(self):
        self.people, self.seeks, self.games = (SharedList(1000) for _ in range(3))
        self.limiter = self
        self.audience = self.elsewhere = None

    async def pair(self):
        pass

    def drop_full(self):
        pass

    def challenges(self, visitor):
        return []

    def difference(self):
        lists = (part for kept in (self.people, self.seeks, self.games) for part in kept.difference())
        return LobbyDifference(len(self.people), 0, *lists)


class Nothing:
    def tell(self):
        pass

    def sweep(self):
        pass


class Page:
    """A page that follows the lobby, as ``lobby-model.js`` does; ``burst`` counts what all get in one moment."""

    burst = 0

    def __init__(self):
        self.people, self.seeks, self.games, self.messages = {}, {}, {}, 0

    def send(self, message):
        Page.burst += 1
        self.messages += 1
        told = msgspec.json.decode(message)
        for kept, name, key in (
            (self.people, "people", "name"),
            (self.seeks, "seeks", "seek"),
            (self.games, "games", "table"),
        ):
            if told["type"] == "lobby":
                kept.clear()
            for gone in told.get(f"{name}_gone", ()):
                kept.pop(gone, None)
            kept.update({each[key]: each for each in told[name]})


def seek(name, seats=2):
    return SeekShown(name, "yinsh", {}, seats, "none", False, None, None, None, (), 0)


def followed(number, work, monkeypatch, seconds=0.1):
    """Run something with a lobby and so many pages that follow it."""
    monkeypatch.setattr(live_lobby, "_SECONDS", seconds)

    async def run():
        lobby = Lobby()
        followers = LobbyFollowers(lobby, Nothing(), Nothing())
        pages = [Page() for _ in range(number)]
        for at, page in enumerate(pages):
            followers.follow(f"v{at}", page)
        task = asyncio.create_task(followers.run())
        try:
            async with asyncio.timeout(30):
                await work(lobby, followers, pages)
        finally:
            task.cancel()

    event_loop.run(run())


async def until(is_so):
    while not is_so():
        await asyncio.sleep(0.005)


def names(page):
    return sorted(page.seeks), sorted(page.people), sorted(page.games)


def test_everybody_in_a_crowd_ends_with_the_same_lists(monkeypatch):
    async def work(lobby, followers, pages):
        lobby.seeks.set("", "s0", seek("s0"))
        lobby.people.set("", "Ann", PersonShown("Ann", False))
        lobby.games.set("", "g", GameShown("g", "yinsh", {}, "none", False, ()))
        for number in range(1, 60):  # faster than anybody is told
            lobby.seeks.set("", f"s{number}", seek(f"s{number}"))
            lobby.seeks.set("", f"s{number - 1}", None)
            await asyncio.sleep(0.003)
        late = Page()
        followers.follow("late", late)
        lobby.seeks.set("", "s59", seek("s59", seats=4))
        lobby.people.set("", "Ann", None)
        await until(lambda: all(names(page) == (["s59"], [], ["g"]) for page in (*pages, late)))
        assert all(page.seeks["s59"]["seats"] == 4 for page in (*pages, late))
        assert len(followers._journal) <= 40, "what everybody knows is dropped"

    followed(CROWD, work, monkeypatch)


def test_a_crowd_is_not_told_in_the_same_moment_and_each_at_most_twice_a_second(monkeypatch):
    async def work(lobby, followers, pages):
        bursts = []

        async def watch():
            while True:
                await asyncio.sleep(0)
                bursts.append(Page.burst)
                Page.burst = 0

        for page in pages:
            page.messages = 0
        Page.burst = 0
        watching = asyncio.create_task(watch())
        loop = asyncio.get_running_loop()
        began = loop.time()
        while (lasted := loop.time() - began) < 2 or not all(page.messages for page in pages):
            lobby.seeks.set("", "s", seek("s", seats=2 + int(1000 * lasted) % 4))
            await asyncio.sleep(0.002)
        watching.cancel()
        assert max(bursts) <= CROWD / 20 + 1
        assert all(page.messages <= 2 * lasted + 1 for page in pages)

    followed(CROWD, work, monkeypatch, seconds=0.5)


def test_a_few_are_told_at_the_same_moment(monkeypatch):
    async def work(lobby, followers, pages):
        lobby.seeks.set("", "s", seek("s"))
        await until(lambda: all("s" in page.seeks for page in pages))
        followers.unfollow("v0", pages[0])
        lobby.seeks.set("", "s", None)
        await until(lambda: all("s" not in page.seeks for page in pages[1:]))
        assert "s" in pages[0].seeks

    followed(5, work, monkeypatch)
